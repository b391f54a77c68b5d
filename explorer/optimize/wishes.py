"""The settings of a search: the goal, the levers it may use, the rules it keeps, how long it takes."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

from core.model.error_factors import ERRORS_PER
from core.model.levers import LEVERS
from core.model.limits import is_number, is_whole
from core.model.objectives import DEADLINES_FIRST, MIX, OBJECTIVES, ObjectiveWords

if TYPE_CHECKING:
    from collections.abc import Mapping

Judge = Literal["mean", "worst-90"]
WORSE: Judge = "worst-90"
MEAN: Judge = "mean"


NO_LEVER = "Allow at least one lever: there is nothing that the search may change."
NO_MIX = "Give at least one weight of the mix a number above 0."
NO_DEADLINE = "No job has a deadline, so none can be late; Edit > Random deadlines… gives them some."
GOALS = OBJECTIVES | {
    MIX: ObjectiveWords("Weighted mix", "A sum of the others, each times the weight that you give it"),
}
MIXED = tuple(name for name in OBJECTIVES if name != DEADLINES_FIRST)
"""What a mix may be made of."""
MIN_SECONDS, MAX_SECONDS, DEFAULT_SECONDS = 0.1, 86_400.0, 3.0
MAX_COPIES, DEFAULT_COPIES = 64, 8


@dataclass(frozen=True, slots=True)
class Rules:
    """What a plan has to keep.

    Attributes
    ----------
    pinned : names of jobs that keep their place in the scenario's order
    before : pairs of names, the first of which is served before the second
    arrivals : names of jobs that arrive at another time, with seconds from time 0
    keeps_deadlines : whether no job that has a deadline may be late
    keeps_pools : whether the pools of the scenario stay as they are
    """

    pinned: frozenset[str] = frozenset()
    before: tuple[tuple[str, str], ...] = ()
    arrivals: tuple[tuple[str, float], ...] = ()
    keeps_deadlines: bool = False
    keeps_pools: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """The settings of a search.

    Attributes
    ----------
    goal : an id of `GOALS`
    weights : of `MIXED`, by id; used by the goal "mix"
    levers : of `core.model.levers.LEVERS`, by name, that it may use
    rules : what the plan has to keep; they belong to the document's jobs, so that they are not remembered
    sigma, copies, judge : the spread of durations it is to stand (0: none; 0.3: about 30 %), on how many
        noisy copies it is tried, and whether their mean counts or the 90 % worst
    per : what is wrong by a factor of its own, one of `ERRORS_PER`
    from_cursor : whether what starts before the time cursor stays as it is; not remembered
    seconds : how long it may take; None until it is proved or stopped
    seed : of the random numbers; the same one gives the same plan in the same number of steps
    """

    goal: str = "makespan"
    weights: Mapping[str, float] = field(default_factory=lambda: {"makespan": 1.0})
    levers: tuple[str, ...] = tuple(LEVERS)
    rules: Rules = Rules()
    sigma: float = 0.0
    copies: int = DEFAULT_COPIES
    judge: Judge = MEAN
    seconds: float | None = DEFAULT_SECONDS
    seed: int = 1
    per: str = ERRORS_PER[0]
    from_cursor: bool = False

    def refusal(self, *, has_deadlines: bool) -> str:
        """Return why this cannot be searched for; empty if it can be."""
        if not self.levers:
            return NO_LEVER
        if GOALS[self.goal].needs_deadlines and not has_deadlines:
            return NO_DEADLINE
        return NO_MIX if self.goal == MIX and not self.weights else ""

    def values(self) -> dict[str, Any]:
        """Return what is remembered for the next time, as JSON has it."""
        names = [each.name for each in fields(self) if each.name not in ("rules", "from_cursor")]
        values = {name: getattr(self, name) for name in names}
        return values | {"weights": dict(self.weights), "levers": list(self.levers)}


def wish_of(values: object) -> Wish:
    """Return the wish that was remembered; what is missing or damaged is as at first."""
    known, first = values if isinstance(values, dict) else {}, Wish()
    goal, judge = known.get("goal"), known.get("judge")
    weights, levers = known.get("weights"), known.get("levers")
    weights = weights if isinstance(weights, dict) else {}
    kept = {name: float(w) for name, w in weights.items() if name in MIXED and is_number(w, 0.0, 1e9)}
    sigma, seconds = known.get("sigma"), known.get("seconds")
    return Wish(
        goal=goal if isinstance(goal, str) and goal in GOALS else first.goal,
        weights=kept if any(kept.values()) else first.weights,
        levers=tuple(name for name in LEVERS if name in levers) if isinstance(levers, list) else first.levers,
        sigma=float(str(sigma)) if is_number(sigma, 0.0, 2.0) else first.sigma,
        copies=known["copies"] if is_whole(known.get("copies"), 2, MAX_COPIES) else first.copies,
        judge=WORSE if judge == WORSE else first.judge,
        seconds=_seconds(seconds) if "seconds" in known else first.seconds,
        per=next((per for per in ERRORS_PER if per == known.get("per")), first.per),
        seed=known["seed"] if is_whole(known.get("seed"), 0, 2**31 - 1) else first.seed,
    )


def _seconds(seconds: object) -> float | None:
    if seconds is None:
        return None
    fits = is_number(seconds, MIN_SECONDS, MAX_SECONDS)
    return float(str(seconds)) if fits else DEFAULT_SECONDS

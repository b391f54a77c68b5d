"""The table of schedulers: every policy on a fixed list of workloads, with intervals over what was drawn.

What a policy gets on a workload is divided by what FIFO gets on the same draw, so that workloads of hours and
of seconds count as much as one another, and a line is the same whoever else is in the table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError, PolicyFault
from core.model.progress import no_progress
from core.model.schedule import PolicyChoice
from core.policies.by_hand import ByHand
from core.policies.critical import Optimised
from core.policies.orders import ExplicitOrder
from core.policies.registry import POLICIES, policy_class
from core.policies.user_files.apart import where_policies_live
from core.policy_checks.decision_cost import JOBS, crowd, decision_cost
from core.policy_checks.one_workload import searches_before
from core.policy_checks.ranking_list import RankingList, ranking_list
from core.simulation.simulate import simulate
from core.study.bootstrap import interval_of_mean
from core.study.measures import MEASURES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from core.model.workload import Workload

BASE = "fifo"
PERCENT, RESAMPLING_SEED = 95.0, 1
TO_FIFO = {
    "makespan": "makespan",
    "response": "mean_response",
    "tail": "high_response",
    "unfairness": "largest_stretch",
}
"""What is divided by FIFO's, and the measure that it is."""
FIGURES = ("gap", *TO_FIFO)
"""The columns: how far the makespan is above the proved bound, and those; of all of them less is better."""
TIMED_JOBS = 100
TIMINGS = 3
Draws = dict[str, "NDArray[np.float64]"]
"""A figure's values, (draws,), by its name."""


@dataclass(frozen=True)
class RankedFigure:
    """A mean over draws, with the interval about it; the ends are nan where there is one draw."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class DecisionCosts:
    """What a decision costs.

    Attributes
    ----------
    lines : of Python that one executes while 100 jobs wait, counted; nan where all is decided before the run
    microseconds : for each task of 100 jobs that wait at once, interpreted, measured: never the same twice
    """

    lines: float
    microseconds: float


@dataclass(frozen=True)
class RankedPolicy:
    """One line of the table.

    Attributes
    ----------
    policy, title : id and title
    figures : by the names of `FIGURES`
    ran : on how many of the workloads; the means are over these
    why_not : of one of the others the reason, empty if there is none
    """

    policy: str
    title: str
    figures: Mapping[str, RankedFigure]
    ran: int
    why_not: str = ""


@dataclass(frozen=True)
class Ranking:
    """All lines, the shortest makespan first.

    Attributes
    ----------
    version : of the list
    draws : of each workload
    workloads : their names
    rows : one for each policy
    """

    version: int
    draws: int
    workloads: tuple[str, ...]
    rows: tuple[RankedPolicy, ...]

    def place(self, policy: str) -> int:
        """Return the place of a policy, from 1."""
        return 1 + [row.policy for row in self.rows].index(policy)


def ranked_policies() -> tuple[str, ...]:
    """Return the ids of the policies in the table: all but those that wait for what a user enters."""
    return tuple(policy.id for policy in POLICIES if policy not in (ByHand, ExplicitOrder))


def rank_drawn(
    own: Sequence[PolicyChoice] = (),
    *,
    draws: int | None = None,
    policies: Sequence[str] | None = None,
    progress: Callable[[float], None] = no_progress,
) -> Ranking:
    """Rank every policy on the drawn workloads of the list.

    Parameters
    ----------
    own : policies beside those of Slotscope
    draws : how many of the list's seeds, all by default; fewer are not the public table
    policies : ids of Slotscope's policies, all by default
    progress : called with the fraction done, 0 to 1

    Raises
    ------
    InputError
        there are not so many seeds
    """
    public = ranking_list()
    if draws is not None and not 1 <= draws <= len(public.seeds):
        raise InputError(f"draws is {draws}; give a whole number from 1 to {len(public.seeds)}")
    seeds = public.seeds[:draws]
    drawn = {entry.name: [entry.workload(seed) for seed in seeds] for entry in public.drawn}
    return _rank(public, drawn, own, policies, progress)


def rank_fetched(
    folder: Path,
    own: Sequence[PolicyChoice] = (),
    *,
    policies: Sequence[str] | None = None,
    progress: Callable[[float], None] = no_progress,
) -> Ranking | None:
    """Rank every policy on those files of the list that a folder has; None if it has none of them.

    Raises as `rank_drawn`, and InputError for a file that is another one than the list says.
    """
    public = ranking_list()
    opened = {entry.name: entry.workload(folder) for entry in public.fetched}
    there = {name: [workload] for name, workload in opened.items() if workload is not None}
    return _rank(public, there, own, policies, progress) if there else None


def _rank(
    public: RankingList,
    workloads: Mapping[str, Sequence[Workload]],
    own: Sequence[PolicyChoice],
    policies: Sequence[str] | None,
    progress: Callable[[float], None],
) -> Ranking:
    ids = dict.fromkeys((BASE, *(ranked_policies() if policies is None else policies)))
    choices = [*(_limited(policy, public) for policy in ids), *own]
    found: dict[str, dict[str, Draws | str]] = {choice.id: {} for choice in choices}
    total, done = len(workloads) * len(choices), 0
    for name, draws in workloads.items():
        for choice in choices:
            found[choice.id][name] = _figures(choice, draws)
            done += 1
            progress(done / total)
    base = found[BASE]
    rows = [_row(policy, of_policy, base) for policy, of_policy in found.items()]
    rows.sort(key=lambda row: (math.isnan(row.figures["makespan"].mean), *_order(row)))
    draws_of_each = len(next(iter(workloads.values())))
    return Ranking(public.version, draws_of_each, tuple(workloads), tuple(rows))


def _order(row: RankedPolicy) -> tuple[float, float, str]:
    return row.figures["makespan"].mean, row.figures["response"].mean, row.policy


def _limited(policy: str, public: RankingList) -> PolicyChoice:
    """Return a policy with so much search as the list allows."""
    return PolicyChoice(policy, {"steps": public.search_steps} if policy == Optimised.id else {})


def _figures(choice: PolicyChoice, workloads: Sequence[Workload]) -> Draws | str:
    """Return the measures of a policy on the draws of one workload, or why it does not run there."""
    names = ("gap", *TO_FIFO.values())
    columns: dict[str, list[float]] = {name: [] for name in names}
    for workload in workloads:
        try:
            schedule = simulate(workload, workload.cluster, choice)
        except (InputError, PolicyFault) as error:
            return str(error)
        for name in names:
            columns[name].append(MEASURES[name].value(schedule, {}))
    return {name: np.array(values) for name, values in columns.items()}


def _row(policy: str, found: Mapping[str, Draws | str], base: Mapping[str, Draws | str]) -> RankedPolicy:
    """Return the line of a policy: of each draw the mean over workloads, of these the mean.

    The mean of ratios is the geometric one, which says the same whichever policy they are ratios to (P. J.
    Fleming, J. J. Wallace: How not to lie with statistics, 1986).
    """
    ratios: dict[str, list[NDArray[np.float64]]] = {name: [] for name in FIGURES}
    why_not = ""
    for name, own in found.items():
        theirs = base[name]
        if isinstance(own, str) or isinstance(theirs, str):
            why_not = own if isinstance(own, str) else ""
            continue
        ratios["gap"].append(own["gap"])
        for figure, measure in TO_FIFO.items():
            ratios[figure].append(np.log(_divided(own[measure], theirs[measure])))
    figures = {name: _estimate(columns, are_logs=name in TO_FIFO) for name, columns in ratios.items()}
    return RankedPolicy(policy, policy_class(policy).title, figures, len(ratios["gap"]), why_not)


def _divided(own: NDArray[np.float64], theirs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what a policy gets over what FIFO gets; 1 where either is nothing."""
    return np.divide(own, theirs, out=np.ones(len(own)), where=(theirs > 0) & (own > 0))


def _estimate(columns: Sequence[NDArray[np.float64]], *, are_logs: bool) -> RankedFigure:
    if not columns:
        return RankedFigure(math.nan, math.nan, math.nan)
    of_draws = np.exp(np.mean(columns, axis=0)) if are_logs else np.mean(columns, axis=0)
    low, high = interval_of_mean(of_draws, PERCENT, RESAMPLING_SEED)
    return RankedFigure(float(of_draws.mean()), low, high)


@where_policies_live
def decision_costs(choice: PolicyChoice) -> DecisionCosts:
    """Count, and measure, what a decision of a policy costs while 100 jobs wait.

    Raises what a run raises.
    """
    if searches_before(policy_class(choice.id)):
        return DecisionCosts(math.nan, math.nan)
    counted = decision_cost(choice)
    workload = crowd(TIMED_JOBS)
    seconds = [
        simulate(workload, workload.cluster, choice, engine="interpreted").simulate_seconds
        for _ in range(TIMINGS)
    ]
    per_task = 1e6 * min(seconds) / len(workload.columns.job)
    return DecisionCosts(counted.lines[JOBS.index(TIMED_JOBS)], per_task)

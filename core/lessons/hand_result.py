"""What a schedule made by hand is worth beside FIFO's, Johnson's, the bound and the best that is found."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.lessons.hand_difference import difference_sentence
from core.measures.metrics import explained_bound_of
from core.model.errors import Cancelled, InputError
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.model.time_text import fine_percent
from core.optimize.premise import premise_of
from core.optimize.short_searches import is_longer
from core.optimize.wrong_results import check_bound
from core.policies.registry import describe
from core.simulation.fork import simulate_fork
from core.simulation.proofs import certify_schedule
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.plan import Plan
    from core.model.schedule import Schedule
    from core.simulation.simulate import Engine

BESIDE = ("fifo", "johnson")
"""Policies that go on from where the hand began."""
BEST = "the best found"
MAX_SEARCHED_INTERPRETED = 600
"""Tasks; without compiled code a search of more finds nothing in some seconds."""


@dataclass(frozen=True)
class Rival:
    """Another schedule of the same jobs on the same cluster.

    Attributes
    ----------
    title : what it is called
    schedule : complete
    choice : the policy that made it, or None for what a search found
    plan : what a search found, or None
    """

    title: str
    schedule: Schedule
    choice: PolicyChoice | None
    plan: Plan | None = None

    @property
    def makespan(self) -> float:
        """Seconds."""
        return self.schedule.makespan


@dataclass(frozen=True)
class HandResult:
    """How good a schedule made by hand is.

    Attributes
    ----------
    own : the schedule
    rivals : those of the policies, then the best that was found, if something was searched
    bound : seconds that no schedule is shorter than
    proved : whether the best of all, the own one included, is optimal, and a certificate confirms it
    """

    own: Schedule
    rivals: tuple[Rival, ...]
    bound: float
    proved: bool

    @property
    def best(self) -> float:
        """Seconds: the shortest of all, the own one included."""
        return min([self.own.makespan, *(rival.makespan for rival in self.rivals)])

    @property
    def shortest(self) -> Schedule:
        """The first of the shortest ones."""
        return min([self.own, *(rival.schedule for rival in self.rivals)], key=lambda each: each.makespan)

    @property
    def is_best(self) -> bool:
        """Whether none is shorter."""
        return not is_longer(self.own.makespan, self.best)

    @property
    def above(self) -> float:
        """By which part the own schedule is longer than the best one: 0 for not at all."""
        return self.own.makespan / self.best - 1 if self.best > 0 else 0.0

    @property
    def sentences(self) -> tuple[str, ...]:
        """How good it is, how sure that is, and where it first differs from a better one."""
        gap = 1 - self.bound / self.best if self.best > 0 else 0.0
        sure = (
            f"No schedule can be shorter than the best {premise_of(self.own).words}: that is proved."
            if self.proved
            else f"Whether one is shorter is not known; it could be {fine_percent(gap)} shorter at most."
        )
        if self.is_best:
            return ("As short as the best.", sure)
        better = min(self.rivals, key=lambda rival: rival.makespan)
        difference = difference_sentence(self.own, better.schedule, better.title)
        best = better.title if better.plan is not None else f"the best: {better.title}"
        return (f"{fine_percent(self.above)} longer than {best}.", sure, difference)


def hand_result(
    own: Schedule,
    seconds: float,
    engine: Engine = "auto",
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> HandResult:
    """Compare a schedule made by hand with others.

    Parameters
    ----------
    own : complete; where a fork led to it, the policies go on from there, and the search begins at time 0
    seconds : for the search of the best; 0 searches none
    should_stop : ends the search, whose best by then counts
    """
    workload, cluster, fork = own.workload, own.cluster, own.fork
    rivals = []
    for policy in BESIDE:
        choice = PolicyChoice(policy)
        schedule = (
            simulate(workload, cluster, choice, engine=engine)
            if fork is None
            else simulate_fork(workload, cluster, choice, fork, engine=engine)
        )
        rivals.append(Rival(describe(policy).title, schedule, choice))
    bound = explained_bound_of(own).seconds
    result = HandResult(own, tuple(rivals), bound, proved=False)
    check_bound(result.best, bound, workload, cluster, None)
    result = _proved(result)
    if result.proved and not is_longer(min(rival.makespan for rival in rivals), bound):
        return result  # a policy is optimal: nothing to search
    return _searched(result, seconds, engine, progress, should_stop)


def _searched(
    result: HandResult,
    seconds: float,
    engine: Engine,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> HandResult:
    """Add the best schedule that is found in so many seconds."""
    from core.optimize.chains import is_compiled  # only what searches loads it
    from core.optimize.search import optimize

    own, began, compiled = result.own, time.monotonic(), is_compiled()
    if seconds <= 0 or (not compiled and own.tasks > MAX_SEARCHED_INTERPRETED):
        return result

    def is_over() -> bool:
        progress(min(1.0, (time.monotonic() - began) / seconds))
        return should_stop()

    try:
        found = optimize(own.workload, own.cluster, seconds=seconds, should_stop=is_over, compiled=compiled)
        best = simulate(own.workload, own.cluster, PolicyChoice("fifo"), plan=found.plan, engine=engine)
    except (Cancelled, InputError):
        return result  # of such a cluster no best schedule is searched
    shortest, bound = min(result.best, best.makespan), result.bound
    premise = premise_of(own)
    if not (premise.lends or premise.shares_scans):  # else the search's bound is no bound
        bound = max(bound, found.bound)
    check_bound(shortest, bound, own.workload, own.cluster, found.plan)
    title = BEST if own.fork is None else f"{BEST} from the beginning on"
    rival = Rival(title, best, None, found.plan)
    return _proved(replace(result, rivals=(*result.rivals, rival), bound=bound))


def _proved(result: HandResult) -> HandResult:
    """Return the result with whether its best is proved to be optimal."""
    meets = not is_longer(result.best, result.bound)
    return replace(result, proved=meets and bool(certify_schedule(result.shortest, result.bound)))

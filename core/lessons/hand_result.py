"""What a schedule made by hand is worth beside FIFO's, Johnson's, the bound and the best that is found."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.lessons.hand_aims import MAKESPAN, aim_phrase, aim_text, is_above, value_of
from core.lessons.hand_difference import difference_sentence
from core.measures.metrics import explained_bound_of
from core.model.errors import Cancelled, InputError
from core.model.objectives import OBJECTIVES
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.model.time_text import fine_percent
from core.optimize.objectives import Objective
from core.optimize.premise import premise_of
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

BESIDE = {
    MAKESPAN: ("fifo", "johnson"),
    "mean-response": ("fifo", "sjf"),
    "weighted-response": ("fifo", "sjf"),
    "tardiness": ("fifo", "edf-max"),
    "late-jobs": ("fifo", "edf-max"),
}
"""Policies that go on from where the hand began, by what is to be small."""
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


@dataclass(frozen=True)
class HandResult:
    """How good a schedule made by hand is.

    Attributes
    ----------
    own : the schedule
    rivals : those of the policies, then the best that was found, if something was searched
    bound : what no schedule is below, in seconds or jobs
    proved : whether the best of all, the own one included, is optimal: it meets the bound, and of makespans
        a certificate confirms it
    aim : what is to be small, one of `core.lessons.hand_aims.AIMS`
    """

    own: Schedule
    rivals: tuple[Rival, ...]
    bound: float
    proved: bool
    aim: str = MAKESPAN

    def value(self, schedule: Schedule) -> float:
        """Return what a schedule is worth, in seconds or jobs."""
        return value_of(self.aim, schedule)

    @property
    def best(self) -> float:
        """The value of the best of all, the own one included."""
        return self.value(self.best_schedule)

    @property
    def best_schedule(self) -> Schedule:
        """The first of the best ones."""
        return min([self.own, *(rival.schedule for rival in self.rivals)], key=self.value)

    @property
    def best_rival(self) -> Rival:
        """The first of the best of the others."""
        return min(self.rivals, key=lambda rival: self.value(rival.schedule))

    @property
    def is_best(self) -> bool:
        """Whether none is better."""
        return not is_above(self.value(self.own), self.best)

    @property
    def above(self) -> float:
        """By which part the own value is above the best one: 0 for not at all."""
        return self.value(self.own) / self.best - 1 if self.best > 0 else 0.0

    @property
    def sentences(self) -> tuple[str, ...]:
        """How good it is, how sure that is, and where it first differs from a better one."""
        is_short = self.aim == MAKESPAN
        if self.is_best:
            return ("As short as the best." if is_short else "As good as the best.", self._surety)
        better = self.best_rival
        difference = difference_sentence(self.own, better.schedule, better.title)
        best = better.title if better.plan is not None else f"the best: {better.title}"
        if is_short:
            return (f"{fine_percent(self.above)} longer than {best}.", self._surety, difference)
        own, other = (aim_phrase(self.aim, self.value(each)) for each in (self.own, better.schedule))
        return (f"{own[:1].upper()}{own[1:]}; {other} with {best}.", self._surety, difference)

    @property
    def _surety(self) -> str:
        words = premise_of(self.own).words
        if self.aim != MAKESPAN:
            title = OBJECTIVES[self.aim].title.lower()
            if self.proved:
                return f"No schedule can be better in this {words}: that is proved."
            least = f"{title} is at least {aim_text(self.aim, self.bound)} in any schedule {words}"
            return f"Whether another one is better is not known; {least}."
        if self.proved:
            return f"No schedule can be shorter than the best {words}: that is proved."
        gap = 1 - self.bound / self.best if self.best > 0 else 0.0
        return f"Whether one is shorter is not known; it could be {fine_percent(gap)} shorter at most."


def hand_result(
    own: Schedule,
    seconds: float,
    engine: Engine = "auto",
    aim: str = MAKESPAN,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> HandResult:
    """Compare a schedule made by hand with others.

    Parameters
    ----------
    own : complete; where a fork led to it, the policies go on from there, and the search begins at time 0
    seconds : for the search of the best; 0 searches none
    aim : what is to be small, one of `core.lessons.hand_aims.AIMS`
    should_stop : ends the search, whose best by then counts
    """
    workload, cluster, fork = own.workload, own.cluster, own.fork
    rivals = []
    for policy in BESIDE[aim]:
        choice = PolicyChoice(policy)
        schedule = (
            simulate(workload, cluster, choice, engine=engine)
            if fork is None
            else simulate_fork(workload, cluster, choice, fork, engine=engine)
        )
        rivals.append(Rival(describe(policy).title, schedule, choice))
    bound = explained_bound_of(own).seconds if aim == MAKESPAN else _bound_of(own, aim)
    result = HandResult(own, tuple(rivals), bound, proved=False, aim=aim)
    check_bound(result.best, bound, workload, cluster, None)
    result = _proved(result)
    if result.proved and not is_above(result.value(result.best_rival.schedule), bound):
        return result  # a policy is optimal: nothing to search
    return _searched(result, seconds, engine, progress, should_stop)


def _bound_of(own: Schedule, aim: str) -> float:
    """Return what an aim of no schedule is below; 0 where it does more than searches can."""
    return Objective.of(aim).bound(own.workload, own.cluster) if premise_of(own).is_plain else 0.0


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
        found = optimize(
            own.workload,
            own.cluster,
            seconds=seconds,
            should_stop=is_over,
            compiled=compiled,
            objective=Objective.of(result.aim),
        )
        best = simulate(own.workload, own.cluster, PolicyChoice("fifo"), plan=found.plan, engine=engine)
    except (Cancelled, InputError):
        return result  # of such a cluster no best schedule is searched
    value, bound = min(result.best, result.value(best)), result.bound
    if premise_of(own).is_plain:  # else the search's bound is no bound
        bound = max(bound, found.bound)
    check_bound(value, bound, own.workload, own.cluster, found.plan)
    title = BEST if own.fork is None else f"{BEST} from the beginning on"
    rival = Rival(title, best, None, found.plan)
    return _proved(replace(result, rivals=(*result.rivals, rival), bound=bound))


def _proved(result: HandResult) -> HandResult:
    """Return the result with whether its best is proved to be optimal."""
    meets = not is_above(result.best, result.bound)
    if result.aim == MAKESPAN:
        meets = meets and bool(certify_schedule(result.best_schedule, result.bound))
    return replace(result, proved=meets)

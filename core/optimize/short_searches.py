"""The searches that an inverse question makes: many short ones, that share their time and stop together.

A question asks again and again whether this cluster, or this workload, can end by some time. Each such search
ends as soon as the answer is good enough; by default it is measured in steps, so that the same question has
the same answer on every machine.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Protocol

from core.model.errors import InputError
from core.model.progress import never_stop, no_progress
from core.model.time_text import ROUNDING
from core.optimize.premise import premise_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.schedule import Schedule
    from core.model.workload import Workload

STEPS_AT_ONCE = 32
"""Of a search between two looks at what it has found."""
TRIALS = 8
"""By the clock, one search may take this part of the time of all."""


class Schedules(Protocol):
    """What a search has found so far: a makespan, the plan that has it, and a bound that none can beat."""

    @property
    def best(self) -> float:
        """Seconds, of the best schedule found."""

    @property
    def bound(self) -> float:
        """Seconds that no schedule is shorter than."""

    @property
    def proved(self) -> bool:
        """Whether the best one is optimal."""

    @property
    def plan(self) -> Plan:
        """What replays the best one."""


class Searching(Protocol):
    """One search that can be advanced."""

    def advance(self, steps: int, should_stop: Callable[[], bool] = never_stop) -> Schedules:
        """Go on for so many steps, or until it has to stop; return what is found so far."""


class ShortSearches:
    """The searches of one question.

    Attributes
    ----------
    steps : of each search at most; None where they are measured by the clock

    Parameters
    ----------
    new_search : ``new_search(workload, cluster, start)`` begins a search of schedules, at a plan that is
        known or None
    seconds : for all of them together
    should_stop : asked now and then; True ends them all, with what is found so far
    trying : called with what is searched next, in a few words
    """

    def __init__(
        self,
        new_search: Callable[[Workload, Cluster, Plan | None], Searching],
        *,
        steps: int | None = None,
        seconds: float = math.inf,
        should_stop: Callable[[], bool] = never_stop,
        trying: Callable[[str], None] = no_progress,
    ) -> None:
        self._new_search, self.steps, self.trying = new_search, steps, trying
        self._seconds, self._end = seconds, time.monotonic() + seconds
        self._should_stop = should_stop
        self._is_over = False

    def is_over(self) -> bool:
        """Whether the time is up, or it has to stop."""
        self._is_over = self._is_over or self._should_stop() or time.monotonic() >= self._end
        return self._is_over

    def begin(self, workload: Workload, cluster: Cluster, start: Plan | None = None) -> Searching:
        """Begin a search that the question advances itself."""
        return self._new_search(workload, cluster, start)

    def best(
        self, workload: Workload, cluster: Cluster, *, enough: float = -math.inf, start: Plan | None = None
    ) -> Schedules:
        """Return the best of a short search; it ends as soon as a schedule of `enough` seconds is found."""
        return self.go_on(self.begin(workload, cluster, start), enough=enough)

    def go_on(self, search: Searching, *, enough: float = -math.inf, is_short: bool = True) -> Schedules:
        """Return the best after advancing a search; by the clock it may take its part of all time, or all."""
        end = time.monotonic() + self._seconds / (TRIALS if is_short else 1)
        most = math.inf if self.steps is None else self.steps

        def is_over() -> bool:
            return self.is_over() or (self.steps is None and time.monotonic() >= end)

        found, done = search.advance(1, is_over), 1
        while is_longer(found.best, enough) and not found.proved and done < most and not is_over():
            found, done = search.advance(STEPS_AT_ONCE, is_over), done + STEPS_AT_ONCE
        return found


def clock_seconds(seconds: float | None, steps: int | None, usual: float, dashes: str = "") -> float | None:
    """Return how many seconds to search, None if it is measured in steps; InputError for what cannot be.

    Parameters
    ----------
    seconds, steps : what is asked for, at most one of them
    usual : seconds if neither is
    dashes : what stands before the names in messages: "--" for options of the command line
    """
    if steps is not None and seconds is not None:
        raise InputError(f"{dashes}seconds and {dashes}steps both say how long to search; give one of them")
    if steps is not None:
        if steps < 1:
            raise InputError(f"{dashes}steps is {steps}; give at least 1")
        return None
    seconds = usual if seconds is None else seconds
    if not 0 < seconds < math.inf:
        raise InputError(f"{dashes}seconds is {seconds:g}; give a number above 0")
    return seconds


def searches_for(
    seconds: float | None,
    steps: int | None,
    seed: int,
    should_stop: Callable[[], bool] = never_stop,
    trying: Callable[[str], None] = no_progress,
) -> ShortSearches:
    """Return the searches of a question, of so many seconds or of so many steps; the other is None."""
    return ShortSearches(
        plan_searches(seed, steps),
        steps=steps,
        seconds=math.inf if seconds is None else seconds,
        should_stop=should_stop,
        trying=trying,
    )


def counts_for(schedule: Schedule, workload: Workload) -> bool:
    """Whether a schedule that there is may answer a question about a workload: a search could find it."""
    return schedule.given == workload and schedule.record is None and premise_of(schedule).is_plain


def is_longer(seconds: float, limit: float) -> bool:
    """Whether a time is longer than a limit, by more than sums may be wrong."""
    return seconds > limit * (1 + ROUNDING)


def plan_searches(
    seed: int, steps: int | None = None, *, compiled: bool = True
) -> Callable[[Workload, Cluster, Plan | None], Searching]:
    """Return what begins searches of the shortest schedule with all levers; of so many steps, if known."""
    from core.optimize.search import Search  # only a search needs it

    def new_search(workload: Workload, cluster: Cluster, start: Plan | None) -> Searching:
        return Search(workload, cluster, start=start, seed=seed, horizon=steps, compiled=compiled)

    return new_search

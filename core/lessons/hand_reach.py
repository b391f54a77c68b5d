"""How far a game can still come from one of its states: proved, else the best way that is known.

Three things are looked at, one after the other: a bound that no continuation is below (`hand_bound`), a fixed
set of policies that go on from the state, and for small games all continuations, slots that are left free
included. A continuation that meets the bound is the best there is; so is the best of all continuations, if
all were seen. Else nothing is called best. All of it depends on the state alone: no clock ends the search.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.lessons.hand_aims import is_above, value_of
from core.lessons.hand_bound import LeastFrom
from core.lessons.hand_run import HandStanding, after, choices, has_left_free, last_arrival
from core.model.errors import Cancelled, SlotscopeError
from core.model.progress import never_stop
from core.model.schedule import PolicyChoice
from core.policies.registry import describe

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.workload import Workload

GO_ON = ("fifo", "johnson", "sjf", "fair")
"""Policies that go on from a state, none of which changes the order of tasks inside a stage."""
OF_DEADLINES = "edf-max"
NOT_WANTED = "how far a game can come is not wanted any more"
MAX_SEARCHED = 40
"""Tasks that have not started: of more, not all continuations can be seen."""
MAX_STEPS = 1200
"""Choices that a search makes, about a second: where there are more, nothing is proved by it."""


@dataclass(frozen=True)
class Reach:
    """How small an aim can become.

    Attributes
    ----------
    least : no continuation is below it
    known : a continuation that is known reaches it; infinite where nothing can go on
    by : the policy that does, by its title; empty for a way that was searched
    """

    least: float
    known: float
    by: str = ""

    @property
    def is_proved(self) -> bool:
        """Whether what is known is the best that can be reached."""
        return self.known == self.least or not is_above(self.known, self.least)


class Reaches:
    """Finds how far the states of one game can come."""

    def __init__(
        self, workload: Workload, cluster: Cluster, aim: str, *, from_the_start: bool = True
    ) -> None:
        self._aim = aim
        self._least = LeastFrom(workload, cluster, aim, from_the_start=from_the_start)
        self._last = last_arrival(workload)
        self._tasks = len(workload.columns.job)
        more = (OF_DEADLINES,) if workload.has_deadlines else ()
        self._policies = (*GO_ON, *more)

    def of(self, standing: HandStanding, should_stop: Callable[[], bool] = never_stop) -> Reach:
        """Return how far a state can come.

        Raises
        ------
        Cancelled
            `should_stop` said so
        """
        if standing.is_stuck:
            return Reach(math.inf, math.inf)
        if standing.held is None:
            value = value_of(self._aim, standing.run.schedule())
            return Reach(value, value)
        least = self._least(standing.run)
        reach = Reach(least, math.inf)
        for policy in self._policies:
            if should_stop():
                raise Cancelled(NOT_WANTED)
            value = self._under(standing, policy)
            if value < reach.known:
                reach = Reach(least, value, describe(policy).title)
            if reach.is_proved:
                return Reach(reach.known, reach.known, reach.by)
        if self._tasks - standing.run.started > MAX_SEARCHED:
            return reach
        return self._searched(standing, reach, should_stop)

    def _under(self, standing: HandStanding, policy: str) -> float:
        """Return what a policy reaches that goes on; infinity where it cannot."""
        run, held = standing.run.fork(), standing.held
        try:
            here = HandStanding(run, held)
            while here.held is not None and has_left_free(here.run):  # what is left free stays so for now
                here = after(here, 2 * here.held.job + here.held.kind)
            if here.is_stuck:
                return math.inf
            going = here.run if here.held is None else here.run.with_policy(PolicyChoice(policy))
            while not going.advance():
                pass
        except SlotscopeError:  # of these jobs, or on such a cluster, the policy does not run
            return math.inf
        return value_of(self._aim, going.schedule())

    def _searched(self, standing: HandStanding, reach: Reach, should_stop: Callable[[], bool]) -> Reach:
        """Look at all continuations that may be better than what is known, as far as they are few enough."""
        known, by, steps = reach.known, reach.by, 0
        seen: set[tuple[bytes, ...]] = set()
        open_states = [standing]
        while open_states:
            here = open_states.pop()
            for pick in reversed(choices(here, self._last)):
                if should_stop():
                    raise Cancelled(NOT_WANTED)
                if (steps := steps + 1) > MAX_STEPS:
                    return Reach(reach.least, known, by)
                there = after(here, pick)
                if there.is_stuck:
                    continue
                if there.held is None:
                    value = value_of(self._aim, there.run.schedule())
                    if is_above(known, value):
                        known, by = value, ""
                    continue
                if is_above(known, self._least(there.run)) and (key := _signature(there)) not in seen:
                    seen.add(key)
                    open_states.append(there)
        return Reach(known, known, by)


def _signature(standing: HandStanding) -> tuple[bytes, ...]:
    """Return what decides how a run can go on and what it is worth; slots of a type are alike.

    Where they are not, it has the slots as well.
    """
    run, held = standing.run, standing.held
    assert held is not None
    schedule, memo = run.schedule(), run.counts.memo
    runs = (schedule.slot >= 0) & ~(schedule.end < run.now)
    free = [memo[kind] if memo[2 + kind] > 0 else -1.0 for kind in (0, 1)]
    numbers = np.array([run.now, held.slot_kind, *free])
    parts = [numbers, schedule.slot >= 0, np.where(runs, schedule.end, -1.0), schedule.finish]
    parts.append(np.where(runs, schedule.start, -1.0))
    if not (schedule.cluster.has_plain_slots and schedule.cluster.overheads is None):
        parts.append(schedule.slot)
    return tuple(part.tobytes() for part in parts)

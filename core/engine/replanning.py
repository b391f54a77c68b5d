"""Runs whose policy plans anew as they go: at arrivals, at ends of map stages, and when it asks to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from core.engine.fields import field, set_field
from core.engine.loop import PAUSED, REACHED, REPLAN, STALLED
from core.engine.state import INF, State
from core.model.job import MAP

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PLANS_PER_SLICE = 50
"""Between two looks at progress and cancel."""


class Replanner(Protocol):
    """What a policy's `replanner` hook returns; one per run."""

    def replan(self, run: Records) -> float:
        """Look at the run, write what hooks read; return when to be asked again at the latest."""

    def copy(self) -> Replanner:
        """Return a copy that goes on by itself."""


@runtime_checkable
class Driver(Protocol):
    """A replanner with a loop of its own around the engine, which can be compiled."""

    def advance(
        self, engine: Callable[..., int], choose: Any, until: float, instants: int, state: State
    ) -> int:
        """Advance as the engine's `core.engine.loop.advance` does, by calling it, with plans in between."""

    def copy(self) -> Driver:
        """Return a copy that goes on by itself."""


class Records:
    """A run's jobs and map tasks as a replanner reads and writes them, in columns or rows alike."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._columns = isinstance(state.job, np.ndarray)

    @property
    def now(self) -> float:
        """The simulated time in seconds."""
        cluster = self._state.cluster
        return float(cluster["now"] if self._columns else cluster.now)

    def maps(self, job: int, name: str) -> int:
        """Return a count of a job's maps: "tasks", "started", "running" or "done"."""
        record = self._state.job[job]
        return int((record[name] if self._columns else getattr(record, name))[MAP])

    def map_stage_has_ended(self, job: int) -> bool:
        """Whether all of a job's maps are complete."""
        record = self._state.job[job]
        return float(record["stage_end"] if self._columns else record.stage_end) < INF

    def remember(self, job: int, *values: float) -> None:
        """Write the first numbers of a job's memory."""
        record = self._state.job[job]
        (record["memo"] if self._columns else record.memo)[: len(values)] = values

    def note_plan(self) -> None:
        """Count the plans in the cluster's memory, so that a `watch` can tell that there is a new one."""
        cluster = self._state.cluster
        (cluster["memo"] if self._columns else cluster.memo)[0] += 1

    def let_run(self, job: int, count: int) -> None:
        """Let a job that waits run fewer maps than it has, at least one; its reduces wait for all of them.

        With slowstart 0 they wait for none, and may have started before it boards.
        """
        state, fewer = self._state, self.maps(job, "tasks") - count
        if self._columns:
            state.job[job]["tasks"][MAP] = count
        else:
            state.job[job].tasks[MAP] = count
        if field(state.job[job], "reduce_after") > 0:
            set_field(state.job[job], "reduce_after", count)
        pool = int(self._state.job[job]["pool"] if self._columns else state.job[job].pool)
        for record in (state.cluster, state.pool[pool]):
            (record["pending"] if self._columns else record.pending)[MAP] -= fewer

    def set_map_seconds(self, job: int, seconds: float | Sequence[float]) -> None:
        """Change the duration of the maps that have not started: of all, or of each in turn."""
        begin = self._first_map(job) + self.maps(job, "started")
        end = self._first_map(job) + self.maps(job, "tasks")
        if self._columns:
            self._state.duration.base[begin:end] = seconds
        else:
            each = [seconds] * (end - begin) if isinstance(seconds, float) else list(seconds)
            self._state.duration[begin:end] = each

    def map_ends(self, job: int, number: int) -> float:
        """Return when a map that has started ends, in seconds; `number` counts the job's maps from 0."""
        return float(self._state.end[self._first_map(job) + number])

    def _first_map(self, job: int) -> int:
        record = self._state.job[job]
        return int((record["first"] if self._columns else record.first)[MAP])


class Replanning:
    """The engine's `advance`, with new plans in between."""

    def __init__(
        self, advance: Callable[..., int], planner: Replanner | Driver, next_plan: float = INF
    ) -> None:
        self._advance = advance
        self.planner = planner
        self._next_plan = next_plan

    def copy(self) -> Replanning:
        """Return a copy for a run that goes on by itself."""
        return Replanning(self._advance, self.planner.copy(), self._next_plan)

    def _advance_to_plan(self, choose: Any, until: float, instants: int, state: State) -> int:
        """Advance to a time, or to that of the next plan: what happens then comes before the slots' offer."""
        if self._next_plan > until:
            return int(self._advance(choose, until, instants, state))
        status = int(self._advance(choose, float(np.nextafter(self._next_plan, -INF)), instants, state))
        if status != REACHED:
            return status
        _set_due(state, 1)
        status = int(self._advance(choose, self._next_plan, instants, state))
        _set_due(state, 0)
        return status

    def __call__(self, choose: Any, until: float, instants: int, state: State) -> int:
        """Advance as `core.engine.loop.advance` does."""
        if isinstance(self.planner, Driver):
            return self.planner.advance(self._advance, choose, until, instants, state)
        for _ in range(PLANS_PER_SLICE):
            status = self._advance_to_plan(choose, until, instants, state)
            is_time = status in (REACHED, STALLED) and self._next_plan <= until and self._next_plan < INF
            if status == STALLED and until < self._next_plan < INF:
                _wait_until(state, until)
                return REACHED
            if not is_time and status != REPLAN:
                return status
            if is_time:
                _wait_until(state, self._next_plan)
            self._next_plan = self.planner.replan(Records(state))
        return PAUSED


def begin_replanning(state: State) -> State:
    """Return a fresh state, as columns, whose run is to be planned anew as it goes."""
    state.cluster["replans"] = 1
    return own_durations(state)


def own_durations(state: State) -> State:
    """Give a state durations that can be changed without changing those of the workload or of another run."""
    if not isinstance(state.duration, np.ndarray):
        return state._replace(duration=list(state.duration))
    own = state.duration.copy().view()
    own.flags.writeable = False  # as the workload's: the compiled engine has one type for both
    return state._replace(duration=own)


def _set_due(state: State, due: int) -> None:
    """Have the engine stop after the next instant for a new plan, or not."""
    if isinstance(state.cluster, np.void):
        state.cluster["due"] = due
    else:
        state.cluster.due = due


def _wait_until(state: State, time: float) -> None:
    """Let time pass in which nothing happens; the free slots are offered again."""
    if isinstance(state.cluster, np.void):
        state.cluster["now"], state.cluster["offered"] = time, 0
    else:
        state.cluster.now, state.cluster.offered = time, 0

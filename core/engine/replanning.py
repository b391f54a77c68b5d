"""Runs whose policy plans anew as they go: at arrivals, at ends of map stages, and when it wants to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from core.engine.loop import INF, PAUSED, REACHED, REPLAN, STALLED
from core.engine.stage_steps import run_fewer_tasks
from core.engine.state import State, records_of
from core.model.task_types import MAP

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PLANS_PER_SLICE = 50
"""Between two looks at progress and cancel."""


class Replanner(Protocol):
    """What a policy's `replanner` hook returns; one per run."""

    def replan(self, run: Records) -> float:
        """Look at the run, write what hooks read; return the latest time of the next call."""

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
        self._state = records_of(state)

    @property
    def now(self) -> float:
        """The simulated time in seconds."""
        return float(self._state.cluster.now)

    def maps(self, job: int, name: str) -> int:
        """Return a count of a job's maps: "tasks", "started", "running" or "done"."""
        return int(getattr(self._state.job[job], name)[MAP])

    def map_stage_has_ended(self, job: int) -> bool:
        """Whether all of a job's maps are complete."""
        return float(self._state.job[job].stage_end) < INF

    def remember(self, job: int, *values: float) -> None:
        """Write the first numbers of a job's memory."""
        self._state.job[job].memo[: len(values)] = values

    def note_plan(self) -> None:
        """Count the plans in the cluster's memory, so that a `watch` can notice a new one."""
        self._state.cluster.memo[0] += 1

    def let_run(self, job: int, count: int) -> None:
        """Let a job that waits run fewer maps than it has, at least one; its reduces wait for all of them.

        With slowstart 0 they wait for none, and may have started before the job can be served.
        """
        run_fewer_tasks(self._state, self._state.job[job].first_stage, count)

    def set_map_seconds(self, job: int, seconds: float | Sequence[float]) -> None:
        """Change the duration of the maps that have not started: of all, or of each in turn."""
        begin = self._first_map(job) + self.maps(job, "started")
        end = self._first_map(job) + self.maps(job, "tasks")
        each = [seconds] * (end - begin) if isinstance(seconds, float) else list(seconds)
        changeable_durations(self._state)[begin:end] = each

    def map_seconds(self, job: int) -> float:
        """Return how long the first of a job's maps takes, in seconds."""
        return float(self._state.duration[self._first_map(job)])

    def map_ends(self, job: int, number: int) -> float:
        """Return when a map that has started ends, in seconds; `number` counts the job's maps from 0."""
        return float(self._state.end[self._first_map(job) + number])

    def _first_map(self, job: int) -> int:
        return int(self._state.job[job].first[MAP])


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

    def __call__(self, choose: Any, until: float, instants: int, state: State) -> int:
        """Advance as `core.engine.loop.advance` does."""
        if isinstance(self.planner, Driver):
            return self.planner.advance(self._advance, choose, until, instants, state)

        def engine(choose: Any, until: float, instants: int, _records: State) -> int:
            return int(self._advance(choose, until, instants, state))

        records = records_of(state)
        for _ in range(PLANS_PER_SLICE):
            status = advance_to_plan(engine, choose, until, self._next_plan, instants, records)
            if status != REPLAN:
                return status
            self._next_plan = self.planner.replan(Records(state))
        return PAUSED


def advance_to_plan(
    advance: Any, choose: Any, until: float, next_plan: float, instants: int, s: State
) -> int:
    """Advance to a time or to the next plan, where that is earlier; REPLAN where one is to be made now.

    What happens at the time of a plan comes before the plan, and the plan before slots are offered. Plain,
    as the steps of `core.engine.loop` are: it is compiled with the loops that make plans.

    Parameters
    ----------
    advance, choose, until, instants : the engine, and what it is called with
    next_plan : when there is a plan even if nothing happens, in seconds; infinity for none
    s : the state that the engine advances, with its records' fields as attributes
    """
    before = until if next_plan > until else float(np.nextafter(next_plan, -INF))
    status = advance(choose, before, instants, s)
    if next_plan <= until and status == REACHED:
        s.cluster.due = 1
        status = advance(choose, next_plan, instants, s)
        s.cluster.due = 0
    if next_plan == INF or status not in (REACHED, STALLED):
        return int(status)
    if next_plan <= until:
        wait_until(s, next_plan)
        return REPLAN
    if status == STALLED:
        wait_until(s, until)
    return REACHED


def wait_until(s: State, time: float) -> None:
    """Let time pass in which nothing happens; the free slots are offered again."""
    s.cluster.now = time
    s.cluster.offered = 0


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


def changeable_durations(state: State) -> Any:
    """Return the durations of a state that has its own, to be written, as an array or a list."""
    return state.duration.base if isinstance(state.duration, np.ndarray) else state.duration

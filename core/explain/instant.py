"""The state at an instant: what every slot runs, which jobs wait, how much each has."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.explain.start_cause import NO_TASK, may_start, opened_by
from core.model.event_nodes import down_spans
from core.model.lost_attempts import eras_of
from core.model.task_types import TASK_TYPES
from core.policies.user_files.apart import where_policies_live

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.simulation.simulate import Simulation

    Slots = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class JobTasks:
    """A job, by its index, and how many of its tasks."""

    job: int
    tasks: int


Queues = tuple[tuple[JobTasks, ...], tuple[JobTasks, ...]]


@dataclass(frozen=True, eq=False)
class Instant:
    """What is the case at a time; arrays are read-only, pairs are by type of task or slot.

    Attributes
    ----------
    time : seconds
    decision : number of tasks started so far: the next one to start is the decision with this number
    free : the free slots by type, lowest first; containers all stand in the first tuple
    queues : the jobs with a task that could start, how many tasks have not, by type, in the queue's order
    slot_task : the task that each slot runs, NO_TASK (-1) for a free one, int32 (slots,)
    running : running tasks of each stage of the workload, int32 (stages,)
    done : ended tasks of each, int32 (stages,)
    fillers : running tasks whose stage waits for one that has not ended, int32 (n,)
    """

    time: float
    decision: int
    free: Slots
    queues: Queues
    slot_task: NDArray[np.int32]
    running: NDArray[np.int32]
    done: NDArray[np.int32]
    fillers: NDArray[np.int32]


def instant_at(schedule: Schedule, time: float) -> Instant:
    """Return the state at a time, after everything of that time has happened and slots were handed out.

    Parameters
    ----------
    schedule : complete or partial
    time : seconds; before 0 nothing has happened yet
    """
    schedule = eras_of(schedule).at(time)
    workload, started = schedule.workload, schedule.slot >= 0
    started[started] = schedule.start[started] <= time
    ended = started & (schedule.end <= time)
    tasks = np.flatnonzero(started & ~ended).astype(np.int32)
    slot_task = np.full(schedule.cluster.slots, NO_TASK, np.int32)
    slot_task[schedule.slot[tasks]] = tasks
    running, done = _per_stage(workload, tasks), _per_stage(workload, np.flatnonzero(ended))
    free = _free(schedule, slot_task, time)
    queues = _queues(schedule, time, workload.columns.stages.count - running - done, done)
    stands = time, int(np.count_nonzero(started)), free, queues
    return _instant(workload, stands, slot_task, running, done)


@where_policies_live
def instant_of(run: Simulation) -> Instant:
    """Return the state of a run where it stands, also between two starts of one time."""
    moment = run.moment()
    maps, reduces = (
        tuple(
            JobTasks(j, moment.jobs[j].tasks[kind] - moment.jobs[j].started[kind])
            for j in moment.queues[kind]
        )
        for kind in TASK_TYPES
    )
    done = np.array([stage.done for stage in moment.stages], np.int32)
    running = np.array([stage.started for stage in moment.stages], np.int32) - done
    free_maps, free_reduces = moment.free
    stands = run.now, run.started, (free_maps, free_reduces), (maps, reduces)
    return _instant(run.workload, stands, moment.running, running, done)


def _instant(
    workload: Workload,
    stands: tuple[float, int, Slots, Queues],
    slot_task: NDArray[np.int32],
    running: NDArray[np.int32],
    done: NDArray[np.int32],
) -> Instant:
    """Return an instant with its fillers; `stands` are its first four fields."""
    columns, tasks = workload.columns, np.sort(slot_task[slot_task != NO_TASK])
    stages = columns.stages
    waits = np.zeros(len(done), bool)  # for a stage with tasks to come
    waits[stages.child[(done < stages.count)[stages.parent]]] = True
    fillers = tasks[waits[columns.stage[tasks]]]
    for array in (slot_task, running, done, fillers):
        array.flags.writeable = False
    return Instant(*stands, slot_task, running, done, fillers)


def _per_stage(workload: Workload, tasks: NDArray[np.integer]) -> NDArray[np.int32]:
    """Count tasks of each stage, (stages,)."""
    columns = workload.columns
    return np.bincount(columns.stage[tasks], minlength=len(columns.stages.count)).astype(np.int32)


def _free(schedule: Schedule, slot_task: NDArray[np.int32], time: float) -> Slots:
    opens, closes = schedule.cluster.slot_intervals
    there = (opens <= max(time, 0.0)) & (time < closes)
    gone = down_spans(schedule.cluster)
    there[gone.slot[(gone.begin <= time) & (time < gone.end)]] = False
    free = np.flatnonzero((slot_task == NO_TASK) & there)
    types = schedule.cluster.slot_types(free)
    maps, reduces = (tuple(free[types == task_type].tolist()) for task_type in TASK_TYPES)
    return maps, reduces


def _queues(schedule: Schedule, time: float, pending: NDArray[np.int32], done: NDArray[np.int32]) -> Queues:
    """List the jobs that have arrived and have a task that slowstart lets start, by rank."""
    stages = schedule.workload.columns.stages
    waiting = (pending > 0) & (schedule.arrival <= time)[stages.job]
    for stage in np.flatnonzero(waiting & stages.has_parents).tolist():
        waiting[stage] = may_start(schedule, stage, done) or opened_by(schedule, stage, time)
    found = np.flatnonzero(waiting)
    by_rank = found[np.argsort(schedule.rank[stages.job[found]], kind="stable")]
    maps, reduces = (
        tuple(JobTasks(int(stages.job[s]), int(pending[s])) for s in by_rank if stages.task_type[s] == kind)
        for kind in TASK_TYPES
    )
    return maps, reduces


class DecisionPlace(NamedTuple):
    """A decision by when it was taken.

    Attributes
    ----------
    seconds : the time
    number : its place among the decisions of that time, from 0
    """

    seconds: float
    number: int


def event_beside(schedule: Schedule, seconds: float, step: int) -> float | None:
    """Return the first time after another one at which a job arrives, a task starts or a task ends.

    With a step of -1 it is the last time before. None where there is none. One pass over the columns: 5 ms
    for a million tasks.
    """
    beside = np.concatenate([column[step * column > step * seconds] for column in _columns(schedule)])
    return step * float((step * beside).min()) if len(beside) else None


def _columns(schedule: Schedule) -> Iterator[NDArray[np.float64]]:
    yield schedule.arrival
    yield schedule.start
    yield schedule.end


def event_near(schedule: Schedule, seconds: float) -> float | None:
    """Return the time nearest to another one at which a job arrives, a task starts or a task ends.

    None where there is none. One pass over the columns, as `event_beside`.
    """
    nearest = [column[np.abs(column - seconds).argmin()] for column in _columns(schedule) if len(column)]
    return min(map(float, nearest), key=lambda time: abs(time - seconds), default=None)


def decisions_at(schedule: Schedule, seconds: float) -> int:
    """Return how many tasks start at a time: each start is one decision."""
    first, last = _started(schedule, seconds)
    return last - first


def place_of_start(schedule: Schedule, start: int) -> DecisionPlace:
    """Return when the start with this place in `Schedule.sequence` is decided."""
    seconds = float(schedule.start[schedule.sequence[start]])
    return DecisionPlace(seconds, start - _started(schedule, seconds)[0])


def decision_beside(
    schedule: Schedule, seconds: float, number: int = 0, step: int = 1
) -> DecisionPlace | None:
    """Return the decision after number `number` (from 0) of a time, or, with a step of -1, the one before.

    None where there is none.
    """
    first, last = _started(schedule, seconds)
    beside = first + min(number, last - first - (step > 0)) + step
    return place_of_start(schedule, beside) if 0 <= beside < len(schedule.sequence) else None


def _started(schedule: Schedule, seconds: float) -> tuple[int, int]:
    """Return the range of places in the sequence of starts that have this time."""
    sequence, start = schedule.sequence, schedule.start
    places = range(len(sequence))

    def started(place: int) -> float:
        return float(start[sequence[place]])

    return bisect_left(places, seconds, key=started), bisect_right(places, seconds, key=started)

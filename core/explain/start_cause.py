"""What let a task start when it did: the one link from a task back to what it waited for.

A task is *ready* when its job has arrived and, if its stage waits for others, when slowstart lets it start.
It starts then if a slot is free; else when one is freed; or later still if the policy declines. All of that
can be read from the finished schedule.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.model.event_nodes import down_spans
from core.model.execution_history import ENDED, FIRST
from core.model.lost_attempts import eras_of
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.model.schedule import Schedule


NO_TASK = -1
"""Stands for no task."""


class StartCause(Enum):
    """What happened at the instant at which a task started, so that it could."""

    ARRIVAL = "arrival"
    """Its job arrived, and a slot was free."""
    MAP_STAGE = "map stage"
    """The last map of its job ended (slowstart 1), and a slot was free."""
    SLOWSTART = "slowstart"
    """Enough maps of its job were complete, and a slot was free."""
    SLOT_FREED = "slot freed"
    """It was ready and waited; the task before it on its slot, or one on its node, ended."""
    OPENED = "slot opened"
    """It was ready and waited; its slot, one of those that come and go, opened, or its node returned."""
    LOST = "node failed"
    """It had run before; the node failed on which that was, it has to run again, and a slot was free."""
    GIVEN_UP = "slot given up"
    """It was ready and no slot was free; the policy gave a running task up for it."""
    COPY = "second copy"
    """It ran already; the policy let a second copy of it run, which ended first."""
    OWN_TASK = "own task ended"
    """It was ready and its slot free; a task of its own job and kind ended, and made room in its quota."""
    POLICY = "policy"
    """It was ready and its slot free; the policy kept it waiting until then."""


NOTHING = StartCause.POLICY, NO_TASK
"""Cause and trigger where nothing happened at the start."""


@dataclass(frozen=True, slots=True)
class TaskStart:
    """Why a task started when it did.

    Attributes
    ----------
    task : the task's index
    time : when it started, seconds
    ready : when it could have started had there been a free slot and a willing policy
    ready_by : the task of a stage before it whose end made it ready, or NO_TASK if that was its job's arrival
    freed : when the task before it left its slot; where there was none when the slot opened, minus infinity
        for a slot that is there from the beginning
    holder : the task before it on its slot, or NO_TASK
    cause : what happened at `time`
    trigger : the task whose end that was, or NO_TASK
    lost : when what it had done before was lost with its node, so that it was ready again; minus infinity for
        a task that runs for the first time
    """

    task: int
    time: float
    ready: float
    ready_by: int
    freed: float
    holder: int
    cause: StartCause
    trigger: int
    lost: float = float("-inf")

    @property
    def waited(self) -> float:
        """Seconds between being ready and starting."""
        return self.time - self.ready


def check_simulated(schedule: Schedule) -> None:
    """Raise InputError for a schedule that a log recorded: no policy of ours can explain it."""
    if schedule.record is not None:
        raise InputError(
            f"this is a record of what really ran in {schedule.workload.name}, and the log does not say why; "
            "only simulated schedules can be explained: look at another scenario, or choose a policy"
        )


def stage_ready(schedule: Schedule, stage: int) -> tuple[float, int]:
    """Return when slowstart let a stage's tasks start and the task of a parent whose end that was.

    The time is infinity while too few have ended, and the arrival with NO_TASK where none is needed.

    Parameters
    ----------
    schedule : complete or partial
    stage : its number in the whole workload
    """
    stages = schedule.workload.columns.stages
    time, ready_by = float(schedule.arrival[stages.job[stage]]), NO_TASK
    for parent, needed in _needed(schedule, stage):
        if needed == 0:
            continue
        if schedule.given_up is not None and schedule.cluster.events is not None:
            ended, by = _first_with(schedule, parent, needed)
            if by == NO_TASK:
                return float("inf"), NO_TASK
            if ready_by == NO_TASK or ended > time:
                time, ready_by = ended, by
            continue
        first, count = stages.first[parent], stages.count[parent]
        ended = float(np.partition(schedule.end[first : first + count], needed - 1)[needed - 1])
        if np.isnan(ended):
            return float("inf"), NO_TASK
        if ready_by == NO_TASK or ended > time:
            time, ready_by = ended, earliest_ending_at(schedule, parent, ended)
    return time, ready_by


def _first_with(schedule: Schedule, stage: int, needed: int) -> tuple[float, int]:
    """Return when so many tasks of a stage had ended at once for the first time, and the last of them.

    What ended and was lost later counts until then. Infinity and NO_TASK where there were never so many.
    """
    stages, history = schedule.workload.columns.stages, schedule.given_up
    assert history is not None
    lost = history.given_up
    assert lost is not None
    own = np.arange(stages.first[stage], stages.first[stage] + stages.count[stage])
    own = own[schedule.end[own] < np.inf]  # not nan
    gone = np.flatnonzero((lost.lost == ENDED) & np.isin(lost.task, own))
    task = np.concatenate([own, lost.task[gone], lost.task[gone]])
    time = np.concatenate([schedule.end[own], history.run.end[gone], eras_of(schedule).lost_at[gone]])
    change = np.repeat([1, 1, -1], [len(own), len(gone), len(gone)])
    order = np.lexsort((-change, time))  # at one instant tasks end first
    enough = np.flatnonzero(np.cumsum(change[order]) >= needed)
    if not len(enough):
        return float("inf"), NO_TASK
    return float(time[order[enough[0]]]), int(task[order[enough[0]]])


def ready_times(schedule: Schedule) -> NDArray[np.float64]:
    """Return when the tasks of each stage could start at the earliest, (stages,)."""
    stages = schedule.workload.columns.stages
    ready, slowstart = schedule.arrival[stages.job], schedule.cluster.slowstart
    is_plain = schedule.workload.is_map_reduce and schedule.reduce_after is None
    is_plain &= schedule.cluster.events is None
    if is_plain and slowstart in (0, 1):
        if slowstart == 1:
            ready[stages.child] = schedule.stage_end[stages.job[stages.child]]
        return ready
    for stage in np.flatnonzero(stages.has_parents & (stages.count > 0)).tolist():
        ready[stage] = stage_ready(schedule, stage)[0]
    return ready


def tasks_needed(schedule: Schedule, stage: int) -> int:
    """Return how many tasks of the stages that a stage waits for must be complete before its own may start.

    Parameters
    ----------
    schedule : complete or partial
    stage : its number in the whole workload
    """
    return sum(needed for _, needed in _needed(schedule, stage))


def may_start(schedule: Schedule, stage: int, done: NDArray[np.integer]) -> bool:
    """Return whether slowstart lets a stage's tasks start once so many of every stage are done, (stages,)."""
    return all(done[parent] >= needed for parent, needed in _needed(schedule, stage))


def opened_by(schedule: Schedule, stage: int, time: float) -> bool:
    """Return whether a stage's tasks may start at a time though tasks that it waits for are lost since."""
    is_lossy = schedule.cluster.events is not None and schedule.given_up is not None
    return is_lossy and stage_ready(schedule, stage)[0] <= time


def _needed(schedule: Schedule, stage: int) -> Iterator[tuple[int, int]]:
    """Yield the stages that a stage waits for, with how many tasks of each must be complete."""
    stages, after = schedule.workload.columns.stages, schedule.reduce_after
    edges, job = stages.edges_of(stage), int(stages.job[stage])
    is_planned = after is not None and stages.begin[job + 1] - stages.begin[job] == len(TASK_TYPES)
    for parent, own in zip(stages.parent[edges].tolist(), stages.slowstart[edges].tolist(), strict=True):
        if after is not None and is_planned:
            yield parent, int(after[job])
            continue
        slowstart = schedule.cluster.slowstart if np.isnan(own) else own
        # NOTE: as the engine rounds it; the small term keeps 0.05 * 20 from needing two tasks.
        yield parent, int(np.ceil(slowstart * int(stages.count[parent]) - 1e-9))


def earliest_ending_at(schedule: Schedule, stage: int, time: float) -> int:
    """Return the task of a stage that ended at exactly this time, the first started; or NO_TASK."""
    stages = schedule.workload.columns.stages
    first, count = int(stages.first[stage]), int(stages.count[stage])
    tasks = schedule.by_stage[first : first + count]
    found = tasks[schedule.end[tasks] == time]
    return int(found[0]) if len(found) else NO_TASK


def start_of(schedule: Schedule, task: int) -> TaskStart:
    """Find out why a task started when it did.

    Parameters
    ----------
    schedule : complete, or partial as long as the task has started
    task : index into the workload's columns

    Raises
    ------
    InputError
        a log recorded the schedule: what its tasks waited for is not known
    ValueError
        the task has not started
    """
    check_simulated(schedule)
    if schedule.slot[task] < 0:
        raise ValueError(f"task {task} has not started")
    columns = schedule.workload.columns
    time = float(schedule.start[task])
    schedule = eras_of(schedule).at(time)
    ready, ready_by = stage_ready(schedule, int(columns.stage[task]))
    if ready > time:  # another policy let it start, before a fork
        ready, ready_by = float(schedule.arrival[columns.job[task]]), NO_TASK
    holder = int(schedule.previous_on_slot[task])
    opens = float(schedule.cluster.slot_intervals[0][schedule.slot[task]]) or float("-inf")
    freed = float(schedule.end[holder]) if holder != NO_TASK else opens
    freed = max(freed, copies_until(schedule, int(schedule.slot[task]), time))
    if schedule.cluster.events is not None:
        return _where_nodes_fail(schedule, TaskStart(task, time, ready, ready_by, freed, holder, *NOTHING))
    cause, trigger = _cause(schedule, task, ready, ready_by, holder, freed)
    return TaskStart(task, time, ready, ready_by, freed, holder, cause, trigger)


def _where_nodes_fail(schedule: Schedule, start: TaskStart) -> TaskStart:
    """Return a start with its cause where what its task did before may be lost, and its node have failed."""
    task, time, history = start.task, start.time, schedule.given_up
    back = returned_before(schedule, int(schedule.slot[task]), time)
    lost = float("-inf")
    if history is not None:
        lost = float(eras_of(schedule).lost_at[history.parts_of(task)].max(initial=lost))
        mine = history.run.end[history.extras_of(int(schedule.slot[task]))]
        back = max(back, float(mine[mine <= time].max(initial=-np.inf)))
    start = replace(start, freed=max(start.freed, back), lost=lost)
    if lost >= start.ready:
        start = replace(start, ready=lost, ready_by=NO_TASK)
        if lost == time:
            return replace(start, cause=StartCause.LOST)
    if start.ready < time == returned_before(schedule, int(schedule.slot[task]), time):
        return replace(start, cause=StartCause.OPENED)
    cause, trigger = _cause(schedule, task, start.ready, start.ready_by, start.holder, start.freed)
    return replace(start, cause=cause, trigger=trigger)


def returned_before(schedule: Schedule, slot: int, time: float) -> float:
    """Return when the node of a slot had returned last at a time; minus infinity where it never did."""
    away = down_spans(schedule.cluster)
    ends = away.end[(away.slot == slot) & (away.end <= time)]
    return float(ends.max(initial=-np.inf))


def copies_until(schedule: Schedule, slot: int, time: float) -> float:
    """Return when the last copy that came to nothing left a slot; minus infinity for none so far."""
    history = schedule.given_up
    if history is None or not schedule.has_copies:
        return float("-inf")
    ends = history.run.end[history.extras_of(slot)]
    return float(ends[ends <= time].max(initial=-np.inf))


def first_copy(schedule: Schedule, task: int) -> int:
    """Return which part of `Schedule.given_up` is the first copy of a task whose second one ended first.

    -1 where it had none, or where the first one ended first.
    """
    history = schedule.given_up
    if history is None or history.given_up is None or not schedule.has_copies:
        return -1
    found = np.flatnonzero((history.given_up.task == task) & (history.given_up.outrun == FIRST))
    return int(found[0]) if len(found) else -1


def given_up_for(schedule: Schedule, task: int) -> int:
    """Return which part of `Schedule.given_up` was given up when a task started on its slot; -1 for none.

    That may be the copy of a task of which another copy ended then.
    """
    if schedule.given_up is None:
        return -1
    return schedule.given_up.given_up_at(int(schedule.slot[task]), float(schedule.start[task]))


def _made_room(schedule: Schedule, task: int) -> int:
    """Return the task that ended on a task's node just when that started, the first started; or NO_TASK."""
    rows, node = schedule.cluster.node_rows, schedule.cluster.node_of(int(schedule.slot[task]))
    slot, time = schedule.slot, schedule.start[task]
    found = np.flatnonzero((schedule.end == time) & (slot >= rows[node]) & (slot < rows[node + 1]))
    found = found[schedule.start[found] < time]
    return int(found[np.argmin(schedule.start[found])]) if len(found) else NO_TASK


def _cause(
    schedule: Schedule, task: int, ready: float, ready_by: int, holder: int, freed: float
) -> tuple[StartCause, int]:
    """Decide which of the things that happened at the start was the last one missing."""
    columns, time = schedule.workload.columns, schedule.start[task]
    stages, stage = columns.stages, int(columns.stage[task])
    if first_copy(schedule, task) >= 0:
        return StartCause.COPY, NO_TASK
    if ready == time:
        if ready_by == NO_TASK:
            return StartCause.ARRIVAL, NO_TASK
        whole_stage = tasks_needed(schedule, stage) == stages.count[stages.parents_of(stage)].sum()
        return (StartCause.MAP_STAGE if whole_stage else StartCause.SLOWSTART), ready_by
    if schedule.cluster.has_nodes:
        ended = _made_room(schedule, task)
        if ended != NO_TASK:
            return StartCause.SLOT_FREED, ended
    if schedule.cluster.events is None and (part := given_up_for(schedule, task)) >= 0:
        assert schedule.given_up is not None
        lost = schedule.given_up.given_up
        assert lost is not None
        is_copy = lost.outrun[part] != 0
        return (StartCause.SLOT_FREED, int(lost.task[part])) if is_copy else (StartCause.GIVEN_UP, NO_TASK)
    if freed == time:
        return (StartCause.OPENED if holder == NO_TASK else StartCause.SLOT_FREED), holder
    own = earliest_ending_at(schedule, stage, float(time))
    if own != NO_TASK and schedule.start[own] < time:
        return StartCause.OWN_TASK, own
    return StartCause.POLICY, NO_TASK


def same_task(schedule: Schedule, task: int, other: Schedule) -> int:
    """Return the index in `other` of what is task `task` in `schedule`, NO_TASK if it did not run there.

    Indices differ where scans are shared (one map then stands for several), and in a record of jobs that
    were edited since.
    """
    if schedule.record is not None or other.record is not None:
        return _of_same_name(schedule, task, other)
    return other.own_task(task if schedule.before_sharing is None else int(schedule.given_task[task]))


def _of_same_name(schedule: Schedule, task: int, other: Schedule) -> int:
    """Return the task of the same number in the job of the same name: a record has jobs of its own."""
    columns, there = schedule.workload.columns, other.workload.columns
    stage = int(columns.stage[task])
    number = task - int(columns.stages.first[stage])
    same = other.workload.job_index.get(schedule.workload.jobs[columns.job[task]].name)
    if same is None:
        return NO_TASK
    own = int(there.stages.begin[same] + columns.stages.number[stage])
    if own >= there.stages.begin[same + 1] or number >= there.stages.count[own]:
        return NO_TASK
    return int(there.stages.first[own]) + number

"""A schedule of a run whose policy gave running tasks up: its tasks by number, and what came to no end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.engine.given_up import noted_lines
from core.engine.state import State, records_of
from core.model.execution_history import ExecutionHistory, GivenUpFor
from core.model.kept_read_only import read_only
from core.model.recorded_run import RecordedRun
from core.model.task_types import OUTCOMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule

KILLED, SUSPENDED = OUTCOMES.index("killed"), OUTCOMES.index("suspended")


def with_given_up(schedule: Schedule, state: State) -> Schedule:
    """Return a schedule with its tasks as they lay before the run, and with what was given up.

    Parameters
    ----------
    schedule : its columns of tasks are those of `state`, as the tasks lie there
    state : of either form
    """
    given = state.given_up
    before = schedule.task_order  # of the tasks as they lay before the run
    lay = np.asarray(given.task, np.int64)
    number = lay if before is None else before[lay]
    back = np.argsort(number)
    schedule = replace(
        schedule,
        slot=read_only(schedule.slot[back]),
        start=read_only(schedule.start[back]),
        shuffled=read_only(schedule.shuffled[back]),
        end=read_only(schedule.end[back]),
    )
    began = np.asarray(given.began, np.int64)
    started = np.flatnonzero(np.asarray(state.slot) >= 0)
    started = started[np.argsort(began[started])]
    sequence = number[started].astype(np.int32)
    schedule = replace(schedule, sequence=read_only(sequence))
    lines = noted_lines(state)
    if not len(lines) and np.array_equal(lay, np.arange(len(lay))):
        return schedule
    schedule = replace(schedule, task_order=order_of_starts(schedule))
    if not len(lines):  # another policy went on with an order of its own
        return schedule
    return replace(
        schedule,
        given_up=_history(schedule, lines, before, read_only(began[started].astype(np.int32))),
    )


def order_of_starts(schedule: Schedule) -> NDArray[np.int32]:
    """Return the tasks stage by stage, in each those that have started, as they did, then the others."""
    place = np.full(schedule.tasks, schedule.tasks, np.int64)
    place[schedule.sequence] = np.arange(len(schedule.sequence))
    stage = schedule.workload.columns.stage
    return read_only(np.lexsort((np.arange(schedule.tasks), place, stage)).astype(np.int32))


def _history(
    schedule: Schedule, lines: NDArray[np.void], order: NDArray[np.int32] | None, began: NDArray[np.int32]
) -> ExecutionHistory:
    """Return the parts that came to no end as attempts of a log."""
    columns, workload = schedule.workload.columns, schedule.workload
    lines = lines[np.lexsort((lines["end"], lines["start"], lines["slot"]))]
    task = lines["task"] if order is None else order[lines["task"]]
    names = tuple(job.name for job in workload.jobs)
    nothing, none = np.zeros(0), np.zeros(len(lines), np.int32)
    run = RecordedRun(
        jobs=names,
        titles=names,
        hosts=(),
        submit=nothing,
        launch=nothing,
        finish=nothing,
        job=columns.job[task].astype(np.int32),
        kind=columns.kind[task].astype(np.int8),
        task=columns.number[task].astype(np.int32),
        counts=none.astype(np.bool_),
        outcome=np.where(lines["suspended"], SUSPENDED, KILLED).astype(np.int8),
        host=none - 1,
        start=lines["start"].copy(),
        shuffle_end=lines["shuffled"].copy(),
        sort_end=lines["shuffled"].copy(),
        end=lines["end"].copy(),
    )
    return ExecutionHistory(
        run=run,
        attempt=read_only(np.full(schedule.tasks, -1, np.int64)),
        slot_host=read_only(np.full(schedule.cluster.slots, -1, np.int32)),
        extra=read_only(np.arange(len(lines))),
        extra_slot=read_only(lines["slot"].astype(np.int32)),
        not_placed=0,
        is_by_host=False,
        given_up=GivenUpFor(
            read_only(task.astype(np.int64)),
            read_only(lines["rival"].astype(np.int32)),
            began,
            read_only(lines["outrun"].astype(np.int8)),
            read_only(lines["place"].astype(np.int32)),
            read_only(lines["lost"].astype(np.int8)),
        ),
    )


def starts_so_far(state: State) -> int:
    """Return how many tasks have started, also those that were given up since; of either form."""
    s = records_of(state)
    return int(s.given_up.now.starts if s.given_up else s.cluster.started)

"""What a record of a log shows up to a time: as a schedule of which the rest has not happened."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.model.job import Link
from core.model.time_text import clock_text
from core.simulation.other_times import COLUMNS, TaskTimes, workload_with

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.model.workload import Workload

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]


def record_of(schedule: Schedule, time: float) -> Schedule:
    """Return a record with all its tasks, those among them that run or have not begun where its log ends.

    Raises
    ------
    InputError
        the log ends before the time
    """
    found = schedule.record
    if found is None or found.run.under_way is None or found.whole is None:
        return schedule
    if time > found.run.under_way.now:
        now = clock_text(found.run.under_way.now)
        raise InputError(f"the log ends at {now}, so nothing is known of later times; choose one by then")
    return found.whole


def night_of(schedule: Schedule) -> Workload:
    """Return the jobs of a schedule, of a record those among them of which no task has ended."""
    whole = None if schedule.record is None else schedule.record.whole
    return schedule.given if whole is None else whole.workload


def record_until(record: Schedule, time: float) -> Schedule:
    """Return a record as it stands at a time: what starts or ends later has not done so.

    The tasks of each stage lie by when they started, those that have not started behind them. When the
    shuffle of a task that still runs ended no log says before the task has ended: it is taken to have lasted
    as long as that of the task in the middle of those that have ended, or to go on.

    Parameters
    ----------
    record : what really ran, by a log
    time : seconds

    Raises
    ------
    InputError
        no task has started by then
    """
    started = record.start <= time
    if not started.any():
        raise InputError("by then no task of the record has started; choose a later time")
    columns = record.workload.columns
    order = np.lexsort((np.where(started, record.start, np.inf), columns.stage))
    started = started[order]
    end = np.where(started & (record.end[order] <= time), record.end[order], np.nan)
    times = TaskTimes(*(getattr(columns, name)[order] for name in COLUMNS))
    shuffled, times = _shuffles(record, order, started, np.isnan(end), times, time)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    turn = place[record.sequence]
    start = np.where(started, record.start[order], np.nan)
    workload = _as_known(record, workload_with(record.workload, times), time)
    stage_end, finish = (np.where(each <= time, each, np.inf) for each in (record.stage_end, record.finish))
    return replace(
        record,
        workload=workload,
        slot=np.where(started, record.slot[order], -1).astype(np.int32),
        sequence=turn[started[turn]],
        start=start,
        shuffled=shuffled,
        end=end,
        stage_end=stage_end,
        finish=finish,
        record=None,
    )


def _shuffles(
    record: Schedule, order: NDArray[np.int64], started: Bools, is_open: Bools, times: TaskTimes, time: float
) -> tuple[Floats, TaskTimes]:
    """Return when each task's shuffle ended, nan where it has not, and the times of tasks to that effect."""
    columns = record.workload.columns
    stage = columns.stage
    waits = columns.stages.has_parents[stage]
    took = record.shuffled[order] - np.maximum(record.start, record.parents_end[stage])[order]
    took = np.maximum(took, 0.0)
    shuffled = np.where(started & ~is_open, record.shuffled[order], np.nan)
    shuffled[started & ~waits] = record.start[order][started & ~waits]
    first, typical = times.first_shuffle.copy(), times.typical_shuffle.copy()
    known = waits & started & ~is_open
    whole = float(np.median(took[known])) if known.any() else np.inf
    for task in np.flatnonzero(waits & started & is_open).tolist():
        like = known & (stage == stage[task])
        usual = float(np.median(took[like])) if like.any() else whole
        begins = max(float(record.start[order][task]), float(record.parents_end[stage[task]]))
        if begins + usual <= time:
            shuffled[task] = begins + usual
            first[task] = typical[task] = usual
    return shuffled, TaskTimes(times.duration, first, typical)


def _as_known(record: Schedule, workload: Workload, time: float) -> Workload:
    """Return the jobs as they have come; others come at their times, or after what they follow."""
    columns = record.workload.columns
    begins, last = record.arrival.copy(), record.arrival.copy()
    np.minimum.at(begins, columns.job, record.start)
    np.maximum.at(last, columns.job, record.end)
    followed = record.record.followed if record.record is not None else np.zeros(0, np.int64)
    jobs = []
    for number, job in enumerate(workload.jobs):
        before = int(followed[number]) if len(followed) else -1
        if begins[number] <= time:
            jobs.append(replace(job, arrival=float(begins[number]), after=()))
        elif before >= 0:
            think = max(float(record.arrival[number] - last[before]), 0.0)
            jobs.append(replace(job, arrival=0.0, after=(Link(workload.jobs[before].name, think),)))
        else:
            jobs.append(job)
    return replace(workload, jobs=tuple(jobs))

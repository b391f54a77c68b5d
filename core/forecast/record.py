"""What a record of a log shows up to a time: as a schedule of which the rest has not happened."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.forecast.known import KnownRun
from core.forecast.running_attempts import running_attempts
from core.model.errors import InputError
from core.model.job import Link
from core.model.time_text import clock_text
from core.simulation.other_times import COLUMNS, TaskTimes, workload_with

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.simulation.second_copies import SecondCopy

    Floats = NDArray[np.float64]


def record_of(schedule: Schedule, time: float) -> Schedule:
    """Return a record with all its tasks, those among them that run or have not begun where its log ends.

    Raises
    ------
    InputError
        the log ends before the time
    """
    found = schedule.record
    if found is None or found.run.under_way is None or schedule.as_if_whole is None:
        return schedule
    if time > found.run.under_way.now:
        now = clock_text(found.run.under_way.now)
        raise InputError(f"the log ends at {now}, so nothing is known of later times; choose one by then")
    cluster = replace(schedule.as_if_whole.cluster, killed_copies=schedule.cluster.killed_copies)
    return replace(schedule.as_if_whole, cluster=cluster)


def night_of(schedule: Schedule) -> Workload:
    """Return the jobs of a schedule, of a record those among them of which no task has ended."""
    return (schedule.as_if_whole or schedule).given


def record_until(record: Schedule, time: float) -> Schedule:
    """Return a record as it stands at a time, as `known_of_record` does."""
    return known_of_record(record, time).schedule


def known_of_record(record: Schedule, time: float) -> KnownRun:
    """Return what is known of a record at a time: what starts or ends later has not done so.

    The tasks of each stage lie by when they started, those that have not started behind them. A task whose
    attempt runs has started, whether or not that is the one that counts in the end; a second attempt that
    runs beside it is a second copy, but where its stage still waits for others. An attempt that runs although
    its task has ended holds its slot for as long as others are seen to have done. When the shuffle of what
    still runs ended no log says before the task has ended: it is taken to have lasted as long as that of the
    task in the middle of those that have ended, or to go on.

    Parameters
    ----------
    record : what really ran, by a log
    time : seconds

    Raises
    ------
    InputError
        no task has started by then
    """
    record, second, held = running_attempts(record, time)
    started = record.start <= time
    if not started.any():
        raise InputError("by then no task of the record has started; choose a later time")
    columns = record.workload.columns
    order = np.lexsort((np.where(started, record.start, np.inf), columns.stage))
    shuffles = _Shuffles(record, time)
    copies = [_copy(each, shuffles, order) for each in second if shuffles.has_begun(each.task)]
    started = started[order]
    end = np.where(started & (record.end[order] <= time), record.end[order], np.nan)
    times = TaskTimes(*(getattr(columns, name)[order] for name in COLUMNS))
    shuffled, times = shuffles.of_tasks(order, times)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    turn = place[record.sequence]
    start = np.where(started, record.start[order], np.nan)
    workload = _as_known(record, workload_with(record.workload, times), time)
    stage_end, finish = (np.where(each <= time, each, np.inf) for each in (record.stage_end, record.finish))
    partly = replace(
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
    return KnownRun(partly, time, tuple(copies) or None, order, held)


def _copy(attempt: SecondCopy, shuffles: _Shuffles, order: NDArray[np.int64]) -> SecondCopy:
    """Return a second attempt of which is known when its shuffle ended, by the place of its task."""
    place = int(np.flatnonzero(order == attempt.task)[0])
    return attempt._replace(task=place, shuffled=shuffles.ended(attempt.task, attempt.start))


class _Shuffles:
    """When shuffles of a record ended at a time, as far as that is known; tasks by their numbers."""

    def __init__(self, record: Schedule, time: float) -> None:
        columns = record.workload.columns
        self._record, self._time, self._stage = record, time, columns.stage
        self._waits = columns.stages.has_parents[columns.stage]
        self._released = record.parents_end[columns.stage]
        self._started, self._ended = record.start <= time, record.end <= time
        self._took = np.maximum(record.shuffled - np.maximum(record.start, self._released), 0.0)
        self._known = self._waits & self._started & self._ended
        self._whole = float(np.median(self._took[self._known])) if self._known.any() else np.inf

    def has_begun(self, task: int) -> bool:
        """Whether all that the stage of a task waits for has ended."""
        columns = self._record.workload.columns
        parents = columns.stages.parents_of(int(self._stage[task]))
        is_over = bool(self._ended[np.isin(self._stage, parents)].all())
        return is_over and bool(self._released[task] <= self._time)

    def ended(self, task: int, start: float) -> float:
        """Return when the shuffle of an attempt that runs, and began then, ended; infinity if it goes on."""
        if not self._waits[task]:
            return start
        like = self._known & (self._stage == self._stage[task])
        usual = float(np.median(self._took[like])) if like.any() else self._whole
        ended = max(start, float(self._released[task])) + usual
        return ended if ended <= self._time else np.inf

    def of_tasks(self, order: NDArray[np.int64], times: TaskTimes) -> tuple[Floats, TaskTimes]:
        """Return when each task's shuffle ended, nan where it has not, and the times of tasks to that effect.

        Parameters
        ----------
        order : which task lies at each place, (tasks,), of `times` and of what is returned
        """
        record = self._record
        shuffled = np.where(self._started & self._ended, record.shuffled, np.nan)
        at_once = self._started & ~self._waits
        shuffled[at_once] = record.start[at_once]
        shuffled, place = shuffled[order], np.argsort(order)
        first, typical = times.first_shuffle.copy(), times.typical_shuffle.copy()
        for task in np.flatnonzero(self._waits & self._started & ~self._ended).tolist():
            start = float(record.start[task])
            ended = self.ended(task, start)
            if ended < np.inf:
                at = place[task]
                shuffled[at] = ended
                first[at] = typical[at] = ended - max(start, float(self._released[task]))
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

"""A schedule's tasks sorted into the rows of a chart, ready to be painted and searched."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from core.explain.overlap_marks import overlap_marks
from core.workload import MAP, REDUCE
from explorer.gantt.raster_kernel import RowColumns
from explorer.gantt.row_layout import Pool, pools_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.schedule import Schedule


@dataclass(frozen=True)
class ScheduleRows:
    """The rows of one schedule, with what labels and lines need of it.

    Attributes
    ----------
    schedule : where it comes from
    pools : top to bottom
    columns : the tasks, row by row (all slots)
    task : index in the workload of each task in `columns`, int32 (tasks,)
    """

    schedule: Schedule
    pools: tuple[Pool, ...]
    columns: RowColumns
    task: NDArray[np.int32]

    def fits(self, other: ScheduleRows) -> bool:
        """Whether it has as many jobs as another, and so can be shown with it."""
        return len(self.schedule.workload.jobs) == len(other.schedule.workload.jobs)

    def is_alike(self, other: ScheduleRows) -> bool:
        """Whether it has the same kinds of rows as another: each can be shown below the other's."""
        return [pool.name for pool in self.pools] == [pool.name for pool in other.pools]

    @cached_property
    def lends(self) -> bool:
        """Whether some slots run the other kind of task."""
        return bool(self.schedule.is_borrowed.any())

    @cached_property
    def is_grouped(self) -> bool:
        """Whether its rows are those of a partition's pools."""
        return any(pool.group >= 0 for pool in self.pools)

    def place_of(self, task: int) -> int:
        """Return the place of a task of the workload in `columns`, -1 if it has not started."""
        slot = int(self.schedule.slot[task])
        if slot < 0:
            return -1
        low, high = int(self.columns.offsets[slot]), int(self.columns.offsets[slot + 1])
        return low + int(np.flatnonzero(self.task[low:high] == task)[0])

    @cached_property
    def pool_columns(self) -> tuple[RowColumns, ...]:
        """The rows of each pool; views, nothing is copied."""
        whole = self.columns
        return tuple(
            whole._replace(
                offsets=whole.offsets[pool.first_slot : pool.first_slot + pool.slots + 1],
                shortest=whole.shortest[pool.first_slot : pool.first_slot + pool.slots],
            )
            for pool in self.pools
        )

    @cached_property
    def job_end(self) -> NDArray[np.float64]:
        """When the last task of each job ends, (jobs,)."""
        return np.maximum.reduceat(self.schedule.end, self.schedule.workload.columns.first[:, MAP])

    @property
    def looks(self) -> tuple[str, ...]:
        """As what its attempts that are no tasks are drawn: of recorded runs only."""
        return () if self.schedule.record is None else self.schedule.record.looks

    @cached_property
    def extra_job(self) -> NDArray[np.int64]:
        """The job of each other attempt of a recorded run, -1 for one without tasks, (extras,)."""
        record = self.schedule.record
        if record is None:
            return np.zeros(0, np.int64)
        index = self.schedule.workload.job_index
        of_run = np.array([index.get(name, -1) for name in record.run.jobs], np.int64)
        jobs: NDArray[np.int64] = of_run[record.run.job[record.extra]]
        return jobs

    @cached_property
    def late_places(self) -> NDArray[np.int64]:
        """The places in `columns` of the tasks that end after their job's deadline."""
        deadline = self.schedule.workload.columns.deadline
        if not np.isfinite(deadline).any():
            return np.zeros(0, np.int64)
        return np.flatnonzero(self.columns.end > deadline[self.columns.code >> 1])

    @cached_property
    def is_marked(self) -> NDArray[np.bool_]:
        """Whether each task in `columns` was held back or pulled forward."""
        marks = overlap_marks(self.schedule)
        marked: NDArray[np.bool_] = (marks.is_held | marks.is_pulled)[self.task]
        return marked

    @cached_property
    def held_places(self) -> NDArray[np.int64]:
        """The places in `columns` of the reduces that a lazy start held back."""
        return np.flatnonzero(overlap_marks(self.schedule).is_held[self.task])

    @cached_property
    def pulled_places(self) -> NDArray[np.int64]:
        """The places in `columns` of the maps that a batch finish pulled forward."""
        return np.flatnonzero(overlap_marks(self.schedule).is_pulled[self.task])

    @cached_property
    def _waves(self) -> dict[tuple[int, int], NDArray[np.int32]]:
        return {}

    def waves(self, job: int, kind: int) -> NDArray[np.int32]:
        """Return the wave of each task of one job and kind, from 1; computed once."""
        if (job, kind) not in self._waves:
            self._waves[job, kind] = self.schedule.job_wave(job, kind)
        return self._waves[job, kind]

    def wave(self, task: int) -> int:
        """Return the wave of a task of the workload, from 1."""
        columns = self.schedule.workload.columns
        job, kind = int(columns.job[task]), int(columns.kind[task])
        return int(self.waves(job, kind)[task - columns.first[job, kind]])

    def wave_starts(self, job: int, kind: int) -> NDArray[np.float64]:
        """Return when the first task of each wave of a job starts, (waves,)."""
        columns = self.schedule.workload.columns
        first, count = columns.first[job, kind], columns.count[job, kind]
        if count == 0:
            return np.zeros(0)
        waves = self.waves(job, kind)
        starts = np.full(int(waves.max()), np.inf)
        np.minimum.at(starts, waves - 1, self.schedule.start[first : first + count])
        return starts


def schedule_rows(schedule: Schedule) -> ScheduleRows:
    """Sort the tasks of a schedule into rows."""
    order, tasks = schedule.by_slot, schedule.workload.columns
    task = order.tasks
    start, end = schedule.start[task], schedule.end[task]
    code = tasks.job << 1 | (tasks.kind == REDUCE)
    columns = RowColumns(
        order.offsets,
        _shortest(end - start, order.offsets),
        start,
        schedule.shuffled[task],
        end,
        code.astype(np.int32)[task],
        np.ascontiguousarray(schedule.stage_end, np.float64).view(),
    )
    for column in columns:
        column.flags.writeable = False
    return ScheduleRows(schedule, pools_of(schedule.cluster, schedule.partition), columns, task)


def _shortest(durations: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the shortest duration above zero of each row, infinity in rows without any."""
    positive = np.where(durations > 0, durations, np.inf)
    shortest: NDArray[Any] = np.full(len(offsets) - 1, np.inf)
    filled = np.flatnonzero(np.diff(offsets))
    if len(filled):
        shortest[filled] = np.minimum.reduceat(positive, offsets[filled])
    return shortest

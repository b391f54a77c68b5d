"""A schedule's rows as they are coloured: which tasks, and attempts that are no tasks, look alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.charts.row_columns import RowColumns, kept_with_rows, shortest_of_rows
from core.measures.job_classes import job_classes
from core.model.execution_history import LOOKS
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.charts.chart import DrawnChart
    from core.charts.fold import Fold
    from core.charts.schedule_rows import RowBand, ScheduleRows
    from core.measures.job_classes import JobClasses
    from core.model.execution_history import ExecutionHistory

MAX_STRIPED_ROWS = 64
"""Pools of more slots alternate their background every eight rows."""
PATTERN_ROW = 6.0
"""Rows at least this tall show attempts that are no tasks as patterns; lower ones as plain colours."""


def stripe_rows(pool: RowBand) -> int:
    """Return how many rows of a pool have one background before the other follows."""
    return 1 if pool.slots <= MAX_STRIPED_ROWS else 8


@kept_with_rows
def _own_classes(rows: ScheduleRows) -> JobClasses:
    return job_classes(rows.schedule.given)


def classes_of(chart: DrawnChart) -> JobClasses | None:
    """Return the classes of a chart's jobs, by default those of its own workload; None when empty."""
    if chart.classes is not None or chart.rows is None:
        return chart.classes
    return _own_classes(chart.rows)


@dataclass(frozen=True, eq=False)
class PaintedRows:
    """What is painted, by groups that have one colour each.

    A task is of the group of its owner and class: ``owner * classes + class``, where the owner is its job or,
    where some jobs are graphs, its stage, and where all tasks of a job are of one class there is just one.
    Behind these are the groups of attempts that are no tasks, for each of `LOOKS` the jobs and one for none.

    Attributes
    ----------
    rows : where they come from
    columns : the tasks, with their groups in place of the job (see `RowColumns.code`)
    owners, classes, jobs : how many there are
    """

    rows: ScheduleRows
    columns: RowColumns
    owners: int
    classes: int
    jobs: int

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return self.owners * self.classes + len(LOOKS) * (self.jobs + 1)

    def attempt_groups(self, look: NDArray[np.int64], job: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the groups of attempts by places in `LOOKS` and jobs, -1 for none."""
        return self.owners * self.classes + look * (self.jobs + 1) + np.where(job < 0, self.jobs, job)

    def groups_of(self, owners: NDArray[np.int64], jobs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return all groups of some jobs or stages, and of attempts of some jobs."""
        tasks = (owners[:, np.newaxis] * self.classes + np.arange(self.classes)).ravel()
        looks = np.repeat(np.arange(len(LOOKS)), len(jobs))
        return np.concatenate([tasks, self.attempt_groups(looks, np.tile(jobs, len(LOOKS)))])

    def groups_of_look(self, look: int) -> NDArray[np.int64]:
        """Return all groups of attempts that are drawn as one of `LOOKS`, by its place."""
        jobs = np.arange(-1, self.jobs)
        return self.attempt_groups(np.full(len(jobs), look), jobs)

    @cached_property
    def pools(self) -> tuple[RowColumns, ...]:
        """The tasks of each pool of rows; views, nothing is copied."""
        return self._by_pool(self.columns)

    @cached_property
    def pools_with_attempts(self) -> tuple[RowColumns, ...]:
        """The same with attempts that are no tasks among them."""
        record = self.rows.schedule.attempts
        if record is None or not len(record.extra):
            return self.pools
        return self._by_pool(self._with_attempts(record))

    def placed(self, fold: Fold, *, with_attempts: bool) -> tuple[RowColumns, ...]:
        """Return the rows of each pool with places on an axis instead of times; kept for the last fold.

        Attempts that are no tasks are among them or not.
        """
        pools = self.pools_with_attempts if with_attempts else self.pools
        if not fold.is_folded:
            return pools
        known = self._placed.get(with_attempts)
        if known is None or known[0] != fold:
            known = self._placed[with_attempts] = fold, tuple(_placed(pool, fold) for pool in pools)
        return known[1]

    @cached_property
    def _placed(self) -> dict[bool, tuple[Fold, tuple[RowColumns, ...]]]:
        return {}

    def _by_pool(self, whole: RowColumns) -> tuple[RowColumns, ...]:
        return tuple(
            whole._replace(
                offsets=whole.offsets[pool.first_slot : pool.first_slot + pool.slots + 1],
                shortest=whole.shortest[pool.first_slot : pool.first_slot + pool.slots],
            )
            for pool in self.rows.pools
        )

    def _with_attempts(self, record: ExecutionHistory) -> RowColumns:
        own, count = self.columns, len(self.columns.offsets) - 1
        start, end = record.extra_times
        look = np.array([LOOKS.index(look) for look in record.looks], np.int64)
        kinds = np.full(count, TASK_TYPES[0])
        for pool in self.rows.pools:  # else they would look like tasks on borrowed slots
            if pool.own in TASK_TYPES:
                kinds[pool.first_slot : pool.first_slot + pool.slots] = pool.own
        code = self.attempt_groups(look, extra_jobs(self.rows)) << 1 | kinds[record.extra_slot]
        row = np.concatenate([np.repeat(np.arange(count), np.diff(own.offsets)), record.extra_slot])
        columns = [
            np.concatenate(pair)
            for pair in ((own.start, start), (own.shuffled, start), (own.end, end), (own.code, code))
        ]
        order = np.lexsort((columns[0], row))
        starts, shuffled, ends, codes = (np.ascontiguousarray(column[order]) for column in columns)
        offsets = np.searchsorted(row[order], np.arange(count + 1)).astype(np.int64)
        ready = np.concatenate([own.stage_end, np.zeros(self.groups - len(own.stage_end))])
        shortest = shortest_of_rows(ends - starts, offsets)
        whole = RowColumns(offsets, shortest, starts, shuffled, ends, codes.astype(np.int32), ready)
        for column in whole:
            column.flags.writeable = False
        return whole


def _placed(columns: RowColumns, fold: Fold) -> RowColumns:
    """Return the rows of a pool with places on an axis instead of times."""
    first, last = int(columns.offsets[0]), int(columns.offsets[-1])
    whole = columns._replace(
        offsets=columns.offsets - first,
        start=fold.place(columns.start[first:last]),
        shuffled=fold.place(columns.shuffled[first:last]),
        end=fold.place(columns.end[first:last]),
        code=columns.code[first:last],
        joined=columns.joined[first:last],
        stage_end=fold.place(columns.stage_end),
    )
    whole = whole._replace(shortest=shortest_of_rows(whole.end - whole.start, whole.offsets))
    for column in whole:
        column.flags.writeable = False
    return whole


def painted_rows(rows: ScheduleRows, classes: JobClasses | None) -> PaintedRows:
    """Return what is painted of rows whose tasks are coloured by classes; kept with the rows."""
    chosen = None if classes is None or classes.of_tasks is None else classes
    known, painted = rows.kept.get(painted_rows, (None, None))
    if painted is None or known is not chosen:
        painted = _painted(rows, chosen)
        rows.kept[painted_rows] = (chosen, painted)
    found: PaintedRows = painted
    return found


def _painted(rows: ScheduleRows, classes: JobClasses | None) -> PaintedRows:
    columns, jobs = rows.coloured, len(rows.schedule.workload.jobs)
    owners = len(columns.stage_end)
    if classes is None or classes.of_tasks is None:
        return PaintedRows(rows, columns, owners, 1, jobs)
    count = max(1, len(classes.classes))
    of_task = np.clip(classes.of_tasks(rows.schedule), 0, count - 1)[rows.task]
    code = (((columns.code >> 1) * count + of_task) << 1 | columns.code & 1).astype(np.int32)
    ready = np.repeat(columns.stage_end, count)
    code.flags.writeable = ready.flags.writeable = False
    return PaintedRows(rows, columns._replace(code=code, stage_end=ready), owners, count, jobs)


@kept_with_rows
def extra_jobs(rows: ScheduleRows) -> NDArray[np.int64]:
    """Return the job of each attempt that is no task, -1 for one without tasks, (extras,)."""
    record, index = rows.schedule.attempts, rows.schedule.workload.job_index
    if record is None:
        return np.zeros(0, np.int64)
    of_run = np.array([index.get(name, -1) for name in record.run.jobs], np.int64)
    jobs: NDArray[np.int64] = of_run[record.run.job[record.extra]]
    return jobs

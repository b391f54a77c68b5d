"""Jobs of which every task went well at once, computed as columns: a table may have hundreds of thousands.

What comes out is what `core.logs.job_profile` computes job by job.
"""

from __future__ import annotations

from collections import Counter
from itertools import starmap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.logs.attempt_columns import MISSING, constant
from core.logs.job_batch import JobBatch
from core.logs.job_profile import (
    NO_SHUFFLE_TIME,
    NO_SORT_TIME,
    NO_SUBMIT_TIME,
    NOTHING,
    JobAccount,
    all_kept,
    early_starts,
    one_wave,
)
from core.logs.logged_job import LATEST
from core.logs.row_stages import RowStages
from core.model.coded_values import CodedValues, coded_rows
from core.model.many_jobs import JobColumns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from core.logs.attempt_columns import AttemptColumns


ROWS_AT_ONCE = 1 << 15
"""Rows of which everything is computed before the next ones."""


class PlainJobs(NamedTuple):
    """Jobs as neighbouring rows of columns: the maps of each, then its reduces, each row a whole task.

    Other jobs may be among them, of whose rows anything is true.

    Attributes
    ----------
    columns : the attempts of all jobs
    first : the first row of each job, int64 (jobs,)
    tasks : how many rows are its maps, and how many its reduces, int64 (jobs,) each
    submit : when it was submitted, ms on the log's clock; `MISSING` where not known, int64 (jobs,)
    is_plain : whether it is no other job, bool (jobs,)
    """

    columns: AttemptColumns
    first: NDArray[np.int64]
    tasks: tuple[NDArray[np.int64], NDArray[np.int64]]
    submit: NDArray[np.int64]
    is_plain: NDArray[np.bool_]

    @property
    def size(self) -> NDArray[np.int64]:
        """How many rows each job has, (jobs,)."""
        maps, reduces = self.tasks
        return maps + reduces

    def batch(
        self, names: Sequence[str], users: CodedValues[str], pools: CodedValues[str]
    ) -> tuple[JobBatch, RowStages]:
        """Return the jobs with their stages; one that is not kept must be computed task by task."""
        jobs, (maps, reduces) = len(names), self.tasks
        before = np.cumsum(reduces) - reduces
        duration = np.zeros(len(self.columns), np.int32)
        shuffle = np.zeros(int(reduces.sum()), np.int32)
        is_first = np.zeros(len(shuffle), np.bool_)
        fit, starts = np.empty(jobs, np.bool_), np.empty(jobs, np.int64)
        facts = [np.empty(jobs, np.int32) for _ in range(5)]
        for some in self._groups():
            group = self._of(some)
            times, rows = (
                _task_times(group),
                slice(self.first[some.start], self.first[some.start] + len(group.columns)),
            )
            fit[some] = fits = group.is_plain & times.fit
            is_sound = np.repeat(fits, group.size)
            duration = _filled(duration, rows, np.where(is_sound, times.duration, 0))
            of_reduces = slice(before[some.start], before[some.start] + int(group.tasks[1].sum()))
            is_sound = is_sound[~times.is_map]
            shuffle = _filled(shuffle, of_reduces, np.where(is_sound, times.shuffle[~times.is_map], 0))
            is_first[of_reduces] = times.is_first[~times.is_map]
            starts[some] = group.first_starts()
            for fact, of_group in zip(facts, group.facts(times), strict=True):
                fact[some] = of_group
        submit = np.where(self.submit == MISSING, starts, self.submit)
        which, different = coded_rows([maps, reduces, self.submit == MISSING, *facts])
        accounts = CodedValues(which, list(starmap(_account, different)).__getitem__)
        counts = np.stack([maps, reduces], axis=1).astype(np.int32)
        stages = RowStages(
            counts, self.first.astype(np.int32), before.astype(np.int32), duration, shuffle, is_first
        )
        arrival = (submit - submit.min(initial=LATEST)) / 1000
        unknown, titles = constant(np.int64(MISSING), jobs), CodedValues.alike("", jobs)
        made = JobColumns(names, arrival, pools, users, stages)
        of_jobs = (names, made, fit, accounts, submit, unknown, unknown, titles)
        return JobBatch(*of_jobs, self.first, self.size, self.columns), stages

    def _groups(self) -> Iterator[slice]:
        """Yield neighbouring jobs of so many rows together, or one with more."""
        ends, begin = self.first + self.size, 0
        while begin < len(ends):
            most = self.first[begin] + ROWS_AT_ONCE
            end = max(int(np.searchsorted(ends, most, side="right")), begin + 1)
            yield slice(begin, end)
            begin = end

    def _of(self, some: slice) -> PlainJobs:
        """Return some neighbouring jobs."""
        begin, end = int(self.first[some.start]), int(self.first[some.stop - 1] + self.size[some.stop - 1])
        maps, reduces = self.tasks
        return PlainJobs(
            self.columns.between(begin, end),
            self.first[some] - begin,
            (maps[some], reduces[some]),
            self.submit[some],
            self.is_plain[some],
        )

    def first_starts(self) -> NDArray[np.int64]:
        """Return when each job's first task started that held a slot for a while; 0 where none did."""
        start, finish = self.columns.start, self.columns.end
        held = (start != MISSING) & (start < finish)
        starts = np.minimum.reduceat(np.where(held, start, LATEST), self.first)
        return np.where(self.is_plain & (starts == LATEST), 0, starts)

    def facts(self, times: _TaskTimes) -> Iterator[NDArray[Any]]:
        """Yield of each job what `_account` is given besides its tasks, (jobs,) each."""
        early = self.columns.start < np.repeat(self.submit, self.size)
        rows = (times.has_no_sort, times.has_no_shuffle, early, times.is_first)
        *counts, firsts = (np.add.reduceat(each, self.first, dtype=np.int32) for each in rows)
        has_shuffle = np.logical_or.reduceat(times.fetches, self.first)
        _, reduces = self.tasks
        yield from (*counts, firsts * has_shuffle, reduces * has_shuffle)


def _filled(
    column: NDArray[np.signedinteger[Any]], rows: slice, values: NDArray[np.int64]
) -> NDArray[np.signedinteger[Any]]:
    """Return a column with these values in some rows, in wider numbers if one needs them."""
    if values.max(initial=0) > np.iinfo(column.dtype).max:
        column = column.astype(np.int64)
    column[rows] = values
    return column


class _TaskTimes(NamedTuple):
    """What the times of tasks come to.

    Attributes
    ----------
    duration : of a map, or of the reduce phase, ms, int64 (tasks,)
    shuffle : the first or typical shuffle of a reduce, ms; 0 for maps, int64 (tasks,)
    is_map : bool (tasks,)
    is_first : whether the shuffle is a first one, bool (tasks,)
    fetches : whether it ended later than the task began, bool (tasks,)
    has_no_sort, has_no_shuffle : reduces without the end of the sort, or of both, bool (tasks,)
    fit : jobs of which nothing ends before it begins, and which are not of both these kinds, bool (jobs,)
    """

    duration: NDArray[np.int64]
    shuffle: NDArray[np.int64]
    is_map: NDArray[np.bool_]
    is_first: NDArray[np.bool_]
    fetches: NDArray[np.bool_]
    has_no_sort: NDArray[np.bool_]
    has_no_shuffle: NDArray[np.bool_]
    fit: NDArray[np.bool_]


def _task_times(jobs: PlainJobs) -> _TaskTimes:
    columns = jobs.columns
    start, shuffle, sort, finish = columns.start, columns.shuffle_end, columns.sort_end, columns.end
    size, (maps, _) = jobs.size, jobs.tasks
    is_map = np.arange(len(start)) < np.repeat(jobs.first + maps, size)
    map_end = np.repeat(np.maximum.reduceat(np.where(is_map, finish, MISSING), jobs.first), size)
    # with no such time, the shuffle and sort had ended when they could begin
    shuffled = np.where(shuffle == MISSING, np.maximum(start, map_end), shuffle)
    shuffled = np.where(is_map, start, np.where(sort == MISSING, shuffled, sort))
    is_first = ~is_map & (start < map_end)
    duration = finish - shuffled
    # what was there at the start need not be fetched, whether the maps had ended or not
    took = np.where(shuffled == start, 0, shuffled - np.where(is_first, map_end, start))
    no_sort = ~is_map & (sort == MISSING) & (shuffle != MISSING)
    no_shuffle = ~is_map & (sort == MISSING) & (shuffle == MISSING)
    odd = np.logical_or.reduceat((duration < 0) | (took < 0), jobs.first)
    both = np.logical_or.reduceat(no_sort, jobs.first) & np.logical_or.reduceat(no_shuffle, jobs.first)
    return _TaskTimes(duration, took, is_map, is_first, shuffled != start, no_sort, no_shuffle, ~(odd | both))


def _account(
    maps: int,
    reduces: int,
    has_no_submit: bool,
    no_sort: int,
    no_shuffle: int,
    early: int,
    firsts: int,
    shuffles: int,
) -> JobAccount:
    counts = {NO_SUBMIT_TIME: int(has_no_submit), NO_SORT_TIME: no_sort, NO_SHUFFLE_TIME: no_shuffle}
    missing = +Counter(counts) if any(counts.values()) else NOTHING
    notes = (*early_starts(early), *one_wave(firsts, shuffles - firsts))
    return JobAccount((all_kept(maps), all_kept(reduces)), missing=missing, notes=notes)

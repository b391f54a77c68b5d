"""Jobs of which every task went well at once, computed as columns: a table may have hundreds of thousands.

What comes out is what `core.logs.job_profile` computes job by job. Equal stages of one task, counts and notes
are kept once, as values are read-only.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.logs.attempt_columns import MISSING
from core.logs.job_batch import JobBatch
from core.logs.job_profile import (
    NO_SHUFFLE_TIME,
    NO_SORT_TIME,
    NO_STAGE,
    NO_SUBMIT_TIME,
    NOTHING,
    JobAccount,
    all_kept,
    early_starts,
    one_wave,
)
from core.logs.logged_job import LATEST
from core.model.job import plain_jobs
from core.model.stages import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from core.logs.attempt_columns import AttemptColumns
    from core.model.job import Job


JOBS_AT_ONCE = 1 << 14


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

    def batch(self, *named: list[str]) -> tuple[JobBatch, NDArray[np.bool_]]:
        """Return the jobs, None for one that must be computed task by task, and whether each is no such one.

        Parameters
        ----------
        named : names, users and pools of the jobs
        """
        times = _task_times(self)
        fit = self.is_plain & times.fit
        submit = np.where(self.submit == MISSING, self._first_starts(), self.submit)
        arrival = (submit - submit.min(initial=LATEST)) / 1000
        facts, account = self._facts(times), cache(_account)
        jobs: list[Job | None] = []
        accounts: list[JobAccount] = []
        for begin in range(0, len(fit), JOBS_AT_ONCE):  # as numbers of Python they take more memory
            some = slice(begin, begin + JOBS_AT_ONCE)
            names, users, pools = (each[some] for each in named)
            stages = list(zip(*self._stages(some, times), strict=True))
            made = plain_jobs(names, stages, arrival[some].tolist(), pools, users)
            jobs += [job if fits else None for job, fits in zip(made, fit[some].tolist(), strict=True)]
            accounts += [account(*row) for row in zip(*(fact[some].tolist() for fact in facts), strict=True)]
        unknown, titles = np.full(len(jobs), MISSING), [""] * len(jobs)
        whole = JobBatch(
            named[0], jobs, accounts, submit, unknown, unknown, titles, self.first, self.size, self.columns
        )
        return whole, fit

    def _stages(self, some: slice, times: _TaskTimes) -> tuple[Iterator[Stage], Iterator[Stage]]:
        """Return the maps and the reduces of some jobs."""
        first, (maps, reduces) = self.first[some], (tasks[some] for tasks in self.tasks)
        seconds = [times.duration, times.shuffle]
        return (
            _stages(first, maps, seconds[:1], times.is_first),
            _stages(first + maps, reduces, seconds, times.is_first),
        )

    def _first_starts(self) -> NDArray[np.int64]:
        """Return when each job's first task started that held a slot for a while; 0 where none did."""
        start, finish = self.columns.start, self.columns.end
        held = (start != MISSING) & (start < finish)
        starts = np.minimum.reduceat(np.where(held, start, LATEST), self.first)
        return np.where(self.is_plain & (starts == LATEST), 0, starts)

    def _facts(self, times: _TaskTimes) -> list[NDArray[Any]]:
        """Return what `_account` is given, a column for each of it."""
        early = self.columns.start < np.repeat(self.submit, self.size)
        rows = (times.has_no_sort, times.has_no_shuffle, early, times.is_first)
        *counts, firsts = (np.add.reduceat(each, self.first, dtype=np.int32) for each in rows)
        has_shuffle = np.logical_or.reduceat(times.fetches, self.first)
        maps, reduces = self.tasks
        of_shuffles = (firsts * has_shuffle, reduces * has_shuffle)
        return [maps, reduces, self.submit == MISSING, *counts, *of_shuffles]


class _TaskTimes(NamedTuple):
    """What the times of tasks come to.

    Attributes
    ----------
    duration : of a map, or of the reduce phase, s, float64 (tasks,)
    shuffle : the first or typical shuffle of a reduce, s; 0 for maps, float64 (tasks,)
    is_first : whether the shuffle is a first one, bool (tasks,)
    fetches : whether it ended later than the task began, bool (tasks,)
    has_no_sort, has_no_shuffle : reduces without the end of the sort, or of both, bool (tasks,)
    fit : jobs of which nothing ends before it begins, and which are not of both these kinds, bool (jobs,)
    """

    duration: NDArray[np.float64]
    shuffle: NDArray[np.float64]
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
    return _TaskTimes(
        _seconds(duration), _seconds(took), is_first, shuffled != start, no_sort, no_shuffle, ~(odd | both)
    )


def _seconds(milliseconds: NDArray[np.int64]) -> NDArray[np.float64]:
    seconds: NDArray[np.float64] = milliseconds / 1000
    seconds.flags.writeable = False
    return seconds


def _stages(
    first: NDArray[np.int64],
    count: NDArray[np.int64],
    seconds: Sequence[NDArray[np.float64]],
    is_first: NDArray[np.bool_],
) -> Iterator[Stage]:
    """Yield the stage of each job: durations, and for reduces shuffles, of so many rows from the first on."""
    of_one_task = _of_one_task(first[count == 1], seconds)
    for begin, tasks in zip(first.tolist(), count.tolist(), strict=True):
        if tasks == 1:
            yield next(of_one_task)
        elif tasks:
            yield _of_tasks(slice(begin, begin + tasks), seconds, is_first)
        else:
            yield NO_STAGE


def _of_one_task(rows: NDArray[np.int64], seconds: Sequence[NDArray[np.float64]]) -> Iterator[Stage]:
    """Yield the stage that each row is; equal ones are one object."""
    times = [each[rows] for each in seconds]
    order = np.lexsort(times)
    differs = np.logical_or.reduce([np.diff(each[order], prepend=np.nan) != 0 for each in times])
    durations, *shuffles = (_one_by_one(each[order][differs]) for each in times)
    stages = list(map(Stage, repeat(1), durations, *shuffles, *shuffles))
    which = np.empty(len(rows), np.int64)
    which[order] = np.cumsum(differs) - 1
    return map(stages.__getitem__, which.tolist())


def _one_by_one(times: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    times.flags.writeable = False
    return list(times[:, np.newaxis])


def _of_tasks(rows: slice, seconds: Sequence[NDArray[np.float64]], is_first: NDArray[np.bool_]) -> Stage:
    durations, *shuffles = (each[rows] for each in seconds)
    if shuffles and 0 < np.count_nonzero(wave := is_first[rows]) < len(wave):
        return Stage.of(len(durations), durations, shuffles[0][wave], shuffles[0][~wave])
    return Stage(len(durations), durations, *shuffles, *shuffles)


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

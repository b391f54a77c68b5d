"""The rows of a table of tasks put together as jobs: by sorting columns, as there may be a million rows.

A job of which every task went well at once is computed straight from the columns; any other is
computed task by task.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.logs.attempt_columns import (
    FINISH,
    MISSING,
    START,
    AttemptColumns,
    constant,
    is_constant,
    is_known,
    put_in_order,
)
from core.logs.job_batch import JobBatch
from core.logs.job_profile import profile
from core.logs.logged_job import Attempt, LoggedJob, LoggedTask
from core.logs.plain_jobs import PlainJobs
from core.model.coded_values import CodedValues, coded
from core.model.in_parts import SLICE
from core.model.job import NO_STAGES
from core.model.many_jobs import JobColumns
from core.model.task_types import KIND_WORDS, OTHER, OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from core.logs.row_stages import RowStages

_SUCCEEDED, _UNFINISHED = OUTCOMES.index("succeeded"), OUTCOMES.index("unfinished")
_TASK_TYPES = {word: task_type for task_type, word in enumerate(KIND_WORDS)}
SUBMIT = 4
_OF_JOBS = ("is_kept", "submit", "launch", "finish", "first", "size")
"""Columns of a batch that have a number for each job."""


class TableJobs(NamedTuple):
    """The jobs of a table in the order in which they first appear.

    Attributes
    ----------
    plain : all of them; what stands there of the others counts for nothing
    stages : of all of them, likewise
    others : those that were computed task by task
    places : where they are among all, int64 (others,)
    """

    plain: JobBatch
    stages: RowStages
    others: JobBatch
    places: NDArray[np.int64]

    def together(self) -> JobBatch:
        """Return all jobs; it takes as much memory as the rows of the table, which are best gone by then."""
        plain, stages_of_rows, others, places = self
        if not len(places):
            return plain
        assert isinstance(plain.jobs, JobColumns)
        columns = {name: getattr(plain, name).copy() for name in _OF_JOBS}
        for name, column in columns.items():
            column[places] = getattr(others, name)
        columns["first"][places] += len(plain.attempts)
        stages = {
            place: NO_STAGES if job is None else (job.maps, job.reduces)
            for place, job in zip(places.tolist(), others.jobs, strict=True)
        }
        return plain._replace(
            **columns,
            jobs=plain.jobs.with_stages(stages_of_rows.with_special(stages)),
            accounts=coded(plain.accounts).replaced(places, others.accounts),
            attempts=AttemptColumns.joined([plain.attempts, others.attempts]),
        )


@dataclass(frozen=True, slots=True)
class TableRows:
    """Rows of a table, each of them an attempt.

    Attributes
    ----------
    names : what the numbers of each column stand for; 0 is no name. For tasks also a range: the numbers are
        their order
    times : start, shuffle end, sort end, finish and submission, ms, int64 (rows,) each
    job, kind, task, host, user, pool : numbers, (rows,); `MISSING` for a row that is a task of its own
    outcome : index into `OUTCOMES`, (rows,)
    """

    names: Mapping[str, Sequence[Any]]
    times: tuple[NDArray[np.int64], ...]
    job: NDArray[np.signedinteger[Any]]
    kind: NDArray[np.signedinteger[Any]]
    task: NDArray[np.signedinteger[Any]]
    outcome: NDArray[np.signedinteger[Any]]
    host: NDArray[np.signedinteger[Any]]
    user: NDArray[np.signedinteger[Any]]
    pool: NDArray[np.signedinteger[Any]]

    def __post_init__(self) -> None:
        """Take a success without an end for a task that has not ended."""
        has_no_end = (self.outcome == _SUCCEEDED) & ~is_known(self.times[FINISH])
        if has_no_end.any():
            outcome = np.where(has_no_end, self.outcome.dtype.type(_UNFINISHED), self.outcome)
            object.__setattr__(self, "outcome", outcome)

    def jobs(self) -> TableJobs:
        """Return the jobs in the order in which they first appear, the tasks in the order of their names.

        So the rows lie afterwards, too: there may be millions, and they are not there twice.
        """
        stage = np.array([_TASK_TYPES.get(word, OTHER) for word in self.names["kind"]], np.int8)[self.kind]
        task, first = self.task_order(), self._first(np.arange(len(stage), dtype=np.int32), MISSING)
        of_jobs = self._first(self.times[SUBMIT], MISSING), self._first(self.user), self._first(self.pool)
        came = first[first != MISSING]
        # jobs are numbered as they come, but for odd tables
        turn = self.job if (came[1:] > came[:-1]).all() else first[self.job]
        if (order := _sorting(turn, stage, task)) is not None:
            stage, task = self._sort(order, stage, task)
        begins = np.flatnonzero(_changes(self.job))
        ends = np.append(begins[1:], len(stage))
        of_kinds = np.flatnonzero(_changes(self.job) | _changes(stage))
        maps = _maps(begins, of_kinds, stage)
        is_plain = np.logical_and.reduceat(self._went_well(stage, task), begins)
        del task, turn  # a byte of each row counts
        number = self.job[begins]
        submit, user, pool = (column[number] for column in of_jobs)
        rows = PlainJobs(
            self._columns(stage, of_kinds), begins, (maps, ends - begins - maps), submit, is_plain
        )
        names = list(map(self.names["job"].__getitem__, number.tolist()))
        users = CodedValues(user, self.names["user"].__getitem__)
        pools = CodedValues(pool, self.names["pool"].__getitem__).other(lambda name: name or "default")
        plain, stages = rows.batch(names, users, pools)
        others = np.flatnonzero(~plain.is_kept)
        profiles = []
        task = self.task_order() if len(others) else self.task
        for i in others.tolist():
            known = None if submit[i] == MISSING else int(submit[i])
            logged = LoggedJob(names[i], users[i], pools[i], submit=known)
            profiles.append(profile(self._with_tasks(logged, slice(begins[i], ends[i]), task)))
        return TableJobs(plain, stages, JobBatch.of(profiles), others)

    def _sort(self, order: NDArray[np.int64], *more: NDArray[Any]) -> list[NDArray[Any]]:
        """Bring all rows into this order, column by column; return other columns in it."""
        others = [column[order] for column in more]  # before the rows move: one may be a column of theirs
        columns = (*self.times, self.job, self.kind, self.task, self.outcome, self.host)
        put_in_order(columns, order)
        return others

    def _went_well(self, stage: NDArray[np.int8], task: NDArray[np.signedinteger[Any]]) -> NDArray[np.bool_]:
        """Return for each row whether it is all of a map or reduce, which succeeded."""
        well: NDArray[np.bool_] = _changes(self.job) | _changes(stage)
        well |= _changes(task)
        well &= (stage < OTHER) & (self.outcome == _SUCCEEDED) & is_known(self.times[START])
        return well

    def _columns(self, stage: NDArray[np.int8], of_kinds: NDArray[np.int64]) -> AttemptColumns:
        """Return the rows, of which those of a kind of a job begin at `of_kinds`.

        What is known of tasks holds where all went well.
        """
        count = len(stage)
        number = np.empty(count, _few_bytes(int(np.diff(of_kinds, append=count).max())))
        for begin in range(0, count, SLICE):
            rows = np.arange(begin, min(begin + SLICE, count))
            number[rows] = rows - of_kinds[np.searchsorted(of_kinds, rows, side="right") - 1]
        unknown = constant(np.int64(MISSING), count)
        columns: tuple[NDArray[Any], ...] = (
            stage,
            number,
            constant(np.True_, count),
            constant(np.int8(_SUCCEEDED), count),
            self.host - np.int8(1),
            *(times if is_known(times).any() else unknown for times in self.times[:SUBMIT]),
        )
        return AttemptColumns.of(columns, tuple(self.names["host"][1:]))

    def _with_tasks(self, logged: LoggedJob, rows: slice, order: NDArray[np.signedinteger[Any]]) -> LoggedJob:
        """Return a job with the tasks and attempts of its rows."""
        tries: dict[tuple[int, int], list[Attempt]] = {}
        names: dict[tuple[int, int], str] = {}
        columns = (column[rows].tolist() for column in (order, self.kind, self.task, self.host, self.outcome))
        for times, place, kind, task, host, outcome in zip(
            zip(*(column[rows].tolist() for column in self.times[:SUBMIT]), strict=True),
            *columns,
            strict=True,
        ):
            start, shuffle_end, sort_end, end = (None if time == MISSING else time for time in times)
            of = place, kind
            names[of] = str(self.names["task"][max(task, 0)])
            attempt = Attempt(OUTCOMES[outcome], start, end, shuffle_end, sort_end, self.names["host"][host])
            tries.setdefault(of, []).append(attempt)
        kinds: tuple[list[LoggedTask], ...] = ([], [], [])
        for of in sorted(tries, key=lambda of: of[0]):
            word = self.names["kind"][of[1]]
            kinds[_TASK_TYPES.get(word, -1)].append(LoggedTask(names[of], tuple(tries[of]), word))
        maps, reduces, others = map(tuple, kinds)
        return replace(logged, tasks=(maps, reduces), others=others)

    def task_order(self) -> NDArray[np.signedinteger[Any]]:
        """Return numbers that sort tasks by the length of their names and these; nameless ones come last."""
        names = self.names["task"]
        if isinstance(names, range):
            return self.task
        nameless = int(self.task.min()) == MISSING
        place = np.empty(len(names) + 1, np.int32 if nameless else _few_bytes(len(names)))
        place[sorted(range(len(names)), key=lambda i: (len(names[i]), names[i]))] = np.arange(len(names))
        if is_constant(self.task) and self.task[0] == MISSING:
            return np.arange(len(self.task), dtype=np.int32)
        tasks: NDArray[np.signedinteger[Any]] = place[self.task]
        if nameless:
            rows = np.flatnonzero(self.task == MISSING)
            tasks[rows] = len(names) + rows
        return tasks

    def _first(self, column: NDArray[Any], nothing: int = 0) -> NDArray[Any]:
        """Return the first row with a value of each job, by the job's number."""
        first = np.full(len(self.names["job"]), nothing, column.dtype)
        for begin in reversed(range(0, len(column), SLICE)):
            some = slice(begin, begin + SLICE)
            filled = np.flatnonzero(column[some] != nothing)[::-1]
            first[self.job[some][filled]] = column[some][filled]
        return first


def _sorting(*keys: NDArray[Any]) -> NDArray[np.int64] | None:
    """Return the order by these keys, the first one before the others; None where rows are in order."""
    for begin in range(0, len(keys[0]), SLICE):
        same = np.True_
        for key in keys:
            part = key[begin : begin + SLICE + 1]
            if (same & (part[1:] < part[:-1])).any():
                return np.lexsort(keys[::-1])
            same = same & (part[1:] == part[:-1])
    return None


def _few_bytes(most: int) -> type[np.signedinteger[Any]]:
    """Return the smallest type of numbers up to this one."""
    return np.int8 if most < 1 << 7 else np.int16 if most < 1 << 15 else np.int32


def _maps(
    begins: NDArray[np.int64], of_kinds: NDArray[np.int64], stage: NDArray[np.int8]
) -> NDArray[np.int64]:
    """Return how many maps each job has, of which the rows of all kinds begin at `of_kinds`."""
    size = np.diff(of_kinds, append=len(stage))
    is_map = stage[of_kinds] == _TASK_TYPES["map"]
    maps = np.zeros(len(begins), np.int64)
    maps[np.searchsorted(begins, of_kinds[is_map], side="right") - 1] = size[is_map]
    return maps


def _changes(column: NDArray[Any]) -> NDArray[np.bool_]:
    """Return where a column differs from the row before."""
    changes = np.ones(len(column), np.bool_)
    np.not_equal(column[1:], column[:-1], out=changes[1:])
    return changes

"""Attempts as columns: what ran where and when, also what failed or was killed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.model.execution_history import CLEANUP, OTHER, OUTCOMES, SETUP
from core.model.workload import MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.logs.logged_job import Attempt, LoggedJob, LoggedTask


MISSING = -1
"""Stands for a time, host or task that is not known."""
START, SHUFFLE, SORT, FINISH = 0, 1, 2, 3
Run = tuple[int, int, int, int]
"""The times of an attempt in this order."""

Column = TypeVar("Column", NDArray[np.int32], NDArray[np.int64])

_OUTCOME = {result: i for i, result in enumerate(OUTCOMES)}


@dataclass(frozen=True, slots=True)
class AttemptColumns:
    """The attempts of jobs; those of one job are in the order of the kinds, tasks and attempts.

    Attributes
    ----------
    what : kind, task, whether it counts, outcome, host of each attempt, int32 (attempts, 5); the task is
        its number among the job's kept tasks of that kind, the host an index into `hosts`
    times : start, shuffle end, sort end and finish, ms on the log's clock, int64 (attempts, 4)
    hosts : names of machines
    """

    what: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 5), np.int32))
    times: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    hosts: tuple[str, ...] = ()

    def spans(self, kind: int) -> NDArray[np.int64]:
        """Return start and finish of every attempt of a kind that held a slot for a while, (n, 2)."""
        start, finish = self.times[:, START], self.times[:, FINISH]
        held = (self.what[:, 0] == kind) & (start != MISSING) & (start < finish)
        spans: NDArray[np.int64] = self.times[held][:, [START, FINISH]]
        return spans


class JobAttempts(NamedTuple):
    """The attempts of one job: so many rows, from one on, of columns that it may share with many jobs."""

    columns: AttemptColumns = AttemptColumns()
    first: int = 0
    size: int = 0

    def starts(self) -> list[int]:
        """Return when its maps and reduces started that held a slot for a while; jobs are small, so lists."""
        rows = slice(self.first, self.first + self.size)
        kinds, times = self.columns.what[rows, 0].tolist(), self.columns.times[rows].tolist()
        return [
            start
            for kind, (start, _, _, finish) in zip(kinds, times, strict=True)
            if kind in (MAP, REDUCE) and start != MISSING and start < finish
        ]


def together(parts: Iterable[JobAttempts]) -> AttemptColumns:
    """Return the attempts of several jobs one after the other; hosts are numbered as they appear."""
    listed = list(parts)
    if not listed:
        return AttemptColumns()
    columns, first, size = zip(*listed, strict=True)
    whole = list({id(each): each for each in columns}.values())
    begins = np.cumsum([0, *(len(each.times) for each in whole)])
    begin_of = {id(each): begin for each, begin in zip(whole, begins.tolist(), strict=False)}
    sizes = np.array(size, np.int64)
    begin = np.array([begin_of[id(each)] for each in columns], np.int64) + np.array(first, np.int64)
    rows = np.repeat(begin - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
    what = _joined([each.what for each in whole])[rows]
    times = _joined([each.times for each in whole])
    if len(rows) < len(times) or (rows[1:] < rows[:-1]).any():
        times = times[rows]
    numbers: dict[str, int] = {}
    # -1, for a host that is not known, takes the last item
    known = [
        np.array([*(numbers.setdefault(name, len(numbers)) for name in each.hosts), MISSING], np.int32)[
            each.what[:, 4]
        ]
        for each in whole
    ]
    host = _joined(known)[rows]
    used, appears = np.unique(host[host != MISSING], return_index=True)
    used = used[np.argsort(appears)]
    place = np.full(len(numbers) + 1, MISSING)
    place[used] = np.arange(len(used))
    what[:, 4] = place[host]
    names = list(numbers)
    return AttemptColumns(what, times, tuple(names[number] for number in used.tolist()))


def _joined(columns: Sequence[Column]) -> Column:
    """Concatenate columns without a copy of the only ones, which may be large."""
    return columns[0] if len(columns) == 1 else np.concatenate(columns)


def counting_runs(tasks: Iterable[LoggedTask]) -> list[Run]:
    """Return the times of the attempts that count, in the order of the tasks."""
    counting = (task.counting for task in tasks)
    return [_times(attempt) for attempt in counting if attempt is not None]


def _times(attempt: Attempt) -> Run:
    start, finish, shuffle, sort = attempt[1:5]
    return (
        MISSING if start is None else start,
        MISSING if shuffle is None else shuffle,
        MISSING if sort is None else sort,
        MISSING if finish is None else finish,
    )


def attempt_columns(job: LoggedJob) -> JobAttempts:
    """Lay out the attempts of a job."""
    hosts: dict[str, int] = {"": MISSING}
    what: list[tuple[int, ...]] = []
    times: list[Run] = []
    kinds: list[tuple[int, Sequence[LoggedTask]]] = [(MAP, job.maps), (REDUCE, job.reduces)]
    for task in job.others:
        other = SETUP if "SETUP" in task.type else CLEANUP if "CLEANUP" in task.type else OTHER
        kinds.append((other, [task]))
    for kind, tasks in kinds:
        kept = 0
        for task in tasks:
            counting = task.counting if kind in (MAP, REDUCE) else None
            number = MISSING if counting is None else kept
            kept += counting is not None
            for attempt in task.attempts:
                host = hosts.setdefault(attempt.host, len(hosts) - 1)
                what.append((kind, number, attempt is counting, _OUTCOME[attempt.result], host))
                times.append(_times(attempt))
    columns = AttemptColumns(
        np.array(what, np.int32).reshape(len(what), 5),
        np.array(times, np.int64).reshape(len(times), 4),
        tuple(hosts)[1:],
    )
    return JobAttempts(columns, 0, len(times))

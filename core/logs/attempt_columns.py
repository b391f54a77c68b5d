"""Attempts as columns: what ran where and when, also what failed or was killed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.in_parts import SLICE, most_at_once, slices
from core.model.task_types import CLEANUP, OTHER, OUTCOMES, SETUP, TASK_TYPES
from core.model.time_column import MISSING as MISSING  # also of hosts and tasks
from core.model.time_column import TimeColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from core.logs.logged_job import Attempt, LoggedJob, LoggedTask


RUNS = -2
"""Stands for the task of an attempt that runs where the log ends."""
PARTS = 16
"""Parts of the time of a log of which one at a time is looked at."""
START, SHUFFLE, SORT, FINISH = 0, 1, 2, 3
Run = tuple[int, int, int, int]
"""The times of an attempt in this order."""

_OUTCOME = {result: i for i, result in enumerate(OUTCOMES)}


def constant(value: Any, count: int) -> NDArray[Any]:  # Any: a number of numpy
    """Return a column of the same value in each row, which takes no memory; it cannot be written to."""
    column: NDArray[Any] = np.broadcast_to(value, count)
    return column


def is_constant(column: NDArray[Any]) -> bool:
    """Whether a column was made by `constant`."""
    return len(column) > 0 and column.strides[0] == 0


def _none(dtype: type[np.generic]) -> Callable[[], NDArray[Any]]:
    return lambda: np.zeros(0, dtype)


FEW_TASKS = 2_000_000
"""So many tasks of a log are fine whatever it is; every one takes some 200 bytes while it is read."""


@dataclass(frozen=True, slots=True)
class AttemptColumns:
    """The attempts of jobs; those of one job are in the order of the kinds, tasks and attempts.

    Columns that have one value for all may be `constant`.

    Attributes
    ----------
    kind : one of `core.model.recorded_run.KINDS`, int8 (attempts,)
    task : its number among the job's kept tasks of that kind, `MISSING`, or `RUNS`, int32 (attempts,)
    counts : whether the task's times are this attempt's, bool (attempts,)
    outcome : index into `OUTCOMES`, int8 (attempts,)
    host : index into `hosts`, at most int32 (attempts,)
    start, shuffle_end, sort_end, end : ms on the log's clock, int64 (attempts,)
    hosts : names of machines
    """

    kind: NDArray[np.int8] = field(default_factory=_none(np.int8))
    task: NDArray[np.int32] = field(default_factory=_none(np.int32))
    counts: NDArray[np.bool_] = field(default_factory=_none(np.bool_))
    outcome: NDArray[np.int8] = field(default_factory=_none(np.int8))
    host: NDArray[np.int32] = field(default_factory=_none(np.int32))
    start: NDArray[np.int64] = field(default_factory=_none(np.int64))
    shuffle_end: NDArray[np.int64] = field(default_factory=_none(np.int64))
    sort_end: NDArray[np.int64] = field(default_factory=_none(np.int64))
    end: NDArray[np.int64] = field(default_factory=_none(np.int64))
    hosts: tuple[str, ...] = ()

    def __len__(self) -> int:
        """How many there are."""
        return len(self.start)

    @classmethod
    def of(cls, columns: tuple[NDArray[Any], ...], hosts: tuple[str, ...]) -> AttemptColumns:
        """Return attempts with these columns, in the order of the fields."""
        kind, task, counts, outcome, host, start, shuffle_end, sort_end, end = columns
        return cls(kind, task, counts, outcome, host, start, shuffle_end, sort_end, end, hosts)

    def between(self, begin: int, end: int) -> AttemptColumns:
        """Return neighbouring attempts."""
        return self.of(tuple(column[begin:end] for column in self._columns), self.hosts)

    @property
    def _columns(self) -> tuple[NDArray[Any], ...]:
        """What is known of each attempt, in the order of the fields."""
        return (
            self.kind,
            self.task,
            self.counts,
            self.outcome,
            self.host,
            self.start,
            self.shuffle_end,
            self.sort_end,
            self.end,
        )

    def spans(self, kind: int) -> NDArray[np.int64]:
        """Return start and finish of every attempt of a kind that held a slot for a while, (n, 2)."""
        if is_constant(self.kind) and self.kind[0] != kind:
            return np.zeros((0, 2), np.int64)
        held = self._held(kind)
        return np.stack([self.start[held], self.end[held]], axis=1)

    def most_at_once(self, kind: int) -> int:
        """Return how many attempts of a kind ran at once at most."""
        if is_constant(self.kind) and self.kind[0] != kind:
            return 0
        held = self._held(kind)
        if isinstance(self.start, TimeColumn) and isinstance(self.end, TimeColumn):
            return _most_at_once(self.start, self.end, held)
        return most_at_once(self.start[held], self.end[held])

    def _held(self, kind: int) -> NDArray[np.bool_]:
        """Return which attempts are of a kind and held a slot for a while."""
        held = np.empty(len(self), np.bool_)
        for begin in range(0, len(self), SLICE):
            some = slice(begin, begin + SLICE)
            start = self.start[some]
            held[some] = (self.kind[some] == kind) & (start != MISSING) & (start < self.end[some])
        return held

    def starts(self) -> list[int]:
        """Return when maps and reduces started that held a slot for a while; a job's are few, so lists."""
        columns = (self.kind.tolist(), self.start.tolist(), self.end.tolist())
        return [
            start
            for kind, start, finish in zip(*columns, strict=True)
            if kind in TASK_TYPES and start != MISSING and start < finish
        ]

    @classmethod
    def joined(cls, parts: Sequence[AttemptColumns]) -> AttemptColumns:
        """Return the attempts of all parts one after the other; the only part, as it may be large, itself."""
        numbers: dict[str, int] = {}
        if len(parts) == 1 and len(set(parts[0].hosts)) == len(parts[0].hosts):
            return parts[0]
        parts = [part for part in parts if len(part)]
        known = [
            # -1, for a host that is not known, takes the last item
            np.array([*(numbers.setdefault(name, len(numbers)) for name in part.hosts), MISSING], np.int32)
            for part in parts
        ]
        of_parts = [
            replace(part, host=values_at(own, part.host)) for part, own in zip(parts, known, strict=True)
        ]
        columns = zip(*(part._columns for part in of_parts), strict=True)
        return cls.of(tuple(map(_joined, columns)), tuple(numbers)) if parts else cls()

    def at(self, first: NDArray[np.int64], size: NDArray[np.int64]) -> AttemptColumns:
        """Return so many rows from each of these on; hosts are numbered as they appear.

        Where these are all rows, of which there may be millions, they change places and are not there twice.
        """
        begins = np.cumsum(size) - size
        count = int(size.sum())
        if count == len(self) and (first == begins)[size > 0].all():
            columns = self._columns
        else:
            rows = np.repeat((first - begins).astype(np.int32), size)
            rows += np.arange(count, dtype=np.int32)
            columns = self._columns
            if count == len(self):
                put_in_order(columns, rows)
            else:
                columns = tuple(values_at(column, rows) for column in columns)
        host = columns[4]
        used = np.array(_in_turn(host[:1] if is_constant(host) else host), np.int64)
        if not (used == np.arange(len(used))).all():
            place = np.full(len(self.hosts) + 1, MISSING, np.int32)
            place[used] = np.arange(len(used))
            host = values_at(place, host)
        names = tuple(self.hosts[number] for number in used.tolist())
        return self.of((*columns[:4], host, *columns[5:]), names)


def _in_turn(numbers: NDArray[np.int32]) -> list[int]:
    """Return the different numbers that are not `MISSING`, in the order in which they appear."""
    seen: dict[int, None] = {}
    for part in slices(numbers):
        different, appears = np.unique(part, return_index=True)
        seen |= dict.fromkeys(different[np.argsort(appears)].tolist())
    seen.pop(MISSING, None)
    return list(seen)


def _most_at_once(starts: TimeColumn, ends: TimeColumn, where: NDArray[np.bool_]) -> int:
    """Return how many of some attempts ran at once at most, of which a part of the time is sorted at once."""
    first, last = int(starts.min(initial=0)), int(ends.max(initial=0))
    edges = [first + (last + 1 - first) * part // PARTS for part in range(PARTS + 1)]
    most = running = 0
    for begin, end in pairwise(edges):
        began, ended = (times.sorted_between(begin, end, where) for times in (starts, ends))
        over = np.searchsorted(ended, began, side="right")
        most = max(most, running + int((np.arange(1, len(began) + 1) - over).max(initial=0)))
        running += len(began) - len(ended)
    return most


def put_in_order(columns: Iterable[NDArray[Any]], rows: NDArray[np.integer[Any]]) -> None:
    """Bring columns into this order, in their place; one may be given twice."""
    for column in {id(each): each for each in columns if not is_constant(each)}.values():
        if isinstance(column, TimeColumn):
            column.put_in_order(rows)
        else:
            column[:] = column[rows]


def is_known(times: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which times are not `MISSING`."""
    known: NDArray[np.bool_] = times.is_known() if isinstance(times, TimeColumn) else times != MISSING
    return known


def values_at(column: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
    """Return these rows of a column; a constant one stays so."""
    if is_constant(column):
        return constant(column[0], len(rows))
    return constant(column[rows[0]], len(rows)) if is_constant(rows) else column[rows]


def _joined(columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return columns behind one another; constant ones of the same value stay so."""
    first = columns[0]
    if all(is_constant(column) and column[0] == first[0] for column in columns):
        return constant(first[0], sum(map(len, columns)))
    return np.concatenate(columns)


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


def attempt_columns(job: LoggedJob) -> AttemptColumns:
    """Return the attempts of a job."""
    hosts: dict[str, int] = {"": MISSING}
    what: list[tuple[int, ...]] = []
    times: list[Run] = []
    kinds: list[tuple[int, Sequence[LoggedTask]]] = list(enumerate(job.tasks))
    for task in job.others:
        other = SETUP if "SETUP" in task.type else CLEANUP if "CLEANUP" in task.type else OTHER
        kinds.append((other, [task]))
    for kind, tasks in kinds:
        kept = 0
        for task in tasks:
            counting = task.counting if kind in TASK_TYPES else None
            number = MISSING if counting is None else kept
            kept += counting is not None
            running = task.running if job.is_under_way and kind in TASK_TYPES else None
            for attempt in task.attempts:
                host = hosts.setdefault(attempt.host, len(hosts) - 1)
                task_number = RUNS if attempt is running else number
                what.append((kind, task_number, attempt is counting, _OUTCOME[attempt.result], host))
                times.append(_times(attempt))
    kinds_, number_, counts, outcome, on = np.array(what, np.int32).reshape(len(what), 5).T
    start, shuffle, sort, finish = np.array(times, np.int64).reshape(len(times), 4).T
    return AttemptColumns(
        kinds_.astype(np.int8),
        number_.copy(),
        counts.astype(np.bool_),
        outcome.astype(np.int8),
        on.copy(),
        start.copy(),
        shuffle.copy(),
        sort.copy(),
        finish.copy(),
        tuple(hosts)[1:],
    )


def slots_of(processors: NDArray[np.int64], per_slot: int) -> NDArray[np.int64]:
    """Return how many slots stand for so many processors: the nearest number, at least one."""
    slots: NDArray[np.int64] = np.maximum((2 * processors + per_slot) // (2 * per_slot), 1)
    return slots

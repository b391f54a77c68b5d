"""Attempts as columns: what ran where and when, also what failed or was killed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.execution_history import CLEANUP, OTHER, OUTCOMES, SETUP
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from core.logs.logged_job import Attempt, LoggedJob, LoggedTask


MISSING = -1
"""Stands for a time, host or task that is not known."""
START, SHUFFLE, SORT, FINISH = 0, 1, 2, 3
Run = tuple[int, int, int, int]
"""The times of an attempt in this order."""

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

    def starts(self) -> list[int]:
        """Return when maps and reduces started that held a slot for a while; a job's are few, so lists."""
        return [
            start
            for kind, (start, _, _, finish) in zip(self.what[:, 0].tolist(), self.times.tolist(), strict=True)
            if kind in TASK_TYPES and start != MISSING and start < finish
        ]

    @classmethod
    def joined(cls, parts: Sequence[AttemptColumns]) -> AttemptColumns:
        """Return the attempts of all parts one after the other; the only part, as it may be large, itself."""
        numbers: dict[str, int] = {}
        if len(parts) == 1 and len(set(parts[0].hosts)) == len(parts[0].hosts):
            return parts[0]
        whole = cls(
            np.concatenate([np.zeros((0, 5), np.int32), *(part.what for part in parts)]),
            np.concatenate([np.zeros((0, 4), np.int64), *(part.times for part in parts)]),
        )
        # -1, for a host that is not known, takes the last item
        known = [
            np.array([*(numbers.setdefault(name, len(numbers)) for name in part.hosts), MISSING], np.int32)[
                part.what[:, 4]
            ]
            for part in parts
        ]
        whole.what[:, 4] = np.concatenate([np.zeros(0, np.int32), *known])
        return replace(whole, hosts=tuple(numbers))

    def at(self, first: NDArray[np.int64], size: NDArray[np.int64]) -> AttemptColumns:
        """Return so many rows from each of these on; hosts are numbered as they appear."""
        rows = np.repeat(first - (np.cumsum(size) - size), size) + np.arange(size.sum())
        what, times = self.what[rows], self.times
        if len(rows) < len(times) or (rows[1:] < rows[:-1]).any():
            times = times[rows]
        used, appears = np.unique(what[what[:, 4] != MISSING, 4], return_index=True)
        used = used[np.argsort(appears)]
        place = np.full(len(self.hosts) + 1, MISSING)
        place[used] = np.arange(len(used))
        what[:, 4] = place[what[:, 4]]
        return AttemptColumns(what, times, tuple(self.hosts[number] for number in used.tolist()))


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
            for attempt in task.attempts:
                host = hosts.setdefault(attempt.host, len(hosts) - 1)
                what.append((kind, number, attempt is counting, _OUTCOME[attempt.result], host))
                times.append(_times(attempt))
    return AttemptColumns(
        np.array(what, np.int32).reshape(len(what), 5),
        np.array(times, np.int64).reshape(len(times), 4),
        tuple(hosts)[1:],
    )

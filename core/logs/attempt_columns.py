"""Every attempt of a job as columns: what ran where and when, also what failed or was killed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.model.execution_history import CLEANUP, OTHER, OUTCOMES, SETUP
from core.model.workload import MAP, REDUCE

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


def _empty(width: int) -> NDArray[np.int64]:
    return np.zeros((0, width), np.int64)


@dataclass(frozen=True, slots=True)
class AttemptColumns:
    """The attempts of one job; they are in the order of the kinds, tasks and attempts.

    Attributes
    ----------
    what : kind, task, whether it counts, outcome, host of each attempt, int64 (attempts, 5); the task is
        its number among the job's kept tasks of that kind, the host an index into `hosts`
    times : start, shuffle end, sort end and finish, ms on the log's clock, int64 (attempts, 4)
    hosts : names of machines
    """

    what: NDArray[np.int64] = field(default_factory=lambda: _empty(5))
    times: NDArray[np.int64] = field(default_factory=lambda: _empty(4))
    hosts: tuple[str, ...] = ()

    def spans(self, kind: int) -> NDArray[np.int64]:
        """Return start and finish of every attempt of a kind that held a slot for a while, (n, 2)."""
        if not len(self.times):
            return self.times[:, [START, FINISH]]
        start, finish = self.times[:, START], self.times[:, FINISH]
        held = (self.what[:, 0] == kind) & (start != MISSING) & (start < finish)
        spans: NDArray[np.int64] = self.times[held][:, [START, FINISH]]
        return spans


def together(columns: Iterable[AttemptColumns]) -> AttemptColumns:
    """Return the attempts of several jobs one after the other; their hosts are told by no index."""
    what, times = zip(*((each.what, each.times) for each in columns), strict=True)
    return AttemptColumns(np.concatenate(what), np.concatenate(times))


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
    return AttemptColumns(
        np.array(what, np.int64).reshape(len(what), 5),
        np.array(times, np.int64).reshape(len(times), 4),
        tuple(hosts)[1:],
    )

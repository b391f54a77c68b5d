"""Which jobs may share scans, and how many jobs each task then serves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.model.kept_read_only import KeptReadOnly
from core.model.task_types import MAP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.workload import TaskColumns


@dataclass(frozen=True, eq=False)
class ScanSharing(KeptReadOnly):
    """Which jobs may share scans.

    Attributes
    ----------
    group : jobs of one group share their scans, int32 (jobs,)
    boards : when each job can first be served: its arrival, or the end of its window, (jobs,)
    place : its place in the order of boarding, (jobs,)
    shares : whether the policy lets jobs share scans at all
    block : where jobs scan some of the blocks: the block of its dataset that each map scans, -1 for none,
        int32 (tasks,); else None
    wanted : where jobs scan some of the blocks: those that each job scans, one entry per job
    """

    group: NDArray[np.int32]
    boards: NDArray[np.float64]
    place: NDArray[np.int64]
    shares: bool = True
    block: NDArray[np.int32] | None = None
    wanted: tuple[NDArray[np.int32], ...] = ()

    def wants(self, job: int, tasks: slice) -> NDArray[np.bool_] | bool:
        """Return whether a job scans the block that each of some tasks scans, or True for whole datasets."""
        return True if self.block is None else np.isin(self.block[tasks], self.wanted[job])

    def behind(self, job: int) -> NDArray[np.int64]:
        """Return the jobs of a job's group that boarded after it."""
        return np.flatnonzero((self.place > self.place[job]) & (self.group == self.group[job]))


def concurrency(
    columns: TaskColumns, start: NDArray[np.float64], sharing: ScanSharing | None
) -> NDArray[np.int32]:
    """Return how many jobs each task serves, int32 (tasks,); `start` in seconds, (tasks,)."""
    served = np.ones(len(columns.job), np.int32)
    if sharing is None:
        return served
    for job in range(len(columns.first)):
        first, count = columns.first[job, MAP], columns.count[job, MAP]
        maps = slice(first, first + count)
        if sharing.block is None:
            boards = np.sort(sharing.boards[sharing.behind(job)])
            served[maps] += np.searchsorted(boards, start[maps], "right")
        else:
            for other in sharing.behind(job).tolist():
                served[maps] += sharing.wants(other, maps) & (sharing.boards[other] <= start[maps])
    return served


def first_services(
    columns: TaskColumns, start: NDArray[np.float64], sharing: ScanSharing | None
) -> NDArray[np.float64]:
    """Return when the first map that serves each job starts, whosever it is, (jobs,); nan if none."""
    first = np.full(len(columns.first), np.nan)
    maps = np.flatnonzero((columns.kind == MAP) & (columns.duration > 0))
    if sharing is None:
        np.fmin.at(first, columns.job[maps], start[maps])
        return first
    maps = maps[np.argsort(start[maps], kind="stable")]
    group = sharing.group[columns.job[maps]]
    for which in np.unique(sharing.group):
        mine = maps[group == which]
        for job in np.flatnonzero(sharing.group == which).tolist():
            later = mine[np.searchsorted(start[mine], sharing.boards[job]) :]
            if sharing.block is not None:
                older = sharing.place[columns.job[later]] <= sharing.place[job]
                later = later[older & np.isin(sharing.block[later], sharing.wanted[job])]
            first[job] = start[later[0]] if len(later) else np.nan
    return first

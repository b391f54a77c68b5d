"""Who rode with whom in a schedule of shared scans, and what that saved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from core.workload import MAP, Stage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.schedule import Schedule
    from core.workload import Workload


Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Riding:
    """Who may share scans with whom.

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


def riders(schedule: Schedule, task: int) -> tuple[int, ...]:
    """Return the jobs that a task serves, its own first; of a schedule without sharing that one alone.

    A map serves the job whose task it is and every job of its group that boarded later, but no later than
    the map started, and that scans its block.
    """
    columns, riding = schedule.workload.columns, schedule.riding
    job = int(columns.job[task])
    if riding is None or columns.kind[task] != MAP:
        return (job,)
    later = riding.behind(job)
    later = later[riding.boards[later] <= schedule.start[task]]
    here = slice(task, task + 1)
    return (job, *(other for other in later.tolist() if np.all(riding.wants(other, here))))


def concurrency(schedule: Schedule) -> NDArray[np.int32]:
    """Return how many jobs each task serves, int32 (tasks,)."""
    columns, riding = schedule.workload.columns, schedule.riding
    served = np.ones(len(columns.job), np.int32)
    if riding is None:
        return served
    for job in range(len(schedule.workload.jobs)):
        first, count = columns.first[job, MAP], columns.count[job, MAP]
        maps = slice(first, first + count)
        if riding.block is None:
            boards = np.sort(riding.boards[riding.behind(job)])
            served[maps] += np.searchsorted(boards, schedule.start[maps], "right")
        else:
            for other in riding.behind(job).tolist():
                served[maps] += riding.wants(other, maps) & (riding.boards[other] <= schedule.start[maps])
    return served


def first_services(schedule: Schedule) -> NDArray[np.float64]:
    """Return when the first map that serves each job starts, whosever it is, (jobs,); nan if none."""
    columns, riding = schedule.workload.columns, schedule.riding
    first = np.full(len(schedule.workload.jobs), np.nan)
    maps = np.flatnonzero((columns.kind == MAP) & (columns.duration > 0))
    if riding is None:
        np.fmin.at(first, columns.job[maps], schedule.start[maps])
        return first
    maps = maps[np.argsort(schedule.start[maps], kind="stable")]
    group = riding.group[columns.job[maps]]
    for which in np.unique(riding.group):
        mine = maps[group == which]
        for job in np.flatnonzero(riding.group == which).tolist():
            later = mine[np.searchsorted(schedule.start[mine], riding.boards[job]) :]
            if riding.block is not None:
                older = riding.place[columns.job[later]] <= riding.place[job]
                later = later[older & np.isin(riding.block[later], riding.wanted[job])]
            first[job] = schedule.start[later[0]] if len(later) else np.nan
    return first


def saved_seconds(schedule: Schedule) -> float:
    """Return the slot-seconds of scans that sharing saved."""
    if schedule.asked is None:
        return 0.0
    columns = schedule.workload.columns
    alone = sum(float(job.maps.task_durations.sum()) for job in schedule.asked.jobs)
    return alone - float(columns.duration[columns.kind == MAP].sum())


def waiting_to_board(schedule: Schedule) -> NDArray[np.float64]:
    """Return how long each job waited for its window to end, seconds, (jobs,)."""
    arrival = schedule.workload.columns.arrival
    return np.zeros(len(arrival)) if schedule.riding is None else schedule.riding.boards - arrival


def as_it_ran(
    schedule: Schedule, maps: NDArray[np.int64], duration: NDArray[np.float64], riding: Riding
) -> Schedule:
    """Return a schedule whose workload has just the tasks that ran, with the time they took.

    Parameters
    ----------
    schedule : with the tasks of all jobs, as if nobody shared
    maps : how many maps each job ran, the first of its own, (jobs,)
    duration : seconds of every task as it was when the task started, (tasks,)
    riding : who may ride with whom
    """
    asked = schedule.workload
    columns = asked.columns
    number = np.arange(len(columns.job)) - columns.first[columns.job, columns.kind]
    ran = (columns.kind != MAP) | (number < maps[columns.job])
    place = np.cumsum(ran) - 1
    return replace(
        schedule,
        workload=_workload_that_ran(asked, maps, duration),
        asked=asked,
        riding=riding if riding.block is None else replace(riding, block=_frozen(riding.block[ran])),
        slot=_frozen(schedule.slot[ran]),
        sequence=_frozen(place[schedule.sequence].astype(np.int32)),
        start=_frozen(schedule.start[ran]),
        shuffled=_frozen(schedule.shuffled[ran]),
        end=_frozen(schedule.end[ran]),
        events=2 * int(ran.sum()) + 3 * len(asked.jobs),
    )


def _workload_that_ran(asked: Workload, maps: NDArray[np.int64], duration: NDArray[np.float64]) -> Workload:
    columns = asked.columns
    changed = maps != columns.count[:, MAP]
    changed[columns.job[duration != columns.duration]] = True
    first = columns.first[:, MAP]
    jobs = tuple(
        replace(job, maps=Stage.of(n, duration[f : f + n]), blocks=())
        if is_new or (job.blocks and n)
        else job
        for job, n, f, is_new in zip(asked.jobs, maps.tolist(), first.tolist(), changed.tolist(), strict=True)
    )
    return replace(asked, jobs=jobs, datasets=(), checked_jobs=asked.jobs)


def _frozen(array: NDArray[Number]) -> NDArray[Number]:
    array.flags.writeable = False
    return array

"""What shared scans did in a finished schedule: which jobs a map served, what that saved, what ran."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.model.kept_read_only import read_only
from core.model.scan_sharing import ScanSharing
from core.model.stages import Stage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.shared_scans.windows import BoardingTimes

Number = TypeVar("Number", bound=np.generic)


def sharing_jobs(schedule: Schedule, task: int) -> tuple[int, ...]:
    """Return the jobs that a task serves, its own first; of a schedule without sharing that one alone.

    A map serves the job whose task it is and every job of its group that boarded later, but no later than
    the map started, and that scans its block.
    """
    columns, sharing = schedule.workload.columns, schedule.sharing
    job = int(columns.job[task])
    if sharing is None or columns.stages.number[columns.stage[task]] > 0:
        return (job,)
    later = sharing.behind(job)
    later = later[sharing.boards[later] <= schedule.start[task]]
    here = slice(task, task + 1)
    return (job, *(other for other in later.tolist() if np.all(sharing.wants(other, here))))


def shared_schedule(
    schedule: Schedule, maps: NDArray[np.int64], duration: NDArray[np.float64], sharing: ScanSharing
) -> Schedule:
    """Return a schedule whose workload has just the tasks that ran, with the time they took.

    Parameters
    ----------
    schedule : with the tasks of all jobs, as if nobody shared
    maps : how many maps each job ran, the first of its own, (jobs,)
    duration : seconds of every task as it was when the task started, (tasks,)
    sharing : which jobs may share scans
    """
    requested = schedule.workload
    columns = requested.columns
    ran = (columns.stages.number[columns.stage] > 0) | (columns.number < maps[columns.job])
    place = np.cumsum(ran) - 1
    return replace(
        schedule,
        workload=_workload_that_ran(requested, maps, duration),
        before_sharing=requested,
        sharing=sharing if sharing.block is None else replace(sharing, block=read_only(sharing.block[ran])),
        slot=read_only(schedule.slot[ran]),
        sequence=read_only(place[schedule.sequence].astype(np.int32)),
        start=read_only(schedule.start[ran]),
        shuffled=read_only(schedule.shuffled[ran]),
        end=read_only(schedule.end[ran]),
        events=2 * int(ran.sum()) + 3 * len(requested.jobs),
    )


def scan_sharing(
    boarding: BoardingTimes, index: NDArray[np.int64], *, shares: bool = True, **blocks: Any
) -> ScanSharing:
    """Return which jobs may share, for a schedule.

    Parameters
    ----------
    boarding : of the scans of a workload
    index : the workload's job of each scan, (jobs,)
    shares : whether anybody shares
    blocks : `block` and `wanted` of `ScanSharing`, where jobs scan some of the blocks only
    """
    count = len(index)
    group, boards, place = np.empty(count, np.int32), np.empty(count), np.empty(count, np.int64)
    group[index], boards[index] = boarding.group, boarding.boards
    place[index[boarding.order]] = np.arange(count)
    return ScanSharing(group, boards, place, shares, **blocks)


def _workload_that_ran(
    requested: Workload, maps: NDArray[np.int64], duration: NDArray[np.float64]
) -> Workload:
    columns, stages = requested.columns, requested.columns.stages
    scans = stages.begin[:-1]  # a job scans before all else
    changed = maps != stages.count[scans]
    changed[columns.job[duration != columns.duration]] = True
    first = stages.first[scans]
    jobs = tuple(
        replace(job.with_stage(0, Stage.of(n, duration[f : f + n])), blocks=())
        if is_new or (job.blocks and n)
        else job
        for job, n, f, is_new in zip(
            requested.jobs, maps.tolist(), first.tolist(), changed.tolist(), strict=True
        )
    )
    return replace(requested, jobs=jobs, datasets=(), checked_jobs=requested.jobs)

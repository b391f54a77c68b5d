"""The same task in another schedule: of what really ran in a simulation of it, or the other way round."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.model.schedule import Schedule


def same_task(schedule: Schedule, task: int, other: Schedule) -> int | None:
    """Return the index in another schedule of a task: the one of the same number in the job of that name.

    Parameters
    ----------
    task : index into the columns of the schedule's workload

    None where the other one has no such job, or the job has other stages there. The second task of job B is
    task 5 where four tasks of A come first, and task 1 where B is the only job.
    """
    workload, there = schedule.workload, other.workload
    job = int(workload.columns.job[task])
    mine, other_job = workload.jobs[job], there.job_index.get(workload.jobs[job].name)
    if other_job is None:
        return None
    counts = [[stage.count for stage in each.stages] for each in (mine, there.jobs[other_job])]
    if counts[0] != counts[1]:
        return None
    stages, others = workload.columns.stages, there.columns.stages
    first, other_first = int(stages.first[stages.begin[job]]), int(others.first[others.begin[other_job]])
    return task - first + other_first

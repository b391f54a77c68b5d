"""Which job of a schedule is which job of the document.

They differ while an edit is simulated: until then a chart shows the jobs as they were. Those of a record may
differ for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.job import Job
    from core.model.schedule import Schedule
    from core.model.workload import Workload


def has_same_jobs(schedule: Schedule, workload: Workload, *, in_order: bool = True) -> bool:
    """Whether the document has the jobs of a schedule, by name, and in the same order if that matters."""
    if schedule.workload.jobs is workload.jobs:
        return True
    theirs, ours = schedule.workload.job_index, workload.job_index
    return list(theirs) == list(ours) if in_order else theirs.keys() == ours.keys()


def places_in(schedule: Schedule, workload: Workload) -> tuple[int, NDArray[np.int64]] | None:
    """Return how many jobs the document has, and each of a schedule's place among them, -1 for none, (jobs,).

    None if all agree.
    """
    if has_same_jobs(schedule, workload):
        return None
    index = workload.job_index
    return len(index), np.array([index.get(name, -1) for name in schedule.workload.job_index], np.int64)


def document_job(schedule: Schedule, job: int, workload: Workload) -> int:
    """Return the index in the document of a chart's job, -1 for none."""
    return -1 if job < 0 else workload.job_index.get(schedule.workload.jobs[job].name, -1)


def chart_job(schedule: Schedule | None, job: int, workload: Workload) -> int:
    """Return the index in a chart of the document's job, -1 for none."""
    if schedule is None or job < 0:
        return -1
    return schedule.workload.job_index.get(workload.jobs[job].name, -1)


def queue_places(schedule: Schedule, workload: Workload) -> NDArray[np.int64]:
    """Return the place of each of the document's jobs in a schedule's queue; those it lacks come last."""
    if has_same_jobs(schedule, workload):
        return schedule.rank.astype(np.int64)
    index, last = schedule.workload.job_index, len(schedule.rank)
    rank = [*schedule.rank.tolist(), last]
    return np.array([rank[index.get(name, last)] for name in workload.job_index], np.int64)


def has_same_tasks(schedule: Schedule, workload: Workload) -> bool:
    """Whether a schedule's tasks are numbered like the document's: no job was added, removed or resized."""
    jobs = schedule.given.jobs
    # jobs that were not edited are the same objects, so this takes no time
    return jobs == workload.jobs or [*map(_tasks_of, jobs)] == [*map(_tasks_of, workload.jobs)]


def _tasks_of(job: Job) -> tuple[str, tuple[int, ...]]:
    return job.name, tuple(stage.count for stage in job.stages)

"""Which job of a recorded schedule is which job of the document: they differ after edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.model.workload import Workload


def places_in(schedule: Schedule, workload: Workload) -> NDArray[np.int64] | None:
    """Return the place of each job of a record in the document, -1 for none, (jobs,); None if all agree."""
    if schedule.record is None:
        return None
    names, index = [job.name for job in schedule.workload.jobs], workload.job_index
    if names == list(index):
        return None
    return np.array([index.get(name, -1) for name in names], np.int64)


def document_job(schedule: Schedule, job: int, workload: Workload) -> int:
    """Return the index in the document of a chart's job, -1 for none."""
    if schedule.record is None or job < 0:
        return job
    return workload.job_index.get(schedule.workload.jobs[job].name, -1)


def chart_job(schedule: Schedule | None, job: int, workload: Workload) -> int:
    """Return the index in a chart of the document's job, -1 for none."""
    if schedule is None or schedule.record is None or job < 0:
        return job
    return schedule.workload.job_index.get(workload.jobs[job].name, -1)


def queue_places(schedule: Schedule, workload: Workload) -> NDArray[np.int64] | None:
    """Return the place of each of the document's jobs in a schedule's queue; None if they do not fit."""
    if schedule.record is not None:
        index, last = schedule.workload.job_index, len(schedule.rank)
        rank = [*schedule.rank.tolist(), last]
        return np.array([rank[index.get(job.name, last)] for job in workload.jobs], np.int64)
    return schedule.rank.astype(np.int64) if len(schedule.rank) == len(workload.jobs) else None


def has_same_tasks(schedule: Schedule, workload: Workload) -> bool:
    """Whether a record's tasks are numbered like the document's: no job was added, removed or resized."""
    jobs = schedule.workload.jobs
    return len(jobs) == len(workload.jobs) and all(
        (one.name, one.maps.count, one.reduces.count) == (other.name, other.maps.count, other.reduces.count)
        for one, other in zip(jobs, workload.jobs, strict=True)
    )

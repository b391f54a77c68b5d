"""When jobs depart, and how late that is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.model.schedule import Schedule


def lateness(schedule: Schedule) -> NDArray[np.float64]:
    """Return how long after its deadline each job departs, (jobs,), in seconds.

    Negative for a job that is early, minus infinity for one without a deadline; a job that departs at its
    deadline meets it (001 section V counts T > D).
    """
    return schedule.finish - schedule.workload.columns.deadline


def late_jobs(schedule: Schedule) -> dict[str, float]:
    """Return the jobs that miss their deadlines, by name, with how late they are in seconds."""
    late = lateness(schedule)
    return {schedule.workload.jobs[job].name: float(late[job]) for job in np.flatnonzero(late > 0).tolist()}


def job_ends(schedule: Schedule) -> dict[str, float]:
    """Return when each job departed, by name, in seconds from the start of the workload."""
    names = (job.name for job in schedule.workload.jobs)
    return dict(zip(names, schedule.finish.tolist(), strict=True))


def end_changes(ends: Mapping[str, float], baseline: Mapping[str, float]) -> dict[str, float]:
    """Return how many seconds later each job departs than in the baseline (negative: earlier), by name.

    Jobs that one of them lacks, or that never depart, are left out.

    >>> end_changes({"J1": 5.0, "J2": 9.0}, {"J1": 7.0})
    {'J1': -2.0}
    """
    changes = {name: end - baseline[name] for name, end in ends.items() if name in baseline}
    return {name: change for name, change in changes.items() if math.isfinite(change)}


def late_jobs_with(schedule: Schedule, deadline: NDArray[np.float64]) -> int:
    """Count the jobs that would be late if these were the deadlines, (jobs,), infinity for none."""
    return int(np.count_nonzero(schedule.finish > deadline))

"""Which task of one schedule is a given task of another one of the same jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.explain.start_cause import NOBODY

if TYPE_CHECKING:
    from core.model.schedule import Schedule


def same_task(schedule: Schedule, task: int, other: Schedule) -> int:
    """Return the index in `other` of what is task `task` in `schedule`, NOBODY if it did not run there.

    Indices differ where scans are shared (one map then stands for several), and in a record of jobs that
    were edited since.
    """
    if schedule.record is not None or other.record is not None:
        return _of_same_name(schedule, task, other)
    return other.own_task(task if schedule.asked is None else int(schedule.given_task[task]))


def _of_same_name(schedule: Schedule, task: int, other: Schedule) -> int:
    """Return the task of the same number in the job of the same name: a record has jobs of its own."""
    columns, there = schedule.workload.columns, other.workload.columns
    job, kind = int(columns.job[task]), int(columns.kind[task])
    number = task - int(columns.first[job, kind])
    same = other.workload.job_index.get(schedule.workload.jobs[job].name)
    if same is None or number >= there.count[same, kind]:
        return NOBODY
    return int(there.first[same, kind]) + number

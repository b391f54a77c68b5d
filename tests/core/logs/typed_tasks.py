"""The tasks of jobs whose stages are a graph, by the type of slot that they run on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.model.job import Job


def durations_of(job: Job, task_type: int) -> list[float]:
    """Return the durations of the tasks of a type, stage by stage, s."""
    stages = zip(job.stages, job.graph.task_types, strict=True)
    return [time for stage, kind in stages if kind == task_type for time in stage.task_durations.tolist()]


def counts_of(job: Job) -> list[int]:
    """Return how many maps and how many reduces a job has."""
    return [job.count_of(task_type) for task_type in (0, 1)]

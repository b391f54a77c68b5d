"""The workload as hooks of users see it: every stage has the times of each of its tasks, one by one.

A stage may keep one number for thousands of equal tasks. To a hook `sum(stage.durations)` would then be
the time of a single task, and nothing would say so.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from core.model.kept_read_only import read_only
from core.model.stages import Stage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.job import Job
    from core.model.workload import Workload

MAX_KEPT = 4


@lru_cache(MAX_KEPT)
def with_every_task(workload: Workload) -> Workload:
    """Return a workload whose stages have a duration, first and typical shuffle (seconds) for each task.

    A stage of 30 maps of 4 s has 30 numbers then, and their sum is 120 s; one without tasks keeps a single 0.
    Columns and all else are those of the workload, which is returned where nothing is to be done.
    """
    jobs = tuple(_job(job) for job in workload.jobs)
    if all(new is old for new, old in zip(jobs, workload.jobs, strict=True)):
        return workload
    every = replace(workload, jobs=jobs, checked_jobs=jobs)
    vars(every)["columns"] = workload.columns  # a cached property: the same to the last bit
    return every


def _job(job: Job) -> Job:
    if all(_is_complete(stage) for stage in job.stages):
        return job
    return replace(job, stages=tuple(stage if _is_complete(stage) else _stage(stage) for stage in job.stages))


def _times(stage: Stage) -> tuple[NDArray[np.float64], ...]:
    return stage.durations, stage.first_shuffle, stage.typical_shuffle


def _is_complete(stage: Stage) -> bool:
    return stage.count == 0 or all(len(times) == stage.count for times in _times(stage))


def _stage(stage: Stage) -> Stage:
    return Stage(stage.count, *(_of_each(times, stage.count) for times in _times(stage)))


def _of_each(times: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return the time of each task; a single one takes no more memory than before."""
    if len(times) == 1:
        return np.broadcast_to(times[0], count)
    return read_only(np.resize(times, count))

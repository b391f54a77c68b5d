"""The workload that a policy plans on: the same jobs, with durations that are estimated or were recorded.

A factor is the inverse of the normal distribution at a number that the hash SHAKE-128 makes of the seed and
the name of the job (or dataset), rounded to six decimals. So it depends neither on other jobs, nor on a
library's generator of random numbers, nor on the last bit of a machine's exponential function.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.error_factors import COMMON_SHARE
from core.model.job import scan_stage
from core.model.kept_answers import kept
from core.model.limits import MAX_BYTES, MAX_SECONDS
from core.model.stages import MAP_REDUCE, Stage
from core.model.task_types import KIND_WORDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.estimates import DurationEstimates
    from core.model.job import Dataset, Job
    from core.model.workload import Workload

    Floats = NDArray[np.float64]

MIN_FACTOR = 1e-6
ALL_JOBS = "all jobs"
"""Key of what the errors of all jobs have in common; those of jobs and datasets have two lines."""


def estimated_workload(workload: Workload, estimates: DurationEstimates | None) -> Workload:
    """Return the workload that a policy plans on; without estimates the true one.

    Arrivals, deadlines, pools and numbers of tasks stay. Kept for the workloads last asked for.
    """
    return workload if estimates is None else _estimated(workload, estimates)


@kept(4)
def _estimated(workload: Workload, estimates: DurationEstimates) -> Workload:
    datasets = {dataset.name: _estimated_dataset(dataset, estimates) for dataset in workload.datasets}
    jobs = tuple(_estimated_job(job, estimates, datasets.get(job.dataset or "")) for job in workload.jobs)
    listed = tuple(datasets.values())
    return replace(workload, jobs=jobs, datasets=listed, recorded=None, checked_jobs=jobs)


def _estimated_dataset(dataset: Dataset, estimates: DurationEstimates) -> Dataset:
    factor = estimate_factors(estimates, f"dataset\n{dataset.name}").item()
    return replace(dataset, block_seconds=min(dataset.block_seconds * factor, MAX_SECONDS))


def _estimated_job(job: Job, estimates: DurationEstimates, dataset: Dataset | None) -> Job:
    ran = None
    if estimates.profile is not None and job.name in estimates.profile.job_index:
        ran = estimates.profile.jobs[estimates.profile.job_index[job.name]]
    known = ran if ran is not None and ran.graph == job.graph else None
    estimated = _with_error(job, estimates) if known is None else _as_it_ran(job, known)
    return estimated if dataset is None else estimated.with_stage(0, scan_stage(dataset, job.blocks))


def _as_it_ran(job: Job, ran: Job) -> Job:
    """Return a job with the durations of an earlier run of it; a stage that did not run keeps its own."""
    stages = tuple(
        replace(before, count=now.count) if before.count and now.count else now
        for now, before in zip(job.stages, ran.stages, strict=True)
    )
    return replace(job, stages=stages, shuffle_bytes=ran.shuffle_bytes)


def _with_error(job: Job, estimates: DurationEstimates) -> Job:
    """Return a job whose durations are wrong, by one factor or each by its own; its bytes by their mean."""
    if estimates.per != "task":
        factors = [estimate_factors(estimates, f"job\n{job.name}")] * len(job.stages)
    else:
        factors = [
            estimate_factors(estimates, f"{key}\n{job.name}", stage.count)
            for key, stage in zip(_stage_keys(job), job.stages, strict=True)
        ]
    shuffled = job.shuffle_bytes
    if shuffled is not None and len(factors[-1]):
        shuffled = min(shuffled * float(factors[-1].mean()), MAX_BYTES)
    stages = tuple(map(_scaled, job.stages, factors))
    return replace(job, stages=stages, shuffle_bytes=shuffled)


def _stage_keys(job: Job) -> list[str]:
    """Return the names of a job's stages where factors are drawn: "maps" and "reduces"."""
    if job.graph == MAP_REDUCE:
        return [f"{word}s" for word in KIND_WORDS]
    return [f"stage {number}" for number in range(len(job.stages))]


def _scaled(stage: Stage, factors: Floats) -> Stage:
    """Return a stage with its times multiplied by one factor, or every task's by its own."""
    if stage.count == 0 or bool((factors == 1).all()):
        return stage

    def scaled(samples: Floats) -> Floats:
        each = samples if len(factors) == 1 else np.resize(samples, stage.count)
        return np.minimum(each * factors, MAX_SECONDS)

    times = (stage.durations, stage.first_shuffle, stage.typical_shuffle)
    return Stage.of(stage.count, *map(scaled, times))


def estimate_factors(estimates: DurationEstimates, key: str, count: int = 1) -> Floats:
    """Return log-normal factors of mean 1 with the estimates' error, the same for a key always, (count,).

    Correlated ones have a part that all keys share.
    """
    from scipy.special import ndtri  # only a run that plans on guesses needs it

    def normals(of: str) -> Floats:
        text = f"{estimates.seed}\n{of}".encode("utf-8", "backslashreplace")
        words = np.frombuffer(hashlib.shake_128(text).digest(8 * count), "<u8")
        drawn: Floats = ndtri(((words >> np.uint64(11)) + 0.5) * 2.0**-53)
        return drawn

    normal = normals(key)
    if estimates.per == "correlated":
        normal = np.sqrt(COMMON_SHARE) * normals(ALL_JOBS) + np.sqrt(1 - COMMON_SHARE) * normal
    drawn = np.exp(estimates.spread * normal - estimates.spread**2 / 2)
    factors: Floats = np.maximum(np.round(drawn, 6), MIN_FACTOR)
    return factors

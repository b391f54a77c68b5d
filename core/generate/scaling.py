"""Scale jobs to another size of their input: from a trace of a small data set to a large one.

001 (future work) names trace scaling and leaves it open; 000 section 2.2 applies a job's profile to a new
data set. Ours, by how Hadoop splits work: a map reads one split of fixed size, so that maps grow in number
and take as long as before; what the maps hand over is split among the reduces, so that shuffles and reduces
take time in proportion to the data that falls on one of them. Reduces keep their number, as in Hadoop, where
users give it, or grow in proportion.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.model.errors import InputError, shorten
from core.model.job import scan_stage
from core.model.stages import Stage

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from core.model.job import Blocks, Dataset, Job
    from core.model.workload import Workload

ReduceRule = Literal["stay", "scale"]
MIN_FACTOR, LARGEST_FACTOR = 1e-6, 1e6


def scale_job(job: Job, factor: float, reduces: ReduceRule = "stay") -> Job:
    """Return a job as it would be with `factor` times its input.

    Parameters
    ----------
    job : any; arrival, deadline and everything else stay as they are
    factor : input afterwards / input before
    reduces : whether the number of reduces stays, or scales as that of the maps does

    Maps become ``factor`` times as many (rounded half up, at least 1 where there were some). Shuffles and
    reduces take ``factor * reduces before / reduces afterwards`` times as long; rounding a number of
    reduces changes no work. New tasks take the job's samples in turn; fewer tasks take samples that lie
    evenly among the old tasks. Shuffled bytes grow by the factor.

    Raises
    ------
    InputError
        the factor or the rule is not among those allowed
    """
    _check(factor, reduces)
    stages = (
        _scaled_stage(stage, factor, reduces if job.graph.parents(number) else None)
        for number, stage in enumerate(job.stages)
    )
    shuffled = None if job.shuffle_bytes is None else job.shuffle_bytes * factor
    return replace(job.with_stages(tuple(stages)), shuffle_bytes=shuffled)


def scale_workload(
    workload: Workload, factor: float, reduces: ReduceRule = "stay", jobs: Collection[str] | None = None
) -> Workload:
    """Return a workload in which some jobs, or all, have `factor` times their input.

    The source says so; how a generator drew the jobs no longer holds and is left out, while what a log
    recorded stays, to be compared with. Datasets that chosen jobs scan get as many times the blocks.

    Parameters
    ----------
    workload, factor, reduces : see `scale_job`
    jobs : names; None for all

    Raises
    ------
    InputError
        the factor is out of range, no job is named, or one that is not chosen scans the same dataset
    DocumentError
        the tasks become too many, or too long
    """
    _check(factor, reduces)
    chosen = set(workload.job_index if jobs is None else jobs)
    if not chosen:
        raise InputError("no job is chosen; choose at least one to scale")
    for name in chosen - workload.job_index.keys():
        raise InputError(f"there is no job '{name}' in {workload.name}")
    grown = _scaled_datasets(workload, factor, chosen)
    scaled = [
        _rescanned(scale_job(job, factor, reduces), grown) if job.name in chosen else job
        for job in workload.jobs
    ]
    what = "All jobs" if len(chosen) == len(workload.jobs) else f"{len(chosen)} of the jobs"
    note = f"{what} scaled to {factor:g} times the input; the number of reduces {_RULES[reduces]}."
    source = "\n".join(part for part in (workload.source, note) if part)
    return replace(
        workload,
        jobs=tuple(scaled),
        datasets=tuple(grown.get(dataset.name, (dataset,))[-1] for dataset in workload.datasets),
        source=source,
        origin=None,
    )


_RULES: dict[ReduceRule, str] = {"stay": "stayed", "scale": "scaled, too"}


def _check(factor: float, reduces: str) -> None:
    if not MIN_FACTOR <= factor <= LARGEST_FACTOR:
        raise InputError(
            f"the factor is {shorten(factor)}; give a number from {MIN_FACTOR:g} to {LARGEST_FACTOR:g}: "
            "2 is twice the input"
        )
    if reduces not in _RULES:
        raise InputError(f"reduces is {shorten(reduces)}; choose one of {', '.join(_RULES)}")


def _scaled_datasets(
    workload: Workload, factor: float, chosen: set[str]
) -> dict[str, tuple[Dataset, Dataset]]:
    """Return the datasets that chosen jobs scan, by name, as they are and with their new blocks."""
    scanned = {job.dataset for job in workload.jobs if job.name in chosen}
    listed = {dataset.name: dataset for dataset in workload.datasets if dataset.name in scanned}
    for job in workload.jobs:
        if job.dataset in listed and job.name not in chosen:
            raise InputError(
                f"dataset '{job.dataset}' is scanned by job '{job.name}', too, which is not chosen; choose "
                "all jobs that scan it"
            )
    return {name: (d, replace(d, blocks=_scaled(d.blocks, factor))) for name, d in listed.items()}


def _rescanned(job: Job, grown: Mapping[str, tuple[Dataset, Dataset]]) -> Job:
    """Return a job with a map for each block of its dataset, if that one is listed."""
    if job.dataset is None or job.dataset not in grown:
        return job
    before, after = grown[job.dataset]
    blocks = _scaled_blocks(job.blocks, before.blocks, after.blocks)
    return replace(job, stages=(scan_stage(after, blocks), *job.stages[1:]), blocks=blocks)


def _scaled_blocks(blocks: Blocks, before: int, after: int) -> Blocks:
    """Return the same parts of a dataset in its new blocks, at least one block for each; neighbours join."""
    ranges: list[tuple[int, int]] = []
    for begin, end in blocks:
        first = min(begin * after // before, after - 1)
        last = max(-(-end * after // before), first + 1)
        if ranges and first <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(last, ranges[-1][1]))
        else:
            ranges.append((first, last))
    return tuple(ranges)


def _scaled(count: int, factor: float) -> int:
    return max(1, math.floor(count * factor + 0.5)) if count else 0


def _scaled_stage(stage: Stage, factor: float, rule: ReduceRule | None) -> Stage:
    """Return a stage with the factor's share of the input; `rule` is None for one that waits for no other."""
    count = stage.count if rule == "stay" else _scaled(stage.count, factor)
    longer = 1.0 if rule is None or not count else factor * stage.count / count
    return _resized(stage, count, longer)


def _resized(stage: Stage, count: int, longer: float) -> Stage:
    samples = (stage.durations, stage.first_shuffle, stage.typical_shuffle)
    return Stage.of(count, *(_samples(each, stage.count, count, longer) for each in samples))


def _samples(samples: NDArray[np.float64], before: int, after: int, longer: float) -> NDArray[np.float64]:
    """Return the samples that the tasks take in turn, some of the old ones if the tasks become fewer."""
    if 0 < after < before and len(samples) > 1:
        samples = np.resize(samples, before)[np.arange(after) * before // after]
    return samples * longer


def scale_durations(workload: Workload, maps: float = 1.0, reduces: float = 1.0) -> Workload:
    """Return a workload whose maps, and whose reduces with their shuffles, take so many times as long.

    The blocks of datasets take so many times as long as maps do. What a log recorded is left out.
    """
    datasets = tuple(replace(each, block_seconds=each.block_seconds * maps) for each in workload.datasets)
    scans = {dataset.name: dataset for dataset in datasets}
    factors = (maps, reduces)
    jobs = []
    for job in workload.jobs:
        stages = [
            _longer(stage, factors[task_type])
            for task_type, stage in zip(job.graph.task_types, job.stages, strict=True)
        ]
        if job.dataset in scans:
            stages[0] = scan_stage(scans[job.dataset], job.blocks)
        jobs.append(job.with_stages(tuple(stages)))
    return replace(workload, jobs=tuple(jobs), datasets=datasets, origin=None, recorded=None)


def stretch_arrivals(workload: Workload, factor: float) -> Workload:
    """Return a workload whose jobs arrive so many times as far apart; deadlines stay as far from arrivals."""
    jobs = []
    for job in workload.jobs:
        later = job.arrival * (factor - 1)
        deadline = None if job.deadline is None else job.deadline + later
        jobs.append(replace(job, arrival=job.arrival + later, deadline=deadline))
    return replace(workload, jobs=tuple(jobs), origin=None, recorded=None)


def _longer(stage: Stage, factor: float) -> Stage:
    times = (stage.durations, stage.first_shuffle, stage.typical_shuffle)
    return stage if factor == 1.0 else Stage.of(stage.count, *(each * factor for each in times))

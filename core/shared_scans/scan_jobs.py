"""Jobs that scan datasets, as read-only columns: what shared scans are planned on, also from a workload."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.model.kept_read_only import read_only

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from core.model.job import Job, ServiceLevels
    from core.model.workload import Workload

TARGET, MAX, MAY_START, MIN = 0, 1, 2, 3
"""What a plan writes into a job's memory: `ScanAssignment` says what it means."""


@dataclass(frozen=True, eq=False)
class ScanJobs:
    """Every array has one entry per job, by arrival.

    Attributes
    ----------
    arrival : seconds, ascending
    dataset : which dataset the job scans, int32
    work : slot-seconds of the dataset's scan for one job alone
    scan_fraction : part of that work which sharing jobs share; the rest is each job's own, 0 to 1
    weight : above 0
    minimum, maximum : slots the job should hold at least while it runs, and may hold at most
    deadline : seconds, infinity for none
    steps : the service level agreement of each job, or nothing at all; not an array
    """

    arrival: NDArray[np.float64]
    dataset: NDArray[np.int32]
    work: NDArray[np.float64]
    scan_fraction: NDArray[np.float64]
    weight: NDArray[np.float64]
    minimum: NDArray[np.float64]
    maximum: NDArray[np.float64]
    deadline: NDArray[np.float64]
    steps: tuple[ServiceLevels, ...] = ()

    @classmethod
    def of(
        cls,
        arrival: ArrayLike,
        dataset: ArrayLike,
        work: ArrayLike,
        *,
        scan_fraction: ArrayLike = 1.0,
        weight: ArrayLike = 1.0,
        minimum: ArrayLike = 0.0,
        maximum: ArrayLike = np.inf,
        deadline: ArrayLike = np.inf,
        steps: Sequence[ServiceLevels] = (),
    ) -> ScanJobs:
        """Build the columns from sequences; a single number holds for every job.

        Raises
        ------
        InputError
            arrivals are not ascending, or a value is out of its range
        """
        times = np.array(arrival, np.float64, ndmin=1)

        def column(values: ArrayLike) -> NDArray[np.float64]:
            return read_only(np.array(np.broadcast_to(np.asarray(values, np.float64), times.shape)))

        times.flags.writeable = False
        which = np.array(np.broadcast_to(np.asarray(dataset, np.int32), times.shape))
        which.flags.writeable = False
        jobs = cls(
            times,
            which,
            column(work),
            column(scan_fraction),
            column(weight),
            column(minimum),
            column(maximum),
            column(deadline),
            tuple(steps),
        )
        _check(jobs)
        return jobs

    def shortest_response(self, slots: float) -> NDArray[np.float64]:
        """Return how long each job takes alone on the cluster, seconds, (jobs,)."""
        shortest: NDArray[np.float64] = self.work / np.minimum(self.maximum, slots)
        return shortest


def _check(jobs: ScanJobs) -> None:
    rules = (
        (np.diff(jobs.arrival, prepend=0.0) >= 0, "arrivals must be 0 s or later and ascending"),
        (jobs.work > 0, "work must be above 0 slot-seconds"),
        ((jobs.scan_fraction >= 0) & (jobs.scan_fraction <= 1), "a scan fraction is from 0 to 1"),
        (jobs.weight > 0, "weights must be above 0"),
        ((jobs.minimum >= 0) & (jobs.minimum <= jobs.maximum), "minimum slots are from 0 to the maximum"),
        (jobs.maximum > 0, "maximum slots must be above 0"),
        (
            np.array([all(sorted(c) == list(c) for c in zip(*each, strict=True)) for each in jobs.steps]),
            "the times and the costs of service levels must both ascend",
        ),
    )
    for holds, rule in rules:
        if not np.all(holds):
            raise InputError(f"scan job {int(np.argmin(holds))}: {rule}")


def shared_work(length: float, scan_fraction: float, concurrency: int) -> float:
    """Return the slot-seconds of a scan that serves several jobs: only the scan fraction is shared."""
    return length * (scan_fraction + (1 - scan_fraction) * concurrency)


@dataclass(frozen=True, eq=False)
class WorkloadScans:
    """The scans of a workload's jobs, by arrival.

    Attributes
    ----------
    jobs : the columns; a job that scans no listed dataset, or not the whole of it, has one of its own
    index : the job of the workload that each entry stands for, (jobs,)
    block_seconds : of one block, for one job alone; of other jobs the mean of their maps, (jobs,)
    is_shared : whether the job scans a listed dataset, and the whole of it, (jobs,)
    """

    jobs: ScanJobs
    index: NDArray[np.int64]
    block_seconds: NDArray[np.float64]
    is_shared: NDArray[np.bool_]


def workload_scans(workload: Workload, steps: ServiceLevels = ()) -> WorkloadScans:
    """Return the scans of a workload; jobs without maps count as scans of no length.

    Parameters
    ----------
    workload : jobs with their datasets
    steps : service levels of jobs that have none of their own, with times from their arrival
    """
    columns = workload.columns
    order = np.argsort(columns.arrival, kind="stable")
    known = {dataset.name: d for d, dataset in enumerate(workload.datasets)}
    number = np.array([known.get(job.dataset or "", -1) for job in workload.jobs], np.int64)
    # a job over some of the blocks fits into no chain: here it scans by itself (see
    # `core.shared_scans.block_sets`)
    is_shared = (number >= 0) & np.array([not job.blocks for job in workload.jobs])
    own = np.where(is_shared, number, len(known) + np.arange(len(number)))
    work = np.array([float(job.stages[0].task_durations.sum()) for job in workload.jobs])
    count = np.array([max(job.stages[0].count, 1) for job in workload.jobs])
    fraction = [workload.datasets[d].scan_fraction if d >= 0 else 1.0 for d in number]
    maximum = np.array([job.max_slots or np.inf for job in workload.jobs])
    jobs = ScanJobs.of(
        columns.arrival[order],
        own[order],
        np.maximum(work, SHORTEST)[order],
        scan_fraction=np.array(fraction)[order],
        weight=columns.weight[order],
        minimum=np.array([job.min_slots for job in workload.jobs], np.float64)[order],
        maximum=maximum[order],
        deadline=columns.deadline[order],
        steps=[_levels(workload.jobs[index], steps) for index in order.tolist()],
    )
    return WorkloadScans(jobs, order, (work / count)[order], is_shared[order])


def _levels(job: Job, usual: ServiceLevels) -> ServiceLevels:
    return job.service_levels or tuple((job.arrival + time, cost) for time, cost in usual)


@dataclass(frozen=True, eq=False)
class WorkloadBlockSets:
    """The scans of a workload whose jobs scan some of the blocks of their datasets, by arrival.

    Attributes
    ----------
    jobs : the columns; a job that scans no listed dataset has one of its own
    index : the job of the workload that each entry stands for, (jobs,)
    blocks : the blocks that each entry scans, ascending, one array per entry
    size : blocks of the dataset of each entry, (jobs,)
    block_seconds : of one block, for one job alone; of other jobs the mean of their maps, (jobs,)
    is_listed : whether the job scans a listed dataset, (jobs,)
    """

    jobs: ScanJobs
    index: NDArray[np.int64]
    blocks: tuple[NDArray[np.int32], ...]
    size: NDArray[np.int64]
    block_seconds: NDArray[np.float64]
    is_listed: NDArray[np.bool_]

    @property
    def ranges(self) -> list[list[tuple[float, float]]]:
        """What each entry scans of its dataset, as ranges of slot-seconds."""
        ranges = []
        for entry, blocks in enumerate(self.blocks):
            if not self.is_listed[entry]:
                ranges.append([(0.0, float(self.jobs.work[entry]))])
                continue
            breaks = np.flatnonzero(np.diff(blocks) > 1)
            begins, ends = np.r_[blocks[0], blocks[breaks + 1]], np.r_[blocks[breaks], blocks[-1]] + 1
            pairs = np.stack([begins, ends], axis=1) * float(self.block_seconds[entry])
            ranges.append([(begin, end) for begin, end in pairs.tolist()])
        return ranges


def workload_block_sets(workload: Workload, steps: ServiceLevels = ()) -> WorkloadBlockSets:
    """Return the scans of a workload for sets of blocks that overlap; `steps` as of `workload_scans`."""
    scans = workload_scans(workload, steps)
    known = {dataset.name: d for d, dataset in enumerate(workload.datasets)}
    number, seconds = scans.jobs.dataset.copy(), scans.block_seconds.copy()
    blocks, size = [], []
    for entry, index in enumerate(scans.index.tolist()):
        job = workload.jobs[index]
        dataset = workload.datasets[known[job.dataset]] if job.dataset in known else None
        if dataset is not None:
            number[entry], seconds[entry] = known[dataset.name], dataset.block_seconds
        size.append(job.stages[0].count if dataset is None else dataset.blocks)
        ranges = job.blocks or ((0, size[-1]),)
        blocks.append(np.concatenate([np.arange(begin, end, dtype=np.int32) for begin, end in ranges]))
    number.flags.writeable = False
    is_listed = np.array([workload.jobs[index].dataset in known for index in scans.index.tolist()])
    jobs = replace(scans.jobs, dataset=number)
    return WorkloadBlockSets(jobs, scans.index, tuple(blocks), np.array(size), seconds, is_listed)


SHORTEST = 1e-9
"""Slot-seconds of a scan of no length: a job has to have some work."""


def least_scan_work(workload: Workload) -> float:
    """Return slot-seconds below which the maps of a workload cannot be brought by sharing scans.

    Of a listed dataset each block that jobs need counts once for its scan fraction (003 section 4's f) and
    once per job for the rest; maps of other jobs count whole.
    """
    known = {dataset.name: dataset for dataset in workload.datasets}
    needed = {name: np.zeros(dataset.blocks, np.bool_) for name, dataset in known.items()}
    total = 0.0
    for job in workload.jobs:
        dataset = known.get(job.dataset or "")
        if dataset is None:
            total += float(job.stages[0].task_durations.sum())
            continue
        for begin, end in job.blocks or ((0, dataset.blocks),):
            needed[dataset.name][begin:end] = True
        total += (1 - dataset.scan_fraction) * dataset.count(job.blocks) * dataset.block_seconds
    return total + sum(
        dataset.scan_fraction * int(needed[name].sum()) * dataset.block_seconds
        for name, dataset in known.items()
    )

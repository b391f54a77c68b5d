"""From the jobs and datasets of a workload to the columns that shared scans are planned on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.shared_scans.scan_jobs import ScanJobs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.workload import Workload


@dataclass(frozen=True, eq=False)
class WorkloadScans:
    """The scans of a workload's jobs, by arrival.

    Attributes
    ----------
    jobs : the columns; a job that scans no listed dataset, or not the whole of it, has one of its own
    index : the job of the workload that each entry stands for, (jobs,)
    block_seconds : of one block, for one rider; of other jobs the mean of their maps, (jobs,)
    is_shared : whether the job scans a listed dataset, and the whole of it, (jobs,)
    """

    jobs: ScanJobs
    index: NDArray[np.int64]
    block_seconds: NDArray[np.float64]
    is_shared: NDArray[np.bool_]


def workload_scans(workload: Workload, steps: tuple[tuple[float, float], ...] = ()) -> WorkloadScans:
    """Return the scans of a workload; jobs without maps count as scans of no length.

    Parameters
    ----------
    workload : jobs with their datasets
    steps : service levels: (response in seconds, cost) of each
    """
    columns = workload.columns
    order = np.argsort(columns.arrival, kind="stable")
    known = {dataset.name: d for d, dataset in enumerate(workload.datasets)}
    number = np.array([known.get(job.dataset or "", -1) for job in workload.jobs], np.int64)
    # a job over some of the blocks fits into no chain: here it scans by itself (see
    # `core.shared_scans.block_sets`)
    is_shared = (number >= 0) & np.array([not job.blocks for job in workload.jobs])
    own = np.where(is_shared, number, len(known) + np.arange(len(number)))
    work = np.array([float(job.maps.task_durations.sum()) for job in workload.jobs])
    count = np.array([max(job.maps.count, 1) for job in workload.jobs])
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
        steps=steps,
    )
    return WorkloadScans(jobs, order, (work / count)[order], is_shared[order])


@dataclass(frozen=True, eq=False)
class WorkloadBlockSets:
    """The scans of a workload whose jobs scan some of the blocks of their datasets, by arrival.

    Attributes
    ----------
    jobs : the columns; a job that scans no listed dataset has one of its own
    index : the job of the workload that each entry stands for, (jobs,)
    blocks : the blocks that each entry scans, ascending, one array per entry
    size : blocks of the dataset of each entry, (jobs,)
    block_seconds : of one block, for one rider; of other jobs the mean of their maps, (jobs,)
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


def workload_block_sets(workload: Workload, steps: tuple[tuple[float, float], ...] = ()) -> WorkloadBlockSets:
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
        size.append(job.maps.count if dataset is None else dataset.blocks)
        ranges = job.blocks or ((0, size[-1]),)
        blocks.append(np.concatenate([np.arange(begin, end, dtype=np.int32) for begin, end in ranges]))
    number.flags.writeable = False
    is_listed = np.array([workload.jobs[index].dataset in known for index in scans.index.tolist()])
    jobs = replace(scans.jobs, dataset=number)
    return WorkloadBlockSets(jobs, scans.index, tuple(blocks), np.array(size), seconds, is_listed)


SHORTEST = 1e-9
"""Slot-seconds of a scan of no length: a job has to have some work."""

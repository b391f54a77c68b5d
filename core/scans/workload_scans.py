"""From the jobs and datasets of a workload to the columns that shared scans are planned on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.scans.scan_jobs import ScanJobs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.workload import Workload


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
    # a job over some of the blocks fits into no chain: here it scans by itself (see `core.scans.block_sets`)
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


def workload_block_sets(
    workload: Workload, steps: tuple[tuple[float, float], ...] = ()
) -> tuple[ScanJobs, list[list[tuple[float, float]]], NDArray[np.int64]]:
    """Return jobs, what each scans of its dataset in slot-seconds, and the workload's job of each entry.

    For sets of blocks that overlap; a job without a listed dataset scans one of its own.
    """
    scans = workload_scans(workload, steps)
    known = {dataset.name: d for d, dataset in enumerate(workload.datasets)}
    number, ranges = scans.jobs.dataset.copy(), []
    for entry, index in enumerate(scans.index.tolist()):
        job = workload.jobs[index]
        if job.dataset not in known:
            ranges.append([(0.0, float(scans.jobs.work[entry]))])
            continue
        number[entry] = known[job.dataset]
        dataset = workload.datasets[known[job.dataset]]
        blocks = job.blocks or ((0, dataset.blocks),)
        ranges.append([(a * dataset.block_seconds, b * dataset.block_seconds) for a, b in blocks])
    number.flags.writeable = False
    return replace(scans.jobs, dataset=number), ranges, scans.index


SHORTEST = 1e-9
"""Slot-seconds of a scan of no length: a job has to have some work."""

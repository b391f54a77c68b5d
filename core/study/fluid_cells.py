"""Cells in the fluid model of shared scans (003 section 4): slots are divisible, plans are followed exactly.

The same workloads, clusters and policies as task by task; the measures are those of scans.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import InputError, did_you_mean
from core.model.kept_answers import kept
from core.model.parameters import check_parameters
from core.model.service_levels import read_service_levels
from core.policies.registry import describe
from core.policies.shared_scans import metric_for
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.scan_jobs import workload_scans
from core.shared_scans.windows import SCAN_POLICIES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.schedule import PolicyChoice
    from core.model.workload import Workload
    from core.shared_scans.fluid import FluidSchedule
    from core.shared_scans.scan_jobs import WorkloadScans


def fluid_schedule(workload: Workload, cluster: Cluster, choice: PolicyChoice) -> FluidSchedule:
    """Schedule the scans of a workload in the fluid model; its reduces are left out.

    Raises
    ------
    InputError
        the policy shares no scans, jobs scan some blocks of a dataset only, or nothing can run maps
    """
    if choice.id not in SCAN_POLICIES:
        raise InputError(
            f"policy '{choice.id}' is none of the fluid model{did_you_mean(choice.id, SCAN_POLICIES)}; "
            "choose one of them, or leave simulation.model out"
        )
    if any(job.blocks for job in workload.jobs):
        raise InputError(
            f"jobs of {workload.name} scan some blocks of a dataset; in a study the fluid model has whole "
            "datasets only"
        )
    given: dict[str, Any] = check_parameters(describe(choice.id).parameters, choice.parameters, choice.id)
    scans = _scans(workload, given["service_levels"])
    windows = {name: given[name] for name in ("window", "load") if name in given}
    slots, _ = cluster.stage_slots
    metric = metric_for(workload, given["metric"])
    return schedule_scans(scans.jobs, slots, choice.id, metric, with_pieces=False, **windows)


@kept(4)
def _scans(workload: Workload, service_levels: str) -> WorkloadScans:
    """Return the scans of a workload; the cells of one follow one another."""
    return workload_scans(workload, read_service_levels(service_levels))


# ---- measures


def objective(schedule: FluidSchedule) -> float:
    """Return the metric that the policy made as small as it could."""
    return schedule.value


def scan_work(schedule: FluidSchedule) -> float:
    """Return the slot-seconds that all scans took."""
    return schedule.work


def most_sharing(schedule: FluidSchedule) -> float:
    """Return the most jobs that were active at once on one dataset."""
    return float(sharing_jobs(schedule).max())


def largest_batch(schedule: FluidSchedule) -> float:
    """Return the most jobs of one dataset that were scanned together."""
    return float(batch_sizes(schedule).max())


def mean_batch(schedule: FluidSchedule) -> float:
    """Return the jobs in a batch on average, of the dataset where these are most.

    Under BATCH windows alone decide who boards together, whatever scans last: so no largest batch is smaller.
    """
    _, datasets = np.unique(schedule.jobs.dataset, return_inverse=True)
    pairs = np.unique(np.stack([datasets, schedule.boarded], axis=1), axis=0)
    jobs, batches = np.bincount(datasets), np.bincount(pairs[:, 0].astype(np.int64))
    return float((jobs / batches).max())


def sharing_jobs(schedule: FluidSchedule) -> NDArray[np.int64]:
    """Return the most jobs that were active at once on each dataset that has jobs, (datasets,)."""
    jobs = schedule.jobs
    times = np.r_[jobs.arrival, schedule.finish]
    change = np.repeat([1, -1], len(jobs.arrival))
    dataset = np.r_[jobs.dataset, jobs.dataset]
    order = np.lexsort((change, times, dataset))  # at one instant jobs leave first
    sharing = np.cumsum(change[order])  # back at 0 after every dataset
    first = np.flatnonzero(np.r_[True, np.diff(dataset[order]) != 0])
    return np.maximum.reduceat(sharing, first)


def batch_sizes(schedule: FluidSchedule) -> NDArray[np.int64]:
    """Return the most jobs that were scanned together for each dataset that has jobs, (datasets,)."""
    pairs, sizes = np.unique(
        np.stack([schedule.jobs.dataset, schedule.boarded], axis=1), axis=0, return_counts=True
    )
    first = np.flatnonzero(np.r_[True, np.diff(pairs[:, 0]) != 0])
    return np.maximum.reduceat(sizes, first)

"""What a job's overlap of shuffle and maps depends on: how long its last shuffle and its maps take.

Source: 004 section IV.C. The paper measures both while the job runs; we take them from the job itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.job import MAP, REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload

    Floats = NDArray[np.float64]

BYTES_PER_MEGABYTE = 1e6


def average_map_seconds(workload: Workload) -> Floats:
    """Return T_m: the mean duration of each job's maps in seconds, 0 for a job without maps, (jobs,)."""
    return _average(workload, workload.columns.duration, MAP)


def last_shuffle_seconds(workload: Workload, cluster: Cluster, bandwidth: float) -> Floats:
    """Return T_s: how long the shuffle of each job's last reduce takes, in seconds, (jobs,).

    ``T_s = d m / (B r)``: the bytes that all maps together hand over, split over the reduces, through the
    network (004 section IV.C.2). A job that does not say how many bytes it shuffles is known by its typical
    shuffle, whose mean then is T_s. Without a shuffle (the model "mumak") and without reduces it is 0.

    Parameters
    ----------
    bandwidth : B, what one reduce receives, in megabytes (10^6 bytes) per second
    """
    if cluster.shuffle_model == "mumak":
        return np.zeros(len(workload.jobs))
    typical = _average(workload, workload.columns.typical_shuffle, REDUCE)
    shuffled = np.array([np.nan if job.shuffle_bytes is None else job.shuffle_bytes for job in workload.jobs])
    reduces = workload.columns.count[:, REDUCE]
    per_reduce = np.where(reduces > 0, shuffled, 0.0) / np.maximum(reduces, 1)
    return np.where(np.isnan(per_reduce), typical, per_reduce / (bandwidth * BYTES_PER_MEGABYTE))


def _average(workload: Workload, seconds: Floats, kind: int) -> Floats:
    """Average a column over each job's tasks of one kind; 0 where it has none."""
    columns = workload.columns
    ours = columns.kind == kind
    total = np.bincount(columns.job[ours], weights=seconds[ours], minlength=len(workload.jobs))
    return total / np.maximum(columns.count[:, kind], 1)

"""The least work that scans can take: every block that somebody needs is scanned once at least."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from core.model.workload import Workload


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
            total += float(job.maps.task_durations.sum())
            continue
        for begin, end in job.blocks or ((0, dataset.blocks),):
            needed[dataset.name][begin:end] = True
        total += (1 - dataset.scan_fraction) * dataset.count(job.blocks) * dataset.block_seconds
    return total + sum(
        dataset.scan_fraction * int(needed[name].sum()) * dataset.block_seconds
        for name, dataset in known.items()
    )

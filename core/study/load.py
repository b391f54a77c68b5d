"""How busy arrivals keep a cluster, and at which rate jobs arrive that keep it so busy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.model.task_types import KIND_WORDS, TASK_TYPES

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload

HOUR = 3600.0


def busy_seconds(workload: Workload, cluster: Cluster) -> float:
    """Return for how long the jobs of a workload would keep all slots of a cluster busy, in s.

    Of typed slots it is the kind that is busy longer. A reduce takes its whole shuffle, which it has
    not where the cluster's model has none, and its duration; that it may wait for maps is not counted.

    Raises
    ------
    InputError
        there are tasks of a kind, and no slots for them
    """
    columns = workload.columns
    shuffles = 0.0 if cluster.shuffle_model == "mumak" else columns.typical_shuffle
    seconds = columns.duration + shuffles
    work = [float(seconds[columns.kind == kind].sum()) for kind in TASK_TYPES]
    for kind, slots in zip(TASK_TYPES, cluster.stage_slots, strict=True):
        if work[kind] and not slots:
            raise InputError(f"there are no {KIND_WORDS[kind]} slots, so that no rate makes this load")
    each = [done / slots if done else 0.0 for done, slots in zip(work, cluster.stage_slots, strict=True)]
    return sum(each) if cluster.has_containers else max(each)


def rate_at(workload: Workload, cluster: Cluster, load: float) -> float:
    """Return how many jobs an hour arrive at a load.

    Parameters
    ----------
    load : the part of the slots that the work which arrives keeps busy, in percent, above 0; from 100 on jobs
        arrive faster than they can be served

    Raises
    ------
    InputError
        as `busy_seconds`, or no job has any work
    """
    seconds = busy_seconds(workload, cluster)
    if not np.isfinite(seconds) or seconds <= 0:
        raise InputError(f"{workload.name} has no work, so that no rate of arrivals makes a load")
    return load / 100 * len(workload.jobs) * HOUR / seconds

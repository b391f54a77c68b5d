"""What a workload amounts to, before anything is simulated: totals, and how its numbers are spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.measures.histogram import Histogram, histogram
from core.model.task_types import TASK_TYPES
from core.optimize.bounds import lower_bound
from core.optimize.premise import premise_on
from core.optimize.stage_demands import shortest_shuffle

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.premise import Premise


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over a workload.

    Attributes
    ----------
    jobs, maps, reduces : how many
    map_seconds, reduce_seconds : slot-seconds of all maps, and of all reduces with their shuffles, where
        the shorter of first and typical shuffle counts, as in the lower bound
    lower_bound : seconds before which no policy that keeps the premise can finish on the cluster
    premise : of which schedules that is so
    """

    jobs: int
    maps: int
    reduces: int
    map_seconds: float
    reduce_seconds: float
    lower_bound: float
    premise: Premise


@dataclass(frozen=True, eq=False)
class Spread:
    """Histograms of a workload: numbers of tasks per job, task durations and arrivals in seconds."""

    maps_per_job: Histogram
    reduces_per_job: Histogram
    map_durations: Histogram
    reduce_durations: Histogram
    arrivals: Histogram


def totals_of(workload: Workload, cluster: Cluster) -> Totals:
    """Return the totals of a workload on a cluster."""
    columns = workload.columns
    busy = columns.duration + shortest_shuffle(workload, cluster)
    map_seconds, reduce_seconds = (float(busy[columns.kind == kind].sum()) for kind in TASK_TYPES)
    return Totals(
        jobs=len(workload.jobs),
        maps=workload.map_count,
        reduces=workload.reduce_count,
        map_seconds=map_seconds,
        reduce_seconds=reduce_seconds,
        lower_bound=lower_bound(workload, cluster),
        premise=premise_on(workload, cluster),
    )


def spread_of(workload: Workload) -> Spread:
    """Return the histograms of a workload; reduce durations are those after the shuffle."""
    columns, stages = workload.columns, workload.columns.stages
    count = np.zeros((len(TASK_TYPES), len(workload.jobs)), np.int64)
    np.add.at(count, (stages.task_type, stages.job), stages.count)
    maps, reduces = (histogram(of_type) for of_type in count)
    map_durations, reduce_durations = (
        histogram(columns.duration[columns.kind == task_type]) for task_type in TASK_TYPES
    )
    return Spread(
        maps_per_job=maps,
        reduces_per_job=reduces,
        map_durations=map_durations,
        reduce_durations=reduce_durations,
        arrivals=histogram(columns.arrival, may_be_log=False),
    )

"""Makespans estimated without simulating, by the two-stage makespan of an order of the jobs.

Source: 000 section 4.2 (the Min and Max strategies).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.partition import pool_of_jobs
from core.planning.aria import StageProfiles, stage_estimates
from core.planning.estimated_workload import estimated_workload
from core.planning.johnson import johnson_order, two_stage_makespan

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload


class Estimates(NamedTuple):
    """The Min and Max strategies: two-stage makespans of Johnson's and the reverse order, in seconds."""

    minimum: float
    maximum: float


def estimate(workload: Workload, cluster: Cluster) -> Estimates | None:
    """Estimate the makespan under Johnson's and the reverse order without simulating (000 section 4.2).

    None where the two stages do not say it: see `is_two_stage`.
    """
    if not is_two_stage(workload, cluster):
        return None
    order = johnson_order(*stage_estimates(workload, cluster))
    stages = StageProfiles.of(workload, cluster).durations(*cluster.stage_slots)
    return Estimates(two_stage_makespan(order, *stages), two_stage_makespan(order[::-1], *stages))


def is_two_stage(workload: Workload, cluster: Cluster) -> bool:
    """Return whether two-stage makespans speak of this: MapReduce jobs, all there at 0, and typed slots.

    They know no arrivals: of two jobs of 60 s of which one comes after an hour they would say two minutes.
    And on untyped containers one stage takes from the other.
    """
    return (
        not (cluster.has_containers or workload.columns.arrival.any())
        and workload.columns.stages.are_map_reduce
    )


def estimate_of(schedule: Schedule, *, is_capped: bool = True) -> float | None:
    """Estimate the makespan of a schedule's own job order without simulating.

    For Johnson's order this is the Min strategy, for the reverse order Max (000 section 4.2); for pools it is
    that of the pool that ends last. It is computed from the durations that the policy was told, which may be
    estimates. With `is_capped` a stage with a slot for each task lasts at most its longest task, which is
    ours; else each stage is the printed estimate, as in Figure 10. None under a policy that serves the jobs
    in no order, and where `is_two_stage` denies it.
    """
    if not schedule.in_order or not is_two_stage(schedule.workload, schedule.cluster):
        return None
    order = np.argsort(schedule.rank, kind="stable")
    estimated = estimated_workload(schedule.workload, schedule.choice.estimates)
    profiles = StageProfiles.of(estimated, schedule.cluster)
    stages = profiles.durations if is_capped else profiles.estimates
    if schedule.partition is None:
        return two_stage_makespan(order, *stages(*schedule.cluster.stage_slots))
    pool_of_ordered = pool_of_jobs(schedule.partition, schedule.workload)[order]
    return max(
        two_stage_makespan(order[pool_of_ordered == place], *stages(pool.map_slots, pool.reduce_slots))
        for place, pool in enumerate(schedule.partition.pools)
    )

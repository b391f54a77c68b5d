"""Hadoop's Capacity scheduler: queues with guaranteed fractions of the slots, elastic up to a maximum.

A pool is a queue. Source: Hadoop's Capacity Scheduler guide, as 001 and 002 refer to it. Ours: on untyped
containers a queue's maps and reduces count together, and a maximum of less than one slot is one slot, so that
every queue's jobs end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.policies.fair import held
from core.policies.policy import Policy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.policies.policy import ClusterRow, JobRow, PoolRow

GUARANTEED = 0


class Capacity(Policy):
    """Give each pool its guaranteed fraction of the slots, lend what is idle up to a maximum; FIFO inside."""

    id = "capacity"
    title = "Capacity"

    @staticmethod
    def plan(pools: NDArray[np.void], workload: Workload, cluster: Cluster) -> None:
        """Turn the maxima into whole slots; guaranteed fractions stay fractions."""
        slots = np.array([cluster.slots] * 2 if cluster.has_containers else cluster.stage_slots)
        most = np.array([[pool.max_capacity] for pool in workload.every_pool])
        pools["cap"] = np.maximum(np.floor(most * slots + 1e-9), 1)
        pools["memo"][:, GUARANTEED] = [pool.capacity for pool in workload.every_pool]

    @staticmethod
    def pool_admits(pool: PoolRow, kind: int, cluster: ClusterRow) -> bool:
        """No queue holds more than its maximum."""
        return held(pool, kind, cluster) < pool.cap[kind]

    @staticmethod
    def pool_key(pool: PoolRow, kind: int, cluster: ClusterRow) -> float:
        """Lowest used/guaranteed first; queues without a guarantee come last."""
        if pool.memo[GUARANTEED] == 0:
            return float("inf")
        return held(pool, kind, cluster) / pool.memo[GUARANTEED]

    @staticmethod
    def key(job: JobRow) -> int:
        """First in, first out."""
        return job.rank

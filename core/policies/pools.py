"""Jobs in pools with slots of their own: BalancedPools, and what any run with a partition follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policies.policy import Policy

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.workload import Workload
    from core.policies.policy import PoolRow, SearchControl


class BalancedPools(Policy):
    """Cut cluster and jobs into two pools, small and large, that end together; Johnson's order in each.

    000 section 3.3.
    """

    id = "balanced-pools"
    title = "BalancedPools"

    @staticmethod
    def partition(workload: Workload, cluster: Cluster, effort: SearchControl) -> Partition:
        """Search the best split and sizes (Algorithm 2)."""
        from core.planning.pool_searches import search_pools  # only a run that searches needs it

        found = search_pools(
            workload,
            cluster,
            lambda: effort.trials(workload, cluster),
            progress=effort.progress,
            should_stop=effort.should_stop,
        )
        return found.partition


class Partitioned(Policy):
    """Serve each pool's jobs in the given order, on the pool's own slots only (000 section 3.3)."""

    id = "pools"
    title = "Pools"

    @staticmethod
    def pool_admits(pool: PoolRow, kind: int) -> bool:
        """Take slots while the pool has free ones."""
        return pool.free[kind] > 0

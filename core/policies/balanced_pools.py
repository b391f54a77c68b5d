"""BalancedPools: small and large jobs in two pools that end together (000 section 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.planning.pool_searches import search_pools
from core.policies.policy import Policy

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.workload import Workload
    from core.policies.policy import SearchControl


class BalancedPools(Policy):
    """Cut cluster and jobs into two pools, small and large, that end together; Johnson's order in each."""

    id = "balanced-pools"
    title = "BalancedPools"

    @staticmethod
    def partition(workload: Workload, cluster: Cluster, effort: SearchControl) -> Partition:
        """Search the best split and sizes (Algorithm 2)."""
        found = search_pools(
            workload,
            cluster,
            compiled=effort.compiled,
            progress=effort.progress,
            should_stop=effort.should_stop,
        )
        return found.partition

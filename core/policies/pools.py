"""Jobs in pools with slots of their own: BalancedPools, and what any run with a partition follows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.parameters import Parameter
from core.model.partition import MAX_POOLS_SEARCHED, in_pools
from core.planning.aria import StageProfiles
from core.planning.johnson import johnson_order
from core.policies.explains import BACK, FROM_END, FRONT, IN_POOL, POOL, STAGES
from core.policies.policy import Explains, Policy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.workload import Workload
    from core.policies.policy import PoolRow, SearchControl


ONE_POOL = "in one pool with all slots, as no smaller ones end sooner"
BY_HAND = "{place:nth} of {jobs:job} in the order made by hand"


class BalancedPools(Policy):
    """Cut cluster and jobs into two pools, small and large, that end together; Johnson's order in each.

    000 section 3.3; more than two pools are ours.
    """

    id = "balanced-pools"
    needs_map_reduce = True
    title = "BalancedPools"
    parameters = (
        Parameter(
            "pools",
            "integer",
            2,
            "How many pools at most; fewer are made where more end no sooner. The paper has two.",
            2,
            MAX_POOLS_SEARCHED,
            "pools",
        ),
    )
    explains = Explains(
        "Small and large jobs run in pools with slots of their own, cut such that the pools end together; in "
        "each pool Johnson's order, by what the stages take on the pool's slots.",
        (
            *POOL,
            *(replace(each, meaning=each.meaning.replace("all", "the pool's")) for each in STAGES),
            FROM_END,
        ),
        lambda maps, reduces, pools, is_johnson: (
            f"{IN_POOL if pools > 1 else ONE_POOL}: "
            + (BY_HAND if not is_johnson else FRONT if maps <= reduces else BACK)
        ),
    )

    @staticmethod
    def figures(workload: Workload, cluster: Cluster, partition: Partition) -> dict[str, NDArray[Any]]:
        """Return Johnson's abstraction for each pool's slots, and whether its jobs stand in his order."""
        columns = in_pools(workload, partition)
        slots = columns["pool_maps"], columns["pool_reduces"]
        maps, reduces = StageProfiles.of(workload, cluster).estimates(*slots)
        is_johnson = np.zeros(len(maps), np.bool_)
        for pool in partition.pools:
            served = np.array([workload.job_index[name] for name in pool.jobs], np.int64)
            jobs = np.sort(served)
            is_johnson[jobs] = np.array_equal(served, jobs[johnson_order(maps[jobs], reduces[jobs])])
        return columns | {"maps": maps, "reduces": reduces, "is_johnson": is_johnson}

    @staticmethod
    def partition(workload: Workload, cluster: Cluster, effort: SearchControl, pools: int) -> Partition:
        """Search the best splits and sizes (Algorithm 2)."""
        from core.planning.pool_searches import search_pools  # only a run that searches needs it

        found = search_pools(
            workload,
            cluster,
            lambda: effort.trials(workload, cluster),
            pools=pools,
            progress=effort.progress,
            should_stop=effort.should_stop,
        )
        return found.partition


class Partitioned(Policy):
    """Serve each pool's jobs in the given order, on the pool's own slots only (000 section 3.3)."""

    id = "pools"
    title = "Pools"
    explains = Explains(
        "Each pool has slots of its own and serves its jobs in the order given.",
        POOL,
        f"{IN_POOL}: {BY_HAND}",
    )
    figures = staticmethod(in_pools)

    @staticmethod
    def pool_admits(pool: PoolRow, kind: int) -> bool:
        """Take slots while the pool has free ones."""
        return pool.free[kind] > 0

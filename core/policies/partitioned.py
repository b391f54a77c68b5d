"""Jobs in pools with slots of their own: what a run with a partition follows, instead of its policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policies.policy import Policy

if TYPE_CHECKING:
    from core.policies.policy import PoolRow


class Partitioned(Policy):
    """Serve each pool's jobs in the given order, on the pool's own slots only (000 section 3.3)."""

    id = "pools"
    title = "Pools"

    @staticmethod
    def pool_admits(pool: PoolRow, kind: int) -> bool:
        """Take slots while the pool has free ones."""
        return pool.free[kind] > 0

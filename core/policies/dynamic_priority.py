"""Dynamic Priority: users bid for slots from a budget, and share in proportion to what they bid.

A pool is a user. Source: Sandholm, Lai: Dynamic proportional share scheduling in Hadoop, as 001 refers to
it. Ours: a user whose budget is spent comes after everybody who can pay, at no cost, so that all jobs end;
tasks that run when it is spent run on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policies.fair import held
from core.policies.policy import MAP, REDUCE, Policy

if TYPE_CHECKING:
    from core.policies.policy import ClusterRow, JobRow, PoolRow


def spent(pool: PoolRow, now: float) -> float:
    """Return the credits that a user's tasks have cost up to now; a slot-second costs the spending rate."""
    slot_seconds = pool.slot_time + (pool.running[MAP] + pool.running[REDUCE]) * now
    return pool.rate * slot_seconds


class DynamicPriority(Policy):
    """Share slots in proportion to the pools' spending rates, as long as their budgets last; FIFO inside."""

    id = "dynamic-priority"
    title = "Dynamic Priority"

    @staticmethod
    def pool_key(pool: PoolRow, kind: int, cluster: ClusterRow) -> tuple[bool, float]:
        """Users who can pay first; lowest running/rate among them, and among the others."""
        return spent(pool, cluster.now) >= pool.budget, held(pool, kind, cluster) / pool.rate

    @staticmethod
    def key(job: JobRow) -> int:
        """First in, first out."""
        return job.rank

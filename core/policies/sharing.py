"""Policies that share slots among pools: the Fair Scheduler, the Capacity scheduler and Dynamic Priority.

Sources: the Hadoop Fair Scheduler as in 002 section II; Hadoop's Capacity Scheduler guide; Sandholm, Lai:
Dynamic proportional share scheduling in Hadoop; the latter two as 001 and 002 refer to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.model.parameters import Parameter
from core.policies.policy import MAP, REDUCE, Policy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.policies.policy import ClusterRow, JobRow, PoolRow

FAIR, FIFO = 0, 1
INSIDE = Parameter(
    "inside",
    "choice",
    "fair",
    "How the jobs of one pool share its slots: fairly, by their weights, or first come, first served.",
    choices=("fair", "fifo"),
)


def held(pool: PoolRow, kind: int, cluster: ClusterRow) -> int:
    """Return the slots of one phase that a pool holds; untyped containers count whatever they run."""
    if cluster.containers > 0:
        return pool.running[MAP] + pool.running[REDUCE]
    return pool.running[kind]


def guaranteed(pool: PoolRow, kind: int, cluster: ClusterRow) -> int:
    """Return a pool's minimum share of one phase; of both on untyped containers."""
    if cluster.containers > 0:
        return pool.share[MAP] + pool.share[REDUCE]
    return pool.share[kind]


class Fair(Policy):
    """Share map slots, and reduce slots, fairly among pools, minimum shares first, then among a pool's jobs.

    Max-min fairness: a slot goes to the pool that has least for its weight among those that could use it, so
    that what one pool does not need, the others share.
    """

    id = "fair"
    title = "Fair (HFS)"
    parameters: ClassVar[tuple[Parameter, ...]] = (INSIDE,)

    @staticmethod
    def pool_key(pool: PoolRow, kind: int, cluster: ClusterRow) -> tuple[int, float]:
        """Pools below their minimum share first, furthest below; then lowest running/weight."""
        running, share = held(pool, kind, cluster), guaranteed(pool, kind, cluster)
        if running < share:
            return 0, running / share
        return 1, running / pool.weight

    @staticmethod
    def key(job: JobRow, kind: int, inside: int) -> float:
        """Lowest running/weight first, or the earliest arrival; ties by arrival."""
        if inside == FIFO:
            return job.rank
        return job.running[kind] / job.weight


GUARANTEED = 0


class Capacity(Policy):
    """Give each pool its guaranteed fraction of the slots, lend what is idle up to a maximum; FIFO inside.

    A pool is a queue of Hadoop's. Ours: on untyped containers a queue's maps and reduces count together, and
    a maximum of less than one slot is one slot, so that every queue's jobs end.
    """

    id = "capacity"
    title = "Capacity"
    reads_durations = False

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


def spent(pool: PoolRow, now: float) -> float:
    """Return the credits that a user's tasks have cost up to now; a slot-second costs the spending rate."""
    slot_seconds = pool.slot_time + (pool.running[MAP] + pool.running[REDUCE]) * now
    return pool.rate * slot_seconds


class DynamicPriority(Policy):
    """Share slots in proportion to the pools' spending rates, as long as their budgets last; FIFO inside.

    A pool is a user, who bids for slots from a budget. Ours: a user whose budget is spent comes after all who
    can pay, at no cost, so that all jobs end; tasks that run when it is spent run on.
    """

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

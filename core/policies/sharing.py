"""Policies that share slots among pools: the Fair Scheduler, the Capacity scheduler and Dynamic Priority.

Sources: the Hadoop Fair Scheduler as in 002 section II; Hadoop's Capacity Scheduler guide; Sandholm, Lai:
Dynamic proportional share scheduling in Hadoop; the latter two as 001 and 002 refer to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.model.parameters import Parameter
from core.policies.policy import MAP, REDUCE, Explains, Number, Policy

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


HELD = Number(
    "held",
    "",
    "Pool runs",
    "Tasks of that kind that the pool runs; of both kinds on containers",
    value=held,
)
SHARE = Number("guaranteed", value=guaranteed)
RUNNING = Number(
    "running",
    "",
    "Running",
    "Tasks of that kind that the job runs",
    value=lambda job, kind: job.running[kind],
)
WEIGHT = Number("weight", value=lambda job: job.weight)
POOL_WEIGHT = Number("pool_weight", value=lambda pool: pool.weight)
OF_SHARE = "fewer than its minimum share of {guaranteed}"
OF_WEIGHT = "for its weight of {pool_weight}"
OWN_WEIGHT = "runs {running:kind} for its weight of {weight}"
FIRST_IN = Number("place", "nth", "Queue", "The job's place by arrival")
IN_TURN = "{place} by arrival"


def runs(cluster: ClusterRow) -> str:
    """Return how much a pool runs: of one kind on typed slots, of both on containers."""
    return "runs {held:task}" if cluster.containers > 0 else "runs {held:kind}"


class Fair(Policy):
    """Share the slots of each type fairly among pools, minimum shares first, then among a pool's jobs.

    Max-min fairness: a slot goes to the pool that has least for its weight among those that could use it, so
    that what one pool does not need, the others share.
    """

    id = "fair"
    title = "Fair (HFS)"
    parameters: ClassVar[tuple[Parameter, ...]] = (INSIDE,)
    explains = Explains(
        "Pools that run less than their minimum share go first, then the pool that runs least for its "
        "weight; inside a pool the job that runs least for its weight, or the one that arrived first.",
        (HELD, SHARE, POOL_WEIGHT, RUNNING, WEIGHT),
        lambda inside: IN_TURN if inside == "fifo" else OWN_WEIGHT,
        lambda held, guaranteed, cluster: (
            f"{runs(cluster)} {OF_WEIGHT}" if held >= guaranteed else f"{runs(cluster)}, {OF_SHARE}"
        ),
    )

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
    explains = Explains(
        "The pool that uses least of its guaranteed slots goes first, pools without a guarantee last; none "
        "holds more than its maximum. Inside a pool the job that arrived first.",
        (
            HELD,
            Number(
                "part",
                "%",
                "Guaranteed",
                "The part of all slots that the pool is guaranteed",
                value=lambda pool: pool.memo[GUARANTEED],
            ),
            Number("cap", value=lambda pool, kind: pool.cap[kind]),
            FIRST_IN,
        ),
        IN_TURN,
        lambda part, cluster: (
            runs(cluster)
            + (
                " for its guaranteed {part} of the slots"
                if part > 0
                else " without a guarantee, so it comes last"
            )
        ),
        pool_admits="the pool holds its maximum of {cap:slot}",
    )

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
    def pool_key(pool: PoolRow, kind: int, cluster: ClusterRow) -> tuple[bool, float]:
        """Lowest used/guaranteed first; queues without a guarantee come last."""
        if pool.memo[GUARANTEED] == 0:
            return True, 0.0
        return False, held(pool, kind, cluster) / pool.memo[GUARANTEED]

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
    explains = Explains(
        "Pools that can pay go first, those whose budget is spent last; among them the one that runs least "
        "for its spending rate. Inside a pool the job that arrived first.",
        (
            HELD,
            Number(
                "rate",
                "",
                "Rate",
                "What the pool pays for a slot, in credits per second",
                lambda pool: pool.rate,
            ),
            Number(
                "paid",
                "credit",
                "Spent",
                "What the pool has paid so far, in credits",
                value=lambda pool, cluster: spent(pool, cluster.now),
            ),
            Number("budget", "credit", "Budget", "What it may spend, in credits", lambda pool: pool.budget),
            FIRST_IN,
        ),
        IN_TURN,
        lambda paid, budget, cluster: (
            runs(cluster)
            + " for its rate of {rate:credit} a second"
            + (", {paid} of {budget} spent" if budget < float("inf") else "")
            + (", so it comes after all that can pay" if paid >= budget else "")
        ),
    )

    @staticmethod
    def pool_key(pool: PoolRow, kind: int, cluster: ClusterRow) -> tuple[bool, float]:
        """Users that can pay first; lowest running/rate among them, and among the others."""
        return spent(pool, cluster.now) >= pool.budget, held(pool, kind, cluster) / pool.rate

    @staticmethod
    def key(job: JobRow) -> int:
        """First in, first out."""
        return job.rank

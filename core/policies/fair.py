"""The Hadoop Fair Scheduler: fair sharing among pools, and inside a pool (002 section II)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from core.model.parameters import Parameter
from core.policies.policy import MAP, REDUCE, Policy

if TYPE_CHECKING:
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

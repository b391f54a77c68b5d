"""Capacity with preemption: an example of pools that get their guaranteed slots back at once.

Hadoop's Capacity Scheduler lends what a queue leaves idle. When the queue wants it back, tasks of queues
above their guarantee are killed, here the youngest first, since they lose least.

    slotscope compare three-pools --policies capacity --policy-file capacity_preempting.py
"""

from core.policies.policy import MAP, REDUCE, Parameter
from core.policies.sharing import Capacity


def held(pool, kind, cluster):
    """Return the slots that a pool holds of a kind, or all of them where slots serve both kinds."""
    return pool.running[MAP] + pool.running[REDUCE] if cluster.containers else pool.running[kind]


class CapacityPreempting(Capacity):
    """Give each pool its guaranteed fraction of the slots, by killing tasks of pools above theirs."""

    id = "capacity-preempting"
    title = "Capacity, preempting"
    parameters = (
        Parameter("spared", "number", 60.0, "A task that has run for so many seconds is spared.", min=0.0),
    )

    def preempt(pool, kind, rival_pool, rival_kind, elapsed, cluster, spared):
        """Give up a task of a pool above its guarantee for one of a pool below; the youngest first."""
        slots = cluster.slots[MAP] if cluster.containers else cluster.slots[kind]
        is_above = held(pool, kind, cluster) > pool.memo[0] * slots
        is_below = held(rival_pool, rival_kind, cluster) + 1 <= rival_pool.memo[0] * slots
        return 1 / (1 + elapsed) if is_above and is_below and elapsed < spared else 0.0

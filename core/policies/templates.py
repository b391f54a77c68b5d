"""The forms of a decision; a policy's pieces fill in what they call.

Each is ``(slot, queue, job, pool, cluster) -> 2 * job + kind`` or NONE for the free slot of type `slot`. The
names admits, key, pool_key, lends and watch are globals that
`core.policies.kernel` puts in place before a template is used.
"""

from __future__ import annotations

from typing import Any

NONE = -1


# What a policy without the piece does.


def admits(job: Any, kind: int, slot: int, pool: Any, cluster: Any) -> bool:
    """Let every job take every slot."""
    return True


def lends(slot: int, kind: int, cluster: Any) -> bool:
    """Lend whenever slots are lendable at all (untyped containers)."""
    return True


def watch(job: Any, pool: Any, cluster: Any) -> None:
    """Watch nothing."""


def key(job: Any, kind: int, slot: int, pool: Any, cluster: Any) -> Any:
    """Prefer nobody: the queue's order decides."""
    return 0.0


def pool_key(pool: Any, kind: int) -> Any:
    """Prefer no pool."""
    return 0.0


def choose(slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Decline every slot; a policy of free form replaces this."""
    return NONE


# The smallest key so far, before there is one; as wide as the policy's keys.
NO_KEY: Any = 0.0
NO_POOL_KEY: Any = 0.0


def in_order(slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the first job of the queue that may run one more task.

    On untyped containers the earlier job goes first whatever it needs, its maps before its reduces.
    """
    watch(job, pool, cluster)
    best = NONE
    for turn in range(1 + cluster.lends):
        kind = slot ^ turn
        if turn == 1 and not lends(slot, kind, cluster):
            break
        for place in range(cluster.waiting[kind]):
            j = queue[kind][place]
            if admits(job[j], kind, slot, pool[job[j].pool], cluster):
                if best == NONE or job[j].rank < job[best >> 1].rank:
                    best = 2 * j + kind
                break
        if best != NONE and cluster.containers == 0:
            break
    return best


def by_key(slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the waiting task with the smallest key."""
    watch(job, pool, cluster)
    best = NONE
    least = NO_KEY
    for turn in range(1 + cluster.lends):
        kind = slot ^ turn
        if turn == 1 and not lends(slot, kind, cluster):
            break
        for place in range(cluster.waiting[kind]):
            j = queue[kind][place]
            p = pool[job[j].pool]
            if admits(job[j], kind, slot, p, cluster):
                candidate = key(job[j], kind, slot, p, cluster)
                if best == NONE or candidate < least:
                    best = 2 * j + kind
                    least = candidate
    return best


def by_pool(slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the kind, then the neediest pool, then the neediest of its jobs (HFS, PI-DHFS)."""
    watch(job, pool, cluster)
    for turn in range(1 + cluster.lends):
        kind = slot ^ turn
        if turn == 1 and not lends(slot, kind, cluster):
            break
        needy = NONE
        lowest = NO_POOL_KEY
        for p in range(len(pool)):
            if pool[p].waiting[kind] > 0:
                candidate = pool_key(pool[p], kind)
                if needy == NONE or candidate < lowest:
                    needy = p
                    lowest = candidate
        if needy != NONE:
            best = neediest_job(needy, kind, slot, queue, job, pool, cluster)
            if best != NONE:
                return best
    return NONE


def pool_first(slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the neediest pool over both kinds, then its own kind of task before the other (PD-DHFS)."""
    watch(job, pool, cluster)
    either = cluster.lends > 0 and lends(slot, 1 - slot, cluster)
    needy = NONE
    lowest = NO_POOL_KEY
    for p in range(len(pool)):
        if pool[p].waiting[slot] > 0 or (either and pool[p].waiting[1 - slot] > 0):
            candidate = pool_key(pool[p], slot)
            if needy == NONE or candidate < lowest:
                needy = p
                lowest = candidate
    if needy == NONE:
        return NONE
    kind = slot if pool[needy].waiting[slot] > 0 else 1 - slot
    return neediest_job(needy, kind, slot, queue, job, pool, cluster)


def neediest_job(needy: int, kind: int, slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the waiting task with the smallest key among one pool's jobs."""
    best = NONE
    least = NO_KEY
    for place in range(cluster.waiting[kind]):
        j = queue[kind][place]
        if job[j].pool == needy and admits(job[j], kind, slot, pool[needy], cluster):
            candidate = key(job[j], kind, slot, pool[needy], cluster)
            if best == NONE or candidate < least:
                best = 2 * j + kind
                least = candidate
    return best


def free_form(slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Leave the whole decision to the policy."""
    return choose(slot, queue, job, pool, cluster)

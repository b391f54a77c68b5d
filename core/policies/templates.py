"""The forms of a decision; a policy's pieces fill in what they call.

Each is ``(slot, queue, job, pool, cluster) -> 2 * job + kind`` or NONE for the free slot of type `slot`. The
names admits, key, pool_key, pool_admits, lends and watch are globals that `core.policies.kernel` puts in
place before a template is used.
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


def pool_key(pool: Any, kind: int, cluster: Any) -> Any:
    """Prefer no pool."""
    return 0.0


def pool_admits(pool: Any, kind: int, cluster: Any) -> bool:
    """Let every pool take every slot."""
    return True


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
            p = pool[job[j].pool]
            if pool_admits(p, kind, cluster) and admits(job[j], kind, slot, p, cluster):
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
            if pool_admits(p, kind, cluster) and admits(job[j], kind, slot, p, cluster):
                candidate = key(job[j], kind, slot, p, cluster)
                if best == NONE or candidate < least:
                    best = 2 * j + kind
                    least = candidate
    return best


def by_pool(slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the kind, then the neediest pool that takes it, then the neediest of its jobs (HFS, PI-DHFS)."""
    watch(job, pool, cluster)
    for turn in range(1 + cluster.lends):
        kind = slot ^ turn
        if turn == 1 and not lends(slot, kind, cluster):
            break
        needy, need = next_pool(NONE, NO_POOL_KEY, kind, kind, pool, cluster)
        while needy != NONE:
            best = neediest_job(needy, kind, slot, queue, job, pool, cluster)
            if best != NONE:
                return best
            needy, need = next_pool(needy, need, kind, kind, pool, cluster)
    return NONE


def pool_first(slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the neediest pool over both kinds, then its own kind of task before the other (PD-DHFS)."""
    watch(job, pool, cluster)
    other = 1 - slot if cluster.lends > 0 and lends(slot, 1 - slot, cluster) else slot
    needy, need = next_pool(NONE, NO_POOL_KEY, slot, other, pool, cluster)
    while needy != NONE:
        best = neediest_job(needy, slot, slot, queue, job, pool, cluster)
        if best == NONE and other != slot:
            best = neediest_job(needy, other, slot, queue, job, pool, cluster)
        if best != NONE:
            return best
        needy, need = next_pool(needy, need, slot, other, pool, cluster)
    return NONE


def next_pool(last: int, passed: Any, kind: int, other: int, pool: Any, cluster: Any) -> Any:
    """Return the pool that is neediest after the `last` one, whose key is `passed`, and its key.

    Only pools with a task of either kind that could start count. ``last = NONE`` begins; NONE ends.
    """
    needy = NONE
    lowest = NO_POOL_KEY
    for p in range(len(pool)):
        if pool[p].waiting[kind] > 0 or pool[p].waiting[other] > 0:
            need = pool_key(pool[p], kind, cluster)
            if last != NONE and (need < passed or (need == passed and p <= last)):
                continue
            if needy == NONE or need < lowest:
                needy = p
                lowest = need
    return needy, lowest


def neediest_job(needy: int, kind: int, slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the waiting task with the smallest key among one pool's jobs."""
    best = NONE
    least = NO_KEY
    if pool[needy].waiting[kind] == 0 or not pool_admits(pool[needy], kind, cluster):
        return NONE
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

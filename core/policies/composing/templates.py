"""The forms of a decision; a policy's pieces fill in what they call.

Each is ``(slot, queue, seats, keys, job, pool, cluster) -> 2 * job + kind`` or NONE for the free slot of type
`slot`. The names of pieces, and `look` and `neediest` (see `core.policies.composing.selection`), are
globals that `core.policies.composing.kernel` puts in place before a template is used.
"""

from __future__ import annotations

from typing import Any

NONE = -1
ALL = -1


# What a policy without the piece does.


def admits(job: Any, kind: int, slot: int, pool: Any, cluster: Any) -> bool:
    """Let every job take every slot."""
    return True


def lends(slot: int, kind: int, cluster: Any) -> bool:
    """Lend whenever slots are lendable at all (untyped containers)."""
    return True


def watch(job: Any, pool: Any, cluster: Any) -> Any:
    """Watch nothing."""
    return False


def key(job: Any, kind: int, slot: int, pool: Any, cluster: Any) -> Any:
    """Prefer nobody: the queue's order decides."""
    return (0.0,)


def pool_key(pool: Any, kind: int, cluster: Any) -> Any:
    """Prefer no pool."""
    return (0.0,)


def pool_admits(pool: Any, kind: int, cluster: Any) -> bool:
    """Let every pool take every slot."""
    return True


def choose(slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Decline every slot; a policy of free form replaces this."""
    return NONE


def look(job: Any, pool: Any, cluster: Any) -> None:
    """Prepare for a decision."""


def neediest(
    group: int, kind: int, slot: int, queue: Any, seats: Any, keys: Any, job: Any, pool: Any, cluster: Any
) -> int:
    """Return the neediest admitted job of a pool, or of ALL."""
    return NONE


# The smallest key of a pool so far, before there is one; as wide as the policy's keys.
NO_POOL_KEY: Any = (0.0,)


def in_order(slot: int, queue: Any, seats: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the first job of the queue that may run one more task.

    On untyped containers the earlier job goes first whatever it needs, its maps before its reduces.
    """
    look(job, pool, cluster)
    best = NONE
    for turn in range(1 + cluster.lends):
        kind = slot ^ turn
        if turn == 1 and not lends(slot, kind, cluster):
            break
        if cluster.room[kind] == 0:
            continue
        j = neediest(ALL, kind, slot, queue, seats, keys, job, pool, cluster)
        if j != NONE and (best == NONE or job[j].rank < job[best >> 1].rank):
            best = 2 * j + kind
        if best != NONE and cluster.containers == 0:
            break
    return best


def by_key(slot: int, queue: Any, seats: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the waiting task with the smallest key."""
    look(job, pool, cluster)
    best = NONE
    for turn in range(1 + cluster.lends):
        kind = slot ^ turn
        if turn == 1 and not lends(slot, kind, cluster):
            break
        if cluster.room[kind] == 0:
            continue
        j = neediest(ALL, kind, slot, queue, seats, keys, job, pool, cluster)
        if j != NONE and (best == NONE or is_needier(j, kind, best >> 1, slot, job, pool, cluster)):
            best = 2 * j + kind
    return best


def is_needier(rival: int, other: int, best: int, slot: int, job: Any, pool: Any, cluster: Any) -> bool:
    """Whether a task of the other kind has a smaller key than the best one of the slot's own kind."""
    theirs = key(job[rival], other, slot, pool[job[rival].pool], cluster)
    return theirs < key(job[best], slot, slot, pool[job[best].pool], cluster)  # type: ignore[no-any-return]


def by_pool(slot: int, queue: Any, seats: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the kind, then the neediest pool that takes it, then the neediest of its jobs (HFS, PI-DHFS).

    On untyped containers the pool comes first, then the neediest of its tasks of either kind.
    """
    look(job, pool, cluster)
    for turn in range(1 + cluster.lends):
        kind = slot ^ turn
        other = 1 - slot if cluster.containers > 0 else kind
        if turn == 1 and (cluster.containers > 0 or not lends(slot, kind, cluster)):
            break
        needy, need = next_pool(NONE, NO_POOL_KEY, kind, other, pool, cluster)
        while needy != NONE:
            best = task_of_pool(needy, kind, other, slot, queue, seats, keys, job, pool, cluster)
            if best != NONE:
                return best
            needy, need = next_pool(needy, need, kind, other, pool, cluster)
    return NONE


def pool_first(slot: int, queue: Any, seats: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the neediest pool over both kinds, then its task by Algorithm 2 of 002 (PD-DHFS).

    Cases 1 to 4: a map on a map slot, a reduce on a reduce slot, a map on a reduce slot, a reduce on a map
    slot. If the case needs a slot of the type that is not offered now, this one is declined.
    """
    look(job, pool, cluster)
    needy, need = next_pool(NONE, NO_POOL_KEY, 0, 1, pool, cluster)
    while needy != NONE:
        for case in range(4):
            kind = case & 1
            on = kind if case < 2 else 1 - kind
            if cluster.free[on] > 0 and (on == kind or (cluster.lends > 0 and lends(on, kind, cluster))):
                best = job_of_pool(needy, kind, on, queue, seats, keys, job, pool, cluster)
                if best != NONE:
                    return best if on == slot else NONE
        needy, need = next_pool(needy, need, 0, 1, pool, cluster)
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


def task_of_pool(
    needy: int,
    kind: int,
    other: int,
    slot: int,
    queue: Any,
    seats: Any,
    keys: Any,
    job: Any,
    pool: Any,
    cluster: Any,
) -> int:
    """Pick the neediest task in one pool: of one kind, or of two."""
    best = job_of_pool(needy, kind, slot, queue, seats, keys, job, pool, cluster)
    if other == kind:
        return best
    rival = job_of_pool(needy, other, slot, queue, seats, keys, job, pool, cluster)
    if best == NONE or (rival != NONE and is_needier(rival >> 1, other, best >> 1, slot, job, pool, cluster)):
        return rival
    return best


def job_of_pool(
    needy: int, kind: int, slot: int, queue: Any, seats: Any, keys: Any, job: Any, pool: Any, cluster: Any
) -> int:
    """Pick the neediest job's task of one kind in one pool, if the pool may have one more slot."""
    if pool[needy].waiting[kind] == 0 or cluster.room[kind] == 0:
        return NONE
    if not pool_admits(pool[needy], kind, cluster):
        return NONE
    best = neediest(needy, kind, slot, queue, seats, keys, job, pool, cluster)
    return NONE if best == NONE else 2 * best + kind


def free_form(slot: int, queue: Any, seats: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Leave the whole decision to the policy."""
    return choose(slot, queue, job, pool, cluster)


def parts() -> tuple[tuple[str, Any], ...]:
    """Return the functions that templates share, by name."""
    return tuple((part.__name__, part) for part in (is_needier, next_pool, task_of_pool, job_of_pool))

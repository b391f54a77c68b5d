"""How a template finds the neediest job of a group: by a tree of jobs, or by looking at all that wait.

Compiled into the kernel like the templates. The pieces `admits`, `pool_admits`, `key` and `watch` and the
names KEYED, WIDTH, NO_KEY and POOLED are globals that `core.policies.composing.kernel` puts in place; so it
does with `look` and `neediest`, which are one of two pairs below. A group is a pool, or ALL jobs; a tree is
of a group, or of each pool where a pool may decline a slot.

Where a job's answers change only with its own record, each is kept: in a winner tree over the jobs of a
group, by rank, whose winner is the neediest job. The engine links the jobs whose records have changed; they
are asked again before a decision, and play their matches. That takes O(log jobs) for each task that starts or
ends, however many jobs wait; where only a few do, asking them all is faster.
"""

from __future__ import annotations

from typing import Any

MAP, REDUCE, NONE = 0, 1, -1
ALL = -1
UNCHANGED, END = -2, -1  # as in core.engine.state
FEW = 16  # jobs that wait for a kind of slot: so many are asked sooner than a tree is brought up to date
KEYED, WIDTH, NO_KEY, POOLED = False, 1, (0.0,), False


def admits(job: Any, kind: int, slot: int, pool: Any, cluster: Any) -> bool:
    """Stand for the policy's piece."""
    return True


def pool_admits(pool: Any, kind: int, cluster: Any) -> bool:
    """Stand for the policy's piece."""
    return True


def key(job: Any, kind: int, slot: int, pool: Any, cluster: Any) -> Any:
    """Stand for the policy's piece."""
    return NO_KEY


def watch(job: Any, pool: Any, cluster: Any) -> Any:
    """Stand for the policy's piece."""
    return False


# ---- every waiting job is asked


def look_by_scan(job: Any, pool: Any, cluster: Any) -> None:
    """Prepare for a decision."""
    watch(job, pool, cluster)


def neediest_by_scan(
    group: int, kind: int, slot: int, queue: Any, seats: Any, keys: Any, job: Any, pool: Any, cluster: Any
) -> int:
    """Return the admitted job with the smallest key, the earlier one of equals; NONE if there is none."""
    best = NONE
    least = NO_KEY
    head = cluster.head[kind]
    for place in range(head, head + cluster.waiting[kind]):
        j = queue[kind][place]
        p = job[j].pool
        if (pool_admits(pool[p], kind, cluster) if group == ALL else p == group) and admits(
            job[j], kind, slot, pool[p], cluster
        ):
            if not KEYED:
                return j  # type: ignore[no-any-return]
            candidate = key(job[j], kind, slot, pool[p], cluster)
            if best == NONE or candidate < least:
                best = j
                least = candidate
    return best


# ---- a tree of jobs


def look_by_tree(job: Any, pool: Any, cluster: Any) -> None:
    """Prepare for a decision: what is kept of all jobs may be out of date."""
    if watch(job, pool, cluster):
        cluster.outdated = 1


def neediest_by_tree(
    group: int, kind: int, slot: int, queue: Any, seats: Any, keys: Any, job: Any, pool: Any, cluster: Any
) -> int:
    """Return the winner of the group's tree, or the best one of the pools' trees; NONE if there is none."""
    if cluster.waiting[kind] < FEW:
        return neediest_by_scan(group, kind, slot, queue, seats, keys, job, pool, cluster)
    ask_the_changed(queue, seats, keys, job, pool, cluster)
    if POOLED and group == ALL:
        return best_winner(kind, seats[kind], keys[kind], job, pool, cluster)
    root = 0 if group == ALL else pool[group].root
    return seats[kind][root + 1]  # type: ignore[no-any-return]


def best_winner(kind: int, seats: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Return the neediest of those jobs that win the trees of the pools that may have one more slot."""
    best = NONE
    for p in range(len(pool)):
        j = seats[pool[p].root + 1]
        if j == NONE or not pool_admits(pool[p], kind, cluster):
            continue
        if best == NONE or goes_before(keys[j], keys[best], job[j].rank < job[best].rank):
            best = j
    return best


def ask_the_changed(queue: Any, seats: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> None:
    """Ask again whoever may have other answers than before."""
    if cluster.outdated:
        link_everybody(queue, job, cluster)
    while cluster.changed != END:
        j = cluster.changed
        for kind in range(2):
            ask_again(j, kind, seats[kind], keys[kind], job, pool, cluster)
        cluster.changed = job[j].changed
        job[j].changed = UNCHANGED


def link_everybody(queue: Any, job: Any, cluster: Any) -> None:
    """Link all jobs that wait, as if their records had changed."""
    for kind in range(2):
        head = cluster.head[kind]
        for place in range(head, head + cluster.waiting[kind]):
            j = queue[kind][place]
            if job[j].changed == UNCHANGED:
                job[j].changed = cluster.changed
                cluster.changed = j
    cluster.outdated = 0


def ask_again(j: int, kind: int, seats: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> None:
    """Ask about a job's next task of one kind and, if the answers are other ones, play its matches again."""
    it = job[j]
    p = pool[it.pool]
    leaf = it.root + it.seat
    takes_part = NONE
    plays = False
    if may_run(it, kind) and admits(it, kind, kind, p, cluster):
        takes_part = j
        plays = keep_key(keys[j], key(it, kind, kind, p, cluster))
    if plays or seats[leaf] != takes_part:
        seats[leaf] = takes_part
        play(j, it.root, it.seat, seats, keys)


def may_run(it: Any, kind: int) -> bool:
    """Whether a job that has arrived has a task of this kind that could start."""
    if kind == REDUCE and it.done[MAP] < it.reduce_after:
        return False
    return it.started[kind] < it.tasks[kind]  # type: ignore[no-any-return]


def keep_key(kept: Any, new: Any) -> bool:
    """Write a key down; return whether it is another one than before."""
    differs = False
    for i in range(WIDTH):
        differs = differs or kept[i] != new[i]
        kept[i] = new[i]
    return differs


def play(j: int, root: int, node: int, seats: Any, keys: Any) -> None:
    """Play the matches of a job up the tree, to one that others decide as before."""
    winner = seats[root + node]
    while node > 1:
        rival = seats[root + (node ^ 1)]
        if rival != NONE and (winner == NONE or goes_before(keys[rival], keys[winner], node & 1 == 1)):
            winner = rival
        node >>= 1
        if winner != j and winner == seats[root + node]:
            break
        seats[root + node] = winner


def goes_before(one: Any, other: Any, first: bool) -> bool:
    """Whether a key is smaller than another one, or equal and of the first one of the two."""
    for i in range(WIDTH):
        if one[i] != other[i]:
            return one[i] < other[i]  # type: ignore[no-any-return]
    return first


def parts(seated: bool) -> tuple[tuple[str, Any], ...]:
    """Return the functions above under the names that templates know."""
    if not seated:
        return (("look", look_by_scan), ("neediest", neediest_by_scan))
    matches = (may_run, keep_key, goes_before, play, ask_again, best_winner)
    return (
        *((part.__name__, part) for part in (*matches, link_everybody, ask_the_changed, neediest_by_scan)),
        ("look", look_by_tree),
        ("neediest", neediest_by_tree),
    )

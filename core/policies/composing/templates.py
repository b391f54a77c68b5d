"""The functions that a kernel is made of: the forms of a decision, and how each finds the job to serve.

A form, or template, is ``(slot, queue, trees, keys, job, pool, cluster) -> 2 * job + kind`` or NONE for the
free slot of type `slot`. The hooks, the constants KEYED to NO_POOL_KEY, and `look`,
`highest_priority_job` and `task_of_pool`, each one of two below, are globals that
`core.policies.composing.kernel` puts in place before a template is used. A group is a pool, or ALL jobs.

Where a job's answers change only with its own record, each is kept: in a winner tree over the jobs of a
group, by rank, whose winner is the job of highest priority. The engine links the jobs whose records have
changed; they are asked again before a decision, and their leaves are compared again up the tree. That takes
O(log jobs) for each task that starts or ends, however many jobs wait; where only a few do, asking them all is
faster. A tree is of all jobs, or of each pool where a pool may decline a slot.
"""

from __future__ import annotations

from typing import Any

from core.policies.composing.giving_up import decided, giving_up, preempt  # noqa: F401 - parts of kernels
from core.policies.composing.speculating import speculate, speculating  # noqa: F401 - likewise

MAP, REDUCE, NONE = 0, 1, -1
ALL = -1
DECLINED = -2  # a pool has a task, but none for the slot that is offered
UNCHANGED, END = -2, -1  # as in core.engine.state
FEW = 16  # jobs that wait for a kind of slot: so many are asked sooner than a tree is brought up to date
KEYED, WIDTH, NO_KEY, POOLED = False, 1, (0.0,), False
STAGED = False  # whether the policy has an order of stages, which decides between both kinds of a job, too
RESERVED = False  # whether the policy may keep what is free for a task that no node has room for
OUTLOOK = 0  # numbers of an outlook; 0 for a policy without
NO_POOL_KEY: Any = (0.0,)  # the smallest key of a pool before there is one; as wide as the policy's keys


# ---- what a policy without the hook does


def admits(job: Any, kind: int, slot: int, pool: Any, cluster: Any) -> bool:
    """Let every job take every slot."""
    return True


def lends(slot: int, kind: int, cluster: Any) -> bool:
    """Lend whenever slots are lendable at all (untyped containers)."""
    return True


def watch(job: Any, pool: Any, cluster: Any) -> Any:
    """Watch nothing."""
    return False


def outlook(job: Any, cluster: Any) -> Any:
    """Report no change of what a job's answers depend on."""
    return (0.0,)


def outdates(most: Any, cluster: Any) -> Any:
    """Take it that any job may answer otherwise."""
    return True


def key(job: Any, kind: int, slot: int, pool: Any, cluster: Any) -> Any:
    """Prefer no job: the queue's order decides."""
    return (0.0,)


def reserves(job: Any, kind: int, cluster: Any) -> bool:
    """Leave what is free to tasks that there is room for."""
    return False


def pool_key(pool: Any, kind: int, cluster: Any) -> Any:
    """Prefer no pool."""
    return (0.0,)


def pool_admits(pool: Any, kind: int, cluster: Any) -> bool:
    """Let every pool take every slot."""
    return True


def choose(slot: int, queue: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Decline every slot; a policy of free form replaces this."""
    return NONE


# ---- the forms


def in_order(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the first job of the queue that may run one more task.

    On untyped containers the earlier job goes first whatever it needs, its maps before its reduces, or by
    the order of its stages.
    """
    look(job, pool, cluster)
    best = NONE
    for turn in range(1 + cluster.lends):
        kind = slot ^ turn
        if turn == 1 and not lends(slot, kind, cluster):
            break
        if cluster.room[kind] == 0:
            continue
        j = highest_priority_job(ALL, kind, slot, queue, trees, keys, job, pool, cluster)
        if j != NONE and (best == NONE or is_earlier(j, kind, best >> 1, slot, job)):
            best = 2 * j + kind
        if best != NONE and cluster.containers == 0:
            break
    return best


def is_earlier(rival: int, other: int, best: int, slot: int, job: Any) -> bool:
    """Whether a task of the other kind is of an earlier job, or of the same one and an earlier stage."""
    if STAGED and rival == best:
        return bool(job[rival].stage_place[other] < job[best].stage_place[slot])
    return bool(job[rival].rank < job[best].rank)


def by_key(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the waiting task with the smallest key; none if it has no room and what is free is kept for it."""
    look(job, pool, cluster)
    best = NONE
    for turn in range(1 + cluster.lends):
        kind = slot ^ turn
        if turn == 1 and not lends(slot, kind, cluster):
            break
        if cluster.room[kind] == 0 and not RESERVED:
            continue
        j = highest_priority_job(ALL, kind, slot, queue, trees, keys, job, pool, cluster)
        if j == NONE or (cluster.room[kind] == 0 and not reserves(job[j], kind, cluster)):
            continue
        if best == NONE or goes_first(j, kind, best >> 1, slot, job, pool, cluster):
            best = 2 * j + kind
    return NONE if best == NONE or cluster.room[best & 1] == 0 else best


def goes_first(rival: int, other: int, best: int, slot: int, job: Any, pool: Any, cluster: Any) -> bool:
    """Whether a task of the other kind has a smaller key than the best one of the slot's own kind."""
    theirs = key(job[rival], other, slot, pool[job[rival].pool], cluster)
    ours = key(job[best], slot, slot, pool[job[best].pool], cluster)
    if STAGED and theirs == ours:
        return is_earlier(rival, other, best, slot, job)
    return bool(theirs < ours)


def by_pool(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the kind, then the pool with the smallest key that takes it, then its job (HFS, PI-DHFS).

    On untyped containers the pool comes first, then whichever of its tasks of either kind goes first.
    """
    look(job, pool, cluster)
    for turn in range(1 + cluster.lends):
        kind = slot ^ turn
        other = 1 - slot if cluster.containers > 0 else kind
        if turn == 1 and (cluster.containers > 0 or not lends(slot, kind, cluster)):
            break
        best = task_of_pools(kind, other, slot, queue, trees, keys, job, pool, cluster)
        if best != NONE:
            return best
    return NONE


def pool_first(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the pool with the smallest key over both kinds, then its task by Algorithm 2 of 002 (PD-DHFS).

    Cases 1 to 4: a map on a map slot, a reduce on a reduce slot, a map on a reduce slot, a reduce on a map
    slot. If the case takes a slot of the type that is not offered now, this one is declined.
    """
    look(job, pool, cluster)
    best = task_of_pools(MAP, REDUCE, slot, queue, trees, keys, job, pool, cluster)
    return NONE if best == DECLINED else best


def task_of_pools(
    kind: int, other: int, slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any
) -> int:
    """Pick the task of the pool with the smallest key, the lower one of equals, of those that have one.

    Only a pool with a smaller key than the best one so far is asked for its task: each is looked at once,
    however many decline.
    """
    best = NONE
    lowest = NO_POOL_KEY
    for p in range(len(pool)):
        if pool[p].waiting[kind] > 0 or pool[p].waiting[other] > 0:
            candidate = pool_key(pool[p], kind, cluster)
            if best == NONE or candidate < lowest:
                found = task_of_pool(p, kind, other, slot, queue, trees, keys, job, pool, cluster)
                if found != NONE:
                    best = found
                    lowest = candidate
    return best


def task_by_kind(
    p: int,
    kind: int,
    other: int,
    slot: int,
    queue: Any,
    trees: Any,
    keys: Any,
    job: Any,
    pool: Any,
    cluster: Any,
) -> int:
    """Pick the task that goes first in one pool: of one kind, or of two."""
    best = job_of_pool(p, kind, slot, queue, trees, keys, job, pool, cluster)
    if other == kind:
        return best
    rival = job_of_pool(p, other, slot, queue, trees, keys, job, pool, cluster)
    if best == NONE or (rival != NONE and goes_first(rival >> 1, other, best >> 1, slot, job, pool, cluster)):
        return rival
    return best


def task_by_case(
    p: int,
    kind: int,
    other: int,
    slot: int,
    queue: Any,
    trees: Any,
    keys: Any,
    job: Any,
    pool: Any,
    cluster: Any,
) -> int:
    """Pick a pool's task by the four cases; DECLINED where it is for a slot of the other type."""
    for case in range(4):
        of = case & 1
        on = of if case < 2 else 1 - of
        if cluster.free[on] > 0 and (on == of or (cluster.lends > 0 and lends(on, of, cluster))):
            best = job_of_pool(p, of, on, queue, trees, keys, job, pool, cluster)
            if best != NONE:
                return best if on == slot else DECLINED
    return NONE


def job_of_pool(
    p: int, kind: int, slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any
) -> int:
    """Pick a task of one kind in one pool, that of the first job, if the pool may have one more slot."""
    if pool[p].waiting[kind] == 0 or cluster.room[kind] == 0:
        return NONE
    if not pool_admits(pool[p], kind, cluster):
        return NONE
    best = highest_priority_job(p, kind, slot, queue, trees, keys, job, pool, cluster)
    return NONE if best == NONE else 2 * best + kind


def at_instants(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Decide by one of the forms or, where no slot is offered, let `watch` look before an instant."""
    if slot == NONE:
        look(job, pool, cluster)
        return NONE
    return form(slot, queue, trees, keys, job, pool, cluster)


def free_form(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Leave the whole decision to the policy."""
    return choose(slot, queue, job, pool, cluster)


# ---- every waiting job is asked


def look_by_scan(job: Any, pool: Any, cluster: Any) -> None:
    """Prepare for a decision."""
    watch(job, pool, cluster)


def job_by_scan(
    group: int, kind: int, slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any
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
                return int(j)
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


def job_by_tree(
    group: int, kind: int, slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any
) -> int:
    """Return the winner of the group's tree, or the best one of the pools' trees; NONE if there is none."""
    if cluster.waiting[kind] < FEW:
        return job_by_scan(group, kind, slot, queue, trees, keys, job, pool, cluster)
    update_changed(queue, trees, keys, job, pool, cluster)
    if POOLED and group == ALL:
        return best_winner(kind, trees[kind], keys[kind], job, pool, cluster)
    root = 0 if group == ALL else pool[group].root
    return int(trees[kind][root + 1])


def best_winner(kind: int, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Return the first of those jobs that win the trees of the pools that may have one more slot."""
    best = NONE
    for p in range(len(pool)):
        j = trees[pool[p].root + 1]
        if j == NONE or not pool_admits(pool[p], kind, cluster):
            continue
        if best == NONE or goes_before(keys[j], keys[best], job[j].rank < job[best].rank):
            best = j
    return best


def update_changed(queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> None:
    """Bring the trees up to date: call the hooks again for every job whose answers may have changed."""
    if cluster.outdated:
        if OUTLOOK > 0:
            update_linked(trees, keys, job, pool, cluster)
            link_outdated(keys[MAP], job, cluster)
        else:
            link_waiting(queue, job, cluster)
        cluster.outdated = 0
    update_linked(trees, keys, job, pool, cluster)


def update_linked(trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> None:
    """Call the hooks again for every job that is linked."""
    while cluster.changed != END:
        j = cluster.changed
        for kind in range(2):
            update_job(j, kind, trees[kind], keys[kind], job, pool, cluster)
        if OUTLOOK > 0:
            update_outlook(j, keys[MAP], job, cluster)
        cluster.changed = job[j].changed
        job[j].changed = UNCHANGED


def link_waiting(queue: Any, job: Any, cluster: Any) -> None:
    """Link all jobs that wait, as if their records had changed."""
    for kind in range(2):
        head = cluster.head[kind]
        for place in range(head, head + cluster.waiting[kind]):
            j = queue[kind][place]
            if job[j].changed == UNCHANGED:
                job[j].changed = cluster.changed
                cluster.changed = j


def link_outdated(nodes: Any, job: Any, cluster: Any) -> None:
    """Link the jobs that may answer otherwise by their outlook: the tree is searched from its root.

    A node has of each number of an outlook the greatest one below it, a leaf its job besides. `nodes` are the
    keys of the jobs and, behind them, the nodes of this tree; its leaves are those of the selection tree.
    """
    leaves = (len(nodes) - len(job)) >> 1
    node = 1
    while node > 0:
        found = outdates(nodes[len(job) + node], cluster)
        if found and node < leaves:
            node <<= 1
            continue
        if found:
            j = int(nodes[len(job) + node][OUTLOOK])
            job[j].changed = cluster.changed
            cluster.changed = j
        while node & 1:
            node >>= 1
        node += node > 0


def update_outlook(j: int, nodes: Any, job: Any, cluster: Any) -> None:
    """Store a job's new outlook, and what of it is the greatest up the tree."""
    node = job[j].leaf
    differs = keep_numbers(nodes[len(job) + node], outlook(job[j], cluster), OUTLOOK)
    while differs and node > 1:
        node >>= 1
        below = len(job) + 2 * node
        differs = keep_greatest(nodes[len(job) + node], nodes[below], nodes[below + 1])


def keep_greatest(kept: Any, one: Any, other: Any) -> bool:
    """Write down the greatest numbers of two nodes; return whether they are others than before."""
    differs = False
    for i in range(OUTLOOK):
        greatest = max(one[i], other[i])
        differs = differs or kept[i] != greatest
        kept[i] = greatest
    return differs


def update_job(j: int, kind: int, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> None:
    """Call the hooks for a job's next task of one kind and, if the answers differ, update its tree."""
    row = job[j]
    p = pool[row.pool]
    leaf = row.root + row.leaf
    entry = NONE
    changed = False
    if may_run(row, kind) and admits(row, kind, kind, p, cluster):
        entry = j
        changed = keep_numbers(keys[j], key(row, kind, kind, p, cluster), WIDTH)
    if changed or trees[leaf] != entry:
        trees[leaf] = entry
        update_tree(j, row.root, row.leaf, trees, keys)


def may_run(row: Any, kind: int) -> bool:
    """Whether a job that has arrived has a task of this kind that could start."""
    return bool(row.next_stage[kind] != NONE)


def keep_numbers(kept: Any, new: Any, width: int) -> bool:
    """Write a key or an outlook down; return whether it is another one than before."""
    differs = False
    for i in range(width):
        differs = differs or kept[i] != new[i]
        kept[i] = new[i]
    return differs


def update_tree(j: int, root: int, node: int, trees: Any, keys: Any) -> None:
    """Compare a job's leaf with its rivals up the tree, as far as another winner than before results."""
    winner = trees[root + node]
    while node > 1:
        rival = trees[root + (node ^ 1)]
        if rival != NONE and (winner == NONE or goes_before(keys[rival], keys[winner], node & 1 == 1)):
            winner = rival
        node >>= 1
        if winner != j and winner == trees[root + node]:
            break
        trees[root + node] = winner


def goes_before(one: Any, other: Any, first: bool) -> bool:
    """Whether a key is smaller than another one, or equal and of the first one of the two."""
    for i in range(WIDTH):
        if one[i] != other[i]:
            return bool(one[i] < other[i])
    return first


form, look, highest_priority_job, task_of_pool = by_key, look_by_scan, job_by_scan, task_by_kind
"""Those in use; `core.policies.composing.kernel` takes others where answers are kept, or pools come first."""

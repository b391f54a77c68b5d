"""Edits of a partition: each takes pools that fit their workload and cluster and returns such pools again.

Slots are given and taken between neighbours, so an edit changes two pools; only a new one takes from several.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import heapify, heappop, heapreplace
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError, UnknownName, shorten
from core.model.partition import Partition, SlotPool, job_problems, pool_of_jobs
from core.model.task_types import KIND_WORDS, TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.model.cluster import Cluster
    from core.model.workload import Workload

ONE_POOL = "All jobs"


def one_pool(jobs: Sequence[str], cluster: Cluster) -> Partition:
    """Return the partition that divides nothing: all jobs, in this order, and all slots in one pool."""
    return Partition((SlotPool(ONE_POOL, cluster.map_slots, cluster.reduce_slots, tuple(jobs)),))


def least_slots(partition: Partition, workload: Workload) -> list[tuple[int, int]]:
    """Return how many map and reduce slots each pool has at least: 1 if its jobs have such tasks."""
    pool = pool_of_jobs(partition, workload)
    needs = np.zeros((len(partition.pools), 2), np.int64)
    np.maximum.at(needs, pool, workload.columns.count > 0)
    return [(int(maps), int(reduces)) for maps, reduces in needs]


def with_pool(partition: Partition, workload: Workload, name: str = "") -> Partition:
    """Add a pool without jobs after the others; it gets a fair share of all slots.

    They come from idle pools first: from those without jobs, then from those with the most slots for each of
    their jobs. What a pool needs stays with it, and one slot of each kind that it has.

    Raises InputError if the name is taken or no pool can give a slot.
    """
    name = _free_name(partition, name)
    kept = _kept_slots(partition, workload)
    given = [
        _given_to_new(partition, [low[kind] for low in kept], kind, -(-whole // (len(partition.pools) + 1)))
        for kind, whole in zip(TASK_TYPES, partition.slots, strict=True)
    ]
    maps, reduces = (sum(of_kind) for of_kind in given)
    if maps + reduces == 0:
        raise InputError(
            "no pool has a slot to spare: each keeps one of each kind; give the cluster more slots"
        )
    smaller = (
        _with_slots(pool, [has - of_kind[place] for has, of_kind in zip(pool.slots, given, strict=True)])
        for place, pool in enumerate(partition.pools)
    )
    return Partition((*smaller, SlotPool(name, maps, reduces)))


def _kept_slots(partition: Partition, workload: Workload) -> list[tuple[int, int]]:
    """Return how many map and reduce slots each pool keeps in any case: its need, and one that it has."""
    return [
        (max(maps, min(1, pool.map_slots)), max(reduces, min(1, pool.reduce_slots)))
        for pool, (maps, reduces) in zip(partition.pools, least_slots(partition, workload), strict=True)
    ]


def _given_to_new(partition: Partition, kept: Sequence[int], kind: int, wanted: int) -> list[int]:
    """Return how many slots of a kind each pool gives to a new one: one by one, from the best giver."""
    given = [0] * len(partition.pools)

    def spared(place: int) -> tuple[bool, float, int]:
        pool = partition.pools[place]
        return bool(pool.jobs), -(pool.slots[kind] - given[place]) / max(1, len(pool.jobs)), place

    places = range(len(partition.pools))
    queue = [spared(place) for place in places if partition.pools[place].slots[kind] > kept[place]]
    heapify(queue)
    for _ in range(wanted):
        if not queue:
            break
        *_, place = queue[0]
        given[place] += 1
        if partition.pools[place].slots[kind] - given[place] > kept[place]:
            heapreplace(queue, spared(place))
        else:
            heappop(queue)
    return given


def without_pool(partition: Partition, place: int) -> Partition:
    """Remove a pool; the one before it (after it, for the first) gets its slots and, at the end, its jobs.

    Raises InputError for the only pool.
    """
    if len(partition.pools) == 1:
        raise InputError("this is the only pool; all jobs need one")
    gone, heir = partition.pools[place], place - 1 if place else 1
    pools = list(partition.pools)
    pools[heir] = replace(
        pools[heir],
        map_slots=pools[heir].map_slots + gone.map_slots,
        reduce_slots=pools[heir].reduce_slots + gone.reduce_slots,
        jobs=(*pools[heir].jobs, *gone.jobs),
    )
    del pools[place]
    return Partition(tuple(pools))


def with_pool_name(partition: Partition, place: int, name: str) -> Partition:
    """Rename a pool; InputError if the name is empty or another pool has it."""
    if not name.strip():
        raise InputError("a pool needs a name")
    if name.strip() == partition.pools[place].name:
        return partition
    return _with(partition, {place: replace(partition.pools[place], name=_free_name(partition, name))})


def with_job_moved(
    partition: Partition, workload: Workload, job: str, pool: int, place: int | None = None
) -> Partition:
    """Put a job into a pool, at a place among its jobs (0 is first), at the end unless given.

    Raises
    ------
    UnknownName
        no pool has such a job
    InputError
        the pool has no slot for the job's tasks
    """
    if job not in partition.jobs:
        raise UnknownName("job", job, partition.jobs)
    return _with_jobs_at(partition, workload, (job,), pool, place)


def with_order(
    partition: Partition, workload: Workload, order: Sequence[str], moved: Sequence[str]
) -> Partition:
    """Put jobs where a list of all jobs, pool after pool, shows them after they were moved as one block.

    They go to the pool of the jobs around them. Between two pools they stay in their own if it is one of
    these (or lies between them), else they go to the end of the one above.

    Parameters
    ----------
    order : names of all jobs as they are listed now
    moved : names of the jobs of the block, from top to bottom

    Raises InputError if the pool has no slots for them.
    """
    first = order.index(moved[0])
    following = order[first + len(moved) : first + len(moved) + 1]
    above = partition.place_of(order[first - 1]) if first else 0
    below = partition.place_of(following[0]) if following else len(partition.pools) - 1
    own = partition.place_of(moved[0])
    pool = own if above <= own <= below else above
    others = [name for name in partition.pools[pool].jobs if name not in moved]
    place = others.index(order[first - 1]) + 1 if first and order[first - 1] in others else 0
    return _with_jobs_at(partition, workload, moved, pool, place)


def _with_jobs_at(
    partition: Partition, workload: Workload, names: Sequence[str], pool: int, place: int | None
) -> Partition:
    target = partition.pools[pool]
    for job in (workload.jobs[workload.job_index[name]] for name in names):
        for kind, word in enumerate(KIND_WORDS):
            if (tasks := job.count_of(kind)) and not target.slots[kind]:
                need = f"job '{job.name}' has {tasks} {word} tasks and pool '{target.name}' no {word} slot"
                raise InputError(f"{need}; give the pool one first")
    pools = [replace(p, jobs=tuple(name for name in p.jobs if name not in names)) for p in partition.pools]
    others = pools[pool].jobs
    place = len(others) if place is None else min(max(place, 0), len(others))
    pools[pool] = replace(pools[pool], jobs=(*others[:place], *names, *others[place:]))
    return Partition(tuple(pools))


def with_slots_moved(
    partition: Partition, workload: Workload, giver: int, taker: int, slots: tuple[int, int]
) -> Partition:
    """Move so many map and reduce slots from one pool to another (back, where negative).

    What a pool needs stays with it, and one slot of each kind that it has: else its rows would be gone.
    """
    gives, takes = partition.pools[giver], partition.pools[taker]
    least = _kept_slots(partition, workload)
    fewest = [low - has for low, has in zip(least[taker], takes.slots, strict=True)]
    most = [has - low for has, low in zip(gives.slots, least[giver], strict=True)]
    moved = [min(max(slots[kind], fewest[kind]), most[kind]) for kind in TASK_TYPES]
    larger = [has + more for has, more in zip(takes.slots, moved, strict=True)]
    smaller = [has - less for has, less in zip(gives.slots, moved, strict=True)]
    return _with(partition, {taker: _with_slots(takes, larger), giver: _with_slots(gives, smaller)})


def with_slots(partition: Partition, workload: Workload, place: int, slots: tuple[int, int]) -> Partition:
    """Give a pool so many map and reduce slots; the neighbour below gives or takes them (the last: above).

    Raises InputError if a pool would have fewer than it needs; nothing is cut short here.
    """
    neighbour = place + 1 if place + 1 < len(partition.pools) else place - 1
    if neighbour < 0:
        raise InputError("this is the only pool: it has all slots of the cluster; add another pool first")
    pool, other = partition.pools[place], partition.pools[neighbour]
    rest = [other.slots[kind] + pool.slots[kind] - slots[kind] for kind in TASK_TYPES]
    changed = {place: _with_slots(pool, slots), neighbour: _with_slots(other, rest)}
    least = least_slots(partition, workload)
    for at, each in changed.items():
        for word, has, low in zip(KIND_WORDS, each.slots, least[at], strict=True):
            if has < low:
                would = f"pool '{each.name}' would have {has} {word} slots"
                raise InputError(f"{would} and needs at least {low}")
        if not any(each.slots):
            raise InputError(f"pool '{each.name}' would have no slots at all; remove it instead")
    return _with(partition, changed)


# ---- following the jobs and the cluster


def fitted_to_jobs(partition: Partition, workload: Workload) -> Partition:
    """Leave out jobs that are gone; new ones go to the end of the last pool."""
    known = set(partition.jobs)
    new = tuple(job.name for job in workload.jobs if job.name not in known)
    pools = [
        replace(pool, jobs=tuple(name for name in pool.jobs if name in workload.job_index))
        for pool in partition.pools
    ]
    pools[-1] = replace(pools[-1], jobs=(*pools[-1].jobs, *new))
    return Partition(tuple(pools))


def with_job_name(partition: Partition, old: str, new: str) -> Partition:
    """Take over a job's new name."""
    return Partition(
        tuple(
            replace(pool, jobs=tuple(new if name == old else name for name in pool.jobs))
            for pool in partition.pools
        )
    )


def fitted_to_cluster(partition: Partition, workload: Workload, cluster: Cluster) -> Partition:
    """Return the pools on a cluster of another size: slots in proportion, to each at least what it needs.

    Pools that fit already, those for which there are too few slots, and those of other jobs stay as they are.
    """
    if job_problems(partition, workload):
        return partition
    wanted = (cluster.map_slots, cluster.reduce_slots)
    least = least_slots(partition, workload)
    shares = []
    for kind in TASK_TYPES:
        has, needs = [pool.slots[kind] for pool in partition.pools], [low[kind] for low in least]
        enough = all(slots >= low for slots, low in zip(has, needs, strict=True))
        shares.append(has if sum(has) == wanted[kind] and enough else in_proportion(has, needs, wanted[kind]))
    if any(sum(share) != whole for share, whole in zip(shares, wanted, strict=True)):
        return partition
    return Partition(
        tuple(_with_slots(pool, slots) for pool, *slots in zip(partition.pools, *shares, strict=True))
    )


def in_proportion(parts: Sequence[int], least: Sequence[int], whole: int) -> list[int]:
    """Share `whole` in proportion to `parts`, to each at least its `least`; largest remainders first.

    The least of all together if they are more than the whole.
    """
    if whole <= sum(least):
        return list(least)
    weights = list(parts) if sum(parts) else [1] * len(parts)
    total = sum(weights)
    shares = [whole * weight // total for weight in weights]
    by_remainder = sorted(range(len(parts)), key=lambda i: (-(whole * weights[i] % total), i))
    for i in by_remainder[: whole - sum(shares)]:
        shares[i] += 1
    for i, low in enumerate(least):
        while shares[i] < low:
            richest = max(range(len(shares)), key=lambda j: shares[j] - least[j])
            shares[richest] -= 1
            shares[i] += 1
    return shares


# ---- parts


def _with_slots(pool: SlotPool, slots: Sequence[int]) -> SlotPool:
    maps, reduces = slots
    return replace(pool, map_slots=maps, reduce_slots=reduces)


def _with(partition: Partition, changed: Mapping[int, SlotPool]) -> Partition:
    return Partition(tuple(changed.get(place, pool) for place, pool in enumerate(partition.pools)))


def _free_name(partition: Partition, name: str) -> str:
    """Return the name, checked; an empty one becomes "Pool 2" or the next number that is free."""
    name = name.strip()
    if name in partition.names:
        raise InputError(f"another pool is called {shorten(name)}; give every pool its own name")
    number = len(partition.pools) + 1
    while not name or name in partition.names:
        name, number = f"Pool {number}", number + 1
    return name

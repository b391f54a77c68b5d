"""Two passes over the tasks of a plan: all map stages, then all reduce stages, on typed slots.

Keys do not change during a run, so maps do not depend on reduces, and each slot takes the task with the
smallest key that may start. Where all jobs are there from the beginning and may hold any number of slots,
the maps start in the order of their keys: snapshots of that list let the next plan, which differs a little,
begin where it differs. What such a pass writes equals, to the last bit, what the engine writes, as long as
every map takes time.

Plain functions over columns; `core.engine.jit` makes their compiled twins. Nothing is allocated here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.engine.apart import apart
from core.optimize.heaps_loop import idle, rise, sink, take_earliest
from core.optimize.levers import LATEST_START, first_task, key_of, reduces_may_start
from core.optimize.reduces_loop import accept_reduces, same_pools
from core.optimize.released_tasks import run_reduces, run_released
from core.optimize.search_columns import INF, KEPT, TRIED

if TYPE_CHECKING:
    from core.optimize.levers import PlanColumns
    from core.optimize.plan_costs import PlanTrial
    from core.optimize.search_columns import Passes, Tasks


@apart
def run_from(
    t: Tasks,
    plans: PlanColumns,
    row: int,
    p: Passes,
    pool: int,
    floor: float,
    a: PlanTrial,
) -> bool:
    """Run a plan that differs from the accepted one, and write the results to `TRIED`.

    Parameters
    ----------
    pool : the first one whose maps start differently; those before it are taken over
    floor : maps of this pool with smaller keys start as they did; -infinity to run everything, infinity if
        no map starts differently
    a : what differs, and when to give up

    Returns
    -------
    bool
        False if it was given up, or stopped: the results are not complete then
    """
    pools = plans.slots.shape[1]
    take_over(t, p, pool)
    if floor < INF:
        for q in range(pool, pools):
            if not run_maps(t, plans, row, p, q, floor if q == pool else -INF, a):
                return False
    for j in range(len(t.count)):
        if p.same[j] < t.count[j, t.root] or j in (a.moved, a.other) or floor == -INF:
            p.enabled[TRIED, j] = reduces_may_start(t, plans, row, p, j)
        else:
            p.enabled[TRIED, j] = p.enabled[KEPT, j]
        p.finish[TRIED, j] = p.stage_end[TRIED, j]
        if p.finish[TRIED, j] > a.ends_by:
            return False
    anew = floor == -INF or not same_pools(plans, row, a.moved, a.other)
    q = 0
    while q < pools and run_reduces(t, plans, row, p, q, anew, a):
        q += 1
    return bool(q == pools)


def take_over(t: Tasks, p: Passes, pool: int) -> None:
    """Begin with what was accepted: the maps of the pools before the first one that differs."""
    for j in range(len(t.count)):
        p.stage_end[TRIED, j] = p.stage_end[KEPT, j]
        p.same[j] = t.count[j, t.root]
    for q in range(pool + 1):
        p.begin[TRIED, q] = p.begin[KEPT, q]
    p.rerun[0] = len(p.task[TRIED])


@apart
def accept(t: Tasks, plans: PlanColumns, row: int, p: Passes, pool: int, floor: float) -> None:
    """Take over what was run last; arguments as of `run_from`."""
    pools = plans.slots.shape[1]
    for j in range(len(t.count)):
        p.stage_end[KEPT, j] = p.stage_end[TRIED, j]
        p.enabled[KEPT, j] = p.enabled[TRIED, j]
        p.finish[KEPT, j] = p.finish[TRIED, j]
    for q in range(pools):
        p.busy[KEPT, q] = p.busy[TRIED, q]
        accept_reduces(t, p, q)
    if floor == INF:
        return
    if t.released or p.held[0]:
        for task in range(2 * t.tasks):
            p.end[KEPT, task] = p.end[TRIED, task]
        return
    for q in range(pool + 1, pools + 1):
        p.begin[KEPT, q] = p.begin[TRIED, q]
    for i in range(p.rerun[0], p.begin[TRIED, pools]):
        task = p.task[TRIED, i]
        p.task[KEPT, i] = task
        p.turn[KEPT, i] = p.turn[TRIED, i]
        p.turn_key[KEPT, i] = p.turn_key[TRIED, i]
        p.end[KEPT, task] = p.end[TRIED, task]
    accept_snapshots(t, p)


def accept_snapshots(t: Tasks, p: Passes) -> None:
    """Take over the snapshots that the last run has taken."""
    for block in range(p.rerun[0] // t.block + 1, p.slot_ends.shape[1]):
        for i in range(p.slot_ends.shape[2]):
            p.slot_ends[KEPT, block, i] = p.slot_ends[TRIED, block, i]
        for j in range(len(t.count)):
            p.stage_ends[KEPT, block, j] = p.stage_ends[TRIED, block, j]


def maps_below(t: Tasks, plans: PlanColumns, row: int, j: int, floor: float) -> int:
    """Return how many maps of a job have smaller keys than `floor`: they come first in their stage."""
    low, high = 0, t.count[j, t.root]
    while low < high:
        middle = (low + high) >> 1
        if key_of(t, plans, row, j, t.root, middle) < floor:
            low = middle + 1
        else:
            high = middle
    return low


# ---- maps of jobs that are all there from the beginning


def run_maps(
    t: Tasks,
    plans: PlanColumns,
    row: int,
    p: Passes,
    pool: int,
    floor: float,
    a: PlanTrial,
) -> bool:
    """Run the maps of a pool; arguments as of `run_from`."""
    if t.released or p.held[0]:
        return run_released(t, plans, row, p, pool, t.root, 0, a)
    waiting, same = 0, 0
    for k in range(len(t.count)):
        j = plans.served[row, k]
        if plans.pool[row, j] == pool:
            p.same[j] = p.started[j] = 0 if floor == -INF else maps_below(t, plans, row, j, floor)
            same += p.started[j]
            if p.started[j] < t.count[j, t.root] and (floor == -INF or j in (a.moved, a.other)):
                rise(p, waiting, key_of(t, plans, row, j, t.root, p.started[j]), k)
                waiting += 1
    kept = p.begin[KEPT, pool + 1] if floor > -INF else -1
    return run_list(t, plans, row, p, pool, same, waiting, kept, a)


def run_list(
    t: Tasks,
    plans: PlanColumns,
    row: int,
    p: Passes,
    pool: int,
    same: int,
    waiting: int,
    kept: int,
    a: PlanTrial,
) -> bool:
    """Start the first `same` maps of a pool as they were accepted, then those of the jobs that wait.

    Parameters
    ----------
    kept : where the accepted list of the pool ends: jobs that were not moved go on as it has them, and stand
        in the heap of those that wait as if they were one; -1 for none
    """
    at = restore(t, plans, row, p, pool, same)
    begin = p.begin[TRIED, pool] + same
    while at < begin:
        k = p.turn[KEPT, at]
        j, task, key = plans.served[row, k], p.task[KEPT, at], p.turn_key[KEPT, at]
        if not map_starts(t, p, at, task, j, k, key, a):
            return False
        at += 1
    i = next_kept(plans, row, p, at, kept, a)
    if i < kept:
        rise(p, waiting, p.turn_key[KEPT, i], p.turn[KEPT, i])
        waiting += 1
    while waiting > 0:
        key, k = p.key[0], p.place[0]
        j = plans.served[row, k]
        is_own = kept < 0 or j in (a.moved, a.other)
        task = first_task(t, plans, row, j, t.root) + p.started[j] if is_own else p.task[KEPT, i]
        if not map_starts(t, p, at, task, j, k, key, a):
            return False
        at += 1
        if is_own:
            p.started[j] += 1
            goes_on = p.started[j] < t.count[j, t.root]
            if goes_on and plans.tasks[row, j, t.root] == LATEST_START:
                key = key_of(t, plans, row, j, t.root, p.started[j])
        else:
            i = next_kept(plans, row, p, i + 1, kept, a)
            goes_on = i < kept
            if goes_on:
                key, k = p.turn_key[KEPT, i], p.turn[KEPT, i]
        if not goes_on:
            waiting -= 1
            key, k = p.key[waiting], p.place[waiting]
        sink(p, waiting, key, k)
    p.begin[TRIED, pool + 1] = at
    return True


def next_kept(plans: PlanColumns, row: int, p: Passes, i: int, kept: int, a: PlanTrial) -> int:
    """Return the first place from `i` on in the accepted list that is of a job which was not moved."""
    while i < kept and plans.served[row, p.turn[KEPT, i]] in (a.moved, a.other):
        i += 1
    return i


def restore(t: Tasks, plans: PlanColumns, row: int, p: Passes, pool: int, same: int) -> int:
    """Put slots and stage ends back to the last snapshot; return the place in the list to go on from."""
    begin = p.begin[TRIED, pool]
    block = min((begin + same) // t.block, p.slot_ends.shape[1] - 1)
    if block * t.block > begin:
        at = block * t.block
        for i in range(len(p.slots)):
            p.slots[i] = p.slot_ends[KEPT, block, i]
    else:
        at = begin
        idle(p, plans.slots[row, pool, t.task_type[t.root]])
    for j in range(len(t.count)):
        if plans.pool[row, j] == pool:
            p.stage_end[TRIED, j] = p.stage_ends[KEPT, block, j] if at > begin else t.arrival[j]
    p.rerun[0] = min(p.rerun[0], at)
    return int(at)


def map_starts(
    t: Tasks,
    p: Passes,
    at: int,
    task: int,
    j: int,
    k: int,
    key: float,
    a: PlanTrial,
) -> bool:
    """Run a map on the slot that is free first; False if its job can only end too late, or to stop."""
    if at % t.block == 0 and at // t.block < p.slot_ends.shape[1]:
        save(t, p, at // t.block)
    end = p.slots[0] + t.duration[a.copy, task]
    take_earliest(p.slots, end)
    p.task[TRIED, at] = task
    p.turn[TRIED, at] = k
    p.turn_key[TRIED, at] = key
    p.end[TRIED, task] = end
    if end > p.stage_end[TRIED, j]:
        p.stage_end[TRIED, j] = end
        return bool(end + t.tail[a.copy, j] <= a.ends_by and p.stop[0] == 0)
    return bool(p.stop[0] == 0)


@apart
def save(t: Tasks, p: Passes, block: int) -> None:
    """Take a snapshot."""
    for i in range(len(p.slots)):
        p.slot_ends[TRIED, block, i] = p.slots[i]
    for j in range(len(t.count)):
        p.stage_ends[TRIED, block, j] = p.stage_end[TRIED, j]

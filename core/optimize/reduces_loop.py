"""Which reduces of a changed plan start as they did in the accepted one, and going on behind them.

As long as nobody else wins a slot, the accepted starts stand: a change is looked for job by job in the list
of these, and the pass goes on from the last snapshot before the first one. It writes what a pass from the
beginning writes, to the last bit.

Plain functions over columns; `core.engine.jit` makes their compiled twins. Nothing is allocated here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.engine.apart import apart
from core.optimize.heaps_loop import idle, take_earliest
from core.optimize.levers import key_of
from core.optimize.search_columns import INF, KEPT, LAST, TRIED

if TYPE_CHECKING:
    from core.optimize.levers import PlanColumns
    from core.optimize.search_columns import Passes, Tasks


@apart
def same_pools(plans: PlanColumns, row: int, moved: int, other: int) -> bool:
    """Whether the pools of a plan, and their slots, are those of the plan kept last."""
    for j in (moved, other):
        if plans.pool[row, j] != plans.pool[LAST, j]:
            return False
    for q in range(plans.slots.shape[1]):
        for task_type in range(plans.slots.shape[2]):
            if plans.slots[row, q, task_type] != plans.slots[LAST, q, task_type]:
                return False
    return True


@apart
def same_reduces(t: Tasks, plans: PlanColumns, row: int, p: Passes, pool: int, moved: int, other: int) -> int:
    """Return the place of the first reduce of a pool that may start differently from what was accepted."""
    begin, place = p.starts.begin[KEPT, pool], p.starts.begin[KEPT, pool + 1]
    for j in range(len(t.count)):
        if plans.pool[row, j] != pool or t.count[j, t.child] == 0:
            continue
        if min(plans.cap[row, j, t.child], plans.cap[LAST, j, t.child]) < t.count[j, t.child]:
            return int(begin)
        place = min(place, place_of_change(t, plans, row, p, j, begin, place, j in (moved, other)))
    return int(place)


def place_of_change(
    t: Tasks, plans: PlanColumns, row: int, p: Passes, j: int, begin: int, stop: int, moved: bool
) -> int:
    """Return the place, `stop` at most, of the first start that a job may change: its own, or one it wins."""
    was, now = p.enabled[KEPT, j], p.enabled[TRIED, j]
    is_new = moved and (
        plans.due[row, j, t.child] != plans.due[LAST, j, t.child]
        or plans.tasks[row, j, t.child] != plans.tasks[LAST, j, t.child]
    )
    if was == now and p.stage_end[KEPT, j] == p.stage_end[TRIED, j] and not is_new:
        return stop
    first = p.starts.first[KEPT, j]
    key = -INF if t.begun[j, t.child] > 0 else key_of(t, plans, row, j, t.child, 0)
    i = first_after(p.starts.time[KEPT], begin, min(first, stop), now)
    while i < min(first, stop) and (is_new or p.starts.time[KEPT, i] <= was):
        if key <= p.starts.key[KEPT, i]:
            return int(i)
        i += 1
    if first >= stop:
        return stop
    late = max(was, now, p.stage_end[KEPT, j], p.stage_end[TRIED, j])
    waited = now < was and p.starts.key[KEPT, first] == INF
    return int(first) if is_new or waited or p.starts.time[KEPT, first] < late else stop


def first_after(times: Any, low: int, high: int, time: float) -> int:
    """Return the place of the first of some times in order that is not before a time."""
    while low < high:
        middle = (low + high) >> 1
        if times[middle] < time:
            low = middle + 1
        else:
            high = middle
    return low


@apart
def start_again(t: Tasks, plans: PlanColumns, row: int, p: Passes, pool: int, place: int) -> float:
    """Let the reduces of a pool that come before a place start as accepted; return when the last one did."""
    begin = at = p.starts.begin[TRIED, pool]
    block = min(place // t.block, p.starts.slot_ends.shape[1] - 1)
    if block * t.block > begin:
        at = block * t.block
        for i in range(len(p.slots)):
            p.slots[i] = p.starts.slot_ends[KEPT, block, i]
        for j in range(len(t.count)):
            if plans.pool[row, j] == pool and p.starts.started[KEPT, block, j] > 0:
                p.started[j] = p.starts.started[KEPT, block, j]
                p.finish[TRIED, j] = p.starts.finish[KEPT, block, j]
                p.starts.first[TRIED, j] = p.starts.first[KEPT, j]
    else:
        idle(p, plans.slots[row, pool, t.task_type[t.child]])
    p.starts.again[pool] = at
    while at < place:
        j, end = p.starts.job[KEPT, at], p.starts.end[KEPT, at]
        note_start(t, p, t.child, at, j, p.starts.time[KEPT, at], p.starts.key[KEPT, at], end)
        take_earliest(p.slots, end)
        p.finish[TRIED, j] = max(p.finish[TRIED, j], end)
        p.started[j] += 1
        at += 1
    return float(p.starts.time[KEPT, place - 1]) if place > begin else 0.0


def note_start(
    t: Tasks, p: Passes, stage: int, at: int, j: int, start: float, key: float, end: float
) -> None:
    """Write down the start of a reduce, before it takes its slot."""
    if stage != t.child:
        return
    block = at // t.block
    if at % t.block == 0 and block < p.starts.slot_ends.shape[1]:
        for i in range(len(p.slots)):
            p.starts.slot_ends[TRIED, block, i] = p.slots[i]
        for i in range(len(t.count)):
            p.starts.started[TRIED, block, i] = p.started[i]
            p.starts.finish[TRIED, block, i] = p.finish[TRIED, i]
    if p.started[j] == 0:
        p.starts.first[TRIED, j] = at
    p.starts.job[TRIED, at] = j
    p.starts.time[TRIED, at] = start
    p.starts.key[TRIED, at] = key
    p.starts.end[TRIED, at] = end


def accept_reduces(t: Tasks, p: Passes, pool: int) -> None:
    """Take over the starts of a pool's reduces that were run last, and their snapshots."""
    begin, end = p.starts.again[pool], p.starts.begin[TRIED, pool + 1]
    for i in range(begin, end):
        j = p.starts.job[KEPT, i] = p.starts.job[TRIED, i]
        p.starts.first[KEPT, j] = p.starts.first[TRIED, j]
        p.starts.time[KEPT, i] = p.starts.time[TRIED, i]
        p.starts.key[KEPT, i] = p.starts.key[TRIED, i]
        p.starts.end[KEPT, i] = p.starts.end[TRIED, i]
        block = i // t.block
        if i % t.block == 0 and block < p.starts.slot_ends.shape[1]:
            for k in range(len(p.slots)):
                p.starts.slot_ends[KEPT, block, k] = p.starts.slot_ends[TRIED, block, k]
            for k in range(len(t.count)):
                p.starts.started[KEPT, block, k] = p.starts.started[TRIED, block, k]
                p.starts.finish[KEPT, block, k] = p.starts.finish[TRIED, block, k]
    p.starts.begin[KEPT, pool + 1] = end

"""One pass: tasks of one stage, of jobs that come one after the other or are held back, on a pool's slots.

Plain functions over columns; `core.engine.jit` makes their compiled twins. Nothing is allocated here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.engine.apart import apart
from core.optimize.levers import first_task, hold_back, key_of, let_go
from core.optimize.search_columns import INF, TRIED

if TYPE_CHECKING:
    from core.optimize.levers import PlanColumns
    from core.optimize.search_columns import Passes, Tasks


@apart
def run_released(
    t: Tasks, plans: PlanColumns, row: int, p: Passes, pool: int, stage: int, copy: int, limit: float
) -> bool:
    """Run one stage of the jobs of a pool, each job's from a time on; arguments as of `run_from`."""
    jobs = sort_by_release(t, plans, row, p, pool, stage)
    slots = plans.slots[row, pool, t.task_type[stage]]
    idle(p, slots)
    come, waiting, now = 0, 0, 0.0
    while come < jobs or waiting > 0:
        now = max(now, p.slots[1])
        if waiting == 0:
            now = max(now, p.ready[plans.served[row, p.by_time[come]]])
        while come < jobs and p.ready[plans.served[row, p.by_time[come]]] <= now:
            k = p.by_time[come]
            j = plans.served[row, k]
            rise(p, waiting, next_key(t, plans, row, p, j, stage), k)
            waiting += 1
            come += 1
        k = p.place[0]
        j = plans.served[row, k]
        end = task_ends(t, p, j, first_task(t, plans, row, j, stage) + p.started[j], stage, now, copy)
        take_earliest(p.slots, slots // 2 + 1, end)
        if not job_lasts(t, p, j, stage, end, copy, limit):
            return False
        p.started[j] += 1
        hold_back(t, plans, row, p, j, stage, end)
        if p.started[j] < t.count[j, stage] and p.ready[j] <= now:
            sink(p, waiting, next_key(t, plans, row, p, j, stage), k)
            continue
        waiting -= 1
        sink(p, waiting, p.key[waiting], p.place[waiting])
        if p.started[j] < t.count[j, stage]:
            come -= 1
            wait_again(plans, row, p, come, jobs, k)
    if stage == t.child:
        p.busy[TRIED, pool] = 0.0
        for i in range(1, slots + 1):
            p.busy[TRIED, pool] += p.slots[i]
    return True


def next_key(t: Tasks, plans: PlanColumns, row: int, p: Passes, j: int, stage: int) -> float:
    """Return the key of a job's next task: those that have begun go before all others."""
    if p.started[j] < t.begun[j, stage]:
        return -INF
    return key_of(t, plans, row, j, stage, p.started[j])


def sort_by_release(t: Tasks, plans: PlanColumns, row: int, p: Passes, pool: int, stage: int) -> int:
    """List the places of a pool's jobs that have tasks of a stage, by the time from which they may run."""
    jobs = 0
    for k in range(len(t.count)):
        j = plans.served[row, k]
        if plans.pool[row, j] != pool:
            continue
        p.started[j] = 0
        p.ready[j] = p.enabled[TRIED, j]
        if stage == t.root:
            p.same[j] = 0
            p.stage_end[TRIED, j] = p.ready[j] = t.arrival[j]
        let_go(t, plans, row, p, j, stage)
        if t.count[j, stage] > 0:
            p.by_time[jobs] = k
            jobs += 1
    gap = jobs >> 1
    while gap > 0:  # Shell's sort: in place
        for i in range(gap, jobs):
            k = p.by_time[i]
            time = p.ready[plans.served[row, k]]
            while i >= gap and p.ready[plans.served[row, p.by_time[i - gap]]] > time:
                p.by_time[i] = p.by_time[i - gap]
                i -= gap
            p.by_time[i] = k
        gap >>= 1
    return jobs


def wait_again(plans: PlanColumns, row: int, p: Passes, i: int, jobs: int, k: int) -> None:
    """Put a job that is held back, by its place, among those that are still to come."""
    time = p.ready[plans.served[row, k]]
    while i + 1 < jobs and p.ready[plans.served[row, p.by_time[i + 1]]] <= time:
        p.by_time[i] = p.by_time[i + 1]
        i += 1
    p.by_time[i] = k


def task_ends(t: Tasks, p: Passes, j: int, task: int, stage: int, now: float, copy: int) -> float:
    """Return when a task that starts now ends; reduces that start before the map stage ends are fillers."""
    shuffled = now + t.typical_shuffle[copy, task]
    if stage != t.root and p.stage_end[TRIED, j] > now:
        filler = p.stage_end[TRIED, j] + t.first_shuffle[copy, task]
        shuffled = max(filler, shuffled) if t.overlap else filler
    end = shuffled + t.duration[copy, task]
    if stage == t.root:
        p.end[TRIED, task] = end
    return float(end)


def job_lasts(t: Tasks, p: Passes, j: int, stage: int, end: float, copy: int, limit: float) -> bool:
    """Note the end of a task; False if its job can only end too late, or the pass is to stop."""
    if stage == t.root:
        p.stage_end[TRIED, j] = max(p.stage_end[TRIED, j], end)
        return bool(end + t.tail[copy, j] <= limit and p.stop[0] == 0)
    p.finish[TRIED, j] = max(p.finish[TRIED, j], end)
    return end <= limit and p.stop[0] == 0


# ---- heaps: of slots, by the time at which they are free, and of jobs that wait, by key


def idle(p: Passes, slots: int) -> None:
    """Let so many slots be free from the beginning, and no others."""
    for i in range(len(p.slots)):
        p.slots[i] = 0.0 if 1 <= i <= slots else INF


def take_earliest(slots: Any, leaf: int, time: float) -> None:
    """Let the slot that is free first be free at `time`; entries from `leaf` on have none below them.

    The hole goes down to the bottom first, the later of two entries rising rarely.
    """
    i = 1
    while i < leaf:
        below = 2 * i
        below += slots[below + 1] < slots[below]
        slots[i] = slots[below]
        i = below
    while i > 1 and slots[i >> 1] > time:
        slots[i] = slots[i >> 1]
        i >>= 1
    slots[i] = time


def rise(p: Passes, waiting: int, key: float, k: int) -> None:
    """Add a job, by its place, to the heap of so many that wait."""
    i = waiting
    while i > 0:
        above = (i - 1) >> 1
        if p.key[above] < key or (p.key[above] == key and p.place[above] < k):
            break
        p.key[i], p.place[i] = p.key[above], p.place[above]
        i = above
    p.key[i], p.place[i] = key, k


def sink(p: Passes, waiting: int, key: float, k: int) -> None:
    """Put a job into the first entry of the heap of so many that wait."""
    i, below = 0, 1
    while below < waiting:
        if below + 1 < waiting and comes_first(p, below + 1, p.key[below], p.place[below]):
            below += 1
        if not comes_first(p, below, key, k):
            break
        p.key[i], p.place[i] = p.key[below], p.place[below]
        i, below = below, 2 * below + 1
    if waiting > 0:
        p.key[i], p.place[i] = key, k


def comes_first(p: Passes, i: int, key: float, k: int) -> bool:
    """Whether entry i of the heap comes before a key and place."""
    return bool(p.key[i] < key or (p.key[i] == key and p.place[i] < k))

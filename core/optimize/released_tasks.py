"""One pass: tasks of one stage, of jobs that come one after the other or are held back, on a pool's slots.

Plain functions over columns; `core.engine.jit` makes their compiled twins. Nothing is allocated here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.engine.apart import apart
from core.optimize.heaps_loop import idle, rise, sink, take_earliest
from core.optimize.levers import first_task, hold_back, key_of, let_go
from core.optimize.plan_costs import value_of
from core.optimize.reduces_loop import note_start, same_reduces, start_again
from core.optimize.search_columns import INF, KEPT, TRIED

if TYPE_CHECKING:
    from core.optimize.levers import PlanColumns
    from core.optimize.plan_costs import PlanTrial
    from core.optimize.search_columns import Passes, Tasks

ROUNDED = 1 - 1e-12
"""Sums of the same times differ by less, in whichever order they are added."""


@apart
def run_reduces(
    t: Tasks,
    plans: PlanColumns,
    row: int,
    p: Passes,
    pool: int,
    anew: bool,
    a: PlanTrial,
) -> bool:
    """Run the reduces of a pool, all of them or those that start differently; arguments as of `run_from`."""
    begin = p.starts.begin[TRIED, pool]
    same = begin if anew else same_reduces(t, plans, row, p, pool, a.moved, a.other)
    if not anew and same == p.starts.begin[KEPT, pool + 1]:
        for j in range(len(t.count)):
            if plans.pool[row, j] == pool and t.count[j, t.child] > 0:
                p.finish[TRIED, j] = p.finish[KEPT, j]
        p.busy[TRIED, pool] = p.busy[KEPT, pool]
        p.starts.again[pool] = p.starts.begin[TRIED, pool + 1] = same
        return True
    return run_released(t, plans, row, p, pool, t.child, same, a)


@apart
def run_released(
    t: Tasks,
    plans: PlanColumns,
    row: int,
    p: Passes,
    pool: int,
    stage: int,
    same: int,
    a: PlanTrial,
) -> bool:
    """Run one stage of the jobs of a pool, each job's from a time on; arguments as of `run_from`.

    Parameters
    ----------
    same : the place up to which reduces start as they were accepted
    """
    jobs = sort_by_release(t, plans, row, p, pool, stage)
    slots = plans.slots[row, pool, t.task_type[stage]]
    now = start_again(t, plans, row, p, pool, same) if stage == t.child else idle(p, slots)
    come, at = first_not_come(plans, row, p, 0, jobs, now), same
    waiting = let_wait(t, plans, row, p, stage, 0, come, 0)
    while come < jobs or waiting > 0:
        now = max(now, p.slots[0])
        waits = waiting == 0 and p.ready[plans.served[row, p.by_time[come]]] > now
        if waits:
            now = p.ready[plans.served[row, p.by_time[come]]]
        stop = first_not_come(plans, row, p, come, jobs, now)
        waiting = let_wait(t, plans, row, p, stage, come, stop, waiting)
        come = stop
        k = p.place[0]
        j = plans.served[row, k]
        if (
            (at == same or at % t.block == 0)
            and stage == t.child
            and costs_more(t, plans, row, p, pool, now, a)
        ):
            return False
        end = task_ends(t, p, j, first_task(t, plans, row, j, stage) + p.started[j], stage, now, a.copy)
        note_start(t, p, stage, at, j, now, INF if waits else p.key[0], end)
        at += 1
        take_earliest(p.slots, end)
        if not job_lasts(t, p, j, stage, end, a):
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
        p.starts.begin[TRIED, pool + 1] = at
        p.busy[TRIED, pool] = 0.0
        for i in range(slots):
            p.busy[TRIED, pool] += p.slots[i]
    return True


@apart
def costs_more(
    t: Tasks, plans: PlanColumns, row: int, p: Passes, pool: int, now: float, a: PlanTrial
) -> bool:
    """Whether a plan is dearer than it may be, however soon all that has not started ends from now on."""
    if a.most == INF:
        return False
    for j in range(len(t.count)):
        begin = p.stage_end[TRIED, j]
        if plans.pool[row, j] == pool and p.started[j] == 0 and t.count[j, t.child] > 0:
            begin = max(begin, now)
        p.least[j] = max(p.finish[TRIED, j], (begin + t.tail[a.copy, j]) * ROUNDED)
    return value_of(t.arrival, p.least, a.goal) > a.most


def first_not_come(plans: PlanColumns, row: int, p: Passes, come: int, jobs: int, now: float) -> int:
    """Return the first of the jobs in `by_time` that may not start yet; those before `come` may."""
    while come < jobs and p.ready[plans.served[row, p.by_time[come]]] <= now:
        come += 1
    return come


def let_wait(
    t: Tasks, plans: PlanColumns, row: int, p: Passes, stage: int, come: int, stop: int, waiting: int
) -> int:
    """Add some of `by_time` that have tasks left to the heap of so many that wait; return its number."""
    for i in range(come, stop):
        k = p.by_time[i]
        j = plans.served[row, k]
        if p.started[j] < t.count[j, stage]:
            rise(p, waiting, next_key(t, plans, row, p, j, stage), k)
            waiting += 1
    return waiting


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


def job_lasts(t: Tasks, p: Passes, j: int, stage: int, end: float, a: PlanTrial) -> bool:
    """Note the end of a task; False if its job can only end too late, or the pass is to stop."""
    if stage == t.root:
        p.stage_end[TRIED, j] = max(p.stage_end[TRIED, j], end)
        return bool(end + t.tail[a.copy, j] <= a.ends_by and p.stop[0] == 0)
    p.finish[TRIED, j] = max(p.finish[TRIED, j], end)
    return end <= a.ends_by and p.stop[0] == 0

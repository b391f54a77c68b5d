"""The search of the best order of a few jobs: depth first, as plain functions over columns.

`core.engine.jit` makes their compiled twins; nothing is allocated here. Jobs that come first in an order get
map slots first, so what their maps do depends on no job behind them: one more job at the end of an order
costs the steps of its own maps only. An order that is complete is judged by its reduces. Of one that is not,
three bounds say when it cannot become better than the best one known, however it goes on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from core.optimize.numbers_loop import replace_least, smallest

INF = float("inf")
DEPTH, NODES = 0, 1
"""What `OrderSearch.at` counts: jobs that the order begins with, and beginnings looked at."""
ROUNDING = 1e-12
"""The part of a makespan that sums of times may be wrong by: an order must be better by more than that."""


class OrderJobs(NamedTuple):
    """The jobs, (jobs,) each by default; all of them are there at 0 s.

    Attributes
    ----------
    first, count : of its maps and reduces among the tasks, (jobs, 2)
    after : so many complete maps let its reduces start
    duration, first_shuffle, typical_shuffle : seconds of the tasks as they start in their stages, (tasks,)
    map_share, reduce_share : seconds that its maps take if they fill all map slots evenly; its reduces, from
        the end of its map stage on, likewise
    longest_map : seconds
    tail : seconds that it takes at least from the end of its map stage on
    by_tail : the jobs, those with the longest tails first
    twin : an equal job that has to stand before it, or -1
    overlaps : whether a shuffle that begins early takes its typical time at least, (1,)
    """

    first: Any
    count: Any
    after: Any
    duration: Any
    first_shuffle: Any
    typical_shuffle: Any
    map_share: Any
    reduce_share: Any
    longest_map: Any
    tail: Any
    by_tail: Any
    twin: Any
    overlaps: Any


class OrderSearch(NamedTuple):
    """How far the search is; all of it is written.

    Attributes
    ----------
    at : see DEPTH and NODES, (2,)
    order : the jobs of the beginning that is looked at, (jobs,)
    next : the job to try next at each depth, (jobs + 1,)
    used : whether a job is in the beginning, (jobs,)
    map_slots : when each map slot is free after so many jobs, a heap each, (jobs + 1, map slots)
    reduce_slots : the same after the reduces so far, a heap, (reduce slots,)
    ends : when the maps of one job end, (most maps,)
    enabled, stage_end : when each job's reduces may start, and its map stage ends, (jobs,)
    started : reduces of each job that have started, (jobs,)
    best : the shortest makespan known, (1,)
    best_order : the order that has it, (jobs,)
    """

    at: Any
    order: Any
    next: Any
    used: Any
    map_slots: Any
    reduce_slots: Any
    ends: Any
    enabled: Any
    stage_end: Any
    started: Any
    best: Any
    best_order: Any


def search_orders(jobs: OrderJobs, s: OrderSearch, steps: int) -> bool:
    """Go on for about so many tasks that are placed; return whether all orders have been looked at."""
    count = len(jobs.after)
    while steps > 0:
        depth = s.at[DEPTH]
        if depth == count:
            judge(jobs, s)
            steps -= len(jobs.duration)
            step_back(s)
        elif s.next[depth] == count:
            if depth == 0:
                return True
            step_back(s)
        else:
            j = s.next[depth]
            s.next[depth] += 1
            if s.used[j] == 0 and (jobs.twin[j] < 0 or s.used[jobs.twin[j]] == 1):
                steps -= jobs.count[j, 0] + count
                append(jobs, s, j)
    return False


def step_back(s: OrderSearch) -> None:
    """Take the last job out of the beginning."""
    s.at[DEPTH] -= 1
    s.used[s.order[s.at[DEPTH]]] = 0


def append(jobs: OrderJobs, s: OrderSearch, j: int) -> None:
    """Let a job come next, unless no order that begins so can be better."""
    depth = s.at[DEPTH]
    s.at[NODES] += 1
    run_maps(jobs, s, depth, j)
    s.order[depth] = j
    s.used[j] = 1
    if least_makespan(jobs, s, depth + 1) >= s.best[0] * (1 - ROUNDING):
        s.used[j] = 0
        return
    s.at[DEPTH] = depth + 1
    s.next[depth + 1] = 0


def run_maps(jobs: OrderJobs, s: OrderSearch, depth: int, j: int) -> None:
    """Place a job's maps on the slots that so many jobs before it leave; note when its reduces may start."""
    for slot in range(s.map_slots.shape[1]):
        s.map_slots[depth + 1, slot] = s.map_slots[depth, slot]
    last = 0.0
    for i in range(jobs.count[j, 0]):
        end = s.map_slots[depth + 1, 0] + jobs.duration[jobs.first[j, 0] + i]
        replace_least(s.map_slots[depth + 1], end)
        s.ends[i] = end
        last = max(last, end)
    s.stage_end[j] = last
    if jobs.after[j] == 0:
        s.enabled[j] = 0.0
    elif jobs.after[j] == jobs.count[j, 0]:
        s.enabled[j] = last
    else:
        s.enabled[j] = smallest(s.ends, jobs.count[j, 0], jobs.after[j] - 1)


# ---- how soon an order with this beginning can end


def least_makespan(jobs: OrderJobs, s: OrderSearch, depth: int) -> float:
    """Return a time before which no order with this beginning of so many jobs ends.

    A job without maps waits for no map slot: its reduces may start at 0 s.
    """
    free = s.map_slots[depth]
    bound = s.stage_end[s.order[depth - 1]] + jobs.tail[s.order[depth - 1]]
    earliest = INF
    share = 0.0
    for place in range(len(jobs.tail)):
        j = jobs.by_tail[place]
        if s.used[j] == 0:
            alone = 0.0
            if jobs.count[j, 0] > 0:
                alone = max(filled_until(free, jobs.map_share[j]), free[0] + jobs.longest_map[j])
            earliest = min(earliest, alone)
            share += jobs.map_share[j]
            bound = max(bound, alone + jobs.tail[j])
            if share > 0:
                bound = max(bound, filled_until(free, share) + jobs.tail[j])
    return float(max(bound, least_of_reduces(jobs, s, depth, earliest)))


def filled_until(free: Any, share: float) -> float:
    """Return when work is done at the earliest on slots that are free from then on.

    `share` is the work divided by all slots; what is free later than that end takes no part in it. Slots
    that are free from 0 s and 100 s on do 20 s of work, a share of 10 s, until 20 s.
    """
    level = INF
    taking_part = 0
    while True:
        total = share * len(free)
        count = 0
        for time in free:
            if time < level:
                total += time
                count += 1
        if count == 0 or count == taking_part:
            return level
        level = total / count
        taking_part = count


def least_of_reduces(jobs: OrderJobs, s: OrderSearch, depth: int, earliest: float) -> float:
    """Return the same by the reduce slots: work of any jobs begins with the first of their map stage ends.

    `earliest` is when the first map stage of the jobs that are not in the beginning can end.
    """
    work = 0.0
    for j in range(len(jobs.tail)):
        if s.used[j] == 0:
            work += jobs.reduce_share[j]
    bound = earliest + work if work > 0 else 0.0
    for place in range(depth - 1, -1, -1):
        j = s.order[place]
        earliest = min(earliest, s.stage_end[j])
        work += jobs.reduce_share[j]
        bound = max(bound, earliest + work)
    return bound


# ---- when an order ends


def judge(jobs: OrderJobs, s: OrderSearch) -> None:
    """Run the reduces of a complete order, and note it if it is the best."""
    makespan = 0.0
    for j in range(len(jobs.tail)):
        makespan = max(makespan, s.stage_end[j])
    makespan = max(makespan, run_reduces(jobs, s))
    if makespan < s.best[0]:
        s.best[0] = makespan
        for place in range(len(jobs.tail)):
            s.best_order[place] = s.order[place]


def run_reduces(jobs: OrderJobs, s: OrderSearch) -> float:
    """Return when the last reduce ends, or infinity as soon as one ends no sooner than the best order."""
    left = 0
    for j in range(len(jobs.tail)):
        s.started[j] = 0
        left += jobs.count[j, 1]
    for slot in range(len(s.reduce_slots)):
        s.reduce_slots[slot] = 0.0
    now = 0.0
    latest = 0.0
    while left > 0:
        now = max(now, s.reduce_slots[0])
        j = first_ready(jobs, s, now)
        if j < 0:
            now = next_enabled(jobs, s)
            j = first_ready(jobs, s, now)
        end = reduce_end(jobs, s, j, jobs.first[j, 1] + s.started[j], now)
        if end >= s.best[0]:
            return INF
        replace_least(s.reduce_slots, end)
        s.started[j] += 1
        left -= 1
        latest = max(latest, end)
    return latest


def first_ready(jobs: OrderJobs, s: OrderSearch, now: float) -> int:
    """Return the first job of the order with a reduce that may start now, or -1."""
    for place in range(len(s.order)):
        j = s.order[place]
        if s.enabled[j] <= now and s.started[j] < jobs.count[j, 1]:
            return int(j)
    return -1


def next_enabled(jobs: OrderJobs, s: OrderSearch) -> float:
    """Return when the next of the jobs that have reduces to start may start one."""
    time = INF
    for j in range(len(jobs.tail)):
        if s.started[j] < jobs.count[j, 1]:
            time = min(time, s.enabled[j])
    return time


def reduce_end(jobs: OrderJobs, s: OrderSearch, j: int, task: int, now: float) -> float:
    """Return when a reduce that starts now ends; one that starts before its map stage ends is a filler."""
    shuffled = now + jobs.typical_shuffle[task]
    if now < s.stage_end[j]:
        filler = s.stage_end[j] + jobs.first_shuffle[task]
        shuffled = max(filler, shuffled) if jobs.overlaps[0] > 0 else filler
    return float(shuffled + jobs.duration[task])

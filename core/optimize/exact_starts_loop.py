"""The search of the best starts of a few tasks: depth first in time, as plain functions over columns.

`core.engine.jit` makes their compiled twins; nothing is allocated here. At an instant a step of the search
ends a map stage, starts a task, or goes on to the next instant. That is enough on typed slots:

- A map slot need not idle while a map waits, but for one that will arrive: maps of a list start as early
  as in any other schedule. Only the end of a stage may be worth a delay, so that a slot that is free later
  still gets a filler: the last map's slot is then held until that instant.
- A filler whose time does not count ("simmr") may as well begin a moment before the stage ends. In
  "overlap" it begins when its slot is free.
- A reduce that could have started before, on a slot that idled, need not start now.

Sources: such left shifts, Giffler and Thompson 1960; that a state need not be looked at where
another one with the same tasks left is nowhere behind it, Held and Karp 1962.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.engine.apart import apart
from core.optimize.exact_starts_choices import (
    free_map_slot,
    holder,
    is_complete,
    is_possible,
    places,
    reduce_slot,
)
from core.optimize.exact_starts_pruning import is_behind, least_value
from core.optimize.exact_starts_state import (
    DEPTH,
    ENDS_STAGE,
    INF,
    NEXT_INSTANT,
    NODES,
    STARTS,
    STARTS_LATE,
    TOO_LITTLE,
)
from core.optimize.plan_costs import value_of

if TYPE_CHECKING:
    from core.optimize.exact_starts_state import FewTasks, StartSearch


def search_starts(b: FewTasks, s: StartSearch, steps: int) -> bool:
    """Go on for so many states; return whether all schedules have been looked at, or one is good enough."""
    end = len(b.arrival) + len(b.job) * (places(b, s) + 1)
    while steps > 0:
        depth = s.at[DEPTH]
        choice = s.next[depth]
        if s.limit[0] <= s.limit[1] or (choice > end and depth == 0):
            return True
        if choice > end:
            s.at[DEPTH] -= 1
            continue
        s.next[depth] += 1
        if not is_possible(b, s, depth, choice):
            continue
        steps -= 1
        s.at[NODES] += 1
        if choice == end and is_behind(b, s, depth):
            continue
        copy_level(s, depth)
        take_step(b, s, depth + 1, choice)
        if s.left[depth + 1] == 0:
            note_found(b, s, depth + 1)
        elif s.time[depth + 1] < INF and least_value(b, s, depth + 1) < s.limit[0]:
            s.at[DEPTH] = depth + 1
            s.next[depth + 1] = s.first[depth + 1]
    return False


# ---- steps


@apart
def copy_level(s: StartSearch, d: int) -> None:
    """Begin the next depth with what holds at this one."""
    s.first[d + 1] = s.first[d]
    s.left_before[d + 1] = s.left_before[d]
    s.over_before[d + 1] = s.over_before[d]
    s.time[d + 1] = s.time[d]
    s.left[d + 1] = s.left[d]
    s.over[d + 1] = s.over[d]
    s.began[d + 1] = s.began[d]
    for slot in range(s.map_free.shape[1]):
        s.map_free[d + 1, slot] = s.map_free[d, slot]
        s.map_job[d + 1, slot] = s.map_job[d, slot]
    for slot in range(s.reduce_free.shape[1]):
        s.reduce_free[d + 1, slot] = s.reduce_free[d, slot]
        s.fillers[d + 1, slot] = s.fillers[d, slot]
    for j in range(s.map_end.shape[1]):
        s.finish[d + 1, j] = s.finish[d, j]
        s.map_end[d + 1, j] = s.map_end[d, j]
        s.stage_end[d + 1, j] = s.stage_end[d, j]


def take_step(b: FewTasks, s: StartSearch, d: int, choice: int) -> None:
    """Do what was chosen."""
    jobs, some = len(b.arrival), places(b, s) + 1
    if choice < jobs:
        end_stage(s, d, choice)
        s.first[d] = choice
        return
    i, place = (choice - jobs) // some, (choice - jobs) % some
    if i == len(b.job):
        s.what[d] = NEXT_INSTANT
        come_to(b, s, d, next_instant(b, s, d))
        return
    if i < b.maps[0]:
        start_map(b, s, d, i, free_map_slot(b, s, d))
    else:
        is_late = place == some - 1
        slot = reduce_slot(b, s, d, i, is_late) if is_late or not b.overlaps[0] else place
        start_reduce(b, s, d, i, slot, is_late)
    if b.late[i] > 0 and b.early[i] > 0:  # one that takes no time may come before any other
        s.first[d] = choice


def end_stage(s: StartSearch, d: int, j: int) -> None:
    """Let the map stage of a job end now."""
    slot = holder(s, d, j)
    s.what[d], s.whose[d], s.slot[d] = ENDS_STAGE, j, slot
    s.stage_end[d, j] = s.time[d]
    s.over[d] |= 1 << j
    if slot >= 0:
        s.map_free[d, slot] = s.time[d]
        s.map_job[d, slot] = -1


def start_map(b: FewTasks, s: StartSearch, d: int, i: int, slot: int) -> None:
    """Start a map."""
    end = s.time[d] + b.late[i]
    s.what[d], s.whose[d], s.slot[d] = STARTS, i, slot
    s.left[d] &= ~(1 << i)
    s.map_free[d, slot] = end
    s.map_job[d, slot] = b.job[i]
    s.map_end[d, b.job[i]] = max(s.map_end[d, b.job[i]], end)
    s.finish[d, b.job[i]] = max(s.finish[d, b.job[i]], end)


def start_reduce(b: FewTasks, s: StartSearch, d: int, i: int, slot: int, is_late: bool) -> None:
    """Start a reduce: at the end of its map stage, or as a filler before it, or later."""
    j, now = b.job[i], s.time[d]
    end = now + (b.late[i] if is_late else b.early[i])
    if b.overlaps[0] and b.maps_of[j] and not is_late:
        begin = max(s.reduce_free[d, slot], b.arrival[j])
        end = min(now + b.typical[i], max(now + b.first[i], begin + b.typical[i])) + b.duration[i]
    s.what[d], s.whose[d], s.slot[d] = (STARTS_LATE if is_late else STARTS), i, slot
    s.left[d] &= ~(1 << i)
    s.began[d] |= 1 << i
    s.reduce_free[d, slot] = end
    if not is_late and b.early[i] < b.late[i]:
        s.fillers[d, slot] |= 1 << j
    s.finish[d, j] = max(s.finish[d, j], end)


def next_instant(b: FewTasks, s: StartSearch, d: int) -> float:
    """Return when a slot is free or a job arrives next; infinity if nothing happens any more."""
    now, time = s.time[d], INF
    for free in s.map_free[d]:
        if free > now:
            time = min(time, free)
    for free in s.reduce_free[d]:
        if free > now:
            time = min(time, free)
    for arrival in b.arrival:
        if arrival > now:
            time = min(time, arrival)
    return float(time)


def come_to(b: FewTasks, s: StartSearch, d: int, now: float) -> None:
    """Go to an instant; map stages end with their last map where no delay is worth it."""
    s.left_before[d], s.over_before[d] = s.left[d], s.over[d]
    s.time[d], s.began[d], s.first[d] = now, 0, 0
    for slot in range(s.fillers.shape[1]):
        s.fillers[d, slot] = 0
    if now == INF:
        return
    for j in range(len(b.arrival)):
        if not b.may_hold[j] and is_complete(b, s, d, j):
            s.stage_end[d, j] = now
            s.over[d] |= 1 << j


@apart
def note_found(b: FewTasks, s: StartSearch, d: int) -> None:
    """Keep a schedule that is better than all before it."""
    value = value_of(b.arrival, s.finish[d], b.goal)
    if value >= s.limit[0]:
        return
    s.limit[0] = value * (1 - TOO_LITTLE)
    s.makespan[0] = 0.0
    for end in s.finish[d]:
        s.makespan[0] = max(s.makespan[0], end)
    s.length[0] = d
    for depth in range(1, d + 1):
        s.found[0, depth] = s.what[depth]
        s.found[1, depth] = s.whose[depth]
        s.found[2, depth] = s.slot[depth]

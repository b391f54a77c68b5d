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

from typing import Any, NamedTuple

from core.engine.apart import apart

INF = float("inf")
DEPTH, NODES, KNOWN = 0, 1, 2
"""What `StartSearch.at` counts: steps of the schedule that is looked at, states looked at and kept."""
TOO_LITTLE = 1e-10
"""The part of a makespan that a schedule has to be shorter by to count as better."""
NEXT_INSTANT, ENDS_STAGE, STARTS, STARTS_LATE = 0, 1, 2, 3
"""What a step does, in `StartSearch.what`."""


class Batch(NamedTuple):
    """The tasks, maps before reduces, likely good ones first, (tasks,) each; and jobs, (jobs,) each.

    Attributes
    ----------
    maps : how many of the tasks are maps, (1,)
    job : of each task
    early : seconds that a task takes after its job's map stage if it holds a slot by then; of maps all
    late : seconds that it takes if it starts later; of maps all
    first, typical, duration : seconds of its shuffles, and then
    twin : an equal task of the same stage that has to start first, or -1
    arrival : of each job
    maps_of, reduces_of : the bits of its tasks
    tail : seconds that it takes at least from the end of its map stage on
    by_tail : the jobs, those with the longest tails first
    may_hold : whether its map stage may be worth a delay
    overlaps : whether a filler's shuffle takes its typical time at least, (1,)
    """

    maps: Any
    job: Any
    early: Any
    late: Any
    first: Any
    typical: Any
    duration: Any
    twin: Any
    arrival: Any
    maps_of: Any
    reduces_of: Any
    tail: Any
    by_tail: Any
    may_hold: Any
    overlaps: Any


class StartSearch(NamedTuple):
    """How far the search is; all of it is written.

    Attributes
    ----------
    at : see DEPTH, NODES and KNOWN, (3,)
    next, first : the choice to try next at each depth, and the first one, (depths,)
    time : the instant, (depths,)
    left : bits of the tasks that have not started, (depths,)
    over : bits of the jobs whose map stage has ended, (depths,)
    left_before, over_before : the same at the end of the instant before, (depths,)
    began : bits of the reduces that started at this instant, (depths,)
    latest : when the last task ends so far, (depths,)
    map_free, map_job : when each map slot is free, and whose map it ran last, (depths, map slots)
    reduce_free : when each reduce slot is free, (depths, reduce slots)
    fillers : bits of the jobs of which a filler began on it at this instant, (depths, reduce slots)
    map_end : when the last started map of each job ends, (depths, jobs)
    stage_end : when its map stage has ended, (depths, jobs)
    what, whose, slot : the step that led to each depth: of NEXT_INSTANT …, which task or job, on which slot
    makespan : of the best schedule, (1,)
    limit : what a schedule has to be below; and what is short enough, (2,)
    found, length : the steps of the best schedule, (3, depths), and how many they are, (1,)
    heads : of jobs, when their reduces may start at the earliest, (jobs,)
    buckets, following, keys, states : states that were looked at: the first of each bucket, the one behind
        each, its `left` and `over`, (kept, 2), and its times, (kept, times)
    """

    at: Any
    next: Any
    first: Any
    time: Any
    left: Any
    over: Any
    left_before: Any
    over_before: Any
    began: Any
    latest: Any
    map_free: Any
    map_job: Any
    reduce_free: Any
    fillers: Any
    map_end: Any
    stage_end: Any
    what: Any
    whose: Any
    slot: Any
    makespan: Any
    limit: Any
    found: Any
    length: Any
    heads: Any
    buckets: Any
    following: Any
    keys: Any
    states: Any


def search_starts(b: Batch, s: StartSearch, steps: int) -> bool:
    """Go on for so many states; return whether all schedules have been looked at, or one is short enough."""
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
            note_found(s, depth + 1)
        elif s.time[depth + 1] < INF and least_makespan(b, s, depth + 1) < s.limit[0]:
            s.at[DEPTH] = depth + 1
            s.next[depth + 1] = s.first[depth + 1]
    return False


def places(b: Batch, s: StartSearch) -> int:
    """Return how many reduce slots it makes a difference to choose from."""
    return int(s.reduce_free.shape[1]) if b.overlaps[0] else 1


# ---- choices: a job's map stage ends, a map starts, a reduce starts with the end of its map stage on some
# slot, a reduce starts later, and last the next instant


def is_possible(b: Batch, s: StartSearch, d: int, choice: int) -> bool:
    """Whether a choice is possible, and not known to be needless."""
    jobs, some = len(b.arrival), places(b, s) + 1
    if choice < jobs:
        return stage_may_end(b, s, d, choice)
    if choice == jobs + len(b.job) * some:
        return may_wait(b, s, d)
    i, place = (choice - jobs) // some, (choice - jobs) % some
    if not may_start(b, s, d, i):
        return False
    if i < b.maps[0]:
        return bool(place == 0 and b.arrival[b.job[i]] <= s.time[d] and free_map_slot(b, s, d) >= 0)
    if b.overlaps[0] and place < some - 1:
        return s.stage_end[d, b.job[i]] == s.time[d] and is_free_alone(s, d, place)
    return reduce_slot(b, s, d, i, place == some - 1) >= 0


def reduce_slot(b: Batch, s: StartSearch, d: int, i: int, is_late: bool) -> int:
    """Return the slot on which a reduce may start, with the end of its map stage or late; or -1.

    None starts as a filler behind a filler of its own job that takes no time.
    """
    j, now = b.job[i], s.time[d]
    ends_now = s.stage_end[d, j] == now
    if not is_late:
        return oldest_reduce_slot(s, d, j) if ends_now else -1
    if b.overlaps[0]:
        return -1 if ends_now else newest_reduce_slot(s, d)
    slot = oldest_reduce_slot(s, d, -1)
    if slot < 0 or s.reduce_free[d, slot] < now or (ends_now and oldest_reduce_slot(s, d, j) >= 0):
        return -1
    return slot


def may_start(b: Batch, s: StartSearch, d: int, i: int) -> bool:
    """Whether a task is left, its twin is not, and the map stage has ended if it is a reduce."""
    if s.left[d] >> i & 1 == 0:
        return False
    if b.twin[i] >= 0 and s.left[d] >> b.twin[i] & 1:
        return False
    return bool(i < b.maps[0] or s.over[d] >> b.job[i] & 1)


def is_complete(b: Batch, s: StartSearch, d: int, j: int) -> bool:
    """Whether a job's maps have ended, and its map stage has not."""
    if s.over[d] >> j & 1 or b.reduces_of[j] == 0 or s.left[d] & b.maps_of[j]:
        return False
    return bool(s.map_end[d, j] <= s.time[d])


def stage_may_end(b: Batch, s: StartSearch, d: int, j: int) -> bool:
    """Whether a map stage may end now: with its last map, or when a slot is free that gets a filler."""
    if not is_complete(b, s, d, j):
        return False
    frees = s.map_end[d, j] == s.time[d]
    for free in s.reduce_free[d]:
        frees = frees or free == s.time[d]
    return bool(frees)


def holder(s: StartSearch, d: int, j: int) -> int:
    """Return the map slot of the last map of a job."""
    for slot in range(s.map_free.shape[1]):
        if s.map_job[d, slot] == j and s.map_free[d, slot] == s.map_end[d, j]:
            return int(slot)
    return -1


def free_map_slot(b: Batch, s: StartSearch, d: int) -> int:
    """Return a map slot that is free and not held, or -1."""
    for slot in range(s.map_free.shape[1]):
        if s.map_free[d, slot] <= s.time[d]:
            j = s.map_job[d, slot]
            if j < 0 or not is_complete(b, s, d, j) or holder(s, d, j) != slot:
                return int(slot)
    return -1


def oldest_reduce_slot(s: StartSearch, d: int, j: int) -> int:
    """Return the reduce slot that has been free longest, or -1; of a job j, where none of its own is over."""
    best, since = -1, INF
    for slot in range(s.reduce_free.shape[1]):
        free = s.reduce_free[d, slot]
        if free <= s.time[d] and free < since and (j < 0 or s.fillers[d, slot] >> j & 1 == 0):
            best, since = slot, free
    return best


def newest_reduce_slot(s: StartSearch, d: int) -> int:
    """Return the free reduce slot that was in use last, or -1."""
    best, since = -1, -1.0
    for slot in range(s.reduce_free.shape[1]):
        if since < s.reduce_free[d, slot] <= s.time[d]:
            best, since = slot, s.reduce_free[d, slot]
    return best


def is_free_alone(s: StartSearch, d: int, slot: int) -> bool:
    """Whether a reduce slot is free, and none before it since the same time."""
    is_alone = s.reduce_free[d, slot] <= s.time[d]
    for other in range(slot):
        is_alone = is_alone and s.reduce_free[d, other] != s.reduce_free[d, slot]
    return bool(is_alone)


def may_wait(b: Batch, s: StartSearch, d: int) -> bool:
    """Whether nothing else has to be done at this instant."""
    jobs, now = len(b.arrival), s.time[d]
    comes = False
    for j in range(jobs):
        if s.map_end[d, j] < s.stage_end[d, j] == now and not s.began[d] & b.reduces_of[j]:
            return False  # it has waited for nothing
        if is_complete(b, s, d, j) and all_find_slots(b, s, d, j):
            return False
        comes = comes or (b.arrival[j] > now and b.maps_of[j] != 0)
    if not comes and free_map_slot(b, s, d) >= 0 and is_any_left(s, d, 0, b.maps[0]):
        return False
    for j in range(jobs):
        if b.reduces_of[j] and s.over[d] >> j & 1 == 0:
            return True
    return oldest_reduce_slot(s, d, -1) < 0 or not is_any_left(s, d, b.maps[0], len(b.job))


def is_any_left(s: StartSearch, d: int, first: int, end: int) -> bool:
    """Whether a task from the first to before the end has not started."""
    return bool(s.left[d] >> first & ((1 << (end - first)) - 1))


def all_find_slots(b: Batch, s: StartSearch, d: int, j: int) -> bool:
    """Whether all reduces of a job find free slots, or no other slot will be free: no delay is worth it."""
    free, comes = 0, False
    for time in s.reduce_free[d]:
        free += time <= s.time[d]
        comes = comes or time > s.time[d]
    if not comes:
        return True
    for i in range(b.maps[0], len(b.job)):
        free -= b.job[i] == j
    return free >= 0


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
    s.latest[d + 1] = s.latest[d]
    for slot in range(s.map_free.shape[1]):
        s.map_free[d + 1, slot] = s.map_free[d, slot]
        s.map_job[d + 1, slot] = s.map_job[d, slot]
    for slot in range(s.reduce_free.shape[1]):
        s.reduce_free[d + 1, slot] = s.reduce_free[d, slot]
        s.fillers[d + 1, slot] = s.fillers[d, slot]
    for j in range(s.map_end.shape[1]):
        s.map_end[d + 1, j] = s.map_end[d, j]
        s.stage_end[d + 1, j] = s.stage_end[d, j]


def take_step(b: Batch, s: StartSearch, d: int, choice: int) -> None:
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


def start_map(b: Batch, s: StartSearch, d: int, i: int, slot: int) -> None:
    """Start a map."""
    end = s.time[d] + b.late[i]
    s.what[d], s.whose[d], s.slot[d] = STARTS, i, slot
    s.left[d] &= ~(1 << i)
    s.map_free[d, slot] = end
    s.map_job[d, slot] = b.job[i]
    s.map_end[d, b.job[i]] = max(s.map_end[d, b.job[i]], end)
    s.latest[d] = max(s.latest[d], end)


def start_reduce(b: Batch, s: StartSearch, d: int, i: int, slot: int, is_late: bool) -> None:
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
    s.latest[d] = max(s.latest[d], end)


def next_instant(b: Batch, s: StartSearch, d: int) -> float:
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


def come_to(b: Batch, s: StartSearch, d: int, now: float) -> None:
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
def note_found(s: StartSearch, d: int) -> None:
    """Keep a schedule that is shorter than all before it."""
    if s.latest[d] >= s.limit[0]:
        return
    s.limit[0] = s.latest[d] * (1 - TOO_LITTLE)
    s.makespan[0] = s.latest[d]
    s.length[0] = d
    for depth in range(1, d + 1):
        s.found[0, depth] = s.what[depth]
        s.found[1, depth] = s.whose[depth]
        s.found[2, depth] = s.slot[depth]


# ---- states that need not be looked at


@apart
def least_makespan(b: Batch, s: StartSearch, d: int) -> float:
    """Return a time before which no schedule with this beginning ends."""
    note_heads(b, s, d)
    bound, work = s.latest[d], 0.0
    for place in range(len(b.by_tail)):
        j = b.by_tail[place]
        if s.over[d] >> j & 1:
            continue
        own = work_left(b, s, d, j)
        work += own
        if own > 0:
            s.heads[j] = max(s.heads[j], filled(s.map_free, d, s.time[d], own))
            bound = max(bound, filled(s.map_free, d, s.time[d], work) + b.tail[j])
        bound = max(bound, s.heads[j] + b.tail[j])
    return float(max(bound, least_of_reduces(b, s, d)))


def note_heads(b: Batch, s: StartSearch, d: int) -> None:
    """Note when the map stage of each job can end, if its maps that are left all start at once."""
    now, soonest = s.time[d], INF
    for free in s.map_free[d]:
        soonest = min(soonest, max(free, now))
    for j in range(len(b.arrival)):
        s.heads[j] = now
        if s.over[d] >> j & 1 == 0:
            s.heads[j] = max(now, s.map_end[d, j])
    for i in range(b.maps[0]):
        if s.left[d] >> i & 1:
            j = b.job[i]
            s.heads[j] = max(s.heads[j], max(soonest, b.arrival[j]) + b.late[i])


def work_left(b: Batch, s: StartSearch, d: int, j: int) -> float:
    """Return the seconds of a job's maps that have not started."""
    work = 0.0
    for i in range(b.maps[0]):
        if b.job[i] == j and s.left[d] >> i & 1:
            work += b.late[i]
    return work


@apart
def least_of_reduces(b: Batch, s: StartSearch, d: int) -> float:
    """Return the same by the reduces that are left."""
    now, slots = s.time[d], s.reduce_free.shape[1]
    soonest = INF
    for free in s.reduce_free[d]:
        soonest = min(soonest, max(free, now))
    bound, total = 0.0, 0.0
    for i in range(b.maps[0], len(b.job)):
        if s.left[d] >> i & 1:
            j = b.job[i]
            late = s.over[d] >> j & 1 and s.stage_end[d, j] < now
            total += b.late[i] if late else b.early[i]
            bound = max(bound, max(soonest, s.heads[j]) + (b.late[i] if late else b.early[i]))
    if total > 0:
        bound = max(bound, filled(s.reduce_free, d, now, total))
    for k in range(len(b.arrival)):
        work = 0.0
        if s.heads[k] > now:
            for i in range(b.maps[0], len(b.job)):
                if s.left[d] >> i & 1 and s.heads[b.job[i]] >= s.heads[k]:
                    work += b.early[i]
            bound = max(bound, s.heads[k] + work / slots)
    return bound


def filled(free: Any, d: int, now: float, work: float) -> float:
    """Return when work is done at the earliest on slots that are free from then on, however it is cut."""
    level, taking_part = INF, 0
    while True:
        total, count = work, 0
        for time in free[d]:
            if time < level:
                total += max(time, now)
                count += 1
        if count == 0 or count == taking_part:
            return level
        level = total / count
        taking_part = count


@apart
def is_behind(b: Batch, s: StartSearch, d: int) -> bool:
    """Whether a state with the same tasks left was looked at that is nowhere behind; else keep this one.

    A state in which only time has passed is not compared: the one from which it came needs it.
    """
    if s.left[d] == s.left_before[d] and s.over[d] == s.over_before[d]:
        return False
    place = s.at[KNOWN]
    write_times(b, s, d, place)
    bucket = (s.left[d] * 31 + s.over[d]) % len(s.buckets)
    known = s.buckets[bucket]
    while known >= 0:
        if s.keys[known, 0] == s.left[d] and s.keys[known, 1] == s.over[d]:
            k = 0
            while k < s.states.shape[1] and s.states[known, k] <= s.states[place, k]:
                k += 1
            if k == s.states.shape[1]:
                return True
        known = s.following[known]
    if place < len(s.states) - 1:  # the last one is only for what is compared
        s.keys[place, 0], s.keys[place, 1] = s.left[d], s.over[d]
        s.following[place] = s.buckets[bucket]
        s.buckets[bucket] = place
        s.at[KNOWN] += 1
    return False


def write_times(b: Batch, s: StartSearch, d: int, place: int) -> None:
    """Write the times of a state at the end of an instant: the smaller, the better."""
    row, now, k = s.states[place], s.time[d], 1
    row[0] = now
    for free in s.map_free[d]:
        insert(row, 1, k, max(free, now))
        k += 1
    first = k
    for free in s.reduce_free[d]:
        insert(row, first, k, free if b.overlaps[0] else max(free, now))
        k += 1
    for j in range(len(b.arrival)):
        row[k] = 0.0 if s.over[d] >> j & 1 else s.map_end[d, j]
        k += 1


def insert(row: Any, first: int, k: int, value: float) -> None:
    """Put a value among the ascending ones from `first` to before `k`."""
    while k > first and row[k - 1] > value:
        row[k] = row[k - 1]
        k -= 1
    row[k] = value

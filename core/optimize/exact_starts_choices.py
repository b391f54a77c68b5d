"""What may happen at an instant of a schedule of a few tasks: choices of `core.optimize.exact_starts_loop`.

Plain functions over columns; `core.engine.jit` makes their compiled twins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.optimize.exact_starts_state import INF

if TYPE_CHECKING:
    from core.optimize.exact_starts_state import FewTasks, StartSearch


def places(b: FewTasks, s: StartSearch) -> int:
    """Return how many reduce slots it makes a difference to choose from."""
    return int(s.reduce_free.shape[1]) if b.overlaps[0] else 1


# ---- choices: a job's map stage ends, a map starts, a reduce starts with the end of its map stage on some
# slot, a reduce starts later, and last the next instant


def is_possible(b: FewTasks, s: StartSearch, d: int, choice: int) -> bool:
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


def reduce_slot(b: FewTasks, s: StartSearch, d: int, i: int, is_late: bool) -> int:
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


def may_start(b: FewTasks, s: StartSearch, d: int, i: int) -> bool:
    """Whether a task is left, its twin is not, and the map stage has ended if it is a reduce."""
    if s.left[d] >> i & 1 == 0:
        return False
    if b.twin[i] >= 0 and s.left[d] >> b.twin[i] & 1:
        return False
    return bool(i < b.maps[0] or s.over[d] >> b.job[i] & 1)


def is_complete(b: FewTasks, s: StartSearch, d: int, j: int) -> bool:
    """Whether a job's maps have ended, and its map stage has not."""
    if s.over[d] >> j & 1 or b.reduces_of[j] == 0 or s.left[d] & b.maps_of[j]:
        return False
    return bool(s.map_end[d, j] <= s.time[d])


def stage_may_end(b: FewTasks, s: StartSearch, d: int, j: int) -> bool:
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


def free_map_slot(b: FewTasks, s: StartSearch, d: int) -> int:
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


def may_wait(b: FewTasks, s: StartSearch, d: int) -> bool:
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


def all_find_slots(b: FewTasks, s: StartSearch, d: int, j: int) -> bool:
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

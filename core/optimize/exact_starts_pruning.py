"""When a schedule of a few tasks is given up: it cannot end sooner, or another one is nowhere behind it.

Plain functions over columns; `core.engine.jit` makes their compiled twins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.engine.apart import apart
from core.optimize.exact_starts_state import INF, KNOWN
from core.optimize.plan_costs import MAKESPAN, value_of

if TYPE_CHECKING:
    from core.optimize.exact_starts_state import FewTasks, StartSearch


@apart
def least_value(b: FewTasks, s: StartSearch, d: int) -> float:
    """Return a value that no schedule with this beginning is below."""
    note_heads(b, s, d)
    for j in range(len(b.arrival)):
        s.ends[j] = s.finish[d, j]
    last = least_makespan(b, s, d)
    if is_makespan(b):
        return last
    before = 0.0
    for j in range(len(b.arrival)):
        before = max(before, s.ends[j])
    return value_of(b.arrival, s.ends, b.goal) + float(b.goal.mix[MAKESPAN] * max(0.0, last - before))


def is_makespan(b: FewTasks) -> bool:
    """Whether nothing counts but when the last job ends."""
    for weight in b.goal.mix[MAKESPAN + 1 :]:  # noqa: SIM110 - compiled
        if weight > 0:
            return False
    return True


def least_makespan(b: FewTasks, s: StartSearch, d: int) -> float:
    """Return a time before which no schedule with this beginning ends, and note the same of each job."""
    bound, work = 0.0, 0.0
    for end in s.ends:
        bound = max(bound, end)
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
        if s.left[d] & (b.maps_of[j] | b.reduces_of[j]):
            s.ends[j] = max(s.ends[j], s.heads[j] + b.tail[j])
    return float(max(bound, least_of_reduces(b, s, d)))


def note_heads(b: FewTasks, s: StartSearch, d: int) -> None:
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


def work_left(b: FewTasks, s: StartSearch, d: int, j: int) -> float:
    """Return the seconds of a job's maps that have not started."""
    work = 0.0
    for i in range(b.maps[0]):
        if b.job[i] == j and s.left[d] >> i & 1:
            work += b.late[i]
    return work


@apart
def least_of_reduces(b: FewTasks, s: StartSearch, d: int) -> float:
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
            s.ends[j] = max(s.ends[j], max(soonest, s.heads[j]) + (b.late[i] if late else b.early[i]))
            bound = max(bound, s.ends[j])
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
def is_behind(b: FewTasks, s: StartSearch, d: int) -> bool:
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


def write_times(b: FewTasks, s: StartSearch, d: int, place: int) -> None:
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
        if not is_makespan(b):  # of the makespan the slots say enough
            row[k] = s.finish[d, j]
            k += 1


def insert(row: Any, first: int, k: int, value: float) -> None:
    """Put a value among the ascending ones from `first` to before `k`."""
    while k > first and row[k - 1] > value:
        row[k] = row[k - 1]
        k -= 1
    row[k] = value

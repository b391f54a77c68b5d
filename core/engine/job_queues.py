"""The queue of either type of task: the jobs that need such a task, by rank. Compiled with the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.engine.state import State


def tasks_wait(c: Any, own: int) -> bool:
    """Whether a task waits that may have a slot of a type."""
    return bool(c.waiting[own] + c.lends * c.waiting[1 - own] > 0)


def enter_queue(s: State, kind: int, j: int) -> None:
    """Let a job wait for slots of a kind."""
    insert(s, s.queue[kind], kind, j)
    s.cluster.waiting[kind] += 1
    s.pool[s.job[j].pool].waiting[kind] += 1


def leave_queue(s: State, kind: int, j: int) -> None:
    """Let a job wait no more."""
    s.cluster.waiting[kind] -= 1
    s.pool[s.job[j].pool].waiting[kind] -= 1
    remove(s, s.queue[kind], kind, j)


def insert(s: State, queue: Any, kind: int, j: int) -> None:
    """Put a job into a queue by rank."""
    head = s.cluster.head[kind]
    last = head + s.cluster.waiting[kind]
    i = place_in_queue(s, queue, head, last, j)
    move(queue, i, last, 1)
    queue[i] = j


def remove(s: State, queue: Any, kind: int, j: int) -> None:
    """Take a job out of a queue and close the gap from its shorter side."""
    head = s.cluster.head[kind]
    last = head + s.cluster.waiting[kind]
    i = place_in_queue(s, queue, head, last, j)
    if 2 * i <= head + last and not s.cluster.pinned:
        move(queue, head, i, 1)
        s.cluster.head[kind] += 1
        return
    move(queue, i + 1, last + 1, -1)


def move(queue: Any, first: int, last: int, by: int) -> None:
    """Move a stretch of a queue by a place, at once: jobs that wait by the thousand move at every arrival."""
    queue[first + by : last + by] = queue[first:last]


def move_each(queue: Any, first: int, last: int, by: int) -> None:
    """Do the same one by one: what `move` is compiled as, since a copy of the stretch would need memory."""
    if by > 0:
        for i in range(last - 1, first - 1, -1):
            queue[i + 1] = queue[i]
    else:
        for i in range(first, last):
            queue[i - 1] = queue[i]


def place_in_queue(s: State, queue: Any, first: int, last: int, j: int) -> int:
    """Find a job between two places of a queue."""
    rank = s.job[j].rank
    while first < last:
        middle = (first + last) >> 1
        if s.job[queue[middle]].rank < rank:
            first = middle + 1
        else:
            last = middle
    return first

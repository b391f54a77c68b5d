"""Heaps of a pass: of slots, by the time at which they are free, and of jobs that wait, by key.

Plain functions over columns; `core.engine.jit` makes their compiled twins. Nothing is allocated here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.optimize.search_columns import INF

if TYPE_CHECKING:
    from core.optimize.search_columns import Passes


def idle(p: Passes, slots: int) -> float:
    """Let so many slots be free from the beginning, and no others; return when that is, 0."""
    for i in range(len(p.slots)):
        p.slots[i] = 0.0 if 1 <= i <= slots else INF
    return 0.0


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

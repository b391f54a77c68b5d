"""What a pass takes the first of: slots, by when they are free, and jobs that wait, by key.

Slots stand in a tree of losers (Knuth, The Art of Computer Programming 3, 5.4.1): slot s of n, from n on, met
those at s / 2, s / 4 and so on; who lost last stays at each place, and who won all is at 0.

Plain functions over columns; `core.engine.jit` makes their compiled twins. Nothing is allocated here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.optimize.search_columns import INF

if TYPE_CHECKING:
    from core.optimize.search_columns import Passes


def idle(p: Passes, slots: int) -> float:
    """Let so many slots be free from the beginning, and no others; return when that is, 0."""
    half = len(p.slots) // 2
    for i in range(half):
        p.slots[i] = 0.0 if i < slots else INF
    for i in range(slots):
        slot = 2 * i + 1
        while slot < slots:
            slot *= 2
        p.slots[half + i] = slot
    return 0.0


def take_earliest(slots: Any, time: float) -> None:
    """Let the slot that is free first be free at `time`.

    It meets those that lost on its way up to the first place: where these stand does not depend on who wins,
    so that a processor looks at all of them at once.
    """
    half = len(slots) // 2
    slot = slots[half]
    i = int(slot) >> 1
    while i > 0:
        other, its = slots[i], slots[half + i]
        slots[i] = time if other < time else other
        slots[half + i] = slot if other < time else its
        slot = its if other < time else slot
        time = min(other, time)
        i >>= 1
    slots[0], slots[half] = time, slot


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

"""A binary heap of free slots at one place of an array, lowest slot on top; compiled with the loop."""

from __future__ import annotations

from typing import Any


def put_slot(heap: Any, at: int, count: int, slot: int) -> None:
    """Add a slot to the heap of `count` that begins at `at`."""
    i = count
    while i > 0 and heap[at + ((i - 1) >> 1)] > slot:
        heap[at + i] = heap[at + ((i - 1) >> 1)]
        i = (i - 1) >> 1
    heap[at + i] = slot


def take_slot(heap: Any, at: int, count: int) -> int:
    """Remove and return the lowest slot of the heap of `count` that begins at `at`."""
    top = heap[at]
    last = heap[at + count - 1]
    i = 0
    while 2 * i + 1 < count - 1:
        child = 2 * i + 1
        if child + 1 < count - 1 and heap[at + child + 1] < heap[at + child]:
            child += 1
        if heap[at + child] >= last:
            break
        heap[at + i] = heap[at + child]
        i = child
    heap[at + i] = last
    return top  # type: ignore[no-any-return]

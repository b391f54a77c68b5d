"""Which slot ends first, and which free one is the lowest: winner trees and heaps. Compiled with the loop."""

from __future__ import annotations

from typing import Any

OPEN, LEAVING, CLOSED = 0, 1, 2
"""Whether a slot is there: LEAVING where it has closed and its last task runs."""


def set_finish(tree: Any, finish: Any, slot: int, time: float) -> None:
    """Change a slot's finish and play its matches again, up to one that it loses as it did before.

    The earliest finish wins, of equal ones that of the lowest slot.
    """
    finish[slot] = time
    winner, earliest = slot, time
    node = len(finish) + slot
    while node > 1:
        rival = tree[node ^ 1]  # known before the match below is decided: the processor reads ahead
        theirs = finish[rival]
        if (theirs < earliest) | ((theirs == earliest) & (rival < winner)):  # one branch, not three
            winner, earliest = rival, theirs
        node >>= 1
        if winner != slot and winner == tree[node]:
            break  # as before: nothing changes further up
        tree[node] = winner


def play_all(tree: Any, due: Any) -> None:
    """Play every match of a winner tree: the earliest wins, of equal ones the lowest."""
    for node in range(len(due) - 1, 0, -1):
        winner, rival = tree[2 * node], tree[2 * node + 1]
        if due[rival] < due[winner]:
            winner = rival
        tree[node] = winner


def put_slot(heap: Any, at: int, count: int, slot: int) -> None:
    """Add a slot to the heap of `count` that begins at `at`."""
    i = count
    while i > 0 and heap[at + ((i - 1) >> 1)] > slot:
        heap[at + i] = heap[at + ((i - 1) >> 1)]
        i = (i - 1) >> 1
    heap[at + i] = slot


def remove_slot(heap: Any, at: int, count: int, slot: int) -> bool:
    """Remove a slot from the heap of `count` that begins at `at`; return whether it was there."""
    i = count - 1  # slots that close have the highest numbers, and they lie far down
    while i >= 0 and heap[at + i] != slot:
        i -= 1
    if i < 0:
        return False
    while i:  # as the lowest of all it is taken from the top
        heap[at + i] = heap[at + ((i - 1) >> 1)]
        i = (i - 1) >> 1
    heap[at] = slot
    take_slot(heap, at, count)
    return True


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
    return int(top)

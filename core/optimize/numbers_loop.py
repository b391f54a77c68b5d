"""Random numbers, the k-th smallest of some, and a heap: what several loops of searches work with.

Plain functions; `core.engine.jit` compiles them into the loops. Nothing is allocated here.
"""

from __future__ import annotations

from typing import Any

from core.engine.apart import apart


@apart
def draw(c: Any) -> float:  # Any: what counts with a state as its last number
    """Return a random number above 0 and below 1 (Lehmer's generator: the same numbers interpreted)."""
    last = len(c.count) - 1
    c.count[last] = c.count[last] * 48271 % 2147483647
    return float(c.count[last] / 2147483647.0)


def smallest(seconds: Any, count: int, k: int) -> float:
    """Return the k-th smallest of the first `count`, from 0; they change places (Hoare's selection)."""
    low, high = 0, count - 1
    while low < high:
        pivot = seconds[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while seconds[i] < pivot:
                i += 1
            while seconds[j] > pivot:
                j -= 1
            if i <= j:
                seconds[i], seconds[j] = seconds[j], seconds[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return float(seconds[k])


def replace_least(heap: Any, value: float) -> None:
    """Put a value into a heap in the place of its smallest."""
    i, child = 0, 1
    while child < len(heap):
        if child + 1 < len(heap) and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= value:
            break
        heap[i] = heap[child]
        i, child = child, 2 * child + 1
    heap[i] = value

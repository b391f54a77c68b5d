"""Where rows are empty over some time: room for a word; pure, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def widest_gap(top: int, bottom: int, taken: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Return the highest stretch of pixel lines between two that nothing takes: its first, and one behind.

    Of equally high ones it is the last. Between 0 and 100 with 10 to 20 and 70 to 72 taken, it is 20 to 70.
    """
    best, edge = (top, top), top
    real = sorted(span for span in taken if span[0] < span[1])
    for first, last in [*real, (bottom, bottom)]:
        first = min(max(first, top), bottom)
        if first - edge >= best[1] - best[0]:
            best = edge, first
        edge = max(edge, min(last, bottom))
    return best

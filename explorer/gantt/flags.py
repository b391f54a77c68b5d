"""Where flags stand in the line above a plot so that none covers another; pure, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

SPACING = 4.0


class Wanted(NamedTuple):
    """A flag at the line `x`, with its full width and the least width in which it still says something."""

    x: float
    width: float
    least: float


class Placed(NamedTuple):
    """Where a flag stands."""

    left: float
    width: float


def place_flags(wanted: Sequence[Wanted], left: float, right: float) -> list[Placed | None]:
    """Place flags from the most to the least important; None for one that finds no room.

    A flag stands centred over its line, else to one side of it, else shortened in what is free around it.
    """
    placed: list[Placed | None] = []
    for flag in wanted:
        taken = [(spot.left - SPACING, spot.left + spot.width + SPACING) for spot in placed if spot]
        placed.append(_place(flag, taken, left, right))
    return placed


def _place(flag: Wanted, taken: Sequence[tuple[float, float]], left: float, right: float) -> Placed | None:
    low, high = _free_around(flag.x, taken, left, right)
    width = min(flag.width, high - low)
    if width < flag.least:
        return None
    return Placed(min(max(flag.x - width / 2, low), high - width), width)


def _free_around(
    x: float, taken: Sequence[tuple[float, float]], left: float, right: float
) -> tuple[float, float]:
    """Return the free stretch that holds `x`; where a flag covers it, the wider one beside that."""
    covering = [span for span in taken if span[0] < x < span[1]]
    anchors = [covering[0][0], covering[0][1]] if covering else [x]
    stretches = []
    for anchor in anchors:
        low = max([left, *(end for _, end in taken if end <= anchor)])
        high = min([right, *(start for start, _ in taken if start >= anchor)])
        stretches.append((low, high))
    return max(stretches, key=lambda stretch: stretch[1] - stretch[0])

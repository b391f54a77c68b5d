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
    stretches = [free for free in _free(taken, left, right) if free[1] - free[0] >= flag.least]
    if not stretches:
        return None
    low, high = min(stretches, key=lambda free: _remoteness(flag, free))
    width = min(flag.width, high - low)
    return Placed(min(max(flag.x - width / 2, low), high - width), width)


def _remoteness(flag: Wanted, free: tuple[float, float]) -> float:
    """Return how far a stretch is from the line, and how much too narrow, in pixels."""
    low, high = free
    return max(low - flag.x, flag.x - high, 0.0) + max(0.0, flag.width - (high - low))


def _free(taken: Sequence[tuple[float, float]], left: float, right: float) -> list[tuple[float, float]]:
    """Return the stretches that no flag takes, left to right."""
    stretches, low = [], left
    for start, end in sorted(taken):
        if start > low:
            stretches.append((low, min(start, right)))
        low = max(low, end)
    if low < right:
        stretches.append((low, right))
    return stretches

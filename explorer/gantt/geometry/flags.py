"""Where flags stand in the line above a plot so that none covers another; pure, without Qt."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

SPACING = 4.0

IMPORTANCE = 4.0
"""How much more a flag resists being pushed away than the next less important one."""


class Wanted(NamedTuple):
    """A flag at the line `x`, with the widths of its whole text and of its short one."""

    x: float
    width: float
    short: float


class Placed(NamedTuple):
    """Where a flag stands, and whether with its short text."""

    left: float
    width: float
    is_short: bool = False


def place_flags(wanted: Sequence[Wanted], left: float, right: float) -> list[Placed | None]:
    """Place flags, given from the most to the least important; None for one that finds no room.

    While there is room each has its whole text, then its short one. Flags stand centred over their lines
    as nearly as they can without covering one another.
    """
    widths = _fitting_widths(wanted, right - left)
    shown = [index for index, width in enumerate(widths) if width]
    order: list[int] = []
    lefts: list[float] = []
    for index in shown:
        orders = [[*order[:place], index, *order[place:]] for place in range(len(order) + 1)]
        tried = [_line_up(wanted, widths, each, left, right) for each in orders]
        _, lefts, order = min(
            (pushed, edges, each) for each, (pushed, edges) in zip(orders, tried, strict=True)
        )
    found = dict(zip(order, lefts, strict=True))
    return [
        Placed(found[index], width, width < flag.width) if index in found else None
        for index, (flag, width) in enumerate(zip(wanted, widths, strict=True))
    ]


def _line_up(
    wanted: Sequence[Wanted], widths: Sequence[float], order: Sequence[int], left: float, right: float
) -> tuple[float, list[float]]:
    """Return how much the flags are pushed away from their lines in this order, and their left edges."""
    liked = [wanted[index].x - widths[index] / 2 for index in order]
    weights = [IMPORTANCE**-index for index in order]
    edges = _apart(liked, [widths[index] + SPACING for index in order], weights, left, right + SPACING)
    pushed = (weight * (edge - like) ** 2 for weight, edge, like in zip(weights, edges, liked, strict=True))
    return sum(pushed), edges


def _fitting_widths(wanted: Sequence[Wanted], room: float) -> list[float]:
    """Return the width of each flag, 0 where there is no room left for it."""
    widths: list[float] = []
    for flag in wanted:
        width = next((width for width in (flag.width, flag.short) if width <= room), 0.0)
        if not widths and not width:
            width = max(room, 0.0)
        room -= width + SPACING if width else 0.0
        widths.append(width)
    return widths


def _apart(
    lefts: Sequence[float], widths: Sequence[float], weights: Sequence[float], low: float, high: float
) -> list[float]:
    """Return the left edges nearest to `lefts` (weighted squares) with which nothing overlaps or sticks out.

    What is to the left of each is taken off first; then the edges need only not decrease (isotonic
    regression by pooling adjacent violators).
    """
    before = [0.0, *accumulate(widths)]
    blocks: list[tuple[float, float, int]] = []  # mean edge, weight, how many
    for left, offset, weight in zip(lefts, before, weights, strict=False):
        mean, total, count = left - offset, weight, 1
        while blocks and blocks[-1][0] > mean:
            mean_before, total_before, count_before = blocks.pop()
            mean = (mean * total + mean_before * total_before) / (total + total_before)
            total, count = total + total_before, count + count_before
        blocks.append((mean, total, count))
    edges = [mean for mean, _, count in blocks for _ in range(count)]
    last = high - before[-1]
    return [max(low, min(edge, last)) + offset for edge, offset in zip(edges, before, strict=False)]

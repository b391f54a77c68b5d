"""How high the strips of use above lanes are, and how much room there is for them; without Qt."""

from __future__ import annotations

STRIP, TALL_STRIP, TALL_PLOT, MAX_STRIP_ROW = 11, 20, 360, 1.5
"""Pixels of a strip that shows how many slots are in use, above each lane of rows that are lower than the
last of these, and pixels of it in plots that are so high."""
LOW_STRIP, MIN_STRIP, STRIP_AIR = 6, 3, 2
"""Pixels of the strip above higher rows, of the lowest one, in plots with little room, and of the
air between a low strip and the rows."""
MAX_STRIPS, MAX_LOW_STRIPS = 0.3, 0.15
"""Part of a plot's height that all strips may take: of low rows, and of others."""


def strip_air(strip: int) -> int:
    """Return the pixels between a strip and the rows below it; a high one differs from rows by its ground."""
    return STRIP_AIR if strip == LOW_STRIP else 1


def strip_of(lanes: int, height: int, *, is_thin: bool) -> int:
    """Return the pixels of the strip above each of so many lanes, the highest that there is room for."""
    tall = TALL_STRIP if height >= TALL_PLOT else STRIP
    if is_thin and lanes * (tall + 1) <= height * MAX_STRIPS:
        return tall
    fitting = (low for low in (LOW_STRIP, MIN_STRIP) if lanes * (low + 1) <= height * MAX_LOW_STRIPS)
    return next(fitting, 0)

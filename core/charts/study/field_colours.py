"""The colours of the fields of a map: by what is best there, or by a number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from core.charts.curve_colours import curve_colour, ramp_colour
from core.charts.palette import mixed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.charts.appearance import Appearance
    from core.charts.study.marks import MapField

    Fields = Sequence[Sequence[MapField]]

WORSE, MIN_SHARE = 0xD55E00, 0.06
"""The colour of much that is lost, and the share of it where nothing is lost; the rest is background."""
PALER = "paler: hardly better than the next"
"""In legends."""
STEPS = 9
"""Colours of a ramp in a legend."""
PALE = 0.55
"""How much of the background is in the colour of a best one that is hardly better than the next."""
CLEAR_AT = 0.2
"""So much better than the next is shown by the full colour."""


class FieldColours(NamedTuple):
    """The colours of a map, 0xRRGGBB.

    Attributes
    ----------
    of_fields : row by row, None where nothing is known yet
    steps : of a ramp, from low to high; empty where fields have the colour of what is best
    """

    of_fields: list[list[int | None]]
    steps: tuple[int, ...] = ()


def colours_of_bests(fields: Fields, colours: Appearance) -> FieldColours:
    """Return for each field the colour of what is best there, the fuller the further that is ahead."""
    plot = colours.rgb("plot")

    def colour(field: MapField) -> int | None:
        if field.best < 0:
            return None
        ahead = min(field.value / CLEAR_AT, 1.0) if math.isfinite(field.value) else 1.0
        return int(mixed(curve_colour(field.best, is_dark=colours.is_dark), plot, PALE * (1 - ahead)))

    return FieldColours([[colour(field) for field in row] for row in fields])


def pale_colour(colours: Appearance) -> int:
    """Return the colour of a first one that is hardly better than the next, for the legend."""
    return int(mixed(curve_colour(0, is_dark=colours.is_dark), colours.rgb("plot"), PALE))


def colours_of_values(
    fields: Fields, colours: Appearance, most: float | None, *, is_turned: bool
) -> FieldColours:
    """Return for each field the colour of its value, from the smallest to the largest, or from 0 to `most`.

    With `is_turned` the smallest is the lightest.
    """
    known = [field.value for row in fields for field in row if math.isfinite(field.value)]
    low = 0.0 if most is not None else min(known, default=math.inf)
    high = max(most, 1e-12) if most is not None else max(known, default=-math.inf)
    at = _ramp(colours, is_loss=most is not None, is_turned=is_turned)

    def colour(value: float) -> int | None:
        part = (value - low) / (high - low) if high > low else 0.5
        return at(min(max(part, 0.0), 1.0)) if math.isfinite(value) else None

    found = [[colour(field.value) for field in row] for row in fields]
    return FieldColours(found, tuple(at(i / (STEPS - 1)) for i in range(STEPS)) if known else ())


def _ramp(colours: Appearance, *, is_loss: bool, is_turned: bool) -> Callable[[float], int]:
    """Return what gives the colour of a part of a range: of what is lost, from the background on."""
    if is_loss:
        plot = colours.rgb("plot")
        return lambda part: int(mixed(plot, WORSE, MIN_SHARE + (1 - MIN_SHARE) * part))
    return lambda part: ramp_colour(1 - part if is_turned else part)

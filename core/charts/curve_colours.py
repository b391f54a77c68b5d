"""Colours of curves side by side, and of numbers on a map, that differ for colour-blind eyes as well."""

from __future__ import annotations

import numpy as np

from core.charts.palette import packed, unpacked

CURVES = (
    (0x009AF0, 0x0072B2),
    (0xFF8321, 0xD55E00),
    (0x00D59B, 0x009E73),
    (0xE69F00, 0xE69F00),
    (0xCC79A7, 0xCC79A7),
    (0x56B4E9, 0x56B4E9),
)
"""On dark and on light grounds: blue, vermilion, green, orange, pink and sky of Okabe and Ito, whose
yellow is too pale; the dark ones among them are lighter on dark grounds."""
RAMP = (
    0x00204D,
    0x00265A,
    0x002C69,
    0x00306F,
    0x05366E,
    0x1F3C6D,
    0x2D426C,
    0x38486B,
    0x414D6B,
    0x4A536B,
    0x52596C,
    0x595F6D,
    0x61646F,
    0x686A71,
    0x6F7073,
    0x767676,
    0x7D7C78,
    0x848179,
    0x8B8779,
    0x938E78,
    0x9B9477,
    0xA39A76,
    0xACA174,
    0xB4A872,
    0xBDAF6F,
    0xC5B56C,
    0xCEBC68,
    0xD7C463,
    0xE0CB5E,
    0xE9D358,
    0xF2DA50,
    0xFBE248,
    0xFFEA46,
)
"""Cividis: blue to yellow, even in lightness, for every kind of sight."""


def curve_colour(place: int, *, is_dark: bool) -> int:
    """Return the colour of a curve or a policy by its place, 0xRRGGBB; after the sixth they begin anew."""
    return CURVES[place % len(CURVES)][0 if is_dark else 1]


def ramp_colour(part: float) -> int:
    """Return the colour of a part of a range, 0 to 1, 0xRRGGBB."""
    at = min(max(part, 0.0), 1.0) * (len(RAMP) - 1)
    low = min(int(at), len(RAMP) - 2)
    ends = unpacked(np.array(RAMP[low : low + 2]))
    return int(packed(ends[0] + (ends[1] - ends[0]) * (at - low)))

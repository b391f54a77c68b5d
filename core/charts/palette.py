"""Arithmetic with colours written 0xRRGGBB, and the tones that tasks of one colour have."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from core.charts.appearance import Appearance
    from core.model.stages import StageColumns


FADED = 0.83
"""How much of the background other jobs take on while one is selected."""

POINTED_FADED = 0.75
"""The same while a class is pointed at in the legend."""

DRAG_FADED = 0.55
"""The same while a job is dragged: where the others go must stay visible."""


INKS = (0xFFFFFF, 0x14181F, 0x000000)
"""Text upon a task has the first of them that reads well on its colour; one of them does on any."""
READABLE = 4.5
"""Contrast from which small text reads well."""

SHUFFLE_SHARE, EDGE_SHARE = 0.52, 0.6
"""How much of the lane behind it a shuffle has in its colour, and the gap at the right edge of a task."""
DEEPER_SHARE = 0.28
"""How much ink reduces have in their colour where they run on the same slots as maps."""


def tones_of_colours(
    colours: NDArray[np.int64],
    theme: Appearance,
    shuffle: float = SHUFFLE_SHARE,
    *,
    deepens_reduces: bool = False,
) -> NDArray[np.int64]:
    """Return the colours of tasks, (n, 6): map, waiting, shuffle, reduce, edge and hatch.

    Maps and reduces have the colour itself, as their lanes say which is which.

    Parameters
    ----------
    colours : 0xRRGGBB of each job or class, (n,)
    shuffle : how much of the lane shuffles have in them, 0 to 1
    deepens_reduces : whether reduces are darker (in dark windows paler): maps run in the same lane
    """
    lane = lane_colour(theme)
    waiting, copying = mixed(colours, lane, (1 + shuffle) / 2), mixed(colours, lane, shuffle)
    work = mixed(colours, theme.rgb("text"), DEEPER_SHARE) if deepens_reduces else colours
    edge, hatch = mixed(colours, lane, EDGE_SHARE), mixed(colours, lane, shuffle / 2)
    return np.stack([colours, waiting, copying, work, edge, hatch], 1)


def lane_colour(theme: Appearance) -> int:
    """Return the colour behind tasks, 0xRRGGBB."""
    return theme.rgb("lane")


def faded(
    tones: NDArray[np.int64], kept: slice | NDArray[Any], background: int, share: float = FADED
) -> NDArray[np.int64]:
    """Return tones in which every job, or stage, recedes into the background but those that are kept."""
    dimmed = mixed(tones, background, share)
    dimmed[kept] = tones[kept]
    return dimmed


SHALLOW_LIGHT, DEEP_LIGHT, DEEPEST_LIGHT = 0.46, 0.34, 0x0B1220
SHALLOW_DARK, DEEP_DARK, DEEPEST_DARK = 0.50, 0.38, 0xFFFFFF
"""How much white (in dark windows: background) the first stage of a job has in its colour, and how much of
what colour the last one; between them it goes by depth."""


def stage_tones(jobs: NDArray[np.int64], stages: StageColumns, theme: Appearance) -> NDArray[np.int64]:
    """Return the tones of each stage: the colour of its job, by how deep it is, (stages, 6).

    A stage that waits for none has depth 0, one that waits for others one more than the deepest of them. The
    only depth of a job has the job's own colour.

    Parameters
    ----------
    jobs : 0xRRGGBB of each job, (jobs,)
    """
    depth = stages.heads(np.ones(len(stages.job)), np.zeros(len(jobs)))
    deepest = np.maximum.reduceat(depth, stages.begin[:-1])[stages.job]
    tone = _by_depth(jobs[stages.job], np.where(deepest > 0, depth / np.maximum(deepest, 1), np.nan), theme)
    return tones_of_colours(tone, theme)


def depth_tones(jobs: NDArray[np.int64], theme: Appearance) -> NDArray[np.int64]:
    """Return the colours of the first, a middle and the last stage of jobs of these colours, (jobs, 3)."""
    return np.stack([_by_depth(jobs, np.full(len(jobs), part), theme) for part in (0.0, 0.5, 1.0)], 1)


def _by_depth(base: NDArray[np.int64], part: NDArray[np.float64], theme: Appearance) -> NDArray[np.int64]:
    """Return colours as deep as a part of the deepest; the base itself where that is not a number."""
    light, dark = (SHALLOW_LIGHT, DEEP_LIGHT, DEEPEST_LIGHT), (SHALLOW_DARK, DEEP_DARK, DEEPEST_DARK)
    shallow, deep, last = dark if theme.is_dark else light
    first = lane_colour(theme) if theme.is_dark else 0xFFFFFF
    share = np.nan_to_num((shallow + deep) * part - shallow)  # of the first colour below 0, of the last above
    amount = np.abs(share)[:, np.newaxis]
    ends = np.where(share[:, np.newaxis] < 0, unpacked(first), unpacked(last))
    return packed(unpacked(base) * (1 - amount) + ends * amount)


@lru_cache(maxsize=4096)
def ink_on(colour: int) -> int:
    """Return the text colour, 0xRRGGBB, that reads well on a colour."""
    return next(ink for ink in INKS if contrast(ink, colour) >= READABLE)


def unpacked(colours: ArrayLike) -> NDArray[np.float64]:
    """Split 0xRRGGBB into red, green and blue from 0 to 1, (..., 3)."""
    whole = np.asarray(colours, np.int64)
    channels = np.stack([whole >> 16 & 0xFF, whole >> 8 & 0xFF, whole & 0xFF], -1)
    return channels.astype(np.float64) / 255.0


def packed(red_green_blue: NDArray[np.float64]) -> NDArray[np.int64]:
    """Join red, green and blue from 0 to 1, (..., 3), into 0xRRGGBB."""
    levels = np.round(np.clip(red_green_blue, 0, 1) * 255).astype(np.int64)
    joined: NDArray[np.int64] = levels[..., 0] << 16 | levels[..., 1] << 8 | levels[..., 2]
    return joined


def linear(red_green_blue: NDArray[np.float64]) -> NDArray[np.float64]:
    """Undo the sRGB transfer curve."""
    bright = ((red_green_blue + 0.055) / 1.055) ** 2.4
    return np.where(red_green_blue <= 0.04045, red_green_blue / 12.92, bright)


def mixed(colours: ArrayLike, other: int, share: float) -> NDArray[np.int64]:
    """Mix 0xRRGGBB colours with a `share` of another."""
    return packed(unpacked(colours) * (1 - share) + unpacked(other) * share)


def luminance(colour: int) -> float:
    """Return the relative luminance of a 0xRRGGBB colour, 0 to 1, as contrast is reckoned."""
    return float(linear(unpacked(colour)) @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one: int, other: int) -> float:
    """Return the contrast of two 0xRRGGBB colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)

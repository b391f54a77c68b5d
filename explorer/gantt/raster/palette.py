"""The colours of jobs: hue by job, tone by what a task does, safe for colour-blind eyes.

Up to seven jobs have the colours of Okabe and Ito, by their place in the workload. More jobs run from blue
over grey to orange by their place in the baseline's queue, lightness alternating, so that neighbours differ
for every kind of sight. "Vivid" spreads hues by the golden angle instead: prettier, but some neighbours look
alike to colour-blind eyes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.document.view_state import PaletteMode
from explorer.gantt.raster.raster_kernel import MAP_TONE

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from core.model.stages import StageColumns
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.widgets.theme import Theme


OKABE_ITO = (0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0xF0E442, 0x0072B2, 0xD55E00)
"""Sky, orange, green, pink, yellow, blue, vermilion: neighbours in this order differ most."""

DATASETS = (0x7A62EE, 0x6FAE2C, 0xE0285A, 0x12A8B8, 0xB44FD0)
"""Violet, green, red, cyan and purple, in turn: none of them looks like a job."""

GOLDEN_ANGLE = 2.399963

FADED = 0.83
"""How much of the background other jobs take on while one is selected."""

DRAG_FADED = 0.55
"""The same while a job is dragged: where the others go must stay visible."""


INKS = (0x000000, 0xFFFFFF)
"""One of them reads well on any colour: the contrast is at least 4.58."""

DARK_TONES = ((1, 0, 1), (0, 0.285, 0.28), (0, 0.36, 0.38), (1, -0.19, 1.1), (1, -0.34, 0.8), (1, -0.06, 0.9))
LIGHT_TONES = ((1, 0, 1), (0, 0.955, 0.24), (0, 0.90, 0.42), (1, -0.19, 1.1), (1, -0.30, 1), (0.5, 0.36, 0.8))
"""Of a job's lightness a share and a shift, and a share of its chroma, for each of its tones: shuffles are
much paler or darker and greyer than reduces, or a pool of many reduces turns to mud."""


MAX_MIXED = 2048
"""For so many jobs colours are mixed, which takes 4 ms."""


def job_tones(
    jobs: int,
    positions: NDArray[np.int64] | None = None,
    dark: bool = False,
    mode: PaletteMode = PaletteMode.SAFE,
) -> NDArray[np.int64]:
    """Return the colours of each job as 0xRRGGBB: map, waiting, shuffle, reduce, edge and hatch, (jobs, 6).

    `positions` are the places of the jobs in the baseline's queue, (jobs,); the workload's order if None.
    """
    return _mixed_tones(min(jobs, MAX_MIXED), dark, mode)[_alike(jobs, positions, mode)]


def map_tones(
    jobs: int, positions: NDArray[np.int64] | None, dark: bool, mode: PaletteMode
) -> NDArray[np.int64]:
    """Return the colours of the jobs' maps alone, (jobs,); arguments as of `job_tones`."""
    return _mixed_tones(min(jobs, MAX_MIXED), dark, mode)[:, MAP_TONE][_alike(jobs, positions, mode)]


def _alike(jobs: int, positions: NDArray[np.int64] | None, mode: PaletteMode) -> NDArray[np.int64]:
    """Return the place in `_mixed_tones` of each job, (jobs,)."""
    place = np.arange(jobs)
    if positions is not None and jobs > len(OKABE_ITO) and mode is not PaletteMode.VIVID:
        place = np.argsort(np.argsort(positions, kind="stable"))
    if jobs <= MAX_MIXED or mode is PaletteMode.VIVID:
        return place % MAX_MIXED
    # 256 steps of a colour are all there is; neighbours still differ in lightness
    return 2 * (place * (MAX_MIXED // 2) // jobs) + place % 2


@lru_cache(maxsize=8)
def _mixed_tones(jobs: int, dark: bool, mode: PaletteMode) -> NDArray[np.int64]:
    """Mix the colours once for all charts, lists and queues."""
    if jobs <= len(OKABE_ITO):
        lightness, chroma, hue = oklch(np.array(OKABE_ITO[:jobs], np.int64))
        lightness = np.clip(lightness, 0.56, 0.84)
    elif mode is PaletteMode.VIVID:
        lightness, chroma = np.resize([0.74, 0.66, 0.80], jobs), np.full(jobs, 0.115)
        hue = (np.arange(jobs) * GOLDEN_ANGLE + 0.6) % (2 * np.pi)
    else:
        place = np.arange(jobs)
        part = place / (jobs - 1)
        lightness, chroma = np.where(place % 2, 0.78, 0.66), 0.02 + 0.28 * np.abs(part - 0.5)
        hue = np.where(part < 0.5, 4.45, 0.95)  # blue and orange, grey between them
    tones = (
        from_oklch(lightness * share + shift, chroma * vivid, hue)
        for share, shift, vivid in (DARK_TONES if dark else LIGHT_TONES)
    )
    return np.stack(list(tones), 1)


def faded(tones: NDArray[np.int64], kept: slice, background: int, share: float = FADED) -> NDArray[np.int64]:
    """Return tones in which every job, or stage, recedes into the background but those that are kept."""
    dimmed = mixed(tones, background, share)
    dimmed[kept] = tones[kept]
    return dimmed


SHALLOW_LIGHT, DEEP_LIGHT, DEEPEST_LIGHT = 0.46, 0.34, 0x0B1220
SHALLOW_DARK, DEEP_DARK, DEEPEST_DARK = 0.50, 0.38, 0xFFFFFF
"""How much white (in dark windows: background) the first stage of a job has in its colour, and how much of
what colour the last one; between them it goes by depth."""
SHUFFLE_SHARE, EDGE_SHARE = 0.52, 0.22


def stage_tones(jobs: NDArray[np.int64], stages: StageColumns, theme: Theme) -> NDArray[np.int64]:
    """Return the colours of each stage, as of `job_tones`: the hue of its job by how deep it is, (stages, 6).

    A stage that waits for none has depth 0, one that waits for others one more than the deepest of them. The
    only depth of a job has the job's own colour.

    Parameters
    ----------
    jobs : 0xRRGGBB of each job, (jobs,)
    """
    background = theme.map_rows[0].rgb() & 0xFFFFFF
    depth = stages.heads(np.ones(len(stages.job)), np.zeros(len(jobs)))
    deepest = np.maximum.reduceat(depth, stages.begin[:-1])[stages.job]
    tone = _by_depth(jobs[stages.job], np.where(deepest > 0, depth / np.maximum(deepest, 1), np.nan), theme)
    shuffle, edge = mixed(tone, background, SHUFFLE_SHARE), mixed(tone, 0, EDGE_SHARE)
    waiting = mixed(tone, background, (1 + SHUFFLE_SHARE) / 2)
    return np.stack([tone, waiting, shuffle, tone, edge, tone], 1)


def depth_tones(jobs: NDArray[np.int64], theme: Theme) -> NDArray[np.int64]:
    """Return the colours of the first, a middle and the last stage of jobs of these colours, (jobs, 3)."""
    return np.stack([_by_depth(jobs, np.full(len(jobs), part), theme) for part in (0.0, 0.5, 1.0)], 1)


def _by_depth(base: NDArray[np.int64], part: NDArray[np.float64], theme: Theme) -> NDArray[np.int64]:
    """Return colours as deep as a part of the deepest; the base itself where that is not a number."""
    light, dark = (SHALLOW_LIGHT, DEEP_LIGHT, DEEPEST_LIGHT), (SHALLOW_DARK, DEEP_DARK, DEEPEST_DARK)
    shallow, deep, last = dark if theme.is_dark else light
    first = theme.map_rows[0].rgb() & 0xFFFFFF if theme.is_dark else 0xFFFFFF
    share = np.nan_to_num((shallow + deep) * part - shallow)  # of the first colour below 0, of the last above
    amount = np.abs(share)[:, np.newaxis]
    ends = np.where(share[:, np.newaxis] < 0, unpacked(first), unpacked(last))
    return packed(unpacked(base) * (1 - amount) + ends * amount)


@lru_cache(maxsize=4096)
def ink_on(colour: int) -> int:
    """Return the text colour, 0xRRGGBB, that reads well on a colour."""
    return max(INKS, key=lambda ink: contrast(ink, colour))


def fitting_positions(positions: ArrayLike | None, jobs: int) -> NDArray[np.int64] | None:
    """Return positions as whole numbers if there is one for each job, else None."""
    if positions is None or np.shape(positions) != (jobs,):
        return None
    return np.asarray(positions, np.int64)


# Björn Ottosson's OKLab: linear sRGB to cone response, and its cube root to lightness and opponents
_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_FROM_CONES, _FROM_LAB = np.linalg.inv(_TO_CONES), np.linalg.inv(_TO_LAB)


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


def curved(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Apply the sRGB transfer curve."""
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def oklab(light: NDArray[np.float64]) -> NDArray[Any]:
    """Return lightness and the two opponents of linear colours, (..., 3)."""
    return np.asarray(np.cbrt(light @ _TO_CONES.T) @ _TO_LAB.T)


def oklch(colours: ArrayLike) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return lightness, chroma and hue (radians) of 0xRRGGBB colours."""
    lab = oklab(linear(unpacked(colours)))
    return lab[..., 0], np.hypot(lab[..., 1], lab[..., 2]), np.arctan2(lab[..., 2], lab[..., 1])


def from_oklch(lightness: ArrayLike, chroma: ArrayLike, hue: ArrayLike) -> NDArray[np.int64]:
    """Return 0xRRGGBB colours, clipped to what a screen can show."""
    bright, vivid, angle = np.broadcast_arrays(
        np.asarray(lightness, float), np.asarray(chroma, float), np.asarray(hue, float)
    )
    lab = np.stack([bright, vivid * np.cos(angle), vivid * np.sin(angle)], -1)
    return packed(curved((lab @ _FROM_LAB.T) ** 3 @ _FROM_CONES.T))


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


GREY = 0x8A8F98


def tones_of(content: ChartContent, theme: Theme) -> NDArray[np.int64]:
    """Return the tones of each job, (jobs, 6); jobs of a record that the document has no more are grey."""
    count, places = content.places or (content.jobs, None)
    tones = job_tones(count, fitting_positions(content.positions, count), theme.is_dark, content.mode)
    if places is None:
        return tones
    shown = np.full((len(places), tones.shape[1]), GREY, np.int64)
    shown[places >= 0] = tones[places[places >= 0]]
    return shown

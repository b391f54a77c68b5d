"""The colours of jobs: hue by job, tone by what a task does, safe for colour-blind eyes.

Up to seven jobs have the colours of Okabe and Ito, by their place in the workload. More jobs run from blue
over grey to orange by their place in the baseline's queue, lightness alternating, so that neighbours differ
for every kind of sight. "Vivid" spreads hues by the golden angle instead: prettier, but some neighbours look
alike to colour-blind eyes.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from explorer.gantt.raster.colour_space import contrast, from_oklch, mixed, oklch

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

OKABE_ITO = (0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0xF0E442, 0x0072B2, 0xD55E00)
"""Sky, orange, green, pink, yellow, blue, vermilion: neighbours in this order differ most."""

FADED = 0.83
"""How much of the background other jobs take on while one is selected."""

DRAG_FADED = 0.55
"""The same while a job is dragged: where the others go must stay visible."""


INKS = (0x10141A, 0xFFFFFF)


class PaletteMode(StrEnum):
    """How jobs beyond the seventh get their hues."""

    AUTO = "auto"
    VIVID = "vivid"


def job_tones(
    jobs: int,
    positions: NDArray[np.int64] | None = None,
    dark: bool = False,
    mode: PaletteMode = PaletteMode.AUTO,
) -> NDArray[np.int64]:
    """Return the colours of each job as 0xRRGGBB: map, waiting, shuffle, reduce, edge and hatch, (jobs, 6).

    `positions` are the places of the jobs in the baseline's queue, (jobs,); the workload's order if None.
    """
    if jobs <= len(OKABE_ITO):
        lightness, chroma, hue = oklch(np.array(OKABE_ITO[:jobs], np.int64))
        lightness = np.clip(lightness, 0.56, 0.84)
    elif mode is PaletteMode.VIVID:
        lightness, chroma, hue = _golden_angle(jobs)
    else:
        place = np.arange(jobs) if positions is None else np.argsort(np.argsort(positions, kind="stable"))
        lightness, chroma, hue = _blue_to_orange(place, jobs)
    return (_dark_tones if dark else _light_tones)(lightness, chroma, hue)


def _golden_angle(jobs: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    place = np.arange(jobs, dtype=np.float64)
    lightness = np.resize(np.array([0.74, 0.66, 0.80]), jobs)
    return lightness, np.full(jobs, 0.115), (place * 2.399963 + 0.6) % (2 * np.pi)


def _blue_to_orange(
    place: NDArray[np.int64], jobs: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    part = place / (jobs - 1)
    chroma = 0.02 + 0.28 * np.abs(part - 0.5)
    return np.where(place % 2, 0.78, 0.66), chroma, np.where(part < 0.5, 4.45, 0.95)


def _dark_tones(
    lightness: NDArray[np.float64], chroma: NDArray[np.float64], hue: NDArray[np.float64]
) -> NDArray[np.int64]:
    # shuffles much darker and greyer than reduces, or a pool of many reduces turns to mud
    return np.stack(
        [
            from_oklch(lightness, chroma, hue),
            from_oklch(lightness * 0 + 0.285, chroma * 0.28, hue),
            from_oklch(lightness * 0 + 0.36, chroma * 0.38, hue),
            from_oklch(lightness - 0.19, chroma * 1.1, hue),
            from_oklch(lightness - 0.34, chroma * 0.8, hue),
            from_oklch(lightness - 0.06, chroma * 0.9, hue),
        ],
        1,
    )


def _light_tones(
    lightness: NDArray[np.float64], chroma: NDArray[np.float64], hue: NDArray[np.float64]
) -> NDArray[np.int64]:
    return np.stack(
        [
            from_oklch(lightness, chroma, hue),
            from_oklch(lightness * 0 + 0.955, chroma * 0.24, hue),
            from_oklch(lightness * 0 + 0.90, chroma * 0.42, hue),
            from_oklch(lightness - 0.19, chroma * 1.1, hue),
            from_oklch(lightness - 0.30, chroma, hue),
            from_oklch(lightness * 0.5 + 0.36, chroma * 0.8, hue),
        ],
        1,
    )


def faded(tones: NDArray[np.int64], job: int, background: int, share: float = FADED) -> NDArray[np.int64]:
    """Return tones in which every job but one recedes into the background; all of them for -1."""
    dimmed = mixed(tones, background, share)
    if 0 <= job < len(tones):
        dimmed[job] = tones[job]
    return dimmed


def ink_on(colour: int) -> int:
    """Return the text colour, 0xRRGGBB, that reads well on a colour."""
    return max(INKS, key=lambda ink: contrast(ink, colour))


def fitting_positions(positions: ArrayLike | None, jobs: int) -> NDArray[np.int64] | None:
    """Return positions as whole numbers if there is one for each job, else None."""
    if positions is None or np.shape(positions) != (jobs,):
        return None
    return np.asarray(positions, np.int64)

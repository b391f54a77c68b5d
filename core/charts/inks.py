"""The colours of a picture of rows, as the raster counts them: each different one once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.charts.pixel_covers import COVER_STEPS, Inks
from core.charts.raster_kernel import EDGE_TONE, HATCH_TONE

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_INKS = 512
"""Where there are more colours, those that look alike are one."""
CUT_BITS = (0, 2, 3, 4, 5)
"""So many low bits of red, green and blue are left out, the fewer the better."""
SEEN_COVER = 0.02
"""What covers less of a pixel than that fades: it is one of fifty rows."""
STRENGTH = 0.7
MAX_KEPT = 4


class Squeeze(NamedTuple):
    """How tasks share a pixel.

    Attributes
    ----------
    floor : opacity of what covers just more than a fiftieth of a pixel
    takes_all : whether the colour that covers most of it takes nearly all of it; else colours mix
    is_even : whether opacity is the share that is covered, for pictures that show how much is in use
    """

    floor: float = 0.6
    takes_all: bool = True
    is_even: bool = False


LIGHT, DARK, SCALE, EVEN = Squeeze(0.6), Squeeze(0.65), Squeeze(0.72, takes_all=False), Squeeze(is_even=True)
"""Of hues in light and in dark charts, of scales, and of what is in use."""

_kept: tuple[tuple[NDArray[np.int64], Squeeze, Inks], ...] = ()


def inks_of(tones: NDArray[np.int64], squeeze: Squeeze = LIGHT) -> Inks:
    """Return what the raster needs of the tones of jobs, 0xRRGGBB, (jobs, 6); the last ones are kept."""
    global _kept
    for known, how, inks in _kept:
        if known is tones and how == squeeze:
            return inks
    inks = _found(tones, squeeze)
    _kept = ((tones, squeeze, inks), *_kept[: MAX_KEPT - 1])  # NOTE: threads may do the same work twice
    return inks


def _found(tones: NDArray[np.int64], squeeze: Squeeze) -> Inks:
    solid = np.asarray(tones[:, : EDGE_TONE + 1], np.int64)
    for bits in CUT_BITS:
        mask = (0xFF << bits & 0xFF) * 0x010101
        kept, number = np.unique(solid & mask, return_inverse=True)
        if len(kept) <= MAX_INKS:
            break
    place = number.ravel()
    colours = np.zeros((len(kept), 3))
    channels = solid.ravel()
    counts = np.bincount(place, minlength=len(kept))
    for channel, shift in enumerate((16, 8, 0)):
        summed = np.bincount(place, channels >> shift & 0xFF, minlength=len(kept))
        colours[:, channel] = np.round(summed / np.maximum(counts, 1))
    hatch = np.ascontiguousarray(tones[:, HATCH_TONE], np.int64)
    of_tone = np.ascontiguousarray(place.reshape(solid.shape), np.int32)
    return Inks(colours, of_tone, hatch, _opacities(squeeze), int(squeeze.takes_all))


def _opacities(squeeze: Squeeze) -> NDArray[np.int64]:
    """Return how opaque a pixel is, of 256, by how much of it is covered."""
    cover = np.arange(COVER_STEPS + 1) / COVER_STEPS
    if squeeze.is_even:
        return np.round(256 * cover).astype(np.int64)
    seen = np.minimum(1.0, cover / SEEN_COVER)
    return np.round(256 * seen * (squeeze.floor + (1 - squeeze.floor) * cover**STRENGTH)).astype(np.int64)

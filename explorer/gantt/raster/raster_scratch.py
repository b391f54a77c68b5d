"""Work arrays of the raster kernel, made once for each width of a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Scratch(NamedTuple):
    """Work arrays, modified in place; all zero between calls except `line`.

    Attributes
    ----------
    red_green, blue : differences between neighbouring pixels, int64 (width + 2,)
    line : pixels of one row, int64 (width,)
    marks : ``job << 2 | hatch`` of each pixel, int32 (width,)
    strips : 1 where a borrowed slot is marked with a strip, int8 (width,)
    lent : how much of each pixel are other borrowed slots, as differences, int64 (width + 2,)
    """

    red_green: NDArray[np.int64]
    blue: NDArray[np.int64]
    line: NDArray[np.int64]
    marks: NDArray[np.int32]
    strips: NDArray[np.int8]
    lent: NDArray[np.int64]


def scratch(width: int) -> Scratch:
    """Make the kernel's work arrays for one width."""
    sums = np.zeros((3, width + 2), np.int64)
    marks, strips = np.zeros(width, np.int32), np.zeros(width, np.int8)
    return Scratch(sums[0], sums[1], np.zeros(width, np.int64), marks, strips, sums[2])

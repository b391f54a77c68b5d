"""How many slots are in use in each column of pixels, by kind of use; pure, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

LEAST = 1e-9
"""What sums of parts of pixels may be wrong by: less use than that is none."""


def slots_in_use(left: Floats, right: Floats, kind: Ints, shape: tuple[int, int]) -> Floats:
    """Return how many spans of each kind cover each column on the average, (kinds, columns).

    Parameters
    ----------
    left, right : first and last pixel of each span, the second not before the first; they may lie outside of
        the columns, and may be infinite
    kind : of each span, from 0
    shape : number of kinds and of columns

    Spans from 0.5 to 2 and from 1 to 2, both of one kind, make 0.5 and 2 in two columns.
    """
    return np.maximum(_covered_from(left, kind, shape) - _covered_from(right, kind, shape), 0.0)


def _covered_from(edge: Floats, kind: Ints, shape: tuple[int, int]) -> Floats:
    """Return how much of each column lies right of the edges of each kind, summed over them."""
    kinds, columns = shape
    at = np.clip(edge, 0.0, columns)
    column = np.minimum(at.astype(np.int64), columns - 1)
    place = kind * columns + column
    part = np.bincount(place, column + 1 - at, kinds * columns).reshape(shape)
    begun = np.bincount(place, minlength=kinds * columns).reshape(shape)
    return part + (np.cumsum(begun, axis=1) - begun)


def stacked(use: Floats, slots: int, lines: int) -> Ints:
    """Return the kind that each pixel of a stack shows, -1 for none, (lines, columns); line 0 is the top.

    Kinds lie upon one another in their order, all slots together as high as all lines. Where anything is in
    use at all one line shows it: the kind that holds most.

    Parameters
    ----------
    use : slots in use, as of `slots_in_use`
    slots : that there are
    """
    high = np.cumsum(use, axis=0) * (lines / slots)
    middles = np.arange(lines)[::-1, None, None] + 0.5
    kind = (high[None] <= middles).sum(axis=1)
    shown = np.where(kind < len(use), kind, -1)
    is_thin = (high[-1] <= 0.5) & (high[-1] > LEAST)
    shown[-1, is_thin] = np.argmax(use[:, is_thin], axis=0)
    return shown

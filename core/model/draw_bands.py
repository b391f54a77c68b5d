"""Bands of draws: from where to where one more draw lies, with a chance that is asked for.

Of n draws and one more each place in their order is as likely as any other for that one, so that it lies
below the k-th smallest of the n with the chance k / (n + 1), whatever they are draws of. Quantiles between
the smallest and the largest draw are too narrow: of 50 draws those for 0.9 hold 0.87.

Source: David, Nagaraja: Order Statistics, 3rd edition, 2003, section 7.3 (prediction intervals).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROUNDING = 1e-9
"""So little less than a whole place is that place: 0.05 times 20 is 1."""


def band_of(draws: NDArray[np.float64], part: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return between which draws one more lies with at least a chance, the middle one of such bands.

    Its ends are draws themselves, as many below as above it. Of fewer draws than `draws_for` it reaches from
    the smallest to the largest, which holds less.

    Parameters
    ----------
    draws : of any unit, (draws, …); one at least
    part : the chance, above 0 and below 1

    Returns
    -------
    The lower and the upper end, of the same unit, (…) each

    Examples
    --------
    >>> low, high = band_of(np.arange(1.0, 20.0), 0.9)
    >>> (float(low), float(high))
    (1.0, 19.0)
    """
    count = len(draws)
    place = min(max(math.floor((1 - part) / 2 * (count + 1) + ROUNDING), 1), (count + 1) // 2)
    in_order = np.sort(draws, axis=0)
    return in_order[place - 1], in_order[count - place]


def draws_for(part: float) -> int:
    """Return how many draws a band needs at least that holds so much: 19 for 0.9, 3 for 0.5."""
    return math.ceil(2 / (1 - part) - ROUNDING) - 1

"""How often values fall into which range, in ranges that suit them: numbers, even or logarithmic ranges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_BINS = 30
WIDE = 100.0
"""Values of which the largest is so many times the smallest above 0 get logarithmic ranges."""
ALIKE = 1e-9
"""Values that differ by less, in themselves or relative to their size, count as equal; smaller ones as 0."""


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts per range.

    Attributes
    ----------
    edges : ascending, (bins + 1,); range i is from edge i to edge i + 1, the last one with its end
    counts : values in each range, (bins,)
    is_log : whether the ranges are equally wide on a logarithmic scale
    zeros : values of exactly 0, which a logarithmic scale has no place for; else they are in the ranges
    is_exact : whether each range holds only one value, its middle
    """

    edges: NDArray[np.float64]
    counts: NDArray[np.int64]
    is_log: bool = False
    zeros: int = 0
    is_exact: bool = False

    @property
    def total(self) -> int:
        """How many values there are."""
        return int(self.counts.sum()) + self.zeros


def histogram(values: NDArray[np.float64] | NDArray[np.integer], *, may_be_log: bool = True) -> Histogram:
    """Return the histogram of values from 0 on, (n,); without values it has no ranges.

    Few different whole numbers, and equal values, have a range each. What spans two powers of ten or more
    has logarithmic ranges if it may; values of 0 are counted apart then.
    """
    if not len(values):
        return Histogram(np.zeros(0), np.zeros(0, np.int64))
    return _of_numbers(np.where(values < ALIKE, 0.0, values).astype(np.float64), may_be_log=may_be_log)


def _of_numbers(values: NDArray[np.float64], *, may_be_log: bool) -> Histogram:
    low, high = float(values.min()), float(values.max())
    if high - low < MOST_BINS and bool((values % 1 == 0).all()):
        return _counted(values, np.arange(low, high + 2) - 0.5, is_exact=True)
    if high - low <= ALIKE * (1 + high):
        half = max(0.01 * high, ALIKE)
        return _counted(values, np.array([high - half, high + half]), is_exact=True)
    positive = values[values > 0]
    if may_be_log and high / float(positive.min()) >= WIDE:
        return _logarithmic(positive, len(values) - len(positive))
    return _counted(values, np.linspace(low, high, _bins(len(values)) + 1))


def _logarithmic(positive: NDArray[np.float64], zeros: int) -> Histogram:
    low, high = float(positive.min()), float(positive.max())
    edges = np.geomspace(low, high, _bins(len(positive)) + 1)
    edges[0], edges[-1] = low, high  # rounding must not leave the outermost values out
    counts = np.histogram(positive, edges)[0]
    return Histogram(edges, counts.astype(np.int64), is_log=True, zeros=zeros)


def _counted(values: NDArray[np.float64], edges: NDArray[np.float64], *, is_exact: bool = False) -> Histogram:
    return Histogram(edges, np.histogram(values, edges)[0].astype(np.int64), is_exact=is_exact)


def _bins(count: int) -> int:
    """Return more ranges for more values, by the square root, as is usual."""
    return int(np.clip(np.ceil(np.sqrt(count)), 5, MOST_BINS))

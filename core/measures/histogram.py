"""How numbers are spread: histograms, distribution functions, and how far two samples are apart.

Histograms have ranges that suit the numbers; the divergence of samples of durations is that of 001 section
II.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

MAX_BINS = 30
WIDE = 100.0
"""Values of which the largest is so many times the smallest above 0 get logarithmic ranges."""
ALIKE = 1e-9
"""Values that differ by less, in themselves or relative to their size, count as equal; smaller ones as 0."""
EMPTY_BIN = 1e-6
"""Probability that a bin without a sample counts as, before all bins are scaled to 1 together."""
MAX_SHARED_BINS = 1000


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
    values = np.where(values < ALIKE, 0.0, values).astype(np.float64)
    low, high = float(values.min()), float(values.max())
    if high - low < MAX_BINS and bool((values % 1 == 0).all()):
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
    return int(np.clip(np.ceil(np.sqrt(count)), 5, MAX_BINS))


def cdf(samples: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the empirical distribution function of samples.

    Parameters
    ----------
    samples : seconds, (n,), n >= 1

    Returns
    -------
    The distinct values in ascending order, (k,), and the fraction of samples at most as large, (k,); the
    last fraction is 1.
    """
    values, counts = np.unique(np.asarray(samples, np.float64), return_counts=True)
    return values, np.cumsum(counts) / counts.sum()


def symmetric_kl(first: ArrayLike, second: ArrayLike) -> float:
    """Return the symmetric Kullback-Leibler divergence of two samples of durations, in nats.

    001 section II: D'(P||Q) = (D(P||Q) + D(Q||P)) / 2 with D(P||Q) = sum over i of P(i) log(P(i) / Q(i)). The
    paper does not say how durations become P(i); here

    - **bins**: of equal width, from the least to the largest value of both samples together, the same for
      both. Of the n pooled samples' bins by Freedman and Diaconis (width 2 IQR / n^(1/3)) and sqrt(n) bins
      the finer ones are taken (the first tell long tails apart, the second two narrow peaks), at most
      `MAX_SHARED_BINS`.
    - **smoothing**: `EMPTY_BIN` is added to every bin's relative frequency and the sum scaled to 1, so that
      a bin that one sample leaves empty costs much and not infinitely much. With natural logarithms two
      samples that share no bin are at most log(10^6) = 13.8 apart; Table I's text has 13.49 as the largest
      value between different applications, which suggests the same order of smoothing.

    Parameters
    ----------
    first, second : seconds, (n,) and (m,), n and m >= 1

    Returns
    -------
    0 for equal samples and for those that fill the bins alike, else above 0, never infinite, and the same
    both ways round. nan if a sample is empty.
    """
    p, q = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if not (p.size and q.size):
        return math.nan
    edges = shared_bins(p, q)
    p, q = _probabilities(p, edges), _probabilities(q, edges)
    # half the sum of both directions, whose logarithms differ in sign alone: exact when exchanged
    return float(0.5 * np.sum((p - q) * (np.log(p) - np.log(q))))


def shared_bins(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the edges of the bins of `symmetric_kl`, ascending, (bins + 1,)."""
    both = np.sort(np.concatenate([first, second]))
    low, high = float(both[0]), float(both[-1])
    span = high - low
    if span <= 0:
        return np.array([low, low + 1.0])
    spread = float(np.percentile(both, 75) - np.percentile(both, 25))
    width = 2 * spread / len(both) ** (1 / 3)
    by_width = span / width if width > 0 else 1.0
    bins = math.ceil(min(max(by_width, math.sqrt(len(both))), MAX_SHARED_BINS))
    return np.linspace(low, high, bins + 1)


def _probabilities(samples: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    counts = np.histogram(samples, edges)[0]
    smoothed = counts / len(samples) + EMPTY_BIN
    probabilities: NDArray[np.float64] = smoothed / smoothed.sum()
    return probabilities

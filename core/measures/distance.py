"""How far two samples of durations are apart: their distribution functions and divergence (001 II)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

EMPTY_BIN = 1e-6
"""Probability that a bin without a sample counts as, before all bins are scaled to 1 together."""
MOST_BINS = 1000


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
      `MOST_BINS`.
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
    return _divergence(_probabilities(p, edges), _probabilities(q, edges))


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
    bins = math.ceil(min(max(by_width, math.sqrt(len(both))), MOST_BINS))
    return np.linspace(low, high, bins + 1)


def _probabilities(samples: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    counts = np.histogram(samples, edges)[0]
    smoothed = counts / len(samples) + EMPTY_BIN
    probabilities: NDArray[np.float64] = smoothed / smoothed.sum()
    return probabilities


def _divergence(p: NDArray[np.float64], q: NDArray[np.float64]) -> float:
    """Half the sum of both directions, whose logarithms differ in sign alone; exact when exchanged."""
    return float(0.5 * np.sum((p - q) * (np.log(p) - np.log(q))))

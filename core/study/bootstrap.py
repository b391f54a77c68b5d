"""How sure a mean is: the interval that a bootstrap gives, by draws that a seed repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES = 10_000
"""Means of which the interval is taken."""
ROWS_AT_ONCE = 1_000_000
"""Numbers that are drawn at once: more would take memory, and no less time."""


def interval_of_mean(values: NDArray[np.float64], percent: float, seed: int) -> tuple[float, float]:
    """Return the ends of an interval about the mean of independent draws, by the percentiles of a bootstrap.

    Each resample draws as many values as there are, with replacement; the ends are percentiles of the means
    of `RESAMPLES` resamples. Same values, same percent, same seed: same ends.

    Parameters
    ----------
    values : one for each draw, (draws,), such as differences between two policies on the same jobs
    percent : how much of the means lies between the ends, above 0 and below 100
    seed : of the resamples

    Returns
    -------
    The ends, of the unit of the values; both nan for fewer than two draws

    Source: B. Efron, R. J. Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13.
    """
    if len(values) < 2:
        return float("nan"), float("nan")
    random = np.random.Generator(np.random.PCG64(seed))
    means = np.empty(RESAMPLES)
    step = max(1, ROWS_AT_ONCE // len(values))
    for first in range(0, RESAMPLES, step):
        count = min(step, RESAMPLES - first)
        means[first : first + count] = values[random.integers(len(values), size=(count, len(values)))].mean(1)
    outside = (100 - percent) / 2
    low, high = np.percentile(means, (outside, 100 - outside)).tolist()
    return float(low), float(high)

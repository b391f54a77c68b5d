"""The factors by which estimates of durations are wrong: log-normal, of mean 1."""

from __future__ import annotations

import math

COMMON_SHARE = 0.5
"""With correlated errors: the part of the variance of a factor's logarithm that is the same for all jobs."""
ERRORS_PER = ("job", "task", "correlated")
"""What has an error of its own: a job, a task, or a job of whose error a part is that of all jobs."""


def spread_of(error: float) -> float:
    """Return the standard deviation of a log-normal factor's logarithm by that of the factor, of mean 1."""
    return math.sqrt(math.log1p(error**2))


def factors_text(per: str) -> str:
    """Return what has an error of its own: "one factor per job"."""
    if per == "correlated":
        return f"one factor per job, {100 * COMMON_SHARE:g} % of its variance common to all"
    return f"one factor per {per}"

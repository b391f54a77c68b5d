"""Earliest deadline first (001 section V)."""

from __future__ import annotations

from core.policies.policy import Policy


class MaxEDF(Policy):
    """Serve the job with the earliest deadline, with every slot it can get; jobs without one come last."""

    id = "edf-max"
    title = "MaxEDF"
    order = "deadline"

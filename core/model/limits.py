"""What values may be at most, and how names are sorted."""

from __future__ import annotations

import re

MOST_SLOTS = 100_000
"""Slots of one kind; a larger cluster is refused with a sentence."""

MOST_TASKS = 20_000_000
"""Tasks of one workload; more are refused with a sentence."""

MOST_SECONDS = 1e12
"""Every time of a workload, some 30 000 years: sums over all tasks stay exact and finite."""


def is_whole(value: object, least: int, most: int) -> bool:
    """Whether a value is a whole number from `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def is_number(value: object, least: float, most: float) -> bool:
    """Whether a value is a number from `least` to `most`."""
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


_NUMBER = re.compile(r"([0-9]{1,18})")


def by_number(name: str) -> list[tuple[int, str]]:
    """Return the key that sorts names by the numbers in them: ``node9`` before ``node10``."""
    # what the pattern has found stands between what it has not, in every second place
    return [(int(part), "") if place % 2 else (0, part) for place, part in enumerate(_NUMBER.split(name))]

"""What a policy file may import: a function that is compiled with the hook that calls it."""

from __future__ import annotations


def twice(number: float) -> float:
    return 2 * number

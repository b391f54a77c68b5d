"""How many instants a run advances between two looks at progress and cancel."""

from __future__ import annotations

INSTANTS_PER_SLICE = 20_000
"""Compiled: about 5 ms with the policies that come with Slotscope."""
INTERPRETED_INSTANTS_PER_SLICE = 500
CAUTIOUS_INSTANTS = 16
"""A user's policy may take a second for one decision: its first slices are short."""
LONG_SECONDS, SHORT_SECONDS = 0.05, 0.01


def first_slice(*, compiled: bool, cautious: bool) -> int:
    """Return how many instants the first slice has."""
    return CAUTIOUS_INSTANTS if cautious else most_instants(compiled=compiled)


def next_slice(instants: int, seconds: float, *, compiled: bool) -> int:
    """Return how many instants fit the next slice, after one of so many took so long."""
    if seconds > LONG_SECONDS:
        return max(1, instants // 4)
    return min(2 * instants, most_instants(compiled=compiled)) if seconds < SHORT_SECONDS else instants


def most_instants(*, compiled: bool) -> int:
    """Return how many instants any slice has at most."""
    return INSTANTS_PER_SLICE if compiled else INTERPRETED_INSTANTS_PER_SLICE

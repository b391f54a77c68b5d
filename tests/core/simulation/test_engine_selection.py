"""Slices are short where decisions are slow, and long where they are fast."""

from __future__ import annotations

import pytest

from core.simulation.engine_selection import (
    CAUTIOUS_INSTANTS,
    INSTANTS_PER_SLICE,
    INTERPRETED_INSTANTS_PER_SLICE,
    first_slice,
    next_slice,
)


def test_a_users_policy_begins_with_a_short_slice() -> None:
    assert first_slice(compiled=True, cautious=True) == CAUTIOUS_INSTANTS
    assert first_slice(compiled=True, cautious=False) == INSTANTS_PER_SLICE
    assert first_slice(compiled=False, cautious=False) == INTERPRETED_INSTANTS_PER_SLICE


@pytest.mark.parametrize(
    ("instants", "seconds", "following"),
    [(100, 1.0, 25), (2, 1.0, 1), (100, 0.02, 100), (100, 0.001, 200), (400, 0.001, 500)],
)
def test_the_next_slice_follows_the_last(instants: int, seconds: float, following: int) -> None:
    assert next_slice(instants, seconds, compiled=False) == following


def test_slices_settle_where_they_take_neither_too_long_nor_too_short() -> None:
    for seconds_each in (1e-6, 1e-4, 1e-2, 1.0):
        instants = CAUTIOUS_INSTANTS
        for _ in range(30):
            instants = next_slice(instants, instants * seconds_each, compiled=True)
        took = instants * seconds_each
        assert took <= 0.05 or instants == 1
        assert took >= 0.01 or instants == INSTANTS_PER_SLICE

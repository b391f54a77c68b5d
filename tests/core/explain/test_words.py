"""How explanations write times."""

from __future__ import annotations

import pytest

from core.explain.words import clock, listed


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (-0.0, "0 s"),
        (12.5, "12.5 s"),
        (0.0004, "0 s"),
        (599.25, "599.25 s"),
        (600.0, "10 min"),
        (605.5, "10 min 5.5 s"),
        (3600.0, "1 h"),
        (3605.0, "1 h 0 min 5 s"),
        (7199.9999, "2 h"),
        (9517.772, "2 h 38 min 37.772 s"),
        (float("inf"), "never"),
    ],
)
def test_long_times_are_told_in_hours_and_minutes(seconds: float, text: str) -> None:
    assert clock(seconds) == text


@pytest.mark.parametrize(
    ("many", "said"),
    [
        (1, "J1"),
        (2, "J1 and J2"),
        (4, "J1, J2, J3 and J4"),
        (5, "J1, J2, J3, J4 and J5"),
        (6, "J1, J2, J3, J4 and 2 more jobs"),
    ],
)
def test_a_list_never_ends_in_one_more_that_it_could_name(many, said):
    assert listed([f"J{place}" for place in range(1, many + 1)]) == said

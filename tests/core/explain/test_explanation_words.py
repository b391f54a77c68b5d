"""How explanations list names."""

from __future__ import annotations

import pytest

from core.explain.explanation_words import listed


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

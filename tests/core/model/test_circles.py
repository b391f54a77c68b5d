"""Circles among things that wait for one another."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from hypothesis import given
from hypothesis import strategies as st

from core.model.circles import circle_in


def test_there_is_none_in_a_chain_or_a_diamond() -> None:
    assert circle_in([]) == []
    assert circle_in([(), (0,), (1,)]) == []
    assert circle_in([(1, 2), (3,), (3,), ()]) == []


def test_the_circle_is_named_without_what_leads_to_it() -> None:
    assert circle_in([(1,), (2,), (3,), (1,)]) == [1, 2, 3]
    assert circle_in([(0,)]) == [0]
    assert circle_in([(), (0, 2), (1, 0)]) == [1, 2]


@given(st.lists(st.sets(st.integers(0, 7), max_size=4), min_size=8, max_size=8))
def test_a_circle_is_found_where_there_is_one(waits: list[set[int]]) -> None:
    circle = circle_in([sorted(others) for others in waits])
    try:
        list(TopologicalSorter(dict(enumerate(waits))).static_order())
        assert circle == []
    except CycleError:
        assert len(set(circle)) == len(circle) > 0
        for one, other in zip(circle, circle[1:] + circle[:1], strict=True):
            assert other in waits[one]

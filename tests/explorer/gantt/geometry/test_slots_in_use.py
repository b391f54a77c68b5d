"""Slots in use by column of pixels: against a slow twin, and how they lie upon one another."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.gantt.geometry.slots_in_use import slots_in_use, stacked

if TYPE_CHECKING:
    from numpy.typing import NDArray

KINDS, COLUMNS = 3, 7
edges = st.one_of(st.floats(-3, COLUMNS + 3), st.integers(-1, COLUMNS + 1).map(float), st.just(math.inf))
spans = st.tuples(edges, edges, st.integers(0, KINDS - 1)).map(lambda it: (min(it[:2]), max(it[:2]), it[2]))


def slow(found: list[tuple[float, float, int]]) -> list[list[float]]:
    """Return the same span by span and column by column."""
    use = [[0.0] * COLUMNS for _ in range(KINDS)]
    for left, right, kind in found:
        for column in range(COLUMNS):
            use[kind][column] += max(0.0, min(right, column + 1) - max(left, column))
    return use


def columns_of(found: list[tuple[float, float, int]]) -> NDArray[np.float64]:
    left, right = (np.array([span[side] for span in found], np.float64) for side in (0, 1))
    return slots_in_use(left, right, np.array([span[2] for span in found], np.int64), (KINDS, COLUMNS))


@given(st.lists(spans, max_size=30))
def test_use_is_what_spans_cover(found: list[tuple[float, float, int]]) -> None:
    assert columns_of(found) == pytest.approx(np.array(slow(found)), abs=1e-9)


def test_use_of_two_spans() -> None:
    use = slots_in_use(np.array([0.5, 1.0]), np.array([2.0, 2.0]), np.array([0, 0]), (1, 3))
    assert use.tolist() == [[0.5, 2.0, 0.0]]


def test_kinds_lie_upon_one_another_and_all_slots_are_as_high_as_all_lines() -> None:
    use = np.array([[4.0, 2.0, 0.0], [0.0, 1.0, 0.0]])
    assert stacked(use, 4, 4).tolist() == [[0, -1, -1], [0, 1, -1], [0, 0, -1], [0, 0, -1]]


def test_what_is_thinner_than_a_line_is_seen_as_what_holds_most() -> None:
    use = np.array([[0.1, 0.0, 3.0], [0.2, 0.0, 0.0]])
    assert stacked(use, 100, 2).tolist() == [[-1, -1, -1], [1, -1, 0]]


@given(st.lists(spans, max_size=30), st.integers(1, 12))
def test_a_stack_is_as_high_as_its_use(found: list[tuple[float, float, int]], lines: int) -> None:
    slots = max(len(found), 1)
    use = columns_of(found)
    high = (stacked(use, slots, lines) >= 0).sum(axis=0)
    exact = use.sum(axis=0) * lines / slots
    assert (np.abs(high - exact) <= 1.0 + 1e-9).all()
    assert ((high > 0) == (use.sum(axis=0) > 1e-9)).all()

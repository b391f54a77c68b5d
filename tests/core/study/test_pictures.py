"""Numbers of pictures: what is lost against the best, which one to take, and what nothing beats."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.study.pictures import WhichBest, regret, unbeaten, which_best
from tests.random_tests import examples

NAN = float("nan")


def test_regret_is_of_the_best_of_each_cell() -> None:
    values = np.array([[100.0, 80.0], [0.0, 0.0], [5.0, NAN]])
    assert regret(values, less_is_better=True)[:2].tolist() == [[0.25, 0.0], [0.0, 0.0]]
    assert regret(values, less_is_better=False)[0] == pytest.approx([0.0, 0.2])
    assert np.isnan(regret(values, less_is_better=True)[2]).all(), "one of them has not run yet"


def test_one_is_best_until_another_is() -> None:
    lost = np.array([[[0.0, 0.3]], [[0.005, 0.0]], [[0.0, 0.2]], [[0.4, 0.0]]])
    assert which_best(lost) == WhichBest(0, 0.75, 4, later=3, other=1)
    assert which_best(lost[:3]) == WhichBest(0, 1.0, 3)
    assert which_best(lost[..., :1]) is None
    assert which_best(np.full((2, 1, 2), NAN)) is None


def test_where_the_last_column_is_not_known_nothing_is_said_of_it() -> None:
    lost = np.array([[[0.0, 0.3]], [[0.2, 0.0]], [[NAN, NAN]]])
    assert which_best(lost) == WhichBest(0, 0.5, 2)


def test_points_are_beaten_in_both_numbers() -> None:
    points = np.array([[1.0, 9.0], [5.0, 5.0], [4.0, 2.0], [1.0, 9.5], [9.0, 1.0]])
    assert unbeaten(points).tolist() == [True, False, True, False, True]
    assert unbeaten(np.zeros((0, 2))).tolist() == []


NUMBERS = st.integers(0, 4).map(float)


@given(st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=1, max_size=6), st.booleans())
@examples(30)
def test_regret_and_which_best_are_those_of_slow_twins(rows: list[list[float]], less: bool) -> None:
    cells = [[value + 1 for value in row] for row in rows]
    lost = regret(np.array(cells), less_is_better=less)
    good = [0, 0, 0]
    for cell, here in zip(cells, lost.tolist(), strict=True):
        best = min(cell) if less else max(cell)
        for place, value in enumerate(cell):
            worse = value / best - 1 if less else 1 - value / best
            assert here[place] == pytest.approx(worse)
            good[place] += worse <= 0.01
    found = which_best(lost[:, None, :])
    assert found is not None
    assert (good[found.place], found.cells) == (max(good), len(cells))
    assert found.part == pytest.approx(max(good) / len(cells))


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=8, unique=True))
@examples(30)
def test_no_other_point_is_as_small_in_both_numbers(points: list[tuple[float, float]]) -> None:
    alone = [not any(a <= x and b <= y for a, b in points if (a, b) != (x, y)) for x, y in points]
    assert unbeaten(np.array(points).reshape(len(points), 2)).tolist() == alone

"""What the numbers of a picture come to: from where on nothing is gained, and what lies farthest behind."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.study.answers import Course, WhichBest, course_of, farthest_behind, regret, unbeaten, which_best
from tests.random_tests import examples

NAN = float("nan")


def test_a_curve_settles_where_it_is_as_good_as_it_gets() -> None:
    falling = np.array([169.0, 89.0, 47.0, 47.2, 47.0])
    assert course_of(falling, less_is_better=True) == Course(0, 4, best=2, worst=0, settles=2)
    assert course_of(falling, less_is_better=False) == Course(0, 4, best=0, worst=2, settles=-1)
    assert course_of(falling[::-1], less_is_better=True) == Course(0, 4, best=0, worst=4, settles=-1)
    holes = np.array([NAN, 100.0, NAN, 50.0, NAN])
    assert course_of(holes, less_is_better=True) == Course(1, 3, best=3, worst=1, settles=3)
    assert course_of(np.array([NAN, 3.0]), less_is_better=True) is None


def test_what_is_worst_beside_the_best_of_its_cell_is_farthest_behind() -> None:
    values = np.array([[74.0, 47.0], [190.0, 169.0], [NAN, 1.0]])
    found = farthest_behind(values, less_is_better=True)
    assert found is not None
    assert found[:4] == ((0,), 0, 74.0, 47.0)
    assert found.lost == pytest.approx(27 / 47)
    assert farthest_behind(np.array([[100.0, 100.5]]), less_is_better=True) is None, "nearly the same"
    none_late = farthest_behind(np.array([[0.0, 3.0]]), less_is_better=True)
    assert none_late is not None
    assert none_late.lost == math.inf


VALUES = st.lists(st.one_of(st.none(), st.integers(1, 300)), min_size=1, max_size=7)


@given(VALUES, st.booleans())
@examples(50)
def test_the_course_is_that_of_a_slow_twin(values: list[int | None], less: bool) -> None:
    found = course_of(
        np.array([NAN if value is None else value for value in values], float), less_is_better=less
    )
    known = [(place, value) for place, value in enumerate(values) if value is not None]
    if len(known) < 2:
        assert found is None
        return
    best = (min if less else max)(value for _, value in known)
    settles = -1
    for place, value in reversed(known):
        if (value - best if less else best - value) * 100 > best:
            break
        settles = place
    assert found is not None
    assert (found.settles, values[found.best]) == (settles, best)


@given(st.lists(st.lists(st.integers(1, 50), min_size=3, max_size=3), min_size=1, max_size=5), st.booleans())
@examples(50)
def test_the_farthest_is_that_of_a_slow_twin(cells: list[list[int]], less: bool) -> None:
    found = farthest_behind(np.array(cells, float), less_is_better=less)
    most = 0.0
    for cell in cells:
        best = min(cell) if less else max(cell)
        most = max([most, *(abs(value - best) / best for value in cell)])
    assert (found is None) == (most <= 0.01)
    if found is not None:
        assert found.lost == pytest.approx(most)
        assert cells[found.cell[0]][found.place] == found.value


# ---- what is lost to the best, which one to take, and what nothing beats


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

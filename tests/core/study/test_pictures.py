"""Numbers of pictures: what is lost against the best, which one to take, and what nothing beats."""

from __future__ import annotations

import numpy as np
import pytest

from core.study.pictures import WhichBest, regret, unbeaten, which_best

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

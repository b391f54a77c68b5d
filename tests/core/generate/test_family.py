"""Shares and repeated draws, the pieces that families are made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.generate.family import map_stage, redrawn, reduce_stage, shares
from core.model.stages import Stage

SHUFFLES = {"shuffle_share": 0.5, "first_shuffle_share": 0.5}


def test_draws_below_the_floor_are_repeated_not_cut_off() -> None:
    random = np.random.Generator(np.random.PCG64(1))
    values = redrawn(lambda size: random.normal(0, 10, size), 10_000, 1.0)
    assert len(values) == 10_000
    assert values.min() >= 1.0
    assert (values == 1.0).sum() == 0
    # Half normal, as the floor is near the mean: 10 * sqrt(2 / pi) = 7.98, a bit more above 1.
    assert values.mean() == pytest.approx(8.6, abs=0.3)


def test_a_draw_is_repeated_until_it_holds() -> None:
    left = iter([[0.0, 5.0, -1.0], [0.5, 2.0], [3.0]])
    assert redrawn(lambda size: np.array(next(left)), 3, 1.0).tolist() == [3.0, 5.0, 2.0]


@given(st.integers(0, 500), st.lists(st.integers(1, 50), min_size=1, max_size=8))
def test_shares_add_up_and_differ_by_less_than_one(count: int, weights: list[int]) -> None:
    split = shares(count, np.array(weights, float))
    assert split.sum() == count
    exact = count * np.array(weights) / sum(weights)
    assert np.abs(split - exact).max() < 1


def test_ties_of_remainders_go_to_the_earlier() -> None:
    assert shares(2, np.array([1.0, 1.0, 1.0])).tolist() == [1, 1, 0]


def test_no_tasks_make_an_empty_stage() -> None:
    assert map_stage(np.zeros(0)) == Stage()
    assert reduce_stage(np.zeros(0), SHUFFLES) == Stage()


def test_the_shortest_reduce_is_a_millisecond() -> None:
    stage = reduce_stage(np.array([1.2, 1000.0]), SHUFFLES)
    assert (stage.durations + stage.typical_shuffle).tolist() == [0.001, 1.0]
    assert stage.first_shuffle.tolist() == [0.0, 0.25]

"""How long annealings go, and where they begin."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from core.optimize.cycles import FIRST_LENGTH, MAX_DOUBLED, MIN_LENGTH, Judged, begins_at, cycle_length

ROW: Any = None
BEST = Judged(1.0, ROW, "best")
STARTS = [Judged(float(value), ROW, f"start {value}") for value in (5, 2, 9, 4, 3, 8, 7, 6)]


@pytest.mark.parametrize("of_many", [False, True])
def test_without_a_horizon_cycles_double_for_a_while(of_many: bool) -> None:
    lengths = [cycle_length(cycle, None, of_many=of_many) for cycle in range(MAX_DOUBLED + 3)]
    assert lengths[0] == FIRST_LENGTH
    assert all(after == 2 * before for before, after in pairwise(lengths[1 : MAX_DOUBLED + 1]))
    assert len(set(lengths[MAX_DOUBLED:])) == 1
    assert lengths[1] > lengths[0]


def test_few_jobs_have_many_short_cycles_and_many_jobs_few_long_ones() -> None:
    """Of 10 000 steps: eight cycles of an eighth at most, against a long one first and then four at most."""
    few = [cycle_length(cycle, 10_000, of_many=False) for cycle in (1, 2, 3)]
    many = [cycle_length(cycle, 10_000, of_many=True) for cycle in (1, 2, 3)]
    assert len(set(few)) == 1
    assert few[0] * 8 <= 10_000 <= few[0] * 9
    assert many[1] == many[2] == 2500
    assert 4000 < many[0] < 5000
    assert cycle_length(0, 10_000, of_many=True) == cycle_length(0, 10_000, of_many=False) == FIRST_LENGTH


@pytest.mark.parametrize("of_many", [False, True])
def test_no_later_cycle_is_shorter_than_the_least(of_many: bool) -> None:
    assert {cycle_length(cycle, 60, of_many=of_many) for cycle in (1, 2, 9)} == {MIN_LENGTH}


def begun(cycle: int, *, of_many: bool, starts: list[Judged] = STARTS) -> list[float]:
    return [begins_at(k, cycle, BEST, starts, of_many=of_many).value for k in range(40)]


def test_the_first_cycle_begins_at_the_best() -> None:
    assert begun(0, of_many=False) == begun(0, of_many=True) == [1.0] * 40


def test_of_few_jobs_every_other_one_begins_at_a_good_start_one_after_the_other() -> None:
    """Two annealings each at the eight best starts, the best of them first, and then again."""
    found = begun(2, of_many=False)
    assert found[1::2] == [1.0] * 20
    assert found[0::2] == [value for value in (2, 3, 4, 5, 6, 7, 8, 9, 2, 3) for _ in range(2)]


def test_of_fewer_starts_the_last_good_one_stands_for_the_others() -> None:
    assert begun(2, of_many=False, starts=STARTS[:2])[0:12:2] == [2, 2, 5, 5, 5, 5]
    assert set(begun(1, of_many=True, starts=STARTS[:1])) == {1.0, 5.0}


def test_of_many_jobs_every_fourth_one_begins_at_the_second_start_once() -> None:
    assert begun(1, of_many=True) == [1, 1, 1, 3] * 10
    assert begun(2, of_many=True) == [1.0] * 40

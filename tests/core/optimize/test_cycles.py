"""How long annealings go, and where they begin."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.optimize.cycles import (
    FIRST_LENGTH,
    MAX_DOUBLED,
    MIN_LENGTH,
    Cycle,
    Judged,
    begins_at,
    cycle_length,
    joined,
    nth_cycle,
)
from core.optimize.levers import GIVEN, LATEST_START, LONGEST, MOVES, PLAN_FIELDS, blank_plans, copied_row
from core.optimize.search_columns import tasks_of
from tests.builders import two_stage_workload

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


# ---- what an annealing does in a cycle

ACROSS = frozenset({"order", "across", "slowstart", "pools", "caps", "tasks"})
ONE_ORDER = frozenset({"order", "slowstart", "caps"})


@pytest.mark.parametrize("of_many", [False, True])
@pytest.mark.parametrize("levers", [ACROSS, ONE_ORDER])
def test_the_first_cycle_is_cold_and_alike_in_all_annealings(of_many: bool, levers: frozenset[str]) -> None:
    cycles = [nth_cycle(k, 0, 40, levers, of_many=of_many) for k in range(8)]
    assert set(cycles) == {Cycle(40, 1e-5, levers)}


def test_annealings_of_few_jobs_begin_at_four_temperatures_and_tie_three_of_eight() -> None:
    cycles = [nth_cycle(k, 3, 500, ACROSS, of_many=False) for k in range(24)]
    assert [cycle.temperature for cycle in cycles] == [0.003, 0.03, 0.01, 0.1] * 6
    assert [k for k in range(8) if cycles[k].tied] == [0, 2, 5]
    assert [cycle.turn for cycle in cycles] == list(range(8)) * 3
    assert [cycle.is_guided for cycle in cycles] == [True, True, False] * 8
    assert {cycle.length for cycle in cycles} == {500}
    assert all(nth_cycle(k, 3, 500, ONE_ORDER, of_many=False).tied for k in range(8))


def test_annealings_of_many_jobs_are_colder_and_first_alike() -> None:
    first = [nth_cycle(k, 1, 500, ACROSS, of_many=True) for k in range(8)]
    assert set(first) == {Cycle(500, 0.003, ACROSS)}
    later = [nth_cycle(k, 2, 500, ACROSS, of_many=True) for k in range(8)]
    assert [cycle.temperature for cycle in later] == [0.001, 0.0005, 0.001, 0.002] * 2
    assert {cycle.tied for cycle in later} == {False}
    assert {cycle.of_many for cycle in later} == {True}


def test_moves_are_made_in_their_turns_where_their_lever_allows_them() -> None:
    """Pools change in the annealings 3 and 7 of eight; caps in 1 and 7, of many jobs in none."""
    by_name = {move.name: move for move in MOVES}

    def turns(name: str, levers: frozenset[str] = ACROSS, *, of_many: bool = False) -> list[int]:
        cycles = [Cycle(9, 0.1, levers, tied=False, turn=turn, of_many=of_many) for turn in range(8)]
        return [cycle.turn for cycle in cycles if cycle.makes(by_name[name])]

    assert (turns("pools"), turns("caps")) == ([3, 7], [1, 7])
    assert (turns("pools", of_many=True), turns("caps", of_many=True)) == ([3, 7], [])
    assert turns("slowstart") == turns("across") == list(range(8))
    assert turns("pools", ONE_ORDER) == []
    assert not any(Cycle(9, 0.1, ACROSS, tied=True, turn=7).makes(move) for move in MOVES)
    assert Cycle(9, 0.1, ONE_ORDER, tied=True, turn=7).makes(by_name["caps"])


def test_maps_are_held_back_where_caps_change() -> None:
    held = [Cycle(9, 0.1, ACROSS, tied=False, turn=turn).holds_back for turn in range(8)]
    assert [turn for turn in range(8) if held[turn]] == [1, 7]
    assert not Cycle(9, 0.1, frozenset({"slowstart"}), turn=1).holds_back


def test_chances_of_moves_add_up_and_orders_of_tasks_change_where_they_may() -> None:
    free = Cycle(9, 0.1, ACROSS, tied=False, turn=7)
    assert free.chances() == pytest.approx([0.15, 0.3, 0.5, 0.7, 0.1, 0.35])
    assert free.task_orders == (LONGEST, LATEST_START)
    tied = Cycle(9, 0.1, frozenset({"slowstart"}))
    assert tied.chances() == pytest.approx([0.15, 0.15, 0.15, 0.15, 0.0, 0.35])
    assert tied.task_orders == (GIVEN, LONGEST)
    assert Cycle(9, 0.1, frozenset({"tasks"})).chances()[4] == 0.1


# ---- what two annealings have found, in one plan


def test_two_plans_are_joined_by_what_each_has_changed() -> None:
    begin = blank_plans(1, tasks_of(two_stage_workload([(4, 2), (3, 3), (2, 5)]), Cluster(1, 1)))
    one, other = copied_row(begin, 0), copied_row(begin, 0)
    one.due[0, 0] = 7, 8
    one.tasks[0, 1, 0] = LONGEST
    other.due[0, 0, 0], other.due[0, 2, 1] = 5, 6
    other.reduces_after[0, 1] = 0
    before = copied_row(one, 0)
    both = joined(begin, one, other)
    assert both.due[0].tolist() == [[7, 8], [0, 0], [0, 6]]
    assert both.tasks[0, 1, 0] == LONGEST
    assert both.reduces_after[0].tolist() == [30, 0, 30]
    assert all(np.array_equal(getattr(one, name), getattr(before, name)) for name in PLAN_FIELDS)

"""When slots are there: numbers, rules and sums."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from core.model.slot_times import SlotTime, most_open, open_seconds, slot_intervals, slot_times_problems
from core.model.task_types import REDUCE


def test_entries_take_the_highest_numbers_in_order() -> None:
    opens, closes = slot_intervals([SlotTime(2, 5, 9), SlotTime(1, 7)], (6, 0))
    assert opens.tolist() == [0, 0, 0, 5, 5, 7]
    assert closes.tolist() == [inf, inf, inf, 9, 9, inf]


def test_entries_of_each_kind_take_slots_of_their_own() -> None:
    opens, closes = slot_intervals([SlotTime(1, 3, 4, REDUCE), SlotTime(1, 1, 2)], (2, 2))
    assert opens.tolist() == [0, 1, 0, 3]
    assert closes.tolist() == [inf, 2, inf, 4]


@pytest.mark.parametrize(
    ("entry", "where", "rule"),
    [
        (SlotTime(0), "slot_times[0].slots", "whole number of slots from 1"),
        (SlotTime(1, -1.0), "slot_times[0].opens", "seconds from 0"),
        (SlotTime(1, nan), "slot_times[0].opens", "seconds from 0"),
        (SlotTime(1, 0.0, nan), "slot_times[0].closes", "infinity for slots that stay"),
        (SlotTime(1, 5.0, 5.0), "slot_times[0].closes", "must close after they open, at 5 s"),
        (SlotTime(1, 0.0, inf, 7), "slot_times[0].kind", "run maps or reduces"),
        (SlotTime(5), "slot_times", "the cluster has 4 map slots or containers"),
        (SlotTime(3, kind=REDUCE), "slot_times", "the cluster has 2 reduce slots"),
    ],
)
def test_what_is_refused(entry: SlotTime, where: str, rule: str) -> None:
    (problem,) = slot_times_problems([entry], (4, 2))
    assert problem.where == where
    assert rule in problem.rule


def test_all_problems_at_once() -> None:
    problems = slot_times_problems([SlotTime(0, -1.0), SlotTime(1), SlotTime(1, 2.0, 1.0)], (4, 2))
    assert [problem.where for problem in problems] == [
        "slot_times[0].slots",
        "slot_times[0].opens",
        "slot_times[2].closes",
    ]


def test_as_many_as_there_are_is_accepted() -> None:
    assert slot_times_problems([SlotTime(3, 1.0), SlotTime(1), SlotTime(2, kind=REDUCE)], (4, 2)) == []


def test_sums_are_those_of_a_slow_count() -> None:
    """Whole seconds, so that each second of each slot can be counted alone."""
    rng = np.random.default_rng(25)
    for _ in range(300):
        count = int(rng.integers(1, 8))
        opens = rng.integers(0, 10, count).astype(float)
        closes = np.where(rng.random(count) < 0.3, inf, opens + rng.integers(1, 10, count))
        there = [int(((opens <= second) & (second < closes)).sum()) for second in range(25)]
        assert most_open(opens, closes) == max(there)
        until = int(rng.integers(0, 25))
        assert open_seconds(opens, closes, until) == sum(there[:until])

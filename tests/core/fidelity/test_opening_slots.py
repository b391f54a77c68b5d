"""Slots of another size open as those of a log did."""

from __future__ import annotations

from math import inf

import pytest

from core.fidelity.opening_slots import opening_slots
from core.model.cluster import Cluster
from core.model.slot_times import SlotTime, most_open

RAMP = Cluster(0, 0, containers=2, slot_times=(SlotTime(2, 3.0, 20.0), SlotTime(4, 5.0)))
"""Two slots, four from 3 s, eight from 5 s on; two of them go at 20 s."""


@pytest.mark.parametrize(
    ("slots", "fixed", "times"),
    [
        (1, 1, []),
        (2, 2, []),
        (3, 2, [(1, 3.0)]),
        (4, 2, [(2, 3.0)]),
        (8, 2, [(2, 3.0), (4, 5.0)]),
        (20, 2, [(2, 3.0), (4, 5.0), (8, 6.0), (4, 7.0)]),
    ],
)
def test_slots_open_when_so_many_were_there(slots: int, fixed: int, times: list[tuple[int, float]]) -> None:
    found = opening_slots(RAMP, slots)
    assert found.containers == fixed
    assert [(each.slots, each.opens) for each in found.slot_times] == times
    assert all(each.closes == inf for each in found.slot_times)
    assert found.containers + most_open(found.slot_times) == slots


def test_slots_that_replace_others_are_no_more() -> None:
    replaced = Cluster(0, 0, containers=0, slot_times=(SlotTime(4, 1.0, 9.0), SlotTime(4, 9.0)))
    assert [(each.slots, each.opens) for each in opening_slots(replaced, 8).slot_times] == [
        (4, 1.0),
        (4, 2.0),
    ]


@pytest.mark.parametrize("slots", [1, 4, 5, 100])
def test_slots_that_were_always_there_are_there(slots: int) -> None:
    found = opening_slots(Cluster(0, 0, 1.0, containers=4), slots)
    assert (found.containers, found.slot_times) == (slots, ())


def test_a_log_without_slots_gives_those_that_are_wanted() -> None:
    assert opening_slots(Cluster(3, 3), 5).containers == 5

"""When slots are there: numbers, rules and sums."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np
import pytest

from core.model.cluster import Cluster, changed_cluster, slots_text
from core.model.errors import DocumentError
from core.model.nodes import NodeGroup
from core.model.overheads import Overheads
from core.model.slot_intervals import open_seconds, slot_intervals
from core.model.slot_times import SlotTime, most_open, slot_times_problems, slots_of_kinds
from core.model.task_types import MAP, REDUCE


def test_entries_take_the_highest_numbers_in_order() -> None:
    opens, closes = slot_intervals([SlotTime(2, 5, 9), SlotTime(1, 7)], (3, 0))
    assert opens.tolist() == [0, 0, 0, 5, 5, 7]
    assert closes.tolist() == [inf, inf, inf, 9, 9, inf]


def test_entries_of_each_kind_follow_the_fixed_slots_of_it() -> None:
    entries = [SlotTime(1, 3, 4, REDUCE), SlotTime(1, 1, 2, MAP)]
    opens, closes = slot_intervals(entries, (1, 1))
    assert opens.tolist() == [0, 1, 0, 3]
    assert closes.tolist() == [inf, 2, inf, 4]
    assert slots_of_kinds(entries, (1, 1)) == (2, 2)


@pytest.mark.parametrize(
    ("entry", "where", "rule"),
    [
        (SlotTime(0), "slot_times[0].slots", "whole number of slots from 1"),
        (SlotTime(1, -1.0), "slot_times[0].from", "seconds from 0"),
        (SlotTime(1, nan), "slot_times[0].from", "seconds from 0"),
        (SlotTime(1, 0.0, nan), "slot_times[0].until", "infinity for slots that stay"),
        (SlotTime(1, 5.0, 5.0), "slot_times[0].until", "must close after they open, at 5 s"),
        (SlotTime(1, 0.0, inf, 7), "slot_times[0].type", "run maps, reduces"),
    ],
)
def test_what_is_refused(entry: SlotTime, where: str, rule: str) -> None:
    (problem,) = slot_times_problems((entry,))
    assert problem.where == where
    assert rule in problem.rule


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"map_slots": 2, "slot_times": (SlotTime(1),)}, "either containers or typed slots"),
        ({"slot_times": (SlotTime(1), SlotTime(1, kind=MAP))}, "either containers or typed slots"),
        ({"containers": 2, "slot_times": (SlotTime(1, kind=MAP),)}, "let every entry be a container"),
        ({"containers": 99_999, "slot_times": (SlotTime(2),)}, "at most 100000 slots"),
        ({"nodes": (NodeGroup(1, 4096, 4),), "slot_times": (SlotTime(1),)}, "not on nodes"),
        ({"slot_times": (SlotTime(1),), "overheads": Overheads()}, "always there"),
        ({"slot_times": [SlotTime(1)]}, "give a tuple of SlotTime"),
    ],
)
def test_what_a_cluster_refuses(fields: dict[str, Any], rule: str) -> None:
    with pytest.raises(DocumentError) as refused:
        Cluster(**{"map_slots": 0, "reduce_slots": 0} | fields)
    assert rule in str(refused.value)


def test_the_slots_of_a_cluster() -> None:
    typed = Cluster(2, 1, slot_times=(SlotTime(3, 1.0, kind=REDUCE), SlotTime(1, kind=MAP)))
    assert (typed.slots, typed.typed_slots, typed.stage_slots) == (7, (3, 4), (3, 4))
    assert [typed.slot_name(slot) for slot in range(7)] == ["M1", "M2", "M3", "R1", "R2", "R3", "R4"]
    assert [typed.slot_type(slot) for slot in (2, 3)] == [MAP, REDUCE]
    untyped = Cluster(0, 0, slot_times=(SlotTime(2, 0.0, 5.0), SlotTime(1, 5.0)))
    assert untyped.has_containers
    assert (untyped.slots, untyped.stage_slots, untyped.slot_name(2)) == (3, (3, 3), "C3")
    assert slots_text(untyped) == "0 containers + 3 containers that come and go, 2 of them at once"


def test_changes_keep_what_fits() -> None:
    cluster = Cluster(0, 0, containers=2, slot_times=(SlotTime(1, 3.0),))
    assert changed_cluster(cluster, {"containers": 4}).slot_times == cluster.slot_times
    assert changed_cluster(cluster, {"map_slots": 4}) == Cluster(4, 0)
    typed = Cluster(1, 1, slot_times=(SlotTime(1, 3.0, kind=MAP),))
    assert changed_cluster(typed, {"map_slots": 4}).slot_times == typed.slot_times
    assert changed_cluster(typed, {"containers": 4}) == Cluster(0, 0, containers=4)


def test_all_problems_at_once() -> None:
    problems = slot_times_problems((SlotTime(0, -1.0), SlotTime(1), SlotTime(1, 2.0, 1.0)))
    assert [problem.where for problem in problems] == [
        "slot_times[0].slots",
        "slot_times[0].from",
        "slot_times[2].until",
    ]


def test_sums_are_those_of_a_slow_count() -> None:
    """Whole seconds, so that each second of each slot can be counted alone."""
    rng = np.random.default_rng(25)
    for _ in range(300):
        count = int(rng.integers(1, 8))
        opens = rng.integers(0, 10, count).astype(float)
        closes = np.where(rng.random(count) < 0.3, inf, opens + rng.integers(1, 10, count))
        there = [int(((opens <= second) & (second < closes)).sum()) for second in range(25)]
        entries = [SlotTime(1, *each) for each in zip(opens.tolist(), closes.tolist(), strict=True)]
        assert most_open(entries) == max(there)
        until = int(rng.integers(0, 25))
        assert open_seconds(opens, closes, until) == sum(there[:until])


def test_how_many_are_there_at_once_with_the_fixed_ones() -> None:
    times = (SlotTime(4, 0, 2), SlotTime(3, 2))
    assert Cluster(0, 0, containers=5, slot_times=times).most_open == 9
    assert Cluster(2, 1, slot_times=(SlotTime(1, 3, 4, REDUCE),)).most_open == 4
    assert Cluster(0, 0, containers=5).most_open == 5

"""Pools: the settings of every pool, and the rules that settings keep."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from core.model.errors import DocumentError
from core.model.pool import MAX_POOLS, Pool, all_pools, pools_problems
from tests.builders import make_job, make_workload

RED, BLUE = Pool("red", weight=2.0), Pool("blue")
WORKLOAD = make_workload(make_job("J1", (1,), pool="blue"), make_job("J2", (1,), pool="green"))


def test_pools_without_settings_share_what_the_others_leave() -> None:
    pools = all_pools(("red", "blue", "green"), [Pool("blue", capacity=0.5)])
    assert [pool.name for pool in pools] == ["red", "blue", "green"]
    assert [pool.capacity for pool in pools] == [0.25, 0.5, 0.25]
    assert replace(pools[0], capacity=None) == Pool("red")


def test_nothing_is_left_when_all_is_guaranteed() -> None:
    pools = all_pools(("a", "b", "c"), [Pool("a", capacity=0.4), Pool("b", capacity=0.6)])
    assert pools[2].capacity == 0


def test_no_pool_is_guaranteed_more_than_its_maximum() -> None:
    assert [p.capacity for p in all_pools(("a", "b"), [Pool("a", max_capacity=0.2)])] == [0.2, 0.5]


def test_listed_pools_come_first_and_need_no_jobs() -> None:
    assert WORKLOAD.pools == ("blue", "green")
    listed = WORKLOAD.with_pools([RED, BLUE])
    assert listed.pools == ("red", "blue", "green")
    assert [pool.weight for pool in listed.every_pool] == [2, 1, 1]
    assert listed.columns.pool.tolist() == [1, 2]
    assert listed.jobs == WORKLOAD.jobs
    assert listed.with_jobs(listed.jobs[:1]).pool_settings == (RED, BLUE)


@pytest.mark.parametrize(
    "change",
    [
        {"weight": 3.0},
        {"min_map_slots": 1},
        {"min_reduce_slots": 1},
        {"capacity": 0.9},
        {"max_capacity": 0.7},
        {"spending_rate": 2.0},
        {"budget": 0.0},
    ],
)
def test_the_digest_tells_the_settings(change: dict[str, Any]) -> None:
    changed = WORKLOAD.with_pools([replace(BLUE, **change)])
    assert changed.digest != WORKLOAD.digest
    assert WORKLOAD.with_pools([BLUE]).digest == WORKLOAD.digest  # the defaults


@pytest.mark.parametrize(
    ("pool", "line"),
    [
        (Pool("a\nb"), "pools[0].name is 'a\\nb'; names are one line"),
        (Pool("a", weight=0.0), "pools[0].weight is 0.0; give a number above 0"),
        (Pool("a", weight=math.nan), "pools[0].weight is nan; give a number above 0"),
        (Pool("a", spending_rate=math.inf), "pools[0].spending_rate is inf; give a number above 0"),
        (Pool("a", min_map_slots=-1), "pools[0].min_map_slots is -1; slots must be a whole number"),
        (Pool("a", min_reduce_slots=10**6), "pools[0].min_reduce_slots is 1000000; slots must be"),
        (Pool("a", capacity=1.5), "pools[0].capacity is 1.5; a guaranteed capacity is a fraction"),
        (Pool("a", max_capacity=0.0), "pools[0].max_capacity is 0.0; the maximum is a fraction above 0"),
        (Pool("a", max_capacity=1.5), "pools[0].max_capacity is 1.5; the maximum is a fraction above 0"),
        (Pool("a", capacity=0.5, max_capacity=0.4), "pools[0].max_capacity is 0.4; the maximum is"),
        (Pool("a", budget=-1.0), "pools[0].budget is -1.0; a budget is a number from 0"),
    ],
)
def test_a_broken_rule_gets_its_sentence(pool: Pool, line: str) -> None:
    with pytest.raises(DocumentError) as caught:
        WORKLOAD.with_pools([pool])
    assert any(str(problem).startswith(line) for problem in caught.value.problems)


def test_rules_between_pools() -> None:
    assert str(pools_problems([RED, BLUE, RED])[0]).startswith(
        "pools[2].name is 'red'; pool names are unique"
    )
    too_much = [Pool("a", capacity=0.6), Pool("b", capacity=0.6)]
    assert str(pools_problems(too_much)[0]).startswith("pools is 1.2; the guaranteed fractions")
    assert pools_problems([Pool(str(i), capacity=0.1) for i in range(10)]) == []  # but for rounding, 1
    many = [Pool(str(i)) for i in range(MAX_POOLS + 1)]
    assert str(pools_problems(many)[0]) == "pools is 10001 pools; at most 10000 pools have settings"

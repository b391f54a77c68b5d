"""Splits of slots are taken by their bounds, every one once, and no more bounds are asked for than said."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.limits import MAX_SLOTS
from core.optimize.split_ranges import MAX_RANGES, SplitRanges

if TYPE_CHECKING:
    from collections.abc import Callable

BOTH = (True, True)


def work(maps: float, reduces: float) -> Callable[[Cluster], float]:
    """Return a bound: so many seconds of work of each kind on the slots of that kind."""

    def bound_of(cluster: Cluster) -> float:
        return max(
            seconds / slots if slots else math.inf * seconds if seconds else 0.0
            for seconds, slots in ((maps, cluster.map_slots), (reduces, cluster.reduce_slots))
        )

    return bound_of


def taken(ranges: SplitRanges) -> list[tuple[float, int]]:
    """Return all splits in the order in which they are taken; what is left is never said to be lower."""
    found: list[tuple[float, int]] = []
    while True:
        before = ranges.bound
        split = ranges.take_lowest()
        if split is None:
            assert before == ranges.bound == math.inf
            return found
        assert before <= split[0] <= ranges.bound
        found.append(split)


@pytest.mark.parametrize(("maps", "reduces"), [(60.0, 60.0), (100.0, 20.0), (7.0, 90.0), (0.0, 40.0)])
@pytest.mark.parametrize("total", [2, 3, 10, 17])
def test_every_split_is_taken_once_the_lowest_bound_first(total: int, maps: float, reduces: float) -> None:
    bound_of = work(maps, reduces)
    found = taken(SplitRanges(Cluster(1, 1), total, BOTH, bound_of))
    assert sorted(split for _, split in found) == list(range(1, total))
    assert found == sorted(found, key=lambda each: each[0])
    assert all(bound == bound_of(Cluster(split, total - split)) for bound, split in found)


@pytest.mark.parametrize(("total", "middle"), [(8, 4), (9, 4), (20, 10)])
def test_of_equal_bounds_an_even_split_is_the_first(total: int, middle: int) -> None:
    found = [split for _, split in taken(SplitRanges(Cluster(1, 1), total, BOTH, lambda _cluster: 5.0))]
    assert found[0] == middle
    assert sorted(found) == list(range(1, total))


@pytest.mark.parametrize(
    ("needed", "splits"),
    [
        ((True, True), [1, 2, 3]),
        ((True, False), [1, 2, 3, 4]),
        ((False, True), [0, 1, 2, 3]),
        ((False, False), [0, 1, 2, 3, 4]),
    ],
)
def test_a_kind_that_is_needed_has_a_slot(needed: tuple[bool, bool], splits: list[int]) -> None:
    ranges = SplitRanges(Cluster(1, 1), 4, needed, lambda _cluster: 1.0)
    assert sorted(split for _, split in taken(ranges)) == splits


def test_no_split_has_more_slots_of_a_kind_than_a_cluster_may_have() -> None:
    whole = SplitRanges(Cluster(1, 1), 2 * MAX_SLOTS, BOTH, lambda _cluster: 1.0)
    assert taken(whole) == [(1.0, MAX_SLOTS)]
    nearly = SplitRanges(Cluster(1, 1), 2 * MAX_SLOTS - 2, BOTH, lambda _cluster: 1.0)
    assert sorted(split for _, split in taken(nearly)) == [MAX_SLOTS - 2, MAX_SLOTS - 1, MAX_SLOTS]


@pytest.mark.parametrize(
    ("total", "needed", "least"),
    [(1, BOTH, 2), (0, (True, False), 1), (-1, (False, False), 0), (2 * MAX_SLOTS + 1, BOTH, 2)],
)
def test_too_few_slots_and_too_many_are_refused(total: int, needed: tuple[bool, bool], least: int) -> None:
    with pytest.raises(InputError) as refused:
        SplitRanges(Cluster(1, 1), total, needed, lambda _cluster: 1.0)
    assert str(refused.value) == (
        f"{total} slots cannot be split; give a whole number from {least} to {2 * MAX_SLOTS}"
    )


def test_all_but_the_slots_stays_as_it_is() -> None:
    cluster = Cluster(0, 0, 0.3, "overlap", containers=9)
    ranges = SplitRanges(cluster, 9, BOTH, lambda _cluster: 1.0)
    assert ranges.slots(4) == Cluster(4, 5, 0.3, "overlap")


def narrower(asked: list[Cluster]) -> Callable[[Cluster], float]:
    """Return a bound that rises as a range gets narrower; it notes for which clusters it was asked."""

    def bound_of(cluster: Cluster) -> float:
        asked.append(cluster)
        return -float(cluster.map_slots + cluster.reduce_slots)

    return bound_of


def test_what_is_ruled_out_is_not_divided_any_further() -> None:
    """4096 splits are four ranges of 1024 as soon as the bound of that width, -(4097 + 1023), is enough."""
    asked: list[Cluster] = []
    ranges = SplitRanges(Cluster(1, 1), 4097, BOTH, narrower(asked))
    assert ranges.bound == -(4097 + 4095)
    ranges.rule_out(lambda bound: bound >= -(4097 + 1023))
    assert ranges.bound == -(4097 + 1023)
    assert len(asked) == 1 + 2 + 4
    assert {each.map_slots + each.reduce_slots - 4097 + 1 for each in asked[3:]} == {1024}
    ranges.rule_out(lambda bound: bound >= -(4097 + 1023))
    assert len(asked) == 7


def test_no_more_ranges_are_made_than_said() -> None:
    asked: list[Cluster] = []
    ranges = SplitRanges(Cluster(1, 1), 4097, BOTH, narrower(asked))
    ranges.rule_out(lambda _bound: False)
    assert len(asked) == 1 + 2 * (MAX_RANGES - 1)


def test_ruling_out_ends_at_a_single_split_that_is_not_above() -> None:
    ranges = SplitRanges(Cluster(1, 1), 8, BOTH, work(60.0, 60.0))
    ranges.rule_out(lambda bound: bound > 15.0)
    assert ranges.bound == 15
    assert ranges.take_lowest() == (15, 4)
    ranges.rule_out(lambda bound: bound > 15.0)
    assert ranges.bound > 15
    assert sorted(split for _, split in taken(ranges)) == [1, 2, 3, 5, 6, 7]
    ranges.rule_out(lambda _bound: False)
    assert ranges.take_lowest() is None

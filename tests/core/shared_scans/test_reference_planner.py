"""The reference planner: ready-list packing by hand, Smith's rule against every order there is."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.shared_scans.reference_planner import Subjob, allocate, pack, smith_order
from tests.random_tests import examples


def subjob(work: float, minimum: float = 0, maximum: float = 100) -> Subjob:
    return Subjob((0,), 0, work, work, minimum, maximum)


def test_minima_first_then_slack_by_priority_up_to_maxima() -> None:
    jobs = {0: subjob(1, 2, 5), 1: subjob(1, 1, 3), 2: subjob(1, 1, 9)}
    assert allocate([1, 0, 2], jobs, 10) == {1: 3, 0: 5, 2: 2}


def test_minima_that_exceed_the_cluster_are_scaled() -> None:
    assert allocate([0, 1], {0: subjob(1, 6), 1: subjob(1, 2)}, 4) == {0: 3, 1: 1}


def test_intervals_end_at_completions_and_successors_follow() -> None:
    jobs = {0: subjob(20, maximum=4), 1: subjob(40), 2: subjob(12)}
    intervals = pack([0, 1, 2], jobs, {0: {2}, 1: set(), 2: set()}, 10)
    # 0 gets 4 and 1 the other 6; at 5 s 0 is complete and 1, ahead of 2, takes all 10
    assert [(i.start, i.end, dict(i.slots)) for i in intervals] == [
        (0, 5, {0: 4, 1: 6}),
        (5, 6, {1: 10, 2: 0}),
        (6, pytest.approx(7.2), {2: 10}),
    ]


def test_packing_stops_at_the_time_given() -> None:
    intervals = pack([0], {0: subjob(100)}, {0: set()}, 10, start=3, until=5)
    assert [(i.start, i.end, dict(i.slots)) for i in intervals] == [(3, 5, {0: 10})]


# ---- Smith's rule, against every order there is

NUMBERS = st.integers(0, 9)
LINKS = st.tuples(NUMBERS, st.integers(1, 9))
CHAINS = st.lists(st.lists(LINKS, min_size=1, max_size=3), min_size=1, max_size=3)


def every_order(chains: list[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Return every sequence of (chain, place) that keeps the order of each chain."""
    places = [d for d, chain in enumerate(chains) for _ in chain]
    orders = []
    for sequence in set(itertools.permutations(places)):
        seen = [0] * len(chains)
        order = []
        for d in sequence:
            order.append((d, seen[d]))
            seen[d] += 1
        orders.append(order)
    return orders


def weighted_completions(chains: list[list[tuple[int, int]]], order: list[tuple[int, int]]) -> int:
    now = total = 0
    for d, k in order:
        work, weight = chains[d][k]
        now += work
        total += weight * now
    return total


@examples(40)
@given(CHAINS)
def test_smiths_rule_is_best_among_all_orders(chains: list[list[tuple[int, int]]]) -> None:
    order = smith_order(chains)
    best = min(weighted_completions(chains, other) for other in every_order(chains))
    assert sorted(order) == [(d, k) for d, chain in enumerate(chains) for k in range(len(chain))]
    assert weighted_completions(chains, order) == best


def test_smiths_rule_takes_a_bad_link_for_the_sake_of_a_good_one_behind_it() -> None:
    # chain 0: work 5 for weight 1, then work 1 for weight 9: together 6 / 10, better than 2 / 2
    assert smith_order([[(5, 1), (1, 9)], [(2, 2)]]) == [(0, 0), (0, 1), (1, 0)]

"""The backwards dynamic program against every order there is: it is optimal for the interim problem."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from core.shared_scans.cells import backwards_order
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBERS = st.integers(0, 9)


@examples(25)
@given(st.lists(st.tuples(st.integers(1, 9), NUMBERS, st.integers(1, 5)), min_size=1, max_size=5), st.data())
def test_the_dynamic_program_is_best_among_all_orders(
    jobs: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    """Jobs of (work, deadline, weight) under random precedence: least maximal weighted lateness."""
    numbers = range(len(jobs))
    pairs = [(a, b) for a in numbers for b in numbers if a < b]
    arrows = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    successors = {a: {b for x, b in arrows if x == a} for a in numbers}

    def penalty(j: int, end: float) -> float:
        return jobs[j][2] * max(end - jobs[j][1], 0)

    def worst(order: tuple[int, ...]) -> float:
        ends = dict(zip(order, itertools.accumulate(jobs[j][0] for j in order), strict=True))
        return max(penalty(j, ends[j]) for j in order)

    order = backwards_order(
        {j: float(jobs[j][0]) for j in numbers}, successors, lambda j, end, _: penalty(j, end)
    )
    allowed = [o for o in itertools.permutations(numbers) if all(o.index(a) < o.index(b) for a, b in arrows)]
    assert tuple(order) in allowed
    assert worst(tuple(order)) == min(worst(o) for o in allowed)


def test_of_equal_costs_the_younger_comes_later() -> None:
    assert backwards_order({0: 1.0, 1: 1.0, 2: 1.0}, {0: set(), 1: set(), 2: set()}, lambda *_: 0.0) == [
        0,
        1,
        2,
    ]


def test_a_successor_left_keeps_a_job_from_the_end() -> None:
    order = backwards_order({0: 1.0, 1: 1.0}, {0: {1}, 1: set()}, lambda j, *_: float(j))
    assert order == [0, 1], "job 0 would cost less at the end, but job 1 must follow it"


def test_penalties_are_told_what_comes_later() -> None:
    seen: list[tuple[int, ...]] = []

    def penalty(_: int, __: float, later: Sequence[int]) -> float:
        seen.append(tuple(later))
        return 0.0

    backwards_order({0: 1.0, 1: 1.0}, {0: set(), 1: set()}, penalty)
    assert seen == [(), (), (1,)]

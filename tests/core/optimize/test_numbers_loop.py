"""What the loops of searches compute with: random numbers, the k-th smallest, a heap."""

from __future__ import annotations

import random
from itertools import pairwise
from types import SimpleNamespace

import pytest

from core.optimize.numbers_loop import draw, replace_least, smallest


def test_numbers_are_drawn_as_lehmer_has_them() -> None:
    """48271 times the last one, modulo the prime 2^31 - 1; only the last count changes."""
    state = SimpleNamespace(count=[7, 8, 1])
    assert draw(state) == 48271 / 2147483647
    assert state.count == [7, 8, 48271]
    assert draw(state) == 182605794 / 2147483647
    drawn = [draw(state) for _ in range(2000)]
    assert all(0 < number < 1 for number in drawn)
    assert sum(drawn) / 2000 == pytest.approx(0.5, abs=0.02)


def test_the_ten_thousandth_number_is_that_of_the_standard() -> None:
    """Of C++'s `minstd_rand`, begun with 1: 399268537."""
    state = SimpleNamespace(count=[1])
    for _ in range(10_000):
        draw(state)
    assert state.count == [399268537]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 20])
def test_the_nth_smallest_of_the_first_ones(count: int) -> None:
    """Few values, so that many are equal; what lies behind is left alone."""
    draws = random.Random(count)
    for _ in range(60):
        seconds = [float(draws.randrange(6)) for _ in range(count)]
        k = draws.randrange(count)
        cells = [*seconds, -1.0, -2.0]
        assert smallest(cells, count, k) == sorted(seconds)[k]
        assert sorted(cells[:count]) == sorted(seconds)
        assert cells[count:] == [-1.0, -2.0]


@pytest.mark.parametrize("size", [1, 2, 3, 6, 11])
def test_the_least_of_a_heap_is_replaced(size: int) -> None:
    draws = random.Random(size)
    heap, held = [0.0] * size, [0.0] * size
    for _ in range(200):
        value = min(held) + draws.randrange(10)
        replace_least(heap, value)
        held.remove(min(held))
        held.append(value)
        assert sorted(heap) == sorted(held)
        assert heap[0] == min(held)
    assert all(heap[(place - 1) // 2] <= heap[place] for place in range(1, size))
    assert all(before <= after for before, after in pairwise(sorted(heap)))

"""The highest stretch that nothing takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.gantt.geometry.free_room import widest_gap


@pytest.mark.parametrize(
    ("taken", "gap"),
    [
        ([], (0, 100)),
        ([(10, 20), (70, 72)], (20, 70)),
        ([(70, 72), (10, 20)], (20, 70)),
        ([(40, 60)], (60, 100)),  # of equal ones the last
        ([(-5, 10), (90, 120)], (10, 90)),
        ([(0, 100)], (100, 100)),
        ([(10, 50), (20, 30)], (50, 100)),
    ],
)
def test_gaps(taken: list[tuple[int, int]], gap: tuple[int, int]) -> None:
    assert widest_gap(0, 100, taken) == gap


@given(st.lists(st.tuples(st.integers(-5, 35), st.integers(0, 9)), max_size=8))
def test_no_higher_stretch_is_free(found: list[tuple[int, int]]) -> None:
    taken = [(first, first + high) for first, high in found]
    first, last = widest_gap(0, 30, taken)
    free = [not any(low <= line < high for low, high in taken) for line in range(30)]
    assert all(free[first:last])
    highest = longest = 0
    for is_free in free:
        longest = longest + 1 if is_free else 0
        highest = max(highest, longest)
    assert last - first == highest

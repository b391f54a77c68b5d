"""How many slots are held: an example, a slow count, and strips that show all that runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.gantt.geometry.slot_use import HeldSlots, most_held, stacked

STRETCHES = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20)), max_size=12)


def held(stretches: list[tuple[int, int]]) -> HeldSlots:
    begins = np.array([begin for begin, _ in stretches], float)
    return HeldSlots.of(begins, begins + np.array([lasts for _, lasts in stretches], float))


def test_the_example_of_the_docstring() -> None:
    two = held([(2, 3), (4, 2)])
    assert two.until(np.array([0.0, 5.0, 9.0])).tolist() == [0, 4, 5]
    assert two.average(np.array([4.0, 5.0, 7.0, 8.0])).tolist() == [2, 0.5, 0]
    assert most_held([two]) == 2
    assert most_held([held([(0, 4)]), held([(4, 2)])]) == 1, "free from the end on"


@given(STRETCHES)
def test_averages_are_those_of_a_count_of_every_second(stretches: list[tuple[int, int]]) -> None:
    running = [sum(begin <= s < begin + lasts for begin, lasts in stretches) for s in range(80)]
    part = held(stretches)
    assert part.average(np.arange(81.0)) == pytest.approx(running)
    assert part.average(np.arange(0.0, 81.0, 4)) == pytest.approx(np.array(running).reshape(-1, 4).mean(1))
    assert most_held([part]) == max(running)
    assert most_held([held(stretches[::2]), held(stretches[1::2])]) == max(running)


def test_many_long_sums_leave_nothing_where_nothing_runs() -> None:
    draw = np.random.default_rng(26)
    begins = draw.uniform(0, 1e5, 20_000)
    part = HeldSlots.of(begins, begins + draw.uniform(0, 977.7, 20_000))
    assert part.average(np.linspace(1.02e5, 2e5, 500)).max() == 0


def test_parts_are_stacked_from_below_and_what_runs_fills_a_line_at_least() -> None:
    averages = np.array([[5.0, 0.01, 0.0, 0.0], [2.5, 0.0, 0.0, 0.001]])
    assert stacked(averages, 10, 4).T.tolist() == [
        [-1, 1, 0, 0],
        [-1, -1, -1, 0],
        [-1, -1, -1, -1],
        [-1, -1, -1, 1],
    ]

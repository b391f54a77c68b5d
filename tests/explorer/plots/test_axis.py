"""The axis of plots: each value has a pixel, each pixel its value; marks are round, in view and apart."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.plots.axis import (
    STEPS,
    ValueScale,
    round_step,
    tick_text,
    time_step,
    time_ticks,
    times_between,
    value_text,
)

LOWS = st.floats(0.01, 1e4)
FACTORS = st.floats(1.5, 1e6)
WIDTHS = st.integers(80, 2000)
UNITS = st.sampled_from(["s", "tasks"])


@given(LOWS, FACTORS, WIDTHS, st.booleans(), st.floats(0, 1))
def test_a_pixel_has_the_value_that_lies_there(
    low: float, factor: float, width: int, is_log: bool, part: float
) -> None:
    scale = ValueScale(low, low * factor, 30.0, 30.0 + width, is_log)
    value = low + part * (low * factor - low)
    assert 30 - 1e-6 <= scale.x(value) <= 30 + width + 1e-6
    assert scale.value(scale.x(value)) == pytest.approx(value)
    assert scale.xs(np.array([value, low])).tolist() == pytest.approx([scale.x(value), 30.0])


def test_equal_parts_of_a_logarithmic_scale_are_equal_factors() -> None:
    scale = ValueScale(1.0, 1000.0, 10.0, 310.0, is_log=True)
    assert [scale.x(value) for value in (1, 10, 100, 1000)] == pytest.approx([10, 110, 210, 310])
    assert scale.x(0.0) == scale.x(0.5) == 10
    assert scale.xs(np.array([0.0, -3.0, 10.0])).tolist() == pytest.approx([10, 10, 110])


def test_a_single_value_lies_in_the_middle() -> None:
    for scale in (ValueScale(7.0, 7.0, 0.0, 100.0), ValueScale(7.0, 7.0, 0.0, 100.0, is_log=True)):
        assert scale.x(7.0) == 50
        assert scale.xs(np.array([7.0, 7.0])).tolist() == [50, 50]
        assert scale.ticks("s") == [7]
    assert ValueScale(2.0, 4.0, 5.0, 5.0).value(5.0) == 2  # without any width


@given(LOWS, FACTORS, WIDTHS, st.booleans(), UNITS)
def test_marks_are_in_view_in_order_and_have_room(low, factor, width, is_log, unit) -> None:
    scale = ValueScale(low, low * factor, 0.0, float(width), is_log)
    ticks = scale.ticks(unit)
    assert all(low * (1 - 1e-6) <= tick <= low * factor * (1 + 1e-6) for tick in ticks)
    assert ticks == sorted(set(ticks))
    assert len(ticks) <= max(width // 76, 1) + 1
    assert [tick for tick, _ in scale.labels(unit)] == ticks


def test_a_logarithmic_axis_is_marked_at_round_times_or_else_at_1_2_and_5() -> None:
    wide = ValueScale(0.5, 1e6, 0.0, 2000.0, is_log=True)
    assert wide.ticks("s") == [1, 10, 60, 600, 3600, 36_000, 86_400, 864_000]
    assert wide.ticks("tasks") == [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
    assert ValueScale(2.0, 9.0, 0.0, 500.0, is_log=True).ticks("tasks") == [2, 5]
    assert ValueScale(0.5, 1e6, 0.0, 300.0, is_log=True).ticks("tasks") == [1, 1000, 1_000_000]  # room for 3


@given(st.floats(1e-4, 1e8), st.integers(1, 30))
def test_a_step_of_time_is_the_smallest_round_one_that_leaves_room(span: float, most: int) -> None:
    step = time_step(span, most)
    assert span / step <= most * (1 + 1e-6)
    smaller = [s for s in (*STEPS, *_decimals()) if s < step * (1 - 1e-6) and _is_used(s)]
    assert all(span / s > most * (1 - 1e-6) for s in smaller)


def _decimals() -> list[float]:
    return [factor * 10.0**power for power in range(-6, 13) for factor in (1, 2, 5)] + [
        86_400 * factor * 10.0**power for power in range(6) for factor in (1, 2, 5)
    ]


def _is_used(step: float) -> bool:
    """Whether it is one of the steps of its size: decimal to 5 s, a clock's to a day, then decimal days."""
    if step <= 5:
        return True
    return step in STEPS if step <= 86_400 else math.log10(step / 86_400) % 1 < 0.7 and step % 86_400 == 0


@given(st.floats(0, 1e5), st.floats(0, 1e3), st.sampled_from([0.5, 1.0, 15.0, 60.0]))
def test_times_between_are_all_multiples_in_the_stretch(start: float, length: float, step: float) -> None:
    end = start + length
    expected = [i * step for i in range(int(end / step) + 2) if start - 1e-9 * step <= i * step <= end]
    found = times_between(start, end, step)
    assert set(expected) <= set(found)
    assert all(start - 1e-6 <= time <= end + 1e-6 and time % step == 0 for time in found)


def test_nothing_is_marked_at_its_one_time() -> None:
    assert time_ticks(5.0, 5.0, 4) == [5]
    assert time_ticks(0.0, 60.0, 4) == [0, 15, 30, 45, 60]
    assert round_step(86_401.0) == 2 * 86_400


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0 s"),
        (59.0, "59 s"),
        (60.0, "1 min"),
        (90.0, "1 min 30 s"),
        (600.0, "10 min"),
        (3600.0, "1 h"),
        (7200.0, "2 h"),
        (86_400.0, "1 d"),
        (864_000.0, "10 d"),
    ],
)
def test_a_time_below_an_axis_has_no_parts_that_are_zero(value: float, text: str) -> None:
    assert tick_text(value, "s") == text


def test_counts_are_grouped_by_thousands() -> None:
    assert value_text(4800.0, "tasks") == "4\N{NARROW NO-BREAK SPACE}800"
    assert tick_text(120.0, "tasks") == value_text(120.0, "tasks") == "120"
    assert value_text(125.0, "s") == "2 min 05 s"

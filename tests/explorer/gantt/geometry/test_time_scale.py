from __future__ import annotations

import numpy as np
import pytest

from core.charts.fold import Fold
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.plots.axis import round_step
from tests.lines_run import lines_run


@pytest.mark.parametrize(
    ("start", "span", "width", "time", "x"),
    [
        (0.0, 100.0, 1000, 0.0, 0.0),
        (0.0, 100.0, 1000, 100.0, 1000.0),
        (50.0, 100.0, 1000, 75.0, 250.0),
        (50.0, 100.0, 1000, 25.0, -250.0),
        (0.0, 0.001, 500, 0.0005, 250.0),
        (1e6, 10.0, 800, 1e6 + 5.0, 400.0),
    ],
)
def test_time_to_pixel_and_back(start, span, width, time, x):
    scale = TimeScale(start, span, width)
    assert scale.x(time) == pytest.approx(x, abs=0.5)
    assert scale.time(scale.x(time)) == pytest.approx(time)


def test_the_left_border_lies_on_a_whole_device_pixel():
    scale = TimeScale(1.234567, 10.0, 777, ratio=2.0)
    border = scale.x(0.0) * scale.ratio
    assert border == pytest.approx(round(border), abs=1e-9)
    assert scale.origin == round(1.234567 * 777 * 2 / 10.0)


def test_a_view_on_a_fine_screen():
    """20 seconds from 5 s on 300 pixels of two device pixels each: 15 a second, 30 on the device."""
    scale = TimeScale(5.0, 20.0, 300, ratio=2.0)
    assert (scale.end, scale.pixels_per_second, scale.device_pixels_per_second) == (25.0, 15.0, 30.0)
    assert (scale.origin, scale.x(5.0), scale.x(7.0), scale.time(30.0)) == (150, 0.0, 30.0, 7.0)
    assert TimeScale(5.01, 20.0, 300, ratio=2.0).origin == 150
    assert TimeScale(5.02, 20.0, 300, ratio=2.0).origin == 151
    ticks, step = scale.ticks()
    assert (ticks.tolist(), step) == ([10.0, 20.0], 10.0)  # 110 pixels are 7.3 s


def test_arrays_are_mapped_like_single_times():
    scale = TimeScale(3.0, 7.0, 640)
    times = np.array([3.0, 4.5, 10.0])
    assert scale.x(times).tolist() == [scale.x(time) for time in times.tolist()]


@pytest.mark.parametrize(
    ("least", "step"),
    [
        (0.0004, 0.0005),
        (0.001, 0.001),
        (0.0011, 0.002),
        (0.3, 0.5),
        (0.6, 1.0),
        (1.0, 1.0),
        (7.0, 10.0),
        (11.0, 15.0),
        (16.0, 20.0),
        (31.0, 60.0),
        (61.0, 120.0),
        (1801.0, 3600.0),
        (40_000.0, 43_200.0),
        (86_400.0, 86_400.0),
        (90_000.0, 172_800.0),
        (1e6, 20 * 86_400.0),
    ],
)
def test_steps_read_well_on_a_clock(least, step):
    assert round_step(least) == pytest.approx(step)


@pytest.mark.parametrize("span", [0.01, 1.0, 42.0, 300.0, 5000.0, 1e5, 1e7])
@pytest.mark.parametrize("start", [0.0, 17.3])
def test_ticks_lie_in_view_a_step_apart_and_are_neither_crowded_nor_rare(start, span):
    scale = TimeScale(start, span, 1200)
    ticks, step = scale.ticks(100)
    assert np.all(ticks >= start - 1e-6 * step)
    assert np.all(ticks <= start + span + 1e-6 * step)
    assert np.allclose(np.diff(ticks), step)
    assert step * scale.pixels_per_second >= 100 * (1 - 1e-6)
    assert 3 <= len(ticks) <= 13


def test_senseless_steps_do_not_crash():
    assert round_step(0.0) == 1.0
    assert round_step(float("inf")) == 1.0


def test_a_folded_stretch_takes_the_pixels_of_its_pleat() -> None:
    scale = TimeScale(0.0, 50.0, 500, fold=Fold(((10.0, 70.0),), 2.0))
    assert [scale.x(seconds) for seconds in (5.0, 10.0, 40.0, 70.0, 80.0)] == [50, 100, 110, 120, 220]
    assert [scale.time(x) for x in (50, 110, 220)] == [5, 40, 80]
    assert (scale.start, scale.end) == (0.0, 108.0)
    assert scale.pleats == ((100.0, 120.0),)
    assert scale.width_of(np.array([5.0]), np.array([80.0])).tolist() == [170.0]


def test_ticks_are_outside_of_folded_stretches_and_apart() -> None:
    scale = TimeScale(0.0, 50.0, 500, fold=Fold(((10.0, 70.0),), 2.0))
    ticks, step = scale.ticks(40.0)
    assert step == 5.0
    assert ticks.tolist() == [0, 5, 10, 75, 80, 85, 90, 95, 100, 105], "70 s would stand upon 10 s"


@pytest.mark.parametrize(
    ("first", "span"), [(0.0, 50.0), (0.0, 11.0), (11.0, 3.0), (12.5, 60.0), (10.7, 1.2)]
)
def test_ticks_are_those_of_the_whole_time_that_are_not_folded(first: float, span: float) -> None:
    stretches = ((10.0, 70.0), (73.0, 91.5))
    scale = TimeScale(first, span, 500, fold=Fold(stretches, 2.0))
    ticks, step = scale.ticks(40.0)
    expected: list[float] = []
    for number in range(int(scale.start / step) - 1, int(scale.end / step) + 2):
        time = number * step
        is_in_view = scale.start - 1e-9 <= time <= scale.end + 1e-9
        is_open = is_in_view and not any(begin < time < end for begin, end in stretches)
        if is_open and (not expected or scale.x(time) - scale.x(expected[-1]) >= 24.0):
            expected.append(time)
    assert ticks.tolist() == expected


def test_ticks_take_no_longer_where_a_folded_stretch_is_years() -> None:
    hours, years = (TimeScale(0.0, 50.0, 500, fold=Fold(((10.0, end),), 2.0)) for end in (70.0, 70_000.0))
    assert lines_run(lambda: years.ticks(40.0)) < lines_run(lambda: hours.ticks(40.0)) + 100

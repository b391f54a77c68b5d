from __future__ import annotations

import numpy as np
import pytest

from core.model.cluster import Cluster
from explorer.gantt.geometry.pixel_mapping import TALLEST_ROW, TALLEST_ZOOMED_ROW, RowLayout, TimeScale
from explorer.gantt.geometry.schedule_rows import bands_of
from explorer.plots.axis import round_step

TWO = bands_of(Cluster(30, 20))


@pytest.mark.parametrize(
    ("cluster", "pools"),
    [
        (Cluster(30, 20), [("MAP", "M", 0, 30), ("REDUCE", "R", 30, 20)]),
        (Cluster(4, 0), [("MAP", "M", 0, 4)]),
        (Cluster(0, 4), [("REDUCE", "R", 0, 4)]),
        (Cluster(0, 0, containers=9), [("CONTAINERS", "C", 0, 9)]),
    ],
)
def test_a_pool_for_every_kind_of_slot_there_is(cluster, pools):
    assert [(pool.name, pool.prefix, pool.first_slot, pool.slots) for pool in bands_of(cluster)] == pools


def test_all_rows_fit_at_zoom_one():
    layout = RowLayout(TWO, 514, gap=14)
    assert layout.row_height == 10.0
    assert layout.slot_span(0) == (0, 10)
    assert layout.slot_span(29) == (290, 300)
    assert layout.slot_span(30) == (314, 324)
    assert layout.slot_span(49) == (504, 514)
    assert [layout.pool_spans[i] for i in (0, 1)] == [(0, 300), (314, 514)]


def test_rows_of_few_slots_do_not_grow_without_end():
    assert RowLayout(bands_of(Cluster(1, 1)), 900).row_height == TALLEST_ROW


def test_the_gap_between_pools_keeps_its_pixels_while_zooming():
    layout = RowLayout(TWO, 514).zoomed(4.0, 300.0)
    assert layout.slot_span(30)[0] - layout.slot_span(29)[1] == 14


@pytest.mark.parametrize("height", [37, 60, 127, 314, 514, 611, 900])
@pytest.mark.parametrize("zoom", [1.0, 1.7, 6.0])
def test_every_line_of_a_tall_row_finds_its_slot(height, zoom):
    layout = RowLayout(TWO, height, zoom=zoom).scrolled_to(40)
    for slot in range(50) if layout.row_height >= 1 else ():
        top, bottom = layout.slot_span(slot)
        for y in range(max(0, top), min(height, bottom)):
            assert layout.slots_at(y) == range(slot, slot + 1)


def test_a_line_of_thin_rows_finds_all_of_them():
    layout = RowLayout(bands_of(Cluster(1000, 1000)), 114)
    assert layout.row_height == pytest.approx(0.05)
    assert layout.slots_at(0) == range(20)
    assert layout.slots_at(49) == range(980, 1000)
    assert layout.slots_at(64) == range(1000, 1020)


def test_gaps_and_the_outside_hold_no_slots():
    layout = RowLayout(TWO, 514)
    assert [list(layout.slots_at(y)) for y in (305, -1, 514, 9999)] == [[], [], [], []]


def test_slots_outside_of_all_pools_are_refused():
    with pytest.raises(IndexError, match="slot 50"):
        RowLayout(TWO, 514).slot_span(50)


@pytest.mark.parametrize("y", [5.0, 150.0, 330.0, 500.0])
def test_what_is_under_the_pointer_stays_there_while_zooming(y):
    layout = RowLayout(TWO, 514)
    before = layout.slots_at(y)
    for _ in range(4):
        layout = layout.zoomed(1.3, y)
        assert layout.slots_at(y) == before
    assert layout.zoom > 2.8


def test_zoom_and_scroll_end_where_there_is_nothing_more():
    layout = RowLayout(TWO, 514)
    assert layout.scrolled_to(100).scroll == 0.0
    assert layout.zoomed(0.1, 0.0) == layout
    deep = layout.zoomed(1e6, 0.0)
    assert deep.row_height == pytest.approx(TALLEST_ZOOMED_ROW)
    bottom = deep.scrolled_to(1e9)
    assert bottom.slot_span(49)[1] == 514
    assert bottom.resized(700).slot_span(49)[1] == 700


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

"""The path over stages: its bar, and the barriers that fall from it through the rows."""

from __future__ import annotations

from core.charts.raster_kernel import MAP_TONE
from tests.explorer.gantt.layers.test_stage_bands import TWO, chain, frame_of, pixel, rows_of


def ink(frame):
    return frame.theme.text.rgb() & 0xFFFFFF


def is_barrier(frame, image, seconds):
    """Whether a dashed line stands at a time, in the lane of the last slot, which runs nothing."""
    top, bottom = frame.row(3)
    x = round(frame.x(seconds))
    column = [pixel(image, x, y) for y in range(top, bottom)]
    return column.count(ink(frame)) > len(column) / 3


def test_the_bar_shows_stages_by_job_and_think_times_as_dots():
    frame, image = frame_of(TWO)
    bar = frame.places.path
    y = bar.top() + 3
    assert pixel(image, frame.x(5.0), y) == frame.tones[0, MAP_TONE]
    assert pixel(image, frame.x(55.0), y) == frame.tones[1, MAP_TONE]
    assert pixel(image, frame.x(40.0), bar.top()) == frame.theme.window.rgb() & 0xFFFFFF
    dots = [pixel(image, x, bar.center().y()) for x in range(round(frame.x(31.0)), round(frame.x(34.0)))]
    assert ink(frame) in dots


def test_a_wait_for_slots_is_hatched():
    frame, image = frame_of(rows_of(chain("Q1"), chain("Q2", arrival=1.0), slots=1))
    bar = frame.places.path
    assert frame.bands is not None
    colours = {pixel(image, frame.x(3.0), y) for y in range(bar.top(), bar.bottom() + 1)}
    assert len(colours) >= 1  # of the wait behind Q1's first stage
    waits = [
        pixel(image, x, y) for x in range(bar.left(), bar.right()) for y in range(bar.top(), bar.bottom() + 1)
    ]
    assert waits.count(ink(frame)) > 50


def test_barriers_fall_where_stages_of_the_path_end():
    frame, image = frame_of(TWO)
    assert [is_barrier(frame, image, seconds) for seconds in (10.0, 20.0, 30.0, 60.0, 70.0)] == [True] * 5
    assert not is_barrier(frame, image, 5.0)


def test_folded_away_there_are_none():
    frame, image = frame_of(TWO, folds_stages=True)
    assert not is_barrier(frame, image, 10.0)


def test_a_selected_stage_shows_its_own():
    frame, image = frame_of(TWO, selected_job=0, selected_stage=1)
    chosen = frame.theme.cursor.rgb() & 0xFFFFFF
    top, bottom = frame.row(3)
    for seconds, is_there in ((10.0, True), (20.0, True), (60.0, False)):
        column = [pixel(image, frame.x(seconds), y) for y in range(top, bottom)]
        assert (column.count(chosen) > len(column) / 3) == is_there
    assert not is_barrier(frame, image, 60.0)

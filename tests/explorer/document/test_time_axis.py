from __future__ import annotations

import pytest

from explorer.document.time_axis import COALESCE_SECONDS, DEEPEST_ZOOM, TimeAxis, TimeCursor
from explorer.document.view_state import ViewState


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def axis(qapp, clock):
    axis = TimeAxis(clock=clock)
    axis.set_extent(0.0, 100.0)
    return axis


def test_everything_is_shown_at_first_with_air_after_the_end(axis):
    assert axis.is_fitted
    assert axis.t0 == 0.0
    assert 100.0 < axis.t1 < 110.0


def test_zooming_keeps_the_time_under_the_pointer(axis):
    place = (25.0 - axis.t0) / axis.range.span
    axis.zoom(0.5, 25.0)
    assert (25.0 - axis.t0) / axis.range.span == pytest.approx(place)


def test_panning_does_not_change_the_scale_by_a_bit(axis):
    axis.zoom(0.37, 31.0)
    span = axis.range.span
    for _ in range(50):
        axis.pan(0.1)
    assert axis.range.span == span


def test_the_view_stays_within_what_there_is(axis):
    axis.zoom(0.5, 0.0)
    axis.pan(-1e9)
    assert axis.t0 == 0.0
    axis.pan(1e9)
    assert axis.t1 == pytest.approx(axis.full_range.end)
    axis.zoom(1e9, 50.0)
    assert axis.is_fitted
    for _ in range(300):
        axis.zoom(0.5, 50.0)
    assert axis.range.span == pytest.approx(100.0 * DEEPEST_ZOOM)


def test_a_fitted_view_follows_the_extent_and_another_stays(axis):
    axis.set_extent(0.0, 200.0)
    assert axis.is_fitted
    axis.show_span(10.0, 20.0)
    axis.set_extent(0.0, 300.0)
    assert (axis.t0, axis.t1) == (10.0, 20.0)
    axis.set_extent(0.0, 15.0)
    assert axis.t1 <= axis.full_range.end + 1e-9


def test_one_turn_of_the_wheel_is_one_step_back(axis, clock):
    before = axis.range
    for _ in range(5):
        clock.now += COALESCE_SECONDS / 2
        axis.zoom(0.9, 50.0, "wheel")
    between = axis.range
    clock.now += COALESCE_SECONDS * 2
    axis.zoom(0.9, 50.0, "wheel")
    axis.back()
    assert axis.range == between
    axis.back()
    assert axis.range == before
    axis.back()
    assert axis.range == before
    axis.forward()
    assert axis.range == between


def test_different_gestures_are_different_steps(axis):
    axis.zoom(0.5, 50.0, "wheel")
    zoomed = axis.range
    axis.pan(5.0, "drag")
    axis.back()
    assert axis.range == zoomed


def test_a_new_step_ends_the_way_forward(axis, clock):
    axis.zoom(0.5, 50.0)
    axis.back()
    axis.show_span(1.0, 2.0)
    shown = axis.range
    axis.forward()
    assert axis.range == shown


def test_going_back_or_forward_without_history_does_nothing(axis):
    before = axis.range
    axis.back()
    axis.forward()
    assert axis.range == before


def test_signals_come_on_real_change_only(qtbot, axis):
    with qtbot.assertNotEmitted(axis.range_changed):
        axis.fit()
        axis.set_extent(0.0, 100.0)
        axis.pan(0.0)
    with qtbot.waitSignals([axis.range_changed, axis.history_changed]):
        axis.zoom(0.5, 10.0)
    with qtbot.waitSignal(axis.cursor_changed):
        axis.set_cursor(12.0)
    with qtbot.assertNotEmitted(axis.cursor_changed):
        axis.set_cursor(12.0)


def test_an_extent_of_nothing_is_no_problem(axis):
    axis.set_extent(0.0, 0.0)
    axis.fit()
    axis.zoom(0.5, 0.0)
    assert axis.range.span > 0


@pytest.fixture
def cursor(qapp):
    cursor = TimeCursor()
    cursor.set_end(100.0)
    return cursor


def test_it_stays_within_what_there_is(cursor):
    cursor.show_at(-3.0)
    assert cursor.seconds == 0.0
    cursor.show_at(250.0)
    assert cursor.seconds == 100.0
    cursor.set_end(40.0)
    assert cursor.seconds == 40.0
    cursor.set_end(80.0)
    assert cursor.seconds == 40.0


def test_it_says_once_that_it_moved(cursor, qtbot):
    with qtbot.waitSignal(cursor.moved):
        cursor.show_at(5.0)
    with qtbot.assertNotEmitted(cursor.moved):
        cursor.show_at(5.0)
    with qtbot.waitSignal(cursor.moved):
        cursor.show_at(5.0, decision=1)
    assert cursor.decision == 1
    with qtbot.waitSignal(cursor.moved):
        cursor.hide()
    assert (cursor.seconds, cursor.decision, cursor.is_shown) == (None, 0, False)
    with qtbot.assertNotEmitted(cursor.moved):
        cursor.hide()


def test_another_document_hides_it(editor, two_scenarios):
    view_state = ViewState(editor.document)
    view_state.time_cursor.set_end(50.0)
    view_state.time_cursor.show_at(5.0)
    editor.load(two_scenarios)
    assert not view_state.time_cursor.is_shown


def test_the_axis_pages_to_a_time_out_of_view_without_a_history(qapp):
    axis = TimeAxis()
    axis.set_extent(0.0, 100.0)
    axis.show_span(0.0, 20.0)
    axis.reveal(10.0)
    assert (axis.t0, axis.t1) == (0.0, 20.0)
    axis.reveal(30.0)
    assert (axis.t0, axis.t1) == (28.0, 48.0)
    axis.reveal(0.0)
    assert axis.t0 == 0.0
    axis.back()
    assert axis.is_fitted

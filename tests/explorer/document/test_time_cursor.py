"""The time cursor: stays within the schedules, and says only once that it moved."""

from __future__ import annotations

import pytest

from explorer.document.time_axis import TimeAxis, TimeCursor
from explorer.document.view_state import ViewState


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

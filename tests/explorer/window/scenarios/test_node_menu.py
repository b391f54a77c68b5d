"""Events on nodes by the menu of a chart: added at the pointer, left out again, and undone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from core.model.schedule import PolicyChoice
from explorer.window.scenarios.context_menus import ContextMenus, rounded
from tests.explorer.window.scenarios.test_pools_in_window import menu_at
from tests.explorer.window_fixtures import open_window


@pytest.fixture
def window(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path, "five-jobs")
    window.editor.choose_policy(2, PolicyChoice("fifo"))
    window.view_state.activate_scenario(2)
    assert window.runner.wait_until_idle(60_000)
    return window


def place_at(view, slot, seconds):
    """Return the pixel of a time in the row of a slot."""
    frame = view.frame()
    top = frame.layout.slot_spans([slot])[0][0]
    return QPointF(frame.x(seconds), frame.places.plot.top() + top + 2).toPoint()


def events(window):
    return window.document.state.cluster.events


def test_a_node_fails_and_returns_where_the_menu_was_opened(window):
    view = window.charts.views[2]
    before = window.runner.outcome(2).schedule.makespan
    first = menu_at(window, view, place_at(view, 0, 20))
    name = next(text for text in first if text.endswith("N1 &fails"))
    first[name].trigger()
    window.runner.wait_until_idle()
    (fails,) = events(window).happen
    assert (fails.node, fails.kind) == (0, "fails")
    assert fails.time == pytest.approx(20, abs=1)
    assert window.editor.undo_stack.undoText() == "Set 1 event on nodes"
    assert window.runner.outcome(2).schedule.makespan > before
    later = menu_at(window, view, place_at(view, 0, 40))
    next(action for text, action in later.items() if text.endswith("N1 is &back")).trigger()
    window.runner.wait_until_idle()
    assert [each.kind for each in events(window).happen] == ["fails", "returns"]
    again = menu_at(window, view, place_at(view, 0, fails.time))
    next(action for text, action in again.items() if "&Leave out" in text).trigger()
    assert events(window) is None
    window.editor.undo_stack.undo()
    window.editor.undo_stack.undo()
    assert events(window).happen == (fails,)


def test_the_cluster_panel_lists_what_the_menu_added_and_delete_there_takes_it_only(window):
    view, box = window.charts.views[2], window.cluster_panel.events_box
    window.side_dock.toggle()
    window.side_dock.show_section("cluster")
    box.header.click()
    first = menu_at(window, view, place_at(view, 0, 20))
    next(action for text, action in first.items() if text.endswith("N1 &fails")).trigger()
    assert box.model.texts(0)[1:] == ("N1", "fails")
    box.table.setFocus()
    box.table.selectRow(0)
    QTest.keyClick(box.table, Qt.Key.Key_Return)
    assert window.view_state.time_cursor.seconds == events(window).happen[0].time
    QTest.keyClick(box.table, Qt.Key.Key_Delete)
    assert events(window) is None
    assert len(window.document.workload.jobs) == 5
    assert len(window.document.scenarios) == 2
    assert window.runner.wait_until_idle(60_000)


def test_what_cannot_be_is_said(window, qtbot):
    view = window.charts.views[2]
    later = menu_at(window, view, place_at(view, 0, 40))
    next(action for text, action in later.items() if text.endswith("N1 &fails")).trigger()
    window.runner.wait_until_idle()
    earlier = menu_at(window, view, place_at(view, 0, 10))
    with qtbot.waitSignal(window.findChild(ContextMenus).failed) as said:
        next(action for text, action in earlier.items() if text.endswith("N1 &fails")).trigger()
    assert "N1 has failed at" in str(said.args[0])


@pytest.mark.parametrize(
    ("time", "pixel", "expected"), [(12.34, 0.07, 12.3), (1234.6, 3.0, 1235), (-1, 1, 0)]
)
def test_times_are_as_round_as_pixels_can_point(time, pixel, expected):
    assert rounded(time, pixel) == expected

"""Editor, charts and trace beside one another: all have room, nothing is cut, at every size."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from explorer.widgets.details import MIN_FOR_RIGHT
from tests.explorer.window_fixtures import open_window


@pytest.mark.parametrize("size", [(1000, 700), (1366, 768), (1600, 900), (1920, 1080)])
def test_editor_chart_and_trace_have_room_together(qtbot, tmp_path, size):
    window = open_window(qtbot, tmp_path, compiled=False)
    window.resize(*size)
    as_wide = window.size()
    window.actions_by_id["trace"].trigger()
    window.actions_by_id["edit_here"].trigger()
    pane, panel = window.lab.editor_pane, window.lab.trace.trace_panel
    qtbot.waitUntil(lambda: window.details.is_below)
    qtbot.waitUntil(lambda: panel.height() > 100)
    assert window.size() == as_wide
    for button in (pane.copy_button, pane.close_button):
        assert button.width() >= button.sizeHint().width()
        assert button.visibleRegion().boundingRect() == button.rect()
    words = panel.findChildren(QPushButton)
    assert all(each.width() >= each.minimumSizeHint().width() for each in words if each.isVisible())
    tables = (panel.table, panel.watch_list.table)
    assert all(table.width() > 300 and table.height() > 50 for table in tables)
    assert pane.current_code().height() > size[1] / 3
    line = pane.current_code().cursorRect().top()
    assert 0 <= line < pane.current_code().height() / 3, "what one wants to read begins near the top"
    pane.close_current()
    assert not window.lab.editor_dock.isVisible()
    assert window.details.is_below == (size[0] < MIN_FOR_RIGHT)


def test_halves_of_the_trace_stand_as_there_is_room(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path, compiled=False)
    window.resize(1366, 768)
    window.actions_by_id["trace"].trigger()
    panel = window.lab.trace.trace_panel
    assert not window.details.is_below
    qtbot.waitUntil(lambda: panel.halves.orientation() == Qt.Orientation.Vertical)
    window.details.choose_side("below")
    qtbot.waitUntil(lambda: panel.halves.orientation() == Qt.Orientation.Horizontal)

"""A row dragged with a real mouse, through Qt's own drag loop; needs an X server."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from explorer.panels.jobs_panel import JobsPanel

STEP_MS = 40


@pytest.fixture
def panel(shown, editor, view_state):
    if QGuiApplication.platformName() == "offscreen":
        pytest.skip("the offscreen platform has no drag and drop")
    panel = JobsPanel(editor, view_state)
    panel.resize(900, 400)
    return shown(panel)


def place(panel, row, below=0):
    """Return a place in a row, in coordinates of the window."""
    rect = panel.table.visualRect(panel.model.index(row, 1))
    return panel.table.viewport().mapTo(panel, rect.center() + QPoint(0, below))


def drag(panel, begin, stops, end):
    """Press, move over the stops inside the drag's own loop, then call `end`."""
    window = panel.windowHandle()
    QTest.mousePress(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, begin)
    for number, stop in enumerate(stops):
        QTimer.singleShot(STEP_MS * (number + 2), partial(QTest.mouseMove, window, stop))
    QTimer.singleShot(STEP_MS * (len(stops) + 3), end)
    QTest.mouseMove(window, begin + QPoint(0, 30))


def test_a_row_follows_the_mouse(panel, editor, qtbot, undo):
    previews, target = [], place(panel, 3, below=5)
    panel.order_previewed.connect(previews.append)
    release = partial(
        QTest.mouseRelease,
        panel.windowHandle(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        target,
    )
    drag(panel, place(panel, 0), [place(panel, 2, below=5), target, target], release)
    qtbot.waitUntil(lambda: editor.document.scenario(1).order is not None)
    assert editor.document.scenario(1).order == ("J2", "J3", "J4", "J1", "J5")
    assert previews[-1] == ("J2", "J3", "J4", "J1", "J5")
    assert len(previews) >= 2
    assert panel.model.rowCount() == 5
    assert undo() == ["Move J1 before J5 in FIFO"]


def test_escape_restores_the_order(panel, editor, qtbot, undo):
    previews, ends = [], []
    panel.order_previewed.connect(previews.append)
    panel.preview_ended.connect(lambda: ends.append(True))

    def escape():
        QTest.keyClick(panel.windowHandle(), Qt.Key.Key_Escape)

    drag(panel, place(panel, 0), [place(panel, 2, below=5)], escape)
    qtbot.waitUntil(lambda: bool(ends))
    assert previews
    assert undo() == []
    QTest.mouseRelease(
        panel.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place(panel, 2)
    )
    assert [panel.model.index(row, 1).data() for row in range(5)] == ["J1", "J2", "J3", "J4", "J5"]

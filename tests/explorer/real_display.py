"""What hands do on a real display, one thing after the other; prints what came of it as JSON.

    DISPLAY=:99 QT_QPA_PLATFORM=xcb python -m tests.explorer.real_display FOLDER

The pointer is the display's own: it is warped, and the window hears of it from the server. Buttons and keys
are pressed by Qt's test module, for they need no further program then.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.explorer.window_fixtures import block_point, forget_changes, make_window, x_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from explorer.gantt.gantt_view import GanttView
    from explorer.window.main_window import MainWindow

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
PATIENCE_MS = 10_000


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Let events come until something holds; SystemExit if it never does."""
    loop, alarm, look = QEventLoop(), QTimer(singleShot=True), QTimer(interval=5)
    alarm.timeout.connect(loop.quit)
    look.timeout.connect(lambda: loop.quit() if holds() else None)
    alarm.start(PATIENCE_MS)
    look.start()
    if not holds():
        loop.exec()
    if not holds():
        raise SystemExit(f"in vain: {what}")


class Hand:
    """Moves the display's pointer over one chart."""

    def __init__(self, view: GanttView) -> None:
        self._view = view

    def point(self, place: QPoint) -> str:
        """Go to a pixel, wait until the chart has heard of it, and return the pointer's shape there."""
        if QCursor.pos() == self._view.mapToGlobal(place):
            QCursor.setPos(self._view.mapToGlobal(place + QPoint(1, 0)))
        QCursor.setPos(self._view.mapToGlobal(place))
        wait_until(lambda: self._is_at(place), f"the pointer at {place.x()}, {place.y()}")
        return self._view.cursor().shape().name

    def _is_at(self, place: QPoint) -> bool:
        heard = self._view._pointer
        return heard is not None and heard.toPoint() == place

    def drag(
        self,
        start: QPoint,
        by: QPoint,
        button: Qt.MouseButton = LEFT,
        modifier: Qt.KeyboardModifier = NONE,
        *,
        escape: bool = False,
    ) -> str:
        """Press, go there in steps, and let go, or press Escape before; return the pointer's shape then."""
        self.point(start)
        QTest.mousePress(self._view, button, modifier, start)
        for part in range(1, 5):
            shape = self.point(start + by * part / 4)
        if escape:
            QTest.keyClick(self._view, Qt.Key.Key_Escape)
        QTest.mouseRelease(self._view, button, modifier, start + by)
        return shape


def look(window: MainWindow) -> dict[str, object]:
    """Return what edits and drags can change."""
    assert window.runner.wait_until_idle(60_000)
    return {
        "scenarios": [scenario.id for scenario in window.document.scenarios],
        "orders": {scenario.id: scenario.order for scenario in window.document.scenarios},
        "steps": window.editor.undo_stack.count(),
        "active": window.view_state.active_scenario,
        "selected": window.view_state.selected_job,
        "shown": round(window.axis.t0, 3),
        "ghost": window.charts.active_view.content.ghost is not None,
    }


def story(window: MainWindow) -> dict[str, object]:
    """Do it all, and return what came of each part by name."""
    view = window.charts.views[1]
    hand, end = Hand(view), QPoint(x_of(view, 70.0), 0)
    told: dict[str, object] = {"platform": QGuiApplication.platformName(), "at first": look(window)}
    place = block_point(view, 2)
    told["hover"] = hand.point(place)
    window.axis.zoom(0.5, 20.0)
    place = block_point(view, 2)
    told["zoomed"] = look(window)
    told["pan shape"] = hand.drag(place, QPoint(-120, 0))
    told["panned"] = look(window)
    told["middle shape"] = hand.drag(place, QPoint(60, 0), MIDDLE)
    told["panned back a half"] = look(window)
    window.axis.fit()
    place = block_point(view, 2)
    hand.drag(place, end - QPoint(place.x(), 0), modifier=SHIFT, escape=True)
    told["escaped"] = look(window)
    hand.point(place)
    QTest.mouseClick(view, LEFT, NONE, place)
    told["clicked"] = look(window)
    told["hover selected"] = hand.point(place + QPoint(2, 0))
    told["move shape"] = hand.drag(place, end - QPoint(place.x(), 0))
    told["dropped"] = look(window)
    edited = window.charts.views[3]
    wait_until(lambda: edited.content.rows is not None, "the schedule of the drop")
    place = block_point(edited, 0)
    Hand(edited).drag(place, QPoint(x_of(edited, 70.0) - place.x(), 0), modifier=SHIFT)
    told["dropped again"] = look(window)
    return told


def main() -> None:
    """Tell the story of a window."""
    application = QApplication([])
    window = make_window(Path(sys.argv[1]), compiled=False)
    told = story(window)
    forget_changes(window)
    window.close()
    window.deleteLater()
    application.processEvents()
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()

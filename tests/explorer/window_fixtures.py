"""Windows for tests: simulated at once, closed without questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QDeadlineTimer, QPoint, QPointF, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.charts import raster
from core.files.samples import load_sample
from explorer.session.settings import WindowSettings
from explorer.widgets.theme import theme
from explorer.widgets.worker import Worker
from explorer.window.files.document_work import OpenedDocument, new_document
from explorer.window.main_window import MainWindow

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from explorer.gantt.gantt_view import GanttView

LEFT = Qt.MouseButton.LeftButton
SIZE = (1400, 900)
"""Of a window at first, in pixels."""


def open_window(
    qtbot: QtBot, folder: Path, sample: str = "five-jobs", *, compiled: bool = True
) -> MainWindow:
    """Show a window on a sample, fully simulated; it is closed after the test."""
    window = make_window(folder, sample, compiled=compiled)
    qtbot.addWidget(window, before_close_func=forget_changes)
    return window


def make_window(folder: Path, sample: str = "five-jobs", *, compiled: bool = True) -> MainWindow:
    """Show a window on a sample, fully simulated."""
    window = MainWindow(
        new_document(load_sample(sample)), WindowSettings(folder / "settings.ini"), theme(dark=False)
    )
    if compiled:
        window.runner.use_compiled()
        raster.use_compiled()
    window.resize(*SIZE)
    window.show()
    assert QTest.qWaitForWindowExposed(window, 60_000)
    assert window.runner.wait_until_idle(60_000)  # compiled code may have to be made first
    return window


def forget_changes(window: MainWindow) -> None:
    """Let the window close without asking about changes."""
    window.editor.undo_stack.setClean()


def begin_anew(window: MainWindow, sample: str, layout: dict[str, Any]) -> None:
    """Close what stands beside a window, and open its sample again as one opens a session."""
    for top in QApplication.topLevelWidgets():
        if top is not window and top.isVisible():
            top.close()
    window.runner.end_preview(window.view_state.active_scenario)
    window.files.show(OpenedDocument(new_document(load_sample(sample)), layout=layout))
    window.resize(*SIZE)
    assert window.runner.wait_until_idle(60_000)


def settle(window: MainWindow, at_most_ms: int = 60_000) -> None:
    """Let everything that was begun come to its end: what threads work out, and what a timer puts off."""
    deadline = QDeadlineTimer(at_most_ms)
    QTest.qWait(1)
    while not (is_quiet(window) or deadline.hasExpired()):
        QTest.qWait(15)


def is_quiet(window: MainWindow) -> bool:
    """Whether a window waits for its user: no thread works for it, and no timer is about to run out."""
    return not (
        window.runner.is_busy
        or any(each.is_busy for each in window.findChildren(Worker))
        or any(each.isActive() and each.isSingleShot() for each in window.findChildren(QTimer))
    )


def block_point(view: GanttView, job: int) -> QPoint:
    """Return a pixel of a chart that lies on a map of this job."""
    rows = view.content.rows
    assert rows is not None
    schedule = rows.schedule
    middle = (schedule.job_start[job] + schedule.stage_end[job]) / 2
    for y in range(40, view.height(), 3):
        left, right = view.rect().left(), view.rect().right()
        for x in range(left, right, 2):
            if abs(view.time_at(x) - middle) < 0.5 and view.job_at(QPointF(x, y)) == job:
                return QPoint(x, y)
    raise AssertionError(f"job {job} is not in the chart")


def x_of(view: GanttView, time: float) -> int:
    """Return the pixel column where a chart shows this time."""
    return min(range(view.width()), key=lambda x: abs(view.time_at(x) - time))


def drag(view: GanttView, start: QPoint, end_x: int, *, release: bool = True) -> None:
    """Press on a block with Shift, move in steps, and let go (or not)."""
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.ShiftModifier, start)
    for step in range(1, 9):
        x = start.x() + (end_x - start.x()) * step // 8
        QTest.mouseMove(view, QPoint(x, start.y()))
    if release:
        QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(end_x, start.y()))

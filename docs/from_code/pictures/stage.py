"""A window in which a story is performed, and what its user can do there with mouse and keys."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from core.charts import raster
from core.files.samples import load_sample
from core.optimize.chains import load_compiled
from explorer.app import make_application
from explorer.document.view_state import ThemeChoice
from explorer.optimize.questions_page import FEWEST_HERE
from explorer.session.settings import WindowSettings
from explorer.widgets.theme import application_palette, theme
from explorer.window.files.document_work import new_document
from explorer.window.main_window import MainWindow

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from explorer.gantt.gantt_view import GanttView
    from explorer.panels.scenario_header import ScenarioHeader

FIRST_SAMPLE = "five-jobs"
PATIENCE = 240.0
"""Seconds after which something that a step waits for has failed to come."""
SETTLE_MS = 300
"""In which docks and plots take their places."""
THINK_MS = 1500
MAX_DIALOGS = 4
"""One upon the other."""
LEFT = Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier
Found = TypeVar("Found", bound=QWidget)


def open_window(
    settings_file: Path, size: tuple[int, int] = (1200, 720), choice: ThemeChoice = ThemeChoice.LIGHT
) -> MainWindow:
    """Return a window of that size in that theme, with default settings, that shows five jobs."""
    application = make_application()
    raster.use_compiled()
    colours = theme(choice is ThemeChoice.DARK)
    application.setPalette(application_palette(colours))
    window = MainWindow(new_document(load_sample(FIRST_SAMPLE)), WindowSettings(settings_file), colours)
    window.set_theme(colours)
    load_compiled()  # as a window has it some seconds after its start
    window.use_compiled()
    window.resize(*size)
    return window


class Stage:
    """A window, and a user in front of it.

    Attributes
    ----------
    window : it
    folder : where this user keeps files
    """

    def __init__(self, window: MainWindow, folder: Path) -> None:
        self.window, self.folder = window, folder

    # ---- waiting

    def wait_until(self, is_so: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
        """Let the window work until something is so; raises TimeoutError with `what` did not come."""
        end = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() > end:
                raise TimeoutError(f"the story waits in vain for {what}")
            QTest.qWait(20)

    def settle(self) -> None:
        """Let everything that was begun come to its end."""
        QTest.qWait(50)
        self.wait_until(lambda: not self.window.runner.is_busy, "the simulations")
        QTest.qWait(SETTLE_MS)

    def let_think(self) -> None:
        """Wait for what is worked out after everything has been simulated, as panels that explain do."""
        QTest.qWait(THINK_MS)

    def select_nothing(self) -> None:
        """Let nothing be selected."""
        self.window.view_state.select_job(None)
        self.settle()

    # ---- documents

    def open(self, source: str | Path) -> None:
        """Open a sample or a file as *Open…* does, and wait until its charts are there."""
        self.open_by(lambda: self.window.files.open(source), str(source))

    def open_by(self, begin: Callable[[], object], what: str) -> None:
        """Begin to open a document, and wait until its charts are there."""
        shown: list[object] = []
        self.window.files.opened.connect(lambda *_: shown.append(True))
        begin()
        self.wait_until(lambda: shown, f"{what} to open")
        self.settle()
        self.close_dialogs()  # such as the report of an import that left something out

    # ---- menus, keys, widgets

    def choose(self, action: str) -> None:
        """Choose an entry of the menus, by its id; raises ValueError where it cannot be chosen now."""
        entry = self.window.actions_by_id[action]
        if not entry.isEnabled():
            raise ValueError(f"{entry.text()!r} cannot be chosen in this step")
        entry.trigger()
        self.settle()

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_KEY, on: QWidget | None = None) -> None:
        """Press a key, in the window or in one of its parts."""
        QTest.keyClick(on or QApplication.focusWidget() or self.window, key, modifiers)
        self.settle()

    def click(
        self, widget: QWidget, at: QPoint | None = None, modifiers: Qt.KeyboardModifier = NO_KEY
    ) -> None:
        """Click a part of the window, in its middle if nothing else is said."""
        QTest.mouseClick(widget, LEFT, modifiers, at or widget.rect().center())
        self.settle()

    def write(self, widget: QWidget, text: str) -> None:
        """Type a text into a field, in place of what it has."""
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(widget, text)
        self.settle()

    def find(self, kind: type[Found], inside: QWidget | None = None, **properties: object) -> Found:
        """Return the part in sight of a kind, with such properties: ``text="Start"``; LookupError if none."""
        parts: list[Found] = (inside or self.window).findChildren(kind)
        for each in parts:
            if each.isVisible() and all(_plain(each.property(k)) == value for k, value in properties.items()):
                return each
        raise LookupError(f"no {kind.__name__} with {properties} is in sight")

    def scroll_to(self, widget: QWidget) -> None:
        """Scroll what a part of the window lies in until it is in sight."""
        self.settle()
        above = widget.parentWidget()
        while above is not None:
            if isinstance(above, QScrollArea):
                above.ensureWidgetVisible(widget)
            above = above.parentWidget()

    def dialog(self) -> QWidget:
        """Return the dialog or menu that is open over the window."""
        self.wait_until(self.on_top, "a dialog")
        found = self.on_top()
        assert found is not None
        return found

    def close_dialogs(self) -> None:
        """Close what is open over the window."""
        for _ in range(MAX_DIALOGS):
            if (top := self.on_top()) is not None:
                top.close()
                QTest.qWait(20)

    def on_top(self) -> QWidget | None:
        """Return the menu, list or dialog that is open over the window, if one is."""
        return QApplication.activePopupWidget() or QApplication.activeModalWidget()

    # ---- scenarios and charts

    def activate(self, number: int) -> None:
        """Make a scenario the active one, by a press on its header."""
        header = self.header(number)
        self.click(header, QPoint(header.width() // 3, header.height() // 2))

    def header(self, number: int) -> ScenarioHeader:
        """Return the header of a scenario, counted from 0."""
        return self.window.headers.header(self.window.document.scenarios[number].id)

    def is_simulated(self, number: int) -> bool:
        """Whether a scenario's schedule is there, and is that of its policy and jobs as they are now."""
        scenario = self.window.document.scenarios[number].id
        runner = self.window.runner
        return runner.outcome(scenario) is not None and not runner.is_stale(scenario)

    def ask_fewest(self, by: str, *, error: int = 0, draws: int = 0, sure: int = 0) -> None:
        """Ask with how few slots the active scenario, as it is, ends by a time, and how sure that is.

        `error` and `sure` are in percent.
        """
        self.window.questions.page.bring()
        questions = self.window.questions.questions
        questions.choose(FEWEST_HERE)
        questions.error.setValue(error)
        if error:
            questions.draws.setValue(draws)
            questions.sure.setValue(sure)
        self.write(questions.until, by)
        self.click(questions.search_button)
        self.wait_until(lambda: not questions.is_busy, "the fewest slots")
        self.scroll_to(questions.add_button)

    def view(self, number: int) -> GanttView:
        """Return the chart of a scenario, counted from 0."""
        return self.window.charts.views[self.window.document.scenarios[number].id]

    def job_point(self, job: str, chart: int = 0, kind: int = 0) -> QPoint:
        """Return a point inside the largest block of a job in a chart: of its maps, or of its reduces (1)."""
        view = self.view(chart)
        index = self.window.document.workload.job_index[job]
        half = view.height() // 2
        rows = range(0, half, 3) if kind == 0 else range(half, view.height(), 3)
        points = [QPoint(x, y) for y in rows for x in range(0, view.width(), 3)]
        mine = [point for point in points if view.job_at(QPointF(point)) == index]
        if not mine:
            raise LookupError(f"{job} is nowhere in chart {chart}")
        return mine[len(mine) // 2]

    def time_x(self, seconds: float, chart: int = 0) -> int:
        """Return where a time is in a chart."""
        view = self.view(chart)
        return min(range(view.width()), key=lambda x: abs(view.time_at(x) - seconds))

    def click_job(self, job: str, chart: int = 0, kind: int = 0) -> None:
        """Click a job's block."""
        self.click(self.view(chart), self.job_point(job, chart, kind))

    def drag_job(self, job: str, seconds: float, *, drop: bool, chart: int = 0) -> None:
        """Drag a job's block to a time, with Shift held; without `drop` the button stays down."""
        view, start = self.view(chart), self.job_point(job, chart)
        end = self.time_x(seconds, chart)
        xs = (start.x() + 20, (start.x() + end) // 2, end)
        self.drag(
            view,
            start,
            [QPoint(x, start.y()) for x in xs],
            drop=drop,
            modifiers=Qt.KeyboardModifier.ShiftModifier,
        )

    def drag(
        self,
        widget: QWidget,
        start: QPoint,
        way: list[QPoint],
        *,
        drop: bool,
        modifiers: Qt.KeyboardModifier = NO_KEY,
    ) -> None:
        """Press, move along a way with the button down, and let go, or not."""
        QTest.mousePress(widget, LEFT, modifiers, start)
        for point in way:
            _move(widget, point, modifiers)
            QTest.qWait(30)
        if drop:
            QTest.mouseRelease(widget, LEFT, modifiers, way[-1])
        self.settle()

    def hover(self, widget: QWidget, at: QPoint) -> None:
        """Rest the pointer somewhere."""
        _move(widget, at, NO_KEY, buttons=Qt.MouseButton.NoButton)
        self.settle()

    def unhover(self, widget: QWidget) -> None:
        """Take the pointer away from a part of the window."""
        QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
        self.settle()

    # ---- figures

    def makespan(self, number: int) -> str:
        """Return the makespan of a scenario as its header has it."""
        return self.header(number).makespan.text()

    def rect_of(self, widget: QWidget, of: QWidget | None = None) -> QRect:
        """Return where a part lies in the window, or in another part."""
        return QRect(widget.mapTo(of or self.window, QPoint(0, 0)), widget.size())

    def let_go(self) -> None:
        """Need none of the edits any more: nothing is asked when another document is opened."""
        self.window.editor.undo_stack.setClean()
        self.window.files.guards.clear()

    def leave(self) -> None:
        """Close the window and all that is open over it, without a question."""
        self.close_dialogs()
        for view in self.window.charts.views.values():
            view.cancel_gesture()
        if QApplication.mouseButtons() != Qt.MouseButton.NoButton:  # else the next window thinks one is down
            QTest.mouseRelease(self.window, LEFT)
        self.let_go()
        self.window.close()
        self.window.deleteLater()


def _move(
    widget: QWidget, at: QPoint, modifiers: Qt.KeyboardModifier, buttons: Qt.MouseButton = LEFT
) -> None:
    place = QPointF(at)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        place,
        QPointF(widget.mapToGlobal(at)),
        Qt.MouseButton.NoButton,
        buttons,
        modifiers,
    )
    QApplication.sendEvent(widget, event)


def _plain(value: object) -> object:
    """Return a property, of texts without mnemonics and dots."""
    return value.replace("&", "").rstrip("…") if isinstance(value, str) else value

"""Pictures and tables of what is shown: to files and to the clipboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from core.errors import InputError, SlotscopeError
from explorer.background import BackgroundTask
from explorer.gantt.export import render, to_image

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.schedule import Schedule
    from explorer.chart_area import ChartArea
    from explorer.document.view_state import ViewState
    from explorer.simulation.runner import Runner

PICTURE_FILTER = "PNG picture (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)"
TABLE_FILTER = "CSV table (*.csv)"
SIZE = (1600, 900)


class Pictures(QObject):
    """Exports the charts with the theme, selection and colours they have.

    Signals:
        written: a sentence for the status bar
        failed: an exception to show
    """

    written = Signal(str)
    failed = Signal(object)

    def __init__(self, charts: ChartArea, runner: Runner, view_state: ViewState, window: QWidget) -> None:
        super().__init__(window)
        self._charts, self._runner = charts, runner
        self._view_state, self._window = view_state, window
        self._task: BackgroundTask | None = None

    def ask_and_export(self) -> None:
        """Let the user choose a file and draw all charts into it."""
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, "Export picture", "schedules.png", PICTURE_FILTER
        )
        if chosen:
            self.export(Path(chosen))

    def export(self, path: Path) -> None:
        """Draw all charts into a file; its ending decides the format."""
        self._try(
            lambda: render(self._charts.contents(), path, SIZE, self._charts.theme), f"Drawn into {path}"
        )

    def copy(self) -> None:
        """Put a picture of all charts on the clipboard."""

        def put() -> None:
            image = to_image(self._charts.contents(), SIZE, self._charts.theme)
            QGuiApplication.clipboard().setImage(image)

        self._try(put, "The picture is on the clipboard")

    def ask_and_export_tasks(self) -> None:
        """Let the user choose a file for the active scenario's tasks."""
        outcome = self._runner.outcome(self._view_state.active_scenario)
        if outcome is None:
            self.failed.emit(
                InputError("the active scenario has no schedule yet; wait until it is simulated")
            )
            return
        chosen, _ = QFileDialog.getSaveFileName(self._window, "Export tasks", "tasks.csv", TABLE_FILTER)
        if chosen:
            self.export_tasks(outcome.schedule, Path(chosen))

    def export_tasks(self, schedule: Schedule, path: Path) -> None:
        """Write a schedule's tasks as CSV, in a thread."""

        def write(_progress: Callable[[float], None], _should_stop: Callable[[], bool]) -> str:
            from core.files.tables import task_table, write_csv

            write_csv(task_table(schedule), path)
            return f"{schedule.tasks} tasks written to {path}"

        self._task = BackgroundTask(write, self)
        self._task.done.connect(self._on_done)
        self._task.failed.connect(self.failed)
        self._task.start()

    def _on_done(self, sentence: str) -> None:
        self.written.emit(sentence)

    def _try(self, work: Callable[[], None], sentence: str) -> None:
        try:
            work()
        except SlotscopeError as error:
            self.failed.emit(error)
        else:
            self.written.emit(sentence)

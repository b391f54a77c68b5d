"""What leaves the window: pictures, schedules for other programs and a report, written in a thread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QProgressDialog, QWidget

from core.files.atomic import Watch
from core.files.html_report import write_report
from core.files.schedule_file import write_schedule
from core.model.errors import Cancelled, InputError, SlotscopeError
from explorer.document.titles import scenario_title
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.widgets.theme import theme
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.model.schedule import Schedule
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState
    from explorer.simulation.runner import Runner
    from explorer.window.chart_area import ChartArea


REPORT_SIZE = (1400, 900)
SHOW_PROGRESS_AFTER_MS = 500
TABLE_FILTER = "CSV table (*.csv);;Parquet table (*.parquet)"
NOT_YET = "the active scenario has no schedule yet; wait until it is simulated"


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write a schedule: its id, title and filters of the dialog, and a name to begin with."""

    id: str
    title: str
    name: str
    filters: str


FORMATS = {
    each.id: each
    for each in (
        Format("tasks", "Export tasks", "tasks.csv", TABLE_FILTER),
        Format("jobs", "Export jobs", "jobs.csv", TABLE_FILTER),
        Format("chrome", "Export Chrome trace", "schedule.json", "Chrome trace (*.json *.json.gz)"),
        Format("paje", "Export Paje trace", "schedule.paje", "Paje trace (*.paje *.paje.gz)"),
    )
}


class Exports(QObject):
    """Writes the active scenario's schedule, or a report on all of them.

    Signals:
        written: a sentence for the status bar
        failed: an exception to show
    """

    written = Signal(str)
    failed = Signal(object)

    def __init__(
        self,
        document: Document,
        runner: Runner,
        view_state: ViewState,
        charts: ChartArea,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._document, self._runner = document, runner
        self._view_state, self._charts, self._window = view_state, charts, window
        self._tasks: list[Worker] = []

    def ask_and_write(self, form_id: str) -> None:
        """Let the user choose a file for the active scenario's schedule in one of `FORMATS`."""
        form = FORMATS[form_id]
        outcome = self._runner.outcome(self._view_state.active_scenario)
        if outcome is None:
            self.failed.emit(InputError(NOT_YET))
            return
        path = ask_where_to_save(self._window, form.title, form.name, form.filters)
        if path is not None:
            self._run(partial(write_schedule, outcome.schedule, path, form.id), path)

    def ask_and_report(self) -> None:
        """Let the user choose a file for a report on all scenarios, the baseline first."""
        named = self._named_schedules()
        if not named:
            self.failed.emit(InputError(NOT_YET))
            return
        path = ask_where_to_save(self._window, "Export report", "report.html", "HTML report (*.html)")
        if path is not None:
            from explorer.gantt.export import encoded

            # labels of charts are pixmaps, which belong to the window's thread
            contents, name = self._charts.contents(), self._document.workload.name
            pictures = [encoded(contents, ".png", REPORT_SIZE, theme(dark), name) for dark in (False, True)]
            self._run(partial(_write_report, named, pictures, path), path)

    def _named_schedules(self) -> list[tuple[str, Schedule]]:
        scenarios = sorted(self._document.scenarios, key=lambda each: each.id != self._document.baseline)
        outcomes = [(scenario, self._runner.outcome(scenario.id)) for scenario in scenarios]
        return [(scenario_title(each), outcome.schedule) for each, outcome in outcomes if outcome is not None]

    def close(self) -> None:
        """Stop what is being written; the files stay as they were."""
        for task in self._tasks:
            task.stop()

    # ---- writing, in a thread

    def _run(self, write: Callable[[Watch], None], path: Path) -> None:
        def work(progress: Callable[[float], None], should_stop: Callable[[], bool]) -> str:
            write(Watch(progress, should_stop))
            return f"Written to {path}"

        task = Worker(self)
        self._tasks.append(task)
        dialog = QProgressDialog(f"Writing {path.name}", "Cancel", 0, 1000, self._window)
        dialog.setWindowTitle("Slotscope")
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.setMinimumDuration(SHOW_PROGRESS_AFTER_MS)
        dialog.setValue(0)
        task.progressed.connect(lambda fraction: dialog.setValue(min(999, round(1000 * fraction))))
        dialog.canceled.connect(task.stop)
        task.finished.connect(partial(self._on_ended, task, dialog))
        task.failed.connect(partial(self._on_ended, task, dialog))
        task.follow(work)

    def _on_ended(self, task: Worker, dialog: QProgressDialog, answer: str | Exception) -> None:
        """Say what became of it; what the user cancelled they know of."""
        self._tasks.remove(task)
        dialog.canceled.disconnect()
        dialog.close()
        for part in (dialog, task):
            part.deleteLater()
        if isinstance(answer, str):
            self.written.emit(answer)
        elif not isinstance(answer, Cancelled):
            self.failed.emit(answer)


def _write_report(named: list[tuple[str, Schedule]], pictures: list[bytes], path: Path, watch: Watch) -> None:
    from core.measures.comparison_report import comparison_report

    watch.check(0.0)
    write_report(comparison_report(named, *pictures), path)


PICTURE_FILTER = "PNG picture (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)"
SIZE = (1600, 900)


class Pictures(QObject):
    """Exports the charts with the theme, selection and colours they have.

    Signals:
        written: a sentence for the status bar
        failed: an exception to show
    """

    written = Signal(str)
    failed = Signal(object)

    def __init__(self, charts: ChartArea, window: QWidget) -> None:
        super().__init__(window)
        self._charts, self._window = charts, window

    def ask_and_export(self) -> None:
        """Let the user choose a file and draw all charts into it."""
        path = ask_where_to_save(self._window, "Export picture", "schedules.png", PICTURE_FILTER)
        if path is not None:
            self.export(path)

    def export(self, path: Path) -> None:
        """Draw all charts into a file; its ending decides the format."""
        from explorer.gantt.export import render

        self._try(
            lambda: render(self._charts.contents(), path, SIZE, self._charts.theme), f"Drawn into {path}"
        )

    def copy(self) -> None:
        """Put a picture of all charts on the clipboard."""
        from explorer.gantt.export import to_image

        def put() -> None:
            image = to_image(self._charts.contents(), SIZE, self._charts.theme)
            QGuiApplication.clipboard().setImage(image)

        self._try(put, "The picture is on the clipboard")

    def _try(self, work: Callable[[], None], sentence: str) -> None:
        try:
            work()
        except SlotscopeError as error:
            self.failed.emit(error)
        else:
            self.written.emit(sentence)

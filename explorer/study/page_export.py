"""Writes the results that the study window shows as a page for browsers, in a thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.files.atomic import Watch
from core.model.errors import Cancelled
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.widgets.worker import Worker, give_way

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pandas as pd
    from PySide6.QtWidgets import QWidget

    from explorer.study.study_run import StudyTask

ENTRY = "Save as page (HTML) …"
FILTER = "Page (*.html)"


class PageExport(QObject):
    """Asks where to, simulates the schedules that go into the page, and writes it.

    Signals
    -------
    reported : a sentence on how far it is, or on what was written
    refused : why it was not; the exception
    """

    reported = Signal(str)
    refused = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._worker = Worker(self)
        self._worker.progressed.connect(
            lambda fraction: self.reported.emit(f"Writing the page: {fraction:.0%}")
        )
        self._worker.finished.connect(self.reported)
        self._worker.failed.connect(self._on_failed)

    def ask_and_write(self, task: StudyTask, frame: pd.DataFrame) -> None:
        """Let the user choose a file, and write the page of a study and its rows."""
        name = f"{task.study.name or 'study'}.html"
        path = ask_where_to_save(self._window, "Save the study as a page", name, FILTER)
        if path is not None:
            self.write(task, frame, path)

    def write(self, task: StudyTask, frame: pd.DataFrame, path: Path) -> None:
        """Write the page."""
        self._worker.follow(partial(_written, task, frame, path))

    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self.refused.emit(error)

    def shutdown(self) -> None:
        """Want nothing more."""
        self._worker.shutdown()


def _written(
    task: StudyTask,
    frame: pd.DataFrame,
    path: Path,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> str:
    from core.charts.study.page import PageLimits, StudySource, study_page  # few windows write one
    from core.charts.study.page_places import ScheduleMaker
    from core.files.schedule_page import write_page
    from core.study.result_folder import program
    from core.study.run_study import open_files

    give_way()
    files = open_files(task.study) if task.files is None else task.files
    maker = ScheduleMaker(task.study, files, task.policies)
    source = StudySource(task.study, frame, program(), maker)
    page = study_page(source, PageLimits(), Watch(progress, should_stop))
    write_page(page.text, path)
    return f"Page written to {path}: {page.words}"

"""Writes the results that the study window shows as a page for browsers, in a thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.files.atomic import Watch
from core.model.errors import Cancelled
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.widgets.worker import Worker, give_way

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pandas as pd

    from explorer.study.policy_consent import PolicyConsent
    from explorer.study.study_pictures import StudyPictures
    from explorer.study.study_run import StudyTask

ENTRY = "Save as page (HTML) …"
FILTER = "Page (*.html)"


class PageExport(QObject):
    """Offers the page in the export menu of the pictures, simulates the schedules in it, and writes it.

    The signals of the pictures say how far it is, that it is written, or why not, as for other exports.
    """

    def __init__(
        self, pictures: StudyPictures, task: Callable[[], StudyTask | None], consent: PolicyConsent
    ) -> None:
        super().__init__(pictures)
        self._pictures, self._task, self._consent = pictures, task, consent
        pictures.export_button.add_own(ENTRY, self.ask_and_write)
        self._worker = Worker(
            self, threads=1, progressed=self._on_progressed, finished=self._on_written, failed=self._on_failed
        )

    def ask_and_write(self) -> None:
        """Let the user choose a file for what is shown, once the policy files in it may run."""
        task, frame = self._task(), self._pictures.frame
        if task is None or frame is None:
            return
        name = f"{task.study.name or 'study'}.html"
        path = ask_where_to_save(self._pictures, "Save the study as a page", name, FILTER)
        if path is not None:
            self._consent.ask_for_all(
                task.sources, partial(self.write, task, frame, path), self._pictures.window()
            )

    def write(self, task: StudyTask, frame: pd.DataFrame, path: Path) -> None:
        """Write the page of a study and its rows."""
        self._worker.follow(partial(_written, task, frame, path))

    def _on_progressed(self, fraction: float) -> None:
        self._pictures.written.emit(f"Writing the page: {fraction:.0%}")

    def _on_written(self, sentence: str) -> None:
        self._pictures.written.emit(sentence)

    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self._pictures.refused.emit(str(error))


def _written(
    task: StudyTask,
    frame: pd.DataFrame,
    path: Path,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> str:
    from core.charts.study.page_places import ScheduleMaker
    from core.charts.study.study_web_page import PageLimits, StudySource, study_page  # few windows write one
    from core.files.schedule_page import write_page
    from core.model.cut_logs import cuts_of
    from core.study.result_folder import program
    from core.study.run_study import open_files

    give_way()
    files = open_files(task.study) if task.files is None else task.files
    maker = ScheduleMaker(task.study, files, task.policies)
    source = StudySource(task.study, frame, program(), maker, cut=cuts_of(files.values()))
    page = study_page(source, PageLimits(), Watch(progress, should_stop))
    write_page(page.text, path)
    return f"Page written to {path}: {page.words}"

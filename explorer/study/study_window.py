"""The study window: the answer in a sentence, what is varied at the left, the picture that fills in."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QWidget
from typing_extensions import override

from core.charts.study.answer_words import plain
from core.charts.study.picture_data import clicked_cell
from core.model.errors import Cancelled, InputError
from core.model.number_text import grouped
from core.study.result_folder import part_paths
from core.study.study import Study
from core.study.study_document import rows_digest
from explorer.study.page_export import PageExport
from explorer.study.policy_consent import NoConsent
from explorer.study.study_bar import StudyBar, workers_field
from explorer.study.study_files import OPEN_WORKLOAD, StudyFiles, save_study
from explorer.study.study_pictures import StudyPictures
from explorer.study.study_run import StudyRun, StudyTask, scenario_of, task_of
from explorer.study.study_settings import DEFAULT_MEASURES, StudySettings
from explorer.study.study_words import progress_text, size_text
from explorer.widgets.error_messages import Message, MessageBar, message_of
from explorer.widgets.layouts import NO_MARGINS, OwnWindow, column, resize_on_screen
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.sentence_bar import SentenceBar
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pandas as pd
    from PySide6.QtGui import QCloseEvent, QResizeEvent, QShowEvent

    from core.model.workload import Workload
    from core.study.run_study import StudyProgress
    from explorer.session.settings import WindowSettings
    from explorer.study.base_of_scenario import HasBase
    from explorer.study.policy_consent import PolicyConsent
    from explorer.widgets.theme import Theme

TITLE = "Study — Slotscope"
NOTHING_YET = "Vary the slots, the policy or another field, and run: the answer stands here"
MEASURE_AFTER_MS = 400
"""So long after the last change of the settings the time is measured."""
MIN_WIDTH = 290
"""Pixels of the fields."""
MIN_FOR_FIELDS = 1400
"""Pixels of the window from which the fields stay beside a picture, unless the user chose."""


class StudyWindow(OwnWindow):
    """A window of its own beside the main window.

    Attributes
    ----------
    settings, sentence, pictures, run : its parts

    Signals
    -------
    cell_wanted : the `CellScenario` that a click asked for, to be opened as a scenario
    reported : a sentence on what was done
    """

    cell_wanted = Signal(object)
    reported = Signal(str)

    def __init__(
        self,
        base: HasBase,
        folder: Path,
        colours: Theme,
        parent: QWidget,
        run: StudyRun | None = None,
        *,
        settings: WindowSettings | None = None,
        consent: PolicyConsent | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(TITLE)
        self.setObjectName("study")
        resize_on_screen(self, 1360, 820)
        self._base, self._folder, self._remembered = base, folder, settings
        self._consent = NoConsent() if consent is None else consent
        self._held: dict[str, Workload] = {}
        self._task: StudyTask | None = None
        self._is_around, self._had_picture = True, False
        self._wrong: Message | None = None
        self._refused = Message("")
        self.messages = MessageBar(self)
        self.settings = StudySettings()
        self.pictures = StudyPictures(colours)
        self.run = StudyRun(self) if run is None else run
        self._opener = Worker(self, finished=self.cell_wanted, failed=self.messages.show_error)
        self.page_export = PageExport(self.pictures, lambda: self._task, self._consent)
        self.files = StudyFiles(self)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._place_fields()
        self._show_sentence()

    # ---- building

    def _make_parts(self) -> None:
        self.size_label = PlainLabel(wraps=True)
        self.workers = workers_field()
        self.bar = StudyBar(self.files, self.pictures.export_button)
        self.run_button, self.progress, self.status = self.bar.run_button, self.bar.progress, self.bar.status
        self.sentence = SentenceBar()
        self._settled = QTimer(self, singleShot=True, interval=MEASURE_AFTER_MS)
        self._settled.timeout.connect(self._measure)

    def _lay_out(self) -> None:
        self.fields = QWidget()
        foot = column(self.workers, self.size_label, spacing=4)
        column((self.settings, 1), foot, parent=self.fields, margins=(10, 8, 6, 8))
        self.fields.setMinimumWidth(MIN_WIDTH)
        self.splitter = QSplitter(childrenCollapsible=False)
        self.splitter.addWidget(self.fields)
        self.splitter.addWidget(self.pictures)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([MIN_WIDTH, 1000])
        parts = (self.bar, self.messages, self.sentence, (self.splitter, 1))
        column(*parts, parent=self, margins=NO_MARGINS, spacing=0)

    def _connect(self) -> None:
        files = self.files
        files.begin_wanted.connect(self.begin)
        files.opened.connect(self.show_study)
        files.results_opened.connect(self.show_results)
        files.run_wanted.connect(self.start)
        files.fields_wanted.connect(self._on_fields_wanted)
        files.retry_wanted.connect(self.retry)
        files.save_wanted.connect(self.save)
        files.close_wanted.connect(self.close)
        files.original_changed.connect(self._show_title)
        files.reported.connect(self.status.setText)
        files.failed.connect(self.messages.show_error)
        self.settings.changed.connect(self._on_changed)
        self.workers.valueChanged.connect(self._on_changed)
        self.pictures.spot_chosen.connect(self._on_spot)
        self.pictures.drawn.connect(self._on_drawn)
        self.pictures.written.connect(self.status.setText)
        self.pictures.refused.connect(self.messages.show_sentence)
        self.run.progressed.connect(self._on_progressed)
        self.run.rows_came.connect(self._on_rows)
        self.run.ended.connect(self._on_ended)
        self.run.failed.connect(self._on_failed)
        self.run.measured.connect(self._on_measured)

    def set_theme(self, colours: Theme) -> None:
        """Draw in other colours."""
        self.pictures.set_theme(colours)

    # ---- the fields, and the sentence

    @property
    def _has_picture(self) -> bool:
        return self.pictures.data is not None and self.pictures.data.runs > 0

    def _place_fields(self) -> None:
        """Show the fields: where there is no picture, where the window is wide, or as the user chose."""
        chosen = None if self._remembered is None else self._remembered.study_fields
        are_wanted = self.width() >= MIN_FOR_FIELDS if chosen is None else chosen
        self._show_fields(are_wanted or not self._has_picture)

    def _show_fields(self, are_shown: bool) -> None:
        if not are_shown:
            self._leave_fields()
        self.fields.setVisible(are_shown)
        self.files.actions_by_id["fields"].setChecked(are_shown)

    def _leave_fields(self) -> None:
        """Give the keyboard to the picture if one of the fields has it."""
        focused = self.focusWidget()
        if focused is not None and self.fields.isAncestorOf(focused):
            self.pictures.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_fields_wanted(self, are_wanted: bool) -> None:
        self._show_fields(are_wanted)
        if self._remembered is not None:
            self._remembered.study_fields = are_wanted

    def _on_drawn(self) -> None:
        if self._had_picture != self._has_picture:
            self._had_picture = self._has_picture
            self._place_fields()
        self._show_sentence()

    def _show_sentence(self) -> None:
        """Show the answer; before there is one, how much is to be run, or what is to be done."""
        data = self.pictures.data
        if data is not None and data.answer:
            self.sentence.show_clauses(data.answer)
        elif self.settings.rows:
            self.sentence.show_clauses([plain(self.size_label.text().removesuffix("."))])
        else:
            self.sentence.show_clauses([plain(NOTHING_YET)])

    # ---- which study

    def vary(self, field: str) -> None:
        """Show the window with a field as one of the axes, around the active scenario."""
        self.show_in_front()
        if not self._is_around:
            self.begin()
        self._show_fields(True)
        try:
            self.settings.vary(field)
        except InputError as error:
            self.messages.show_error(error)

    def begin(self) -> None:
        """Begin a study around the active scenario, with nothing varied yet."""
        self.files.set_original(None)
        self._is_around = True
        self.settings.show_study(Study("Study", (), measures=DEFAULT_MEASURES))
        self.follow()

    def follow(self) -> None:
        """Hold the active scenario of the open document still, as it is now, if the study is around it."""
        if not self._is_around or not self.isVisible():
            return
        try:
            base = self._base()
        except InputError as error:
            self._refused = message_of(error)
            self.messages.show_message(self._refused)
            return
        self.messages.retract(self._refused)
        if base.workload is not None:
            self._held = {OPEN_WORKLOAD: base.workload}
            base = replace(base, changes=(("workload.file", OPEN_WORKLOAD), *base.changes))
        self.settings.show_base(base)

    def show_study(self, study: Study) -> None:
        """Show a study, and the rows that an earlier run of it has left."""
        self._is_around = False
        self.messages.clear()
        self.settings.show_study(study)
        self.pictures.show_study(study)
        self._task = None
        try:
            self._task = self._task_of(study)
        except InputError as error:
            self.messages.show_error(error)
        if self._task is not None and part_paths(self._task.folder):
            self.run.look(self._task.folder)

    def show_results(self, study: Study, folder: Path) -> None:
        """Show a study with the rows of a folder."""
        self.show_study(study)
        if self._task is not None:
            self._task = self._task._replace(folder=folder)
        self.run.look(folder)

    def save(self, path: Path) -> None:
        """Write the study into a file."""
        try:
            save_study(self.settings.study, path, self._held.get(OPEN_WORKLOAD))
        except InputError as error:
            self.messages.show_error(error)
        else:
            self.files.set_original(None)
            self.status.setText(f"Saved to {path}")

    def _show_title(self) -> None:
        original = self.files.original
        self.setWindowTitle(TITLE if original is None else f"{original.name} (original) — {TITLE}")

    # ---- how large it is

    def _task_of(self, study: Study) -> StudyTask:
        return task_of(study, self._folder, self._held, self.workers.value())

    def _on_changed(self) -> None:
        self._settled.start()
        self._show_size(math.nan)

    def _measure(self) -> None:
        if self.run.is_running or not self.isVisible() or not self.settings.rows:
            return
        try:
            task = self._task_of(self.settings.study)
        except InputError:
            return
        if self._consent.may_run_all(task.sources):
            self.run.measure(task)

    def _on_measured(self, task: StudyTask, seconds: float) -> None:
        try:
            if task.study == self.settings.study and not self.run.is_running:
                self._show_size(seconds)
        except InputError:
            return

    def _show_size(self, seconds: float) -> None:
        """Show how many cells there are and how long they take, or what is wrong with the settings."""
        can_run = True
        try:
            study = self.settings.study
        except InputError as error:
            text, can_run = str(error), False
        else:
            text = size_text(study, seconds, self.workers.value()) if study.axes else ""
            can_run = bool(study.axes)
        self._allow_run(can_run or self.run.is_running)
        self.size_label.setText(text)
        self.size_label.setVisible(bool(text))
        self._show_sentence()

    def _allow_run(self, is_allowed: bool) -> None:
        self.files.actions_by_id["run"].setEnabled(is_allowed)

    # ---- running

    def start(self) -> None:
        """Run the study, or stop it if it runs."""
        if self.run.is_running:
            self.run.stop()
            self._allow_run(False)
        else:
            self._begin_run(retry=False)

    def retry(self) -> None:
        """Run the cells again that gave no result, where the rows lie that are shown."""
        if not self.run.is_running:
            self._begin_run(retry=True)

    def _begin_run(self, *, retry: bool) -> None:
        """Run what the fields say, once the user has agreed to the policy files in it."""
        try:
            task = self._task_of(self.settings.study)._replace(retry=retry)
        except InputError as error:
            self.messages.show_error(error)
        else:
            self._consent.ask_for_all(task.sources, partial(self._run_task, task), self)

    def _run_task(self, task: StudyTask) -> None:
        self.messages.clear()
        shown, self._task, study = self._task, task, task.study
        if task.retry and shown is not None and rows_digest(shown.study) == rows_digest(study):
            self._task = task._replace(folder=shown.folder)
        if self.pictures.study != study:
            self.pictures.show_study(study)
        self.run.start(self._task)
        self._show_running(is_running=True)

    def _show_running(self, *, is_running: bool) -> None:
        if is_running:
            self._leave_fields()
        self.bar.show_running(is_running=is_running)
        self._allow_run(True)
        self.settings.setEnabled(not is_running)

    def _on_progressed(self, progress: StudyProgress) -> None:
        self.progress.setValue(round(1000 * progress.done / max(progress.total, 1)))
        self.status.setText(progress_text(progress))

    def _on_rows(self, frame: pd.DataFrame) -> None:
        self.pictures.show_rows(frame)
        wrong = frame["error"].dropna()
        self.files.actions_by_id["retry"].setEnabled(len(wrong) > 0)
        if self._wrong is not None:
            self.messages.retract(self._wrong)
            self._wrong = None
        if len(wrong):
            counts = f"{grouped(len(wrong))} of {grouped(len(frame))}"
            self._wrong = Message(f"{counts} simulations gave no result: {wrong.iloc[0]}")
            self.messages.show_message(self._wrong)

    def _on_ended(self, progress: StudyProgress) -> None:
        self._show_running(is_running=False)
        self._show_size(math.nan)
        if not progress.is_complete:
            self.status.setText(
                f"Stopped; Run goes on: {progress_text(replace(progress, seconds_left=math.inf))}"
            )

    def _on_failed(self, error: Exception) -> None:
        self._show_running(is_running=False)
        if not isinstance(error, Cancelled):
            self.messages.show_error(error)

    # ---- opening cells

    def _on_spot(self, fixed: Mapping[str, int]) -> None:
        """Open the schedule of what was clicked; drawing its jobs may take a moment."""
        study, frame, task = self.pictures.study, self.pictures.frame, self._task
        data = self.pictures.data
        if study is None or frame is None or task is None or data is None:
            return
        cell = clicked_cell(study, frame, data.choice, fixed)
        open_cell = partial(self._opener.start, partial(scenario_of, task, cell))
        self._consent.ask_for_all(task.sources, open_cell, self)

    # ---- events

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = [size.width() >= MIN_FOR_FIELDS for size in (event.oldSize(), event.size())]
        if is_wide[0] != is_wide[1]:
            self._place_fields()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous() and self.focusWidget() is None:
            self.settings.vary_button.setFocus(Qt.FocusReason.OtherFocusReason)
        if event.spontaneous() or not self._is_around:
            return
        if self.settings.rows:
            self.follow()  # the document may be another one by now
        else:
            self.begin()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        self._settled.stop()
        self.run.stop()
        super().closeEvent(event)

    def shutdown(self) -> None:
        """End everything, and wait for it: the main window closes."""
        self._settled.stop()
        self.run.shutdown()
        self.close()

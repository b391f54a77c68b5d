"""Changing a job of a shared scan: fields of the selected job, other places tried while it is dragged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QWidget

from core.model.errors import InputError
from core.model.job import Job, scan_stage
from core.model.limits import MAX_SLOTS
from core.model.task_types import MAP
from explorer.widgets.layouts import NO_MARGINS, row
from explorer.widgets.number_fields import CountField, NumberField
from explorer.widgets.plain_labels import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.job import Dataset
    from core.model.workload import Workload
    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState


NO_JOB = "Click a job's row to change it; drag the row to move it."


class ScanJobFields(QWidget):
    """Edits the selected job, one step of undo per change."""

    def __init__(
        self,
        editor: Editor,
        view_state: ViewState,
        on_error: Callable[[Exception], None],
    ) -> None:
        super().__init__()
        self._editor, self._view_state, self._on_error = editor, view_state, on_error
        self._is_filling = False
        self.title = ElidedLabel(NO_JOB)
        self.arrival = NumberField(0, 1e12, "s")
        self.dataset = QComboBox()
        self.dataset.view().setTextElideMode(Qt.TextElideMode.ElideNone)  # the list has whole names
        self.weight = NumberField(1e-6, 1e12)
        self.least = CountField(0, MAX_SLOTS, "slots")
        self.most = CountField(0, MAX_SLOTS, "slots")
        self.most.setSpecialValueText("no limit")
        self.arrival.setToolTip("When the job arrives, in seconds")
        self.dataset.setToolTip("The dataset that the job scans")
        self.weight.setToolTip("Its share relative to other jobs, for weighted metrics")
        self.least.setToolTip("Map slots that it should hold at least")
        self.most.setToolTip("Map slots that it may hold at most; 0 for no limit")
        self._place()
        for field in (self.arrival, self.weight, self.least, self.most):
            field.valueChanged.connect(self._on_changed)
        self.dataset.currentIndexChanged.connect(self._on_changed)
        view_state.selected_job_changed.connect(self.fill)
        for signal in (editor.document.workload_changed, editor.document.reset):
            signal.connect(self.fill)
        self.fill()

    def _place(self) -> None:
        layout = row((self.title, 1), parent=self, margins=NO_MARGINS)
        for rows in (
            (("&Arrival", self.arrival), ("&Dataset", self.dataset)),
            (("Wei&ght", self.weight),),
            (("M&inimum", self.least), ("Ma&ximum", self.most)),
        ):
            form = QFormLayout()
            for label, field in rows:
                form.addRow(label, field)
            layout.addLayout(form)

    @property
    def _job(self) -> Job | None:
        name, workload = self._view_state.selected_job, self._editor.document.workload
        return None if name not in workload.job_index else workload.jobs[workload.job_index[name]]

    def fill(self) -> None:
        """Show the selected job."""
        job = self._job or Job("")
        self._is_filling = True
        for field in (self.arrival, self.dataset, self.weight, self.least, self.most):
            field.setEnabled(bool(job.name))
        self.title.setText(f"Job {job.name}" if job.name else NO_JOB)
        self.dataset.clear()
        self.dataset.addItems([dataset.name for dataset in self._editor.document.workload.datasets])
        self.dataset.setCurrentIndex(self.dataset.findText(job.dataset or ""))
        self.arrival.setValue(job.arrival)
        self.weight.setValue(job.weight)
        self.least.setValue(job.min_slots)
        self.most.setValue(job.max_slots or 0)
        self._is_filling = False

    def _on_changed(self) -> None:
        job = self._job
        if self._is_filling or job is None:
            return
        workload = self._editor.document.workload
        changed = replace(
            job,
            arrival=self.arrival.value(),
            weight=self.weight.value(),
            min_slots=self.least.value(),
            max_slots=self.most.value() or None,
        )
        name = self.dataset.currentText()
        if name and name != (job.dataset or ""):
            changed = _scanning(changed, next(each for each in workload.datasets if each.name == name))
        try:
            self._editor.replace_job(workload.job_index[job.name], changed)
        except InputError as error:
            self._on_error(error)
            self.fill()


class WhatIf(QObject):
    """The document's workload or, while a job is dragged, the workload as it would be.

    Signals
    -------
    changed : `workload` is another one
    refused : the error that a place for a job would make
    """

    changed = Signal()
    refused = Signal(object)

    def __init__(self, editor: Editor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._preview: Workload | None = None

    @property
    def workload(self) -> Workload:
        """What is to be scheduled now."""
        return self._preview or self._editor.document.workload

    @property
    def is_dragging(self) -> bool:
        """Whether that is a workload which the document does not have."""
        return self._preview is not None

    def drag(self, job: int, arrival: float, dataset: int) -> None:
        """Try a job at another time (seconds) and, if the number is that of a listed one, another dataset."""
        workload = self._editor.document.workload
        try:
            jobs = (*workload.jobs[:job], self._moved(job, arrival, dataset), *workload.jobs[job + 1 :])
            self._preview = workload.with_jobs(jobs)
        except InputError as error:
            self.refused.emit(error)
        self.changed.emit()

    def drop(self, job: int, arrival: float, dataset: int) -> None:
        """Move a job there, one step of undo."""
        self._preview = None
        try:
            self._editor.replace_job(job, self._moved(job, arrival, dataset))
        except InputError as error:
            self.refused.emit(error)
        self.changed.emit()

    def targets(self, job: int) -> tuple[int, ...]:
        """Return the numbers of the datasets that a job could scan instead of its own."""
        return tuple(
            number
            for number in range(len(self._editor.document.workload.datasets))
            if not self._why_not(job, number)
        )

    def words_of_drop(self, job: int, dataset: int) -> str:
        """Return what dropping a job upon a dataset does, or why it cannot be."""
        workload = self._editor.document.workload
        why_not, old = self._why_not(job, dataset), workload.jobs[job]
        return why_not or f"{old.name} scans {workload.datasets[dataset].name} instead of {old.dataset}"

    def move_to(self, job: int, dataset: int) -> None:
        """Let a job scan another dataset from when it arrives now, one step of undo."""
        self.drop(job, self._editor.document.workload.jobs[job].arrival, dataset)

    def _why_not(self, job: int, dataset: int) -> str:
        """Return why a job cannot scan a dataset instead of its own; nothing if it can."""
        workload = self._editor.document.workload
        old = workload.jobs[job]
        if dataset >= len(workload.datasets):
            return "Its jobs name no dataset of the workload"
        if workload.datasets[dataset].name == old.dataset:
            return f"{old.name} scans {old.dataset} already"
        try:
            _scanning(old, workload.datasets[dataset])
        except InputError as error:
            return str(error)
        return ""

    def nudge(self, job: int, seconds: float, further: int) -> None:
        """Move a job from where it is in the document, so many datasets further down."""
        workload = self._editor.document.workload
        names, old = [dataset.name for dataset in workload.datasets], workload.jobs[job]
        dataset = len(names)  # none of those listed: it stays on its own
        if old.dataset in names:
            dataset = min(max(names.index(old.dataset) + further, 0), len(names) - 1)
        self.drop(job, max(old.arrival + seconds, 0.0), dataset)

    def cancel(self) -> None:
        """Go back to the document's workload."""
        self._preview = None
        self.changed.emit()

    def _moved(self, job: int, arrival: float, dataset: int) -> Job:
        workload = self._editor.document.workload
        old = workload.jobs[job]
        moved = replace(old, arrival=arrival)
        if dataset < len(workload.datasets) and workload.datasets[dataset].name != old.dataset:
            moved = _scanning(moved, workload.datasets[dataset])
        return moved


def _scanning(job: Job, dataset: Dataset) -> Job:
    """Return a job that scans the whole of another dataset."""
    return replace(job.with_stage(MAP, scan_stage(dataset)), dataset=dataset.name, blocks=())

"""What would be if a job arrived at another time or scanned another dataset: tried while it is dragged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.model.dataset import scan_stage
from core.model.errors import InputError

if TYPE_CHECKING:
    from core.model.workload import Job, Workload
    from explorer.document.editor import Editor


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
            chosen = workload.datasets[dataset]
            moved = replace(moved, dataset=chosen.name, blocks=(), maps=scan_stage(chosen))
        return moved

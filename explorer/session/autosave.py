"""Writes the session while the user edits, so that a kill loses nothing that was dropped."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from core.files.session_document import Session
from core.model.errors import InputError
from explorer.session.session_folder import (
    SessionFolder,
    changed_jobs,
    difference,
    number_count,
    sample_count,
    sessions_folder,
)
from explorer.widgets.worker import Call, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from core.model.workload import Job, Workload
    from explorer.document.editor import Editor

DELAY_MS = 500
"""After an edit, so that turning a spin box writes twice a second and not at every step."""

MOST_NUMBERS_AT_ONCE = 20_000
"""Documents up to this size are written in the window's thread (20 ms), larger ones by a worker."""


class Autosave(QObject):
    """One window's session: a drop is on disk when `Editor.drop_order` returns, other edits 0.5 s later.

    The whole document is written when it is loaded (and again when a lot of it has changed), later only
    what differs. Nothing is offered back for a document that equals its file.

    Signals
    -------
    failed : the exception of a write that failed; the next one is tried anyway, and told only after a success
    """

    failed = Signal(object)

    def __init__(
        self,
        editor: Editor,
        layout: Callable[[], Mapping[str, Any]] = dict,
        sessions: Path | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._layout = layout
        self._folder = SessionFolder.for_new_window(sessions or sessions_folder())
        self._base: Workload | None = None
        self._base_name = ""
        self._has_failed = False
        self._worker = Worker(self, threads=1)
        self._worker.ended.connect(self._on_ended)
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self.save)
        editor.edited.connect(self._save_soon)
        editor.modified_changed.connect(self._save_soon)
        editor.dropped.connect(self.save)
        editor.document.reset.connect(self._on_reset)

    def start(self) -> None:
        """Make this window's folder and write the document; a failure is told, and the window goes on."""
        try:
            self._folder.create()
        except InputError as error:
            self._note_failure(error)
        self._write_base()

    @property
    def path(self) -> Path:
        """The folder of this window's session."""
        return self._folder.path

    def save(self) -> None:
        """Write now what has changed."""
        self._timer.stop()
        if self._worker.is_busy:
            return  # the base is under way, and the edits follow it
        if self._base is None or sample_count(self._changed(self._base)) > MOST_NUMBERS_AT_ONCE:
            self._write_base()
        else:
            self._write_edits(self._base)

    def flush(self) -> None:
        """Write all, and return when it is written."""
        self.save()
        self._worker.wait()

    def close(self) -> None:
        """End the session cleanly: the document is saved or discarded, so nothing is to be recovered."""
        self._timer.stop()
        self._editor.edited.disconnect(self._save_soon)
        self._editor.modified_changed.disconnect(self._save_soon)
        self._editor.dropped.disconnect(self.save)
        self._editor.document.reset.disconnect(self._on_reset)
        self._worker.shutdown()
        self._folder.remove()

    def _changed(self, base: Workload) -> tuple[Job, ...]:
        return changed_jobs(self._editor.document.workload, base)

    def _session(self) -> Session:
        path = self._editor.document.path
        return Session(self._editor.document.state, dict(self._layout()), None if path is None else str(path))

    # The file of edits

    def _save_soon(self, _modified: bool = False) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _write_edits(self, base: Workload) -> None:
        try:
            if self._editor.is_modified:
                self._folder.write_edits(difference(self._session(), base, self._base_name))
                self._folder.keep_only_base(self._base_name)
            else:
                self._folder.forget_edits()
        except (InputError, OSError) as error:
            self._note_failure(error)
        else:
            self._has_failed = False

    # The file of the whole document

    def _on_reset(self) -> None:
        self._base = None
        self._folder.forget_edits()
        self._write_base()

    def _write_base(self) -> None:
        self._worker.cancel()  # another document may have been loaded meanwhile
        session, name = self._session(), self._folder.next_base()
        workload, write = session.state.workload, partial(self._folder.write_base, session, name)
        if number_count(workload) > MOST_NUMBERS_AT_ONCE:
            self._worker.start(write, about=(workload, name))
            return
        try:
            write()
        except Exception as error:  # the window shows every failure
            self._note_failure(error)
        else:
            self._use_base(workload, name)

    def _on_ended(self, run: Call) -> None:
        if run.error is None:
            self._use_base(*run.about)
        else:
            self._note_failure(run.error)

    def _use_base(self, workload: Workload, name: str) -> None:
        """Write edits as differences to the base that is on disk now."""
        self._base, self._base_name = workload, name
        self.save()

    def _note_failure(self, error: object) -> None:
        if not self._has_failed:
            self._has_failed = True
            self.failed.emit(error)

"""Writes the journal while the user edits, so that a kill loses nothing that was committed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEventLoop, QObject, QTimer, Signal

from core.files.journal import Journal, sync_file
from core.model.errors import InputError
from explorer.session.session_folder import SessionFolder, sessions_folder
from explorer.widgets.worker import Call, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from core.files.journal import History
    from explorer.document.editor import Editor
    from explorer.session.session_folder import Recoverable

RETRY_MS = 5000
"""After a failure, so that edits are safe soon after there is room again."""

SHOWING_MS = 500
"""Another large document is written that much later: its panels fill without waiting for the thread."""

MAX_JOBS, MAX_TASKS = 5_000, 1_000_000
"""The document of so many is written in a tenth of a second, and for 300 000 jobs in four seconds."""

PATIENCE_MS = 50
"""So long an edit of a large document is waited for before the window paints: most take less."""


class Autosave(QObject):
    """One window's session: every edit is with the system before its signals have returned.

    The whole document is written by a worker when it is loaded; an edit that comes earlier waits for it.
    Later each edit is appended, and a worker has the disk take it soon after. For a large document either
    may take seconds, in which the window paints and takes no input. Nothing is offered back for a document
    that equals its file.

    Signals
    -------
    failed : an InputError with what to do; the next writing is tried anyway, and told only after a success
    succeeded : a sentence, after a failure that was told
    """

    failed = Signal(object)
    succeeded = Signal(str)

    def __init__(
        self,
        editor: Editor,
        about_window: Callable[[], Mapping[str, Any]] = dict,
        sessions: Path | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor, self._about_window = editor, about_window
        self._folder = SessionFolder.for_new_window(sessions or sessions_folder())
        self._journal: Journal | None = None
        self._replaced: list[Recoverable] = []
        self._has_failed = False
        self._worker = Worker(self, threads=1, ended=self._on_ended)
        self._syncing = Worker(self, threads=1, failed=self._note_failure)
        self._is_appending = self._has_more = False
        self._retry = QTimer(self, singleShot=True, interval=RETRY_MS)
        self._retry.timeout.connect(self._begin)
        self._after_showing = QTimer(self, singleShot=True, interval=SHOWING_MS)
        self._after_showing.timeout.connect(self._begin)
        editor.edited.connect(self.save)
        editor.modified_changed.connect(self.note)
        editor.document.path_changed.connect(self.note)
        editor.document.reset.connect(self._on_reset)

    @property
    def path(self) -> Path:
        """The folder of this window's session."""
        return self._folder.path

    def start(self) -> None:
        """Make this window's folder and write the document; a failure is reported, and the window goes on."""
        self._begin()

    def save(self) -> None:
        """Write what has happened to the document; the system has it when this returns."""
        if self._journal is None and not self._worker.is_busy:
            self._begin()  # it has failed, and perhaps there is room again; or it was just shown
        if self._journal is None and not self._has_failed:
            self._wait_for_document()
        self.note()

    def _wait_for_document(self) -> None:
        """Return when the document that an edit belongs to is written."""
        while self._journal is None and self._worker.is_busy:
            self._wait()

    def _wait(self) -> None:
        """Return when the worker has ended something; with a large document the window paints meanwhile."""
        if self._worker.wait(PATIENCE_MS if self._is_large else None):
            return
        loop = QEventLoop()
        self._worker.ended.connect(loop.quit)
        loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)

    def note(self) -> None:
        """Write likewise, unless the document itself is still being written: then soon."""
        self._has_more = True
        if self._is_appending:
            return  # whoever does sees what has come meanwhile
        self._is_appending = True
        try:
            while self._has_more and self._journal is not None:
                self._has_more = False
                self._append(self._journal)
        finally:
            self._is_appending = False

    def _append(self, journal: Journal) -> None:
        """Append what has happened; to a large document in the worker, as very many jobs take long."""
        editor, stack, about = self._editor, self._editor.undo_stack, self._about()
        if self._is_large:
            steps = editor.history.steps  # a thread does not look at the stack
            follow = partial(journal.follow, len(steps), stack.index(), steps.__getitem__, about)
            call = self._worker.start(follow)
            while call.is_wanted and self._worker.is_busy:
                self._wait()
            return
        try:
            self._sync(has_changed=journal.follow(stack.count(), stack.index(), editor.step, about))
        except OSError as error:
            self._note_failure(error)

    def _sync(self, *, has_changed: bool) -> None:
        if has_changed:
            self._syncing.start(partial(sync_file, self._folder.journal))

    @property
    def _is_large(self) -> bool:
        """Whether the window would stand still while it waits for the whole document."""
        workload = self._editor.document.workload
        return len(workload.jobs) > MAX_JOBS or workload.map_count + workload.reduce_count > MAX_TASKS

    def flush(self) -> None:
        """Write all, and return when the disk has it."""
        self.save()
        for worker in (self._worker, self._syncing):
            worker.wait()

    def replace(self, recovered: Recoverable) -> None:
        """Discard a session as soon as the document that is loaded next is safely on disk instead."""
        self._replaced.append(recovered)

    def close(self) -> None:
        """End the session cleanly: the document is saved or discarded, so nothing is to be recovered."""
        self._retry.stop()
        self._after_showing.stop()
        self._editor.edited.disconnect(self.save)
        self._editor.modified_changed.disconnect(self.note)
        self._editor.document.path_changed.disconnect(self.note)
        self._editor.document.reset.disconnect(self._on_reset)
        for worker in (self._worker, self._syncing):
            worker.shutdown()
        for recovered in self._replaced:
            recovered.release()
        self._folder.remove()

    def _about(self) -> dict[str, Any]:
        editor, stack = self._editor, self._editor.undo_stack
        path, saved = editor.document.path, max(stack.cleanIndex(), 0)
        return {
            "name": editor.document.workload.name,
            "path": None if path is None else str(path),
            "modified": editor.is_modified,
            "edits": abs(stack.index() - saved),
            **self._about_window(),
        }

    def _on_reset(self) -> None:
        self._folder.forget()
        self._journal = None
        self._syncing.cancel()  # there is no file any more
        if self._is_large:
            self._worker.cancel()  # what is being written belongs to the document before
            self._after_showing.start()
        else:
            self._begin()

    def _begin(self) -> None:
        """Write the document with its steps of undo."""
        self._retry.stop()
        self._after_showing.stop()
        self._journal = None
        write = partial(_begun, self._folder, self._editor.history, self._about())
        self._worker.start(write, about=True)

    def _on_ended(self, run: Call) -> None:
        if run.error is not None:
            self._note_failure(run.error)
        elif run.about:
            self._journal = run.answer
            if self._has_failed:
                self._has_failed = False
                self.succeeded.emit("all your edits are safe from a crash again")
            for recovered in self._replaced:
                recovered.discard()
            self._replaced.clear()
            self.note()  # what happened meanwhile
        else:
            self._sync(has_changed=run.answer)

    def _note_failure(self, error: Exception) -> None:
        """Report it, and begin anew later: a part of a record may stand at the end of the file."""
        self._journal = None
        self._retry.start()
        if not self._has_failed:
            self._has_failed = True
            self.failed.emit(self._error_of(error))

    def _error_of(self, error: Exception) -> Exception:
        if not isinstance(error, OSError):
            return error
        reason = (error.strerror or str(error)).lower()
        return InputError(
            f"your edits are not safe from a crash: cannot write to '{self.path}': {reason}; make room there "
            f"or save the session to another disk (it is tried again every {RETRY_MS // 1000} seconds)"
        )


def _begun(folder: SessionFolder, history: History, about: Mapping[str, Any]) -> Journal:
    folder.create()
    return Journal.begin(folder.journal, history, about)

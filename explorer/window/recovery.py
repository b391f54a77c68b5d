"""What a crash left: offers every session that can be restored, and opens one of them in the window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from core.files.file_mark import FileMark
from core.files.resources import is_original
from explorer.dialogs.recovery_dialog import RecoveryDialog
from explorer.session.session_folder import recoverable_sessions
from explorer.widgets.error_messages import message_of
from explorer.widgets.worker import Call, Worker
from explorer.window.files.document_work import OpenedDocument, remembered_lesson
from explorer.window.frame.layout import layout_of

if TYPE_CHECKING:
    from core.files.journal import ReadJournal
    from explorer.session.autosave import Autosave
    from explorer.session.session_folder import Recoverable
    from explorer.window.main_window import MainWindow


def about_window(window: MainWindow) -> dict[str, Any]:
    """Return what a session remembers of its window beside the document."""
    mark, original = window.files.disk.mark(window.document.path), window.files.original
    return {
        **_about_lesson(window),
        "layout": layout_of(window) | {"view": window.view_state.values()},
        "original": None if original is None else str(original),
        "mark": None if mark is None else [list(mark.status), mark.digest.hex()],
    }


def _about_lesson(window: MainWindow) -> dict[str, Any]:
    """Return what is remembered of a lesson: it is to come back at its step, edited or not."""
    walk = window.lessons.steps.walk
    if walk is None:
        return {}
    name = f"{walk.lesson.name}, step {walk.number + 1}"
    return {"modified": True, "name": name, **window.lessons.values()}


class Recovery(QObject):
    """Offers recovery once, at the start; a session is read in a thread and kept until there is a new one."""

    def __init__(self, window: MainWindow, autosave: Autosave) -> None:
        super().__init__(window)
        self._window, self._autosave = window, autosave
        self._sessions: list[Recoverable] = []
        self._dialog: RecoveryDialog | None = None
        self._worker = Worker(self, ended=self._on_ended)

    def offer(self) -> None:
        """List the sessions, if there are any."""
        self._sessions = list(recoverable_sessions())
        if self._sessions:
            self._dialog = RecoveryDialog(self._sessions, self._window)
            self._dialog.restore_wanted.connect(self._on_restore_wanted)
            self._dialog.discard_wanted.connect(self._on_discard_wanted)
            self._dialog.open()

    def _on_discard_wanted(self, session: Recoverable) -> None:
        session.discard()
        self._sessions.remove(session)
        self._show()

    def _on_restore_wanted(self, session: Recoverable) -> None:
        if self._dialog is not None:
            self._dialog.set_waiting(True)
        self._worker.start(session.restore, about=session)

    def _on_ended(self, run: Call) -> None:
        if run.error is not None:
            self._show(message_of(run.error).sentence)
            return
        if self._dialog is not None:
            self._dialog.accept()
        self._open(run.about, run.answer)

    def _show(self, problem: str = "") -> None:
        if self._dialog is not None:
            self._dialog.show_sessions(self._sessions, problem)

    def _open(self, session: Recoverable, read: ReadJournal) -> None:
        window, history = self._window, read.history
        if read.damage:
            session.release()
        else:
            self._autosave.replace(session)
        lesson = remembered_lesson(read.about)
        original = read.about.get("original")
        opened = OpenedDocument(
            history.state,
            layout=read.about.get("layout"),
            lesson=lesson,
            original=Path(original) if isinstance(original, str) and is_original(original) else None,
        )
        if read.about.get("path") is not None:
            path, mark = Path(read.about["path"]), read.about.get("mark")
            known = None if mark is None else FileMark(tuple(mark[0]), bytes.fromhex(mark[1]))
            opened = replace(opened, path=path, marks={path: known})
        window.files.show(opened, history if history.steps or lesson is None else None)  # a step as it was
        if read.damage:
            kept = "it stays in the list of sessions until you discard it there"
            window.messages.show_sentence(f"{session.title}: {read.damage}; {kept}")

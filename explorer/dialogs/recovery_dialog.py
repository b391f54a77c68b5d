"""After a crash: all sessions that can be restored, to choose one, or to throw some away."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut

from explorer.widgets.layouts import Dialog, column, push_button, resize_on_screen, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.tables import Column, ReadTable, RowsModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

QUESTION = (
    "Slotscope did not close cleanly. These sessions can be restored with all their edits, and Undo works as "
    "before. Those that stay in the list are offered again at the next start."
)


class Offered(Protocol):
    """The description of a session."""

    title: str
    path: str | None
    edited_at: float
    edits: int | None


def _when(session: Offered) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(session.edited_at))


COLUMNS: tuple[Column[Offered], ...] = (
    Column("Workload", lambda session: session.title, typical="A workload of a usual name"),
    Column(
        "File",
        lambda session: session.path or "never saved",
        "The file that the session was opened from or saved to",
        typical="/home/somebody/week.slotscope",
    ),
    Column("Last edited", _when, typical="2026-11-22 10:00"),
    Column(
        "Edits",
        lambda session: "–" if session.edits is None else str(session.edits),
        "Steps of undo since it was opened or saved",
        is_number=True,
        typical="10 000",
    ),
)


class RecoveryDialog(Dialog):
    """Lists sessions; Enter restores the chosen one, Delete twice discards it, Escape leaves all for later.

    Signals
    -------
    restore_wanted, discard_wanted : this session was chosen
    """

    restore_wanted = Signal(object)
    discard_wanted = Signal(object)

    def __init__(self, sessions: Sequence[Offered], parent: QWidget | None = None) -> None:
        super().__init__("Restore sessions", parent)
        self.setObjectName("recovery")
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._doomed: Offered | None = None
        self._model: RowsModel[Offered] = RowsModel(COLUMNS, self)
        self.table = ReadTable(self._model, "Sessions that can be restored", widest=1)
        self.problem = PlainLabel(wraps=True)
        self.problem.setForegroundRole(self.palette().ColorRole.BrightText)
        self.restore_button = push_button(
            "&Restore", "Open this session here, with all its edits", self._restore
        )
        self.restore_button.setDefault(True)
        self.discard_button = push_button("&Discard", "Delete this session and its edits", self._discard)
        self.later_button = push_button("&Later", "Keep them all, and ask at the next start", self.reject)
        buttons = row(self.discard_button, None, self.later_button, self.restore_button)
        column(PlainLabel(QUESTION, wraps=True), (self.table, 1), self.problem, buttons, parent=self)
        self.table.activated.connect(self._restore)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.table)
        delete.activated.connect(self._discard)
        resize_on_screen(self, 860, 280)
        self.show_sessions(sessions)
        self.table.selectionModel().currentRowChanged.connect(self._forget_doomed)
        self.table.setFocus()

    def show_sessions(self, sessions: Sequence[Offered], problem: str = "") -> None:
        """List other sessions, and show what went wrong; close without any."""
        place = max(self.table.currentIndex().row(), 0)
        self._model.show_rows(sessions)
        self.table.selectRow(min(place, len(sessions) - 1))
        self._show_problem(problem)
        self.set_waiting(False)
        if not sessions:
            self.reject()

    def set_waiting(self, waits: bool) -> None:
        """Take no orders while a session is read, or take them again."""
        for widget in (self.table, self.restore_button, self.discard_button, self.later_button):
            widget.setEnabled(not waits)

    def _chosen(self) -> Offered | None:
        return self._model.row(self.table.currentIndex().row())

    def _restore(self) -> None:
        if (session := self._chosen()) is not None:
            self.restore_wanted.emit(session)

    def _discard(self) -> None:
        """Discard the chosen session after a confirmation: nothing brings it back."""
        session = self._chosen()
        if session is None:
            return
        if session is self._doomed:
            self._doomed = None
            self.discard_wanted.emit(session)
            return
        self._doomed = session
        self._show_problem(
            f"Discard {session.title} and its edits for good? Then press Discard or Delete again."
        )

    def _forget_doomed(self) -> None:
        if self._doomed is not None:
            self._doomed = None
            self._show_problem("")

    def _show_problem(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

"""Notes on the document: plain text that is saved with it and undone like every other edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSignalBlocker, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QPlainTextEdit
from typing_extensions import override

from core.model.errors import InputError

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent

    from explorer.document.editor import Editor

OVERRIDE = QEvent.Type.ShortcutOverride
HINT = "What is this schedule for? What was tried, and what came out? Notes are saved with the session."


class NotesPanel(QPlainTextEdit):
    """The document's notes; what is typed until the focus leaves is one step of undo.

    Signals
    -------
    refused : the notes are too long; the sentence to show
    """

    refused = Signal(str)

    def __init__(self, editor: Editor) -> None:
        super().__init__()
        self._editor = editor
        self.setAccessibleName("Notes")
        self.setPlaceholderText(HINT)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)  # the document's undo has them
        self.textChanged.connect(self._on_typed)
        for signal in (editor.document.notes_changed, editor.document.reset):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the document's notes; the cursor stays where it is if they are the same."""
        notes = self._editor.document.state.notes
        if notes != self.toPlainText():
            with QSignalBlocker(self):
                self.setPlainText(notes)

    def _on_typed(self) -> None:
        try:
            self._editor.set_notes(self.toPlainText())
        except InputError as error:
            self.refused.emit(str(error))
            self.refresh()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._editor.end_gesture()
        super().focusOutEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the window, whose document has the notes."""
        if isinstance(event, QKeyEvent) and event.type() == OVERRIDE and _is_undo_or_redo(event):
            event.ignore()
            return False
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_undo_or_redo(event):
            event.ignore()
        else:
            super().keyPressEvent(event)


def _is_undo_or_redo(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)

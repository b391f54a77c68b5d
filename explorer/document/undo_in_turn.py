"""Two stacks of steps undone as one: whatever was done last is undone first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

if TYPE_CHECKING:
    from PySide6.QtGui import QUndoCommand


class UndoInTurn(QObject):
    """The steps of the document and, between them, those of what is only tried beside it.

    Each step that is tried is remembered with how many steps the document had then.

    Attributes
    ----------
    document : the steps of the document
    tried : the others, which neither change nor save it

    Signals
    -------
    changed : what `undo` and `redo` would do, or whether there is anything
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document, self.tried = QUndoStack(self), QUndoStack(self)
        self._turns: list[tuple[QUndoCommand, int]] = []
        self.tried.indexChanged.connect(self._on_tried)
        for stack in (self.document, self.tried):
            for signal in (stack.indexChanged, stack.undoTextChanged, stack.redoTextChanged):
                signal.connect(self.changed)

    @property
    def undoing(self) -> QUndoStack:
        """The stack whose step was done last."""
        at = self.tried.index()
        is_last = 0 < at <= len(self._turns) and self._turns[at - 1][1] >= self.document.index()
        return self.tried if is_last else self.document

    @property
    def redoing(self) -> QUndoStack:
        """The stack whose step was undone last."""
        at = self.tried.index()
        is_next = at < len(self._turns) and self._turns[at][1] <= self.document.index()
        return self.tried if is_next else self.document

    def undo(self) -> None:
        """Undo what was done last."""
        self.undoing.undo()

    def redo(self) -> None:
        """Redo what was undone last."""
        self.redoing.redo()

    def _on_tried(self, index: int) -> None:
        """Remember a step that is new; it may have taken the place of undone ones."""
        step = self.tried.command(index - 1) if index else None
        if step is not None and step not in [each for each, _ in self._turns[:index]]:
            self._turns = [*self._turns[: index - 1], (step, self.document.index())]
        self._turns = self._turns[: self.tried.count()]

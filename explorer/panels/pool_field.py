"""A field for the pool of a job: a list of those there are, in which another name can be typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent


class PoolField(QComboBox):
    """Completes what is typed to the name of a pool, at any place in it.

    Signals:
        chosen: a pool was taken from the open list; nothing is left to type
    """

    chosen = Signal()

    def __init__(self, pools: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_list = False
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setFrame(False)
        self.setAutoFillBackground(True)  # nothing of the cell shows through
        self.addItems(list(pools))
        completer = self.completer()
        assert completer is not None  # an editable list has one
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.activated.connect(self._on_activated)

    def selectAll(self) -> None:
        """Let what is typed replace the name."""
        line = self.lineEdit()
        assert line is not None  # it is editable
        line.selectAll()

    def showPopup(self) -> None:
        """Open the list."""
        self._is_list = True
        super().showPopup()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Type, or go from pool to pool with the arrows, which chooses nothing yet."""
        self._is_list = False
        super().keyPressEvent(event)

    def _on_activated(self, _place: int) -> None:
        if self._is_list:
            self._is_list = False
            self.chosen.emit()

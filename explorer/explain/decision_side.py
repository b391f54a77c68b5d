"""One scenario's decision beside another one's: who it is about, a sentence, and the candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.explain.candidates_model import CandidatesModel
from explorer.explain.tables import quiet_table
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel
from explorer.widgets.widget_theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QColor

    from explorer.explain.difference import Side

NO_OFFER = "No slot that a task could use was free then."


class DecisionSide(QWidget):
    """Shows a `Side` of a difference.

    Signals
    -------
    job_chosen : the name of a job whose row people chose
    """

    job_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colour_of: Callable[[int], QColor] | None = None
        self.title = ElidedLabel()
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.sentence = PlainLabel(wraps=True)
        self.candidates = CandidatesModel(self)
        typical = ("J000 copy", "not admitted", "0.0000", "000.0000", "00000")
        self.table = quiet_table(self.candidates, "Candidates", typical, widest=0)
        self.table.empty_text = NO_OFFER
        self.table.clicked.connect(self._on_chosen)
        self.table.activated.connect(self._on_chosen)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 0, 4, 2)
        layout.setSpacing(2)
        layout.addWidget(self.title)
        layout.addWidget(self.sentence)
        layout.addWidget(self.table, 1)

    def show_side(self, title: str, side: Side | None) -> None:
        """Show a scenario's answer, or nothing."""
        self.title.setText(title)
        self.table.setAccessibleName(f"Candidates under {title}")
        self.sentence.setText("\n".join(side.sentences) if side is not None else "")
        self.sentence.setVisible(bool(self.sentence.text()))
        workload = side.schedule.workload if side is not None else None
        self.candidates.show(workload, side.reason if side is not None else None)
        for column, is_needless in self.candidates.needless_columns().items():
            self.table.setColumnHidden(column, is_needless)

    def set_colours(self, colour_of: Callable[[int], QColor] | None) -> None:
        """Take the jobs' colours."""
        self._colour_of = colour_of
        self.candidates.set_colours(colour_of, theme_of(self).cursor)

    def to_text(self) -> str:
        """Return everything that is shown, the table separated by tabs."""
        parts = [self.title.text(), self.sentence.text() or NO_OFFER]
        return "\n".join([*parts, self.candidates.to_text()] if self.candidates.rowCount() else parts)

    def _on_chosen(self, index: QModelIndex) -> None:
        self.job_chosen.emit(self.candidates.job_name(index.row()))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the application into its other theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "candidates"):
            self.set_colours(self._colour_of)

"""What a real cluster spends besides running tasks: a group of fields that folds away."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QToolButton, QWidget

from core.model.overheads import OVERHEAD_PARAMETERS, Overheads, overheads_of, overheads_sentence
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.widgets.number_fields import ParameterForm
from explorer.widgets.plain_labels import PlainLabel, tooltip, without_mnemonic

if TYPE_CHECKING:
    from core.model.parameters import ParameterValue

ABOUT = (
    "Real clusters launch jobs late, set them up and clean up after them, and hand out tasks only when a "
    "host asks for work. Scenario > Fidelity to the log estimates these numbers from a log."
)
NOT_HERE = (
    "Overheads are modelled for slots and containers that stay, not for nodes: choose another kind of slots "
    "to have them."
)


class OverheadsBox(QWidget):
    """A header with the overheads in words, and below it, when unfolded, their fields.

    Attributes
    ----------
    overheads : what is shown

    Signals
    -------
    changed : the user wants these `Overheads`, or None for none
    editing_finished : the user left a field; what follows is another edit
    """

    changed = Signal(object)
    editing_finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.overheads: Overheads | None = None
        self._make_parts()
        column(self.header, self.fold, parent=self, margins=NO_MARGINS)
        self.header.toggled.connect(self._on_folded)
        self.box.clicked.connect(self._on_clicked)
        self.form.value_changed.connect(self._on_value_changed)
        self.form.editing_finished.connect(self.editing_finished)
        self._on_folded(False)
        self.show_overheads(None)

    def _make_parts(self) -> None:
        self.header = QToolButton(autoRaise=True, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.header.setCheckable(True)
        self.header.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.box = QCheckBox("Simulate &overheads")
        self.box.setToolTip(tooltip(ABOUT))
        self.note = PlainLabel(ABOUT, wraps=True)
        self.note.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.form = ParameterForm(OVERHEAD_PARAMETERS, varied="cluster.overheads.")
        self.fold = QWidget()
        column(self.box, self.form, self.note, parent=self.fold, margins=(14, 0, 0, 0))

    # Showing

    def show_overheads(self, overheads: Overheads | None, *, can_have: bool = True) -> None:
        """Show these overheads; a cluster of another kind cannot have any."""
        self.overheads = overheads
        self.box.setChecked(overheads is not None)
        self.box.setEnabled(can_have or overheads is not None)
        self.form.setEnabled(overheads is not None)
        self.form.set_values(asdict(overheads or Overheads()))
        self.note.setText(ABOUT if can_have else NOT_HERE)
        sentence = overheads_sentence(overheads)
        self.header.setText(without_mnemonic(f"Overheads: {'none' if overheads is None else sentence}"))
        self.header.setAccessibleName(f"Overheads: {sentence}")
        self.header.setToolTip(tooltip(f"Overheads: {sentence}. Click to {self._verb()} their fields"))

    def _verb(self) -> str:
        return "fold" if self.header.isChecked() else "unfold"

    def _on_folded(self, is_open: bool) -> None:
        self.header.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self.fold.setVisible(is_open)
        self.header.setToolTip(tooltip(f"Click to {self._verb()} the overheads' fields"))

    # Edits

    def _on_clicked(self, wanted: bool) -> None:
        self.changed.emit(Overheads() if wanted else None)
        self.editing_finished.emit()

    def _on_value_changed(self, name: str, value: ParameterValue) -> None:
        if self.overheads is not None:
            self.changed.emit(overheads_of(asdict(self.overheads) | {name: float(value)}))

"""When jobs that are submitted come, and whether they are served first; each change can be undone."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from core.model.limits import MAX_SECONDS
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row
from explorer.widgets.number_fields import NumberField
from explorer.widgets.plain_labels import PlainLabel, tooltip

FIRST = "Served &first"
FIRST_TIP = (
    "On: from now on what is submitted is served before all other jobs, where the policy serves by an order. "
    "Off: where the policy puts it"
)
LATER = "Comes &later by"
LATER_TIP = "How long after the time cursor it comes; or drag its row in the picture, or press ← and → there"
MIN_FIELD = 80
"""Pixels; the panel is narrow."""
UNDO, UNDO_TIP = "&Undo move", "Put it back where it was (Ctrl+Z in the picture)"


class QueuePlace(NamedTuple):
    """How many seconds after the forecast begins jobs come, and whether they are served first."""

    later: float = 0.0
    first: bool = False


class SubmittedPlace(QWidget):
    """The fields of it.

    Signals
    -------
    changed : it is another one
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._past: list[QueuePlace] = []
        self._last, self._is_held = QueuePlace(), False
        self.first_box = QCheckBox(FIRST)
        self.first_box.setToolTip(tooltip(FIRST_TIP))
        self.later_field = named(NumberField(0.0, MAX_SECONDS, "s"), "Comes later by", LATER_TIP)
        self.later_field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.later_field.setMinimumWidth(MIN_FIELD)
        self.undo_button = push_button(UNDO, UNDO_TIP, self.undo)
        label = PlainLabel(LATER)
        label.setBuddy(self.later_field)
        column(
            row(label, (self.later_field, 1), spacing=4),
            row((self.first_box, 1), self.undo_button, spacing=4),
            parent=self,
            margins=NO_MARGINS,
            spacing=4,
        )
        self.first_box.toggled.connect(self._on_changed)
        self.later_field.valueChanged.connect(self._on_changed)
        self.reset()

    @property
    def value(self) -> QueuePlace:
        """Where the jobs come."""
        return QueuePlace(self.later_field.value(), self.first_box.isChecked())

    @property
    def before(self) -> QueuePlace | None:
        """Where they came before the last move, or before that which is under way; None for no move."""
        return self._past[-1] if self._past else None

    def reset(self) -> None:
        """Let other jobs come at once, where the policy puts them."""
        self._past, self._is_held = [], False
        self._set(QueuePlace())

    def hold(self) -> None:
        """Begin a drag: all that comes until `release` is one move."""
        if not self._is_held:
            self._past.append(self.value)
            self._is_held = True

    def come(self, later: float) -> None:
        """Let them come so many seconds after the forecast begins."""
        self.later_field.setValue(max(later, 0.0))

    def release(self, *, back: bool = False) -> None:
        """End a drag, or go back to where it began."""
        if self._is_held:
            self._is_held = False
            if back or self._past[-1] == self.value:
                self.undo()
            self.undo_button.setEnabled(bool(self._past))

    def undo(self) -> None:
        """Go back to where they came before the last move."""
        if self._past:
            past, changed = self._past.pop(), self.value
            self._set(past)
            if past != changed:
                self.changed.emit()

    def _set(self, place: QueuePlace) -> None:
        for field in (self.first_box, self.later_field):
            field.blockSignals(True)
        self.first_box.setChecked(place.first)
        self.later_field.setValue(place.later)
        for field in (self.first_box, self.later_field):
            field.blockSignals(False)
        self._last = place
        self.undo_button.setEnabled(bool(self._past))

    def _on_changed(self) -> None:
        if not self._is_held:
            self._past.append(self._last)
        self._last = self.value
        self.undo_button.setEnabled(True)
        self.changed.emit()

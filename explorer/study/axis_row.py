"""One axis of a study in the settings: what is varied, and its values, a range of them, or some of a list."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from core.model.errors import InputError
from core.policies.registry import file_policies
from core.study.point_names import point_title
from core.study.policy_names import FILE
from core.study.study import Axis, Setting, Span
from core.study.study_fields import meanings
from explorer.widgets.flat_button import FlatButton
from explorer.widgets.layouts import NO_MARGINS, column, named, row
from explorer.widgets.number_fields import CountField, NumberField
from explorer.widgets.plain_labels import ElidedLabel, tooltip, without_mnemonic
from explorer.widgets.popup_frame import PopupFrame
from explorer.widgets.tables import bold_font

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from core.study.study import Scale
    from core.study.study_fields import Field, Value

VALUES, RANGE = "Values", "Range"
MAX_STEPS = 100_000
LIST_SIZE = QSize(280, 300)
MIN_BUTTON, BUTTON_AIR = 90, 34
"""Pixels of a button that drops a list down, and beside its words."""
FEW = 6
"""Choices of a field that are all varied at first, where there are no more."""
DEFAULT_POLICIES = ("fifo", "sjf", "fair", "johnson", "balanced-pools")


def axis_of(name: str, values: Sequence[Value]) -> Axis:
    """Return an axis that gives one field these values."""
    (field, *_) = meanings(name)
    return Axis(field.title, (name,), tuple(values), unit=field.unit)


def usual_values(field: Field, now: Value | None) -> tuple[Value, ...]:
    """Return values to begin with: around the one of the open document, or all choices where they are few."""
    parameter = field.parameter
    now = parameter.default if now is None else now
    if parameter.type == "boolean":
        return (False, True)
    if field.name == "policy.id":
        return tuple(dict.fromkeys((str(now), *DEFAULT_POLICIES)))
    if parameter.type == "choice":
        few = parameter.choices[:FEW]
        return few if str(now) in few else (str(now), *few[:-1])
    if parameter.type == "text":
        return (now,)
    if (parameter.min, parameter.max) == (0, 1):
        return (0.05, 0.25, 0.5, 0.75, 1.0)
    found = [float(now) * factor for factor in (0.25, 0.5, 1, 2, 4)] if now else [0.0, 0.1, 0.2, 0.3, 0.5]
    if parameter.type == "integer":
        found = [max(round(value), 1) for value in found] if now else [0, 1, 2, 3, 4]
    low = -float("inf") if parameter.min is None else parameter.min
    high = float("inf") if parameter.max is None else parameter.max
    return tuple(dict.fromkeys(value for value in found if low <= value <= high))


class ChoicesButton(QToolButton):
    """Shows which of some choices are taken; a click drops down a list with checks.

    Signals
    -------
    changed : others are taken
    """

    changed = Signal()

    def __init__(self, name: str) -> None:
        super().__init__(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.frame = PopupFrame(self)
        self.list = named(QListWidget(), name)
        self.list.setMinimumSize(LIST_SIZE)
        column(self.list, parent=self.frame, margins=(4, 4, 4, 4))
        self.list.itemChanged.connect(self._on_checked)
        self.clicked.connect(self.drop_down)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        return QSize(LIST_SIZE.width(), super().sizeHint().height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(MIN_BUTTON, super().sizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_text()

    def show_choices(self, titles: Sequence[str], taken: Sequence[int]) -> None:
        """Offer these, some of them taken."""
        self.list.itemChanged.disconnect(self._on_checked)
        self.list.clear()
        for place, title in enumerate(titles):
            item = QListWidgetItem(title)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if place in taken else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.list.itemChanged.connect(self._on_checked)
        self._show_text()

    @property
    def taken(self) -> tuple[int, ...]:
        """Places of those that are taken, ascending."""
        items = [self.list.item(place) for place in range(self.list.count())]
        return tuple(i for i, item in enumerate(items) if item.checkState() == Qt.CheckState.Checked)

    def drop_down(self) -> None:
        """Show the list below the button."""
        self.frame.adjustSize()
        corner, room = self.mapToGlobal(QPoint(0, self.height())), self.screen().availableGeometry()
        left = min(corner.x(), room.right() - self.frame.width())
        self.frame.move(left, min(corner.y(), room.bottom() - self.frame.height()))
        self.frame.show()
        self.list.setFocus(Qt.FocusReason.PopupFocusReason)

    def _on_checked(self) -> None:
        self._show_text()
        self.changed.emit()

    def _show_text(self) -> None:
        names = [self.list.item(place).text() for place in self.taken]
        text = ", ".join(names) or "none yet: choose some"
        room = self.width() - BUTTON_AIR
        shown = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        self.setText(without_mnemonic(f"{shown} ▾"))
        self.setToolTip(tooltip(text))


class AxisRow(QWidget):
    """Edits one axis.

    Attributes
    ----------
    editor : what its values are edited in

    Signals
    -------
    changed : the axis is another one
    removed : the user does not want it
    """

    changed = Signal()
    removed = Signal()

    def __init__(self, axis: Axis) -> None:
        super().__init__()
        self._axis = axis
        self._field = next((field for name in axis.fields[:1] for field in meanings(name)), None)
        title = ElidedLabel(axis.name[:1].upper() + axis.name[1:])
        title.setFont(bold_font(self.font()))
        title.setToolTip(tooltip(self._help()))
        remove = named(FlatButton("", "close"), f"Do not vary {axis.name}", f"Do not vary {axis.name}")
        remove.clicked.connect(self.removed)
        self.remove_button = remove
        self.editor: _NumbersEditor | _SomeEditor | _TextsEditor
        if self._field is None or self._field.parameter.type in ("choice", "boolean"):
            self.editor = _SomeEditor(axis, self._field)
        elif self._field.is_number:
            self.editor = _NumbersEditor(axis, self._field)
        else:
            self.editor = _TextsEditor(axis)
        self.editor.changed.connect(self.changed)
        column(row((title, 1), remove), self.editor, parent=self, margins=(0, 2, 0, 6), spacing=2)

    @property
    def axis_fields(self) -> tuple[str, ...]:
        """The fields that it sets."""
        return self._axis.sets

    @property
    def axis(self) -> Axis:
        """The axis as it is typed; raises InputError with what is wrong with it."""
        return self.editor.axis(self._axis)

    def _help(self) -> str:
        if self._field is None:
            return "Settings of several fields at once"
        unit = f" ({self._axis.unit})" if self._axis.unit else ""
        return f"{self._field.parameter.help}{unit}"


class _NumbersEditor(QWidget):
    """Numbers one by one, or from one to another in so many steps."""

    changed = Signal()

    def __init__(self, axis: Axis, field: Field) -> None:
        super().__init__()
        self._field = field
        self.kind = named(QComboBox(), "How the values are given")
        self.kind.addItems([VALUES, RANGE])
        self.values = named(QLineEdit(), f"Values of {axis.name}", "Numbers, with commas between them")
        parameter = field.parameter
        low = -1e12 if parameter.min is None else parameter.min
        high = 1e12 if parameter.max is None else parameter.max
        self.start, self.end = (
            named(NumberField(low, high), f"{name} of the range") for name in ("First", "Last")
        )
        self.count = named(
            CountField(2, MAX_STEPS), "How many values", "How many values, both ends among them"
        )
        self.by_factors = QCheckBox("by factors")
        self.by_factors.setToolTip("Each value is so many times the one before: 16, 32, 64")
        self.range = QWidget()
        column(
            row(self.start, _word("to"), self.end, None, spacing=4),
            row(self.count, _word("values"), self.by_factors, None, spacing=4),
            parent=self.range,
            margins=NO_MARGINS,
            spacing=2,
        )
        column(row(self.kind, (self.values, 1)), self.range, parent=self, margins=NO_MARGINS, spacing=2)
        self._show(axis)
        self.kind.currentIndexChanged.connect(self._on_kind)
        self.values.textEdited.connect(self.changed)
        for number in (self.start, self.end, self.count):
            number.valueChanged.connect(self.changed)
        self.by_factors.toggled.connect(self.changed)

    def _show(self, axis: Axis) -> None:
        numbers = axis.numbers or (0.0,)
        self.values.setText(", ".join(point.label for point in axis.points))
        span = axis.span or Span(min(numbers), max(numbers), max(len(numbers), 2))
        self.start.setValue(span.start)
        self.end.setValue(span.end)
        self.count.setValue(span.count)
        self.by_factors.setChecked(span.scale == "log")
        self.kind.setCurrentText(VALUES if axis.span is None else RANGE)
        self._show_kind()

    def _show_kind(self) -> None:
        is_range = self.kind.currentText() == RANGE
        self.values.setVisible(not is_range)
        self.range.setVisible(is_range)

    def _on_kind(self) -> None:
        self._show_kind()
        self.changed.emit()

    def axis(self, before: Axis) -> Axis:
        """Return the axis with what is typed."""
        if self.kind.currentText() == RANGE:
            start, end = self.start.value(), self.end.value()
            if self.by_factors.isChecked() and min(start, end) <= 0:
                raise InputError(f"{before.name}: a range by factors begins and ends above 0")
            scale: Scale = "log" if self.by_factors.isChecked() else "linear"
            return replace(before, values=(), span=Span(start, end, self.count.value(), scale))
        texts = self.values.text().replace(";", ",").replace(",", " ").split()
        parameter = self._field.parameter
        values = tuple(dict.fromkeys(parameter.check(text, before.name) for text in texts))
        if not values:
            raise InputError(f"{before.name} has no values; type some numbers, with commas between them")
        return replace(before, values=values, span=None)


def _word(text: str) -> ElidedLabel:
    label = ElidedLabel(text, is_faint=True)
    label.setMinimumWidth(label.fontMetrics().horizontalAdvance(text) + 2)
    return label


class _SomeEditor(QWidget):
    """Some of the choices of a field, or of the settings that the study has."""

    changed = Signal()

    def __init__(self, axis: Axis, field: Field | None) -> None:
        super().__init__()
        self.button = ChoicesButton(f"Values of {axis.name}")
        self._offered: tuple[Setting, ...] = axis.points
        if field is not None:
            known: Sequence[Value] = field.parameter.choices or (False, True)
            if field.name == "policy.id":
                known = (*known, *(f"{FILE}{each.id}" for each in file_policies()))
            taken = [point.changes[0][1] for point in axis.points]
            values = [*taken, *(value for value in known if value not in taken)]
            self._offered = replace(axis, values=tuple(values), span=None).points
        titles = [point_title(point.changes[0][0], point.changes[0][1]) for point in self._offered]
        if axis.settings:
            titles = [point.label for point in self._offered]
        self.button.show_choices(titles, range(len(axis.points)))
        self.button.changed.connect(self.changed)
        row(self.button, None, parent=self, margins=NO_MARGINS)

    def axis(self, before: Axis) -> Axis:
        """Return the axis with what is checked."""
        taken = tuple(self._offered[place] for place in self.button.taken)
        if not taken:
            raise InputError(f"{before.name} has no values; choose some in its list")
        if before.settings:
            return replace(before, settings=taken)
        return replace(before, values=tuple(point.changes[0][1] for point in taken), span=None)


class _TextsEditor(QWidget):
    """Texts of a form, such as nodes."""

    changed = Signal()

    def __init__(self, axis: Axis) -> None:
        super().__init__()
        self.values = named(QLineEdit(), f"Values of {axis.name}", "Texts, with semicolons between them")
        self.values.setText("; ".join(point.label for point in axis.points))
        self.values.textEdited.connect(self.changed)
        row((self.values, 1), parent=self, margins=NO_MARGINS)

    def axis(self, before: Axis) -> Axis:
        """Return the axis with what is typed."""
        texts = tuple(dict.fromkeys(text.strip() for text in self.values.text().split(";")))
        if texts == ("",):
            raise InputError(f"{before.name} has no values; type some, with semicolons between them")
        return replace(before, values=texts, span=None)

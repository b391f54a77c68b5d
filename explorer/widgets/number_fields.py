"""Fields for numbers with units, and a form of them made from descriptions of parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLineEdit,
    QSpinBox,
    QToolTip,
    QWidget,
)
from typing_extensions import override

from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.vary_menu import can_be_varied

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QWheelEvent

    from core.model.parameters import Parameter, ParameterValue


LARGEST_WHOLE = 2**31 - 1
"""What a spin box of whole numbers can hold."""

DECIMALS, MAX_DIGITS = 9, 18


class CountField(QSpinBox):
    """A whole number with a unit; one beyond its range becomes the nearest, and the range is said."""

    def __init__(
        self, lowest: int = 0, highest: int = LARGEST_WHOLE, unit: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        _prepare(self)
        self.setRange(max(lowest, -LARGEST_WHOLE), min(highest, LARGEST_WHOLE))
        self._unit = unit
        self.valueChanged.connect(self._fit_unit)
        self._fit_unit(self.value())

    def _fit_unit(self, value: int) -> None:
        """Write the unit as it is said of the value: "1 slot", "2 slots", "3 s"."""
        is_one = value == 1 and len(self._unit) > len("ms")
        unit = self._unit.removesuffix("s") if is_one else self._unit
        self.setSuffix(f" {unit}" if unit else "")

    @override
    def validate(self, typed: str, place: int) -> tuple[QValidator.State, str, int]:
        if self._beyond(typed) is not None:
            return QValidator.State.Intermediate, typed, place  # else the digit would be ignored in silence
        return super().validate(typed, place)

    @override
    def fixup(self, typed: str) -> str:
        if (beyond := self._beyond(typed)) is not None:
            nearest = min(max(beyond, self.minimum()), self.maximum())
            at = self.mapToGlobal(self.rect().bottomLeft())
            QToolTip.showText(at, self.range_text, self)
            return f"{self.prefix()}{self.textFromValue(nearest)}{self.suffix()}"
        return _kept_if_empty(self, typed, self.textFromValue(self.value())) or super().fixup(typed)

    @property
    def range_text(self) -> str:
        """Which numbers there may be: "2 to 4 pools"."""
        return f"{self.minimum()} to {self.maximum()} {self._unit}".rstrip()

    def _beyond(self, typed: str) -> int | None:
        """Return the whole number that is typed, if it is greater than the greatest there may be."""
        digits = typed.removeprefix(self.prefix()).removesuffix(self.suffix().strip()).strip()
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS
        return int(digits) if is_number and int(digits) > self.maximum() else None

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        _wheel(self, event, super().wheelEvent)


class NumberField(QDoubleSpinBox):
    """A number with a unit, shown without superfluous zeros."""

    def __init__(
        self, lowest: float = 0.0, highest: float = 1e12, unit: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        _prepare(self)
        self.setDecimals(DECIMALS)
        self.setRange(lowest, highest)
        self.setSuffix(f" {unit}" if unit else "")

    @override
    def textFromValue(self, value: float) -> str:
        return f"{round(value, DECIMALS):.12g}"

    @override
    def fixup(self, typed: str) -> str:
        return _kept_if_empty(self, typed, self.textFromValue(self.value())) or super().fixup(typed)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        _wheel(self, event, super().wheelEvent)


def _prepare(field: QAbstractSpinBox) -> None:
    # a comma separates numbers here, in every country
    locale = QLocale(QLocale.Language.C)
    locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    field.setLocale(locale)
    field.setKeyboardTracking(False)
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
    field.setAccelerated(True)


def _kept_if_empty(field: QSpinBox | QDoubleSpinBox, typed: str, value: str) -> str:
    """Return the text of a field without a number: its value as it was, not the lowest there is."""
    is_empty = not typed.removesuffix(field.suffix().strip()).strip()
    return f"{field.prefix()}{value}{field.suffix()}" if is_empty else ""


def _wheel(field: QAbstractSpinBox, event: QWheelEvent, accept: Callable[[QWheelEvent], None]) -> None:
    if field.hasFocus():
        accept(event)
    else:
        event.ignore()


HIGHEST_NUMBER = 1e12


class ParameterForm(QWidget):
    """One field per parameter, with its unit, range and help.

    With `varied` the menus of its fields offer to vary them in a study, which has their names behind it:
    "policy.parameters.".

    Signals
    -------
    value_changed : the user gave this parameter another value (name, value)
    editing_finished : the user left a field or pressed Enter; what follows is another edit
    """

    value_changed = Signal(str, object)
    editing_finished = Signal()

    def __init__(
        self, parameters: Sequence[Parameter] = (), parent: QWidget | None = None, *, varied: str = ""
    ) -> None:
        super().__init__(parent)
        self._varied = varied
        self._fields: dict[str, _Field] = {}
        self._is_showing = False
        self._layout = QFormLayout(self, rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self.set_parameters(parameters)

    def set_parameters(self, parameters: Sequence[Parameter]) -> None:
        """Show other parameters, with their defaults."""
        while self._layout.rowCount():
            self._layout.removeRow(0)
        self._fields = {}
        for parameter in parameters:
            self._add(parameter)

    def _add(self, parameter: Parameter) -> None:
        field = _field_of(parameter)
        label = PlainLabel(_label(parameter))
        label.setBuddy(field.widget)
        for widget in (label, field.widget):
            widget.setToolTip(tooltip(_help(parameter)))
        field.widget.setAccessibleName(_label(parameter))
        field.widget.setAccessibleDescription(parameter.help)
        field.widget.setObjectName(parameter.name)
        field.set_value(parameter.default)
        field.edited.connect(self.on_edited)
        if field.finished is not None:
            field.finished.connect(self.editing_finished)
        if self._varied:
            can_be_varied(field.widget, f"{self._varied}{parameter.name}")
        self._fields[parameter.name] = field
        self._layout.addRow(label, field.widget)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to set."""
        return not self._fields

    def values(self) -> dict[str, ParameterValue]:
        """Return every value as it stands in the form."""
        return {name: field.value() for name, field in self._fields.items()}

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show these values; this is no edit, so nothing is announced."""
        self._is_showing = True
        try:
            for name, value in values.items():
                if name in self._fields and self._fields[name].value() != value:
                    self._fields[name].set_value(value)
        finally:
            self._is_showing = False

    def field(self, name: str) -> QWidget:
        """Return the widget of one parameter."""
        return self._fields[name].widget

    def on_edited(self) -> None:
        """Announce what the field that was just edited holds."""
        name = self.sender().objectName()
        if not self._is_showing and name in self._fields:
            self.value_changed.emit(name, self._fields[name].value())


class _Field(NamedTuple):
    """A widget, how its value is read and shown, and its signals of an edit and of an edit's end."""

    widget: QWidget
    value: Callable[[], ParameterValue]
    set_value: Callable[[Any], None]
    edited: SignalInstance
    finished: SignalInstance | None = None


def _field_of(parameter: Parameter) -> _Field:
    if parameter.type == "boolean":
        box = QCheckBox()
        return _Field(box, box.isChecked, lambda value: box.setChecked(bool(value)), box.toggled)
    if parameter.type == "choice":
        choice = QComboBox()
        choice.addItems(list(parameter.choices))
        show = choice.setCurrentText
        return _Field(choice, choice.currentText, lambda value: show(str(value)), choice.currentTextChanged)
    if parameter.type == "text":
        line = QLineEdit()
        return _Field(
            line,
            line.text,
            lambda value: line.setText(str(value)),
            line.editingFinished,
            line.editingFinished,
        )
    field = _number_field(parameter)
    return _Field(field, field.value, field.setValue, field.valueChanged, field.editingFinished)


def _number_field(parameter: Parameter) -> CountField | NumberField:
    low = -HIGHEST_NUMBER if parameter.min is None else parameter.min
    high = HIGHEST_NUMBER if parameter.max is None else parameter.max
    if parameter.type == "integer":
        return CountField(int(low), int(high), parameter.unit)
    field = NumberField(low, high, parameter.unit)
    if high - low <= 10:
        field.setSingleStep((high - low) / 20)
    return field


def _label(parameter: Parameter) -> str:
    return parameter.name.replace("_", " ").capitalize()


def _help(parameter: Parameter) -> str:
    """Return what it does, its unit, range and default."""
    unit = f" {parameter.unit}" if parameter.unit else ""
    facts = [parameter.help]
    if parameter.min is not None and parameter.max is not None:
        facts.append(f"From {parameter.min:g} to {parameter.max:g}{unit}.")
    default = parameter.default if parameter.default != "" else "empty"
    facts.append(f"Default: {default}{unit if not isinstance(default, str) else ''}.")
    return "\n".join(facts)

"""Spin boxes for numbers with units that change only when the user means it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QWidget

LARGEST_WHOLE = 2**31 - 1
"""What a spin box of whole numbers can hold."""

DECIMALS = 9


class CountField(QSpinBox):
    """A whole number with a unit."""

    def __init__(
        self, lowest: int = 0, highest: int = LARGEST_WHOLE, unit: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        _prepare(self)
        self.setRange(max(lowest, -LARGEST_WHOLE), min(highest, LARGEST_WHOLE))
        self.setSuffix(f" {unit}" if unit else "")

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        _wheel(self, event, super().wheelEvent)


class NumberField(QDoubleSpinBox):
    """A number with a unit, shown without zeros that say nothing."""

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


def _wheel(field: QAbstractSpinBox, event: QWheelEvent, accept: Callable[[QWheelEvent], None]) -> None:
    if field.hasFocus():
        accept(event)
    else:
        event.ignore()

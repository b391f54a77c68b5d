"""How cells of the jobs table are drawn and edited: spin boxes with units, lists of durations, swatches."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QRegularExpression, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QRegularExpressionValidator
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.model.limits import MOST_SECONDS, MOST_TASKS
from explorer.panels.job_columns import COLUMNS, PLACE, POOLS_ROLE
from explorer.panels.pool_field import PoolField
from explorer.widgets.number_fields import CountField, NumberField

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel

Index = QModelIndex | QPersistentModelIndex
NUMBER = r"\s*[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?\s*"
LIST_OF_TIMES = QRegularExpression(f"{NUMBER}([,;]{NUMBER})*")
OPTIONAL_NUMBER = QRegularExpression(f"({NUMBER})?")
MOST_VALUES_TYPED = 2000
"""Longer lists of durations are not unfolded into a line; typing replaces them."""

BEGINNING = "slotscope_beginning"
"""Property of an editor: what it showed at first; unchanged, it is not written back."""


class JobDelegate(QStyledItemDelegate):
    """Editors by column; a value is written only if people changed it."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return a field that fits the column."""
        column = COLUMNS[index.column()]
        if column.field_id == "pool":
            editor: QWidget = self._pool_field(index, parent)
        else:
            editor = _field(column.field_id, column.is_times, parent)
        editor.setAccessibleName(column.title)
        editor.setAccessibleDescription(column.help)
        return editor

    def _pool_field(self, index: Index, parent: QWidget) -> PoolField:
        field = PoolField(index.data(POOLS_ROLE), parent)
        field.chosen.connect(partial(self._take, field))
        return field

    def _take(self, field: PoolField) -> None:
        """Write what was chosen at once."""
        self.commitData.emit(field)
        self.closeEditor.emit(field)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Put the field upon its cell; a list of pools has room for their names, within the table."""
        super().updateEditorGeometry(editor, option, index)
        if isinstance(editor, PoolField) and editor.width() < editor.sizeHint().width():
            table = editor.parentWidget()
            most = editor.width() if table is None else table.width()
            width = min(editor.sizeHint().width(), most)
            left = min(editor.x(), most - width)
            editor.setGeometry(left, editor.y(), width, editor.height())

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Show the job's value."""
        value = index.data(Qt.ItemDataRole.EditRole)
        if isinstance(editor, CountField):
            editor.setValue(int(value))
        elif isinstance(editor, NumberField):
            editor.setValue(float(value))
        elif isinstance(editor, PoolField):
            editor.setCurrentText(str(value))
        elif isinstance(editor, QLineEdit):
            _fill_line(editor, value)
        editor.setProperty(BEGINNING, _typed(editor))
        _select_all(editor)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Write what was typed, if it is not what was there."""
        if isinstance(editor, QAbstractSpinBox):
            editor.interpretText()
        typed = _typed(editor)
        if typed != editor.property(BEGINNING):
            model.setData(index, typed, Qt.ItemDataRole.EditRole)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell; the place has the job's colour before it."""
        if index.column() != PLACE:
            super().paint(painter, option, index)
            return
        self._paint_place(painter, option, index)

    def _paint_place(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        own = QStyleOptionViewItem(option)  # Qt owns the one it passes: changing that in place crashed
        self.initStyleOption(own, index)
        own.icon = QIcon()  # the style would draw it, empty, beside the swatch below
        option.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, own, painter, option.widget)
        colour = index.data(Qt.ItemDataRole.DecorationRole)
        if isinstance(colour, QColor):
            side = min(12.0, option.rect.height() - 8.0)
            top = option.rect.center().y() - side / 2 + 0.5
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(option.rect.left() + 6, top, side, side), 3, 3)
            painter.restore()


def _field(field_id: str, is_times: bool, parent: QWidget) -> QWidget:
    if field_id in ("map_count", "reduce_count"):
        return CountField(0, MOST_TASKS, "maps" if field_id == "map_count" else "reduces", parent)
    if field_id == "arrival":
        return NumberField(0, MOST_SECONDS, "s", parent)
    if field_id == "weight":
        return NumberField(0.001, MOST_SECONDS, "", parent)
    line = QLineEdit(parent)
    line.setFrame(False)
    if is_times:
        line.setValidator(QRegularExpressionValidator(LIST_OF_TIMES, line))
        line.setPlaceholderText("seconds: 4 or 4, 5, 6")
    elif field_id == "deadline":
        line.setValidator(QRegularExpressionValidator(OPTIONAL_NUMBER, line))
        line.setPlaceholderText("none")
    return line


def _fill_line(line: QLineEdit, value: Any) -> None:
    if isinstance(value, np.ndarray):
        if len(value) > MOST_VALUES_TYPED:
            line.setPlaceholderText(f"{len(value)} values; type to replace them")
            value = ""
        else:
            value = ", ".join(_shortest(float(item)) for item in value)
    elif isinstance(value, float):
        value = _shortest(value)
    line.setText("" if value is None else str(value))


def _shortest(number: float) -> str:
    """Write a number so that reading it gives the same one, whole ones without a point."""
    return str(int(number)) if math.isfinite(number) and number == int(number) else repr(number)


def _typed(editor: QWidget) -> Any:
    if isinstance(editor, PoolField):
        return editor.currentText()
    return editor.value() if isinstance(editor, CountField | NumberField) else editor.text()  # type: ignore[attr-defined]  # a line


def _select_all(editor: QWidget) -> None:
    if isinstance(editor, QLineEdit | QAbstractSpinBox | PoolField):
        editor.selectAll()

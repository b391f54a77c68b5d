"""Tables of dialogs: to be read, whole rows, the first column as wide as there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

if TYPE_CHECKING:
    from collections.abc import Sequence

ROW_AIR = 7
"""Pixels between the lines of two rows."""


def plain_table(name: str, headings: Sequence[str]) -> QTableWidget:
    """Make a table without rows."""
    table = QTableWidget(0, len(headings))
    table.setAccessibleName(name)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.setAlternatingRowColors(True)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().lineSpacing() + ROW_AIR)
    table.horizontalHeader().setHighlightSections(False)
    set_headings(table, headings)
    return table


def set_headings(table: QTableWidget, headings: Sequence[str]) -> None:
    """Give a table other columns."""
    table.setColumnCount(len(headings))
    table.setHorizontalHeaderLabels(list(headings))
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)


def fill_row(table: QTableWidget, row: int, cells: Sequence[str]) -> list[QTableWidgetItem]:
    """Write a row, numbers to the right; return its cells."""
    items = [QTableWidgetItem(text) for text in cells]
    for column, item in enumerate(items):
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        table.setItem(row, column, item)
    return items


def fit_height(table: QTableWidget) -> None:
    """Make a table just as high as its rows."""
    height = table.horizontalHeader().sizeHint().height() + 2 * table.frameWidth()
    table.setFixedHeight(height + sum(table.rowHeight(row) for row in range(table.rowCount())))

"""Rows of tables that a click on a heading sorts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from typing_extensions import override

from explorer.widgets.tables import Row, RowsModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

    from explorer.widgets.tables import Column


class SortedModel(RowsModel[Row]):
    """Rows that a click on a heading sorts: upwards, downwards, and at the third click as they were.

    Attributes
    ----------
    sorted_by : the column and the order, None for the order in which the rows were given
    """

    def __init__(self, columns: Sequence[Column[Row]], parent: QObject | None = None) -> None:
        super().__init__(columns, parent)
        self.sorted_by: tuple[int, Qt.SortOrder] | None = None
        self._given: Sequence[Row] = ()

    def in_order(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return rows in the order that was chosen; what is not known comes last, whichever way."""
        self._given = rows
        if self.sorted_by is None or self.sorted_by[0] >= len(self.columns):
            return rows
        place, order = self.sorted_by
        value = self.columns[place].value or self.columns[place].text
        found: list[tuple[Any, Row]] = [(value(row), row) for row in rows]  # Any: all of one type
        known = [each for each in found if not _is_unknown(each[0])]
        known.sort(key=lambda each: each[0], reverse=order == Qt.SortOrder.DescendingOrder)
        return [row for _, row in known] + [row for given, row in found if _is_unknown(given)]

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.sorted_by = (column, order) if column >= 0 else None
        self.layoutAboutToBeChanged.emit()
        self.rows = self.in_order(self._given)
        self.layoutChanged.emit()


def _is_unknown(value: float | str | None) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))

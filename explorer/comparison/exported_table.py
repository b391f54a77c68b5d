"""A table of the comparison: a click on a heading sorts it, and all of it can be exported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtWidgets import QHeaderView

from explorer.widgets.tables import ReadTable, Role

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPainter

    from explorer.widgets.export import ChartTable
    from explorer.widgets.sorted_rows import SortedModel
    from explorer.widgets.theme import Theme


class ExportedTable(ReadTable):
    """Columns are as wide as their texts; a subclass says its `export_name` and its `table`."""

    export_name = ""

    def __init__(self, model: SortedModel[Any], name: str, colours: Theme) -> None:
        super().__init__(model, name)
        self.colours = colours
        self._sorted = model
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(-1)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.sort_by_headings()

    def table(self) -> ChartTable:
        """Return the numbers behind the table."""
        raise NotImplementedError

    @property
    def background(self) -> QColor:
        """What is behind the table."""
        return self.colours.field

    def export_size(self) -> QSize:
        """Return the size of the whole table, scrolled or not."""
        width = self.horizontalHeader().length()
        height = self.horizontalHeader().height() + self.verticalHeader().length()
        return QSize(max(width, 1), max(height, 1))

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw headings and cells into an area, all of them."""
        painter.setFont(self.font())
        line = QRectF(area.left(), area.top(), 0, self.horizontalHeader().height())
        self._paint_line(painter, line, None)
        for row in range(self._sorted.rowCount()):
            line = QRectF(area.left(), line.bottom(), 0, self.rowHeight(row))
            self._paint_line(painter, line, row)

    def _paint_line(self, painter: QPainter, line: QRectF, row: int | None) -> None:
        x, model = line.left(), self._sorted
        for column in range(model.columnCount()):
            box = QRectF(x, line.top(), self.columnWidth(column), line.height()).adjusted(4, 0, -4, 0)
            if row is None:
                text = model.headerData(column, Qt.Orientation.Horizontal)
                colour = self.colours.second_text
            else:
                index = model.index(row, column)
                text, colour = index.data(), index.data(Role.ForegroundRole) or self.colours.text
            painter.setPen(colour)
            painter.drawText(
                box, Qt.AlignmentFlag(model.columns[column].alignment) | Qt.TextFlag.TextDontClip, text
            )
            x += self.columnWidth(column)

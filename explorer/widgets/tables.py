"""How the tables of explanations look and behave: whole rows, no grid, Enter or a click chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QAbstractTableModel
    from PySide6.QtGui import QPaintEvent, QResizeEvent

ROW_AIR, CELL_AIR = 6, 18
LEAST_TEXT = "MMM 00"


class QuietTable(QTableView):
    """A table to read; Enter chooses as a click does.

    Attributes
    ----------
    empty_text : what is said where there is no row
    """

    empty_text = ""

    def __init__(self) -> None:
        super().__init__()
        self._widest, self._least, self._is_sharing = -1, 0, False
        self.horizontalHeader().sectionResized.connect(self._share)

    def give_rest_to(self, column: int, least: int) -> None:
        """Let a column take what the others leave, and so many pixels where they leave less."""
        self._widest, self._least = column, least
        self._share()

    def _share(self) -> None:
        if self._widest < 0 or self._is_sharing:
            return
        self._is_sharing = True
        columns = self.horizontalHeader()
        rest = self.viewport().width() - columns.length() + columns.sectionSize(self._widest)
        columns.resizeSection(self._widest, max(rest, self._least))
        self._is_sharing = False

    def setColumnHidden(self, column: int, hide: bool) -> None:
        """Hide or show a column, and share the room anew."""
        super().setColumnHidden(column, hide)
        self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._share()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the current row with Enter, on every platform."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows, or say why there are none."""
        super().paintEvent(event)
        model = self.model()
        if not self.empty_text or (model is not None and model.rowCount()):
            return
        with QPainter(self.viewport()) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect().adjusted(8, 4, -8, -4), flags, self.empty_text)


def quiet_table(
    model: QAbstractTableModel,
    name: str,
    typical: Sequence[str],
    widest: int | None = None,
    lines: int = 1,
) -> QuietTable:
    """Make a table whose first columns have room for typical texts.

    The column `widest` takes what is left, the last one if none is given; rows have so many `lines` of text.
    """
    table = QuietTable()
    table.setModel(model)
    table.setAccessibleName(name)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setAlternatingRowColors(True)
    table.setShowGrid(False)
    table.setWordWrap(lines > 1)
    table.setTabKeyNavigation(False)
    table.setCornerButtonEnabled(False)
    rows, columns = table.verticalHeader(), table.horizontalHeader()
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.setDefaultSectionSize(lines * table.fontMetrics().lineSpacing() + ROW_AIR)
    columns.setHighlightSections(False)
    columns.setStretchLastSection(widest is None)
    columns.setMinimumSectionSize(table.fontMetrics().horizontalAdvance(LEAST_TEXT))
    columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    for place, text in enumerate(typical):
        heading = str(model.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole))
        longest = max(table.fontMetrics().horizontalAdvance(each) for each in (text, heading))
        table.setColumnWidth(place, longest + CELL_AIR)
    if widest is not None:
        least = table.columnWidth(widest) if widest < len(typical) else columns.minimumSectionSize()
        table.give_rest_to(widest, least)
    return table

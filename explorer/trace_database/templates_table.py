"""The table of what was found: sorted by a click on a heading, rows dragged into the workload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QDrag, QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from explorer.trace_database.templates_model import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QKeyEvent, QPaintEvent
    from PySide6.QtWidgets import QWidget

    from explorer.trace_database.templates_model import TemplatesModel

ROW_AIR_PX, CELL_AIR_PX = 6, 18
MOST_KEPT = 2000
"""Selected rows that stay selected when another search finds them again."""


class TemplatesTable(QTableView):
    """Shows a `TemplatesModel`.

    Attributes
    ----------
    empty_text : what is said where there is no row

    Signals
    -------
    add_wanted : Enter or a double click: the selected jobs are wanted in the workload
    delete_wanted : Delete
    """

    add_wanted = Signal()
    delete_wanted = Signal()

    def __init__(self, model: TemplatesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._templates = model
        self.empty_text = ""
        self.setModel(model)
        self.setAccessibleName("Jobs in the library")
        self._behave()
        self._lay_out_columns()
        self.doubleClicked.connect(lambda _index: self.add_wanted.emit())

    def _behave(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def _lay_out_columns(self) -> None:
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(self.fontMetrics().height() + ROW_AIR_PX)
        columns.setHighlightSections(False)
        # headings that follow the selection ask for every cell of a selected column while they are painted
        columns.setSelectionModel(QItemSelectionModel(self._templates, self))
        columns.setStretchLastSection(True)
        columns.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        columns.setSortIndicatorClearable(True)
        self.setSortingEnabled(True)
        letters = self.fontMetrics()
        for i, column in enumerate(COLUMNS):
            widest = max(column.typical, f"{column.title} ▾", key=letters.horizontalAdvance)
            self.setColumnWidth(i, letters.horizontalAdvance(widest) + CELL_AIR_PX)

    # Selection

    def selected_ids(self) -> tuple[int, ...]:
        """Return the ids of the selected rows, from top to bottom."""
        ids = self._templates.ids
        return tuple(ids[row] for first, last in self._selected_ranges() for row in range(first, last + 1))

    def selected_count(self) -> int:
        """Return how many rows are selected."""
        return sum(last - first + 1 for first, last in self._selected_ranges())

    def _selected_ranges(self) -> list[tuple[int, int]]:
        """Return first and last rows of what is selected: asking Qt for each row takes long."""
        selection = self.selectionModel().selection()
        parts = [selection.at(i) for i in range(selection.count())]
        return sorted((part.top(), part.bottom()) for part in parts)

    def select_ids(self, ids: Collection[int]) -> None:
        """Select the rows of these jobs, as far as they are shown."""
        if not ids or len(ids) > MOST_KEPT:
            return
        wanted = set(ids)
        selection = QItemSelection()
        first = -1
        for row, template in enumerate(self._templates.ids):
            if template in wanted:
                first = row if first < 0 else first
                index = self._templates.index(row, 0)
                selection.select(index, index)
        if first < 0:
            return
        flag = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(self._templates.index(first, 0), flag.NoUpdate)
        self.selectionModel().select(selection, flag.ClearAndSelect | flag.Rows)

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Drag the selected jobs away, to be copied."""
        ids = self.selected_ids()
        if not ids:
            return
        drag = QDrag(self)
        drag.setMimeData(self._templates.mime_data_of(ids))
        drag.exec(actions, Qt.DropAction.CopyAction)

    # Events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add with Enter, throw away with Delete."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.add_wanted.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows, or say why there are none."""
        super().paintEvent(event)
        if not self.empty_text or self._templates.rowCount():
            return
        with QPainter(self.viewport()) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect().adjusted(24, 12, -24, -12), flags, self.empty_text)

"""The tables of the pools panel: whole rows, cells edited in place, spin boxes for slots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from core.model.limits import MOST_SLOTS
from explorer.panels.jobs_model import MIME_TYPE, named_jobs
from explorer.widgets.number_fields import CountField

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractTableModel
    from PySide6.QtGui import (
        QDragEnterEvent,
        QDragLeaveEvent,
        QDragMoveEvent,
        QDropEvent,
        QPaintEvent,
    )

Index = QModelIndex | QPersistentModelIndex
ROW_AIR, CELL_AIR = 8, 18


class PoolDelegate(QStyledItemDelegate):
    """A spin box where the model gives a whole number to edit, a line of text elsewhere."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return a field for what the cell holds."""
        title = str(index.model().headerData(index.column(), Qt.Orientation.Horizontal))
        is_count = isinstance(index.data(Qt.ItemDataRole.EditRole), int)
        editor = CountField(0, MOST_SLOTS, parent=parent) if is_count else QLineEdit(parent)
        editor.setAccessibleName(title)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Show the value, selected."""
        value = index.data(Qt.ItemDataRole.EditRole)
        if isinstance(editor, CountField):
            editor.setValue(int(value))
            editor.selectAll()
        elif isinstance(editor, QLineEdit):
            editor.setText(str(value))
            editor.selectAll()


class PoolTable(QTableView):
    """A table of pools; jobs of the jobs panel can be dropped on its rows.

    Attributes
    ----------
    empty_text : what is said where there is no row

    Signals
    -------
    jobs_dropped : names of jobs, and the row that they were dropped on
    """

    empty_text = ""
    jobs_dropped = Signal(tuple, int)

    def __init__(self, model: QAbstractTableModel, name: str) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(PoolDelegate(self))
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setAcceptDrops(True)
        self._drop_row = -1
        self._lay_out()

    def _lay_out(self) -> None:
        rows, columns, letters = self.verticalHeader(), self.horizontalHeader(), self.fontMetrics()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(letters.height() + ROW_AIR)
        columns.setHighlightSections(False)
        columns.setMinimumSectionSize(36)
        for column in range(self.model().columnCount()):
            title = str(self.model().headerData(column, Qt.Orientation.Horizontal))
            typical = "Small jobs" if column == 0 else "000"
            widest = max(letters.horizontalAdvance(text) for text in (title, typical))
            self.setColumnWidth(column, widest + CELL_AIR)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def is_free(self) -> bool:
        """Whether keys are for the rows: no cell is being edited."""
        return self.state() != QAbstractItemView.State.EditingState

    def row(self) -> int:
        """Return the selected row, or -1."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else -1

    def select(self, row: int) -> None:
        """Select a row; -1 for none."""
        self.selectRow(row) if row >= 0 else self.clearSelection()

    # Taking jobs

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take jobs only."""
        self._hover(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show into which pool a drop here would put the jobs."""
        self._hover(event)

    def _hover(self, event: QDragMoveEvent) -> None:
        is_jobs = event.mimeData().hasFormat(MIME_TYPE)
        self._show_drop(self.rowAt(round(event.position().y())) if is_jobs else -1)
        if is_jobs:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Show no place any more."""
        self._show_drop(-1)

    def dropEvent(self, event: QDropEvent) -> None:
        """Say which jobs were dropped on which pool; beside the rows nothing happens."""
        row = self.rowAt(round(event.position().y()))
        self._show_drop(-1)
        names = named_jobs(event.mimeData())
        if row >= 0 and names:
            event.acceptProposedAction()
            self.jobs_dropped.emit(names, row)
        else:
            event.ignore()

    def _show_drop(self, row: int) -> None:
        if row != self._drop_row:
            self._drop_row = row
            self.viewport().update()

    def _paint_drop(self, painter: QPainter) -> None:
        first = self.visualRect(self.model().index(self._drop_row, 0))
        row = QRect(0, first.top(), self.viewport().width(), first.height()).adjusted(1, 1, -1, -1)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 2))
        painter.drawRect(row)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows, or say why there are none."""
        super().paintEvent(event)
        if 0 <= self._drop_row < self.model().rowCount():
            with QPainter(self.viewport()) as painter:
                self._paint_drop(painter)
        if not self.empty_text or self.model().rowCount():
            return
        with QPainter(self.viewport()) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect().adjusted(8, 4, -8, -4), flags, self.empty_text)

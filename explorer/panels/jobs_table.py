"""The table view of the jobs: rows are dragged with a live preview of the order they would give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from explorer.panels.job_cells import JobDelegate
from explorer.panels.job_columns import COLUMNS
from explorer.panels.jobs_model import dragged_names

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QDragEnterEvent,
        QDragLeaveEvent,
        QDragMoveEvent,
        QDropEvent,
        QPaintEvent,
    )
    from PySide6.QtWidgets import QWidget

    from explorer.panels.jobs_model import JobsModel

ROW_AIR_PX = 8
CELL_AIR_PX = 16
LATE = "9999 s, late by 99.9 s"
TYPICAL = {"": "M 0000", "name": "J000 copy", "map_count": "00000", "pool": "default", "deadline": LATE} | {
    column.field_id: "mean 99.9 s" for column in COLUMNS if column.is_times
}
"""Texts that a column has room for at first; people can drag its edge."""


class JobsTable(QTableView):
    """Shows a `JobsModel`.

    Attributes
    ----------
    dragged : names of the jobs that are dragged, while an order is previewed

    Signals
    -------
    order_previewed : a drag hovers where dropping would give this order of all jobs
    preview_ended : the drag left, was cancelled or was dropped
    """

    order_previewed = Signal(tuple)
    preview_ended = Signal()

    def __init__(self, model: JobsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = model
        self._previewed: tuple[str, ...] | None = None
        self.dragged: tuple[str, ...] = ()
        self.setModel(model)
        self.setItemDelegate(JobDelegate(self))
        self.setAccessibleName("Jobs")
        self._behave()
        self._lay_out_columns()

    def _behave(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed)
        # a synthetic or foreign drop is ignored in mode InternalMove; the private type keeps others out
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)
        self.setDropIndicatorShown(True)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names of logs differ at their ends
        self.setTabKeyNavigation(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _lay_out_columns(self) -> None:
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(self.fontMetrics().height() + ROW_AIR_PX)
        columns.setHighlightSections(False)
        columns.setMinimumSectionSize(36)
        for i, column in enumerate(COLUMNS):
            letters = self.fontMetrics()
            widest = max(TYPICAL.get(column.field_id, ""), column.title, key=letters.horizontalAdvance)
            self.setColumnWidth(i, letters.horizontalAdvance(widest) + CELL_AIR_PX)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def is_free(self) -> bool:
        """Whether keys are for the rows: no cell is being edited."""
        return self.state() != QAbstractItemView.State.EditingState

    # Dragging

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Preview from the start."""
        super().dragEnterEvent(event)
        self._preview(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Preview the order that a drop here would give."""
        super().dragMoveEvent(event)
        self._preview(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Take the preview back; a cancelled drag leaves, too."""
        super().dragLeaveEvent(event)
        self._end_preview()

    def dropEvent(self, event: QDropEvent) -> None:
        """Drop, then take the preview back: the document holds the order now."""
        super().dropEvent(event)
        self._end_preview()

    def _preview(self, event: QDragMoveEvent) -> None:
        names = dragged_names(event.mimeData(), self._jobs.order)
        if not names or self._jobs.is_filtered:
            return
        order = self._jobs.order_with(names, self.row_at(event.position().toPoint()))
        if order != (self._previewed or self._jobs.order):
            self._previewed, self.dragged = order, names
            self.order_previewed.emit(order)

    def _end_preview(self) -> None:
        if self._previewed is not None:
            self._previewed = None
            self.preview_ended.emit()

    def row_at(self, position: QPoint) -> int:
        """Return the row before which a drop at this position goes, as the drop indicator shows it."""
        index = self.indexAt(position)
        if not index.isValid():
            return self._jobs.rowCount()
        below = position.y() > self.visualRect(index).center().y()
        return index.row() + 1 if below else index.row()

    # Nothing to show

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows, or say why there are none."""
        super().paintEvent(event)
        if self._jobs.rowCount():
            return
        with QPainter(self.viewport()) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect().adjusted(12, 12, -12, -12), flags, self._why_empty())

    def _why_empty(self) -> str:
        return "No job matches the filter." if self._jobs.is_filtered else "No jobs yet. Add one with Insert."

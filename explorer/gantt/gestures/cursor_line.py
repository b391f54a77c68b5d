"""The time cursor in one chart: a line with a handle on the axis to drag; repaints only itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from core.model.time_text import clock_text
from explorer.gantt.layers.title_and_axis import TICK_DISTANCE, tick_labels

if TYPE_CHECKING:
    from explorer.document.time_axis import TimeCursor
    from explorer.gantt.gantt_view import GanttView
    from explorer.gantt.geometry.chart_frame import ChartFrame

CASING, CORE = 4, 2
"""Pixels of the line: a rim of the background keeps it visible on any colour."""

TIP = 4
DOT = 5.0
GRAB_BELOW = 2
"""Pixels below the labels of the axis where the handle can still be grabbed."""


class CursorLine(QObject):
    """Paints the cursor of a chart and says what has to be painted again when it moves."""

    def __init__(self, cursor: TimeCursor, view: GanttView) -> None:
        super().__init__(view)
        self.cursor, self._view = cursor, view
        self._slot = -1
        self._dirty: list[QRect] = []
        self._shows_shape = False
        cursor.moved.connect(self._on_moved)

    def mark_slot(self, slot: int) -> None:
        """Mark the slot that is offered at the cursor; -1 for none."""
        if slot != self._slot:
            self._slot = slot
            self._on_moved()

    def _on_moved(self) -> None:
        """Ask for a few pixels only: in a chart of a million tasks all others stay as they are."""
        for rect in self._dirty:
            self._view.update(rect)
        if self.cursor.seconds is None:
            return
        frame = self._view.frame()
        for rect in _rects(frame, self.cursor.seconds):
            self._view.update(rect)

    def grabs(self, position: QPointF) -> bool:
        """Whether a press at a pixel moves the cursor: anywhere on the axis."""
        axis = self._view.frame().places.axis.adjusted(0, -TIP, 0, GRAB_BELOW)
        return self._view.content.rows is not None and axis.contains(position.toPoint())

    def show_shape(self, position: QPointF) -> bool:
        """Let the pointer say that the axis can be grabbed; return whether it can."""
        grabs = self.grabs(position)
        if grabs != self._shows_shape:
            self._shows_shape = grabs
            if grabs:
                self._view.setCursor(Qt.CursorShape.SplitHCursor)
            else:
                self._view.unsetCursor()
        return grabs

    def paint(self, painter: QPainter, frame: ChartFrame) -> None:
        """Draw the line, the handle, and where the cursor is in the overview."""
        seconds = self.cursor.seconds
        self._dirty = [] if seconds is None else _rects(frame, seconds)
        if seconds is None:
            return
        _paint_in_overview(painter, frame, seconds)
        if frame.shows(seconds):
            _paint_line(painter, frame, seconds)
            row = -1 if frame.content.rows is None else frame.content.rows.row_at(self._slot, seconds)
            if row >= 0:
                _paint_slot(painter, frame, seconds, row)
            _paint_handle(painter, frame, seconds)


class CursorGesture:
    """Drags the cursor along the axis; Escape puts it back where it was."""

    def __init__(self, view: GanttView, cursor: TimeCursor, start: QPointF) -> None:
        self._view, self._cursor = view, cursor
        self._before = (cursor.seconds, cursor.decision)
        self.move(start)

    def move(self, position: QPointF) -> None:
        """Look at the time under the pointer."""
        plot = self._view.frame().places.plot
        x = min(max(position.x(), float(plot.left())), float(plot.right() + 1))
        self._cursor.show_at(self._view.time_at(x))

    def finish(self) -> None:
        """Stay here."""

    def cancel(self) -> None:
        """Go back to where the cursor was."""
        seconds, decision = self._before
        if seconds is None:
            self._cursor.hide()
        else:
            self._cursor.show_at(seconds, decision)


def cursor_text(frame: ChartFrame, seconds: float) -> str:
    """Return the time that the handle shows, as finely as the axis tells times apart."""
    _, step = frame.scale.ticks(TICK_DISTANCE)
    return clock_text(seconds, step / 10 if step <= 10 else 1.0, frame.scale.start + frame.scale.span)


def _rects(frame: ChartFrame, seconds: float) -> list[QRect]:
    """Return everything that the cursor covers: the line with its handle, and its mark in the overview."""
    plot, overview = frame.places.plot, frame.places.overview
    found = []
    if frame.shows(seconds):
        x = round(frame.x(seconds))
        found.append(QRect(x - 7, plot.top() - 1, 15, plot.height() + 2))
        handle = _handle(frame, seconds)
        found.append(handle.toAlignedRect().adjusted(-2, -TIP - 12, 2, 2))
        found.extend(label.toAlignedRect() for label in _labels_below(frame, handle))
    if overview.height():
        x = round(overview.left() + float(frame.full_scale.x(seconds)))
        found.append(QRect(x - CASING, overview.top(), 2 * CASING + 1, overview.height()))
    return found


def _handle(frame: ChartFrame, seconds: float) -> QRectF:
    """Return the place of the handle with its time; inside of the chart even at its border."""
    axis, x = frame.places.axis, frame.x(seconds)
    width = frame.fonts.small_metrics.horizontalAdvance(cursor_text(frame, seconds)) + 14.0
    left = min(max(x - width / 2, 2.0), frame.places.whole.width() - width - 2.0)
    return QRectF(left, axis.top() + 1, width, axis.height() - 3)


def _labels_below(frame: ChartFrame, handle: QRectF) -> list[QRectF]:
    """Return the places of the labels of the axis that the handle would cover in part."""
    air = handle.adjusted(-3, 0, 3, 0)
    return [label for _, label, _ in tick_labels(frame) if label.intersects(air)]


def _paint_line(painter: QPainter, frame: ChartFrame, seconds: float) -> None:
    plot, bottom = frame.places.plot, frame.places.axis.top() + 2
    left = round(frame.x(seconds) - CORE / 2)
    painter.fillRect(left - 1, plot.top(), CASING, bottom - plot.top(), frame.theme.window)
    painter.fillRect(left, plot.top(), CORE, bottom - plot.top(), frame.theme.cursor)


def _paint_slot(painter: QPainter, frame: ChartFrame, seconds: float, row: int) -> None:
    """Draw a dot upon the line, in a row."""
    top, bottom = frame.row(row)
    plot = frame.places.plot
    middle = (top + bottom) / 2
    if plot.top() <= middle <= plot.bottom():
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(frame.theme.window, 1.5))
        painter.setBrush(frame.theme.cursor)
        painter.drawEllipse(QPointF(frame.x(seconds), middle), DOT, DOT)


def _paint_handle(painter: QPainter, frame: ChartFrame, seconds: float) -> None:
    rect, x = _handle(frame, seconds), frame.x(seconds)
    for label in _labels_below(frame, rect):
        painter.fillRect(label, frame.theme.window)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.cursor)
    painter.drawRoundedRect(rect, 4, 4)
    middle = min(max(x, rect.left() + TIP + 2), rect.right() - TIP - 2)
    tip = [
        QPointF(middle - TIP, rect.top() + 1),
        QPointF(x, rect.top() - TIP),
        QPointF(middle + TIP, rect.top() + 1),
    ]
    painter.drawPolygon(QPolygonF(tip))
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.on_cursor)
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), cursor_text(frame, seconds))


def _paint_in_overview(painter: QPainter, frame: ChartFrame, seconds: float) -> None:
    overview = frame.places.overview
    if overview.height():
        left = round(overview.left() + float(frame.full_scale.x(seconds)) - CORE / 2)
        painter.fillRect(left - 1, overview.top(), CASING, overview.height(), frame.theme.window)
        painter.fillRect(left, overview.top(), CORE, overview.height(), frame.theme.cursor)

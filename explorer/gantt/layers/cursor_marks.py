"""Lines over a chart at times: the time cursor, and the time by which all is to end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QPainter, QPen

from explorer.gantt.layers.layer import paint_dashes

if TYPE_CHECKING:
    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame

CASING, CORE = 4, 2
"""Pixels of the cursor's line: a rim of the background keeps it visible on any colour."""
DOT = 5.0
END_DASHES = (7, 4)
"""Dash and space, in pixels, of the time by which all is to end."""


class CursorMark(NamedTuple):
    """Where the time cursor stands, in seconds, and the slot that is offered there; -1 for none."""

    seconds: float
    slot: int = -1


def cursor_rect(frame: ChartFrame, seconds: float) -> QRect:
    """Return what the cursor covers; nothing where its time is out of view."""
    if not frame.shows(seconds):
        return QRect()
    top = frame.places.plot.top()
    return QRect(round(frame.x(seconds)) - 7, top - 1, 15, frame.places.whole.height() - top + 1)


def paint_cursor(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, cursor: CursorMark) -> None:
    """Draw the line, and a dot at the slot that is offered."""
    plot, seconds = frame.places.plot, cursor.seconds
    if not frame.shows(seconds):
        return
    x = frame.x(seconds)
    paint_cursor_line(painter, frame, x, plot.top(), frame.places.whole.height() - plot.top())
    row = rows.row_at(cursor.slot, seconds)
    top, bottom = frame.row(row) if row >= 0 else (0, 0)
    if row >= 0 and plot.top() <= (top + bottom) / 2 <= plot.bottom():
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(frame.theme.window, 1.5))
        painter.setBrush(frame.theme.cursor)
        painter.drawEllipse(QPointF(x, (top + bottom) / 2), DOT, DOT)


def paint_cursor_line(painter: QPainter, frame: ChartFrame, x: float, top: int, height: int) -> None:
    """Draw the line of the time cursor at a pixel."""
    left = round(x - CORE / 2)
    painter.fillRect(left - 1, top, CASING, height, frame.theme.window)
    painter.fillRect(left, top, CORE, height, frame.theme.cursor)


def paint_end_line(painter: QPainter, frame: ChartFrame, top: int, bottom: int, seconds: float) -> None:
    """Draw the line of the time by which all is to end: dashed, with a rim of the background."""
    left = round(frame.x(seconds) - CORE / 2)
    painter.fillRect(left - 1, top, CASING, bottom - top, frame.theme.window)
    paint_dashes(painter, left, top, bottom, END_DASHES, CORE, frame.theme.ink)

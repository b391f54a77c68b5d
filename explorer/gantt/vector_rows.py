"""Paints rows as vectors, for pictures that are printed or edited: one rectangle per part of a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPen

from core.workload import MAP
from explorer.gantt.chart_frame import colour
from explorer.gantt.hit_test import tasks_between
from explorer.gantt.raster_kernel import (
    DETAIL_HEIGHT,
    EDGE_TONE,
    HATCH_TONE,
    MAP_TONE,
    REDUCE_TONE,
    SHUFFLE_TONE,
    WAIT_TONE,
    WIDE_GAP_HEIGHT,
)
from explorer.gantt.row_picture import background_of

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from explorer.gantt.chart_frame import ChartFrame
    from explorer.gantt.rows import ScheduleRows

MOST_VECTOR_TASKS = 20_000
"""Schedules of more tasks are put in as pictures: a viewer would take seconds for so many shapes."""

EDGE, HATCH_APART = 4.0, 5.0
"""Pixels from which tasks have a right edge, and shuffles a hatch."""


def paint_vector_rows(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
    """Draw the rows in view."""
    painter.save()
    painter.setClipRect(frame.places.plot)
    for pool in frame.layout.pools:
        for row in range(pool.slots):
            slot = pool.first_slot + row
            top, bottom = frame.row(slot)
            if bottom > frame.places.plot.top() and top <= frame.places.plot.bottom():
                across = QRectF(frame.places.plot.left(), top, frame.places.plot.width(), bottom - top)
                painter.fillRect(across, background_of(pool, row, frame.theme))
                _paint_row(painter, frame, rows, slot, across)
    painter.restore()


def _paint_row(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, slot: int, across: QRectF) -> None:
    height = frame.layout.row_height
    spacing = 2 if height >= WIDE_GAP_HEIGHT else 1 if height >= DETAIL_HEIGHT else 0
    inside = across.adjusted(0, 0, 0, -spacing)
    first, last = tasks_between(rows.columns, slot, frame.scale.start, frame.scale.start + frame.scale.span)
    for place in range(first, last):
        _paint_task(painter, frame, rows, place, inside)


def _paint_task(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, place: int, inside: QRectF) -> None:
    columns, tones = rows.columns, frame.shown_tones
    job, kind = int(columns.code[place]) >> 1, int(columns.code[place]) & 1
    start, end = float(columns.start[place]), float(columns.end[place])
    left, right = frame.x(start), frame.x(end)
    body = left
    if kind != MAP:
        shuffled = float(columns.shuffled[place])
        ready = float(columns.stage_end[job])
        waited = frame.x(min(max(ready, start), shuffled))
        body = frame.x(shuffled)
        ink = colour(int(tones[job, HATCH_TONE]))
        for low, high, tone, apart, lean in (
            (left, waited, WAIT_TONE, 11.0, -1),
            (waited, body, SHUFFLE_TONE, 5.6, -1 if start < ready else 1),
        ):
            part = QRectF(low, inside.top(), high - low, inside.height())
            painter.fillRect(part, colour(int(tones[job, tone])))
            _hatch(painter, part, QPen(ink, 1.0 if tone == WAIT_TONE else 1.8), apart, lean)
    whole = QRectF(body, inside.top(), right - body, inside.height())
    painter.fillRect(whole, colour(int(tones[job, MAP_TONE if kind == MAP else REDUCE_TONE])))
    if right - body >= EDGE and inside.height() >= DETAIL_HEIGHT - 1:
        edge = QRectF(right - 1, inside.top(), 1, inside.height())
        painter.fillRect(edge, colour(int(tones[job, EDGE_TONE])))


def _hatch(painter: QPainter, rect: QRectF, pen: QPen, apart: float, lean: int) -> None:
    """Draw diagonal lines, leaning right for 1 and left for -1, cut to a rectangle."""
    if rect.width() < HATCH_APART or rect.height() < DETAIL_HEIGHT - 1:
        return
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    lines = []
    height, width = rect.height(), rect.width()
    offset = 0.0
    while offset < width + height:  # where the line would meet the lower border
        low, high = max(0.0, offset - width), min(height, offset)
        if high > low:
            a, b = offset - low, offset - high
            if lean < 0:
                a, b = width - a, width - b
            lines.append(QLineF(rect.left() + a, rect.bottom() - low, rect.left() + b, rect.bottom() - high))
        offset += apart * 1.414
    painter.drawLines(lines)

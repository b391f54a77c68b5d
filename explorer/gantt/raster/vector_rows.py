"""Paints rows as vectors, for pictures that are printed or edited: one rectangle per part of a task."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPen

from core.model.workload import MAP
from explorer.gantt.geometry.chart_frame import colour, translucent
from explorer.gantt.geometry.hit_test import tasks_between
from explorer.gantt.raster.raster_kernel import (
    DETAIL_HEIGHT,
    EDGE_TONE,
    HATCH_TONE,
    MAP_TONE,
    REDUCE_TONE,
    SHUFFLE_TONE,
    WAIT_TONE,
    WIDE_GAP_HEIGHT,
)
from explorer.gantt.raster.row_picture import background_of

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.rows import ScheduleRows

FADED_STRIP = 45
"""Opacity, of 255, of the strips of borrowed slots whose tasks recede."""

MOST_VECTOR_TASKS = 20_000
"""Schedules of more tasks are put in as pictures: a viewer would take seconds for so many shapes."""

EDGED_WIDTH, HATCHED_WIDTH = 4.0, 5.0
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
        paint_task(painter, frame, rows, place, inside)


def paint_task(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, place: int, inside: QRectF) -> None:
    """Draw the task at a place in the row columns into its row, in the tones that are shown."""
    columns, tones = rows.columns, frame.shown_tones
    job, kind = int(columns.code[place]) >> 1, int(columns.code[place]) & 1
    left, right = frame.x(float(columns.start[place])), frame.x(float(columns.end[place]))
    if kind != MAP:
        left = _paint_shuffle(painter, frame, rows, place, inside)
    body = QRectF(left, inside.top(), right - left, inside.height())
    painter.fillRect(body, colour(int(tones[job, MAP_TONE if kind == MAP else REDUCE_TONE])))
    if body.width() >= EDGED_WIDTH and inside.height() >= DETAIL_HEIGHT - 1:
        edge = QRectF(right - 1, inside.top(), 1, inside.height())
        painter.fillRect(edge, colour(int(tones[job, EDGE_TONE])))
    if rows.schedule.is_borrowed[rows.task[place]]:
        start = frame.x(float(columns.start[place]))
        foot = min(4.0, max(1.0, inside.height() * 0.2))
        strip = QRectF(start, inside.bottom() - foot, right - start, foot)
        fades = frame.recedes and job != frame.content.selected_job
        painter.fillRect(strip, translucent(frame.theme.text, FADED_STRIP) if fades else frame.theme.text)


def _paint_shuffle(
    painter: QPainter, frame: ChartFrame, rows: ScheduleRows, place: int, inside: QRectF
) -> float:
    """Draw what a reduce does before it reduces; return where that ends."""
    columns, tones = rows.columns, frame.shown_tones
    job = int(columns.code[place]) >> 1
    start, shuffled = float(columns.start[place]), float(columns.shuffled[place])
    ready = float(columns.stage_end[job])
    waited, end = frame.x(min(max(ready, start), shuffled)), frame.x(shuffled)
    ink = colour(int(tones[job, HATCH_TONE]))
    waiting = QRectF(frame.x(start), inside.top(), waited - frame.x(start), inside.height())
    painter.fillRect(waiting, colour(int(tones[job, WAIT_TONE])))
    _hatch(painter, waiting, QPen(ink, 1.0), 16.0, -1)
    copying = QRectF(waited, inside.top(), end - waited, inside.height())
    painter.fillRect(copying, colour(int(tones[job, SHUFFLE_TONE])))
    _hatch(painter, copying, QPen(ink, 1.9), 8.0, -1 if start < ready else 1)
    return end


def _hatch(painter: QPainter, rect: QRectF, pen: QPen, apart: float, lean: int) -> None:
    """Draw diagonals, leaning right for 1 and left for -1, cut to a rectangle; those of all rows line up."""
    if rect.width() < HATCHED_WIDTH or rect.height() < DETAIL_HEIGHT - 1:
        return
    low, high = (rect.top(), rect.bottom()) if lean > 0 else (-rect.bottom(), -rect.top())
    first, last = math.ceil((rect.left() + low) / apart), math.floor((rect.right() + high) / apart)
    lines = []
    for number in range(first, last + 1):  # on each diagonal, x + lean * y is a multiple of `apart`
        left = max(rect.left(), number * apart - high)
        right = min(rect.right(), number * apart - low)
        if right > left:
            start = QPointF(left, lean * (number * apart - left))
            lines.append(QLineF(start, QPointF(right, lean * (number * apart - right))))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.drawLines(lines)

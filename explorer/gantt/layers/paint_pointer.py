"""Paints what follows the pointer: crosshair, frame of the task under it, and a job that is dragged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from core.model.time_text import clock_text
from explorer.gantt.geometry.chart_frame import draw_elided, translucent
from explorer.gantt.layers.paint_axis import TICK_DISTANCE, tick_labels
from explorer.gantt.layers.paint_card import beside

if TYPE_CHECKING:
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.rows import ScheduleRows


def paint_crosshair(painter: QPainter, frame: ChartFrame, seconds: float) -> None:
    """Draw the line of the linked crosshair and its time upon the axis."""
    if not frame.shows(seconds):
        return
    plot, axis = frame.places.plot, frame.places.axis
    x = frame.x(seconds)
    painter.fillRect(round(x), plot.top(), 1, axis.top() - plot.top(), frame.theme.crosshair)
    _, step = frame.scale.ticks(TICK_DISTANCE)
    text = clock_text(seconds, step / 10 if step <= 10 else 1.0, frame.scale.start + frame.scale.span)
    width = frame.fonts.small_metrics.horizontalAdvance(text) + 12
    left = min(max(x - width / 2, 2.0), frame.places.whole.width() - width - 2.0)
    flag = QRectF(left, axis.top() + 1, width, axis.height() - 3)
    for _, label, _ in tick_labels(frame):
        if label.intersects(flag):
            painter.fillRect(label, frame.theme.window)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.text)
    painter.drawRoundedRect(flag, 4, 4)
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.window)
    painter.drawText(flag, int(Qt.AlignmentFlag.AlignCenter), text)


def paint_task_frame(painter: QPainter, frame: ChartFrame, place: int, is_selected: bool = False) -> None:
    """Outline the task at a place in the row columns; a selected one in the cursor's colour."""
    rows = frame.content.rows
    if rows is None or place < 0:
        return
    top, bottom = frame.row(int(rows.row[rows.task[place]]))
    left, right = frame.x(float(rows.columns.start[place])), frame.x(float(rows.columns.end[place]))
    spacing = 1 if frame.layout.row_height >= 3.5 else 0
    rect = QRectF(left, top, max(2.0, right - left), max(2.0, bottom - top - spacing))
    painter.save()
    painter.setClipRect(frame.places.plot.adjusted(-1, -1, 1, 1))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(frame.theme.window, 3.5))
    painter.drawRect(rect)
    painter.setPen(QPen(frame.theme.cursor if is_selected else frame.theme.text, 1.6))
    painter.drawRect(rect)
    painter.restore()


def paint_old_place(painter: QPainter, frame: ChartFrame, old: ScheduleRows, job: int) -> None:
    """Outline where a job was in an old schedule, row by row."""
    schedule = old.schedule
    columns = schedule.workload.columns
    fill, edge = translucent(frame.theme.text, 26), translucent(frame.theme.text, 190)
    painter.save()
    painter.setClipRect(frame.places.plot)
    for kind in (0, 1):
        first, count = int(columns.first[job, kind]), int(columns.count[job, kind])
        slots, which = np.unique(old.row[first : first + count], return_inverse=True)
        starts, ends = np.full(len(slots), np.inf), np.zeros(len(slots))
        np.minimum.at(starts, which, schedule.start[first : first + count])
        np.maximum.at(ends, which, schedule.end[first : first + count])
        for slot, start, end in zip(slots.tolist(), starts.tolist(), ends.tolist(), strict=True):
            top, bottom = frame.row(slot)
            left, right = round(frame.x(start)), round(frame.x(end))
            painter.fillRect(left, top, right - left, bottom - top, fill)
            painter.fillRect(left, top, 1, bottom - top, edge)
            painter.fillRect(right - 1, top, 1, bottom - top, edge)
    painter.restore()


def paint_drop(painter: QPainter, frame: ChartFrame, seconds: float, text: str, at: QPointF) -> None:
    """Draw where a dragged job would go, and what that would do, beside the pointer."""
    plot = frame.places.plot
    if frame.shows(seconds):
        x = round(frame.x(seconds))
        painter.fillRect(x - 1, plot.top(), 3, plot.height(), frame.theme.accent)
    metrics = QFontMetrics(frame.fonts.small_bold)
    width = min(metrics.horizontalAdvance(text) + 24.0, frame.places.whole.width() - 8.0)
    rect = beside(frame, at, width, 24)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.shadow)
    painter.drawRoundedRect(rect.adjusted(-2, 0, 2, 4), 7, 7)
    painter.setBrush(frame.theme.accent)
    painter.drawRoundedRect(rect, 5, 5)
    painter.setFont(frame.fonts.small_bold)
    painter.setPen(frame.theme.on_accent)
    draw_elided(painter, rect.adjusted(10, 0, -10, 0), text, Qt.AlignmentFlag.AlignHCenter)


def paint_focus(painter: QPainter, frame: ChartFrame) -> None:
    """Draw the ring of keyboard focus around the plot."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(frame.theme.accent, 1.2))
    painter.drawRoundedRect(frame.places.plot.adjusted(-2, -2, 2, 2), 3, 3)

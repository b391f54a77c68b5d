"""Paints the axis of time: lines of the grid, ticks and their labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt

from core.model.time_text import clock_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from explorer.gantt.geometry.chart_frame import ChartFrame

TICK_DISTANCE = 96.0


def paint_grid(painter: QPainter, frame: ChartFrame) -> None:
    """Draw a thin line through the pools at each tick."""
    ticks, _ = frame.scale.ticks(TICK_DISTANCE)
    for index in range(len(frame.layout.pools)):
        rect = frame.pool_rect(index)
        for tick in ticks:
            # NOTE: fillRect is many times faster than drawLine with a translucent pen
            painter.fillRect(round(frame.x(float(tick))), rect.top(), 1, rect.height(), frame.theme.grid)


def paint_axis(painter: QPainter, frame: ChartFrame) -> None:
    """Draw ticks and labels below the plot."""
    axis = frame.places.axis
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.muted)
    for x, rect, text in tick_labels(frame):
        painter.fillRect(x, axis.top() - 4, 1, 4, frame.theme.line)
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), text)


def tick_labels(frame: ChartFrame) -> list[tuple[int, QRectF, str]]:
    """Return pixel, place and text of each tick's label."""
    axis = frame.places.axis
    ticks, step = frame.scale.ticks(TICK_DISTANCE)
    labels = []
    for tick in ticks.tolist():
        x = round(frame.x(tick))
        text = clock_text(tick, step, frame.scale.start + frame.scale.span)
        width = frame.fonts.small_metrics.horizontalAdvance(text) + 4
        left = min(max(x - width / 2, 2.0), frame.places.whole.width() - width - 2.0)
        labels.append((x, QRectF(left, axis.top(), width, axis.height()), text))
    return labels

"""Paints the axis of time: lines of the grid, ticks and their labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt

from explorer.time_text import clock_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from explorer.gantt.chart_frame import ChartFrame

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
    ticks, step = frame.scale.ticks(TICK_DISTANCE)
    painter.setFont(frame.fonts.small)
    largest = frame.scale.start + frame.scale.span
    for tick in ticks:
        x = round(frame.x(float(tick)))
        painter.fillRect(x, axis.top() - 4, 1, 4, frame.theme.line)
        painter.setPen(frame.theme.muted)
        text = clock_text(float(tick), step, largest)
        width = frame.fonts.small_metrics.horizontalAdvance(text) + 4
        left = min(max(x - width / 2, 2.0), frame.places.whole.width() - width - 2.0)
        painter.drawText(QRectF(left, axis.top(), width, axis.height()), _CENTRE, text)


_CENTRE = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter)

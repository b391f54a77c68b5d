"""Paints the strips of a selected job's borrowed slots, while those of all other jobs recede with them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.gantt.geometry.overlap_parts import marked_tasks
from explorer.gantt.raster.raster_kernel import DETAIL_HEIGHT, WIDE_GAP_HEIGHT

if TYPE_CHECKING:
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.rows import ScheduleRows

MOST_FOOT, FOOT_SHARE = 4.0, 0.2
"""Pixels of a strip at most, and its part of the row."""


def paint_lent_strips(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
    """Draw the strips of the selected job's tasks on borrowed slots; low rows have a texture instead."""
    selected = frame.content.selected_job
    if selected < 0 or not rows.lends or frame.is_vector or frame.layout.row_height < DETAIL_HEIGHT:
        return
    parts = marked_tasks(rows, rows.lent_places, frame.layout, frame.scale, selected, begin=False)
    spans = {row: frame.row(row) for row in set(parts.row.tolist())}
    height, plot = frame.layout.row_height, frame.places.plot
    foot = min(MOST_FOOT, max(1.0, math.floor(height * FOOT_SHARE + 0.5)))
    spacing = 2 if height >= WIDE_GAP_HEIGHT else 1
    strips = [
        QRectF(plot.left() + left, spans[row][1] - spacing - foot, right - left, foot)
        for row, left, right in zip(
            parts.row.tolist(), parts.left.tolist(), parts.right.tolist(), strict=True
        )
    ]
    painter.save()
    painter.setClipRect(plot)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.text)
    painter.drawRects(strips)
    painter.restore()

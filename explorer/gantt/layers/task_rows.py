"""Paints the overview: the whole schedule in small, what is outside of the view shaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from explorer.gantt.geometry.chart_frame import draw_elided
from explorer.gantt.geometry.pixel_mapping import RowLayout

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from explorer.gantt.geometry.chart_frame import ChartFrame

OVERVIEW_GAP = 2
MOST_GAPS = 4
"""One part in so many of the height may be gaps."""


def overview_layout(frame: ChartFrame) -> RowLayout:
    """Return the rows of the overview."""
    pools, height = frame.layout.pools, frame.places.overview.height()
    most = height // (MOST_GAPS * max(len(pools) - 1, 1))  # many bands lie beside one another
    return RowLayout(pools, height, gap=min(OVERVIEW_GAP, most))


def view_rect(frame: ChartFrame) -> QRectF:
    """Return what the plot shows, as a rectangle in the overview."""
    rect, full = frame.places.overview, frame.full_scale
    left = rect.left() + full.x(frame.scale.start)
    right = rect.left() + full.x(frame.scale.start + frame.scale.span)
    content = max(frame.layout.content_height, float(frame.layout.height))
    top = rect.top() + frame.layout.scroll / content * rect.height()
    height = min(1.0, frame.layout.height / content) * rect.height()
    return QRectF(left, top, right - left, height)


def paint_overview(painter: QPainter, frame: ChartFrame, image: QImage) -> None:
    """Draw the small picture with the view outlined in it."""
    rect: QRect = frame.places.overview
    painter.drawImage(rect.topLeft(), image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    view = view_rect(frame)
    if view.width() < rect.width() - 2 or view.height() < rect.height() - 2:
        outside = QPainterPath()
        outside.addRect(QRectF(rect))
        outside.addRect(view)
        painter.fillPath(outside, frame.theme.shade)
        painter.setPen(QPen(frame.theme.accent, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(view.adjusted(0.75, 0.75, -0.75, -0.75), 2, 2)
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.faint)
    label = QRect(2, rect.top(), rect.left() - 9, rect.height())
    draw_elided(painter, label, "overview", Qt.AlignmentFlag.AlignRight)

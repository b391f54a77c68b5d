"""The overview below the axis: the slots in use over all the time, and the frame around what is in view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from typing_extensions import override

from core.charts.painted_rows import classes_of
from explorer.gantt.geometry.chart_frame import draw_elided
from explorer.gantt.layers.layer import Layer
from explorer.gantt.layers.use_picture import UsePicture, UseShown
from explorer.widgets.theme import fill_with, write_with

if TYPE_CHECKING:
    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame

RECEDING = 0.4
"""Opacity of the slots in use while something in the chart stands out."""
HANDLE = 3.0, 9.0
"""Width and height of the handles at the sides of the view in the overview."""


class OverviewLayer(Layer):
    """The slots in use over the whole time, below the axis; what is outside of the view is shaded."""

    def __init__(self) -> None:
        self._picture = UsePicture()

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        if frame.places.overview.height() == 0 or frame.content.is_veiled:
            return
        place, scale = frame.places.overview, frame.sharp(frame.full_scale)
        painter.fillRect(place, frame.theme.surface)
        classes = classes_of(frame.content)
        if classes is not None:
            lanes, height = range(len(rows.pools)), place.height()
            shown = UseShown(rows, classes, frame.content.places, frame.theme, scale, height, lanes)
            painter.setOpacity(RECEDING if frame.recedes else 1.0)
            self._picture.draw(painter, place.topLeft(), shown, self.later)
            painter.setOpacity(1.0)
        _paint_view(painter, frame)


def _paint_view(painter: QPainter, frame: ChartFrame) -> None:
    """Frame the times that the plot shows, with a handle at each side, and say what they are a part of."""
    rect, view = frame.places.overview, frame.view_in_overview
    view &= QRectF(rect)
    painter.save()
    for side in (QRectF(rect.topLeft(), view.bottomLeft()), QRectF(view.topRight(), rect.bottomRight())):
        painter.fillRect(side.adjusted(0, 0, 0, 1), frame.theme.shade)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(frame.theme.link, 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(view.adjusted(0.5, 0.5, -0.5, -0.5))
    fill_with(painter, frame.theme.link)
    middle, (width, height) = view.center().y(), HANDLE
    for left in (view.left(), view.right() - width):
        painter.drawRect(QRectF(left, middle - height / 2, width, height))
    painter.restore()
    write_with(painter, frame.fonts.small, frame.theme.third_text)
    label = QRect(2, rect.top(), rect.left() - 9, rect.height())
    draw_elided(painter, label, "All", Qt.AlignmentFlag.AlignRight)

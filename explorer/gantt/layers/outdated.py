"""A haze over what a schedule shows that is not so: that of an older version, or what follows a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from typing_extensions import override

from explorer.gantt.layers.layer import Layer, draw_tag
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame

HAZE_ALPHA = 150
TAG_HEIGHT, PADDING, TOP = 18, 9, 5


class OutdatedLayer(Layer):
    """Greys the plot out, with words at its top; of a run that failed only what would have followed."""

    stays_under_veil = True

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        words, plot, colours = frame.content.outdated, frame.places.plot, frame.theme
        failed = frame.content.failed
        if failed is not None and failed < frame.scale.end:
            left = max(round(frame.x(failed)), plot.left())
            painter.fillRect(
                plot.adjusted(left - plot.left(), 0, 0, 0), translucent(colours.window, HAZE_ALPHA)
            )
        if not words:
            return
        painter.fillRect(plot, translucent(colours.window, HAZE_ALPHA))
        wanted = frame.fonts.small_metrics.horizontalAdvance(words) + 2.0 * PADDING
        width = min(wanted, plot.width() - 2.0 * PADDING)
        tag = QRectF(plot.center().x() - width / 2, plot.top() + TOP, width, TAG_HEIGHT)
        painter.save()
        painter.setClipRect(tag)
        draw_tag(painter, frame, tag, words, TAG_HEIGHT // 2, colours.text, colours.window)
        painter.restore()

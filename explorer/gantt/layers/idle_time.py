"""Folded stretches in which nothing runs: a hatched pleat through the rows, two slashes on the axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from typing_extensions import override

from core.model.time_text import rough_duration
from explorer.gantt.geometry.chart_frame import TICK_LENGTH
from explorer.gantt.layers.layer import Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame

HATCH_STEP = 7
"""Pixels from one line of the hatch to the next."""
SLASH, SLASHES_APART, SLASH_REACH = 7.0, 4.0, 12
"""Pixels that a slash is high, that two are apart, and around them that take a click."""


class IdleTimeLayer(Layer):
    """A hatch over all rows where a stretch is folded, with how long it is in the first rows."""

    stays_under_veil = True

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        plot, lanes = frame.places.plot, [frame.pool_rects[index] for index in frame.layout.in_view]
        for (begin, end), (left, right) in _pleats_in_view(frame):
            text, is_named = f"{rough_duration(end - begin)} idle", False
            for lane in lanes:
                across = QRect(round(left), lane.top(), round(right) - round(left), lane.height()) & plot
                painter.fillRect(across, frame.theme.window)
                _hatch(painter, across, frame)
                is_named = is_named or _paint_name(painter, QRectF(across), text, frame)


def paint_slashes(painter: QPainter, frame: ChartFrame) -> None:
    """Draw two slashes on the axis where a stretch is folded, or could be."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    is_folded = frame.scale.fold.is_folded
    painter.setPen(QPen(frame.theme.text if is_folded else frame.theme.third_text, 1.2))
    middle = frame.places.axis.top() - TICK_LENGTH / 2 + SLASH / 2
    for x in _slashes(frame):
        for shift in (-SLASHES_APART / 2, SLASHES_APART / 2):
            low, high = QPointF(x + shift - 2, middle + SLASH / 2), QPointF(x + shift + 2, middle - SLASH / 2)
            painter.drawLine(low, high)


def slashes_at(frame: ChartFrame, x: float) -> bool:
    """Whether a pixel of the axis is upon the slashes of a stretch."""
    return any(abs(x - each) <= SLASH_REACH for each in _slashes(frame))


def _slashes(frame: ChartFrame) -> Iterator[float]:
    """Yield the middle pixel of each stretch that is in view, folded or not."""
    plot = frame.places.plot
    for begin, end in frame.scale.fold.stretches:
        middle = (frame.x(begin) + frame.x(end)) / 2
        if plot.left() <= middle <= plot.right():
            yield middle


def _pleats_in_view(frame: ChartFrame) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Yield begin and end of each folded stretch in seconds, and its first and last pixel in the chart."""
    plot = frame.places.plot
    for stretch, (left, right) in zip(frame.scale.fold.stretches, frame.scale.pleats, strict=False):
        left, right = left + plot.left(), right + plot.left()
        if right > plot.left() and left < plot.right():
            yield stretch, (max(left, plot.left() - 1.0), min(right, plot.right() + 1.0))


def _hatch(painter: QPainter, rect: QRect, frame: ChartFrame) -> None:
    painter.save()
    painter.setClipRect(rect)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(frame.theme.line, 1))
    first = rect.left() - rect.height() - (rect.left() - rect.height()) % HATCH_STEP
    for x in range(first, rect.right() + HATCH_STEP, HATCH_STEP):
        painter.drawLine(x, rect.bottom() + 1, x + rect.height(), rect.top() + 1)
    painter.restore()


def _paint_name(painter: QPainter, rect: QRectF, text: str, frame: ChartFrame) -> bool:
    """Write upwards how long a stretch is; whether there is room for it."""
    metrics = frame.fonts.small_metrics
    if metrics.horizontalAdvance(text) + 6 > rect.height() or metrics.height() > rect.width() + 2:
        return False
    painter.save()
    painter.translate(rect.center())
    painter.rotate(-90)
    painter.setFont(frame.fonts.small)
    plate = QRectF(0, 0, metrics.horizontalAdvance(text) + 6, metrics.height())
    plate.moveCenter(QPointF(0, 0))
    painter.fillRect(plate, frame.theme.window)
    painter.setPen(frame.theme.second_text)
    painter.drawText(plate, int(Qt.AlignmentFlag.AlignCenter), text)
    painter.restore()
    return True

"""Above each lane, or pool of jobs: how many slots are in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from typing_extensions import override

from core.charts.painted_rows import classes_of
from explorer.gantt.geometry.chart_frame import draw_elided
from explorer.gantt.geometry.strip_height import LOW_STRIP, strip_air
from explorer.gantt.layers.layer import Layer, Sign
from explorer.gantt.layers.use_picture import UsePicture, UseShown, low_ink, most_in_use

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPainter

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.widgets.theme import Theme

SIGN_SHARES = 0.1, 0.5, 1.0
"""Parts of the slots that are in use in the legend's picture of a strip."""


def _draw_sign(painter: QPainter, place: QRectF, _colour: QColor, theme: Theme) -> None:
    """Draw a low strip: few slots, then half, then all are in use."""
    step = place.width() / len(SIGN_SHARES)
    for number, share in enumerate(SIGN_SHARES):
        left, top = place.left() + number * step, place.center().y() - LOW_STRIP / 2
        painter.fillRect(QRectF(left, top, step, LOW_STRIP), low_ink(share, theme))


SIGN = Sign(
    "slots in use",
    0,
    draw=_draw_sign,
    tip="the strip above rows: the darker, or where it has colours the higher, the more slots are in use",
)


class UseStripsLayer(Layer):
    """A strip above each lane, or above the lanes of a pool of jobs; its whole height is all their slots."""

    def __init__(self) -> None:
        self._pictures: dict[int, UsePicture] = {}

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        return (SIGN,)

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        layout, classes = frame.layout, classes_of(frame.content)
        if not layout.strip or classes is None or frame.content.strip_ghost is not None:
            return
        painter.save()
        painter.setClipRect(frame.places.whole.adjusted(0, frame.places.plot.top() - 1, 0, 0))
        for index in layout.in_view:
            if index in layout.folded or layout.continues(index):
                continue
            lane, top = frame.pool_rects[index], round(layout.pool_tops[index]) + frame.places.plot.top()
            above = top - layout.strip - strip_air(layout.strip)
            place = QRect(lane.left(), above, lane.width(), layout.strip)
            lanes, places = layout.named_together(index), frame.content.places
            is_high = layout.strip > LOW_STRIP
            shown = UseShown(
                rows, classes, places, frame.theme, frame.scale, layout.strip, lanes, is_counted=is_high
            )
            painter.fillRect(place, frame.theme.surface)
            picture = self._pictures.setdefault(lanes.start, UsePicture())
            picture.draw(painter, place.topLeft(), shown, self.later)
            if shown.is_counted and lanes in most_in_use(rows):
                _paint_most(painter, frame, place, most_in_use(rows)[lanes] / shown.slots)
        painter.restore()


def _paint_most(painter: QPainter, frame: ChartFrame, place: QRect, most: float) -> None:
    """Say beside a strip how many of the slots are in use at once at most, as a part of them."""
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.second_text)
    label = QRect(0, place.top() - 2, place.left() - 6, place.height() + 4)
    draw_elided(painter, label, f"{100 * most:.0f} %", Qt.AlignmentFlag.AlignRight)

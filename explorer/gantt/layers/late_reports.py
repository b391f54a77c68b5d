"""Tasks of a record whose end is reported late: a hatched part from where their slot was given on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QBrush, QPainter
from typing_extensions import override

from core.charts.late_reports import late_reports
from explorer.gantt.layers.layer import Layer, Sign
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QColor

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.widgets.theme import Theme

HATCHED = 200
"""Opacity of the hatching, of 255."""
PART = 3
"""A mark takes the lowest part of a row, one of so many: the next task is above."""
MIN_MARKED = 4.0
"""Pixels of a stretch from which it can be seen."""


class LateReportsLayer(Layer):
    """What a log says of a task after its slot had the next one, upon which it lies."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        late = late_reports(rows)
        left, right = frame.scale.x(np.stack([late.begin, late.end]))
        seen = right - left >= MIN_MARKED
        if not seen.any():
            return
        painter.save()
        painter.setClipRect(frame.places.plot)
        for left, right, top, bottom in frame.boxes(*(each[seen] for each in late), cut=True):
            low = bottom - max((bottom - top) // PART, 1)
            _draw(painter, QRect(round(left), low, round(right) - round(left), bottom - low), frame.theme)
        painter.restore()

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        count = len(late_reports(rows).slot)
        return (SIGN._replace(amount=str(count)),) if count else ()


def _draw(painter: QPainter, place: QRect, theme: Theme) -> None:
    painter.fillRect(place, theme.surface)
    painter.fillRect(place, QBrush(translucent(theme.second_text, HATCHED), Qt.BrushStyle.FDiagPattern))


def _draw_sign(painter: QPainter, place: QRectF, colour: QColor, theme: Theme) -> None:
    painter.fillRect(place, colour)
    foot = place.toRect()
    foot.setTop(foot.bottom() - foot.height() // PART)
    _draw(painter, foot, theme)


SIGN = Sign(
    "reported late",
    5,
    draw=_draw_sign,
    tip="the log reports the end of a task only after its slot had the next one; seen from near",
)

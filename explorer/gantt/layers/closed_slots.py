"""When slots are closed, or their node is away: a quiet hatched background of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QBrush, QPainter
from typing_extensions import override

from core.charts.closed_stretches import closed_stretches
from explorer.gantt.layers.layer import Layer, Sign
from explorer.widgets.theme import fill_with, translucent

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QColor

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.widgets.theme import Theme

DIM, HATCHED = 110, 70
"""Opacity, of 255, of what dims a row, and of the hatching upon it."""

MIN_HATCHED = 4
"""Pixels of a row from which hatching can be seen; lower ones are only dimmed."""


class ClosedSlotsLayer(Layer):
    """Dim, hatched rows while their slots have not opened yet, or have closed."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        paint_closed(painter, frame, rows, frame.places.plot)

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        if not len(closed_stretches(rows).slot):
            return ()
        return (CLOSED if rows.schedule.cluster.events is None else AWAY,)


def paint_closed(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, clip: QRect) -> None:
    """Dim and hatch rows where their slots are closed, in a part of the plot."""
    closed = closed_stretches(rows)
    if not len(closed.slot):
        return
    painter.save()
    painter.setClipRect(clip)
    plain: list[QRect] = []
    hatched: list[QRect] = []
    for left, right, top, bottom in frame.boxes(*closed, cut=True):
        if right > left and bottom > clip.top() and top <= clip.bottom():
            rect = QRect(round(left), top, round(right) - round(left), max(bottom - top, 1))
            (hatched if rect.height() >= MIN_HATCHED else plain).append(rect)
    _fill(painter, plain + hatched, QBrush(_dim(frame.theme)))
    _fill(painter, hatched, _hatching(frame.theme))
    painter.restore()


def _dim(theme: Theme) -> QColor:
    return translucent(theme.window, DIM)


def _hatching(theme: Theme) -> QBrush:
    return QBrush(translucent(theme.second_text, HATCHED), Qt.BrushStyle.BDiagPattern)


def _fill(painter: QPainter, rects: list[QRect], brush: QBrush) -> None:
    # one call: there may be thousands
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    fill_with(painter, brush)
    painter.drawRects(rects)


def _draw_sign(painter: QPainter, place: QRectF, _fill_colour: QColor, theme: Theme) -> None:
    painter.fillRect(place, theme.map_rows[0])
    painter.fillRect(place, _dim(theme))
    painter.fillRect(place, _hatching(theme))


CLOSED = Sign("closed slot", 6, draw=_draw_sign, tip="the slot is not there: it opens later, or has closed")
AWAY = Sign("node away", 6, draw=_draw_sign, tip="the slot is not there: its node has failed")

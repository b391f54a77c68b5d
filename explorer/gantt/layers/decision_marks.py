"""Marks above the rows at decisions that differ from those of another schedule, or of another policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPolygonF
from typing_extensions import override

from explorer.gantt.layers.layer import Layer, Sign
from explorer.widgets.theme import fill_with

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.widgets.theme import Theme

HEIGHT, HALF, BAR = 6, 4, 3
"""Pixels of a mark, of half of its width, and of the bar that marks grow together to."""


class DecisionMarksLayer(Layer):
    """Small triangles that point at the instants; those that would touch one another become one bar."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        times = frame.content.decisions
        if times is None:
            return
        until = min(frame.scale.end, frame.content.veil)
        shown = times[np.searchsorted(times, frame.scale.start) : np.searchsorted(times, until, "right")]
        if not len(shown):
            return
        spans = merged(np.array(frame.xs(shown)), 2 * HALF)
        bottom = frame.places.plot.top()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill_with(painter, frame.theme.accent)
        for left, right in spans:
            if right > left:
                painter.drawRect(round(left - 1), bottom - BAR, max(round(right - left) + 2, 3), BAR)
            if len(spans) < MAX_POINTED:
                for x in dict.fromkeys((left, right)):
                    painter.drawPolygon(_triangle(x, bottom))
        painter.restore()


MAX_POINTED = 200
"""With more bars than that only their lengths are drawn."""


def merged(xs: NDArray[np.float64], least: float) -> list[tuple[float, float]]:
    """Return first and last pixel of each group of marks that are nearer to one another than `least`.

    Parameters
    ----------
    xs : ascending pixels, at least one
    """
    cuts = np.flatnonzero(np.diff(xs) >= least)
    firsts, lasts = xs[np.r_[0, cuts + 1]], xs[np.r_[cuts, len(xs) - 1]]
    return [(float(a), float(b)) for a, b in zip(firsts, lasts, strict=True)]


def _triangle(x: float, bottom: float) -> QPolygonF:
    return QPolygonF(
        [QPointF(x - HALF, bottom - HEIGHT), QPointF(x + HALF, bottom - HEIGHT), QPointF(x, bottom)]
    )


def _draw_sign(painter: QPainter, place: QRectF, _fill: QColor, theme: Theme) -> None:
    """Draw two marks that have grown together, for a legend."""
    left, right, bottom = place.left() + HALF, place.right() - HALF, place.center().y() + HEIGHT / 2
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill_with(painter, theme.accent)
    painter.drawRect(QRectF(left, bottom - HEIGHT, right - left, BAR))
    for x in (left, right):
        painter.drawPolygon(_triangle(x, bottom))


DIFFERENCE = Sign(
    "decides otherwise",
    8,
    draw=_draw_sign,
    tip="above the rows, each place where the scenario that this one is compared with, or the policy that is "
    "asked, decides otherwise; Differences lists them",
)

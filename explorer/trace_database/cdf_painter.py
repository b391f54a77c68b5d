"""Where a panel of distribution functions has its axes, and how it is painted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainterPath

from core.model.time_text import duration_text
from explorer.plots.axis import time_ticks
from explorer.trace_database.run_colours import run_pen

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPainter

    from explorer.widgets.theme import Theme

    Curve = tuple[NDArray[np.float64], NDArray[np.float64]]

FRACTIONS = (0.0, 0.25, 0.5, 0.75, 1.0)
ROOM_PER_TICK_PX = 76
SMALLEST = 1e-3
"""Seconds: logarithmic axes begin here at the earliest."""
NO_TASKS = "None of the runs has such tasks."


@dataclass(frozen=True, eq=False)
class Panel:
    """One phase: its title, and the curve (seconds, fractions) of each run, None where it has no tasks."""

    title: str
    curves: tuple[Curve | None, ...]

    @property
    def limits(self) -> tuple[float, float]:
        """The shortest and the longest duration of all runs; (0, 1) without any."""
        values = [curve[0] for curve in self.curves if curve is not None]
        if not values:
            return 0.0, 1.0
        return min(float(v[0]) for v in values), max(float(v[-1]) for v in values)


@dataclass(frozen=True)
class PanelPlaces:
    """Geometry of a panel: the field of the curves, and seconds and fractions in pixels."""

    area: QRectF
    field: QRectF
    low: float
    high: float
    is_logarithmic: bool

    def x(self, seconds: float) -> float:
        """Return the pixel of a duration."""
        low, high = self._scaled(self.low), self._scaled(self.high)
        return self.field.left() + (self._scaled(seconds) - low) / (high - low) * self.field.width()

    def seconds(self, x: float) -> float:
        """Return the duration at a pixel."""
        part = (x - self.field.left()) / self.field.width()
        low, high = self._scaled(self.low), self._scaled(self.high)
        scaled = low + part * (high - low)
        return 10.0**scaled if self.is_logarithmic else scaled

    def y(self, fraction: float) -> float:
        """Return the pixel of a fraction of tasks."""
        return self.field.bottom() - fraction * self.field.height()

    def _scaled(self, seconds: float) -> float:
        return math.log10(max(seconds, SMALLEST)) if self.is_logarithmic else seconds

    def ticks(self) -> list[float]:
        """Return the durations that are labelled."""
        most = max(int(self.field.width() / ROOM_PER_TICK_PX), 1)
        if not self.is_logarithmic:
            return time_ticks(self.low, self.high, most)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for factors, every in (((1, 2, 5), 1), ((1,), 1), ((1,), math.ceil(len(powers) / most))):
            ticks = [factor * 10.0**power for power in powers[::every] for factor in factors]
            shown = [seconds for seconds in ticks if self.low <= seconds <= self.high]
            if len(shown) <= most:
                break
        return shown if len(shown) > 1 else time_ticks(self.low, self.high, most)


def panel_places(panel: Panel, area: QRectF, font: QFont, logarithmic: bool) -> PanelPlaces:
    """Lay a panel out: even axes begin at 0, logarithmic ones at the shortest duration."""
    letters = QFontMetricsF(font)
    line, left = letters.height(), letters.horizontalAdvance("100 %") + 10
    field = area.adjusted(left, line + 10, -14, -2 * line - 12)
    shortest, longest = panel.limits
    if logarithmic:
        low = max(shortest, SMALLEST) / 1.1
        return PanelPlaces(area, field, low, max(longest * 1.1, 2 * low), True)
    return PanelPlaces(area, field, 0.0, longest * 1.04 if longest > 0 else 1.0, False)


def paint_panel(painter: QPainter, panel: Panel, places: PanelPlaces, colours: Theme) -> None:
    """Paint title, axes, and a curve of steps for each run."""
    painter.save()
    painter.fillRect(places.area, colours.plot)
    _paint_axes(painter, panel, places, colours)
    painter.setRenderHint(painter.RenderHint.Antialiasing)
    painter.setClipRect(places.field.adjusted(-2, -2, 2, 2))
    for number, curve in enumerate(panel.curves):
        if curve is not None:
            painter.setPen(run_pen(number, colours))
            painter.drawPath(steps_path(curve, places))
    painter.restore()
    if all(curve is None for curve in panel.curves):
        painter.setPen(colours.muted)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(places.field, flags, NO_TASKS)


def _paint_axes(painter: QPainter, panel: Panel, places: PanelPlaces, colours: Theme) -> None:
    field, line = places.field, painter.fontMetrics().height()
    align = Qt.AlignmentFlag
    painter.setPen(colours.text)
    title = QRectF(field.left(), places.area.top() + 4, field.width(), line)
    painter.drawText(title, align.AlignLeft, panel.title)
    for fraction in FRACTIONS:
        y = places.y(fraction)
        painter.setPen(colours.grid if fraction else colours.line)
        painter.drawLine(QPointF(field.left(), y), QPointF(field.right(), y))
        painter.setPen(colours.muted)
        label = QRectF(places.area.left(), y - line / 2, field.left() - places.area.left() - 6, line)
        painter.drawText(label, align.AlignRight | align.AlignVCenter, f"{fraction:.0%}".replace("%", " %"))
    for seconds in places.ticks():
        x = places.x(seconds)
        painter.setPen(colours.grid)
        painter.drawLine(QPointF(x, field.top()), QPointF(x, field.bottom()))
        painter.setPen(colours.muted)
        label = QRectF(x - ROOM_PER_TICK_PX / 2, field.bottom() + 3, ROOM_PER_TICK_PX, line)
        painter.drawText(label, align.AlignHCenter, duration_text(seconds))
    painter.setPen(colours.muted)
    below = QRectF(field.left(), field.bottom() + line + 5, field.width(), line)
    painter.drawText(below, align.AlignRight, "duration")


def steps_path(curve: Curve, places: PanelPlaces) -> QPainterPath:
    """Return the outline of a distribution function, from its shortest to its longest duration."""
    values, fractions = curve
    shown = _thinned(values, places)
    reached = fractions[np.searchsorted(values, shown, side="right") - 1]
    path = QPainterPath(QPointF(places.x(float(shown[0])), places.y(0.0)))
    before = 0.0
    for seconds, fraction in zip(shown.tolist(), reached.tolist(), strict=True):
        x = places.x(seconds)
        path.lineTo(x, places.y(before))
        path.lineTo(x, places.y(fraction))
        before = fraction
    return path


def _thinned(values: NDArray[np.float64], places: PanelPlaces) -> NDArray[np.float64]:
    """Return the values, or so many of them, spread evenly, that no pixel needs more."""
    most = 4 * max(int(places.field.width()), 1)
    if len(values) <= most:
        return values
    chosen: NDArray[np.float64] = values[np.unique(np.linspace(0, len(values) - 1, most).astype(int))]
    return chosen

"""The values upon the bars of a picture: all of them or, where bars are too narrow, none."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from typing_extensions import override

from core.charts.study.values import number_text, value_text
from core.model.time_text import clock_text
from explorer.plots.histogram_picture import ink_upon
from explorer.study.marks import ink_of
from explorer.study.plot_texts import PlotTexts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QColor, QFont, QPainter, QTransform

    from core.charts.study.marks import Curve
    from explorer.widgets.theme import Theme

LARGE = ((1e9, "G"), (1e6, "M"), (1e3, "k"))
"""What is counted in, in short."""
AIR_PX = 2
"""Between a value and what is above or below it."""
MARK_PX = 5
"""Half of a point that is drawn upon a bar, with its rim."""


class ValueOfBar(NamedTuple):
    """A value at its bar, in coordinates of the plot.

    Attributes
    ----------
    texts : the value with its unit, and as short as it can be; the first that fits is written
    x, width : the middle of the bar, and the room of a text
    top : what it stands upon; of a part of a stack, the upper end of the part
    bottom : the lower end of the part of a stack in which it stands, nan where it stands above its bar
    ground : the colour behind it in a part of a stack
    marks : where points are drawn upon the bar, ascending; no text lies over one
    """

    texts: tuple[str, str]
    x: float
    width: float
    top: float
    bottom: float
    ground: QColor
    marks: tuple[float, ...]


def short_text(value: float, unit: str) -> str:
    """Write a value in three digits without its unit, which its axis has: "2:05", "12.5", "540k"."""
    if unit == "s" and value >= 60.0:
        return clock_text(value)
    scale, sign = next((each for each in LARGE if abs(value) >= each[0]), (1.0, ""))
    return f"{number_text(float(f'{value / scale:.3g}'))}{sign}"


def bar_values(curves: Sequence[Curve], unit: str, colours: Theme) -> list[ValueOfBar]:
    """Return the values of all bars of curves, each above its bar and its spread, or in its part."""
    found: list[ValueOfBar] = []
    upon = [
        at for each in curves if each.on_bars for at in zip(each.xs.tolist(), each.ys.tolist(), strict=True)
    ]
    for curve in (each for each in curves if each.mark == "bars"):
        high = curve.ys if curve.band is None else np.fmax(curve.ys, curve.band[1])
        ends = zip(curve.xs.tolist(), curve.ys.tolist(), curve.bottom.tolist(), high.tolist(), strict=True)
        for x, y, bottom, top in ends:
            if np.isfinite(y):
                texts = value_text(y, unit), short_text(y, unit)
                low = np.nan if curve.base is None else bottom
                marks = tuple(sorted(mark for at, mark in upon if abs(at - x) < curve.width / 2))
                found.append(
                    ValueOfBar(texts, x, curve.width, bottom + top, low, ink_of(curve, colours), marks)
                )
    return found


class BarValues(PlotTexts):
    """Writes values: whole, else short; where that is too wide, none."""

    def __init__(self, values: Sequence[ValueOfBar], font: QFont, ink: QColor) -> None:
        super().__init__(font, ink)
        self._values = values
        self.setZValue(45)

    @override
    def write(self, painter: QPainter, placed: QTransform) -> None:
        spans = [
            placed.mapRect(QRectF(each.x - each.width / 2, 0, each.width, 1)).width() for each in self._values
        ]
        for texts in zip(*(each.texts for each in self._values), strict=True):
            needs = map(self.metrics.horizontalAdvance, texts)
            if all(need <= span + AIR_PX for need, span in zip(needs, spans, strict=True)):
                for each, text in zip(self._values, texts, strict=True):
                    self._write_value(painter, placed, each, text)
                break

    def _write_value(self, painter: QPainter, placed: QTransform, value: ValueOfBar, text: str) -> None:
        wide, high = self.metrics.horizontalAdvance(text), self.metrics.height()
        top = placed.map(QPointF(value.x, value.top))
        middle = QPointF(top.x(), top.y() - AIR_PX - high / 2)
        if np.isfinite(value.bottom):
            bottom = placed.map(QPointF(value.x, value.bottom))
            if bottom.y() - top.y() < high + 2 * AIR_PX:
                return
            middle = (top + bottom) / 2
            painter.setPen(ink_upon(value.ground))
        self.written.append(text)
        room = QRectF(middle.x() - wide, middle.y() - high / 2, 2 * wide, high)
        for mark in value.marks:
            at = placed.map(QPointF(value.x, mark)).y()
            if room.top() - MARK_PX < at < room.bottom() + MARK_PX:
                room.moveBottom(at - MARK_PX)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

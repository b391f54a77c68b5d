"""One histogram as a small picture with a title, an axis, and the counts under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from explorer.plots.axis import TICK_ROOM, ValueScale, tick_text, value_text
from explorer.widgets.plain_labels import TipWidget
from explorer.widgets.theme import fill_with, theme, theme_of, write_with

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPaintEvent

    from core.measures.histogram import Histogram
    from explorer.plots.axis import Unit
    from explorer.widgets.theme import Theme

MARGIN = 8
ZERO_WIDTH = 14
"""Of the bar of zeros, and the gap behind it."""
NOTHING = "none"
STRONGER = 140
"""Percent of the brightness of the dark theme's bands: such bars stand out from both backgrounds."""
MIDDLE_LIGHTNESS = 0.45
FEW_BARS = 7
"""Fewer bars are as wide as if there were so many."""


class BarValue(NamedTuple):
    """What is written on a bar, where, and whether that is inside of it."""

    text: str
    place: QRectF
    is_inside: bool


class HistogramPicture(TipWidget):
    """Shows how values are spread: bars over their ranges."""

    def __init__(self, title: str, unit: Unit, counted: str, *, is_reduce: bool = False) -> None:
        super().__init__()
        self._title, self._unit, self._counted, self._is_reduce = title, unit, counted, is_reduce
        self._shown: Histogram | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(title)
        self.show_histogram(None)

    def rename(self, title: str, counted: str) -> None:
        """Give it another title, and another word for what it counts."""
        self._title, self._counted = title, counted
        self.setAccessibleName(title)

    def show_histogram(self, shown: Histogram | None) -> None:
        """Show other values; None while they are not known."""
        self._shown = shown
        self.setAccessibleDescription("" if shown is None else self.summary())
        self.update()

    def summary(self) -> str:
        """Return the extremes, or that there is nothing."""
        shown = self._shown
        if shown is None or not shown.total:
            return NOTHING
        outer = _middles(shown) if shown.is_exact else shown.edges
        low, high = 0.0 if shown.zeros else float(outer[0]), float(outer[-1])
        if low == high:
            return f"all {value_text(low, self._unit)}"
        return f"{value_text(low, self._unit)} to {value_text(high, self._unit)}"

    @override
    def sizeHint(self) -> QSize:
        return QSize(220, 120)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(150, 84)

    # ---- painting

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme_of(self)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), colours.plot)
            painter.setPen(colours.line)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            self._paint_title(painter, colours)
            if self._shown is not None and self._shown.total:
                self._paint_counts(painter, colours, _tallest(self._shown))
                self._paint_bars(painter, colours, self._shown)
                self._paint_axis(painter, colours, self._shown)

    def _paint_title(self, painter: QPainter, colours: Theme) -> None:
        line = QRectF(MARGIN, 4, self.width() - 2 * MARGIN, self.fontMetrics().height())
        font = QFont(self.font())
        font.setBold(True)
        write_with(painter, font, colours.text)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, self._title)
        room = line.width() - painter.fontMetrics().horizontalAdvance(self._title) - MARGIN
        write_with(painter, self.font(), colours.second_text)
        text = "" if self._shown is None else self.summary()
        if self.fontMetrics().horizontalAdvance(text) <= room:
            painter.drawText(line, Qt.AlignmentFlag.AlignRight, text)

    def _paint_bars(self, painter: QPainter, colours: Theme, shown: Histogram) -> None:
        area, tallest = self._area(), _tallest(shown)
        xs = self._scale(shown).xs(shown.edges)
        fill_with(painter, self.colour())
        if shown.zeros:
            height = max(shown.zeros / tallest * area.height(), 1.0)
            painter.drawRect(QRectF(area.left(), area.bottom() - height, ZERO_WIDTH - 4, height))
        for i in np.flatnonzero(shown.counts).tolist():
            height = max(float(shown.counts[i]) / tallest * area.height(), 1.0)
            width = max(float(xs[i + 1] - xs[i]) - 1.0, 1.0)
            painter.drawRect(QRectF(float(xs[i]), area.bottom() - height, width, height))
        for value in self.values(shown):
            painter.setPen(ink_upon(self.colour()) if value.is_inside else colours.second_text)
            painter.drawText(value.place, Qt.AlignmentFlag.AlignCenter, value.text)

    def values(self, shown: Histogram) -> list[BarValue]:
        """Return how many each bar stands for, and where that is written; none if a bar has no room for it.

        It stands on the bar, or in its upper end where the bar reaches the title.
        """
        area, metrics, tallest = self._area(), self.fontMetrics(), _tallest(shown)
        xs, found = self._scale(shown).xs(shown.edges), list[BarValue]()
        for i in np.flatnonzero(shown.counts).tolist():
            left, right, text = float(xs[i]), float(xs[i + 1]) - 1, value_text(int(shown.counts[i]), "tasks")
            if metrics.horizontalAdvance(text) + 2 > right - left:
                return []
            top = area.bottom() - max(float(shown.counts[i]) / tallest * area.height(), 1.0)
            is_inside = top - metrics.height() < area.top()
            place = QRectF(left, top - metrics.height() * (not is_inside), right - left, metrics.height())
            found.append(BarValue(text, place, is_inside))
        return found

    def _paint_axis(self, painter: QPainter, colours: Theme, shown: Histogram) -> None:
        area, scale = self._area(), self._scale(shown)
        painter.setPen(colours.line)
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        painter.setPen(colours.second_text)
        if shown.zeros:
            self._label(painter, area.left() + ZERO_WIDTH / 2 - 2, "0")
        for tick, text in self._labels(shown, scale):
            x = scale.x(tick)
            painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3))
            if not (shown.zeros and x < area.left() + 2 * ZERO_WIDTH):
                self._label(painter, x, text)

    def _labels(self, shown: Histogram, scale: ValueScale) -> list[tuple[float, str]]:
        """Return what is written below the bars: the values themselves where ranges are single values."""
        if not shown.is_exact:
            return scale.labels(self._unit)
        values: list[float] = _middles(shown).tolist()
        every = -(-len(values) // max(int(self.width() / TICK_ROOM), 1))
        return [(value, tick_text(value, self._unit)) for value in values[::every]]

    def _paint_counts(self, painter: QPainter, colours: Theme, tallest: int) -> None:
        """Write how many the tallest bar stands for, at its height."""
        area = self._area()
        painter.setPen(colours.faint_line)
        painter.drawLine(area.topLeft(), area.topRight())
        painter.setPen(colours.second_text)
        room = QRectF(0, area.top() - 3, area.left() - 4, self.fontMetrics().height())
        painter.drawText(room, Qt.AlignmentFlag.AlignRight, value_text(tallest, "tasks"))

    def _label(self, painter: QPainter, x: float, text: str) -> None:
        width = self.fontMetrics().horizontalAdvance(text)
        left = min(max(x - width / 2, 2.0), self.width() - width - 3.0)
        painter.drawText(QPointF(left, self.height() - 5), text)

    def _area(self) -> QRectF:
        line = self.fontMetrics().height()
        height = max(self.height() - 2 * line - 18, 4)
        left = self.fontMetrics().horizontalAdvance(value_text(_tallest(self._shown), "tasks")) + MARGIN
        return QRectF(left, line + 11, max(self.width() - left - MARGIN, 4), height - 2)

    def _scale(self, shown: Histogram) -> ValueScale:
        area = self._area()
        left = area.left() + (ZERO_WIDTH + 4 if shown.zeros else 0)
        low, high = float(shown.edges[0]), float(shown.edges[-1])
        if shown.is_exact and len(shown.counts) < FEW_BARS:  # one value alone is a bar, not a wall
            middle, half = (low + high) / 2, (high - low) / len(shown.counts) * FEW_BARS / 2
            low, high = middle - half, middle + half
        return ValueScale(low, high, left, area.right(), shown.is_log)

    def colour(self) -> QColor:
        """Return the colour of the bars, in both themes."""
        bands = theme(dark=True)
        return (bands.reduce_band if self._is_reduce else bands.map_band).lighter(STRONGER)

    # ---- reading

    @override
    def tip_at(self, place: QPointF) -> str:
        return self.text_at(place.x())

    def text_at(self, x: float) -> str:
        """Return the range at a pixel and how many values are in it; empty beside the bars."""
        shown = self._shown
        if shown is None or not shown.total:
            return ""
        scale = self._scale(shown)
        if shown.zeros and x < scale.left:
            return f"{value_text(0, self._unit)}: {self._count_text(shown.zeros)}"
        place = int(np.searchsorted(scale.xs(shown.edges), x, side="right")) - 1
        if not 0 <= place < len(shown.counts):
            return ""
        return f"{self._range_text(shown, place)}: {self._count_text(int(shown.counts[place]))}"

    def _range_text(self, shown: Histogram, place: int) -> str:
        low, high = float(shown.edges[place]), float(shown.edges[place + 1])
        if shown.is_exact:
            return value_text((low + high) / 2, self._unit)
        return f"{value_text(low, self._unit)} to {value_text(high, self._unit)}"

    def _count_text(self, count: int) -> str:
        name = self._counted if count != 1 else self._counted.removesuffix("s")
        return f"{value_text(count, 'tasks')} {name}"


def _middles(shown: Histogram) -> NDArray[np.float64]:
    middles: NDArray[np.float64] = (shown.edges[:-1] + shown.edges[1:]) / 2
    return middles


def _tallest(shown: Histogram | None) -> int:
    return max(int(shown.counts.max()), shown.zeros, 1) if shown is not None and shown.total else 0


def ink_upon(ground: QColor) -> QColor:
    """Return the colour of letters that can be read on a colour: black, or white."""
    return QColor("#000000") if ground.lightnessF() > MIDDLE_LIGHTNESS else QColor("#ffffff")

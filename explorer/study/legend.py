"""The legend of a picture of a study: lines, symbols, patches and ramps of colours with their names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import pyqtgraph
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QLinearGradient, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from explorer.widgets.export import ChartTable, Picture

if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLE_PX, BAR_PX = 26, 150
BOX, WHISKER, BAND = "box", "whisker", "band"
"""Symbols of a hollow box, of a line from end to end with caps, and of a region with its edge."""


class LegendSign(NamedTuple):
    """An entry of a legend: a line, a symbol or a patch of a colour; with `high`, a ramp of colours.

    Attributes
    ----------
    text : at its right; of a ramp what is at its low end
    pen : of the line, None for a patch
    colours : of the patch, or from low to high
    high : what is at the high end of a ramp
    symbol : drawn on the line, a name of pyqtgraph, or nothing; or in its place BOX, WHISKER or BAND
    """

    text: str
    pen: QPen | None
    colours: tuple[QColor, ...] = ()
    high: str = ""
    symbol: str = ""


class StudyLegend(Picture):
    """The legend of a picture: in lines as wide as it is, the same on the screen and in files."""

    def __init__(self) -> None:
        super().__init__("legend")
        self.entries: tuple[LegendSign, ...] = ()
        # Preferred, not Fixed: the hint is of some width, and lines of a narrower legend would be cut off.
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_entries(self, entries: Sequence[LegendSign]) -> None:
        """Show these."""
        self.entries = tuple(entries)
        texts = (f"{entry.text} to {entry.high}" if entry.high else entry.text for entry in entries)
        self.setAccessibleDescription("; ".join(texts))
        self.updateGeometry()
        self.update()

    @override
    def table(self) -> ChartTable:
        return ChartTable(("legend",), tuple((entry.text,) for entry in self.entries))

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return math.ceil(self._lay_out(float(width))[1])

    @override
    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(max(self.width(), 300)))

    def _lay_out(self, width: float) -> tuple[list[QRectF], float]:
        """Return where each entry lies in a width, and how high they are together, in pixels."""
        metrics, line = QFontMetricsF(self.font()), QFontMetricsF(self.font()).height() + 6
        x, y, areas = 6.0, 2.0, list[QRectF]()
        for entry in self.entries:
            sample = BAR_PX + metrics.horizontalAdvance(entry.high) + 6 if entry.high else SAMPLE_PX
            wide = min(sample + metrics.horizontalAdvance(entry.text) + 24, max(width - 12, 40))
            if x > 6 and x + wide > width:
                x, y = 6.0, y + line
            areas.append(QRectF(x, y, wide, line))
            x += wide
        return areas, (y + line + 2 if areas else 0.0)

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for entry, place in zip(self.entries, self._lay_out(area.width())[0], strict=True):
            self._paint_entry(painter, entry, place.translated(area.topLeft()))

    def _paint_entry(self, painter: QPainter, entry: LegendSign, place: QRectF) -> None:
        metrics, middle = QFontMetricsF(self.font()), place.center().y()
        sample = QRectF(place.left(), middle - 5, SAMPLE_PX - 8, 10)
        left = place.left() + SAMPLE_PX
        if entry.high:
            painter.setPen(self.colours.text)
            painter.drawText(QPointF(place.left(), middle + metrics.capHeight() / 2), entry.text)
            left = place.left() + metrics.horizontalAdvance(entry.text) + 6
            sample = QRectF(left, middle - 5, BAR_PX - 12, 10)
            ramp = QLinearGradient(sample.topLeft(), sample.topRight())
            for i, colour in enumerate(entry.colours):
                ramp.setColorAt(i / (len(entry.colours) - 1), colour)
            painter.fillRect(sample, ramp)
            left = sample.right() + 6
        elif entry.pen is None:
            painter.fillRect(sample, entry.colours[0])
        else:
            _paint_line(painter, entry, sample)
        painter.setPen(self.colours.text)
        text = entry.high or metrics.elidedText(
            entry.text, Qt.TextElideMode.ElideRight, max(place.right() - left - 6, 20)
        )
        painter.drawText(QPointF(left, middle + metrics.capHeight() / 2), text)


def _paint_line(painter: QPainter, entry: LegendSign, sample: QRectF) -> None:
    pen = QPen(entry.pen) if entry.pen is not None else QPen()
    painter.setPen(pen)
    middle = sample.center()
    if entry.symbol in (BOX, WHISKER, BAND):
        _paint_extent(painter, entry, sample)
        return
    if pen.style() != Qt.PenStyle.NoPen:
        painter.drawLine(QPointF(sample.left(), middle.y()), QPointF(sample.right(), middle.y()))
    if entry.symbol:
        shape = pyqtgraph.graphicsItems.ScatterPlotItem.Symbols[entry.symbol]
        painter.save()
        painter.translate(middle)
        painter.scale(8, 8)
        line = QPen(pen.color(), 0.15)
        painter.setPen(line)
        painter.setBrush(entry.colours[0] if entry.colours else Qt.BrushStyle.NoBrush)
        painter.drawPath(shape)
        painter.restore()


def _paint_extent(painter: QPainter, entry: LegendSign, sample: QRectF) -> None:
    """Draw what has two ends: a hollow box, a line with caps, or a region with its edge."""
    middle = sample.center().x()
    if entry.symbol == BOX:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(sample.adjusted(3, -1, -3, 1))
    elif entry.symbol == BAND:
        for colour in entry.colours:
            painter.fillRect(sample, colour)
        edge = sample.top() if entry.colours else sample.center().y()
        painter.drawLine(QPointF(sample.left(), edge), QPointF(sample.right(), edge))
    else:
        for y in (sample.top(), sample.bottom()):
            painter.drawLine(QPointF(middle - 3, y), QPointF(middle + 3, y))
        painter.drawLine(QPointF(middle, sample.top()), QPointF(middle, sample.bottom()))

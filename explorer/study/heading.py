"""The heading of an exported picture: its title, in lines if it is long, and its source beside or below."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF

from explorer.widgets.theme import write_with

if TYPE_CHECKING:
    from PySide6.QtGui import QFont, QPainter

    from explorer.study.legend import StudyLegend
    from explorer.widgets.theme import Theme

GAP_PX, MARGIN_PX, MAX_HEIGHT = 24, 4, 1000.0
BESIDE_PX = 8
"""At the left and right of the heading of a picture with a legend; half as much above."""
WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap


class Heading(NamedTuple):
    """A title in bold and a source, each in its font."""

    title: str
    source: str
    bold: QFont
    plain: QFont

    def areas(self, width: float) -> tuple[QRectF, QRectF]:
        """Return where title and source stand in a width; the source is below a title that leaves no room."""
        bold, plain = QFontMetricsF(self.bold), QFontMetricsF(self.plain)
        wide = plain.horizontalAdvance(self.source) + 1 if self.source else 0.0
        beside = width - wide - GAP_PX if self.source else width
        if bold.horizontalAdvance(self.title) <= beside:
            line = max(bold.height(), plain.height())
            return QRectF(0, 0, beside, line), QRectF(width - wide, 0, wide, line)
        high = bold.boundingRect(QRectF(0, 0, width, MAX_HEIGHT), int(WRAPPED.value), self.title).height()
        below = plain.height() if self.source else 0.0
        return QRectF(0, 0, width, high), QRectF(0, high, width, below)

    def height(self, width: float) -> float:
        """Return how high it is in a width."""
        return max(area.bottom() for area in self.areas(width)) + MARGIN_PX

    def paint(self, painter: QPainter, area: QRectF, colours: Theme) -> None:
        """Draw it at the top of an area."""
        title, source = (each.translated(area.topLeft()) for each in self.areas(area.width()))
        write_with(painter, self.bold, colours.text)
        painter.drawText(title, int(WRAPPED.value), self.title)
        write_with(painter, self.plain, colours.second_text)
        painter.drawText(source, Qt.AlignmentFlag.AlignLeft, self.source)

    def size_below(self, size: QSize) -> QSize:
        """Return the size of a picture of this size and the heading."""
        return QSize(size.width(), size.height() + round(self.height(size.width() - 2 * BESIDE_PX)))

    def paint_with_legend(
        self, painter: QPainter, area: QRectF, legend: StudyLegend, colours: Theme
    ) -> QRectF:
        """Draw it and a legend at the top of an area, and return what is left below them."""
        inside = area.adjusted(BESIDE_PX, BESIDE_PX / 2, -BESIDE_PX, 0)
        self.paint(painter, inside, colours)
        line = self.height(inside.width())
        high = float(legend.heightForWidth(round(area.width())))
        painter.setFont(self.plain)
        legend.paint(painter, QRectF(area.left(), area.top() + line, area.width(), high))
        return area.adjusted(0, line + high, 0, 0)

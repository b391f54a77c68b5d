"""The heading of an exported picture: its title, in lines if it is long, and its source beside or below."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from explorer.widgets.theme import write_with

if TYPE_CHECKING:
    from PySide6.QtGui import QFont, QPainter

    from explorer.widgets.theme import Theme

GAP_PX, MARGIN_PX, MAX_HEIGHT = 24, 4, 1000.0
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

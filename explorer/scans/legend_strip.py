"""What the signs in the pictures of shared scans mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.widgets.widget_theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

SIGN = 20.0
GAP = 18.0


class LegendStrip(QWidget):
    """One line of signs with their words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._signs: tuple[tuple[Callable[[QPainter, QRectF], None], str], ...] = (
            (self._draw_stripes, "a subjob, a stripe per job it serves"),
            (self._draw_steps, "jobs on board"),
            (self._draw_plus, "arrives"),
            (self._draw_dots, "waits for its window"),
            (self._draw_end, "a window ends"),
            (self._draw_minus, "leaves"),
            (self._draw_ring, "scanned since it boarded, and left"),
        )
        self.setAccessibleName("Legend: " + "; ".join(words for _, words in self._signs))

    def sizeHint(self) -> QSize:
        """Return one line of small text."""
        return QSize(600, round(QFontMetricsF(self._small_font()).height()) + 6)

    def _small_font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(max(font.pointSizeF() - 1.5, 7.0))
        return font

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the line."""
        self.paint_export(QPainter(self))

    def paint_export(self, painter: QPainter) -> None:
        """Draw the line, in the widget's own coordinates."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._small_font())
        metrics, x = QFontMetricsF(painter.font()), 6.0
        for draw, words in self._signs:
            wide = metrics.horizontalAdvance(words)
            if x + SIGN + wide > self.width():
                break
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            draw(painter, QRectF(x, 3, SIGN - 5, self.height() - 6))
            painter.setPen(theme_of(self).muted)
            painter.drawText(
                QRectF(x + SIGN, 0, wide + 4, self.height()), Qt.AlignmentFlag.AlignVCenter, words
            )
            x += SIGN + wide + GAP

    def _draw_stripes(self, painter: QPainter, box: QRectF) -> None:
        half = QRectF(box.left(), box.top(), box.width(), box.height() / 2)
        painter.fillRect(half, theme_of(self).map_band)
        painter.fillRect(half.translated(0, half.height()), theme_of(self).reduce_band)

    def _draw_steps(self, painter: QPainter, box: QRectF) -> None:
        fill = QColor(theme_of(self).muted)
        fill.setAlpha(70)
        half = box.width() / 2
        painter.fillRect(QRectF(box.left(), box.center().y(), half, box.height() / 2), fill)
        painter.fillRect(QRectF(box.left() + half, box.top(), half, box.height()), fill)

    def _draw_plus(self, painter: QPainter, box: QRectF) -> None:
        self._draw_minus(painter, box)
        middle = box.center()
        painter.drawLine(QLineF(middle - QPointF(0, 3.5), middle + QPointF(0, 3.5)))

    def _draw_minus(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(theme_of(self).text, 1.2))
        painter.drawLine(QLineF(box.center() - QPointF(3.5, 0), box.center() + QPointF(3.5, 0)))

    def _draw_dots(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(theme_of(self).text, 1.4, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()))

    def _draw_end(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(theme_of(self).muted, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(box.center().x(), box.top(), box.center().x(), box.bottom()))

    def _draw_ring(self, painter: QPainter, box: QRectF) -> None:
        side = min(box.width(), box.height()) - 3
        ring = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
        pale = QColor(theme_of(self).map_band)
        pale.setAlpha(90)
        for colour, begin, span in ((pale, 0, -270), (theme_of(self).map_band, 90, -90)):
            painter.setPen(QPen(colour, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawArc(ring, begin * 16, span * 16)

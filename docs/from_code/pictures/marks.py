"""Numbers on a picture: a ring around what is meant, and a disc with its number at a corner of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QRect
    from PySide6.QtGui import QPixmap

RADIUS = 10.0
"""Of a disc, in pixels of the window."""
ROUND = 4.0
INK, PAPER = QColor("#D6277A"), QColor("#FFFFFF")
"""No colour of the window: what is drawn upon a picture is not taken for a part of it."""


def draw_numbers(picture: QPixmap, places: Iterable[QRect]) -> None:
    """Draw a ring around each place, in pixels of the window, and its number, from 1, at a corner."""
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    size = picture.deviceIndependentSize()
    whole = QRectF(0, 0, size.width(), size.height())
    taken: list[QPointF] = []
    for number, place in enumerate(places, 1):
        _ring(painter, QRectF(place).intersected(whole.adjusted(1.5, 1.5, -1.5, -1.5)))
        taken.append(_free_place(QRectF(place), whole, taken))
        _disc(painter, taken[-1], str(number))
    painter.end()


def _free_place(place: QRectF, whole: QRectF, taken: list[QPointF]) -> QPointF:
    """Return the centre of a disc at a corner of a place: inside the picture, and not upon another disc."""
    inner = whole.adjusted(RADIUS + 1, RADIUS + 1, -RADIUS - 1, -RADIUS - 1)
    corners = (place.topLeft(), place.topRight(), place.bottomLeft(), place.bottomRight())
    places = [
        QPointF(
            min(max(corner.x(), inner.left()), inner.right()),
            min(max(corner.y(), inner.top()), inner.bottom()),
        )
        for corner in corners
    ]
    free = (each for each in places if all((each - other).manhattanLength() > 2 * RADIUS for other in taken))
    return next(free, places[0])


def _ring(painter: QPainter, place: QRectF) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(INK, 1.5))
    painter.drawRoundedRect(place, ROUND, ROUND)


def _disc(painter: QPainter, centre: QPointF, text: str) -> None:
    painter.setPen(QPen(PAPER, 1.5))
    painter.setBrush(INK)
    painter.drawEllipse(centre, RADIUS, RADIUS)
    font = QFont(painter.font())
    font.setPixelSize(12)
    font.setWeight(QFont.Weight.Bold)
    painter.setFont(font)
    box = QRectF(centre.x() - RADIUS, centre.y() - RADIUS, 2 * RADIUS, 2 * RADIUS)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

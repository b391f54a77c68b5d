"""Where circles stand side by side, and points and parts of rings upon them."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath


def places(room: QRectF, count: int, below: float) -> list[QRectF]:
    """Return a box for each of so many circles: in as many rows as make them largest.

    `below` are the pixels that the name below each takes.
    """

    def side(rows: int) -> float:
        return min(room.width() / math.ceil(count / rows), room.height() / rows - below)

    rows = max(range(1, count + 1), key=side)
    columns = math.ceil(count / rows)
    width, height = room.width() / columns, room.height() / rows
    return [
        QRectF(room.left() + k % columns * width, room.top() + k // columns * height, width, height)
        for k in range(count)
    ]


def on_circle(centre: QPointF, radius: float, turn: float) -> QPointF:
    """Return the point of a circle at a fraction of a turn, clockwise from the top."""
    angle = 2 * math.pi * turn
    return centre + QPointF(math.sin(angle), -math.cos(angle)) * radius


def sector(centre: QPointF, inner: float, outer: float, begin: float, length: float) -> QPainterPath:
    """Return the part of a ring from one fraction of a turn on, clockwise from the top."""
    path = QPainterPath()
    first, span = 90 - 360 * begin, -360 * min(length, 1.0)
    around = QRectF(centre.x() - outer, centre.y() - outer, 2 * outer, 2 * outer)
    within = QRectF(centre.x() - inner, centre.y() - inner, 2 * inner, 2 * inner)
    if length >= 1.0 - 1e-9:
        path.setFillRule(Qt.FillRule.OddEvenFill)
        path.addEllipse(around)
        path.addEllipse(within)
        return path
    path.arcMoveTo(around, first)
    path.arcTo(around, first, span)
    path.arcTo(within, first + span, -span)
    path.closeSubpath()
    return path

"""The signs of a player as icons in the colour of the text, for both themes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPolygonF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QColor

SIDE, SCALE = 16, 3
"""Pixels of an icon, and how much finer it is painted for sharp screens."""

# An icon is a list of shapes from left to right: "|" a bar, ">" and "<" triangles, "." a dot.
SIGNS = {
    "to_start": "|<<",
    "previous_event": "|<",
    "previous_decision": "<.",
    "play": ">",
    "pause": "||",
    "next_decision": ".>",
    "next_event": ">|",
    "to_end": ">>|",
}
WIDTHS = {"|": 2.6, "<": 5.5, ">": 5.5, ".": 4.0}
LARGE = 9.0
"""Width of a triangle that stands alone."""
GAP = 1.2


def player_icon(name: str, ink: QColor, faint: QColor) -> QIcon:
    """Return the icon of an action, also as it looks while the action cannot be chosen."""
    icon = QIcon()
    icon.addPixmap(_pixmap(SIGNS[name], ink), QIcon.Mode.Normal)
    icon.addPixmap(_pixmap(SIGNS[name], faint), QIcon.Mode.Disabled)
    return icon


def _pixmap(sign: str, ink: QColor) -> QPixmap:
    picture = QPixmap(SIDE * SCALE, SIDE * SCALE)
    picture.setDevicePixelRatio(SCALE)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    widths = _widths(sign)
    left = (SIDE - sum(widths) - GAP * (len(sign) - 1)) / 2
    for shape, width in zip(sign, widths, strict=True):
        _paint_shape(painter, shape, left, width)
        left += width + GAP
    painter.end()
    return picture


def _widths(sign: str) -> Sequence[float]:
    return (LARGE,) if sign in (">", "<") else tuple(WIDTHS[shape] for shape in sign)


def _paint_shape(painter: QPainter, shape: str, left: float, width: float) -> None:
    middle, half = SIDE / 2, width * 0.8
    if shape == "|":
        painter.drawRect(QRectF(left, middle - 5, width, 10))
    elif shape == ".":
        painter.drawEllipse(QRectF(left, middle - width / 2, width, width))
    else:
        base, tip = (left, left + width) if shape == ">" else (left + width, left)
        corners = [QPointF(base, middle - half), QPointF(tip, middle), QPointF(base, middle + half)]
        painter.drawPolygon(QPolygonF(corners))

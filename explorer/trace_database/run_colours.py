"""How runs are told apart in the plots: by colour and, so that nobody needs colours, by dashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap

from explorer.gantt.raster.palette import OKABE_ITO

if TYPE_CHECKING:
    from explorer.widgets.theme import Theme

ORDER = (5, 6, 2, 1, 3, 0)
"""Of the colours of Okabe and Ito: blue, vermilion, green, orange, pink, sky; yellow is too pale."""
DASHES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DashDotDotLine,
    Qt.PenStyle.SolidLine,
)
WIDTH_PX, THIN_PX = 2.0, 1.0
SAMPLE = QSize(34, 12)


def run_pen(number: int, colours: Theme) -> QPen:
    """Return the pen of a run, from 0."""
    colour = QColor.fromRgb(OKABE_ITO[ORDER[number % len(ORDER)]])
    if colours.is_dark:
        colour = colour.lighter(125)
    last = number % len(DASHES) == len(DASHES) - 1
    pen = QPen(colour, WIDTH_PX if not last else THIN_PX, DASHES[number % len(DASHES)])
    pen.setCosmetic(True)
    return pen


def run_icon(number: int, colours: Theme) -> QIcon:
    """Return a piece of the run's line."""
    picture = QPixmap(SAMPLE * 2)
    picture.setDevicePixelRatio(2)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        pen = run_pen(number, colours)
        pen.setCosmetic(False)
        painter.setPen(pen)
        middle = SAMPLE.height() / 2
        painter.drawLine(QPointF(1, middle), QPointF(SAMPLE.width() - 1, middle))
    return QIcon(picture)

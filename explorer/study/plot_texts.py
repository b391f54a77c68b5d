"""Texts of constant size that lie over a plot, whatever its scale: values upon bars, beside far marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyqtgraph
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QFont, QPainter, QTransform


class PlotTexts(pyqtgraph.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """Texts that keep their size and follow their places when the plot is scaled or moved.

    Attributes
    ----------
    written : the texts that were painted last
    """

    def __init__(self, font: QFont, ink: QColor) -> None:
        super().__init__()
        self.metrics = QFontMetricsF(font)
        self._font, self._ink = font, ink
        self.written: list[str] = []

    @override
    def boundingRect(self) -> QRectF:
        box = self.getViewBox()
        return QRectF() if box is None else QRectF(box.viewRect())

    @override
    def viewRangeChanged(self) -> None:
        self.prepareGeometryChange()
        self.update()

    @override
    def paint(self, painter: QPainter, *_how: Any) -> None:  # Any: of pyqtgraph
        self.written = []
        placed = self.sceneTransform()
        painter.save()
        painter.setTransform(placed.inverted()[0], combine=True)  # texts are as large as all others
        painter.setFont(self._font)
        painter.setPen(self._ink)
        self.write(painter, placed)
        painter.restore()

    def write(self, painter: QPainter, placed: QTransform) -> None:
        """Paint the texts and add them to `written`; `placed` leads from the plot to pixels."""
        raise NotImplementedError

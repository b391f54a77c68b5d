"""Datasets as clocks at one instant: where each job boarded, what it has scanned and what is left."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.widget_theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from core.scans.dataset_clock import ClockHand, DatasetClock
    from explorer.scans.scan_story import ScanStory

AIR = 6
MOST_RINGS = 8
SIXTEENTHS = 16 * 360
"""Qt's arcs count sixteenths of a degree, against the clock, from three o'clock."""


class CircleChart(QWidget):
    """One circle per dataset; the scan runs clockwise from the top."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._story: ScanStory | None = None
        self._colour_of: Callable[[int], QColor] = lambda _job: QColor(128, 128, 128)
        self._time = 0.0
        self.setMinimumHeight(110)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setToolTip(
            "Each dataset as a clock at the time cursor. A ring per job: strong what it has scanned since\n"
            "it boarded, pale what is left; the hand is where the scan is. Drag the cursor to see it turn."
        )

    def sizeHint(self) -> QSize:
        """Return a height that leaves most room to the charts above."""
        return QSize(300, 150)

    def show_story(self, story: ScanStory, colour_of: Callable[[int], QColor]) -> None:
        """Show another schedule."""
        self._story, self._colour_of = story, colour_of
        self.update()

    def set_time(self, seconds: float) -> None:
        """Show another instant."""
        if seconds != self._time:
            self._time = seconds
            self.update()

    def clocks(self) -> tuple[DatasetClock, ...]:
        """Return what is shown: datasets with jobs on board or waiting first, as many as fit."""
        if self._story is None:
            return ()
        clocks = sorted(self._story.clocks.at(self._time), key=lambda c: not (c.hands or c.waiting))
        fit = max(self.width() // 96, 1)
        return tuple(sorted(clocks[:fit], key=lambda clock: clock.dataset))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the circles side by side."""
        painter, colours = QPainter(self), theme_of(self)
        painter.fillRect(self.rect(), colours.plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(self.font())
        font.setPointSizeF(max(font.pointSizeF() - 1.5, 7.0))
        painter.setFont(font)
        clocks = self.clocks()
        for k, clock in enumerate(clocks):
            width = self.width() / len(clocks)
            self._draw(painter, clock, QRectF(k * width, 0, width, self.height()))

    def _draw(self, painter: QPainter, clock: DatasetClock, place: QRectF) -> None:
        assert self._story is not None
        metrics, colours = QFontMetricsF(painter.font()), theme_of(self)
        line = metrics.height()
        name = self._story.dataset_names[clock.dataset]
        painter.setPen(colours.text)
        title = QRectF(place.left() + 2, place.top() + 2, place.width() - 4, line)
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, title.width())
        painter.drawText(title, Qt.AlignmentFlag.AlignCenter, shown)
        painter.setPen(colours.muted)
        below = QRectF(place.left() + 2, place.bottom() - line - 2, place.width() - 4, line)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, state_text(clock))
        size = min(place.width() - 2 * AIR, place.height() - 2 * line - 2 * AIR)
        circle = QRectF(0, 0, size, size)
        circle.moveCenter(QPointF(place.center().x(), place.top() + line + AIR + size / 2))
        painter.setPen(QPen(colours.line, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(circle)
        painter.drawLine(
            QPointF(circle.center().x(), circle.top() - 3), QPointF(circle.center().x(), circle.top() + 3)
        )
        self._draw_rings(painter, clock, circle)

    def _draw_rings(self, painter: QPainter, clock: DatasetClock, circle: QRectF) -> None:
        hands = clock.hands[:MOST_RINGS]
        if not hands:
            return
        ring = min((circle.width() / 2 - 12) / len(hands), 8.0)
        for k, hand in enumerate(hands):
            inset = 3 + ring * (k + 0.5)
            self._draw_ring(
                painter, hand, circle.adjusted(inset, inset, -inset, -inset), max(ring - 1.2, 1.0)
            )
        angle = 2 * math.pi * clock.position
        radius = circle.width() / 2
        tip = circle.center() + QPointF(math.sin(angle), -math.cos(angle)) * radius
        painter.setPen(QPen(theme_of(self).cursor, 1.6))
        painter.drawLine(circle.center(), tip)

    def _draw_ring(self, painter: QPainter, hand: ClockHand, box: QRectF, thick: float) -> None:
        assert self._story is not None
        colour = QColor(self._colour_of(int(self._story.job[hand.job])))
        pale = QColor(colour)
        pale.setAlpha(70)
        boarded = 90 * 16 - round(hand.boarded * SIXTEENTHS)
        done = round(hand.scanned * SIXTEENTHS)
        painter.setPen(QPen(pale, thick, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawArc(box, boarded - done, -(SIXTEENTHS - done))
        painter.setPen(QPen(colour, thick, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawArc(box, boarded, -done)


def state_text(clock: DatasetClock) -> str:
    """Say how many ride and how many wait."""
    parts = []
    if clock.hands:
        parts.append(f"{len(clock.hands)} on board")
    if clock.waiting:
        parts.append(f"{len(clock.waiting)} waiting")
    return ", ".join(parts) or "idle"

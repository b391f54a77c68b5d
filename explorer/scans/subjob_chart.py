"""Subjobs as bars of slots over time, striped by the jobs they serve (003 Figures 3 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip

from explorer.plain_labels import tooltip
from explorer.scans.time_picture import LEFT, TimePicture
from explorer.time_text import duration_text
from explorer.widget_theme import theme_of

if TYPE_CHECKING:
    from core.scans.subjob_bars import SubjobBar
    from explorer.scans.scan_story import ScanStory

LABEL_AIR = 4


class SubjobChart(TimePicture):
    """Who holds how many slots when: one bar per subjob, one stripe per job that rides."""

    def draw(self, painter: QPainter, story: ScanStory) -> None:
        """Draw the bars, and upon them as many labels as have room."""
        labelled: set[tuple[tuple[int, ...], int]] = set()
        seen = [bar for bar in story.bars if bar.end >= self.start and bar.start <= self.end]
        for bar in seen:
            self._draw_bar(painter, story, bar)
        for bar in seen:
            key = (bar.riders, bar.place)
            if key not in labelled and self._label(painter, story, bar):
                labelled.add(key)

    def _box(self, bar: SubjobBar, slots: float) -> QRectF:
        plot = self.plot
        unit = plot.height() / slots
        left, right = self.x_of(bar.start), self.x_of(bar.end)
        return QRectF(left, plot.bottom() - (bar.bottom + bar.slots) * unit, right - left, bar.slots * unit)

    def draw_frame(self, painter: QPainter, story: ScanStory) -> None:
        """Write the slots."""
        slots = story.schedule.slots
        painter.setPen(theme_of(self).muted)
        plot, height = self.plot, QFontMetricsF(painter.font()).height()
        for value, text in ((slots, f"{slots:g}"), (slots / 2, "slots"), (0.0, "0")):
            y = plot.bottom() - value / slots * plot.height()
            y = min(max(y - height / 2, plot.top() - 2), plot.bottom() - height + 2)
            painter.drawText(QRectF(0, y, LEFT - 6, height), Qt.AlignmentFlag.AlignRight, text)

    def _draw_bar(self, painter: QPainter, story: ScanStory, bar: SubjobBar) -> None:
        box = self._box(bar, story.schedule.slots)
        stripe = box.height() / len(bar.riders)
        painter.setPen(Qt.PenStyle.NoPen)
        for k, rider in enumerate(bar.riders):
            painter.setBrush(self.colour_of(int(story.job[rider])))
            painter.drawRect(QRectF(box.left(), box.top() + k * stripe, box.width() + 0.5, stripe + 0.3))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme_of(self).plot, 1))
        painter.drawLine(box.topLeft(), box.topRight())
        if not bar.continues:
            painter.drawLine(box.topLeft(), box.bottomLeft())

    def _label(self, painter: QPainter, story: ScanStory, bar: SubjobBar) -> bool:
        """Write (dataset, k) and the concurrency into a bar, if there is room."""
        box, metrics = self._box(bar, story.schedule.slots), QFontMetricsF(painter.font())
        text = label_of(story, bar)
        if metrics.horizontalAdvance(text) + 2 * LABEL_AIR > box.width() or metrics.height() > box.height():
            return False
        place = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * LABEL_AIR, metrics.height())
        place.moveCenter(box.center())
        colours = theme_of(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.card)
        painter.drawRoundedRect(place, 3, 3)
        painter.setPen(colours.text)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        return True

    def bar_at(self, x: float, y: float) -> SubjobBar | None:
        """Return the bar at a place, or None."""
        if self.story is None:
            return None
        slots = self.story.schedule.slots
        return next((bar for bar in self.story.bars if self._box(bar, slots).contains(x, y)), None)

    def event(self, event: QEvent) -> bool:
        """Say what the bar under the pointer is."""
        if isinstance(event, QHelpEvent):
            bar = self.bar_at(event.pos().x(), event.pos().y())
            if bar is not None and self.story is not None:
                QToolTip.showText(event.globalPos(), tooltip(describe(self.story, bar)), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)


def label_of(story: ScanStory, bar: SubjobBar) -> str:
    """Name a subjob as the paper does, with how many jobs it serves: "red, 1 ×3"."""
    served = f" ×{bar.concurrency}" if bar.concurrency > 1 else ""
    return f"{story.dataset_names[bar.dataset]}, {bar.place}{served}"


def describe(story: ScanStory, bar: SubjobBar) -> str:
    """Say everything about a bar."""
    riders = ", ".join(story.job_names[int(story.job[rider])] for rider in bar.riders)
    length = duration_text(bar.end - bar.start)
    return (
        f"Subjob ({label_of(story, bar)})\n{bar.slots:g} slots for {length}\n"
        f"serves {riders}\nit saves {bar.concurrency - 1} further scans of these blocks"
    )

"""Paints the card of facts beside the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from core.model.workload import MAP
from explorer.gantt.geometry.chart_frame import colour, draw_elided
from explorer.gantt.raster.raster_kernel import MAP_TONE, REDUCE_TONE

if TYPE_CHECKING:
    from explorer.gantt.geometry.chart_frame import ChartFrame

LINE_HEIGHT, PADDING, LEAST_WIDTH, MOST_WIDTH = 17, 11, 170, 300


class CardFacts(Protocol):
    """What a card shows: of a task, or of another attempt of a recorded run."""

    @property
    def job(self) -> int:
        """Index of the job that lends its colour; -1 for none."""

    @property
    def kind(self) -> int:
        """MAP or REDUCE: which tone of that colour."""

    @property
    def title(self) -> str:
        """The first line."""

    def lines(self) -> list[tuple[str, str]]:
        """Return names and values."""

    def note(self) -> str:
        """Return the last line, or nothing."""


def paint_card(painter: QPainter, frame: ChartFrame, facts: CardFacts, at: QPointF) -> None:
    """Draw facts in a card near a point, inside of the chart."""
    lines, note = facts.lines(), facts.note()
    title_metrics, metrics = QFontMetrics(frame.fonts.small_bold), frame.fonts.small_metrics
    widths = [title_metrics.horizontalAdvance(facts.title) + 19, metrics.horizontalAdvance(note)]
    widths += [
        metrics.horizontalAdvance(name) + metrics.horizontalAdvance(value) + 24 for name, value in lines
    ]
    width = min(MOST_WIDTH, max(LEAST_WIDTH, *widths) + 2 * PADDING)
    height = 2 * PADDING + LINE_HEIGHT * (len(lines) + 1) + 3 + (LINE_HEIGHT + 2 if note else 0)
    rect = beside(frame, at, width, height)
    draw_panel(painter, frame, rect)
    _paint_title(painter, frame, facts, rect)
    painter.setFont(frame.fonts.small)
    y = rect.top() + PADDING + LINE_HEIGHT + 3
    for name, value in lines:
        row = QRectF(rect.left() + PADDING, y, rect.width() - 2 * PADDING, LINE_HEIGHT)
        painter.setPen(frame.theme.muted)
        draw_elided(painter, row, name)
        painter.setPen(frame.theme.text)
        draw_elided(painter, row, value, Qt.AlignmentFlag.AlignRight)
        y += LINE_HEIGHT
    if note:
        painter.setPen(frame.theme.muted)
        draw_elided(
            painter, QRectF(rect.left() + PADDING, y + 2, rect.width() - 2 * PADDING, LINE_HEIGHT), note
        )


def _paint_title(painter: QPainter, frame: ChartFrame, facts: CardFacts, rect: QRectF) -> None:
    tone = MAP_TONE if facts.kind == MAP else REDUCE_TONE
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(int(frame.tones[facts.job, tone])) if facts.job >= 0 else frame.theme.faint)
    painter.drawRoundedRect(QRectF(rect.left() + PADDING, rect.top() + PADDING + 2, 12, 12), 3, 3)
    painter.setFont(frame.fonts.small_bold)
    painter.setPen(frame.theme.text)
    title = QRectF(
        rect.left() + PADDING + 19, rect.top() + PADDING, rect.width() - 2 * PADDING - 19, LINE_HEIGHT
    )
    draw_elided(painter, title, facts.title, mode=Qt.TextElideMode.ElideMiddle)


def beside(frame: ChartFrame, at: QPointF, width: float, height: float) -> QRectF:
    """Return a rectangle next to a point, on the side where there is room."""
    whole = frame.places.whole
    x = at.x() + 16 if at.x() + 16 + width <= whole.width() - 4 else at.x() - 16 - width
    y = at.y() + 14 if at.y() + 14 + height <= whole.height() - 4 else at.y() - 14 - height
    return QRectF(
        max(4.0, min(x, whole.width() - width - 4)),
        max(4.0, min(y, whole.height() - height - 4)),
        width,
        height,
    )


def draw_panel(painter: QPainter, frame: ChartFrame, rect: QRectF) -> None:
    """Draw a rounded panel with a soft shadow."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.shadow)
    for spread in range(1, 6):
        painter.drawRoundedRect(
            rect.adjusted(-spread, 2 - spread, spread, 2 + spread), 7 + spread, 7 + spread
        )
    painter.setPen(frame.theme.line)
    painter.setBrush(frame.theme.card)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)

"""The veil: hides what comes after a time while it is to be guessed, and limits what a card may show then."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter
from typing_extensions import override

from explorer.gantt.layers.layer import HoverFacts, Layer
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame

QUESTION, WHAT_TO_DO = "What comes next?", "Answer, or lift the veil"
VEILED_FACTS = ("pool", "host", "slot", "wave", "start", "held back")
"""Lines of a card that are known once a task has started."""
HATCH_ALPHA, MIN_ROOM, AIR = 150, 70, 8


class VeilLayer(Layer):
    """Hatches the plot from the veil's time on, with a question mark; shows what to do where it can be."""

    stays_under_veil = True

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        plot = frame.places.plot
        if not frame.content.is_veiled or frame.content.veil >= frame.scale.end:
            return
        left = max(round(frame.x(frame.content.veil)), plot.left())
        room = QRect(left, plot.top(), plot.right() + 1 - left, plot.height())
        hatch = QBrush(translucent(frame.theme.line, HATCH_ALPHA), Qt.BrushStyle.BDiagPattern)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setBrushOrigin(left, plot.top())
        for rows_rect in (frame.pool_rects[index] & room for index in frame.layout.in_view):
            painter.fillRect(rows_rect, frame.theme.surface)
            painter.fillRect(rows_rect, hatch)
        painter.fillRect(left, plot.top(), 1, plot.height(), frame.theme.second_text)
        painter.restore()
        if room.width() >= MIN_ROOM:
            _paint_sentence(painter, frame, room)


def _paint_sentence(painter: QPainter, frame: ChartFrame, room: QRect) -> None:
    """Write the question in the middle, on a plain ground."""
    sentence = QUESTION if frame.content.for_audience else f"{QUESTION} {WHAT_TO_DO}"
    inside = room.adjusted(AIR, 0, -AIR, 0)
    flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
    painter.setFont(frame.fonts.small_bold)
    text = frame.fonts.small_bold_metrics.boundingRect(inside, flags, sentence)
    if text.height() + AIR > room.height() or text.width() > inside.width():
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(frame.theme.line)
    painter.setBrush(frame.theme.surface)
    painter.drawRoundedRect(QRectF(text).adjusted(-AIR + 0.5, -3.5, AIR - 0.5, 3.5), 5, 5)
    painter.setPen(frame.theme.second_text)
    painter.drawText(inside, flags, sentence)


class KnownSoFar(NamedTuple):
    """What is known of a task that is under way when the veil begins."""

    job: int
    kind: int
    title: str
    known: tuple[tuple[str, str], ...]

    def lines(self) -> list[tuple[str, str]]:
        """Return names and values, in the order in which they are shown."""
        return list(self.known)

    def note(self) -> str:
        """Show nothing more."""
        return ""


def veiled_facts(facts: HoverFacts | None, veil: float, at: float) -> HoverFacts | None:
    """Return what may be shown at a time; of what ends after the veil only what is known before."""
    if facts is None or at > veil:
        return None
    end: float | None = getattr(facts, "end", None)
    if end is not None and end <= veil:
        return facts
    known = tuple(line for line in facts.lines() if line[0] in VEILED_FACTS)
    return KnownSoFar(facts.job, facts.kind, facts.title, known)

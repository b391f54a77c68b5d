"""Paints the vertical marks: makespan, estimates, lower bound and the waves of the selected job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from core.workload import MAP, REDUCE
from explorer.gantt.chart_frame import draw_elided
from explorer.gantt.flags import Placed, Wanted, place_flags
from explorer.time_text import duration_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.gantt.chart_frame import ChartFrame

FLAG_HEIGHT = 16


@dataclass(frozen=True)
class Mark:
    """A time with a line and a flag.

    Attributes
    ----------
    seconds : when
    text : what the flag says
    short : what it says in compact charts
    back, ink : colours of flag and text; the line has the colour of `line`
    dash, space : pixels of line and of gap; no gap for a solid line
    thickness : pixels
    """

    seconds: float
    text: str
    short: str
    back: QColor
    ink: QColor
    line: QColor
    dash: int = 1
    space: int = 0
    thickness: int = 1


def marks_of(frame: ChartFrame) -> list[Mark]:
    """Return the marks of a chart, the most important first."""
    content, theme = frame.content, frame.theme
    marks = []
    if content.rows:
        makespan = content.rows.schedule.makespan
        text = duration_text(makespan)
        marks.append(
            Mark(makespan, f"makespan {text}", text, theme.accent, theme.on_accent, theme.accent, thickness=2)
        )
    if content.ghost:
        old = content.ghost.schedule.makespan
        text = f"was {duration_text(old)}"
        marks.append(Mark(old, text, text, theme.panel, theme.text, theme.text, dash=3, space=3))
    for label, seconds in content.estimates:
        text = f"{label} {duration_text(seconds)}"
        marks.append(Mark(seconds, text, text, theme.panel, theme.muted, theme.muted, dash=6, space=4))
    if content.lower_bound is not None:
        text = f"lower bound {duration_text(content.lower_bound)}"
        short = f"≥ {duration_text(content.lower_bound)}"
        marks.append(
            Mark(content.lower_bound, text, short, theme.panel, theme.muted, theme.muted, dash=2, space=3)
        )
    return marks


def paint_marks(painter: QPainter, frame: ChartFrame) -> None:
    """Draw the lines and the flags of all marks in view."""
    marks = [mark for mark in marks_of(frame) if frame.shows(mark.seconds)]
    plot = frame.places.plot
    for mark in reversed(marks):
        left = round(frame.x(mark.seconds) - mark.thickness / 2)
        paint_vertical(painter, left, plot.top(), plot.bottom() + 1, mark)
    _paint_flags(painter, frame, marks)


def paint_vertical(painter: QPainter, left: int, top: int, bottom: int, mark: Mark) -> None:
    """Draw a solid or dashed vertical line."""
    if mark.space == 0:
        painter.fillRect(left, top, mark.thickness, bottom - top, mark.line)
        return
    # NOTE: many small fillRects are faster than one dashed pen
    for y in range(top, bottom, mark.dash + mark.space):
        painter.fillRect(left, y, mark.thickness, min(mark.dash, bottom - y), mark.line)


def _paint_flags(painter: QPainter, frame: ChartFrame, marks: Sequence[Mark]) -> None:
    metrics = frame.fonts.small_metrics
    texts = [mark.short if frame.content.compact else mark.text for mark in marks]
    wanted = [
        Wanted(frame.x(mark.seconds), metrics.horizontalAdvance(text) + 14.0, 40.0)
        for mark, text in zip(marks, texts, strict=True)
    ]
    row = frame.places.flags
    placed = place_flags(wanted, row.left() - 20.0, float(row.right()))
    for mark, text, place in zip(marks, texts, placed, strict=True):
        if place:
            paint_flag(painter, frame, place, text, mark)


def paint_flag(painter: QPainter, frame: ChartFrame, place: Placed, text: str, mark: Mark) -> None:
    """Draw one flag with its text, elided where it is too narrow."""
    rect = QRectF(place.left, frame.places.flags.top(), place.width, FLAG_HEIGHT)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(mark.back)
    painter.setPen(Qt.PenStyle.NoPen if mark.back == mark.line else frame.theme.line)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    painter.setFont(frame.fonts.small)
    painter.setPen(mark.ink)
    draw_elided(painter, rect.adjusted(6, 0, -6, 0), text, Qt.AlignmentFlag.AlignHCenter)


def paint_waves(painter: QPainter, frame: ChartFrame) -> None:
    """Draw where each wave of the selected job starts, numbered where there is room."""
    rows, job = frame.content.rows, frame.content.selected_job
    if rows is None or not 0 <= job < frame.content.jobs:
        return
    for index, pool in enumerate(frame.layout.pools):
        kinds = {"MAP": (MAP,), "REDUCE": (REDUCE,)}.get(pool.name, (MAP, REDUCE))
        for kind in kinds:
            _paint_waves_of(painter, frame, index, rows.wave_starts(job, kind), "mr"[kind])


def _paint_waves_of(
    painter: QPainter, frame: ChartFrame, index: int, starts: Sequence[float], letter: str
) -> None:
    rect = frame.pool_rect(index)
    font = QFont(frame.fonts.small)
    metrics = QFontMetrics(font)
    mark = Mark(0.0, "", "", frame.theme.card, frame.theme.text, frame.theme.text, dash=4, space=3)
    free_from = float(rect.left())
    for wave, start in enumerate(starts, 1):
        x = frame.x(float(start))
        if not rect.left() <= x <= rect.right():
            continue
        paint_vertical(painter, round(x), rect.top(), rect.bottom() + 1, mark)
        text = f"{letter}-wave {wave}"
        width = metrics.horizontalAdvance(text) + 10
        if x >= free_from and x + width <= rect.right() and rect.height() >= 20:
            _paint_wave_tag(painter, frame, QRectF(x + 1, rect.top() + 1, width, 15), text)
            free_from = x + width + 4


def _paint_wave_tag(painter: QPainter, frame: ChartFrame, rect: QRectF, text: str) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.card)
    painter.drawRoundedRect(rect, 3, 3)
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.text)
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), text)

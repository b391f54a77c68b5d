"""Paints the line above a chart: its title, what it holds, and its change against the baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics

from core.model.time_text import MINUS
from explorer.gantt.geometry.chart_frame import draw_elided
from explorer.gantt.layers.chain_legend import paint_chain_legend

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPainter

    from explorer.gantt.geometry.chart_frame import ChartFrame

SPACING = 12


def paint_title(painter: QPainter, frame: ChartFrame) -> None:
    """Draw title, facts and comparison in one line; the facts give way first, to the chain's legend too."""
    rect = QRect(frame.places.title)
    painter.setFont(frame.fonts.small_bold)
    comparison = frame.content.comparison
    if comparison:
        width = min(QFontMetrics(frame.fonts.small_bold).horizontalAdvance(comparison) + 2, rect.width() // 2)
        side = QRect(rect.right() - width, rect.top(), width + 1, rect.height())
        painter.setPen(_comparison_colour(frame))
        draw_elided(painter, side, comparison, Qt.AlignmentFlag.AlignRight)
        rect.setRight(side.left() - SPACING)
    painter.setFont(frame.fonts.title)
    painter.setPen(frame.theme.text)
    draw_elided(painter, rect, frame.content.title)
    rect.setLeft(
        rect.left() + QFontMetrics(frame.fonts.title).horizontalAdvance(frame.content.title) + SPACING
    )
    if frame.content.shown_chain is not None:
        paint_chain_legend(painter, frame, frame.content.shown_chain, rect)
        return
    facts = _facts(frame)
    if frame.content.record_facts or frame.fonts.small_metrics.horizontalAdvance(facts) <= rect.width():
        painter.setFont(frame.fonts.small)
        painter.setPen(frame.theme.muted)
        draw_elided(painter, rect.adjusted(0, 1, 0, 1), facts)


def _comparison_colour(frame: ChartFrame) -> QColor:
    """Colour by the sign in front: less time is better."""
    colours = {MINUS: frame.theme.good, "-": frame.theme.good, "+": frame.theme.bad}
    return colours.get(frame.content.comparison[0], frame.theme.muted)


def _facts(frame: ChartFrame) -> str:
    rows = frame.content.rows
    if rows is None:
        return ""
    jobs, tasks = frame.content.jobs, rows.schedule.tasks
    count = f"{tasks:,}".replace(",", "\N{THIN SPACE}")
    facts = f"{jobs} {'job' if jobs == 1 else 'jobs'} · {count} {'task' if tasks == 1 else 'tasks'}"
    by_pool = ["rows by pool"] if rows.by_pool is not None else []
    return " · ".join([facts, *by_pool, *frame.content.record_facts])

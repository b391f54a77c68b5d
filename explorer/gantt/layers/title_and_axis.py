"""Paints the axis of time: lines of the grid, ticks and their labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics

from core.model.time_text import MINUS, clock_text
from explorer.gantt.geometry.chart_frame import draw_elided
from explorer.gantt.layers.critical_path import paint_chain_legend

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPainter

    from explorer.gantt.geometry.chart_frame import ChartFrame


TICK_DISTANCE = 96.0


def paint_grid(painter: QPainter, frame: ChartFrame) -> None:
    """Draw a thin line through the pools at each tick."""
    ticks, _ = frame.scale.ticks(TICK_DISTANCE)
    for index in range(len(frame.layout.pools)):
        rect = frame.pool_rect(index)
        for tick in ticks:
            # NOTE: fillRect is many times faster than drawLine with a translucent pen
            painter.fillRect(round(frame.x(float(tick))), rect.top(), 1, rect.height(), frame.theme.grid)


def paint_axis(painter: QPainter, frame: ChartFrame) -> None:
    """Draw ticks and labels below the plot."""
    axis = frame.places.axis
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.muted)
    for x, rect, text in tick_labels(frame):
        painter.fillRect(x, axis.top() - 4, 1, 4, frame.theme.line)
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), text)


def tick_labels(frame: ChartFrame) -> list[tuple[int, QRectF, str]]:
    """Return pixel, place and text of each tick's label."""
    axis = frame.places.axis
    ticks, step = frame.scale.ticks(TICK_DISTANCE)
    labels = []
    for tick in ticks.tolist():
        x = round(frame.x(tick))
        text = clock_text(tick, step, frame.scale.start + frame.scale.span)
        width = frame.fonts.small_metrics.horizontalAdvance(text) + 4
        left = min(max(x - width / 2, 2.0), frame.places.whole.width() - width - 2.0)
        labels.append((x, QRectF(left, axis.top(), width, axis.height()), text))
    return labels


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

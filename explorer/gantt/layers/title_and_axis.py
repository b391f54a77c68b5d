"""The line above a chart, with title, facts and comparison, and the axis of time with its grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from typing_extensions import override

from core.model.cut_logs import CUT_LOG
from core.model.nodes import memory_text
from core.model.number_text import grouped
from core.model.time_text import MINUS, duration_text
from explorer.gantt.geometry.chart_content import path_text
from explorer.gantt.geometry.chart_frame import TICK_LENGTH, draw_elided
from explorer.gantt.layers.critical_path import legend_texts
from explorer.gantt.layers.idle_time import paint_slashes
from explorer.gantt.layers.layer import Layer
from explorer.widgets.theme import translucent, write_with

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPainter

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.geometry.chart_frame import ChartFrame


SPACING = 12
GRID_ALPHA = 17
"""Opacity, of 255, of the lines of the grid: they lie upon tasks as well, and are not to cut them."""


class GridLayer(Layer):
    """A thin line through the rows at each tick of the axis."""

    stays_under_veil = True

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        ink = translucent(frame.theme.text, GRID_ALPHA)
        for rect in (frame.pool_rects[index] for index in frame.layout.in_view):
            for x, _label, _text in frame.tick_labels:
                # NOTE: fillRect is many times faster than drawLine with a translucent pen
                painter.fillRect(x, rect.top(), 1, rect.height(), ink)


class AxisLayer(Layer):
    """Ticks and their labels below the plot, where the chart has an axis of its own."""

    stays_under_veil = True

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        if frame.places.axis.height():
            paint_axis(painter, frame)


def paint_axis(painter: QPainter, frame: ChartFrame) -> None:
    """Draw ticks and their labels."""
    top = frame.places.axis.top()
    write_with(painter, frame.fonts.small, frame.theme.second_text)
    for x, label, text in frame.tick_labels:
        painter.fillRect(x, top - TICK_LENGTH, 1, TICK_LENGTH, frame.theme.line)
        painter.drawText(label, int(Qt.AlignmentFlag.AlignCenter), text)
    paint_slashes(painter, frame)


def paint_title(painter: QPainter, frame: ChartFrame) -> QRect:
    """Draw title and comparison in one line; return the room between them."""
    rect = QRect(frame.places.title)
    painter.setFont(frame.fonts.small_bold)
    comparison = frame.content.comparison
    if comparison:
        width = min(QFontMetrics(frame.fonts.small_bold).horizontalAdvance(comparison) + 2, rect.width() // 2)
        side = QRect(rect.right() - width, rect.top(), width + 1, rect.height())
        painter.setPen(_comparison_colour(frame))
        draw_elided(painter, side, comparison, Qt.AlignmentFlag.AlignRight)
        rect.setRight(side.left() - SPACING)
    write_with(painter, frame.fonts.title, frame.theme.text)
    draw_elided(painter, rect, frame.content.title)
    rect.setLeft(
        rect.left() + QFontMetrics(frame.fonts.title).horizontalAdvance(frame.content.title) + SPACING
    )
    return rect


def paint_facts(painter: QPainter, frame: ChartFrame, room: QRect) -> None:
    """Draw how much the chart shows, beside the title; without room only what a recorded run must state."""
    facts = " · ".join(filter(None, (amount_text(frame.content), remarks(frame.content))))
    if frame.content.history_facts or frame.fonts.small_metrics.horizontalAdvance(facts) <= room.width():
        write_with(painter, frame.fonts.small, frame.theme.second_text)
        draw_elided(painter, room.adjusted(0, 1, 0, 1), facts)


def _comparison_colour(frame: ChartFrame) -> QColor:
    """Colour by the sign in front: less time is better."""
    colours = {MINUS: frame.theme.better, "-": frame.theme.better, "+": frame.theme.worse}
    return colours.get(frame.content.comparison[0], frame.theme.second_text)


def amount_text(content: ChartContent) -> str:
    """Return how much a chart shows."""
    if content.rows is None:
        return ""
    jobs, tasks = content.jobs, content.rows.schedule.tasks
    count = grouped(tasks)
    return f"{jobs} {'job' if jobs == 1 else 'jobs'} · {count} {'task' if tasks == 1 else 'tasks'}"


def row_words(rows: ScheduleRows) -> str:
    """Return what the rows are where they are no slots; nothing where they are."""
    if rows.by_pool is not None:
        return "rows by pool"
    if rows.by_memory is None:
        return ""
    words, added = f"a row: {memory_text(rows.by_memory.unit_mb)}", rows.by_memory.added
    more = f", {added} rows more where free memory is in pieces" if added else ""
    return words + more


def remarks(content: ChartContent) -> str:
    """Return what rows are if not slots, what a record must state, what takes so long, and estimates."""
    kind = row_words(content.rows) if content.rows else ""
    path = content.shown_critical_path
    causes = [] if path is None else [text for _, text in legend_texts(path)]
    stages = path_text(content.rows) if content.rows and not causes and not content.is_veiled else ""
    on_path = [f"to the end {stages}"] if stages else []
    flagged = () if content.for_audience else content.estimates  # a picture has flags for them
    estimates = [f"{label} {duration_text(seconds)}" for label, seconds in flagged]
    cut = [CUT_LOG] if content.rows and content.rows.schedule.workload.cut else []
    return " · ".join(
        [*([kind] if kind else []), *cut, *content.history_facts, *causes, *on_path, *estimates]
    )

"""Paints the pools of a partition: a line above the rows of each names it; another shows where it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect

from explorer.gantt.chart_frame import draw_elided
from explorer.gantt.paint_marks import paint_dashes
from explorer.gantt.row_layout import HEADER_HEIGHT
from explorer.time_text import duration_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from core.partition import Partition
    from core.schedule import Schedule
    from explorer.gantt.chart_frame import ChartFrame
    from explorer.gantt.row_layout import Pool

GRIP_WIDTH, GRIP_LINES = 22, 3
END_DASHES = (4, 2)


def paint_groups(painter: QPainter, frame: ChartFrame) -> None:
    """Draw what is above the rows of each pool, and the ends of the pools."""
    rows = frame.content.rows
    if rows is None or rows.schedule.partition is None:
        return
    painter.save()
    painter.setClipRect(frame.places.plot)
    for index, pool in enumerate(frame.layout.pools):
        if pool.group < 0:
            continue
        header = header_rect(frame, index)
        _paint_header(painter, frame, header, pool, rows.schedule, rows.schedule.partition)
        if frame.layout.edge_at(header.center().y() - frame.places.plot.top()) >= 0:
            _paint_grip(painter, frame, header)
        _paint_end(painter, frame, index, float(rows.schedule.pool_finish[pool.group]))
    painter.restore()


def header_rect(frame: ChartFrame, index: int) -> QRect:
    """Return the line above the rows of a pool, in the chart; it may lie outside of the plot."""
    plot, top = frame.places.plot, round(frame.layout.pool_top(index)) + frame.places.plot.top()
    return QRect(plot.left(), top - HEADER_HEIGHT, plot.width(), HEADER_HEIGHT)


def _paint_header(
    painter: QPainter,
    frame: ChartFrame,
    rect: QRect,
    pool: Pool,
    schedule: Schedule,
    partition: Partition,
) -> None:
    name = partition.pools[pool.group].name
    painter.setFont(frame.fonts.small_bold)
    painter.setPen(frame.theme.text)
    metrics = painter.fontMetrics()
    left = QRect(rect.left() + 2, rect.top(), rect.width() // 2, rect.height())
    draw_elided(painter, left, name)
    used = min(metrics.horizontalAdvance(name), left.width()) + 10
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.muted)
    rest = QRect(left.left() + used, rect.top(), rect.width() - used - GRIP_WIDTH - 60, rect.height())
    draw_elided(painter, rest, " · ".join(header_facts(pool, schedule, partition)))


def header_facts(pool: Pool, schedule: Schedule, partition: Partition) -> list[str]:
    """Return what is said about a pool beside its name."""
    jobs = len(partition.pools[pool.group].jobs)
    end = float(schedule.pool_finish[pool.group])
    kind = "map" if pool.name == "MAP" else "reduce"
    facts = [f"{pool.slots} {kind} {'slot' if pool.slots == 1 else 'slots'}"]
    facts.append(f"{jobs} {'job' if jobs == 1 else 'jobs'}" if jobs else "no jobs")
    return [*facts, f"done at {duration_text(end)}"] if jobs else facts


def _paint_grip(painter: QPainter, frame: ChartFrame, rect: QRect) -> None:
    """Draw the sign of an edge that can be dragged."""
    right, middle = rect.right() - 8, rect.center().y()
    for line in range(GRIP_LINES):
        y = middle - GRIP_LINES + 3 * line
        painter.fillRect(right - GRIP_WIDTH, y, GRIP_WIDTH, 1, frame.theme.muted)


def _paint_end(painter: QPainter, frame: ChartFrame, index: int, seconds: float) -> None:
    """Draw a dashed line where the pool's last job departs."""
    rect = frame.pool_rect(index)
    if frame.shows(seconds) and rect.height() > 0 and seconds > 0:
        x = round(frame.x(seconds))
        paint_dashes(painter, x, rect.top(), rect.bottom() + 1, END_DASHES, 1, frame.theme.text)

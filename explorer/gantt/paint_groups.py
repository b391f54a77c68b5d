"""Paints pools of jobs: a line above the rows of each names it; another shows where it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect

from explorer.gantt.chart_frame import draw_elided
from explorer.gantt.paint_marks import paint_dashes
from explorer.gantt.row_layout import HEADER_HEIGHT
from explorer.time_text import duration_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from explorer.gantt.chart_frame import ChartFrame
    from explorer.gantt.row_layout import Pool
    from explorer.gantt.rows import PoolGroup

GRIP_WIDTH, GRIP_LINES = 22, 3
END_DASHES = (4, 2)


def paint_groups(painter: QPainter, frame: ChartFrame) -> None:
    """Draw what is above the rows of each pool, and the ends of the pools."""
    rows = frame.content.rows
    if rows is None or not rows.is_grouped:
        return
    painter.save()
    painter.setClipRect(frame.places.plot)
    for index, pool in enumerate(frame.layout.pools):
        if pool.group < 0:
            continue
        group = rows.groups[pool.group]
        header = header_rect(frame, index)
        if frame.layout.gap >= HEADER_HEIGHT:
            _paint_header(painter, frame, header, pool, group)
        if frame.layout.edge_at(header.center().y() - frame.places.plot.top()) >= 0:
            _paint_grip(painter, frame, header)
        _paint_end(painter, frame, index, group.finish)
    painter.restore()


def header_rect(frame: ChartFrame, index: int) -> QRect:
    """Return the line above the rows of a pool, in the chart; it may lie outside of the plot."""
    plot, top = frame.places.plot, round(frame.layout.pool_top(index)) + frame.places.plot.top()
    return QRect(plot.left(), top - HEADER_HEIGHT, plot.width(), HEADER_HEIGHT)


def _paint_header(painter: QPainter, frame: ChartFrame, rect: QRect, pool: Pool, group: PoolGroup) -> None:
    name = group.name
    painter.setFont(frame.fonts.small_bold)
    painter.setPen(frame.theme.text)
    metrics = painter.fontMetrics()
    left = QRect(rect.left() + 2, rect.top(), rect.width() // 2, rect.height())
    draw_elided(painter, left, name)
    used = min(metrics.horizontalAdvance(name), left.width()) + 10
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.muted)
    rest = QRect(left.left() + used, rect.top(), rect.width() - used - GRIP_WIDTH - 60, rect.height())
    draw_elided(painter, rest, " · ".join(header_facts(pool, group)))


def header_facts(pool: Pool, group: PoolGroup) -> list[str]:
    """Return what is said about a pool beside its name."""
    kind = {"MAP": "map slot", "REDUCE": "reduce slot"}.get(pool.name, "slot")
    slots = f"{pool.slots} {kind}" + ("" if pool.slots == 1 else "s")
    facts = [f"up to {slots} at once" if pool.is_packed else slots]
    facts.append(f"{group.jobs} {'job' if group.jobs == 1 else 'jobs'}" if group.jobs else "no jobs")
    return [*facts, f"done at {duration_text(group.finish)}"] if group.jobs else facts


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

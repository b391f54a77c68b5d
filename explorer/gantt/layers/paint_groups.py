"""Paints pools of jobs: a line above the rows of each names it; another shows where it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect

from core.model.time_text import duration_text
from explorer.gantt.geometry.chart_frame import draw_elided, translucent
from explorer.gantt.geometry.row_layout import HEADER_HEIGHT
from explorer.gantt.layers.paint_marks import paint_dashes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPainter

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.row_layout import Pool
    from explorer.gantt.geometry.rows import PoolGroup

GRIP_WIDTH, GRIP_LINES = 22, 3
NAME_HEIGHT = 13
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
        if not frame.layout.continues(index):
            _paint_header(painter, frame, header, index, group)
        if frame.layout.edge_at(header.center().y() - frame.places.plot.top()) >= 0:
            _paint_grip(painter, frame, header)
        _paint_end(painter, frame, index, group.finish)
    painter.restore()


def header_rect(frame: ChartFrame, index: int) -> QRect:
    """Return the line above the rows of a pool, in the chart; it may lie outside of the plot."""
    plot, top = frame.places.plot, round(frame.layout.pool_top(index)) + frame.places.plot.top()
    return QRect(plot.left(), top - HEADER_HEIGHT, plot.width(), HEADER_HEIGHT)


def _paint_header(painter: QPainter, frame: ChartFrame, rect: QRect, index: int, group: PoolGroup) -> None:
    name, is_low = group.name, frame.layout.gap < HEADER_HEIGHT
    if is_low:
        rect = _upon_rows(painter, frame, index, name)
    painter.setFont(frame.fonts.small_bold)
    painter.setPen(frame.theme.text)
    metrics = painter.fontMetrics()
    left = QRect(rect.left() + 2, rect.top(), rect.width() // 2, rect.height())
    draw_elided(painter, left, name)
    if is_low:
        return
    used = min(metrics.horizontalAdvance(name), left.width()) + 10
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.muted)
    rest = QRect(left.left() + used, rect.top(), rect.width() - used - GRIP_WIDTH - 60, rect.height())
    draw_elided(painter, rest, " · ".join(header_facts(_bands_of(frame, index), group)))


def _upon_rows(painter: QPainter, frame: ChartFrame, index: int, name: str) -> QRect:
    """Make a place for a name upon the rows, where there is no room above them."""
    top = round(frame.layout.pool_top(index)) + frame.places.plot.top()
    width = min(frame.fonts.small_bold_metrics.horizontalAdvance(name) + 8, frame.places.plot.width() // 2)
    place = QRect(frame.places.plot.left(), top, width, NAME_HEIGHT)
    painter.fillRect(place, translucent(frame.theme.window, 200))
    return QRect(place.left(), top, 2 * width, NAME_HEIGHT)


def _bands_of(frame: ChartFrame, index: int) -> list[Pool]:
    """Return the rows at an index and those of the same pool that follow."""
    pools, last = frame.layout.pools, index + 1
    while last < len(pools) and frame.layout.continues(last):
        last += 1
    return list(pools[index:last])


def header_facts(bands: Sequence[Pool], group: PoolGroup) -> list[str]:
    """Return what is said about a pool beside its name."""
    kinds = {"MAP": "map slot", "REDUCE": "reduce slot"}
    slots = [count_text(band.slots, kinds.get(band.name, "slot")) for band in bands]
    facts = [f"up to {' and '.join(slots)} at once" if bands[0].is_packed else slots[0]]
    facts.append(count_text(group.jobs, "job") if group.jobs else "no jobs")
    return [*facts, f"done at {duration_text(group.finish)}"] if group.jobs else facts


def count_text(number: int, noun: str) -> str:
    """Return a number with its noun: "1 job", "2 jobs"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


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

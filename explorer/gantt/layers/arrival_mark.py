"""When a submitted job comes, in the chart of a forecast: its tag, what it runs, what the pointer is at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt

from core.model.time_text import clock_text, duration_text
from core.model.visible_text import short_names
from explorer.gantt.layers.layer import draw_tag
from explorer.gantt.layers.marks import MarkFacts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter

    from core.charts.forecast_ends import EndRow, ForecastEnds
    from explorer.gantt.geometry.chart_frame import ChartFrame

TAG_TOP, TAG_HEIGHT, TAG_AIR = 20, 18, 7
"""Pixels: the tag is below that of now."""
NEAR = 2.0
MAX_NAME = 160


def new_rows(ends: ForecastEnds | None) -> list[EndRow]:
    """Return the rows of jobs that are submitted, the first to come first."""
    rows = () if ends is None else ends.rows
    return sorted((row for row in rows if row.is_new), key=lambda row: row.arrival)


def tag_text(frame: ChartFrame, ends: ForecastEnds, rows: list[EndRow]) -> str:
    """Return whose tag it is, when it comes, and by arrows whither it can go: "◂ late 0:50 ▸"."""
    name = short_names((rows[0].job,))[0] if len(rows) == 1 else f"{len(rows)} jobs"
    name = frame.fonts.small_metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, MAX_NAME)
    earlier = "◂ " if rows[0].arrival > ends.now else ""
    return f"{earlier}{name} {clock_text(rows[0].arrival)} ▸"


def tag_box(frame: ChartFrame) -> QRectF | None:
    """Return where the tag is, right of when it comes if there is room; None for nothing submitted."""
    ends, plot = frame.content.forecast, frame.places.plot
    rows = new_rows(ends)
    if ends is None or not rows or frame.content.is_veiled or not frame.shows(rows[0].arrival):
        return None
    width = frame.fonts.small_metrics.horizontalAdvance(tag_text(frame, ends, rows)) + 2.0 * TAG_AIR
    x = frame.x(rows[0].arrival)
    left = x + 2 if x + 2 + width <= plot.right() else x - width
    return QRectF(left, plot.top() + TAG_TOP, width, TAG_HEIGHT)


def paint_arrival(painter: QPainter, frame: ChartFrame) -> None:
    """Draw the tag and, unless that is now, the line of when it comes."""
    box, ends = tag_box(frame), frame.content.forecast
    if box is None or ends is None:
        return
    rows, plot = new_rows(ends), frame.places.plot
    if rows[0].arrival > ends.now:
        painter.fillRect(round(frame.x(rows[0].arrival)), plot.top(), 1, plot.height(), frame.theme.accent)
    draw_tag(painter, frame, box, tag_text(frame, ends, rows), 4, frame.theme.accent, frame.theme.on_accent)


def likely_boxes(frame: ChartFrame, ends: ForecastEnds | None) -> Iterator[QRectF]:
    """Yield where what is submitted runs in the draw in the middle, as far as that is in view."""
    likely, names = None if ends is None else ends.likely, {row.job for row in new_rows(ends)}
    if likely is None or frame.content.rows is None or frame.content.rows.by_pool is not None:
        return
    new = [number for number, name in enumerate(likely.jobs) if name in names]
    seen = np.isin(likely.job, new) & (likely.start < frame.scale.end) & (likely.end > frame.scale.start)
    for task in np.flatnonzero(seen).tolist():
        slot = int(likely.slot[task])
        if frame.layout.shows(np.array([slot]))[0]:
            top, bottom = frame.row(slot)
            left, right = frame.x(float(likely.start[task])), frame.x(float(likely.end[task]))
            yield QRectF(left, top, max(right - left, 1.0), bottom - top)


def arrival_at(frame: ChartFrame, at: QPointF) -> bool:
    """Whether what is submitted is under a pixel: its tag, its line, or a task that it runs."""
    ends, plot = frame.content.forecast, frame.places.plot
    box = tag_box(frame) if plot.contains(at.toPoint()) else None
    if box is None or ends is None:
        return False
    first = new_rows(ends)[0].arrival
    is_on_line = first > ends.now and abs(frame.x(first) - at.x()) <= NEAR
    return is_on_line or box.contains(at) or any(each.contains(at) for each in likely_boxes(frame, ends))


def arrival_facts(frame: ChartFrame, at: QPointF) -> MarkFacts | None:
    """Return what there is to say of what is submitted under a pixel; None where it is not."""
    if not arrival_at(frame, at):
        return None
    ends = frame.content.forecast
    assert ends is not None  # it is there
    rows = new_rows(ends)
    last = max(rows, key=lambda row: row.middle)
    title = rows[0].job if len(rows) == 1 else f"{len(rows)} jobs"
    facts = (
        ("comes", clock_text(rows[0].arrival)),
        ("ends at about", clock_text(last.middle)),
        ("in 90 % between", f"{clock_text(last.most[0])} and {clock_text(last.most[1])}"),
        ("delays", delay_words(ends) or "nobody"),
    )
    return MarkFacts(title, facts, "submitted, not among the jobs yet")


def delay_words(ends: ForecastEnds) -> str:
    """Return whom what is submitted delays: "J4 by 3 min and 2 others"; empty for nobody."""
    late = sorted((row for row in ends.rows if row.delay > 0), key=lambda row: -row.delay)
    if not late:
        return ""
    others = {1: "", 2: " and 1 other"}.get(len(late), f" and {len(late) - 1} others")
    return f"{late[0].job} by {duration_text(late[0].delay)}{others}"

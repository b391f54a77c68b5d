"""When a submitted job comes, in the chart of a forecast: its tag, what it runs, what the pointer is at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt

from core.model.time_text import clock_text, duration_text
from core.model.visible_text import short_names
from explorer.gantt.layers.layer import MarkFacts, draw_tag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
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
    """Yield where what is submitted runs in the draw in the middle, row by row, in rows in view."""
    likely, new = None if ends is None else ends.likely, _new_in_view(frame, ends)
    if likely is None or not len(new):
        return
    slots, which = np.unique(likely.slot[new], return_inverse=True)
    starts, last = np.full(len(slots), np.inf), np.zeros(len(slots))
    np.minimum.at(starts, which, likely.start[new])
    np.maximum.at(last, which, likely.end[new])
    for left, right, top, bottom in frame.boxes(slots, starts, last):
        yield QRectF(left, top, max(right - left, 1.0), bottom - top)


def _new_in_view(frame: ChartFrame, ends: ForecastEnds | None) -> NDArray[np.int64]:
    """Return which of the likely tasks are of what is submitted, in rows in view that are slots."""
    likely, rows = None if ends is None else ends.likely, frame.content.rows
    if likely is None or rows is None or not rows.are_slots:
        return np.zeros(0, np.int64)
    names = {row.job for row in new_rows(ends)}
    new = [number for number, name in enumerate(likely.jobs) if name in names]
    return np.flatnonzero(np.isin(likely.job, new) & frame.layout.shows(likely.slot))


def arrival_at(frame: ChartFrame, at: QPointF) -> bool:
    """Whether what is submitted is under a pixel: its tag, its line, or a task that it runs."""
    ends, plot = frame.content.forecast, frame.places.plot
    box = tag_box(frame) if plot.contains(at.toPoint()) else None
    if box is None or ends is None:
        return False
    first = new_rows(ends)[0].arrival
    is_on_line = first > ends.now and abs(frame.x(first) - at.x()) <= NEAR
    return is_on_line or box.contains(at) or _runs_at(frame, ends, at)


def _runs_at(frame: ChartFrame, ends: ForecastEnds, at: QPointF) -> bool:
    """Whether what is submitted runs under a pixel in the draw in the middle."""
    likely, seconds = ends.likely, frame.time(at.x())
    if likely is None or seconds < ends.now:
        return False
    new = _new_in_view(frame, ends)
    new = new[(likely.start[new] <= seconds) & (seconds < likely.end[new])]
    boxes = frame.boxes(likely.slot[new], likely.start[new], likely.end[new])
    return any(top <= at.y() < bottom for _, _, top, bottom in boxes)


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

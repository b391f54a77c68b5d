"""Marks of a drag upon a chart: where the job was, where a drop would put it, and what that changes."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from explorer.gantt.geometry.chart_frame import draw_elided
from explorer.gantt.layers.arrival_mark import likely_boxes
from explorer.widgets.theme import fill_with, translucent, write_with

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.charts.forecast_ends import ForecastEnds
    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame

LINE, CASING, TIP = 3, 1, 5
"""Pixels of the line that marks a place, of its rim, and of the tips at its ends."""
LABEL_HEIGHT, AIR, BORDER = 24, 14, 4
"""Pixels of the label, between it and the pointer or a block, and between it and the chart's border."""


class DragPreview(NamedTuple):
    """A drag under way.

    Attributes
    ----------
    base : the rows before
    job : index of the job that is dragged, or -1
    text : what a drop would do
    seconds : when the block would begin; not a number where a drop means no time
    kind, group : whose rows it would change: maps' or reduces', of a pool of jobs; -1 for all
    before : the forecast as it was, where what is submitted is dragged
    """

    base: ScheduleRows
    job: int
    text: str
    seconds: float = math.nan
    kind: int = -1
    group: int = -1
    before: ForecastEnds | None = None


def paint_drag(painter: QPainter, frame: ChartFrame, drag: DragPreview, pointer: QPointF | None) -> None:
    """Draw everything that a drag shows beside the schedule as it would be."""
    matter = []
    if drag.job >= 0:
        if frame.content.rows is not None:
            matter += job_boxes(frame, frame.content.rows, drag.job)
        if drag.base.pools == frame.layout.pools:
            _paint_old_place(painter, frame, drag.base, drag.job)
            matter += job_boxes(frame, drag.base, drag.job)
        _paint_place(painter, frame, drag)
    if drag.before is not None:
        matter += _paint_arrival_ghost(painter, frame, drag)
    at = pointer or QPointF(frame.places.plot.center())
    width = frame.fonts.small_bold_metrics.horizontalAdvance(drag.text) + 24.0
    width = min(width, frame.places.whole.width() - 2.0 * BORDER)
    _paint_label(painter, frame, label_place(frame, at, width, matter), drag.text)


def _paint_arrival_ghost(painter: QPainter, frame: ChartFrame, drag: DragPreview) -> list[QRectF]:
    """Outline where what is submitted ran before, and mark when it would come; return what both cover."""
    boxes = list(likely_boxes(frame, drag.before))
    painter.save()
    painter.setClipRect(frame.places.plot)
    for box in boxes:
        _outline(painter, frame, box.toRect())
    painter.restore()
    _paint_place(painter, frame, drag)
    return boxes


def _outline(painter: QPainter, frame: ChartFrame, box: QRect) -> None:
    """Draw where something was before."""
    edge = translucent(frame.theme.text, 190)
    painter.fillRect(box, translucent(frame.theme.text, 26))
    painter.fillRect(box.left(), box.top(), 1, box.height(), edge)
    painter.fillRect(box.right(), box.top(), 1, box.height(), edge)


def _paint_old_place(painter: QPainter, frame: ChartFrame, old: ScheduleRows, job: int) -> None:
    """Outline where a job was in an old schedule, row by row."""
    schedule = old.schedule
    stages = schedule.workload.columns.stages
    painter.save()
    painter.setClipRect(frame.places.plot)
    for stage in range(stages.begin[job], stages.begin[job + 1]):
        first, count = int(stages.first[stage]), int(stages.count[stage])
        slots, which = np.unique(old.row[first : first + count], return_inverse=True)
        starts, ends = np.full(len(slots), np.inf), np.zeros(len(slots))
        np.minimum.at(starts, which, schedule.start[first : first + count])
        np.maximum.at(ends, which, schedule.end[first : first + count])
        lasts = slots.copy()
        np.maximum.at(lasts, which, old.last_row[first : first + count])
        for x, after, top, bottom in frame.boxes(slots, starts, ends, lasts):
            left, right = round(x), round(after)
            _outline(painter, frame, QRect(left, top, right - left, bottom - top))
    painter.restore()


def job_boxes(frame: ChartFrame, rows: ScheduleRows, job: int) -> list[QRectF]:
    """Return what the maps and the reduces of a job cover in the chart, as far as they are in view."""
    schedule, plot = rows.schedule, QRectF(frame.places.plot)
    stages, found = schedule.workload.columns.stages, []
    for stage in range(stages.begin[job], stages.begin[job + 1]):
        tasks = slice(int(stages.first[stage]), int(stages.first[stage] + stages.count[stage]))
        if tasks.start < tasks.stop:
            left, right = (
                frame.x(float(time)) for time in (schedule.start[tasks].min(), schedule.end[tasks].max())
            )
            top, bottom = frame.row(int(rows.row[tasks].min()), int(rows.last_row[tasks].max()))
            found.append(QRectF(left, top, right - left, bottom - top).intersected(plot))
    return [box for box in found if not box.isEmpty()]


# ---- the place


def _paint_place(painter: QPainter, frame: ChartFrame, drag: DragPreview) -> None:
    """Draw a line where the block would begin, over its rows only; a frame around them for no time."""
    rows = place_rows(frame, drag)
    if rows.isEmpty():
        return
    if math.isnan(drag.seconds):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(frame.theme.accent, LINE))
        painter.drawRect(QRectF(rows).adjusted(1.5, 1.5, -1.5, -1.5))
        return
    if not frame.shows(drag.seconds):
        return
    x = round(frame.x(drag.seconds))
    line = QRect(x - LINE // 2, rows.top(), LINE, rows.height())
    painter.fillRect(line.adjusted(-CASING, 0, CASING, 0), frame.theme.window)
    painter.fillRect(line, frame.theme.accent)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill_with(painter, frame.theme.accent)
    for y, inwards in ((rows.top(), TIP), (rows.bottom() + 1, -TIP)):
        middle = x - LINE // 2 + LINE / 2
        tip = [QPointF(middle - TIP, y), QPointF(middle, y + inwards), QPointF(middle + TIP, y)]
        painter.drawPolygon(QPolygonF(tip))


def place_rows(frame: ChartFrame, drag: DragPreview) -> QRect:
    """Return what the rows that a drop would change cover in the chart."""
    rows = QRect()
    for pool, rect in zip(frame.layout.pools, frame.pool_rects, strict=True):
        is_of_kind = drag.kind < 0 or pool.own in (drag.kind, 2)
        if rect.height() and is_of_kind and (drag.group < 0 or pool.group == drag.group):
            rows = rows.united(rect)
    return rows


# ---- the label


def label_place(frame: ChartFrame, at: QPointF, width: float, matter: Sequence[QRectF]) -> QRectF:
    """Return where a label near a point covers the least of what matters, inside of the chart."""
    tops = [at.y() + AIR, at.y() - AIR - LABEL_HEIGHT]
    lefts = [at.x() + AIR, at.x() - AIR - width]
    for place in _places(frame, lefts, tops, width):
        if not place.contains(at) and not any(map(place.intersects, matter)):
            return place
    lefts.append(at.x() - width / 2)
    for box in matter:
        tops += box.top() - AIR / 2 - LABEL_HEIGHT, box.bottom() + AIR / 2
        lefts += box.left() - AIR - width, box.right() + AIR
    places = list(_places(frame, lefts, tops, width))
    places.sort(key=lambda place: (place.contains(at), (place.center() - at).manhattanLength()))
    free = (place for place in places if not any(map(place.intersects, matter)))
    return next(free, None) or min(places, key=lambda place: _covered(place, matter))


def _places(
    frame: ChartFrame, lefts: Sequence[float], tops: Sequence[float], width: float
) -> Iterator[QRectF]:
    """Yield a label at all of these corners, moved into the chart."""
    inside = QRectF(frame.places.whole).adjusted(BORDER, BORDER, -BORDER, -BORDER)
    for left, top in product(lefts, tops):
        x = max(inside.left(), min(left, inside.right() - width))
        y = max(inside.top(), min(top, inside.bottom() - LABEL_HEIGHT))
        yield QRectF(x, y, width, LABEL_HEIGHT)


def _covered(place: QRectF, matter: Sequence[QRectF]) -> float:
    """Return how many pixels of what matters are below a place."""
    common = [place.intersected(box) for box in matter]
    return sum(rect.width() * rect.height() for rect in common)


def _paint_label(painter: QPainter, frame: ChartFrame, rect: QRectF, text: str) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill_with(painter, frame.theme.shadow)
    painter.drawRoundedRect(rect.adjusted(-2, 0, 2, 3), 7, 7)
    painter.setBrush(frame.theme.accent)
    painter.drawRoundedRect(rect, 5, 5)
    write_with(painter, frame.fonts.small_bold, frame.theme.on_accent)
    draw_elided(painter, rect.adjusted(10, 0, -10, 0), text, Qt.AlignmentFlag.AlignHCenter)

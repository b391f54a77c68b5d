"""Fact and forecast: right of now is what is likely, pale and hatched, and bands say when jobs will end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPen
from typing_extensions import override

from core.charts.raster_kernel import MAP_TONE, REDUCE_TONE
from core.charts.row_columns import kept_with_rows
from core.model.time_text import clock_text
from core.model.visible_text import short_names
from explorer.gantt.geometry.chart_frame import colour
from explorer.gantt.layers.arrival_mark import new_rows, paint_arrival
from explorer.gantt.layers.closed_slots import paint_closed
from explorer.gantt.layers.layer import Layer, draw_tag
from explorer.gantt.layers.node_events import paint_events
from explorer.widgets.theme import translucent, write_with

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QColor, QPainter

    from core.charts.forecast_ends import EndRow, ForecastEnds, Promise
    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame

HAZE = 120
"""How much of its colour what is not yet so loses, of 255."""
GROUND, STRIPES = 90, 170
"""How much of its colour, of 255, a task to come has in its ground, and in its stripes."""
MAX_LIKELY = 50_000
"""Of more tasks to come what is drawn is what came, paler."""
LINE = 2
TAG_HEIGHT, TAG_AIR, TAG_TOP = 16, 6, 2
BAND, INNER, LANE = 6.0, 10.0, 15.0
"""Pixels that the bands of 90 and of 50 % are high, and the room of both with the line of the middle."""
TRIES = 12
"""So many places above and below are tried for a band where another one lies already."""
PLATE, NAME_AIR = 215, 5.0
"""Of 255, how opaque the ground of a name beside a band is; and pixels beside its letters."""
MAX_BANDS = 60
"""Of so many jobs that end next bands are drawn; the panel has all."""
CHANCE_APART = 4.0


@kept_with_rows
def last_rows(rows: ScheduleRows) -> NDArray[np.int64]:
    """Return the row in which the last task of each job ends, -1 for a job without any, (jobs,)."""
    schedule = rows.schedule
    found = np.full(len(schedule.workload.jobs), -1)
    order = np.argsort(schedule.end, kind="stable")
    found[schedule.workload.columns.job[order]] = rows.row[order]
    return found


def _last_of(rows: ScheduleRows) -> dict[str, int]:
    names = [job.name for job in rows.schedule.workload.jobs]
    return dict(zip(names, last_rows(rows).tolist(), strict=True))


class ForecastLayer(Layer):
    """Draws what is to come, once a forecast says when that is."""

    def __init__(self) -> None:
        self._drawn: tuple[ScheduleRows, ForecastEnds, ScheduleRows] | None = None

    def _as_likely(self, rows: ScheduleRows, ends: ForecastEnds) -> ScheduleRows:
        """Return the rows with what is likely to happen to their nodes; kept from frame to frame."""
        likely = ends.likely
        if likely is None or likely.cluster.events is None:
            return rows
        if self._drawn is None or self._drawn[0] is not rows or self._drawn[1] is not ends:
            schedule = replace(rows.schedule, cluster=likely.cluster)
            self._drawn = rows, ends, replace(rows, schedule=schedule)
        return self._drawn[2]

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        ends, plot = frame.content.forecast, frame.places.plot
        if ends is None or frame.content.is_veiled or ends.now >= frame.scale.end:
            return
        now = max(round(frame.x(ends.now)), plot.left())
        painter.save()
        painter.setClipRect(plot)
        future = plot.adjusted(now - plot.left(), 0, 0, 0)
        if shows_likely(rows, ends):
            here = self._as_likely(rows, ends)
            _paint_likely(painter, frame, here, ends, future)
            paint_events(painter, frame, here, future)
        else:
            painter.fillRect(future, translucent(frame.theme.window, HAZE))
        _paint_bands(painter, frame, rows, ends)
        if frame.shows(ends.now):
            painter.fillRect(now - 1, plot.top(), LINE + 2, plot.height(), frame.theme.window)
            painter.fillRect(now, plot.top(), LINE, plot.height(), frame.theme.text)
            _paint_now(painter, frame, now, ends.now)
        paint_arrival(painter, frame)
        painter.restore()
        _paint_chances(painter, frame, ends.promises)


def shows_likely(rows: ScheduleRows, ends: ForecastEnds) -> bool:
    """Whether the tasks to come can be drawn: rows are slots, and there are few enough."""
    has_slots = rows.by_pool is None and rows.by_memory is None
    return has_slots and ends.likely is not None and len(ends.likely.slot) <= MAX_LIKELY


def end_of_past(frame: ChartFrame, rows: ScheduleRows) -> float:
    """Return up to which x what came is drawn: to now where the tasks to come stand in its place."""
    ends, right = frame.content.forecast, float(frame.places.plot.right())
    if ends is None or frame.content.is_veiled or not shows_likely(rows, ends):
        return right
    return min(frame.x(ends.now) - 1, right)


def _paint_likely(
    painter: QPainter, frame: ChartFrame, rows: ScheduleRows, ends: ForecastEnds, future: QRect
) -> None:
    """Draw in the place of what came the tasks of the draw in the middle: pale, and hatched."""
    assert ends.likely is not None
    painter.fillRect(future, frame.theme.window)
    for lane in frame.pool_rects:
        painter.fillRect(lane.intersected(future), frame.theme.lane)
    paint_closed(painter, frame, rows, future)
    index = rows.schedule.workload.job_index
    places = [index.get(name, -1) for name in ends.likely.jobs]
    new = {row.job for row in new_rows(ends)}
    inks = [
        _inks(frame, place, is_new=name in new) for name, place in zip(ends.likely.jobs, places, strict=True)
    ]
    likely = ends.likely
    left, right = np.array(frame.xs(likely.start)), np.array(frame.xs(likely.end))
    seen = (right > future.left()) & (left < future.right()) & (likely.slot < _rows_of(frame))
    seen[seen] &= frame.layout.shows(likely.slot[seen])
    for task in np.flatnonzero(seen).tolist():
        top, bottom = frame.row(int(likely.slot[task]))
        box = QRectF(left[task], top, max(right[task] - left[task], 1.0), bottom - top)
        for ink in inks[int(likely.job[task])][int(likely.kind[task])]:
            painter.fillRect(box, ink)
        painter.fillRect(QRectF(box.right() - 1, box.top(), 1, box.height()), frame.theme.lane)


def _rows_of(frame: ChartFrame) -> int:
    """Return how many rows a chart has."""
    return max(pool.first_slot + pool.slots for pool in frame.layout.pools)


def _inks(frame: ChartFrame, job: int, *, is_new: bool) -> tuple[tuple[QBrush, QBrush], ...]:
    """Return for maps and for reduces of a job the pale ground and the stripes upon it."""
    other = frame.theme.accent if is_new else frame.theme.third_text
    found = []
    for tone in (MAP_TONE, REDUCE_TONE):
        ink = other if job < 0 else colour(int(frame.shown_tones[job, tone]))
        stripes = QBrush(translucent(ink, STRIPES), Qt.BrushStyle.BDiagPattern)
        found.append((QBrush(translucent(ink, GROUND)), stripes))
    return tuple(found)


def _paint_bands(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, ends: ForecastEnds) -> None:
    """Draw when the next jobs end, each over the row of its last task, or where there is room beside it."""
    index, plot = rows.schedule.workload.job_index, frame.places.plot
    likely = ends.likely if shows_likely(rows, ends) else None
    last = _last_of(rows) if likely is None else likely.last_slots
    names = short_names(tuple(row.job for row in ends.rows))
    painter.setRenderHint(painter.RenderHint.Antialiasing)
    metrics, now = frame.fonts.small_metrics, frame.x(ends.now)
    taken = [_now_tag(frame, max(round(now), plot.left()), ends.now)] if frame.shows(ends.now) else []
    for row, name in list(zip(ends.rows, names, strict=True))[:MAX_BANDS]:
        job, place = index.get(row.job, -1), last.get(row.job, -1)
        if not 0 <= place < _rows_of(frame) or not frame.layout.shows(np.array([place]))[0]:
            continue
        top, bottom = frame.row(place)
        wanted = QRectF(frame.x(row.most[0]), (top + bottom - LANE) / 2, 0.0, LANE)
        wanted.setRight(max(frame.x(row.most[1]), wanted.left() + 2))
        short = name if job < 0 else frame.content.job_names[job]
        width = metrics.horizontalAdvance(short) + NAME_AIR
        has_name = wanted.left() - width > now + LINE  # there is room before now
        wanted.setLeft(wanted.left() - width * has_name)
        box = _beside(wanted, taken, QRectF(plot))
        beside = QRectF(box.left(), box.top(), width - 1, box.height())
        has_name = has_name and not any(map(beside.intersects, taken))  # else all places are taken
        taken.append(box)
        other = frame.theme.accent if row.is_new else frame.theme.third_text
        fill = other if job < 0 else colour(int(frame.tones[job, MAP_TONE]))
        _paint_band(painter, frame, row, box, fill)
        if has_name:
            _paint_name(painter, frame, short, beside)


def _beside(wanted: QRectF, taken: list[QRectF], room: QRectF) -> QRectF:
    """Return the place next to a wanted one that nothing has taken; the wanted one if all is taken."""
    first = min(max(wanted.top(), room.top()), room.bottom() - wanted.height())
    for step in range(2 * TRIES):
        away = (step + 1) // 2 * (1 if step % 2 else -1)
        box = QRectF(wanted.left(), first + away * LANE, wanted.width(), LANE)
        is_inside = room.top() <= box.top() and box.bottom() <= room.bottom() + 1
        if is_inside and not any(box.intersects(other) for other in taken):
            return box
    return QRectF(wanted.left(), first, wanted.width(), LANE)


def _paint_band(painter: QPainter, frame: ChartFrame, row: EndRow, box: QRectF, fill: QColor) -> None:
    """Draw between which times a job ends: 90 %, half, and the middle."""
    y = box.center().y()
    painter.setPen(QPen(frame.theme.window, 1.0))
    for (low, high), height, alpha in ((row.most, BAND, 150), (row.half, INNER, 255)):
        left, right = frame.x(low), frame.x(high)
        painter.setBrush(translucent(fill, alpha))
        painter.drawRoundedRect(QRectF(left, y - height / 2, max(right - left, 2.0), height), 2, 2)
    if not np.isnan(row.was):  # before a submitted job was moved
        was = frame.x(row.was)
        painter.setPen(QPen(frame.theme.text, 1.5, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(was, y - LANE / 2 + 1), QPointF(was, y + LANE / 2 - 1))
    x = frame.x(row.middle)
    for ink, width in ((frame.theme.window, 4), (frame.theme.text, 2)):
        painter.setPen(QPen(ink, width))
        painter.drawLine(QPointF(x, y - LANE / 2 + 1), QPointF(x, y + LANE / 2 - 1))


def _paint_name(painter: QPainter, frame: ChartFrame, name: str, place: QRectF) -> None:
    """Write which job it is at the left of a band."""
    painter.fillRect(place, translucent(frame.theme.window, PLATE))
    write_with(painter, frame.fonts.small, frame.theme.text)
    painter.drawText(place.adjusted(0, -2, 0, 2), int(Qt.AlignmentFlag.AlignCenter), name)


def _paint_now(painter: QPainter, frame: ChartFrame, x: int, seconds: float) -> None:
    """Write beside the line what it is, at its right where there is room."""
    tag = _now_tag(frame, x, seconds)
    draw_tag(painter, frame, tag, _now_text(seconds), 3, frame.theme.text, frame.theme.window)


def _now_text(seconds: float) -> str:
    return f"now {clock_text(seconds)}"


def _now_tag(frame: ChartFrame, x: int, seconds: float) -> QRectF:
    """Return where that is written."""
    plot = frame.places.plot
    width = frame.fonts.small_metrics.horizontalAdvance(_now_text(seconds)) + 2.0 * TAG_AIR
    left = x + LINE if x + LINE + width <= plot.right() else x - width
    return QRectF(left, plot.top() + TAG_TOP, width, TAG_HEIGHT)


def _paint_chances(painter: QPainter, frame: ChartFrame, promises: list[Promise]) -> None:
    """Write how likely each deadline is met, above its pennant, each service level kept, all over.

    Whose it is, and by when, is said where there is room; and how likely it is if something is done that is
    looked at. What is due first has the room.
    """
    plot, metrics, taken = frame.places.plot, frame.fonts.small_metrics, float(frame.places.plot.left())
    painter.setFont(frame.fonts.small)
    seen = [each for each in promises if frame.shows(each.due)]
    lefts = [frame.x(each.due) + 1 for each in seen]
    for each, left, end in zip(seen, lefts, [*lefts, plot.right() + 1.0][1:], strict=True):
        if each.is_level:
            line = QRectF(left - 1, plot.bottom() - metrics.height(), 1, metrics.height())
            painter.fillRect(line, frame.theme.text)
        if left < taken:
            continue
        widths = {text: metrics.horizontalAdvance(text) + CHANCE_APART for text in (each.text, each.percent)}
        place = _room_for(widths[each.text], left, taken, end) or _room_for(
            widths[each.percent], left, taken, plot.right() + 1.0
        )
        if place is None:
            continue
        text = each.text if place[1] == widths[each.text] else each.percent
        box = QRectF(place[0], plot.bottom() - metrics.height(), place[1], metrics.height())
        painter.fillRect(box, translucent(frame.theme.window, PLATE))
        chance = each.chance if np.isnan(each.then) else each.then
        painter.setPen(frame.theme.worse if chance < 0.5 else frame.theme.text)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
        taken = max(box.right(), left) + CHANCE_APART


def _room_for(width: float, line: float, taken: float, end: float) -> tuple[float, float] | None:
    """Return the left end and the width of a text right of a line, else left of it; None for neither."""
    if line + width <= end:
        return line, width
    left = line - 2 - width
    return (left, width) if left >= taken else None

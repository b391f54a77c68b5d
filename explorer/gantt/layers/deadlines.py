"""Deadlines: a pennant in the job's colour below the rows, and a stripe upon all that runs after it.

The stripe lies along the head of a task, above its name; rows too low for that have bars instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap, QPolygonF
from typing_extensions import override

from core.charts.raster_kernel import MAP_TONE
from core.charts.row_columns import kept_with_rows
from core.measures.job_ends import lateness
from explorer.gantt.geometry.chart_frame import colour
from explorer.gantt.geometry.tasks_in_view import joined
from explorer.gantt.layers.layer import Layer, Sign, paint_dashes
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.time_scale import TimeScale
    from explorer.widgets.theme import Theme


PENNANT_WIDTH, PENNANT_HEIGHT = 9.0, 7.0
POLE_ABOVE = 3
"""Pixels that a pole reaches into the rows."""

BAR_APART, BAR_WIDTH = 7, 2
WASH = 105
"""How much of its colour a part after the deadline loses, of 255, in low rows."""
MIN_STRIPED_ROW, STRIPE, RIM = 9.0, 3, 1
"""Pixels of a row from which a stripe along its head takes the place of bars, of the stripe, and of the line
of background below it, which tells it from any colour."""

RECEDING = 0.25
"""Opacity of the bars while the critical path stands out."""

FEW_LATE = 6
"""Up to so many missed deadlines in view have a line from the deadline to the job's end."""


class LatePartsLayer(Layer):
    """A stripe upon what runs after its job's deadline; while a job is selected only upon that one."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        parts = late_parts(rows, frame.scale, frame.content.selected_job)
        if len(parts.slot) == 0:
            return
        painter.save()
        painter.setClipRect(frame.places.plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if frame.content.shown_critical_path is not None:
            painter.setOpacity(RECEDING)  # as the tasks below do
        # bars move with time while the chart is panned
        painter.setBrushOrigin(round(frame.x(0.0)) % BAR_APART, 0)
        bars, shown = _bars(frame.theme), frame.layout.shows(parts.slot)
        for left, right, top, bottom in frame.boxes(
            parts.slot[shown], parts.begin[shown], parts.end[shown], cut=True
        ):
            inside = bottom - top - (1 if bottom - top > 3 else 0)
            place = QRectF(left, top, max(right - left, 1.0), inside)
            if bottom - top >= MIN_STRIPED_ROW:
                _paint_stripe(painter, place, frame.theme)
            else:
                painter.fillRect(place, bars)
        painter.restore()


def _paint_stripe(painter: QPainter, place: QRectF, theme: Theme) -> None:
    """Draw a stripe along the head of a part of a task."""
    painter.fillRect(QRectF(place.left(), place.top(), place.width(), STRIPE + RIM), theme.window)
    painter.fillRect(QRectF(place.left(), place.top(), place.width(), STRIPE), theme.worse)


def _bars(theme: Theme) -> QPixmap:
    """Return one bar with its space, to fill areas with."""
    picture = QPixmap(BAR_APART, 1)
    picture.fill(translucent(theme.window, WASH))
    painter = QPainter(picture)
    painter.fillRect(0, 0, BAR_WIDTH, 1, theme.worse)
    painter.end()
    return picture


def draw_deadline_sign(painter: QPainter, place: QRectF, fill: QColor, theme: Theme) -> None:
    """Draw a pennant for a legend."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    foot = QPointF(round(place.left()) + 3.5, round(place.top()) + POLE_ABOVE)
    paint_pennant(painter, foot, fill, theme.second_text)


def draw_late_sign(painter: QPainter, place: QRectF, fill: QColor, theme: Theme) -> None:
    """Draw a part after its deadline for a legend."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(place, fill)
    painter.setBrushOrigin(round(place.left()) + 1, 0)
    painter.fillRect(place, _bars(theme))
    painter.setBrushOrigin(0, 0)
    _paint_stripe(painter, place, theme)


SIGNS = (
    Sign("deadline", 7, draw=draw_deadline_sign, tip="when a job should have ended"),
    Sign("late", 6, draw=draw_late_sign, tip="what a job still runs after its deadline"),
)


class DeadlinesLayer(Layer):
    """A pennant below the rows for each deadline in view, and how late few missed ones are."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        shown = shown_deadlines(rows, frame.scale, frame.content.selected_job)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if sum(deadline.is_missed for deadline in shown) <= FEW_LATE:
            for deadline in shown:
                _paint_delay(painter, frame, deadline)
        for deadline in shown:
            paint_pennant(
                painter,
                QPointF(round(frame.x(deadline.seconds)) + 0.5, frame.places.plot.bottom() + 1.0),
                colour(int(frame.tones[deadline.job, MAP_TONE])),
                frame.theme.worse if deadline.is_missed else frame.theme.second_text,
            )

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        late = rows.schedule.finish > rows.schedule.workload.columns.deadline
        return SIGNS[: 1 + bool(late.any())] if rows.schedule.workload.has_deadlines else ()


def _paint_delay(painter: QPainter, frame: ChartFrame, deadline: Deadline) -> None:
    """Draw a dashed line from the deadline to the end of the job."""
    if not deadline.is_missed:
        return
    plot, ink = frame.places.plot, frame.theme.worse
    left = round(frame.x(deadline.seconds))
    right = round(min(frame.x(deadline.finish), plot.right() + 1.0))
    y = plot.bottom() + 9
    for x in range(left, right, 6):
        painter.fillRect(x, y, min(4, right - x), 2, ink)
    if frame.shows(deadline.finish):
        painter.fillRect(right - 1, y - 3, 2, 8, ink)


def paint_pennant(painter: QPainter, foot: QPointF, fill: QColor, edge: QColor) -> None:
    """Draw a pennant whose pole passes a point; the cloth is below it, at the right."""
    paint_dashes(painter, int(foot.x()), round(foot.y()) - POLE_ABOVE, round(foot.y()) + 10, (13, 0), 1, edge)
    top = foot.y()
    cloth = (
        QPointF(foot.x() + 0.5, top),
        QPointF(foot.x() + PENNANT_WIDTH, top + PENNANT_HEIGHT / 2),
        QPointF(foot.x() + 0.5, top + PENNANT_HEIGHT),
    )
    painter.setPen(edge)
    painter.setBrush(fill)
    painter.drawPolygon(QPolygonF(cloth), Qt.FillRule.OddEvenFill)


FEW_DEADLINES = 24
"""Up to so many deadlines in view are all shown; of more only those that are missed."""

MAX_DEADLINES = 40
MAX_LATE_TASKS = 100_000
"""More tasks after their deadlines are not marked one by one: it would cost too much in every frame."""

MAX_LATE_PARTS = 6000


class Deadline(NamedTuple):
    """One job's deadline: when it is, when the job departs, and how late that is (negative: early)."""

    job: int
    seconds: float
    finish: float
    late: float

    @property
    def is_missed(self) -> bool:
        """Whether the job departs after it."""
        return self.late > 0


def shown_deadlines(rows: ScheduleRows, scale: TimeScale, selected: int = -1) -> list[Deadline]:
    """Return the deadlines in view that are to be shown, the most important last.

    All if they are few, else the latest of the missed ones; the selected job's in any case, and no
    other's while one is selected.
    """
    seconds, late = rows.schedule.workload.columns.deadline, lateness(rows.schedule)
    in_view = (seconds >= scale.start) & (seconds <= scale.end)
    if selected >= 0:
        in_view &= np.arange(len(seconds)) == selected
    jobs = np.flatnonzero(in_view)
    if len(jobs) > FEW_DEADLINES:
        jobs = jobs[late[jobs] > 0]
    jobs = jobs[np.argsort(late[jobs], kind="stable")][-MAX_DEADLINES:]
    finish = rows.schedule.finish
    return [Deadline(int(j), float(seconds[j]), float(finish[j]), float(late[j])) for j in jobs]


class LateParts(NamedTuple):
    """Stretches of a job in a row that lie after its deadline: slots, jobs, begin and end in seconds."""

    slot: NDArray[np.int64]
    job: NDArray[np.int64]
    begin: NDArray[np.float64]
    end: NDArray[np.float64]


@kept_with_rows
def late_places(rows: ScheduleRows) -> NDArray[np.int64]:
    """Return the places in the row columns of the tasks that end after their job's deadline.

    Of a task of several rows that is the one of its last row, at whose foot the mark lies.
    """
    deadline = rows.schedule.workload.columns.deadline
    if not np.isfinite(deadline).any():
        return np.zeros(0, np.int64)
    is_late = rows.columns.end > deadline[rows.columns.code >> 1]
    return np.flatnonzero(is_late if rows.by_memory is None else is_late & ~rows.columns.joined)


def late_parts(rows: ScheduleRows, scale: TimeScale, selected: int = -1) -> LateParts:
    """Return what of the rows is after its deadline and in view; tasks side by side are one part."""
    columns, place = rows.columns, late_places(rows)
    if len(place) > MAX_LATE_TASKS:
        place = place[:0]
    job = columns.code[place].astype(np.int64) >> 1
    begin = np.maximum(columns.start[place], rows.schedule.workload.columns.deadline[job])
    in_view = (begin < scale.end) & (columns.end[place] > scale.start)
    if selected >= 0:
        in_view &= job == selected
    place, job, begin = place[in_view], job[in_view], begin[in_view]
    slot = np.searchsorted(columns.offsets, place, side="right") - 1
    left, right = np.clip(scale.x(np.stack([begin, columns.end[place]])), 0, scale.width)
    first, last = joined(slot, job, left, right)
    if len(first) > MAX_LATE_PARTS:
        first = last = first[:0]
    return LateParts(slot[first], job[first], begin[first], columns.end[place][last])

"""Labels that point at tasks, gaps and places: what the text beside the charts speaks of."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from typing_extensions import override

from explorer.gantt.layers.layer import Layer, draw_panel
from explorer.widgets.theme import write_with

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_content import Pointer
    from explorer.gantt.geometry.chart_frame import ChartFrame

MAX_WIDTH, PADDING = 210, 7
"""Pixels of a label's text; longer ones have several lines."""
DISTANCES = (26.0, 12.0, 44.0, 72.0)
"""Pixels between a label and what it points at, the best first."""
DIRECTIONS = ((1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0))
"""Right and down; the best first."""
BORDER, TIP = 4, 5.0
POINT = 3.0
"""Half the size of a place that is no stretch of time."""


class PointersLayer(Layer):
    """Each label lies beside its target, with a line to it, and covers no target and no other label."""

    stays_under_veil = True

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        placed = placed_labels(frame, rows)
        painter.save()
        for _, target, rect in placed:
            _paint_line(painter, frame, target, rect)
        for pointer, target, rect in placed:
            _paint_target(painter, frame, target)
            _paint_label(painter, frame, rect, pointer.text)
        painter.restore()


def paint_labels_above(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
    """Draw the labels once more, above the lines of times and the outline of what is selected."""
    for pointer, _, rect in placed_labels(frame, rows):
        _paint_label(painter, frame, rect, pointer.text)


def placed_labels(frame: ChartFrame, rows: ScheduleRows) -> list[tuple[Pointer, QRectF, QRectF]]:
    """Return the pointers that are seen, each with its target and the place of its label."""
    targets = [(pointer, target_of(frame, rows, pointer)) for pointer in frame.content.pointers]
    seen = [(pointer, target) for pointer, target in targets if target is not None]
    taken = [QRectF(frame.places.flags), *(target for _, target in seen)]
    placed = []
    for pointer, target in seen:
        size = _text_size(frame, pointer.text)
        rect = place_label(frame.places.whole, target, (size.width(), size.height()), taken)
        taken.append(rect)
        placed.append((pointer, target, rect))
    return placed


# ---- what is pointed at


class Stretch(NamedTuple):
    """A row from one time to another, or several down to the last one."""

    row: int
    begin: float
    end: float
    last: int = -1

    def is_under(self, veil: float) -> bool:
        """Whether it is not known yet at a time: it begins later, or just then and goes on."""
        return self.begin > veil or self.end > self.begin >= veil


def target_of(frame: ChartFrame, rows: ScheduleRows, pointer: Pointer) -> QRectF | None:
    """Return what a label points at, in pixels; None where it is out of view, or veiled."""
    veil = frame.content.veil
    found = stretch_of(rows, pointer, frame.scale.start, min(frame.scale.end, veil))
    if found is None or found.is_under(veil) or found.row >= frame.layout.rows:
        return None
    plot = QRectF(frame.places.plot)
    top, bottom = frame.row(found.row, found.last) if found.row >= 0 else (plot.top(), plot.bottom())
    end = min(found.end, veil)
    left, right = frame.x(found.begin), frame.x(end)
    is_row_seen = plot.top() <= (top + bottom) / 2 <= plot.bottom()
    if right < plot.left() or left > plot.right() or not is_row_seen:
        return None
    left, right = max(left, plot.left()), min(right, plot.right() + 1)
    if right - left < 2 * POINT:
        middle = (left + right) / 2
        left, right = middle - POINT, middle + POINT
    return QRectF(left, top, right - left, max(bottom - top - 1, 2))


def stretch_of(rows: ScheduleRows, pointer: Pointer, begin: float, end: float) -> Stretch | None:
    """Return in which row and when something is, row -1 for all rows; of a job its longest task in a time."""
    if pointer.task >= 0:
        return _of_task(rows, pointer.task)
    if pointer.job >= 0:
        return _of_job(rows, pointer.job, begin, end)
    if pointer.seconds is None:
        return None
    if pointer.slot < 0:
        return Stretch(-1, pointer.seconds, pointer.seconds)
    if pointer.is_gap:
        return gap_around(rows, pointer.slot, pointer.seconds)
    row = pointer.slot if rows.are_slots else rows.row_at(pointer.slot, pointer.seconds)
    return Stretch(row, pointer.seconds, pointer.seconds) if row >= 0 else None


def _of_task(rows: ScheduleRows, task: int) -> Stretch | None:
    if task >= len(rows.row) or (place := rows.place_of(task)) < 0:
        return None
    begin, end = float(rows.columns.start[place]), float(rows.columns.end[place])
    return Stretch(int(rows.row[task]), begin, end, int(rows.last_row[task]))


def _of_job(rows: ScheduleRows, job: int, begin: float, end: float) -> Stretch | None:
    """Return the task of a job that is the longest in a time."""
    columns = rows.columns
    places = np.flatnonzero(columns.code >> 1 == job)
    seen = np.minimum(columns.end[places], end) - np.maximum(columns.start[places], begin)
    if not len(seen) or seen.max() <= 0:
        return None
    return _of_task(rows, int(rows.task[places[int(seen.argmax())]]))


def gap_around(rows: ScheduleRows, slot: int, seconds: float) -> Stretch | None:
    """Return how long a slot idles around a time; None where it runs something, or rows are no slots."""
    if not rows.are_slots or not 0 <= slot < len(rows.columns.offsets) - 1:
        return None
    low, high = (int(offset) for offset in rows.columns.offsets[slot : slot + 2])
    start, end = rows.columns.start[low:high], rows.columns.end[low:high]
    if ((start <= seconds) & (seconds < end)).any():
        return None
    begin = float(end[end <= seconds].max(initial=0.0))
    return Stretch(slot, begin, float(start[start > seconds].min(initial=rows.schedule.makespan)))


# ---- where a label lies


def _text_size(frame: ChartFrame, text: str) -> QRectF:
    """Return the room of a label; a painter would find none while the layers below have left it no pen."""
    room = QRect(0, 0, MAX_WIDTH, 1000)
    size = frame.fonts.small_bold_metrics.boundingRect(room, int(Qt.TextFlag.TextWordWrap), text)
    return QRectF(0, 0, size.width() + 2 * PADDING + 1, size.height() + PADDING)


def place_label(whole: QRect, target: QRectF, size: tuple[float, float], taken: Sequence[QRectF]) -> QRectF:
    """Return a place of this size inside of the chart that is beside a target and covers nothing taken.

    Where there is no such place, the one that covers the least.
    """
    inside = QRectF(whole).adjusted(BORDER, BORDER, -BORDER, -BORDER)
    width, height = min(size[0], inside.width()), min(size[1], inside.height())
    candidates = []
    for away, (across, down) in product(DISTANCES, DIRECTIONS):
        x = target.center().x() - width / 2 + across * (width / 2 + away)
        y = target.center().y() - height / 2 + down * ((target.height() + height) / 2 + away)
        if not down:
            x = target.center().x() - width / 2 + across * ((target.width() + width) / 2 + away)
        left = min(max(x, inside.left()), inside.right() - width)
        top = min(max(y, inside.top()), inside.bottom() - height)
        candidates.append(QRectF(left, top, width, height))
    return min(candidates, key=lambda rect: sum(_shared(rect, other) for other in taken))


def _shared(rect: QRectF, other: QRectF) -> float:
    both = rect.intersected(other)
    return both.width() * both.height()


# ---- painting


def _paint_line(painter: QPainter, frame: ChartFrame, target: QRectF, label: QRectF) -> None:
    """Draw a line from a label to the nearest point of its target, with a tip there."""
    end = _nearest(target.adjusted(1, 1, -1, -1), label.center())
    begin = _nearest(label, end)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for ink, width in ((frame.theme.window, 4.0), (frame.theme.accent, 1.8)):
        painter.setPen(QPen(ink, width))
        painter.drawLine(begin, end)
    along = end - begin
    length = max((along.x() ** 2 + along.y() ** 2) ** 0.5, 1e-9)
    if length < TIP:
        return
    unit = along / length
    across = QPointF(-unit.y(), unit.x())
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.accent)
    back = end - unit * 2 * TIP
    painter.drawPolygon(QPolygonF([end + unit, back + across * TIP, back - across * TIP]))


def _nearest(rect: QRectF, point: QPointF) -> QPointF:
    return QPointF(
        min(max(point.x(), rect.left()), rect.right()), min(max(point.y(), rect.top()), rect.bottom())
    )


def _paint_target(painter: QPainter, frame: ChartFrame, target: QRectF) -> None:
    """Outline what is pointed at."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for ink, width in ((frame.theme.window, 3.5), (frame.theme.accent, 1.8)):
        painter.setPen(QPen(ink, width))
        painter.drawRoundedRect(target, 2, 2)


def _paint_label(painter: QPainter, frame: ChartFrame, rect: QRectF, text: str) -> None:
    draw_panel(painter, frame, rect)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(frame.theme.accent, 1.2))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
    write_with(painter, frame.fonts.small_bold, frame.theme.text)
    flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
    painter.drawText(rect.adjusted(PADDING, PADDING / 2, -PADDING, -PADDING / 2), flags, text)

"""A bracket over the end of a run in which next to no slot is in use, with what still runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from typing_extensions import override

from core.charts.row_columns import kept_with_rows
from core.explain.run_tail import may_have_long_tail, tail_of, tail_words
from core.explain.stage_path import is_complete
from explorer.gantt.geometry.free_room import widest_gap
from explorer.gantt.layers.layer import Layer
from explorer.gantt.raster.row_picture import row_colours

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QColor, QPainter

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame

TICK = 7
"""Pixels that the ends of the bracket are high."""
AIR, SIDE = 4, 8
"""Pixels around the words on their plate, and beside it at least."""


class RunEnd(NamedTuple):
    """The end of a run that is worth a word: from when to when in seconds, what runs, and in which rows."""

    begin: float
    end: float
    words: str
    rows: NDArray[np.int64]


@kept_with_rows
def run_end(rows: ScheduleRows) -> RunEnd | None:
    """Return the end of a run in which next to no slot is in use; None where it has none, or is not over."""
    schedule = rows.schedule
    if not is_complete(schedule) or not may_have_long_tail(schedule):
        return None
    tail = tail_of(schedule)
    words = tail_words(schedule, tail)
    return RunEnd(tail.begin, tail.end, words, _rows_after(rows, tail.begin)) if words else None


def _rows_after(rows: ScheduleRows, begin: float) -> NDArray[np.int64]:
    """Return the rows in which something runs after a time, ascending."""
    schedule, record = rows.schedule, rows.schedule.attempts
    running = np.flatnonzero(schedule.end > begin)
    first, high = rows.row[running].astype(np.int64), rows.last_row[running] - rows.row[running] + 1
    held = [first + step for step in range(high.max(initial=1))]
    held = [each[high > step] for step, each in enumerate(held)]
    if record is not None and rows.by_pool is None:
        held.append(record.extra_slot[record.run.end[record.extra] > begin].astype(np.int64))
    return np.unique(np.concatenate(held))


class RunEndLayer(Layer):
    """The bracket, in the room between the rows that are in use then."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        found = None if frame.content.is_veiled else run_end(rows)
        if found is None:
            return
        plot = frame.places.plot
        left = max(round(frame.x(found.begin)), plot.left())
        right = min(round(frame.x(found.end)) - SIDE // 2, plot.right() + 1)
        metrics = frame.fonts.small_metrics
        width = metrics.horizontalAdvance(found.words) + 2 * AIR
        high = metrics.height() + TICK
        index, lane = free_lane(frame, found, high + 2 * AIR)
        if right - left < width + 2 * SIDE or index < 0:
            return
        top = lane.center().y() - high // 2
        plate = QRectF(_left_of_words(frame, left, right, width), top, width, metrics.height())
        bracket = QRect(left, top + metrics.height(), right - left, TICK)
        background = row_colours(frame.layout.pools[index], frame.theme)[0]
        _paint(painter, frame, bracket, plate, found.words, background)


def _left_of_words(frame: ChartFrame, left: int, right: int, width: int) -> float:
    """Return where words begin: in the middle, or in that of the longer part beside the line of the bound."""
    bound = frame.content.lower_bound
    at = frame.x(bound) if bound is not None else left
    middle = (left + right) / 2
    if abs(at - middle) < width / 2 + AIR and max(at - left, right - at) > width + 2 * SIDE:
        middle = (left + at) / 2 if at - left >= right - at else (at + right) / 2
    return middle - width / 2


def free_lane(frame: ChartFrame, found: RunEnd, least: int) -> tuple[int, QRect]:
    """Return the index of a lane in view, and its highest part in which no row is in use then; -1 for none.

    It is at least so many pixels high, and of a lane in which something runs then, if there is such a one.
    """
    taken = [(top, max(bottom, top + 1)) for top, bottom in frame.rows(found.rows.tolist())]
    best, part, worth = -1, QRect(), (False, 0)
    for index in frame.layout.in_view:
        lane, pool = frame.pool_rects[index], frame.layout.pools[index]
        is_of_it = bool(((found.rows >= pool.first_slot) & (found.rows < pool.first_slot + pool.slots)).any())
        first, last = widest_gap(lane.top(), lane.bottom() + 1, taken)
        if last - first >= least and (is_of_it, last - first) >= worth:  # the lower one of two alike
            best, part = index, QRect(lane.left(), first, lane.width(), last - first)
            worth = is_of_it, last - first
    return best, part


def _paint(
    painter: QPainter, frame: ChartFrame, bracket: QRect, plate: QRectF, words: str, background: QColor
) -> None:
    ink, middle = frame.theme.second_text, bracket.center().y()
    painter.fillRect(bracket.left(), middle, bracket.width(), 1, ink)
    if frame.shows(frame.time(bracket.left())):
        painter.fillRect(bracket.left(), bracket.top(), 1, bracket.height(), ink)
    painter.fillRect(bracket.right(), bracket.top(), 1, bracket.height(), ink)
    painter.fillRect(plate, background)
    painter.setFont(frame.fonts.small)
    painter.setPen(ink)
    painter.drawText(plate, int(Qt.AlignmentFlag.AlignCenter), words)

"""The critical path, why the makespan is what it is: its tasks, and a path in the colours of the causes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from core.explain.start_cause import NO_TASK
from explorer.gantt.geometry.chart_frame import colour
from explorer.gantt.layers.layer import Layer
from explorer.gantt.raster.row_picture import paint_task
from explorer.widgets.cause_style import LOOKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.charts.schedule_rows import ScheduleRows
    from core.explain.causes import Cause
    from core.explain.critical_path import CriticalPath, PathLink
    from explorer.gantt.geometry.chart_frame import ChartFrame


PATH, CASING = 4, 1
"""Pixels of the path, and of the rim of background on both sides of it."""

JOINT = 8
MIN_TASK_ROW = 3.0
"""In thinner rows the path covers the tasks, so they are not drawn."""

LABELLED_ROW = 14
DASH, SPACE = 5, 3
RISE = 2
"""Pixels of the lines that connect rows: they take no time, so they have no cause's colour."""


class PathStep(NamedTuple):
    """A stretch of the path in pixels: along one row, from left to right."""

    left: float
    right: float
    y: float
    ink: QColor
    is_waiting: bool


class CriticalPathLayer(Layer):
    """The critical path of the schedule that is shown, if it is known."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        path = frame.content.shown_critical_path
        if path is None:
            return
        early, late = frame.scale.start, frame.scale.end
        links = [link for link in path.links if link.end >= early and link.begin <= late]
        painter.save()
        painter.setClipRect(frame.places.plot)
        if frame.layout.row_height >= MIN_TASK_ROW:
            _paint_tasks(painter, frame, rows, links)
        steps = _steps(frame, rows, links)
        _paint_path(painter, frame, steps)
        _paint_joints(painter, frame, steps)
        painter.restore()


def _paint_tasks(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, links: Sequence[PathLink]) -> None:
    """Draw the tasks of the path in their own colours: all others have faded."""
    vivid = replace(
        frame,
        shown_tones=frame.tones,
        shown_stage_tones=frame.stage_tones,
        shown_task_tones=frame.task_tones,
    )
    for task in sorted({link.task for link in links if lasts(rows, link)}):
        top, bottom = frame.row(int(rows.row[task]), int(rows.last_row[task]))
        across = QRectF(frame.places.plot.left(), top, frame.places.plot.width(), bottom - top - 1)
        paint_task(painter, vivid, rows, rows.place_of(task), across)


def lasts(rows: ScheduleRows, link: PathLink) -> bool:
    """Whether the task of a link, if there is one, runs as the schedule has it, and is not lost."""
    return link.task != NO_TASK and bool(rows.schedule.start[link.task] <= link.begin)


def _rows_of(rows: ScheduleRows, links: Sequence[PathLink]) -> tuple[list[int], list[int]]:
    """Return the first and the last row of each link; what is lost later ran on a slot of its own."""
    first, last = [], []
    for link in links:
        task = link.task if link.task != NO_TASK else link.waiter
        is_elsewhere = rows.are_slots and link.slot >= 0
        first.append(link.slot if is_elsewhere else int(rows.row[task]))
        last.append(link.slot if is_elsewhere else int(rows.last_row[task]))
    return first, last


def _steps(frame: ChartFrame, rows: ScheduleRows, links: Sequence[PathLink]) -> list[PathStep]:
    first, last = (np.array(each, np.int64) for each in _rows_of(rows, links))
    begin, end = np.array([(link.begin, link.end) for link in links]).reshape(-1, 2).T
    steps = []
    boxes = frame.boxes(first, begin, end, last)
    for link, (left, right, top, bottom) in zip(links, boxes, strict=True):
        style = LOOKS[link.cause]
        # in tall rows, whose tasks are named, the path runs below the names
        y = bottom - PATH - 3 if bottom - top >= LABELLED_ROW else (top + bottom - PATH) / 2
        steps.append(PathStep(left, right, y, colour(style.colour), style.is_waiting))
    return steps


def _paint_path(painter: QPainter, frame: ChartFrame, steps: Sequence[PathStep]) -> None:
    """Draw the rim of background, then the path: waiting as dashes upon the rim."""
    rim = frame.theme.window
    for before, step in pairwise(steps):
        _paint_rise(painter, before, step, rim, CASING)
    for step in steps:
        _paint_run(painter, step, rim, CASING, dashed=False)
    for before, step in pairwise(steps):
        _paint_rise(painter, before, step, frame.theme.text, 0)
    for step in steps:
        _paint_run(painter, step, step.ink, 0, dashed=step.is_waiting)


def _paint_run(painter: QPainter, step: PathStep, ink: QColor, rim: int, dashed: bool) -> None:
    left, top = round(step.left) - rim, round(step.y) - rim
    width, height = max(1, round(step.right) - round(step.left)) + 2 * rim, PATH + 2 * rim
    if not dashed or width <= DASH + SPACE:
        painter.fillRect(left, top, width, height, ink)
        return
    seen, dash = painter.clipBoundingRect(), DASH + SPACE  # zoomed in, a wait is millions of pixels long
    hidden = max(0, int(seen.left()) - left) // dash
    for x in range(left + hidden * dash, min(left + width, int(seen.right()) + 1), dash):
        painter.fillRect(x, top, min(DASH, left + width - x), height, ink)


def _paint_rise(painter: QPainter, before: PathStep, step: PathStep, ink: QColor, rim: int) -> None:
    top, bottom = sorted((round(before.y), round(step.y)))
    if bottom > top:
        left = round(step.left) - RISE // 2 - rim
        painter.fillRect(left, top - rim, RISE + 2 * rim, bottom - top + PATH + 2 * rim, ink)


def _paint_joints(painter: QPainter, frame: ChartFrame, steps: Sequence[PathStep]) -> None:
    """Mark where the path changes to another row, as far as marks do not touch."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    last = -1e9
    for before, step in pairwise(steps):
        if before.y != step.y and step.left - last >= JOINT:
            last = step.left
            painter.setPen(frame.theme.window)
            painter.setBrush(step.ink)
            middle = step.y + PATH / 2
            painter.drawEllipse(QRectF(step.left - JOINT / 2, middle - JOINT / 2, JOINT, JOINT))


LINE, THICKNESS = 18, 4
GAP, SPACING = 5, 12
SAMPLE_DASH, SAMPLE_SPACE = 5, 3


def legend_texts(path: CriticalPath) -> list[tuple[Cause, str]]:
    """Return the causes that take any time with their shares, the largest first."""
    totals = path.totals()
    whole = sum(totals.values())
    ranked = sorted(totals.items(), key=lambda item: -item[1])
    return [
        (cause, f"{cause.value} {100 * seconds / whole:.0f} %") for cause, seconds in ranked if seconds > 0
    ]


def paint_path_legend(painter: QPainter, frame: ChartFrame, path: CriticalPath, room: QRect) -> None:
    """Draw as many causes as fit."""
    left = float(room.left())
    painter.setFont(frame.fonts.small)
    for cause, text in legend_texts(path):
        width = frame.fonts.small_metrics.horizontalAdvance(text)
        if left + LINE + GAP + width > room.right():
            return
        _paint_sample(painter, cause, left, room.center().y())
        painter.setPen(frame.theme.second_text)
        place = QRectF(left + LINE + GAP, room.top() + 1, width + 1, room.height())
        painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), text)
        left += LINE + GAP + width + SPACING


def _paint_sample(painter: QPainter, cause: Cause, left: float, middle: int) -> None:
    """Draw a piece of the path: dashes for waiting."""
    look = LOOKS[cause]
    length = SAMPLE_DASH if look.is_waiting else LINE
    for x in range(0, LINE, SAMPLE_DASH + SAMPLE_SPACE if look.is_waiting else LINE):
        painter.fillRect(
            QRectF(left + x, middle - THICKNESS / 2, min(length, LINE - x), THICKNESS), colour(look.colour)
        )

"""The tasks themselves: the rows of the plot, the schedule before beside them, and the overview below."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from typing_extensions import override

from core.charts.class_colours import squeeze_of
from core.charts.painted_rows import classes_of, painted_rows
from core.charts.palette import depth_tones
from core.model.number_text import grouped
from core.model.task_types import MAP, REDUCE
from explorer.gantt.geometry.chart_frame import STRIP_HEIGHT, STRIP_MARGIN, colour, draw_elided
from explorer.gantt.geometry.row_layout import RowLayout
from explorer.gantt.layers.layer import Layer, Sign
from explorer.gantt.layers.row_bands import has_slot_names
from explorer.gantt.layers.task_facts import TaskFacts, task_facts
from explorer.gantt.raster.row_picture import MAX_VECTOR_TASKS, RowPicture, RowsShown, paint_vector_rows

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPainter

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.tasks_in_view import Hit
    from explorer.gantt.geometry.time_scale import TimeScale
    from explorer.widgets.theme import Theme


SIGNS = (
    Sign("map", 9, (False, 0.0, 0.0), tip="a map task: it reads a part of the job's input"),
    Sign(
        "waits for maps",
        5,
        (True, 1.0, 1.0),
        tip="filler: a reduce that holds its slot and waits for maps",
    ),
    Sign(
        "first shuffle",
        6,
        (True, 1e-9, 1.0),
        tip="what a filler still has to fetch once the last map of its job has ended",
    ),
    Sign("shuffle", 7, (True, 0.0, 1.0), tip="a reduce fetches what the maps have written"),
    Sign("reduce", 8, (True, 0.0, 0.0), tip="a reduce does its own work, after its shuffle"),
)


def _draw_depths(painter: QPainter, place: QRectF, fill: QColor, theme: Theme) -> None:
    tones = depth_tones(np.array([fill.rgb() & 0xFFFFFF]), theme)[0].tolist()
    width = place.width() / len(tones)
    for number, tone in enumerate(tones):
        left = place.left() + number * width
        painter.fillRect(QRectF(left, place.top(), width, place.height()), colour(tone))


STAGES = Sign(
    "first to last stage",
    9,
    draw=_draw_depths,
    tip="a task has the hue of its job, and the tint of its stage: by how many stages it waits for in turn",
)


STAGE_SIGNS = (
    STAGES,
    Sign("waits for a stage", 5, (True, 1.0, 1.0), tip="a task that holds its slot and waits for a stage"),
    Sign(
        "first shuffle",
        6,
        (True, 1e-9, 1.0),
        tip="what such a task still has to fetch once the last task that it waits for has ended",
    ),
    Sign("shuffle", 7, (True, 0.0, 1.0), tip="a task fetches what the stages before it have written"),
)
"""Where jobs have other stages than maps and reduces."""


LABEL_BELOW = 10
"""Pixels below a lane down to the end of the letters that name its strip."""


class TaskRowsLayer(Layer):
    """The tasks, row by row.

    Attributes
    ----------
    picture : the picture of the plot, kept between frames
    """

    def __init__(self) -> None:
        self.picture = RowPicture()

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        columns = rows.coloured
        is_reduce, stage_end = columns.code & 1 == 1, columns.stage_end[columns.code >> 1]
        fills = is_reduce & (columns.start < stage_end)
        mixes = any(pool.own not in (MAP, REDUCE) for pool in rows.pools)  # else the lane says what a task is
        drawn = (
            mixes and not is_reduce.all(),
            fills.any(),
            (fills & (columns.shuffled > stage_end)).any(),
            (is_reduce & ~fills & (columns.shuffled > columns.start)).any(),
            mixes and (is_reduce & (columns.end > columns.shuffled)).any(),
        )
        if not rows.schedule.workload.is_map_reduce:
            return tuple(
                sign for sign, is_drawn in zip(STAGE_SIGNS, (True, *drawn[1:]), strict=False) if is_drawn
            )
        return tuple(sign for sign, is_drawn in zip(SIGNS, drawn, strict=True) if is_drawn)

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        if frame.is_vector and rows.schedule.tasks <= MAX_VECTOR_TASKS and frame.layout.row_height >= 1:
            paint_vector_rows(painter, frame, rows)
            return
        scale = frame.sharp(frame.scale)
        shown = _shown(frame, rows, scale, frame.layout, recedes=frame.recedes)
        if not self.picture.draw(painter, frame.places.plot.topLeft(), shown, self.later):
            painter.setFont(frame.fonts.plain)
            painter.setPen(frame.theme.second_text)
            text = f"Drawing {grouped(rows.schedule.tasks)} tasks…"
            painter.drawText(frame.places.plot, int(Qt.AlignmentFlag.AlignCenter), text)

    @override
    def facts_at(self, rows: ScheduleRows, found: Hit, early: float, late: float) -> TaskFacts | None:
        if found.place < 0:
            return None
        return task_facts(rows, found.place, found.tasks, (early + late) / 2)


class GhostLayer(Layer):
    """An older schedule in a strip below each kind of rows; in pools of a partition there is no room."""

    def __init__(self) -> None:
        self._ghost: ScheduleRows | None = None
        self._strips: list[tuple[ScheduleRows, RowPicture]] = []

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        ghost = frame.content.strip_ghost
        if ghost is None:
            return
        if ghost is not self._ghost:
            self._ghost = ghost
            self._strips = [(replace(ghost, pools=(pool,)), RowPicture()) for pool in ghost.pools]
        painter.setFont(frame.fonts.small)
        scale = frame.sharp(frame.scale)
        for index, (strip, picture) in enumerate(self._strips):
            if index in frame.layout.folded or not frame.pool_rects[index].height():
                continue
            layout = RowLayout(strip.pools, STRIP_HEIGHT, gap=0)
            bottom = frame.pool_rects[index].bottom() + 1
            corner = QPoint(frame.places.plot.left(), bottom + STRIP_MARGIN)
            shown = _shown(frame, strip, scale, layout)
            picture.draw(painter, corner, shown, self.later)
            painter.setPen(frame.theme.third_text)
            _paint_label(painter, frame, index, bottom)


def _paint_label(painter: QPainter, frame: ChartFrame, index: int, bottom: int) -> None:
    """Name the strip below a lane; below the last one a little higher, or not where a slot is named there."""
    label = QRect(2, bottom, frame.places.plot.left() - 9, STRIP_HEIGHT + 2 * STRIP_MARGIN)
    cut = bottom + LABEL_BELOW - frame.places.whole.bottom() - 1
    if cut > 0:
        if has_slot_names(frame.layout, index):
            return
        label.translate(0, -cut)
    draw_elided(painter, label, "before", Qt.AlignmentFlag.AlignRight)


def _shown(
    frame: ChartFrame, rows: ScheduleRows, scale: TimeScale, layout: RowLayout, *, recedes: bool = False
) -> RowsShown:
    """Return what a picture of rows is to show, in the colours of a frame."""
    painted = painted_rows(rows, classes_of(frame.content))
    squeeze = squeeze_of(frame.content, frame.theme)
    return RowsShown(painted, frame.shown_task_tones, frame.theme, scale, layout, recedes, squeeze)

"""Paints a whole chart, all but what follows the pointer; keeps the pictures between frames."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt

from explorer.gantt.geometry.chart_frame import STRIP_HEIGHT, STRIP_MARGIN, draw_elided
from explorer.gantt.geometry.pixel_mapping import RowLayout
from explorer.gantt.layers.critical_path import paint_chain
from explorer.gantt.layers.deadlines import paint_deadlines, paint_late_parts
from explorer.gantt.layers.execution_history import paint_record
from explorer.gantt.layers.labels import HaloText, paint_labels
from explorer.gantt.layers.marks import paint_marks, paint_waves
from explorer.gantt.layers.row_bands import paint_groups, paint_pools
from explorer.gantt.layers.task_marks import paint_borrowed_strips, paint_overlap, paint_rides
from explorer.gantt.layers.task_rows import overview_layout, paint_overview
from explorer.gantt.layers.title_and_axis import paint_axis, paint_grid, paint_title
from explorer.gantt.raster.row_picture import MOST_VECTOR_TASKS, RowPicture, paint_vector_rows

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.pixel_mapping import TimeScale
    from explorer.gantt.geometry.schedule_rows import ScheduleRows

MANY_TASKS = 200_000
"""From so many tasks on, an overview costs some milliseconds that a drag or a selection cannot spare."""


class ChartPainter:
    """Paints frames of one chart.

    Attributes
    ----------
    rows : the picture of the plot
    overview_may_lag : whether the overview of very many tasks may show what was before, to be quick
    overview_lags : whether it did in the last frame
    """

    def __init__(self) -> None:
        self.rows = RowPicture()
        self.overview_may_lag = False
        self.overview_lags = False
        self._overview = RowPicture()
        self._strips: list[RowPicture] = []
        self._ghost: ScheduleRows | None = None
        self._ghost_pools: list[ScheduleRows] = []
        self._halo = HaloText()

    def paint(self, painter: QPainter, frame: ChartFrame) -> None:
        """Paint everything that stays while only the pointer moves."""
        painter.fillRect(frame.places.whole, frame.theme.window)
        paint_title(painter, frame)
        if frame.content.rows is None:
            _paint_empty(painter, frame)
            return
        self._paint_rows(painter, frame, frame.content.rows)
        paint_rides(painter, frame, frame.content.rows)
        paint_record(painter, frame, frame.content.rows)
        paint_borrowed_strips(painter, frame, frame.content.rows)
        paint_late_parts(painter, frame, frame.content.rows)
        paint_overlap(painter, frame, frame.content.rows)
        paint_grid(painter, frame)
        paint_pools(painter, frame)
        paint_groups(painter, frame)
        self._paint_ghost(painter, frame)
        paint_waves(painter, frame)
        paint_chain(painter, frame)
        paint_labels(painter, frame, self._halo)
        paint_axis(painter, frame)
        paint_deadlines(painter, frame)
        paint_marks(painter, frame)
        self._paint_overview(painter, frame, frame.content.rows)

    def _paint_rows(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        if frame.is_vector and rows.schedule.tasks <= MOST_VECTOR_TASKS:
            paint_vector_rows(painter, frame, rows)
            return
        scale = _sharp(frame, frame.scale)
        image = self.rows.image(rows, frame.shown_tones, frame.theme, scale, frame.layout, frame.recedes)
        painter.drawImage(frame.places.plot.topLeft(), image)

    def _paint_overview(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        if frame.places.overview.height() == 0:
            return
        shown = (
            rows,
            frame.shown_tones,
            frame.theme,
            _sharp(frame, frame.full_scale),
            overview_layout(frame),
            frame.recedes,
        )
        may_lag = self.overview_may_lag and rows.schedule.tasks > MANY_TASKS
        older = self._overview.older_image(*shown) if may_lag else None
        self.overview_lags = older is not None
        paint_overview(painter, frame, older or self._overview.image(*shown))

    def _paint_ghost(self, painter: QPainter, frame: ChartFrame) -> None:
        """Draw the old schedule in a strip below each pool; in pools of a partition there is no room."""
        ghost, rows = frame.content.ghost, frame.content.rows
        if ghost is None or rows is None or rows.is_grouped or not ghost.is_alike(rows):
            return
        if ghost is not self._ghost:
            self._ghost = ghost
            self._ghost_pools = [replace(ghost, pools=(pool,)) for pool in ghost.pools]
            self._strips = [RowPicture() for _ in ghost.pools]
        painter.setFont(frame.fonts.small)
        for index, (rows, picture) in enumerate(zip(self._ghost_pools, self._strips, strict=True)):
            layout = RowLayout(rows.pools, STRIP_HEIGHT, gap=0)
            scale = _sharp(frame, frame.scale)
            image = picture.image(rows, frame.shown_tones, frame.theme, scale, layout)
            bottom = frame.pool_rect(index).bottom() + 1
            painter.drawImage(QPoint(frame.places.plot.left(), bottom + STRIP_MARGIN), image)
            painter.setPen(frame.theme.faint)
            label = QRect(22, bottom, frame.places.plot.left() - 29, STRIP_HEIGHT + 2 * STRIP_MARGIN)
            draw_elided(painter, label, "before", Qt.AlignmentFlag.AlignRight)


def _paint_empty(painter: QPainter, frame: ChartFrame) -> None:
    painter.setFont(frame.fonts.plain)
    painter.setPen(frame.theme.muted)
    room = frame.places.whole.adjusted(20, 30, -20, -20)
    painter.drawText(
        room,
        int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap),
        frame.content.empty_text,
    )


def _sharp(frame: ChartFrame, scale: TimeScale) -> TimeScale:
    """Return the scale for a picture that is put into a vector format: twice as fine."""
    return replace(scale, ratio=2.0) if frame.is_vector else scale

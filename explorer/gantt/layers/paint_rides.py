"""Paints maps that scan for several jobs: a stripe of each rider's colour, as subjobs have (003 Figure 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF

from explorer.gantt.geometry.chart_frame import colour
from explorer.gantt.geometry.overlap_parts import marked_tasks
from explorer.gantt.raster.raster_kernel import MAP_TONE

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPainter

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.rows import ScheduleRows
    from explorer.widgets.theme import Theme

LEAST_ROW = 5
"""Pixels of a row from which stripes can be told apart."""
MOST_STRIPES = 6


def paint_rides(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
    """Draw the stripes of the maps in view that begin there and serve more than one job."""
    if rows.schedule.sharing is None or frame.layout.row_height < LEAST_ROW:
        return
    marked = marked_tasks(rows, rows.shared_places, frame.layout, frame.scale)
    plot = frame.places.plot
    tones = frame.shown_tones[:, MAP_TONE]
    spans = {row: frame.row(row) for row in np.unique(marked.row).tolist()}
    columns = (marked.row, marked.left, marked.right, marked.place)
    painter.save()
    painter.setClipRect(plot)
    for row, left, right, place in zip(*(column.tolist() for column in columns), strict=True):
        top, bottom = spans[row]
        stripes = [colour(int(tones[job])) for job in rows.sharing_jobs(place)[:MOST_STRIPES]]
        area = QRectF(plot.left() + left, top, max(right - left - 1, 1), max(bottom - top - 1, 1))
        draw_stripes(painter, area, stripes)
    painter.restore()


def draw_stripes(painter: QPainter, area: QRectF, colours: list[QColor]) -> None:
    """Divide an area into stripes, the driver's above."""
    height = area.height() / len(colours)
    for k, stripe in enumerate(colours):
        painter.fillRect(QRectF(area.left(), area.top() + k * height, area.width(), height), stripe)


def draw_shared_sign(painter: QPainter, place: QRectF, fill: QColor, theme: Theme) -> None:
    """Draw a map that scans for two jobs, for a legend."""
    draw_stripes(painter, place, [fill, theme.muted])

"""What reading from another node added to a map: the end of its bar is lighter, with level lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPixmap
from typing_extensions import override

from core.charts.page_marks import remote_places
from explorer.gantt.geometry.tasks_in_view import marked_tasks
from explorer.gantt.layers.layer import Layer, Sign
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.widgets.theme import Theme

WASH, LINE, APART = 120, 150, 4
"""How much of its colour the part loses and how dark its lines are, of 255; pixels from line to line."""


class RemoteReadsLayer(Layer):
    """The last seconds of maps that read from another node; while a job is selected only of that one."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        places = remote_places(rows)
        if not len(places):
            return
        selected = frame.content.selected_job
        marked = marked_tasks(rows, places, frame.layout, frame.scale, selected, begin=False)
        seconds = [rows.schedule.reads_for(task) for task in rows.task[marked.place].tolist()]
        painter.save()
        painter.setClipRect(frame.places.plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for left, right, top, bottom in frame.boxes(
            marked.row, marked.end - np.array(seconds), marked.end, marked.last
        ):
            inside = bottom - top - (1 if bottom - top > 3 else 0)
            painter.setBrushOrigin(0, top)
            _paint_part(painter, QRectF(left, top, max(right - left - 1, 1.0), inside), frame.theme)
        painter.restore()

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        return SIGNS if len(remote_places(rows)) else ()


def _paint_part(painter: QPainter, place: QRectF, theme: Theme) -> None:
    painter.fillRect(place, translucent(theme.window, WASH))
    painter.fillRect(place, _lines(theme))


def _lines(theme: Theme) -> QPixmap:
    """Return one level line with its space, to fill areas with."""
    picture = QPixmap(1, APART)
    picture.fill(translucent(theme.window, 0))
    painter = QPainter(picture)
    painter.fillRect(0, APART - 1, 1, 1, translucent(theme.text, LINE))
    painter.end()
    return picture


def _draw_sign(painter: QPainter, place: QRectF, fill: QColor, theme: Theme) -> None:
    """Draw a map whose second half is a remote read, for a legend."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(place, fill)
    painter.setBrushOrigin(0, round(place.top()))
    _paint_part(painter, place.adjusted(place.width() / 2, 0, 0, 0), theme)
    painter.setBrushOrigin(0, 0)


SIGNS = (
    Sign("remote read", 7, draw=_draw_sign, tip="what reading its input from another node added to a map"),
)

"""Paints what OMO did: a pause upon reduces that it held back, arrows upon maps that it pulled forward."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from explorer.gantt.geometry.chart_frame import colour, translucent
from explorer.gantt.geometry.tasks_in_view import marked_tasks
from explorer.gantt.raster.raster_kernel import DETAIL_HEIGHT, MAP_TONE, WIDE_GAP_HEIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.tasks_in_view import MarkedTasks
    from explorer.widgets.theme import Theme


CHIP_WIDTH, CHIP_HEIGHT, CHIP_MARGIN = 12, 9, 2
CHIP_ROOM = CHIP_WIDTH + CHIP_MARGIN
LEAST_CHIP_TASK = 18.0
"""Narrower tasks, and those in rows too low for a chip, have a line at their begin."""

TICK_WIDTH, DASH, SPACE = 2, 2, 2
QUIET = 150
"""Opacity, of 255, of the lines in the thinnest rows, where there are many."""


def paint_overlap(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
    """Mark what was held back or pulled forward and is in view; while a job is selected only its tasks."""
    painter.save()
    painter.setClipRect(frame.places.plot)
    for places, draw, dashed in (
        (rows.held_places, draw_pause, False),
        (rows.pulled_places, draw_arrows, True),
    ):
        if len(places):
            _paint_marks(painter, frame, _marked(frame, rows, places), draw, dashed)
    painter.restore()


def _marked(frame: ChartFrame, rows: ScheduleRows, places: NDArray[np.int64]) -> MarkedTasks:
    return marked_tasks(rows, places, frame.layout, frame.scale, frame.content.selected_job)


def _paint_marks(
    painter: QPainter,
    frame: ChartFrame,
    marked: MarkedTasks,
    draw: Callable[[QPainter, QRectF, QColor], None],
    dashed: bool,
) -> None:
    rows = {row: frame.row(row) for row in np.unique(marked.row).tolist()}
    plot, ticks = frame.places.plot, []
    for row, left, right in zip(
        marked.row.tolist(), marked.left.tolist(), marked.right.tolist(), strict=True
    ):
        top, bottom = rows[row]
        x = round(plot.left() + left)
        if bottom - top >= CHIP_HEIGHT + CHIP_MARGIN and right - left >= LEAST_CHIP_TASK:
            y = top + CHIP_MARGIN if bottom - top > 15 else (top + bottom - 1 - CHIP_HEIGHT) // 2
            chip = QRectF(x + CHIP_MARGIN, y, CHIP_WIDTH, CHIP_HEIGHT)
            _paint_chip(painter, chip, frame.theme)
            draw(painter, chip, frame.theme.text)
        else:
            ticks.append((x, top, max(bottom, top + 1)))
    _paint_ticks(painter, frame, ticks, dashed)


def _paint_chip(painter: QPainter, chip: QRectF, theme: Theme) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(translucent(theme.window, 225))
    painter.drawRoundedRect(chip, 3, 3)


def draw_pause(painter: QPainter, chip: QRectF, ink: QColor) -> None:
    """Draw two bars: it was kept waiting."""
    middle = chip.center().x()
    for left in (middle - 3, middle + 1):
        painter.fillRect(QRectF(round(left), chip.top() + 2, 2, chip.height() - 4), ink)


def draw_arrows(painter: QPainter, chip: QRectF, ink: QColor) -> None:
    """Draw two triangles that point to the left: it comes earlier than its turn."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    top, bottom, middle = chip.top() + 1.5, chip.bottom() - 1.5, chip.center().y()
    for left in (chip.left() + 1.5, chip.left() + 5.5):
        corners = (QPointF(left + 4, top), QPointF(left, middle), QPointF(left + 4, bottom))
        painter.drawPolygon(QPolygonF(corners), Qt.FillRule.OddEvenFill)


def _paint_ticks(
    painter: QPainter, frame: ChartFrame, ticks: Sequence[tuple[int, int, int]], dashed: bool
) -> None:
    """Draw a line at the begin of each task: its pixel, the first one of its row, and the one after the last.

    In thin rows they are quiet lines together with those of other rows.
    """
    theme = frame.theme
    if frame.layout.row_height < DETAIL_HEIGHT:
        thin = [QRect(x, top, 1, bottom - top) for x, top, bottom in ticks]
        _fill(painter, thin, translucent(theme.text, QUIET))
        return
    rims = [QRect(x - 1, top, TICK_WIDTH + 2, bottom - top) for x, top, bottom in ticks]
    _fill(painter, rims, translucent(theme.window, 150))
    cores = [
        QRect(x, begin, TICK_WIDTH, end - begin)
        for x, top, bottom in ticks
        for begin, end in (_dashes(top, bottom) if dashed else ((top, bottom),))
    ]
    _fill(painter, cores, theme.text)


def _fill(painter: QPainter, rects: Sequence[QRect], ink: QColor) -> None:
    # one call: a thousand of them would take longer than all the rest
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    painter.drawRects(rects)


def _dashes(top: int, bottom: int) -> list[tuple[int, int]]:
    """Return first pixels of dashes and those after their last; dashes of all rows line up."""
    first = top - top % (DASH + SPACE)
    dashes = ((max(y, top), min(y + DASH, bottom)) for y in range(first, bottom, DASH + SPACE))
    return [(begin, end) for begin, end in dashes if end > begin]


def draw_held_sign(painter: QPainter, place: QRectF, fill: QColor, theme: Theme) -> None:
    """Draw a reduce that was held back, for a legend."""
    _draw_sign(painter, place, fill, theme, draw_pause)


def draw_pulled_sign(painter: QPainter, place: QRectF, fill: QColor, theme: Theme) -> None:
    """Draw a map that was pulled forward, for a legend."""
    _draw_sign(painter, place, fill, theme, draw_arrows)


def _draw_sign(
    painter: QPainter,
    place: QRectF,
    fill: QColor,
    theme: Theme,
    draw: Callable[[QPainter, QRectF, QColor], None],
) -> None:
    painter.fillRect(place, fill)
    chip = QRectF(place.left() + 2, round(place.center().y() - CHIP_HEIGHT / 2), CHIP_WIDTH, CHIP_HEIGHT)
    _paint_chip(painter, chip, theme)
    draw(painter, chip, theme.text)


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


MOST_FOOT, FOOT_SHARE = 4.0, 0.2
"""Pixels of a strip at most, and its part of the row."""


def paint_borrowed_strips(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
    """Draw the strips of the selected job's tasks on borrowed slots; low rows have a texture instead."""
    selected = frame.content.selected_job
    if selected < 0 or not rows.has_borrowed or frame.is_vector or frame.layout.row_height < DETAIL_HEIGHT:
        return
    parts = marked_tasks(rows, rows.borrowed_places, frame.layout, frame.scale, selected, begin=False)
    spans = {row: frame.row(row) for row in set(parts.row.tolist())}
    height, plot = frame.layout.row_height, frame.places.plot
    foot = min(MOST_FOOT, max(1.0, math.floor(height * FOOT_SHARE + 0.5)))
    spacing = 2 if height >= WIDE_GAP_HEIGHT else 1
    strips = [
        QRectF(plot.left() + left, spans[row][1] - spacing - foot, right - left, foot)
        for row, left, right in zip(
            parts.row.tolist(), parts.left.tolist(), parts.right.tolist(), strict=True
        )
    ]
    painter.save()
    painter.setClipRect(plot)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.text)
    painter.drawRects(strips)
    painter.restore()

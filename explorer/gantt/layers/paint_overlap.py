"""Paints what OMO did: a pause upon reduces that it held back, arrows upon maps that it pulled forward."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from explorer.gantt.geometry.chart_frame import translucent
from explorer.gantt.geometry.overlap_parts import marked_tasks
from explorer.gantt.raster.raster_kernel import DETAIL_HEIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.overlap_parts import MarkedTasks
    from explorer.gantt.geometry.rows import ScheduleRows
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

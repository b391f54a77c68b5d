"""Marks upon single tasks: held back or pulled forward, scanning for several jobs, on borrowed slots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF
from typing_extensions import override

from core.charts.raster_kernel import (
    BORROWED_PERIOD,
    BORROWED_PIXELS,
    BORROWED_SHARE,
    DETAIL_HEIGHT,
    MAP_TONE,
    spacing_of,
    strip_height,
)
from core.charts.row_columns import kept_with_rows
from core.explain.overlap_marks import overlap_marks
from core.shared_scans.shared_schedule import sharing_jobs
from explorer.gantt.geometry.chart_frame import colour
from explorer.gantt.geometry.tasks_in_view import marked_tasks
from explorer.gantt.layers.layer import CHIP_HEIGHT, CHIP_MARGIN, CHIP_WIDTH, Layer, Sign
from explorer.widgets.theme import fill_with, translucent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.tasks_in_view import MarkedTasks
    from explorer.widgets.theme import Theme


MIN_CHIP_TASK = 18.0
"""Narrower tasks, and those in rows too low for a chip, have a line at their begin."""

TICK_WIDTH, DASH, SPACE = 2, 2, 2
QUIET = 150
"""Opacity, of 255, of the lines in the thinnest rows, where there are many."""

MIN_ROW = 5
"""Pixels of a row from which stripes can be told apart."""

MAX_STRIPES = 6


@kept_with_rows
def held_places(rows: ScheduleRows) -> NDArray[np.int64]:
    """Return the places in the row columns of the reduces that a lazy start held back."""
    return np.flatnonzero(overlap_marks(rows.schedule).is_held[rows.task])


@kept_with_rows
def pulled_places(rows: ScheduleRows) -> NDArray[np.int64]:
    """Return the places in the row columns of the maps that a batch finish pulled forward."""
    return np.flatnonzero(overlap_marks(rows.schedule).is_pulled[rows.task])


class OverlapLayer(Layer):
    """Pauses upon reduces that OMO held back, and arrows upon maps that it pulled forward.

    While a job is selected only its tasks are marked.
    """

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        painter.save()
        painter.setClipRect(frame.places.plot)
        for places, draw, dashed in (
            (held_places(rows), draw_pause, False),
            (pulled_places(rows), draw_arrows, True),
        ):
            if len(places):
                selected = frame.content.selected_job
                marked = marked_tasks(rows, places, frame.layout, frame.scale, selected)
                _paint_marks(painter, frame, marked, draw, dashed)
        painter.restore()

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        return HELD_SIGNS * bool(len(held_places(rows))) + PULLED_SIGNS * bool(len(pulled_places(rows)))


def _paint_marks(
    painter: QPainter,
    frame: ChartFrame,
    marked: MarkedTasks,
    draw: Callable[[QPainter, QRectF, QColor], None],
    dashed: bool,
) -> None:
    ticks = []
    for left, right, top, bottom in frame.boxes(marked.row, marked.start, marked.end, marked.last):
        x = round(left)
        if bottom - top >= CHIP_HEIGHT + CHIP_MARGIN and right - left >= MIN_CHIP_TASK:
            y = top + CHIP_MARGIN if bottom - top > 15 else (top + bottom - 1 - CHIP_HEIGHT) // 2
            chip = QRectF(x + CHIP_MARGIN, y, CHIP_WIDTH, CHIP_HEIGHT)
            _paint_chip(painter, chip, frame.theme)
            draw(painter, chip, frame.theme.text)
        else:
            ticks.append((x, top, max(bottom, top + 1)))
    _paint_ticks(painter, frame, ticks, dashed)


def _paint_chip(painter: QPainter, chip: QRectF, theme: Theme) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill_with(painter, translucent(theme.window, 225))
    painter.drawRoundedRect(chip, 3, 3)


def draw_pause(painter: QPainter, chip: QRectF, ink: QColor) -> None:
    """Draw two bars: it was kept waiting."""
    middle = chip.center().x()
    for left in (middle - 3, middle + 1):
        painter.fillRect(QRectF(round(left), chip.top() + 2, 2, chip.height() - 4), ink)


def draw_arrows(painter: QPainter, chip: QRectF, ink: QColor) -> None:
    """Draw two triangles that point to the left: it comes earlier than its turn."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill_with(painter, ink)
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


def _fill(painter: QPainter, rects: Sequence[QRect] | Sequence[QRectF], ink: QColor) -> None:
    # one call: a thousand of them would take longer than all the rest
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    fill_with(painter, ink)
    painter.drawRects(rects)


def _dashes(top: int, bottom: int) -> list[tuple[int, int]]:
    """Return first pixels of dashes and those after their last; dashes of all rows line up."""
    first = top - top % (DASH + SPACE)
    dashes = ((max(y, top), min(y + DASH, bottom)) for y in range(first, bottom, DASH + SPACE))
    return [(begin, end) for begin, end in dashes if end > begin]


def _chip_sign(text: str, tip: str, draw: Callable[[QPainter, QRectF, QColor], None]) -> Sign:
    def draw_sign(painter: QPainter, place: QRectF, fill: QColor, theme: Theme) -> None:
        painter.fillRect(place, fill)
        top = round(place.center().y() - CHIP_HEIGHT / 2)
        chip = QRectF(place.left() + 2, top, CHIP_WIDTH, CHIP_HEIGHT)
        _paint_chip(painter, chip, theme)
        draw(painter, chip, theme.text)

    return Sign(text, 7, draw=draw_sign, tip=tip)


HELD_SIGNS = (
    _chip_sign("held (lazy start)", "a reduce that was held back, so as not to wait on its slot", draw_pause),
)
PULLED_SIGNS = (
    _chip_sign("pulled (batch finish)", "a task that was pulled forward, to end its job sooner", draw_arrows),
)


@kept_with_rows
def shared_places(rows: ScheduleRows) -> NDArray[np.int64]:
    """Return the places in the row columns of the maps that scan for several jobs."""
    return np.flatnonzero(rows.schedule.served[rows.task] > 1)


@kept_with_rows
def _served_jobs(_rows: ScheduleRows) -> dict[int, tuple[int, ...]]:
    return {}


class SharedScansLayer(Layer):
    """Maps that scan for several jobs: a stripe of each one's colour, as subjobs have (003 Figure 3)."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        if rows.schedule.sharing is None or frame.layout.row_height < MIN_ROW:
            return
        marked = marked_tasks(rows, shared_places(rows), frame.layout, frame.scale)
        boxes = frame.boxes(marked.row, marked.start, marked.end, marked.last)
        tones, served = frame.shown_tones[:, MAP_TONE], _served_jobs(rows)
        painter.save()
        painter.setClipRect(frame.places.plot)
        for place, (left, right, top, bottom) in zip(marked.place.tolist(), boxes, strict=True):
            if place not in served:
                served[place] = sharing_jobs(rows.schedule, int(rows.task[place]))
            stripes = [colour(int(tones[job])) for job in served[place][:MAX_STRIPES]]
            area = QRectF(left, top, max(right - left - 1, 1), max(bottom - top - 1, 1))
            draw_stripes(painter, area, stripes)
        painter.restore()

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        return SHARED_SIGNS if rows.schedule.shares_scans else ()


def draw_stripes(painter: QPainter, area: QRectF, colours: list[QColor]) -> None:
    """Divide an area into stripes, that of the job that scans above."""
    height = area.height() / len(colours)
    for k, stripe in enumerate(colours):
        painter.fillRect(QRectF(area.left(), area.top() + k * height, area.width(), height), stripe)


SHARED_SIGNS = (
    Sign(
        "scans for several",
        7,
        draw=lambda painter, place, fill, theme: draw_stripes(painter, place, [fill, theme.second_text]),
        tip="a map that scans blocks for several jobs at once, a stripe for each",
    ),
)


@kept_with_rows
def borrowed_places(rows: ScheduleRows) -> NDArray[np.int64]:
    """Return the places in the row columns of the tasks on borrowed slots."""
    return np.flatnonzero(rows.schedule.is_borrowed[rows.task])


class BorrowedSlotsLayer(Layer):
    """Strips of a selected job's tasks on borrowed slots; all others recede, low rows have a texture."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        selected, height = frame.content.selected_job, frame.layout.row_height
        if selected < 0 or not rows.has_borrowed or frame.is_vector or height < DETAIL_HEIGHT:
            return
        places = borrowed_places(rows)
        marked = marked_tasks(rows, places, frame.layout, frame.scale, selected, begin=False)
        foot, spacing = strip_height(height), spacing_of(height)
        boxes = frame.boxes(marked.row, marked.start, marked.end, marked.last)
        strips = [QRectF(left, end - spacing - foot, right - left, foot) for left, right, _top, end in boxes]
        painter.save()
        painter.setClipRect(frame.places.plot)
        _fill(painter, strips, frame.theme.text)
        painter.restore()

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        return BORROWED_SIGNS if rows.has_borrowed else ()


def _draw_borrowed_sign(painter: QPainter, swatch: QRectF, job: QColor, theme: Theme) -> None:
    """Draw a task on a borrowed slot: a strip at its foot, and the texture of low rows."""
    strip = 3.0
    painter.fillRect(swatch, job)
    painter.fillRect(swatch.adjusted(0, swatch.height() - strip, 0, 0), theme.text)
    texture = translucent(theme.text, BORROWED_SHARE)
    for x in range(0, int(swatch.width()), BORROWED_PERIOD):
        painter.fillRect(
            QRectF(swatch.left() + x, swatch.top(), BORROWED_PIXELS, swatch.height() - strip), texture
        )


BORROWED_SIGNS = (
    Sign(
        "borrowed slot",
        8,
        draw=_draw_borrowed_sign,
        tip="a map on a reduce slot, or a reduce on a map slot, that was lent to it",
    ),
)

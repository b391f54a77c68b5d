"""The picture of the rows, kept between frames: panning moves it and paints only what came into view."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPen

from core.model.job import MAP
from explorer.gantt.geometry.chart_frame import colour, translucent
from explorer.gantt.geometry.tasks_in_view import tasks_between
from explorer.gantt.raster import raster
from explorer.gantt.raster.palette import FADED, mixed
from explorer.gantt.raster.raster_kernel import (
    DETAIL_HEIGHT,
    EDGE_TONE,
    HATCH_TONE,
    MAP_TONE,
    REDUCE_TONE,
    SHUFFLE_TONE,
    WAIT_TONE,
    Frame,
    spacing_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QColor, QPainter

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.pixel_mapping import RowLayout, TimeScale
    from explorer.gantt.geometry.schedule_rows import RowBand, ScheduleRows
    from explorer.widgets.theme import Theme


MOST_STRIPED_ROWS = 64
"""Pools of more slots alternate their background every eight rows."""


class RowPicture:
    """An image of a schedule's rows at one scale.

    Attributes
    ----------
    painted_columns : columns that the last call of `image` had to paint; 0 when nothing had changed
    """

    def __init__(self) -> None:
        self.painted_columns = 0
        self._pixels: NDArray[np.uint32] = np.zeros((0, 0), np.uint32)
        self._image = QImage()
        self._key: tuple[object, ...] = ()
        self._sources: tuple[object, ...] = ()
        self._origin = 0

    def image(
        self,
        rows: ScheduleRows,
        tones: NDArray[np.int64],
        theme: Theme,
        scale: TimeScale,
        layout: RowLayout,
        recedes: bool = False,
    ) -> QImage:
        """Return the picture for a scale and layout; valid until the next call.

        While tones recede, so do the strips of borrowed slots.
        """
        width, height = math.ceil(scale.width * scale.ratio), math.ceil(layout.height * scale.ratio)
        key, sources = _key_of(theme, scale, layout), _sources_of(rows, tones)
        borrowed = _borrowed_colour(theme, recedes)
        fresh = key != self._key or not _same(sources, self._sources)
        if fresh:
            self._allocate(width, height, scale.ratio)
        origin = scale.origin
        first, last = (0, width) if fresh else self._shift(origin, width)
        self._key, self._sources, self._origin = key, sources, origin
        self.painted_columns = last - first
        if last > first:
            paint_columns(self._pixels[:, first:last], first, rows, tones, theme, scale, layout, borrowed)
        return self._image

    def older_image(
        self,
        rows: ScheduleRows,
        tones: NDArray[np.int64],
        theme: Theme,
        scale: TimeScale,
        layout: RowLayout,
        _recedes: bool = False,
    ) -> QImage | None:
        """Return the picture of what was shown here before, if there is one and it is out of date."""
        same_place = _key_of(theme, scale, layout)[:2] == self._key[:2]
        is_current = _key_of(theme, scale, layout) == self._key and self._origin == scale.origin
        if not same_place or (is_current and _same(_sources_of(rows, tones), self._sources)):
            return None
        return self._image

    def forget(self) -> None:
        """Paint everything anew next time."""
        self._key = ()

    def _allocate(self, width: int, height: int, ratio: float) -> None:
        if self._pixels.shape != (height, width):
            self._pixels = np.zeros((height, width), np.uint32)
        self._image = QImage(
            self._pixels.data.cast("B"), width, height, width * 4, QImage.Format.Format_RGB32
        )
        self._image.setDevicePixelRatio(ratio)

    def _shift(self, origin: int, width: int) -> tuple[int, int]:
        """Move what is still in view; return the columns that are not painted."""
        by = origin - self._origin
        if abs(by) >= width:
            return 0, width
        if by > 0:
            self._pixels[:, :-by] = self._pixels[:, by:]
            return width - by, width
        if by < 0:
            self._pixels[:, -by:] = self._pixels[:, :by]
        return 0, -by


def _key_of(theme: Theme, scale: TimeScale, layout: RowLayout) -> tuple[object, ...]:
    width, height = math.ceil(scale.width * scale.ratio), math.ceil(layout.height * scale.ratio)
    return width, height, scale.device_pixels_per_second, scale.ratio, layout, theme.is_dark


def _sources_of(rows: ScheduleRows, tones: NDArray[np.int64]) -> tuple[object, ...]:
    return rows, tones, raster.kernel_is_ready()


def _same(some: tuple[object, ...], others: tuple[object, ...]) -> bool:
    return len(some) == len(others) and all(a is b for a, b in zip(some, others, strict=True))


def _borrowed_colour(theme: Theme, recedes: bool) -> int:
    plain = theme.text.rgb() & 0xFFFFFF
    background = theme.map_rows[0].rgb() & 0xFFFFFF
    return int(mixed(np.array([plain]), background, FADED)[0]) if recedes else plain


def paint_columns(
    pixels: NDArray[np.uint32],
    first: int,
    rows: ScheduleRows,
    tones: NDArray[np.int64],
    theme: Theme,
    scale: TimeScale,
    layout: RowLayout,
    borrowed: int,
) -> None:
    """Paint a block of the plot's pixel columns, the first of which is `first`, pool by pool.

    `borrowed` is the colour of the strips of borrowed slots, 0xRRGGBB.
    """
    pixels[:] = gap = theme.gap.rgb()
    origin, row_height = scale.origin + first, layout.row_height * scale.ratio
    pixels_per_second, tops = scale.device_pixels_per_second, layout.pool_tops
    for index, columns in enumerate(rows.pool_columns):
        top, bottom = (math.floor(y * scale.ratio + 0.5) for y in layout.pool_span(index))
        even, odd = row_colours(layout.pools[index], theme)
        frame = Frame(
            origin=origin,
            pixels_per_second=pixels_per_second,
            top=tops[index] * scale.ratio - top,
            row_height=row_height,
            even=even.rgb(),
            odd=odd.rgb(),
            stripe=stripe_rows(layout.pools[index]),
            gap=gap,
            own=layout.pools[index].own if rows.has_borrowed else 2,  # looking for borrowed slots takes time
            borrowed=borrowed,
        )
        raster.paint_rows(pixels[top:bottom], columns, tones, frame)


def stripe_rows(pool: RowBand) -> int:
    """Return how many rows of a pool have one background before the other follows."""
    return 1 if pool.slots <= MOST_STRIPED_ROWS else 8


def row_colours(pool: RowBand, theme: Theme) -> tuple[QColor, QColor]:
    """Return the alternating backgrounds of a pool."""
    return theme.reduce_rows if pool.name == "REDUCE" else theme.map_rows


def background_of(pool: RowBand, row: int, theme: Theme) -> QColor:
    """Return the background of one row of a pool."""
    return row_colours(pool, theme)[row // stripe_rows(pool) % 2]


FADED_STRIP = 45
"""Opacity, of 255, of the strips of borrowed slots whose tasks recede."""

MOST_VECTOR_TASKS = 20_000
"""Schedules of more tasks are put in as pictures: a viewer would take seconds for so many shapes."""

EDGED_WIDTH, HATCHED_WIDTH = 4.0, 5.0
"""Pixels from which tasks have a right edge, and shuffles a hatch."""


def paint_vector_rows(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
    """Draw the rows in view."""
    painter.save()
    painter.setClipRect(frame.places.plot)
    for pool in frame.layout.pools:
        for row in range(pool.slots):
            slot = pool.first_slot + row
            top, bottom = frame.row(slot)
            if bottom > frame.places.plot.top() and top <= frame.places.plot.bottom():
                across = QRectF(frame.places.plot.left(), top, frame.places.plot.width(), bottom - top)
                painter.fillRect(across, background_of(pool, row, frame.theme))
                _paint_row(painter, frame, rows, slot, across)
    painter.restore()


def _paint_row(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, slot: int, across: QRectF) -> None:
    inside = across.adjusted(0, 0, 0, -spacing_of(frame.layout.row_height))
    first, last = tasks_between(rows.columns, slot, frame.scale.start, frame.scale.start + frame.scale.span)
    for place in range(first, last):
        paint_task(painter, frame, rows, place, inside)


def paint_task(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, place: int, inside: QRectF) -> None:
    """Draw the task at a place in the row columns into its row, in the tones that are shown."""
    columns, tones = rows.columns, frame.shown_tones
    job, kind = int(columns.code[place]) >> 1, int(columns.code[place]) & 1
    left, right = frame.x(float(columns.start[place])), frame.x(float(columns.end[place]))
    if kind != MAP:
        left = _paint_shuffle(painter, frame, rows, place, inside)
    body = QRectF(left, inside.top(), right - left, inside.height())
    painter.fillRect(body, colour(int(tones[job, MAP_TONE if kind == MAP else REDUCE_TONE])))
    if body.width() >= EDGED_WIDTH and inside.height() >= DETAIL_HEIGHT - 1:
        edge = QRectF(right - 1, inside.top(), 1, inside.height())
        painter.fillRect(edge, colour(int(tones[job, EDGE_TONE])))
    if rows.schedule.is_borrowed[rows.task[place]]:
        start = frame.x(float(columns.start[place]))
        foot = min(4.0, max(1.0, inside.height() * 0.2))
        strip = QRectF(start, inside.bottom() - foot, right - start, foot)
        fades = frame.recedes and job != frame.content.selected_job
        painter.fillRect(strip, translucent(frame.theme.text, FADED_STRIP) if fades else frame.theme.text)


def _paint_shuffle(
    painter: QPainter, frame: ChartFrame, rows: ScheduleRows, place: int, inside: QRectF
) -> float:
    """Draw what a reduce does before it reduces; return where that ends."""
    columns, tones = rows.columns, frame.shown_tones
    job = int(columns.code[place]) >> 1
    start, shuffled = float(columns.start[place]), float(columns.shuffled[place])
    ready = float(columns.stage_end[job])
    waited, end = frame.x(min(max(ready, start), shuffled)), frame.x(shuffled)
    ink = colour(int(tones[job, HATCH_TONE]))
    waiting = QRectF(frame.x(start), inside.top(), waited - frame.x(start), inside.height())
    painter.fillRect(waiting, colour(int(tones[job, WAIT_TONE])))
    _hatch(painter, waiting, QPen(ink, 1.0), 16.0, -1)
    copying = QRectF(waited, inside.top(), end - waited, inside.height())
    painter.fillRect(copying, colour(int(tones[job, SHUFFLE_TONE])))
    _hatch(painter, copying, QPen(ink, 1.9), 8.0, -1 if start < ready else 1)
    return end


def _hatch(painter: QPainter, rect: QRectF, pen: QPen, apart: float, lean: int) -> None:
    """Draw diagonals, leaning right for 1 and left for -1, cut to a rectangle; those of all rows line up."""
    if rect.width() < HATCHED_WIDTH or rect.height() < DETAIL_HEIGHT - 1:
        return
    low, high = (rect.top(), rect.bottom()) if lean > 0 else (-rect.bottom(), -rect.top())
    first, last = math.ceil((rect.left() + low) / apart), math.floor((rect.right() + high) / apart)
    lines = []
    for number in range(first, last + 1):  # on each diagonal, x + lean * y is a multiple of `apart`
        left = max(rect.left(), number * apart - high)
        right = min(rect.right(), number * apart - low)
        if right > left:
            start = QPointF(left, lean * (number * apart - left))
            lines.append(QLineF(start, QPointF(right, lean * (number * apart - right))))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.drawLines(lines)

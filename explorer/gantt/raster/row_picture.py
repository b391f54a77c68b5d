"""The picture of the rows, in pixels and as shapes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPen
from typing_extensions import override

from core.charts import raster
from core.charts.inks import EVEN, LIGHT, Squeeze, inks_of
from core.charts.painted_rows import PATTERN_ROW, classes_of, painted_rows, stripe_rows
from core.charts.palette import FADED, mixed
from core.charts.raster_kernel import (
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
from explorer.gantt.geometry.chart_frame import colour
from explorer.gantt.geometry.tasks_in_view import tasks_between
from explorer.gantt.raster.kept_picture import Drawing, KeptPicture
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QColor, QPainter

    from core.charts.painted_rows import PaintedRows
    from core.charts.row_columns import RowColumns
    from core.charts.schedule_rows import RowBand, ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.row_layout import RowLayout
    from explorer.gantt.geometry.time_scale import TimeScale
    from explorer.widgets.theme import Theme


MANY_TASKS = 200_000
"""More tasks than these are left to a thread by pictures that may wait: they would hold up the window."""


class RowsShown(NamedTuple):
    """What a picture shows; while tones recede, so do the strips of borrowed slots."""

    painted: PaintedRows
    tones: NDArray[np.int64]
    theme: Theme
    scale: TimeScale
    layout: RowLayout
    recedes: bool = False
    squeeze: Squeeze = LIGHT

    @property
    def height(self) -> int:
        """Pixels."""
        return self.layout.height

    @property
    def form(self) -> tuple[object, ...]:
        """What a picture has to have in common with this to be moved along, beside its scale."""
        return self.layout, self.theme.is_dark

    @property
    def sources(self) -> tuple[object, ...]:
        """What a picture is made from."""
        return self.painted, self.tones, raster.kernel_is_ready()

    def place_of(self, older: RowsShown) -> QRectF:
        """Return where the times and rows that another one shows lie in this one's picture."""
        left, right = self.scale.x(older.scale.start), self.scale.x(older.scale.end)
        grown = self.layout.content_height / older.layout.content_height
        top = older.layout.scroll * grown - self.layout.scroll
        return QRectF(left, top, right - left, older.layout.height * grown)


class RowPicture(KeptPicture[RowsShown]):
    """An image of a schedule's rows at one scale."""

    def draw(
        self, painter: QPainter, corner: QPoint, shown: RowsShown, later: list[Drawing] | None = None
    ) -> bool:
        """Draw the picture with its top left corner at a pixel; whether there was something to draw.

        Many tasks are left to `later`, if there is such a list; until they are painted, what was there before
        stands in, stretched to the new times and rows.
        """
        if later is None or self._tasks_to_paint(shown) <= MANY_TASKS:
            painter.drawImage(corner, self.image(shown))
            return True
        later.append(Drawing(self, shown))
        place, older = QRectF(corner, QSizeF(shown.scale.width, shown.layout.height)), self.shown
        painter.fillRect(place, shown.theme.gap)
        if older is None or older.theme is not shown.theme or older.layout.pools != shown.layout.pools:
            return False
        painter.save()
        painter.setClipRect(place)
        painter.drawImage(shown.place_of(older).translated(corner), self.last_image)
        painter.restore()
        return True

    def _tasks_to_paint(self, shown: RowsShown) -> float:
        """Return about how many tasks are in the columns that `image` would have to paint."""
        columns, across = self.columns_to_paint(shown), shown.scale.device_pixels_per_second
        tasks = sum(int(pool.offsets[-1] - pool.offsets[0]) for pool in shown.painted.pools)
        return tasks * min(1.0, columns / max(1.0, across * shown.painted.rows.schedule.makespan))

    @override
    def paint(self, pixels: NDArray[np.uint32], first: int, shown: RowsShown) -> None:
        paint_columns(pixels, first, shown)


def paint_columns(pixels: NDArray[np.uint32], first: int, shown: RowsShown) -> None:
    """Paint a block of the plot's pixel columns, the first of which is `first`, pool by pool."""
    rows, theme, layout, ratio = shown.painted.rows, shown.theme, shown.layout, shown.scale.ratio
    origin, pixels_per_second = shown.scale.origin + first, shown.scale.device_pixels_per_second
    gap, borrowed = theme.gap.rgb(), theme.text.rgb() & 0xFFFFFF
    if shown.recedes:
        background = theme.map_rows[0].rgb() & 0xFFFFFF
        borrowed = int(mixed(np.array([borrowed]), background, FADED)[0])
    pixels[:] = gap
    inks, is_low = inks_of(shown.tones, shown.squeeze), layout.row_height < PATTERN_ROW
    placed = shown.painted.placed(shown.scale.fold, with_attempts=is_low)
    for index in layout.in_view:
        pool, columns, y = layout.pools[index], placed[index], layout.pool_tops[index]
        top, bottom = (math.floor(edge * ratio + 0.5) for edge in layout.pool_spans[index])
        even, odd = row_colours(pool, theme)
        frame = Frame(
            origin=origin,
            pixels_per_second=pixels_per_second,
            top=y * ratio - top,
            row_height=layout.row_heights[index] * ratio,
            even=even.rgb(),
            odd=odd.rgb(),
            stripe=stripe_rows(pool),
            gap=gap,
            own=pool.own if rows.has_borrowed else 2,  # looking for borrowed slots takes time
            borrowed=borrowed,
        )
        if index in layout.folded:
            _paint_use(pixels[top:bottom], columns, shown, frame)
        else:
            raster.paint_rows(pixels[top:bottom], columns, inks, frame)


def _paint_use(pixels: NDArray[np.uint32], columns: RowColumns, shown: RowsShown, frame: Frame) -> None:
    """Paint how much of a pool runs something, as shade: all its rows in one line, in one colour."""
    ink = inks_of(np.full_like(shown.tones, shown.theme.second_text.rgb() & 0xFFFFFF), EVEN)
    one = frame._replace(top=0.0, row_height=1.0 / (len(columns.offsets) - 1), odd=frame.even, own=2)
    raster.paint_rows(pixels[:1], columns, ink, one)
    pixels[1:] = pixels[0]


def row_colours(pool: RowBand, theme: Theme) -> tuple[QColor, QColor]:
    """Return the alternating backgrounds of a pool."""
    return theme.reduce_rows if pool.name == "REDUCE" else theme.map_rows


def background_of(pool: RowBand, row: int, theme: Theme) -> QColor:
    """Return the background of one row of a pool."""
    return row_colours(pool, theme)[row // stripe_rows(pool) % 2]


FADED_STRIP = 45
"""Opacity, of 255, of the strips of borrowed slots whose tasks recede."""

MAX_VECTOR_TASKS = 20_000
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
    first, last = tasks_between(rows.columns, slot, frame.scale.start, frame.scale.end)
    for place in range(first, last):
        if rows.by_memory is None:
            paint_task(painter, frame, rows, place, inside)
        elif not rows.columns.joined[place] or across.bottom() > frame.places.plot.bottom():
            # of several rows once, when the backgrounds of all in view are drawn
            inside.setTop(frame.row(int(rows.row[rows.task[place]]))[0])
            paint_task(painter, frame, rows, place, inside)


def paint_task(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, place: int, inside: QRectF) -> None:
    """Draw the task at a place in the row columns into its row, in the tones that are shown."""
    columns, tones = painted_rows(rows, classes_of(frame.content)).columns, frame.shown_task_tones
    which, is_second = int(columns.code[place]) >> 1, int(columns.code[place]) & 1
    left, right = frame.x(float(columns.start[place])), frame.x(float(columns.end[place]))
    if is_second:
        left = _paint_shuffle(painter, frame, rows, place, inside)
    is_edged = right - left >= EDGED_WIDTH and inside.height() >= DETAIL_HEIGHT - 1
    right = round(right) if is_edged else right  # the edge covers whole pixels, as in the window
    body = QRectF(left, inside.top(), right - left, inside.height())
    painter.fillRect(body, colour(int(tones[which, REDUCE_TONE if is_second else MAP_TONE])))
    if is_edged:
        edge = QRectF(right - 1, inside.top(), 1, inside.height())
        painter.fillRect(edge, colour(int(tones[which, EDGE_TONE])))
    if rows.schedule.is_borrowed[rows.task[place]]:
        start = frame.x(float(columns.start[place]))
        foot = min(4.0, max(1.0, inside.height() * 0.2))
        strip = QRectF(start, inside.bottom() - foot, right - start, foot)
        fades = frame.recedes and int(rows.columns.code[place]) >> 1 != frame.content.selected_job
        painter.fillRect(strip, translucent(frame.theme.text, FADED_STRIP) if fades else frame.theme.text)


def _paint_shuffle(
    painter: QPainter, frame: ChartFrame, rows: ScheduleRows, place: int, inside: QRectF
) -> float:
    """Draw what a reduce does before it reduces; return where that ends."""
    columns, tones = painted_rows(rows, classes_of(frame.content)).columns, frame.shown_task_tones
    which = int(columns.code[place]) >> 1
    start, shuffled = float(columns.start[place]), float(columns.shuffled[place])
    ready = float(columns.stage_end[which])
    waited, end = frame.x(min(max(ready, start), shuffled)), frame.x(shuffled)
    ink = colour(int(tones[which, HATCH_TONE]))
    waiting = QRectF(frame.x(start), inside.top(), waited - frame.x(start), inside.height())
    painter.fillRect(waiting, colour(int(tones[which, WAIT_TONE])))
    _hatch(painter, waiting, QPen(ink, 1.0), 16.0, -1)
    copying = QRectF(waited, inside.top(), end - waited, inside.height())
    painter.fillRect(copying, colour(int(tones[which, SHUFFLE_TONE])))
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

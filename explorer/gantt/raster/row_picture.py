"""The picture of the rows, kept between frames: panning moves it and paints only what came into view."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QImage

from explorer.gantt.raster import raster
from explorer.gantt.raster.colour_space import mixed
from explorer.gantt.raster.palette import FADED
from explorer.gantt.raster.raster_kernel import Frame

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from explorer.gantt.geometry.row_layout import Pool, RowLayout
    from explorer.gantt.geometry.rows import ScheduleRows
    from explorer.gantt.geometry.time_scale import TimeScale
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
        lent = _lent_colour(theme, recedes)
        fresh = key != self._key or not _same(sources, self._sources)
        if fresh:
            self._allocate(width, height, scale.ratio)
        first, last = (0, width) if fresh else self._shift(scale.origin, width)
        self._key, self._sources, self._origin = key, sources, scale.origin
        self.painted_columns = last - first
        if last > first:
            paint_columns(self._pixels[:, first:last], first, rows, tones, theme, scale, layout, lent)
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


def _lent_colour(theme: Theme, recedes: bool) -> int:
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
    lent: int,
) -> None:
    """Paint a block of the plot's pixel columns, the first of which is `first`, pool by pool.

    `lent` is the colour of the strips of borrowed slots, 0xRRGGBB.
    """
    pixels[:] = theme.gap.rgb()
    for index, columns in enumerate(rows.pool_columns):
        top, bottom = (math.floor(y * scale.ratio + 0.5) for y in layout.pool_span(index))
        even, odd = row_colours(layout.pools[index], theme)
        frame = Frame(
            origin=scale.origin + first,
            pixels_per_second=scale.device_pixels_per_second,
            top=layout.pool_top(index) * scale.ratio - top,
            row_height=layout.row_height * scale.ratio,
            even=even.rgb(),
            odd=odd.rgb(),
            stripe=stripe_rows(layout.pools[index]),
            gap=theme.gap.rgb(),
            own=layout.pools[index].own if rows.lends else 2,  # looking for borrowed slots takes time
            lent=lent,
        )
        raster.paint_rows(pixels[top:bottom], columns, tones, frame)


def stripe_rows(pool: Pool) -> int:
    """Return how many rows of a pool have one background before the other follows."""
    return 1 if pool.slots <= MOST_STRIPED_ROWS else 8


def row_colours(pool: Pool, theme: Theme) -> tuple[QColor, QColor]:
    """Return the alternating backgrounds of a pool."""
    return theme.reduce_rows if pool.name == "REDUCE" else theme.map_rows


def background_of(pool: Pool, row: int, theme: Theme) -> QColor:
    """Return the background of one row of a pool."""
    return row_colours(pool, theme)[row // stripe_rows(pool) % 2]

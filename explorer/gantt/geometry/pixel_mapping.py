"""The one mapping of a chart between times and pixels, and between rows and pixels; pure, without Qt."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, overload

import numpy as np

from explorer.plots.axis import round_step, times_between

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from explorer.gantt.geometry.schedule_rows import RowBand


TALLEST_ROW = 72.0
"""Pixels a row grows to when everything is shown; beyond that a chart of few slots would be all colour."""

TALLEST_ZOOMED_ROW = 96.0
POOL_GAP = 14
MOST_GAPS = 64
"""Pixels of all gaps together: many nodes lie close to one another."""

HEADER_HEIGHT = 17
"""Pixels above the rows of each pool of jobs, for a line that names it."""
MOST_HEADERS, LOW_HEADER, INNER_GAP = 0.4, 5, 3
"""Part of the height that these lines may take; of more pools they are lower, and names lie upon the rows."""


@dataclass(frozen=True, slots=True)
class TimeScale:
    """A stretch of time over a number of pixels.

    The picture's left border lies on a whole device pixel of an endless time line (`origin`), so that panning
    moves a picture by whole pixels and what was drawn stays right.

    Attributes
    ----------
    start, span : seconds shown, from `start` to ``start + span``
    width : logical pixels
    ratio : device pixels per logical pixel
    """

    start: float
    span: float
    width: int
    ratio: float = 1.0

    @property
    def end(self) -> float:
        """The last second shown."""
        return self.start + self.span

    @property
    def pixels_per_second(self) -> float:
        """Logical pixels per second."""
        return self.width / self.span

    @property
    def device_pixels_per_second(self) -> float:
        """Device pixels per second."""
        return self.width * self.ratio / self.span

    @property
    def origin(self) -> int:
        """Device pixel of the left border, counted from time 0."""
        return math.floor(self.start * self.device_pixels_per_second + 0.5)

    @overload
    def x(self, time: float) -> float: ...
    @overload
    def x(self, time: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def x(self, time: float | NDArray[np.float64]) -> float | NDArray[np.float64]:
        """Return the logical pixel of a time, from the left border."""
        return time * self.pixels_per_second - self.origin / self.ratio

    def time(self, x: float) -> float:
        """Return the time at a logical pixel."""
        return (x + self.origin / self.ratio) / self.pixels_per_second

    def ticks(self, apart: float = 110.0) -> tuple[NDArray[np.float64], float]:
        """Return the tick times in view and the step between them, at least about `apart` pixels."""
        step = round_step(apart / self.pixels_per_second)
        return np.array(times_between(self.start, self.end, step), np.float64), step


def tallest(pools: tuple[RowBand, ...]) -> int:
    """Return the height from which on a plot of these pools stays empty at its end."""
    layout = RowLayout.of(pools, 1 << 20)
    return round(layout.rows * TALLEST_ROW) + layout.spaces_above[-1]


@dataclass(frozen=True)
class RowLayout:
    """Where each slot's row lies.

    Attributes
    ----------
    pools : top to bottom
    height : logical pixels of the plot
    zoom : 1 shows all rows (as far as `TALLEST_ROW` allows)
    scroll : logical pixels that are above the plot
    gap, head : logical pixels between two pools, and above the first one; rows of one pool of jobs on slots
        of both types lie closer
    """

    pools: tuple[RowBand, ...]
    height: int
    zoom: float = 1.0
    scroll: float = 0.0
    gap: int = POOL_GAP
    head: int = 0

    @classmethod
    def of(cls, pools: tuple[RowBand, ...], height: int) -> RowLayout:
        """Lay out all rows in a height; above those of pools of jobs there is room for names."""
        if any(pool.group >= 0 for pool in pools):
            lines = len({pool.group for pool in pools}) * HEADER_HEIGHT
            low = any(pool.is_packed for pool in pools) and lines > height * MOST_HEADERS
            head = min(LOW_HEADER, int(height * MOST_HEADERS / len(pools))) if low else HEADER_HEIGHT
            return cls(pools, height, gap=head, head=head)
        return cls(pools, height, gap=min(POOL_GAP, MOST_GAPS // max(len(pools) - 1, 1)))

    def with_pools(self, pools: tuple[RowBand, ...]) -> RowLayout:
        """Show other pools; where there are as many rows and pools as before, what is in view stays."""
        fresh = RowLayout.of(pools, self.height)
        alike = (fresh.rows, len(pools), fresh.head) == (self.rows, len(self.pools), self.head)
        return replace(self, pools=pools) if alike else fresh

    @cached_property
    def rows(self) -> int:
        """Rows of all pools."""
        return sum(pool.slots for pool in self.pools)

    @cached_property
    def fitted_row_height(self) -> float:
        """Pixels of a row at zoom 1."""
        free = max(1.0, self.height - self.spaces_above[-1])
        return min(TALLEST_ROW, free / max(1, self.rows))

    @property
    def row_height(self) -> float:
        """Pixels of a row."""
        return self.fitted_row_height * self.zoom

    @property
    def content_height(self) -> float:
        """Pixels of all rows and gaps."""
        return self.rows * self.row_height + self.spaces_above[-1]

    @property
    def most_scroll(self) -> float:
        """Whole pixels that all rows are higher than the plot."""
        return max(0.0, math.ceil(self.content_height - self.height - 1e-6))

    @cached_property
    def pool_tops(self) -> tuple[float, ...]:
        """The pixel at which each pool starts, from the top of the plot."""
        above = accumulate((pool.slots for pool in self.pools), initial=0)
        return tuple(
            rows * self.row_height + space - self.scroll
            for _, rows, space in zip(self.pools, above, self.spaces_above, strict=False)
        )

    @cached_property
    def spaces_above(self) -> tuple[int, ...]:
        """The pixels between rows above each pool, at least one: the gaps, and what is above the first."""
        inner = min(self.gap, INNER_GAP)
        gaps = (inner if self.continues(index) else self.gap for index in range(1, len(self.pools)))
        return tuple(accumulate(gaps, initial=self.head))

    def continues(self, index: int) -> bool:
        """Whether the rows above a pool's belong to the same pool of jobs, and no line names it again."""
        pool, before = self.pools[index], self.pools[index - 1] if index else None
        return before is not None and pool.is_packed and pool.group == before.group

    @cached_property
    def pool_spans(self) -> tuple[tuple[int, int], ...]:
        """The first pixel of each pool and the one after its last, cut to the plot."""
        bottoms = (
            top + pool.slots * self.row_height for pool, top in zip(self.pools, self.pool_tops, strict=True)
        )
        spans = zip(self.pool_tops, bottoms, strict=True)
        return tuple(
            (min(self.height, max(0, _whole(top))), min(self.height, max(0, _whole(bottom))))
            for top, bottom in spans
        )

    @cached_property
    def _columns(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The first slot of each pool, ascending, and the pixel at which it starts."""
        return np.array([pool.first_slot for pool in self.pools]), np.array(self.pool_tops)

    def slot_span(self, slot: int) -> tuple[int, int]:
        """Return the first pixel of a slot's row and the one after its last; may lie outside of the plot."""
        index = bisect_right(self.pools, slot, key=attrgetter("first_slot")) - 1
        row = slot - self.pools[index].first_slot
        if not 0 <= row < self.pools[index].slots:
            raise IndexError(f"slot {slot} is in none of the pools {self.pools}")
        top = self.pool_tops[index]
        return _whole(top + row * self.row_height), _whole(top + (row + 1) * self.row_height)

    def slot_spans(self, slots: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the same of many slots that are in the pools, (2, slots)."""
        firsts, pool_tops = self._columns
        pool = np.searchsorted(firsts, slots, side="right") - 1
        row, tops = slots - firsts[pool], pool_tops[pool]
        return np.floor(tops + np.stack([row, row + 1]) * self.row_height + 0.5).astype(np.int64)

    def slots_at(self, y: float) -> range:
        """Return the slots whose rows share the pixel line at `y`: none in a gap, many in thin rows."""
        line = math.floor(y)
        index = bisect_right(self.pool_spans, line, key=itemgetter(1))
        if index == len(self.pools) or line < self.pool_spans[index][0]:
            return range(0)
        pool = self.pools[index]
        first, last = self._rows_of_line(line, self.pool_tops[index], pool.slots)
        return range(pool.first_slot + first, pool.first_slot + last)

    def slots_in(self, index: int, parts: Sequence[float]) -> list[int]:
        """Return the slots at parts of the visible height of a pool, each once: 0 is the top, 1 its end."""
        top, bottom = self.pool_spans[index]
        pool = self.pools[index]
        found = [self.slots_at(top + part * (bottom - top)) for part in parts if bottom > top]
        slots = [slots[0] for slots in found if slots]
        return list(dict.fromkeys(slot for slot in slots if 0 <= slot - pool.first_slot < pool.slots))

    @cached_property
    def slots_in_view(self) -> list[tuple[int, int]]:
        """The first slot in view of each pool that is, and the one after the last."""
        seen = ((top, bottom) for top, bottom in self.pool_spans if bottom > top)
        return [(self.slots_at(top)[0], self.slots_at(bottom - 1)[-1] + 1) for top, bottom in seen]

    def _rows_of_line(self, line: int, pool_top: float, slots: int) -> tuple[int, int]:
        above = (line - pool_top) / self.row_height
        row = min(slots - 1, max(0, math.floor(above)))
        if self.row_height < 1:
            below = math.ceil((line + 1 - pool_top) / self.row_height)
            return row, max(row + 1, min(slots, below))
        # the border to the next row is rounded, and may lie on this line already
        if row + 1 < slots and _whole(pool_top + (row + 1) * self.row_height) <= line:
            row += 1
        elif row > 0 and _whole(pool_top + row * self.row_height) > line:
            row -= 1
        return row, row + 1

    def edge_at(self, y: float) -> int:
        """Return which pool of a partition ends at a pixel, above another one of its kind; -1 for none."""
        index = bisect_right(self.pool_tops, y)
        if not 0 < index < len(self.pools) or y < self.pool_tops[index] - self.gap:
            return -1
        pool, below = self.pools[index - 1], self.pools[index]
        is_edge = below.group >= 0 and not pool.is_packed and pool.name == below.name
        return index - 1 if is_edge else -1

    def zoomed(self, factor: float, y: float) -> RowLayout:
        """Zoom vertically by `factor`; what is at pixel `y` stays there."""
        most = max(1.0, TALLEST_ZOOMED_ROW / self.fitted_row_height)
        zoom = min(most, max(1.0, self.zoom * factor))
        grown = replace(self, zoom=zoom)
        above = self.spaces_above[max(bisect_right(self.pool_tops, y) - 1, 0)]
        anchor = (y + self.scroll - above) * zoom / self.zoom + above
        return grown.scrolled_to(anchor - y)

    def scrolled_to(self, scroll: float) -> RowLayout:
        """Scroll to a pixel, as far as there are rows."""
        return replace(self, scroll=float(min(self.most_scroll, max(0.0, round(scroll)))))

    def resized(self, height: int) -> RowLayout:
        """Return the same rows in another height, scrolled as far down in proportion."""
        part = self.scroll / self.most_scroll if self.most_scroll else 0.0
        resized = replace(self, height=height)
        if any(
            pool.group >= 0 for pool in self.pools
        ):  # a higher plot has room for more lines that name pools
            fitting = RowLayout.of(self.pools, height)
            resized = replace(resized, gap=fitting.gap, head=fitting.head)
        return resized.scrolled_to(part * resized.most_scroll)


def _whole(y: float) -> int:
    return math.floor(y + 0.5)

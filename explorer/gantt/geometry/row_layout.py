"""The one mapping of a chart between rows and pixels: which are in view, how high, folded; without Qt."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

import numpy as np

from explorer.gantt.geometry.strip_height import MAX_STRIP_ROW, MIN_STRIP, strip_air, strip_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.charts.schedule_rows import RowBand


TALLEST_ROW = 72.0
"""Pixels a row grows to when everything is shown; beyond that a chart of few slots would be all colour."""

TALLEST_ZOOMED_ROW = 96.0
MIN_ROW = 2.0
"""Pixels a row has at least where rows can be scrolled."""

BAR_LEFT, BAR_WIDTH, THIN_BAR, MIN_THUMB = 3, 8, 4, 14
"""Beside the plot: the bar that says which rows are in view, a thin one where there is little room, and the
least height of its part for them."""

FOLDED_HEIGHT = 14
"""Pixels of a pool whose rows are folded into one."""

POOL_GAP = 14
MAX_GAPS = 64
"""Pixels of all gaps together: many nodes lie close to one another."""

HEADER_HEIGHT = 17
"""Pixels above the rows of each pool of jobs, for a line that names it."""
NAME_LEFT = 16
"""Pixels from the left of that line to the name, for the sign that says whether the rows are folded."""

MAX_HEADERS, LOW_HEADER, INNER_GAP = 0.4, 5, 3
"""Part of the height that these lines may take; of more pools they are lower, and names lie upon the rows."""


NONE: frozenset[int] = frozenset()


def tallest(pools: tuple[RowBand, ...], folded: frozenset[int] = NONE, lanes: tuple[int, ...] = ()) -> int:
    """Return the height from which on a plot of these pools stays empty at its end."""
    layout = RowLayout.of(pools, 1 << 20, folded=folded, lanes=lanes)
    return round(layout.open_rows * TALLEST_ROW) + layout.fixed_height


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
    strip : logical pixels of a strip above each lane, or pool of jobs, that shows how many slots are in
        use; 0 for none
    least : logical pixels of a row at least; rows that do not fit then are scrolled
    folded : indices of the pools whose rows are folded into one of `FOLDED_HEIGHT`
    marked : index of the pool that keys act upon, or -1
    lanes : rows of ordinary height that each pool's lane is high for, as many as another chart has there;
        fewer slots have higher rows then; empty where each lane is for its own rows
    """

    pools: tuple[RowBand, ...]
    height: int
    zoom: float = 1.0
    scroll: float = 0.0
    gap: int = POOL_GAP
    head: int = 0
    strip: int = 0
    least: float = 0.0
    folded: frozenset[int] = NONE
    marked: int = -1
    lanes: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        pools: tuple[RowBand, ...],
        height: int,
        least: float = 0.0,
        folded: frozenset[int] = NONE,
        lanes: tuple[int, ...] = (),
    ) -> RowLayout:
        """Lay out all rows in a height; above those of pools of jobs there is room for names."""
        if any(pool.group >= 0 for pool in pools):
            return cls._of_groups(pools, height, least, folded, lanes)
        gap = min(POOL_GAP, MAX_GAPS // max(len(pools) - 1, 1))
        plain = cls(pools, height, gap=gap, least=least, folded=folded, lanes=lanes)
        strip = 0 if folded else strip_of(len(pools), height, is_thin=plain.fitted_row_height < MAX_STRIP_ROW)
        if not strip:
            return plain
        air = strip_air(strip)
        return replace(plain, gap=strip + air + INNER_GAP - 2, head=strip + air - 1, strip=strip)

    @classmethod
    def _of_groups(
        cls,
        pools: tuple[RowBand, ...],
        height: int,
        least: float,
        folded: frozenset[int],
        lanes: tuple[int, ...],
    ) -> RowLayout:
        """Lay out pools of jobs: each with a line that names it and a strip; many have strips alone."""
        named = len({pool.group if pool.is_packed else index for index, pool in enumerate(pools)})
        lines = named * HEADER_HEIGHT
        if not least and lines > height * MAX_HEADERS:
            low = min(LOW_HEADER, int(height * MAX_HEADERS / len(pools)))
            strip = MIN_STRIP if low > MIN_STRIP else 0
            return cls(pools, height, gap=low, head=low, strip=strip, least=least, folded=folded, lanes=lanes)
        plain = cls(
            pools, height, gap=HEADER_HEIGHT, head=HEADER_HEIGHT, least=least, folded=folded, lanes=lanes
        )
        strip = strip_of(named, height, is_thin=plain.fitted_row_height < MAX_STRIP_ROW)
        gap = HEADER_HEIGHT + strip + strip_air(strip)
        return replace(plain, gap=gap, head=gap, strip=strip) if strip else plain

    def with_pools(
        self, pools: tuple[RowBand, ...], folded: frozenset[int] = NONE, lanes: tuple[int, ...] = ()
    ) -> RowLayout:
        """Show other pools; where there are as many rows and pools as before, what is in view stays."""
        fresh = RowLayout.of(pools, self.height, self.least, folded, lanes)
        alike = (fresh.all_lane_rows, len(pools), fresh.head) == (
            self.all_lane_rows,
            len(self.pools),
            self.head,
        )
        return replace(fresh, zoom=self.zoom, scroll=self.scroll, marked=self.marked) if alike else fresh

    def with_folded(self, folded: frozenset[int], kept: int) -> RowLayout:
        """Fold other pools; the pool at index `kept` stays where it is, as far as there are rows."""
        fresh = RowLayout.of(self.pools, self.height, self.least, folded, self.lanes)
        changed = replace(self, folded=folded, gap=fresh.gap, head=fresh.head, strip=fresh.strip)
        return changed.scrolled_to(self.scroll + changed.pool_tops[kept] - self.pool_tops[kept])

    def with_least(self, least: float) -> RowLayout:
        """Show all rows, each at least so high."""
        return RowLayout.of(self.pools, self.height, least, self.folded, self.lanes)

    @cached_property
    def rows(self) -> int:
        """Rows of all pools."""
        return sum(pool.slots for pool in self.pools)

    @cached_property
    def lane_rows(self) -> tuple[int, ...]:
        """Rows of ordinary height that the lane of each pool is high for."""
        return self.lanes or tuple(pool.slots for pool in self.pools)

    @cached_property
    def all_lane_rows(self) -> int:
        """Rows of ordinary height in all lanes."""
        return sum(self.lane_rows)

    @cached_property
    def row_heights(self) -> tuple[float, ...]:
        """Pixels of a row of each pool, where it is not folded: its lane's, shared evenly."""
        return tuple(
            self.row_height * (rows / max(1, pool.slots))
            for rows, pool in zip(self.lane_rows, self.pools, strict=True)
        )

    @cached_property
    def open_rows(self) -> int:
        """Rows of ordinary height in the lanes that are not folded."""
        return self.all_lane_rows - sum(self.lane_rows[index] for index in self.folded)

    @cached_property
    def fixed_height(self) -> int:
        """Pixels that do not grow with the rows: between pools, and of folded ones."""
        return self.spaces_above[-1] + FOLDED_HEIGHT * len(self.folded)

    @cached_property
    def fitted_row_height(self) -> float:
        """Pixels of a row at zoom 1."""
        free = max(1.0, self.height - self.fixed_height)
        return min(TALLEST_ROW, max(self.least, free / max(1, self.open_rows)))

    @cached_property
    def row_height(self) -> float:
        """Pixels of an ordinary row; those of lanes that have room for more rows are higher."""
        return self.fitted_row_height * self.zoom

    @property
    def content_height(self) -> float:
        """Pixels of all rows and gaps."""
        return self.open_rows * self.row_height + self.fixed_height

    @property
    def most_scroll(self) -> float:
        """Whole pixels that all rows are higher than the plot."""
        return max(0.0, math.ceil(self.content_height - self.height - 1e-6))

    @property
    def thumb(self) -> tuple[float, float]:
        """Top and height of what is in view, on a bar beside the plot that is as high as it."""
        height = max(MIN_THUMB, self.height * self.height / max(self.content_height, self.height))
        return self.scroll / max(self.most_scroll, 1.0) * (self.height - height), height

    @cached_property
    def _fixed_above(self) -> tuple[int, ...]:
        """The pixels above each pool that do not grow with the rows."""
        folded = accumulate((FOLDED_HEIGHT * (index in self.folded) for index in self._places), initial=0)
        return tuple(space + height for space, height in zip(self.spaces_above, folded, strict=False))

    @property
    def _places(self) -> range:
        return range(len(self.pools))

    @cached_property
    def pool_tops(self) -> tuple[float, ...]:
        """The pixel at which each pool starts, from the top of the plot."""
        opened = (0 if index in self.folded else rows for index, rows in enumerate(self.lane_rows))
        return tuple(
            rows * self.row_height + fixed - self.scroll
            for rows, fixed in zip(accumulate(opened, initial=0), self._fixed_above, strict=False)
        )

    @cached_property
    def pool_heights(self) -> tuple[float, ...]:
        """The pixels of each pool's rows."""
        return tuple(
            float(FOLDED_HEIGHT) if index in self.folded else rows * self.row_height
            for index, rows in enumerate(self.lane_rows)
        )

    @cached_property
    def spaces_above(self) -> tuple[int, ...]:
        """The pixels between rows above each pool, at least one: the gaps, and what is above the first."""
        gaps = (self._gap_above(index) for index in range(1, len(self.pools)))
        return tuple(accumulate(gaps, initial=min(self.head, INNER_GAP) if 0 in self.folded else self.head))

    def _gap_above(self, index: int) -> int:
        # a folded pool of jobs is named upon its row, and below other folded rows nothing is to be drawn
        is_named = self.pools[index].group >= 0
        is_close = self.continues(index) or (index if is_named else index - 1) in self.folded
        return min(self.gap, INNER_GAP) if is_close else self.gap

    @property
    def has_header_lines(self) -> bool:
        """Whether a line above the rows of each pool of jobs names it; else its name is upon them."""
        return self.gap >= HEADER_HEIGHT

    def continues(self, index: int) -> bool:
        """Whether the rows above a pool's belong to the same pool of jobs, and no line names it again."""
        pool, before = self.pools[index], self.pools[index - 1] if index else None
        return before is not None and pool.is_packed and pool.group == before.group

    def named_at(self, y: float) -> int:
        """Return the index of the first pool of rows below the name at a pixel, -1 for none."""
        for index in self.named_in_view:
            line = self.name_line(index)
            if line <= y < line + (FOLDED_HEIGHT if index in self.folded else HEADER_HEIGHT):
                return index
        return -1

    @cached_property
    def named_in_view(self) -> list[int]:
        """The indices of the pools of rows below their name that may have it in view, without rows even."""
        places = range(max(self.in_view.start - 2, 0), min(self.in_view.stop + 1, len(self.pools)))
        return [index for index in places if not self.continues(index)]

    def named_together(self, index: int) -> range:
        """Return the pool of rows at an index and those of the same pool of jobs that follow it."""
        last = index + 1
        while last < len(self.pools) and self.continues(last):
            last += 1
        return range(index, last)

    def name_line(self, index: int) -> int:
        """Return the first pixel of the line that names a pool of jobs.

        It is above the rows; where those are scrolled out at the top it stays at the top of the plot, as long
        as there are rows of the pool in view. On the row itself where that is folded.
        """
        top = _whole(self.pool_tops[index])
        if index in self.folded:
            return top
        line = top - self.gap if self.has_header_lines else top - HEADER_HEIGHT
        if line >= 0:
            return line
        last = self.named_together(index)[-1]
        end = _whole(self.pool_tops[last] + self.pool_heights[last])
        return min(0, end - HEADER_HEIGHT)

    @cached_property
    def pool_spans(self) -> tuple[tuple[int, int], ...]:
        """The first pixel of each pool and the one after its last, cut to the plot."""
        bottoms = (top + height for top, height in zip(self.pool_tops, self.pool_heights, strict=True))
        spans = zip(self.pool_tops, bottoms, strict=True)
        return tuple(
            (min(self.height, max(0, _whole(top))), min(self.height, max(0, _whole(bottom))))
            for top, bottom in spans
        )

    @cached_property
    def in_view(self) -> range:
        """The indices of the pools whose rows are in view."""
        first = bisect_right(self.pool_spans, 0, key=itemgetter(1))
        return range(first, bisect_left(self.pool_spans, self.height, lo=first, key=itemgetter(0)))

    @cached_property
    def _columns(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """The first slot of each pool, ascending, the pixel at which it starts, and those from row to row."""
        steps = [0.0 if index in self.folded else self.row_heights[index] for index in self._places]
        return np.array([pool.first_slot for pool in self.pools]), np.array(self.pool_tops), np.array(steps)

    def pool_of(self, slot: int) -> int:
        """Return the index of the pool whose rows have a slot."""
        return bisect_right(self.pools, slot, key=attrgetter("first_slot")) - 1

    def slot_span(self, slot: int) -> tuple[int, int]:
        """Return the first pixel of a slot's row and the one after its last; may lie outside of the plot."""
        index = self.pool_of(slot)
        row = slot - self.pools[index].first_slot
        if not 0 <= row < self.pools[index].slots:
            raise IndexError(f"slot {slot} is in none of the pools {self.pools}")
        top = self.pool_tops[index]
        if index in self.folded:
            return _whole(top), _whole(top + FOLDED_HEIGHT)
        height = self.row_heights[index]
        return _whole(top + row * height), _whole(top + (row + 1) * height)

    def slot_spans(self, slots: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the same of many slots that are in the pools, (2, slots)."""
        firsts, pool_tops, steps = self._columns
        pool = np.searchsorted(firsts, slots, side="right") - 1
        row, tops, step = slots - firsts[pool], pool_tops[pool], steps[pool]
        spans = np.floor(tops + np.stack([row, row + 1]) * step + 0.5).astype(np.int64)
        spans[1] += FOLDED_HEIGHT * (step == 0)
        return spans

    def pool_at(self, y: float) -> int:
        """Return the index of the pool whose rows are at a pixel of the plot, -1 for none."""
        line = math.floor(y)
        index = bisect_right(self.pool_spans, line, key=itemgetter(1))
        return -1 if index == len(self.pools) or line < self.pool_spans[index][0] else index

    def slots_at(self, y: float) -> range:
        """Return the slots whose rows share the pixel line at `y`: many in thin rows.

        None in a gap or where the rows are folded.
        """
        index = self.pool_at(y)
        if index < 0 or index in self.folded:
            return range(0)
        pool = self.pools[index]
        first, last = self._rows_of_line(math.floor(y), index)
        return range(pool.first_slot + first, pool.first_slot + last)

    @cached_property
    def slots_in_view(self) -> list[tuple[int, int]]:
        """The first slot in view of each open pool that is, and the one after the last."""
        seen = (self.pool_spans[index] for index in self.in_view if index not in self.folded)
        spans = ((top, bottom) for top, bottom in seen if bottom > top)
        return [(self.slots_at(top)[0], self.slots_at(bottom - 1)[-1] + 1) for top, bottom in spans]

    def shows(self, slots: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return which of many slots have a row of their own in view, (slots,)."""
        borders = np.array(self.slots_in_view, np.int64).reshape(-1)
        shown: NDArray[np.bool_] = np.searchsorted(borders, slots, side="right") % 2 == 1
        return shown

    def _rows_of_line(self, line: int, index: int) -> tuple[int, int]:
        pool_top, slots, height = self.pool_tops[index], self.pools[index].slots, self.row_heights[index]
        above = (line - pool_top) / height
        row = min(slots - 1, max(0, math.floor(above)))
        if height < 1:
            below = math.ceil((line + 1 - pool_top) / height)
            return row, max(row + 1, min(slots, below))
        # the border to the next row is rounded, and may lie on this line already
        if row + 1 < slots and _whole(pool_top + (row + 1) * height) <= line:
            row += 1
        elif row > 0 and _whole(pool_top + row * height) > line:
            row -= 1
        return row, row + 1

    def edge_at(self, y: float) -> int:
        """Return which pool of a partition ends at a pixel, above another one of its kind; -1 for none."""
        index = bisect_right(self.pool_tops, y)
        if not 0 < index < len(self.pools) or y < self.pool_tops[index] - self.gap:
            return -1
        pool, below = self.pools[index - 1], self.pools[index]
        if {index - 1, index} & self.folded:
            return -1
        is_edge = below.group >= 0 and not pool.is_packed and pool.name == below.name
        return index - 1 if is_edge else -1

    def with_slot(self, slot: int) -> RowLayout:
        """Scroll until a slot's row is in view: as little as may be, to the middle where none of it was."""
        top, bottom = self.slot_span(slot)
        if top >= 0 and bottom <= self.height:
            return self
        if bottom > 0 and top < self.height:
            return self.scrolled_to(self.scroll + (top if top < 0 else bottom - self.height))
        return self.scrolled_to(self.scroll + (top + bottom - self.height) / 2)

    def zoomed(self, factor: float, y: float) -> RowLayout:
        """Zoom vertically by `factor`; what is at pixel `y` stays there."""
        most = max(1.0, TALLEST_ZOOMED_ROW / self.fitted_row_height)
        zoom = min(most, max(1.0, self.zoom * factor))
        grown = replace(self, zoom=zoom)
        above = self._fixed_above[max(bisect_right(self.pool_tops, y) - 1, 0)]
        anchor = (y + self.scroll - above) * zoom / self.zoom + above
        return grown.scrolled_to(anchor - y)

    def scrolled_to(self, scroll: float) -> RowLayout:
        """Scroll to a pixel, as far as there are rows."""
        return replace(self, scroll=float(min(self.most_scroll, max(0.0, round(scroll)))))

    def matched_with(self, other: RowLayout) -> RowLayout:
        """Show the rows that another chart shows, as far as its lanes are as high as these."""
        if self.lane_rows != other.lane_rows:
            return self
        shown = replace(self.with_least(other.least), zoom=other.zoom, marked=self.marked)
        part = other.scroll / other.most_scroll if other.most_scroll else 0.0
        return shown.scrolled_to(other.scroll if self.height == other.height else part * shown.most_scroll)

    def resized(self, height: int) -> RowLayout:
        """Return the same rows in another height, scrolled as far down in proportion."""
        part = self.scroll / self.most_scroll if self.most_scroll else 0.0
        resized = replace(self, height=height)
        # a higher plot has room for more lines that name pools, and its rows need no strips
        fitting = RowLayout.of(self.pools, height, self.least, self.folded, self.lanes)
        resized = replace(resized, gap=fitting.gap, head=fitting.head, strip=fitting.strip)
        return resized.scrolled_to(part * resized.most_scroll)


def _whole(y: float) -> int:
    return math.floor(y + 0.5)

"""Where tasks of one job cover enough of a chart for its name: blocks over several rows; without Qt."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.gantt.geometry.tasks_in_view import joined, ranges_between

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.charts.row_columns import RowColumns
    from explorer.gantt.geometry.row_layout import RowLayout
    from explorer.gantt.geometry.time_scale import TimeScale

LINE = 4
"""Every so many-th pixel line of a pool is looked at."""
MAX_LOOKED_AT = 50_000
"""With more tasks on these lines, fewer lines are looked at."""
MIN_WIDTH = 24.0
"""No name fits into less."""


class Block(NamedTuple):
    """A rectangle in which a job runs in every row that was looked at, in pixels of the plot."""

    job: int
    left: float
    right: float
    top: float
    bottom: float

    @property
    def height(self) -> float:
        """Pixels."""
        return self.bottom - self.top


class _Stretches(NamedTuple):
    """Stretches of one job side by side in a row: which job, on which of the lines looked at, and pixels."""

    job: NDArray[np.int32]
    line: NDArray[np.int64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]


def blocks_in(
    rows: RowColumns, layout: RowLayout, scale: TimeScale, index: int, room_of: Callable[[int], float]
) -> list[Block]:
    """Return a block of each job that has one in a pool of rows, those with the widest row first.

    Parameters
    ----------
    room_of : returns how many pixels wide the block of a job has to be
    """
    top, bottom = layout.pool_spans[index]
    found = _stretches(rows, middle_slots(layout, index, LINE), scale)
    width = found.right - found.left
    by_job = np.lexsort((-width, found.job))  # of each job the widest first, of those as wide the upper one
    jobs, begins = np.unique(found.job[by_job], return_index=True)
    widest, ends = by_job[begins], np.append(begins[1:], len(by_job))
    rooms = [room_of(job) for job in jobs.tolist()]
    shown = np.flatnonzero(width[widest] >= rooms) if rooms else begins
    seen_first = np.minimum.reduceat(by_job, begins)[shown] if len(shown) else shown
    blocks = []
    for place in shown[np.lexsort((seen_first, -width[widest[shown]]))].tolist():
        mine = by_job[begins[place] : ends[place]]
        mine = mine[width[mine] >= rooms[place]]
        stretches = list(zip(*(each[mine].tolist() for each in found[1:]), strict=True))
        blocks.append(_grown(int(jobs[place]), stretches, rooms[place], top, bottom))
    return blocks


def middle_slots(layout: RowLayout, index: int, step: int) -> NDArray[np.int64]:
    """Return the slot in the middle of those that share each `step`-th line of a pool (see `slots_at`).

    -1 where the pool is folded.
    """
    (first, last), pool = layout.pool_spans[index], layout.pools[index]
    line, height = np.arange(first + step // 2, last, step), layout.row_heights[index]
    if index in layout.folded:
        return np.full(len(line), -1)
    if height >= 1:
        bottom = layout.slot_spans(np.arange(pool.first_slot, pool.first_slot + pool.slots))[1]
        return pool.first_slot + np.searchsorted(bottom, line, side="right").clip(max=pool.slots - 1)
    above, below = ((line + edge - layout.pool_tops[index]) / height for edge in (0, 1))
    low = np.clip(np.floor(above), 0, pool.slots - 1).astype(np.int64)
    high = np.maximum(low + 1, np.minimum(np.ceil(below), pool.slots).astype(np.int64))
    middle: NDArray[np.int64] = pool.first_slot + low + (high - low) // 2
    return middle


def _stretches(rows: RowColumns, slots: NDArray[np.int64], scale: TimeScale) -> _Stretches:
    """Return all stretches in some rows that are wide enough for any name, row by row."""
    line = np.flatnonzero(slots >= 0)
    begin, end = ranges_between(rows, slots[line], scale.start, scale.end)
    step = 1 + int((end - begin).sum()) // MAX_LOOKED_AT
    kept = line % step == 0
    line, begin, count = line[kept], begin[kept], (end - begin)[kept]
    place = np.arange(count.sum()) + np.repeat(begin - (np.cumsum(count) - count), count)
    line, job = np.repeat(line, count), rows.code[place] >> 1
    left, right = np.clip(scale.x(np.stack([rows.start[place], rows.end[place]])), 0, scale.width)
    first, last = joined(line, job, left, right)
    wide = right[last] - left[first] >= MIN_WIDTH
    first, last = first[wide], last[wide]
    return _Stretches(job[first], line[first], left[first], right[last])


def _grown(job: int, stretches: list[tuple[int, float, float]], room: float, top: int, bottom: int) -> Block:
    """Return the block around the first stretch: up and down while it is wide enough, over single gaps.

    Stretches are line, left and right.
    """
    by_line: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for line, left, right in stretches:
        by_line[line].append((left, right))
    (start, left, right), ends = stretches[0], []
    for step in (-1, 1):
        line, end, missing = start + step, start, 0
        while missing < 2:
            shared = [(max(one, left), min(other, right)) for one, other in by_line.get(line, ())]
            beside = max(shared, key=lambda each: each[1] - each[0], default=(0.0, 0.0))
            if beside[1] - beside[0] >= room:
                left, right = beside
                end, missing = line, 0
            else:
                missing += 1
            line += step
        ends.append(end)
    low, high = top + ends[0] * LINE, min(bottom, top + (ends[1] + 1) * LINE)
    return Block(job, left, right, float(low), float(high))

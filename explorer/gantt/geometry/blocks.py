"""Where tasks of one job cover enough of a chart for its name: blocks over several rows; without Qt."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.gantt.geometry.tasks_in_view import joined, tasks_between

if TYPE_CHECKING:
    from collections.abc import Callable

    from explorer.gantt.geometry.row_columns import RowColumns
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


class _Stretch(NamedTuple):
    line: int
    left: float
    right: float


def blocks_in(
    rows: RowColumns, layout: RowLayout, scale: TimeScale, index: int, room_of: Callable[[int], float]
) -> list[Block]:
    """Return a block of each job that has one in a pool of rows, those with the widest row first.

    Parameters
    ----------
    room_of : returns how many pixels wide the block of a job has to be
    """
    top, bottom = layout.pool_spans[index]
    lines = range(top + LINE // 2, bottom, LINE)
    slots = [under[len(under) // 2] if (under := layout.slots_at(y)) else -1 for y in lines]
    found: dict[int, list[_Stretch]] = defaultdict(list)
    for job, line, left, right in _stretches(rows, slots, scale):
        found[job].append(_Stretch(line, left, right))
    blocks = []
    for job, stretches in found.items():
        widest = max(stretches, key=lambda each: each.right - each.left)
        room = room_of(job)
        if widest.right - widest.left >= room:
            blocks.append((widest.right - widest.left, _grown(job, widest, stretches, room, top, bottom)))
    return [block for _, block in sorted(blocks, key=lambda each: -each[0])]


def _stretches(rows: RowColumns, slots: list[int], scale: TimeScale) -> list[tuple[int, int, float, float]]:
    """Return job, line, left and right of all stretches in some rows that are wide enough for any name."""
    ranges = [tasks_between(rows, slot, scale.start, scale.end) if slot >= 0 else (0, 0) for slot in slots]
    total = sum(last - first for first, last in ranges)
    step = 1 + total // MAX_LOOKED_AT
    kept = [(line, *each) for line, each in enumerate(ranges) if line % step == 0 and each[1] > each[0]]
    if not kept:
        return []
    place = np.concatenate([np.arange(first, last) for _, first, last in kept])
    line = np.repeat([line for line, _, _ in kept], [last - first for _, first, last in kept])
    job = rows.code[place] >> 1
    left, right = np.clip(scale.x(np.stack([rows.start[place], rows.end[place]])), 0, scale.width)
    first, last = joined(line, job, left, right)
    wide = right[last] - left[first] >= MIN_WIDTH
    first, last = first[wide], last[wide]
    columns = (job[first], line[first], left[first], right[last])
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _grown(
    job: int, widest: _Stretch, stretches: list[_Stretch], room: float, top: int, bottom: int
) -> Block:
    """Return the block around a stretch: up and down as long as it stays wide enough, over single gaps."""
    by_line: dict[int, list[_Stretch]] = defaultdict(list)
    for each in stretches:
        by_line[each.line].append(each)
    left, right, ends = widest.left, widest.right, []
    for step in (-1, 1):
        line, end, missing = widest.line + step, widest.line, 0
        while missing < 2:
            beside = max(
                by_line.get(line, ()),
                key=lambda each: min(each.right, right) - max(each.left, left),
                default=None,
            )
            if beside is not None and min(beside.right, right) - max(beside.left, left) >= room:
                left, right = max(beside.left, left), min(beside.right, right)
                end, missing = line, 0
            else:
                missing += 1
            line += step
        ends.append(end)
    low, high = top + ends[0] * LINE, min(bottom, top + (ends[1] + 1) * LINE)
    return Block(job, left, right, float(low), float(high))

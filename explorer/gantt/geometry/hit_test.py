"""Which task lies under a pixel: one division and one binary search; pure, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from explorer.gantt.geometry.row_layout import RowLayout
    from explorer.gantt.geometry.time_scale import TimeScale
    from explorer.gantt.raster.raster_kernel import RowColumns


class Hit(NamedTuple):
    """What lies under a pixel.

    Attributes
    ----------
    place : of the task in the row columns, or -1 where nothing runs
    slot : of that task, or the first slot under the pixel, or -1 outside of all rows
    tasks : how many tasks share the pixel
    slots : how many slots share the pixel
    extra : where nothing runs: another attempt of a recorded run (index into `ExecutionHistory.extra`), or -1
    """

    place: int
    slot: int
    tasks: int
    slots: int
    extra: int = -1


NOTHING = Hit(-1, -1, 0, 0)


def hit(rows: RowColumns, layout: RowLayout, scale: TimeScale, x: float, y: float) -> Hit:
    """Find the task under the logical pixel (x, y) of the plot."""
    slots = layout.slots_at(y) if 0 <= x < scale.width else range(0)
    if not slots:
        return NOTHING
    column = int(x)
    early, late, exact = scale.time(column), scale.time(column + 1), scale.time(x)
    found = Hit(-1, slots[0], 0, len(slots))
    best = 0.0
    tasks = 0
    for slot in slots:
        first, last = tasks_between(rows, slot, early, late)
        tasks += last - first
        if last > first and best < np.inf:
            index, part = _largest(rows, first, last, early, late, exact)
            if part > best:
                best, found = part, Hit(index, slot, 0, len(slots))
    return found._replace(tasks=tasks)


def tasks_between(rows: RowColumns, slot: int, early: float, late: float) -> tuple[int, int]:
    """Return the range of tasks on a slot that run at some time from `early` to `late`."""
    low, high = int(rows.offsets[slot]), int(rows.offsets[slot + 1])
    first = low + int(np.searchsorted(rows.end[low:high], early, side="right"))
    last = low + int(np.searchsorted(rows.start[low:high], late, side="left"))
    return first, max(first, last)


def _largest(
    rows: RowColumns, first: int, last: int, early: float, late: float, exact: float
) -> tuple[int, float]:
    """Return the task that runs exactly then (with an infinite part), else the one with most of the pixel."""
    start, end = rows.start[first:last], rows.end[first:last]
    running = np.flatnonzero((start <= exact) & (exact < end))
    if len(running):
        return first + int(running[0]), np.inf
    parts = np.minimum(end, late) - np.maximum(start, early)
    best = int(np.argmax(parts))
    return first + best, max(float(parts[best]), 1e-300)

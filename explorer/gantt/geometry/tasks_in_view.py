"""Which tasks lie where in a view: under a pixel, side by side, with room for a mark; without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.charts.row_columns import RowColumns
    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.row_layout import RowLayout
    from explorer.gantt.geometry.time_scale import TimeScale


JOINED = 2.0
"""Tasks of one job at most this many pixels apart are one run."""

MAX_LOOKED_AT = 200_000
"""Marks of the rows in view; more are not looked at one by one: it would cost too much in every frame."""

MAX_MARKS = 2000
MIN_WIDTH = 5.0
"""Narrower tasks have no room for a mark."""


def joined(
    row: NDArray[np.integer], job: NDArray[np.integer], left: NDArray[np.float64], right: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the last of the tasks of each run: of one job side by side in one row."""
    is_apart = (row[1:] != row[:-1]) | (job[1:] != job[:-1]) | (left[1:] - right[:-1] > JOINED)
    first = np.r_[0, np.flatnonzero(is_apart) + 1][: len(job)]
    return first, np.r_[first[1:], len(job)][: len(job)] - 1


class Hit(NamedTuple):
    """What lies under a pixel.

    Attributes
    ----------
    place : of the task in the row columns, or -1 where nothing runs
    slot : of that task, or the first slot under the pixel, or -1 outside of all rows
    tasks : how many tasks share the pixel
    slots : how many slots share the pixel
    band : index of the folded pool of rows under the pixel, or -1
    """

    place: int
    slot: int
    tasks: int
    slots: int
    band: int = -1


NOTHING = Hit(-1, -1, 0, 0)


def hit(rows: RowColumns, layout: RowLayout, scale: TimeScale, x: float, y: float) -> Hit:
    """Find the task under the logical pixel (x, y) of the plot."""
    band = layout.pool_at(y) if 0 <= x < scale.width else -1
    if band in layout.folded:
        return NOTHING._replace(band=band)
    slots = layout.slots_at(y) if band >= 0 else range(0)
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
        if slot != slots[-1]:  # what goes on in the next row is counted there
            tasks -= int(rows.joined[first:last].sum())
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


def ranges_between(
    rows: RowColumns, slots: NDArray[np.int64], early: float, late: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the same of many slots, each found in as many steps as the longest row needs."""
    low, high = rows.offsets[slots], rows.offsets[slots + 1]
    first = _first_place(low, high, lambda place: rows.end[place] > early)
    last = _first_place(low, high, lambda place: rows.start[place] >= late)
    return first, np.maximum(first, last)


def _first_place(
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    is_reached: Callable[[NDArray[np.int64]], NDArray[np.bool_]],
) -> NDArray[np.int64]:
    """Return the first place of each range that something holds for, as for all behind it; else its end."""
    while (is_open := low < high).any():
        middle = np.where(is_open, (low + high) >> 1, 0)
        reached = is_reached(middle)
        low = np.where(is_open & ~reached, middle + 1, low)
        high = np.where(is_open & reached, middle, high)
    return low


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


class MarkedTasks(NamedTuple):
    """Tasks with a mark: row, start and end in seconds, place in the row columns, the last of its rows."""

    row: NDArray[np.int64]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    place: NDArray[np.int64]
    last: NDArray[np.int64]


def marked_tasks(
    rows: ScheduleRows,
    places: NDArray[np.int64],
    layout: RowLayout,
    scale: TimeScale,
    selected: int = -1,
    *,
    begin: bool = True,
) -> MarkedTasks:
    """Return those of some tasks (ascending places in the row columns) that are in view and have room.

    Only those that `begin` in view, unless that does not matter.
    Only the selected job's while one is selected; none where there would be too many to be told apart.
    """
    columns, places = rows.columns, rows.begins_at(places)
    spans = np.searchsorted(places, columns.offsets[np.array(layout.slots_in_view, np.int64).reshape(-1, 2)])
    places = np.concatenate([places[:0], *(places[first:last] for first, last in spans.tolist())])
    if len(places) > MAX_LOOKED_AT:
        places = places[:0]
    start, end = columns.start[places], columns.end[places]
    shown = ((start if begin else end) >= scale.start) & (start < scale.end)
    shown &= scale.width_of(start, end) >= MIN_WIDTH
    if selected >= 0:
        shown &= columns.code[places] >> 1 == selected
    places = places[shown]
    if len(places) > MAX_MARKS:
        places = places[:0]
    row = np.searchsorted(columns.offsets, places, side="right") - 1
    last = row if rows.by_memory is None else rows.last_row[rows.task[places]].astype(np.int64)
    return MarkedTasks(row, columns.start[places], columns.end[places], places, last)

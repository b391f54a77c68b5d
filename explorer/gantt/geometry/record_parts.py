"""Which other attempts of a recorded run are in view, as stretches of rows; pure, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.execution_history import LOOKS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.execution_history import ExecutionHistory
    from explorer.gantt.geometry.hit_test import Hit
    from explorer.gantt.geometry.row_layout import RowLayout
    from explorer.gantt.geometry.rows import ScheduleRows
    from explorer.gantt.geometry.time_scale import TimeScale

MOST_PARTS = 20_000
"""More stretches in view are thinner than anybody sees; the widest ones are drawn then."""


class RecordParts(NamedTuple):
    """Attempts in view: index into `extra`, place in `LOOKS`, job, slot, left and right in pixels."""

    extra: NDArray[np.int64]
    look: NDArray[np.int64]
    job: NDArray[np.int64]
    slot: NDArray[np.int32]
    left: NDArray[np.float64]
    right: NDArray[np.float64]


def record_parts(rows: ScheduleRows, scale: TimeScale) -> RecordParts:
    """Return the attempts in view that are no tasks of the schedule."""
    record = rows.schedule.record
    if record is None or not len(record.extra):
        none, nowhere = np.zeros(0, np.int64), np.zeros(0)
        return RecordParts(none, none, none, none.astype(np.int32), nowhere, nowhere)
    begin, end = extra_times(record)
    extra = np.flatnonzero((begin < scale.start + scale.span) & (end >= scale.start))
    left = np.clip(scale.x(begin[extra]), 0, scale.width)
    right = np.clip(scale.x(end[extra]), 0, scale.width)
    if len(extra) > MOST_PARTS:
        widest = np.sort(np.argsort(left - right, kind="stable")[:MOST_PARTS])
        extra, left, right = extra[widest], left[widest], right[widest]
    looks = np.array([LOOKS.index(look) for look in record.looks], np.int64)[extra]
    return RecordParts(extra, looks, rows.extra_job[extra], record.extra_slot[extra], left, right)


def distinct_parts(parts: RecordParts, layout: RowLayout) -> RecordParts:
    """Leave out attempts that would be drawn upon others: alike, on the same pixels of thin rows."""
    if layout.row_height >= 1 or not len(parts.slot):
        return parts
    line = (parts.slot * layout.row_height).astype(np.int64)
    pixels = [line, parts.left.astype(np.int64), parts.right.astype(np.int64), parts.look, parts.job]
    _, first = np.unique(np.stack(pixels), axis=1, return_index=True)
    kept = np.sort(first)
    return RecordParts(
        parts.extra[kept],
        parts.look[kept],
        parts.job[kept],
        parts.slot[kept],
        parts.left[kept],
        parts.right[kept],
    )


def extra_times(record: ExecutionHistory) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return start and end of every attempt that is no task, seconds, 0 or later, each (extras,)."""
    begin = np.maximum(record.run.start[record.extra], 0.0)
    return begin, np.maximum(record.run.end[record.extra], begin)


def extra_at(rows: ScheduleRows, found: Hit, early: float, late: float) -> int:
    """Return which of the history's `extra` lies between two times on a slot where no task is; -1: none."""
    record = rows.schedule.record
    if record is None or found.place >= 0 or found.slot < 0:
        return -1
    mine = record.extras_of(found.slot)
    begin, end = (times[mine] for times in extra_times(record))
    there = np.flatnonzero((begin <= late) & (end >= early))
    return mine.start + int(there[0]) if len(there) else -1

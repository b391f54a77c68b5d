"""Which deadlines a chart shows, and what runs after them; pure, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.measures.lateness import lateness
from explorer.gantt.geometry.job_runs import JOINED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from explorer.gantt.geometry.rows import ScheduleRows
    from explorer.gantt.geometry.time_scale import TimeScale

FEW_DEADLINES = 24
"""Up to so many deadlines in view are all shown; of more only those that are missed."""

MOST_DEADLINES = 40
MOST_LATE_TASKS = 100_000
"""More tasks after their deadlines are not marked one by one: it would cost too much in every frame."""

MOST_LATE_PARTS = 6000


class Deadline(NamedTuple):
    """One job's deadline: when it is, when the job departs, and how late that is (negative: early)."""

    job: int
    seconds: float
    finish: float
    late: float

    @property
    def is_missed(self) -> bool:
        """Whether the job departs after it."""
        return self.late > 0


def shown_deadlines(rows: ScheduleRows, scale: TimeScale, selected: int = -1) -> list[Deadline]:
    """Return the deadlines in view that are to be shown, the most important last.

    All if they are few, else the latest of the missed ones; the selected job's in any case, and nobody
    else's while one is selected.
    """
    seconds, late = rows.schedule.workload.columns.deadline, lateness(rows.schedule)
    in_view = (seconds >= scale.start) & (seconds <= scale.start + scale.span)
    if selected >= 0:
        in_view &= np.arange(len(seconds)) == selected
    jobs = np.flatnonzero(in_view)
    if len(jobs) > FEW_DEADLINES:
        jobs = jobs[late[jobs] > 0]
    jobs = jobs[np.argsort(late[jobs], kind="stable")][-MOST_DEADLINES:]
    finish = rows.schedule.finish
    return [Deadline(int(j), float(seconds[j]), float(finish[j]), float(late[j])) for j in jobs]


class LateParts(NamedTuple):
    """Stretches of a job in a row that lie after its deadline: slots, jobs, left and right in pixels."""

    slot: NDArray[np.int64]
    job: NDArray[np.int64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]


def late_parts(rows: ScheduleRows, scale: TimeScale, selected: int = -1) -> LateParts:
    """Return what of the rows is after its deadline and in view; tasks side by side are one part."""
    columns, place = rows.columns, rows.late_places
    if len(place) > MOST_LATE_TASKS:
        place = place[:0]
    job = columns.code[place].astype(np.int64) >> 1
    begin = np.maximum(columns.start[place], rows.schedule.workload.columns.deadline[job])
    in_view = (begin < scale.start + scale.span) & (columns.end[place] > scale.start)
    if selected >= 0:
        in_view &= job == selected
    place, job, begin = place[in_view], job[in_view], begin[in_view]
    slot = np.searchsorted(columns.offsets, place, side="right") - 1
    left = np.clip(scale.x(begin), 0, scale.width)
    right = np.clip(scale.x(columns.end[place]), 0, scale.width)
    first = np.flatnonzero(
        np.r_[True, (slot[1:] != slot[:-1]) | (job[1:] != job[:-1]) | (left[1:] - right[:-1] > JOINED)]
    )[: len(place)]
    last = np.r_[first[1:], len(place)] - 1 if len(first) else first
    if len(first) > MOST_LATE_PARTS:
        first = last = first[:0]
    return LateParts(slot[first], job[first], left[first], right[last])

"""What only a run that happened has: bands of hosts, and attempts that failed, were killed, or set up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from math import floor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from typing_extensions import override

from core.model.execution_history import LOOKS, SERVICE, UNKNOWN_HOST
from core.model.task_types import MAP, REDUCE
from core.model.time_text import clock_text, duration_text
from core.model.visible_text import short_names
from explorer.gantt.geometry.chart_frame import BAND_LEFT, BAND_WIDTH, colour, draw_elided, translucent
from explorer.gantt.geometry.schedule_rows import kept_with_rows
from explorer.gantt.layers.layer import Layer, Sign
from explorer.gantt.raster.raster_kernel import MAP_TONE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from core.model.execution_history import ExecutionHistory, HostSlots
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.row_layout import RowLayout
    from explorer.gantt.geometry.schedule_rows import RowBand, ScheduleRows
    from explorer.gantt.geometry.tasks_in_view import Hit
    from explorer.gantt.geometry.time_scale import TimeScale
    from explorer.widgets.theme import Theme


WASHES = {"failed": 110, "killed": 50}
"""Opacity of the job's colour behind the marks, of 255."""

MAX_PARTS = 20_000
"""More stretches in view are thinner than can be seen; the widest ones are drawn then."""

MIN_NAMED = 11
"""Pixels of a band that has room for the name of its host."""

CROSS_APART, BAR_APART = 6.0, 5.0
HATCHED_WIDTH, HATCHED_HEIGHT = 4.0, 3.0
"""Pixels from which attempts are hatched; smaller ones are plain."""


NOTES = {
    "failed": "failed: it is no task of the simulations",
    "killed": "killed: another attempt was taken, or the job ended",
    SERVICE: "the cluster's own work for a job",
    "other": "it is no task of the simulations",
}


class HistoryLayer(Layer):
    """The hosts of a recorded run, and its attempts that are no tasks of a simulation."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        if rows.schedule.record is None:
            return
        bands = list(_bands(frame, rows.schedule.record))
        _paint_host_names(painter, frame, bands)
        painter.save()
        painter.setClipRect(frame.places.plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        _paint_borders(painter, frame, bands)
        parts = distinct_parts(history_parts(rows, frame.scale), frame.layout, frame.scale)
        selected = frame.content.selected_job
        shown = frame.layout.shows(parts.slot)
        boxes = frame.boxes(parts.slot[shown], parts.start[shown], parts.end[shown], cut=True)
        for look, job, box in zip(parts.look[shown].tolist(), parts.job[shown].tolist(), boxes, strict=True):
            left, right, top, bottom = box
            inside = max(bottom - top - (1 if bottom - top > 3 else 0), 1)
            place = QRectF(left, top, max(right - left, 1.0), inside)
            fades = selected >= 0 and job != selected
            if fades:
                painter.setOpacity(0.35)
            base = frame.theme.third_text if job < 0 else colour(int(frame.shown_tones[job, MAP_TONE]))
            draw_attempt(painter, place, base, frame.theme, LOOKS[look])
            if fades:
                painter.setOpacity(1.0)
        painter.restore()

    @override
    def facts_at(self, rows: ScheduleRows, found: Hit, early: float, late: float) -> AttemptFacts | None:
        extra = extra_at(rows, found, early, late)
        return attempt_facts(rows, extra) if extra >= 0 else None

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        drawn = () if rows.schedule.record is None else rows.schedule.record.looks
        return tuple(sign for look, sign in SIGNS.items() if look in drawn)


def draw_attempt(painter: QPainter, place: QRectF, base: QColor, theme: Theme, look: str) -> None:
    """Draw one attempt: crossed in a warning colour if it failed, barred if it was killed, else hollow."""
    ink = theme.worse if look == "failed" else theme.second_text
    if place.width() < HATCHED_WIDTH or place.height() < HATCHED_HEIGHT:
        painter.fillRect(place, ink)
        return
    painter.fillRect(place, translucent(base, WASHES.get(look, 120)))
    painter.save()
    painter.setClipRect(place, Qt.ClipOperation.IntersectClip)
    if look == "failed":
        _lines(painter, place, CROSS_APART, QPen(ink, 1.4), (1, -1))
    elif look == "killed":
        _lines(painter, place, BAR_APART, QPen(ink, 1.2), (1,))
    painter.restore()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 1.0, Qt.PenStyle.DotLine if look == "killed" else Qt.PenStyle.SolidLine))
    painter.drawRect(place.adjusted(0, 0, -1, -1))


def _lines(painter: QPainter, place: QRectF, apart: float, pen: QPen, leans: tuple[int, ...]) -> None:
    """Draw diagonals over a rectangle."""
    painter.setPen(pen)
    height = place.height()
    count = int((place.width() + height) / apart) + 1
    for lean in leans:
        for number in range(count + 1):
            x = place.left() - height + number * apart
            low, high = (place.bottom(), place.top()) if lean > 0 else (place.top(), place.bottom())
            painter.drawLine(QPointF(x, low), QPointF(x + height, high))


SIGNS = {
    look: Sign(look, priority, draw=partial(draw_attempt, look=look), tip=tip)
    for look, priority, tip in (
        ("failed", 8, "an attempt that failed; the task was tried again"),
        ("killed", 7, "an attempt that was killed, as one was that another outran"),
        (SERVICE, 6, "a task that sets a job up or cleans up after it"),
    )
}


def _paint_borders(painter: QPainter, frame: ChartFrame, bands: Sequence[tuple[int, int, str]]) -> None:
    """Draw a line between every two hosts with bands tall enough to be distinguished."""
    plot = frame.places.plot
    for top, bottom, _ in bands:
        if bottom - top >= MIN_NAMED and plot.top() < bottom <= plot.bottom():
            painter.fillRect(plot.left(), bottom - 1, plot.width(), 1, frame.theme.line)


def _bands(frame: ChartFrame, record: ExecutionHistory) -> Iterator[tuple[int, int, str]]:
    """Yield the first pixel line of each host's band, the one after its last, and the host."""
    height = frame.layout.row_height
    for index, bands in enumerate(host_bands(record, frame.layout.pools)):
        if index in frame.layout.folded:
            continue
        above = frame.layout.pool_tops[index] + frame.places.plot.top()
        for band in bands:
            top = above + (band.first_slot - frame.layout.pools[index].first_slot) * height
            yield floor(top + 0.5), floor(top + band.slots * height + 0.5), band.host


def _paint_host_names(painter: QPainter, frame: ChartFrame, bands: Sequence[tuple[int, int, str]]) -> None:
    """Name the hosts beside their rows where there is room."""
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.second_text)
    left = BAND_LEFT + BAND_WIDTH + 3
    plot, free_from = frame.places.plot, frame.places.plot.top()
    for first, last, host in bands:
        top, bottom = max(first, plot.top()), min(last, plot.bottom() + 1)
        middle = (top + bottom) // 2
        if bottom <= top or middle - MIN_NAMED // 2 < free_from:
            continue
        place = QRect(left, middle - MIN_NAMED // 2 - 1, plot.left() - 6 - left, MIN_NAMED + 2)
        draw_elided(painter, place, host, Qt.AlignmentFlag.AlignRight, Qt.TextElideMode.ElideLeft)
        free_from = middle + MIN_NAMED // 2


class HistoryParts(NamedTuple):
    """Attempts in view: index into `extra`, place in `LOOKS`, job, slot, start and end in seconds."""

    extra: NDArray[np.int64]
    look: NDArray[np.int64]
    job: NDArray[np.int64]
    slot: NDArray[np.int32]
    start: NDArray[np.float64]
    end: NDArray[np.float64]


def history_parts(rows: ScheduleRows, scale: TimeScale) -> HistoryParts:
    """Return the attempts in view that are no tasks of the schedule."""
    record = rows.schedule.record
    if record is None or not len(record.extra):
        none, nowhere = np.zeros(0, np.int64), np.zeros(0)
        return HistoryParts(none, none, none, none.astype(np.int32), nowhere, nowhere)
    start, end = extra_times(record)
    extra = np.flatnonzero((start < scale.end) & (end >= scale.start))
    if len(extra) > MAX_PARTS:
        shown = np.minimum(end[extra], scale.end) - np.maximum(start[extra], scale.start)
        extra = extra[np.sort(np.argsort(-shown, kind="stable")[:MAX_PARTS])]
    looks = np.array([LOOKS.index(look) for look in record.looks], np.int64)[extra]
    jobs = extra_jobs(rows)[extra]
    return HistoryParts(extra, looks, jobs, record.extra_slot[extra], start[extra], end[extra])


@kept_with_rows
def extra_jobs(rows: ScheduleRows) -> NDArray[np.int64]:
    """Return the job of each attempt that is no task, -1 for one without tasks, (extras,)."""
    record, index = rows.schedule.record, rows.schedule.workload.job_index
    if record is None:
        return np.zeros(0, np.int64)
    of_run = np.array([index.get(name, -1) for name in record.run.jobs], np.int64)
    jobs: NDArray[np.int64] = of_run[record.run.job[record.extra]]
    return jobs


def distinct_parts(parts: HistoryParts, layout: RowLayout, scale: TimeScale) -> HistoryParts:
    """Leave out attempts that would be drawn upon others: alike, on the same pixels of thin rows."""
    if layout.row_height >= 1 or not len(parts.slot):
        return parts
    line = (parts.slot * layout.row_height).astype(np.int64)
    left, right = np.clip(scale.x(np.stack([parts.start, parts.end])), 0, scale.width).astype(np.int64)
    _, first = np.unique(np.stack([line, left, right, parts.look, parts.job]), axis=1, return_index=True)
    kept = np.sort(first)
    return HistoryParts._make(column[kept] for column in parts)


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


@lru_cache(maxsize=6)
def host_bands(record: ExecutionHistory, pools: tuple[RowBand, ...]) -> tuple[tuple[HostSlots, ...], ...]:
    """Return the bands of each pool of rows, top to bottom, with short names of their hosts.

    There are none where the log knows no host: the slots are named as those of a simulation.
    """
    named = short_hosts(record.run.hosts)
    if not named:
        return tuple(() for _ in pools)
    return tuple(
        tuple(
            band._replace(host=named.get(band.host, band.host))
            for band in record.host_slots(pool.first_slot, pool.slots)
        )
        for pool in pools
    )


def short_hosts(names: Sequence[str]) -> dict[str, str]:
    """Leave out racks, domains and the beginning that all hosts have in common."""
    known = [name for name in names if name != UNKNOWN_HOST]
    plain = [name.rstrip("/").rpartition("/")[2] or name for name in known]
    first = [_first_part(name) for name in plain]
    short = short_names(tuple(first if len(set(first)) == len(known) else plain))
    if len(set(short)) < len(known):
        short = tuple(known)
    return dict(zip(known, short, strict=True))


def _first_part(name: str) -> str:
    """Return what is before a domain; an address of numbers stays whole."""
    part = name.partition(".")[0]
    return name if part.isdigit() else part


@dataclass(frozen=True, slots=True)
class AttemptFacts:
    """One attempt.

    Attributes
    ----------
    job : index of its job in the schedule's workload; -1 if that is not there
    job_name, host, slot_name : whose, and where it ran
    kind_name : "map", "reduce", "setup", "cleanup" or "other"
    look : as what it is drawn (see `core.model.execution_history.LOOKS`)
    outcome : how it ended
    start, end : seconds
    """

    job: int
    job_name: str
    kind_name: str
    look: str
    outcome: str
    host: str
    slot_name: str
    start: float
    end: float

    @property
    def kind(self) -> int:
        """MAP or REDUCE, by the kind of slot that it held."""
        return REDUCE if self.kind_name == "reduce" else MAP

    @property
    def title(self) -> str:
        """Job and attempt in one line."""
        return f"{self.job_name} · {self.kind_name}, {self.outcome}"

    def lines(self) -> list[tuple[str, str]]:
        """Return names and values, in the order in which they are shown."""
        return [
            ("outcome", self.outcome),
            ("host", self.host),
            ("slot", self.slot_name),
            ("start", clock_text(self.start, largest=self.end)),
            ("end", clock_text(self.end)),
            ("duration", duration_text(self.end - self.start)),
        ]

    def note(self) -> str:
        """Return what is special about it."""
        return NOTES[self.look]


def attempt_facts(rows: ScheduleRows, extra: int) -> AttemptFacts:
    """Gather the facts of one of `ExecutionHistory.extra`."""
    schedule = rows.schedule
    record = schedule.record
    assert record is not None  # only recorded runs have such attempts
    attempt, slot = int(record.extra[extra]), int(record.extra_slot[extra])
    begin, end = extra_times(record)
    return AttemptFacts(
        job=int(extra_jobs(rows)[extra]),
        job_name=record.run.jobs[int(record.run.job[attempt])],
        kind_name=record.kind(attempt),
        look=record.looks[extra],
        outcome=record.outcome(attempt),
        host=record.host_of_slot(slot),
        slot_name=schedule.cluster.slot_name(slot),
        start=float(begin[extra]),
        end=float(end[extra]),
    )

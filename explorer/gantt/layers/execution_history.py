"""What held slots beside tasks: attempts that failed, were killed or suspended, setups; bands of hosts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache, partial
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from typing_extensions import override

from core.charts.class_colours import SERVICE_SHARE
from core.charts.painted_rows import (
    PATTERN_ROW,
    classes_of,
    extra_jobs,
    painted_rows,
)
from core.charts.raster_kernel import MAP_TONE, spacing_of
from core.explain.attempt_notes import LOOK_TIPS, attempt_note
from core.model.execution_history import LOOKS, OPEN_LOOKS, SERVICE, UNDER_WAY, UNKNOWN_HOST
from core.model.task_types import MAP, REDUCE
from core.model.time_text import clock_text, duration_text
from core.model.visible_text import short_names
from explorer.gantt.geometry.chart_frame import BAND_LEFT, BAND_WIDTH, colour, draw_elided
from explorer.gantt.layers.layer import Layer, Sign
from explorer.widgets.theme import fill_with, mixed, write_with

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from core.charts.schedule_rows import RowBand, ScheduleRows
    from core.model.execution_history import ExecutionHistory, HostSlots
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.row_layout import RowLayout
    from explorer.gantt.geometry.tasks_in_view import Hit
    from explorer.gantt.geometry.time_scale import TimeScale
    from explorer.widgets.theme import Theme


MAX_PARTS = 5_000
"""More attempts in view are thinner than can be seen; the longest ones are drawn then."""

MIN_NAMED = 11
"""Pixels of a band that has room for the name of its host."""

STRIPES, FAILED_STRIPE, KILLED_STRIPE = 6, 1.4, 1.2
"""Pixels from one stripe to the next, and of a stripe."""
BODY_SHARE, STRIPE_SHARE = 0.10, 0.62
"""How much red a failed attempt has in its body, and in its stripes."""
HUE = 4.0
"""Pixels at the left edge of an attempt that have the colour of its job."""
CAP, MIN_CAPPED = 12.0, 22.0
"""Diameter of the cap at the end of an attempt, and pixels of an attempt that has room for one."""
MIN_STRIPED = 4.0
RADIUS = 3.0
FADED_OPACITY = 0.25
LABEL_ROW, LABEL_LEFT, LABEL_AIR = 15.0, 7.0, 3.0
"""Pixels of a row in which attempts are named, before a name, and around it."""


class HistoryLayer(Layer):
    """The hosts of a recorded run, and attempts that are no tasks: its own, or what a policy gave up."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        history = rows.schedule.attempts
        if history is None:
            return
        bands = list(_bands(frame, history))
        _paint_host_names(painter, frame, bands)
        painter.save()
        painter.setClipRect(frame.places.plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        _paint_borders(painter, frame, bands)
        if frame.layout.row_height >= PATTERN_ROW:
            _paint_attempts(painter, frame, rows)
        painter.restore()

    @override
    def facts_at(self, rows: ScheduleRows, found: Hit, early: float, late: float) -> AttemptFacts | None:
        extra = extra_at(rows, found, early, late)
        return attempt_facts(rows, extra) if extra >= 0 else None

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        record = rows.schedule.attempts
        if record is None:
            return ()
        counts = Counter(record.looks)
        return tuple(sign._replace(amount=str(counts[look])) for look, sign in SIGNS.items() if counts[look])


def _paint_attempts(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
    """Draw the attempts in view, each with its job's colour at the left and, if it has room, its name."""
    parts = history_parts(rows, frame.scale, frame.layout)
    painted = painted_rows(rows, classes_of(frame.content))
    groups = painted.attempt_groups(parts.look, parts.job)
    fades = (frame.shown_task_tones[groups, MAP_TONE] != frame.task_tones[groups, MAP_TONE]).tolist()
    boxes = frame.boxes(parts.slot, parts.start, parts.end, cut=True)
    gap = spacing_of(frame.layout.row_height)
    for part, (left, right, top, bottom) in enumerate(boxes):
        place = QRectF(left, top, max(right - left, 1.0), bottom - top - gap)
        job, look = int(parts.job[part]), LOOKS[int(parts.look[part])]
        painter.setOpacity(FADED_OPACITY if fades[part] else 1.0)
        base = frame.theme.third_text if job < 0 else colour(int(frame.tones[job, MAP_TONE]))
        draw_attempt(painter, place, base, frame.theme, look)
        if look in INKS and frame.layout.row_height >= LABEL_ROW:
            name = frame.content.job_names[job] if job >= 0 else ""
            seconds = float(parts.end[part] - parts.start[part])
            _name_attempt(painter, frame, place, name, seconds, look)
    painter.setOpacity(1.0)


INKS: dict[str, Callable[[Theme], QColor]] = {
    "failed": lambda theme: theme.failed,
    "killed": lambda theme: theme.killed,
}
"""The colours of attempts that came to nothing, which no job has."""


def draw_attempt(painter: QPainter, place: QRectF, base: QColor, theme: Theme, look: str) -> None:
    """Draw one attempt: striped and framed with a cap if it failed or was killed, else pale.

    Failed ones have red stripes and a cross, killed ones grey stripes, a dashed frame and a dash. All have
    the colour of their job at the left. What was suspended or runs is no lost work: it has that colour whole,
    and an open end.
    """
    if look in OPEN_LOOKS:
        painter.fillRect(place, base)
        if place.width() >= MIN_STRIPED:
            painter.fillRect(QRectF(place.right() - 2, place.top(), 2, place.height()), theme.second_text)
        return
    if look not in INKS:
        painter.fillRect(place, mixed(theme.third_text, theme.lane, 1 - SERVICE_SHARE))
        return
    ink, is_failed = INKS[look](theme), look == "failed"
    if place.width() < MIN_STRIPED:
        painter.fillRect(place, ink)
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(place, Qt.ClipOperation.IntersectClip)
    body = mixed(theme.surface, ink, BODY_SHARE) if is_failed else theme.surface
    stripe = mixed(theme.surface, ink, STRIPE_SHARE if is_failed else 1.0)
    painter.fillRect(place, body)
    _stripe(
        painter, place, QPen(stripe, FAILED_STRIPE if is_failed else KILLED_STRIPE), 1 if is_failed else -1
    )
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 1.0, Qt.PenStyle.SolidLine if is_failed else Qt.PenStyle.DashLine))
    painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
    if place.width() > 2 * HUE:
        painter.fillRect(QRectF(place.left(), place.top(), HUE, place.height()), base)
    if place.width() >= MIN_CAPPED and place.height() >= CAP:
        _paint_cap(painter, place, body, ink, is_failed)
    painter.restore()


def _stripe(painter: QPainter, place: QRectF, pen: QPen, lean: int) -> None:
    """Draw diagonals, leaning right for 1 and left for -1; those of all attempts line up on the screen."""
    painter.setPen(pen)
    height = place.height()
    # on each stripe, x + lean * y is a multiple of their distance
    low, high = (place.top(), place.bottom()) if lean > 0 else (-place.bottom(), -place.top())
    lines = []
    for number in range(floor((place.left() + low) / STRIPES), ceil((place.right() + high) / STRIPES) + 1):
        x = number * STRIPES - lean * place.top()
        lines.append(QLineF(QPointF(x, place.top()), QPointF(x - lean * height, place.bottom())))
    painter.drawLines(lines)


def _paint_cap(painter: QPainter, place: QRectF, body: QColor, ink: QColor, is_failed: bool) -> None:
    """Draw a round cap at the end, with a cross or a dash."""
    middle = QPointF(place.right() - CAP / 2 - 2, place.center().y())
    fill_with(painter, body)
    painter.drawEllipse(middle, CAP / 2, CAP / 2)
    painter.setPen(QPen(ink, 1.8))
    arm = CAP / 4 - 0.4
    if is_failed:
        painter.drawLine(middle + QPointF(-arm, -arm), middle + QPointF(arm, arm))
        painter.drawLine(middle + QPointF(-arm, arm), middle + QPointF(arm, -arm))
    else:
        painter.drawLine(middle + QPointF(-arm - 1, 0), middle + QPointF(arm + 1, 0))


def _name_attempt(
    painter: QPainter, frame: ChartFrame, place: QRectF, name: str, seconds: float, look: str
) -> None:
    """Write whose attempt it is and how long it took upon a plate, if that fits."""
    metrics, theme = frame.fonts.small_metrics, frame.theme
    room = place.width() - LABEL_LEFT - CAP - 4
    wanted = [f"{name} · {clock_text(seconds)}" if name else clock_text(seconds), name]
    text = next((text for text in wanted if text and metrics.horizontalAdvance(text) <= room), "")
    if not text:
        return
    ink = INKS[look](theme)
    left, width = place.left() + LABEL_LEFT, metrics.horizontalAdvance(text)
    body = mixed(theme.surface, ink, BODY_SHARE) if look == "failed" else theme.surface
    painter.fillRect(
        QRectF(left - LABEL_AIR, place.top() + 2, width + 2 * LABEL_AIR, place.height() - 4), body
    )
    write_with(painter, frame.fonts.small, theme.worse if look == "failed" else theme.second_text)
    painter.drawText(QRectF(left, place.top(), width + 4, place.height()), _MIDDLE, text)


_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)

SIGNS = {
    look: Sign(look, priority, draw=partial(draw_attempt, look=look), tip=LOOK_TIPS[look])
    for look, priority in (("failed", 9), ("killed", 8), ("suspended", 7), (SERVICE, 6), (UNDER_WAY, 5))
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
    write_with(painter, frame.fonts.small, frame.theme.second_text)
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


def history_parts(rows: ScheduleRows, scale: TimeScale, layout: RowLayout) -> HistoryParts:
    """Return the attempts in view that are no tasks of the schedule."""
    record = rows.schedule.attempts
    if record is None or not len(record.extra):
        none, nowhere = np.zeros(0, np.int64), np.zeros(0)
        return HistoryParts(none, none, none, none.astype(np.int32), nowhere, nowhere)
    start, end = record.extra_times
    extra = np.flatnonzero((start < scale.end) & (end >= scale.start) & layout.shows(record.extra_slot))
    if len(extra) > MAX_PARTS:
        shown = np.minimum(end[extra], scale.end) - np.maximum(start[extra], scale.start)
        extra = extra[np.sort(np.argsort(-shown, kind="stable")[:MAX_PARTS])]
    looks = np.array([LOOKS.index(look) for look in record.looks], np.int64)[extra]
    jobs = extra_jobs(rows)[extra]
    return HistoryParts(extra, looks, jobs, record.extra_slot[extra], start[extra], end[extra])


def extra_at(rows: ScheduleRows, found: Hit, early: float, late: float) -> int:
    """Return which of the history's `extra` lies between two times on a slot where no task is; -1: none."""
    record = rows.schedule.attempts
    if record is None or found.place >= 0 or found.slot < 0:
        return -1
    mine = record.extras_of(found.slot)
    begin, end = (times[mine] for times in record.extra_times)
    there = np.flatnonzero((begin <= late) & (end >= early))
    return mine.start + int(there[0]) if len(there) else -1


@lru_cache(maxsize=6)
def host_bands(record: ExecutionHistory, pools: tuple[RowBand, ...]) -> tuple[tuple[HostSlots, ...], ...]:
    """Return the bands of each pool of rows, top to bottom, with short names of their hosts.

    There are none where hosts lie apart, or the log knows none: the slots are named as those of a simulation.
    """
    named = short_hosts(record.run.hosts)
    if not (named and record.is_by_host):
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
    remark : what is special about it
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
    remark: str

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
            *([("host", self.host)] if self.host else []),
            ("slot", self.slot_name),
            ("start", clock_text(self.start, largest=self.end)),
            ("end", clock_text(self.end)),
            ("duration", duration_text(self.end - self.start)),
        ]

    def note(self) -> str:
        """Return what is special about it."""
        return self.remark


def attempt_facts(rows: ScheduleRows, extra: int) -> AttemptFacts:
    """Gather the facts of one of `ExecutionHistory.extra`."""
    schedule = rows.schedule
    record = schedule.attempts
    assert record is not None
    attempt, slot = int(record.extra[extra]), int(record.extra_slot[extra])
    begin, end = record.extra_times
    return AttemptFacts(
        job=int(extra_jobs(rows)[extra]),
        job_name=record.run.jobs[int(record.run.job[attempt])],
        kind_name=record.kind(attempt),
        look=record.looks[extra],
        outcome=record.outcome(attempt),
        host=record.host_of_slot(slot) if record.run.hosts else "",
        slot_name=schedule.cluster.slot_name(slot),
        start=float(begin[extra]),
        end=float(end[extra]),
        remark=attempt_note(schedule, extra),
    )

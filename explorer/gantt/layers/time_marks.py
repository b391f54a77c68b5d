"""The times that a chart marks with a line: the end, the bound, estimates, forks and the like.

In a picture each has a flag above the rows. In the window, whose headers have the figures, a line says what
it is when it is pointed at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from core.charts.palette import ink_on
from core.charts.raster_kernel import MAP_TONE
from core.model.time_text import clock_text, duration_text, makespan_text
from explorer.document.titles import policy_title
from explorer.gantt.geometry.chart_frame import colour, draw_elided
from explorer.gantt.layers.layer import Layer, MarkFacts, Sign, paint_dashes
from explorer.widgets.theme import fill_with, write_with

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.charts.schedule_rows import ScheduleRows
    from core.model.schedule import Schedule
    from explorer.gantt.geometry.chart_frame import ChartFrame


FLAG_HEIGHT = 16
SAMPLE_WIDTH = 7
"""Room in a flag for a sample of its dashed line."""
DOT = 6
"""Pixels across the dot on top of the line at which the run ends."""
DOTTED = 2, 3
"""Dash and space, in pixels, of the line of the bound."""
REACH = 3.0
"""Pixels beside a line at which it is pointed at."""


SIGNS = (
    Sign("makespan", 2, tip="when the last task ends, counted from time 0"),
    Sign(
        "lower bound",
        1,
        dashes=DOTTED,
        tip="before this time no schedule of these jobs on this cluster can end",
    ),
)


class MarksLayer(Layer):
    """Vertical lines at the times that matter, in pictures with flags above the plot."""

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        return SIGNS if rows.schedule.tasks else ()

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        early, late = frame.scale.start, frame.scale.end
        marks = [mark for mark in marks_of(frame) if early <= mark.seconds <= late or mark.is_pinned]
        xs = frame.xs([mark.seconds for mark in marks])
        plot = frame.places.plot
        for mark, x in reversed(list(zip(marks, xs, strict=True))):
            if mark.thickness and early <= mark.seconds <= late:
                left = round(x - mark.thickness / 2)
                dashes = (mark.dash, mark.space) if mark.space else (plot.height(), 0)
                paint_dashes(painter, left, plot.top(), plot.bottom() + 1, dashes, mark.thickness, mark.line)
                if mark.is_end:
                    _paint_dot(painter, left + mark.thickness / 2, plot.top(), mark.line)
        if frame.places.flags.height():
            _paint_flags(painter, frame, marks, xs)


def _paint_dot(painter: QPainter, x: float, top: int, ink: QColor) -> None:
    """Draw the dot at the upper end of a line."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill_with(painter, ink)
    painter.drawEllipse(QPointF(x, top + DOT / 2), DOT / 2, DOT / 2)
    painter.restore()


def _paint_flags(painter: QPainter, frame: ChartFrame, marks: Sequence[Mark], xs: Sequence[float]) -> None:
    plot, row, metrics = frame.places.plot, frame.places.flags, frame.fonts.small_metrics
    early, late = frame.scale.start, frame.scale.end
    texts = [_flag_texts(mark, early, late) for mark in marks]
    wanted = []
    for mark, x, both in zip(marks, xs, texts, strict=True):
        sample = SAMPLE_WIDTH if mark.space else 0
        whole, short = (metrics.horizontalAdvance(text) + 14.0 + sample for text in both)
        wanted.append(WantedFlag(min(max(x, float(plot.left())), float(plot.right())), whole, short))
    placed = place_flags(wanted, row.left() - 20.0, float(row.right()))
    for mark, place, both in zip(marks, placed, texts, strict=True):
        if place:
            _paint_flag(painter, frame, place, both[place.is_short], mark)


def _flag_texts(mark: Mark, early: float, late: float) -> tuple[str, str]:
    """Return the whole text and the short one, with an arrow where the time is out of view."""
    if mark.seconds < early:
        return f"◂ {mark.text}", f"◂ {mark.short}"
    return (mark.text, mark.short) if mark.seconds <= late else (f"{mark.text} ▸", f"{mark.short} ▸")


def _paint_flag(painter: QPainter, frame: ChartFrame, place: PlacedFlag, text: str, mark: Mark) -> None:
    rect = QRectF(place.left, frame.places.flags.top(), place.width, FLAG_HEIGHT)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(mark.back)
    painter.setPen(Qt.PenStyle.NoPen if mark.back == mark.line else frame.theme.line)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    inside = rect.adjusted(6, 0, -6, 0)
    if mark.space:
        top = round(rect.top())
        dashes = (mark.dash, mark.space)
        paint_dashes(painter, round(rect.left()) + 7, top + 3, top + FLAG_HEIGHT - 3, dashes, 1, mark.line)
        inside.adjust(SAMPLE_WIDTH, 0, 0, 0)
    write_with(painter, frame.fonts.small, mark.ink)
    draw_elided(painter, inside, text, Qt.AlignmentFlag.AlignHCenter)


@dataclass(frozen=True)
class Mark:
    """A time with a line, and in pictures a flag.

    Attributes
    ----------
    seconds : when
    text, short : what the flag says, and what it says where there is little room
    back, ink, line : colours of the flag, its text, and its line
    dash, space : pixels of line and of gap; no gap for a solid line
    thickness : pixels; no line for 0
    is_pinned : whether its flag stays at the border while its time is out of view
    is_end : whether the run ends there, so that a dot lies on top of the line
    title, facts, note : what a card says of the line, as names and values, and a sentence
    """

    seconds: float
    text: str
    short: str
    back: QColor
    ink: QColor
    line: QColor
    dash: int = 1
    space: int = 0
    thickness: int = 1
    is_pinned: bool = False
    is_end: bool = False
    title: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    note: str = ""


def mark_facts(frame: ChartFrame, at: QPointF) -> MarkFacts | None:
    """Return what there is to say of the line at a pixel of the plot; None where there is none."""
    if frame.content.rows is None or not frame.places.plot.contains(at.toPoint()):
        return None
    lines = [mark for mark in marks_of(frame) if mark.thickness and frame.shows(mark.seconds)]
    away = [abs(x - at.x()) for x in frame.xs([mark.seconds for mark in lines])]
    near = [(distance, place) for place, distance in enumerate(away) if distance <= REACH]
    if not near:
        return None
    mark = lines[min(near)[1]]
    return MarkFacts(mark.title, mark.facts, mark.note)


def marks_of(frame: ChartFrame) -> list[Mark]:
    """Return the marks of a chart, the most important first."""
    content, theme = frame.content, frame.theme
    if content.rows is None:
        return []
    if content.is_veiled:
        return [mark for mark in _selected(frame) if mark.seconds <= content.veil]
    quiet = (theme.surface, theme.second_text, theme.second_text)
    marks = [_makespan(frame, content.rows.schedule.makespan), *_selected(frame)]
    if content.ghost:
        text = f"was {makespan_text(content.ghost.schedule.makespan)}"
        old = content.ghost.schedule.makespan
        inks = theme.surface, theme.text, theme.text
        facts = (("makespan", makespan_text(old)),)
        marks.append(
            Mark(old, text, text, *inks, dash=3, space=3, title="End before the change", facts=facts)
        )
    marks += _forks(frame, content.rows.schedule)
    for label, seconds in content.estimates:
        text, short = f"{label} {makespan_text(seconds)}", f"≈ {makespan_text(seconds)}"
        never_in_view = seconds > frame.full_scale.end
        mark = Mark(seconds, text, short, *quiet, dash=6, space=4, is_pinned=never_in_view)
        marks.append(replace(mark, title=f"End, {label}", facts=(("makespan", makespan_text(seconds)),)))
    if content.lower_bound is not None:
        marks.append(_bound(frame, content.lower_bound))
    return marks


def _bound(frame: ChartFrame, seconds: float) -> Mark:
    content, theme, text = frame.content, frame.theme, makespan_text(seconds)
    full = f"lower bound {text} {content.premise}".rstrip()
    return Mark(
        seconds,
        full,
        f"≥ {text}",
        theme.surface,
        theme.second_text,
        theme.ink,
        *DOTTED,
        title="Lower bound",
        facts=(("no schedule ends before", text),),
        note=f"of these jobs, {content.premise}" if content.premise else "",
    )


def _makespan(frame: ChartFrame, seconds: float) -> Mark:
    text, theme, bound = makespan_text(seconds), frame.theme, frame.content.lower_bound
    if frame.content.failed is not None:
        at = clock_text(seconds)
        mark = Mark(seconds, f"failed at {at}", "failed", theme.failed, theme.window, theme.failed)
        return replace(
            mark, thickness=2, is_pinned=True, is_end=True, title="The run failed", facts=(("at", at),)
        )
    facts = [("makespan", text)]
    if bound:
        facts.append(("lower bound", makespan_text(bound)))
    return Mark(
        seconds,
        f"makespan {text}",
        text,
        theme.ink,
        theme.window,
        theme.ink,
        thickness=2,
        is_pinned=True,
        is_end=True,
        title="End of the run",
        facts=tuple(facts),
    )


def _forks(frame: ChartFrame, schedule: Schedule) -> list[Mark]:
    """Return where the schedule leaves other policies, the last one first, with the policy from there on."""
    marks, theme = [], frame.theme
    later, fork = schedule.choice, schedule.fork
    while fork is not None:
        at = clock_text(fork.time)
        text = f"{policy_title(later.id)} from {at}"
        mark = Mark(
            fork.time, text, at, theme.surface, theme.text, theme.cursor, dash=8, space=3, thickness=2
        )
        title = f"{policy_title(later.id)} from here on"
        marks.append(replace(mark, title=title, facts=(("from", at),)))
        later, fork = fork.choice, fork.fork
    return marks


def _selected(frame: ChartFrame) -> list[Mark]:
    """Return the mark in the middle of the selected job (a flag and no line), and that of its deadline."""
    content = frame.content
    job, rows = content.selected_job, content.rows
    if rows is None or not 0 <= job < content.jobs:
        return []
    start, end = float(rows.schedule.job_start[job]), float(rows.job_end[job])
    tone = int(frame.tones[job, MAP_TONE])
    name = content.job_names[job]
    seen = (max(start, frame.scale.start) + min(end, frame.scale.end)) / 2
    late = content.late_texts.get(job)
    text = f"{name} · {duration_text(end - start)}" if late is None else late
    if end > content.veil:
        text = name
    ink = colour(ink_on(tone))
    marks = [Mark(seen, text, name if late is None else late, colour(tone), ink, colour(tone), thickness=0)]
    deadline = rows.schedule.workload.jobs[job].deadline
    if deadline is not None:
        text, theme = f"due {clock_text(deadline)}", frame.theme
        line = theme.text if late is None else theme.worse
        mark = Mark(deadline, text, text, theme.surface, line, line, dash=4, space=3, is_pinned=True)
        facts = (("due", clock_text(deadline)), ("ends", clock_text(end)))
        marks.append(replace(mark, title=f"Deadline of {name}", facts=facts))
    return marks


SPACING = 4.0


class WantedFlag(NamedTuple):
    """A flag at the line `x`, with the widths of its whole text and of its short one."""

    x: float
    width: float
    short: float


class PlacedFlag(NamedTuple):
    """Where a flag stands, and whether with its short text."""

    left: float
    width: float
    is_short: bool = False


def place_flags(wanted: Sequence[WantedFlag], left: float, right: float) -> list[PlacedFlag | None]:
    """Place flags, given from the most to the least important, each over its own line; None without room.

    Each has its whole text if there is room, else its short one; the first is cut rather than left out.
    They are as nearly centred over their lines as they can be without covering one another.
    """
    widths: dict[int, float] = {}
    for index, flag in enumerate(wanted):
        for width in (flag.width, flag.short, *([right - left] if not index else [])):
            if _rooms(wanted, widths | {index: width}, left, right) is not None:
                widths[index] = width
                break
    found: list[PlacedFlag | None] = [None] * len(wanted)
    edge = left
    for index, low, high in _rooms(wanted, widths, left, right) or ():
        at = min(max(wanted[index].x - widths[index] / 2, edge, low), high)
        found[index] = PlacedFlag(at, widths[index], widths[index] < wanted[index].width)
        edge = at + widths[index] + SPACING
    return found


def _rooms(
    wanted: Sequence[WantedFlag], widths: Mapping[int, float], left: float, right: float
) -> list[tuple[int, float, float]] | None:
    """Return for each flag, from left to right, between which pixels its left edge can lie; None for no way.

    A flag may stand beside its line, as far as two at one line do.
    """
    order = sorted(widths, key=lambda index: (wanted[index].x, index))
    lows, edge = [], left
    for index in order:
        edge = max(edge, wanted[index].x - widths[index] - SPACING / 2)
        lows.append(edge)
        edge += widths[index] + SPACING
    rooms, edge = [], right
    for index, low in zip(reversed(order), reversed(lows), strict=True):
        high = min(edge - widths[index], wanted[index].x + SPACING / 2)
        if high < low:
            return None
        rooms.append((index, low, high))
        edge = high - SPACING
    return rooms[::-1]

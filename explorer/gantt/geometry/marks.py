"""The times that a chart marks: makespan, the old one, estimates, lower bound and the selected job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.model.time_text import duration_text
from explorer.document.titles import policy_title
from explorer.gantt.geometry.chart_frame import colour
from explorer.gantt.raster.palette import ink_on
from explorer.gantt.raster.raster_kernel import MAP_TONE

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from core.model.schedule import Schedule
    from explorer.gantt.geometry.chart_frame import ChartFrame


@dataclass(frozen=True)
class Mark:
    """A time with a line and a flag.

    Attributes
    ----------
    seconds : when
    text, short : what the flag says, and what it says where there is little room
    back, ink, line : colours of the flag, its text, and its line
    dash, space : pixels of line and of gap; no gap for a solid line
    thickness : pixels; no line for 0
    is_pinned : whether its flag stays at the border while its time is out of view
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


def marks_of(frame: ChartFrame) -> list[Mark]:
    """Return the marks of a chart, the most important first."""
    content, theme = frame.content, frame.theme
    if content.rows is None:
        return []
    quiet = (theme.panel, theme.muted, theme.muted)
    marks = [_makespan(frame, content.rows.schedule.makespan), *_selected(frame)]
    if content.ghost:
        text = f"was {duration_text(content.ghost.schedule.makespan)}"
        old = content.ghost.schedule.makespan
        marks.append(Mark(old, text, text, theme.panel, theme.text, theme.text, dash=3, space=3))
    marks += _forks(frame, content.rows.schedule)
    for label, seconds in content.estimates:
        text, short = f"{label} {duration_text(seconds)}", f"≈ {duration_text(seconds)}"
        never_in_view = seconds > frame.full_scale.start + frame.full_scale.span
        marks.append(Mark(seconds, text, short, *quiet, dash=6, space=4, is_pinned=never_in_view))
    if content.lower_bound is not None:
        text = duration_text(content.lower_bound)
        marks.append(Mark(content.lower_bound, f"lower bound {text}", f"≥ {text}", *quiet, dash=2, space=3))
    return marks


def _makespan(frame: ChartFrame, seconds: float) -> Mark:
    text, theme = duration_text(seconds), frame.theme
    return Mark(
        seconds,
        f"makespan {text}",
        text,
        theme.accent,
        theme.on_accent,
        theme.accent,
        thickness=2,
        is_pinned=True,
    )


def _forks(frame: ChartFrame, schedule: Schedule) -> list[Mark]:
    """Return where the schedule leaves other policies, the last one first: who decides from there on."""
    marks, theme = [], frame.theme
    later, fork = schedule.choice, schedule.fork
    while fork is not None:
        at = duration_text(fork.time)
        text = f"{policy_title(later.id)} from {at}"
        mark = Mark(fork.time, text, at, theme.panel, theme.text, theme.cursor, dash=8, space=3, thickness=2)
        marks.append(mark)
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
    seen = (max(start, frame.scale.start) + min(end, frame.scale.start + frame.scale.span)) / 2
    late = content.late_texts.get(job)
    text = f"{name} · {duration_text(end - start)}" if late is None else late
    ink = colour(ink_on(tone))
    marks = [Mark(seen, text, name if late is None else late, colour(tone), ink, colour(tone), thickness=0)]
    deadline = rows.schedule.workload.jobs[job].deadline
    if deadline is not None:
        text, theme = f"due {duration_text(deadline)}", frame.theme
        line = theme.text if late is None else theme.bad
        marks.append(Mark(deadline, text, text, theme.panel, line, line, dash=4, space=3, is_pinned=True))
    return marks

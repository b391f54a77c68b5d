"""Paints the vertical marks with their flags, and the waves of the selected job."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from core.model.workload import MAP, REDUCE
from explorer.gantt.geometry.chart_frame import colour, draw_elided
from explorer.gantt.geometry.flags import Placed, Wanted, place_flags
from explorer.gantt.geometry.marks import Mark, marks_of
from explorer.gantt.raster.raster_kernel import MAP_TONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.rows import ScheduleRows

FLAG_HEIGHT = 16
SAMPLE_WIDTH = 7
"""Room in a flag for a sample of its dashed line."""

WAVE_DASH, WAVE_SPACE, TAG_SPACE = 4, 3, 11
TAG_HEIGHT, LEAST_TAGGED = 17, 44
"""In lower rows the numbers of waves would lie upon the names of jobs."""

LEAST_WAVE = 7.0
"""Waves closer together than so many pixels are not separated: the lines would hide them."""


def paint_marks(painter: QPainter, frame: ChartFrame) -> None:
    """Draw the lines of all marks in view, and the flags."""
    marks = [mark for mark in marks_of(frame) if frame.shows(mark.seconds) or mark.is_pinned]
    plot = frame.places.plot
    for mark in reversed(marks):
        if mark.thickness and frame.shows(mark.seconds):
            left = round(frame.x(mark.seconds) - mark.thickness / 2)
            dashes = (mark.dash, mark.space) if mark.space else (plot.height(), 0)
            paint_dashes(painter, left, plot.top(), plot.bottom() + 1, dashes, mark.thickness, mark.line)
    _paint_flags(painter, frame, marks)


def paint_dashes(
    painter: QPainter,
    left: int,
    top: int,
    bottom: int,
    dashes: tuple[int, int],
    thickness: int,
    ink: QColor,
) -> None:
    """Draw a vertical line of dashes and spaces."""
    # NOTE: many small fillRects are faster than one dashed pen
    for y in range(top, bottom, sum(dashes)):
        painter.fillRect(left, y, thickness, min(dashes[0], bottom - y), ink)


def _paint_flags(painter: QPainter, frame: ChartFrame, marks: Sequence[Mark]) -> None:
    wanted = [
        Wanted(
            _flag_x(frame, mark),
            _flag_width(frame, mark, _flag_text(frame, mark, is_short=False)),
            _flag_width(frame, mark, _flag_text(frame, mark, is_short=True)),
        )
        for mark in marks
    ]
    row = frame.places.flags
    placed = place_flags(wanted, row.left() - 20.0, float(row.right()))
    for mark, place in zip(marks, placed, strict=True):
        if place:
            text = _flag_text(frame, mark, place.is_short)
            _paint_flag(painter, frame, place, text, mark)


def _flag_text(frame: ChartFrame, mark: Mark, is_short: bool) -> str:
    text = mark.short if is_short else mark.text
    if mark.seconds < frame.scale.start:
        return f"◂ {text}"
    return text if frame.shows(mark.seconds) else f"{text} ▸"


def _flag_x(frame: ChartFrame, mark: Mark) -> float:
    plot = frame.places.plot
    return min(max(frame.x(mark.seconds), float(plot.left())), float(plot.right()))


def _flag_width(frame: ChartFrame, mark: Mark, text: str) -> float:
    sample = SAMPLE_WIDTH if mark.space else 0
    return frame.fonts.small_metrics.horizontalAdvance(text) + 14.0 + sample


def _paint_flag(painter: QPainter, frame: ChartFrame, place: Placed, text: str, mark: Mark) -> None:
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
    painter.setFont(frame.fonts.small)
    painter.setPen(mark.ink)
    draw_elided(painter, inside, text, Qt.AlignmentFlag.AlignHCenter)


def paint_waves(painter: QPainter, frame: ChartFrame) -> None:
    """Draw when the selected job runs, and where each of its waves starts, numbered where there is room."""
    rows, job = frame.content.rows, frame.content.selected_job
    if rows is None or not 0 <= job < frame.content.jobs:
        return
    _paint_extent(painter, frame, rows, job)
    for index, pool in enumerate(frame.layout.pools):
        if pool.group not in (-1, rows.group_of(job)):
            continue
        kinds = {"MAP": (MAP,), "REDUCE": (REDUCE,)}.get(pool.name, (MAP, REDUCE))
        for kind in kinds:
            name = "wave" if len(kinds) == 1 else ("map wave", "reduce wave")[kind]
            times = [*rows.wave_starts(job, kind).tolist(), float(rows.job_end[job])]
            line = kinds.index(kind)  # the tags of maps and of reduces lie below one another
            _paint_waves_of(painter, frame, index, times, name, line * TAG_HEIGHT)


def _paint_extent(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, job: int) -> None:
    """Draw a bar above the plot from the job's first start to its last end."""
    plot = frame.places.plot
    left = max(float(plot.left()), frame.x(float(rows.schedule.job_start[job])))
    right = min(float(plot.right()), frame.x(float(rows.job_end[job])))
    if right >= plot.left() and left <= plot.right():
        bar = QRectF(left, plot.top() - 2, max(3.0, right - left), 3)
        painter.fillRect(bar, colour(int(frame.tones[job, MAP_TONE])))


def _paint_waves_of(
    painter: QPainter, frame: ChartFrame, index: int, times: Sequence[float], name: str, lower: int
) -> None:
    """Draw waves that start at all but the last of `times`, when the job ends."""
    rect = frame.pool_rect(index)
    xs = [frame.x(time) for time in times]
    apart = [following - x for x, following in pairwise(xs)]
    inner = [gap for gap in apart[:-1] if gap >= LEAST_WAVE]
    pattern = _fitting_pattern(frame, (f"{name} {{}}", "w{}", "{}"), len(apart), min(inner, default=1e9))
    for wave, (x, gap) in enumerate(zip(xs, apart, strict=False), 1):
        before = apart[wave - 2] if wave > 1 else gap
        if not rect.left() <= x <= rect.right() or min(before, gap) < LEAST_WAVE:
            continue
        dashes = (WAVE_DASH, WAVE_SPACE)
        paint_dashes(painter, round(x), rect.top(), rect.bottom() + 1, dashes, 1, frame.theme.text)
        room = (gap if wave < len(apart) else rect.right() - x) - TAG_SPACE
        text = pattern.format(wave)
        has_room = frame.fonts.small_metrics.horizontalAdvance(text) <= room
        if has_room and rect.height() >= LEAST_TAGGED + lower:
            _paint_wave_tag(painter, frame, x, rect.top() + lower, text)


def _fitting_pattern(frame: ChartFrame, patterns: Sequence[str], waves: int, room: float) -> str:
    """Return the longest pattern that fits between any two waves, so that all tags are alike."""
    metrics = frame.fonts.small_metrics
    widths = [metrics.horizontalAdvance(pattern.format(waves)) for pattern in patterns]
    fitting = (pattern for pattern, width in zip(patterns, widths, strict=True) if width <= room - TAG_SPACE)
    return next(fitting, patterns[-1])


def _paint_wave_tag(painter: QPainter, frame: ChartFrame, x: float, top: int, text: str) -> None:
    width = frame.fonts.small_metrics.horizontalAdvance(text) + 8
    rect = QRectF(x + 2, top + 2, width, 15)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.card)
    painter.drawRoundedRect(rect, 3, 3)
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.text)
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), text)

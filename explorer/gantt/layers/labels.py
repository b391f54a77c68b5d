"""Names upon the rows, of jobs or of tasks where rows are tall enough, and the waves of the selected job."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap
from typing_extensions import override

from core.explain.start_cause import NO_TASK
from core.model.task_types import MAP, REDUCE
from explorer.gantt.geometry.chart_frame import colour
from explorer.gantt.geometry.painted_rows import classes_of, painted_rows
from explorer.gantt.geometry.stage_bands import stage_names
from explorer.gantt.geometry.tasks_in_view import longest_runs, tasks_between
from explorer.gantt.layers.layer import Layer, draw_tag, paint_dashes
from explorer.gantt.layers.task_marks import CHIP_ROOM, has_chip
from explorer.gantt.raster.palette import ink_on
from explorer.gantt.raster.raster_kernel import MAP_TONE, REDUCE_TONE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.schedule_rows import ScheduleRows

TASK_LABEL_ROW = 15
"""Rows at least this tall have their tasks named instead of their jobs."""

LARGE_LABEL_ROW = 26
TASK_LABEL_WIDTH = 26
MAX_TASK_LABELS = 700
MAX_JOB_LABELS = 60
FEW_JOBS = 20
"""Up to so many jobs have their names in large type, on both pools."""

OVERHANG = 1.7
"""Names of many jobs may be this much wider than their run: the halo keeps them readable."""

MIN_LETTERS = 4
"""A name that is cut keeps at least so many letters, or is not written."""

HALO = 3.4
MARGIN = 4

WAVE_DASH, WAVE_SPACE, TAG_SPACE = 4, 3, 11
TAG_HEIGHT = 17

EXTENT = 2
"""Pixels of the bar of the selected job's extent, on the upper edge of the rows."""
MIN_WAVE = 7.0
"""Waves closer together than so many pixels are not separated: the lines would hide them."""


class HaloText:
    """Text with a halo, readable on any colour; pictures of it are kept, as stroking outlines is slow."""

    def __init__(self) -> None:
        self._pictures: dict[tuple[str, str, bool, float], QPixmap] = {}

    def draw(self, painter: QPainter, frame: ChartFrame, at: QPointF, text: str, font: QFont) -> None:
        """Draw text with its baseline's left end at a point."""
        if frame.is_vector:
            _stroke(painter, at, text, font, frame.theme.is_dark)
            return
        key = (text, font.key(), frame.theme.is_dark, frame.scale.ratio)
        if key not in self._pictures:
            if len(self._pictures) > 500:
                self._pictures.clear()
            self._pictures[key] = _picture(text, font, frame.theme.is_dark, frame.scale.ratio)
        ascent = QFontMetricsF(font).ascent()
        painter.drawPixmap(
            QPointF(round(at.x()) - MARGIN, round(at.y() - ascent) - MARGIN), self._pictures[key]
        )


def _picture(text: str, font: QFont, dark: bool, ratio: float) -> QPixmap:
    metrics = QFontMetricsF(font)
    width, height = metrics.horizontalAdvance(text) + 2 * MARGIN + 1, metrics.height() + 2 * MARGIN
    picture = QPixmap(round(width * ratio), round(height * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    _stroke(painter, QPointF(MARGIN, MARGIN + metrics.ascent()), text, font, dark)
    painter.end()
    return picture


def _stroke(painter: QPainter, at: QPointF, text: str, font: QFont, dark: bool) -> None:
    path = QPainterPath()
    path.addText(at, font, text)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    halo = QColor(0, 0, 0, 150) if dark else QColor(255, 255, 255, 215)
    joined = Qt.PenJoinStyle.RoundJoin
    painter.strokePath(path, QPen(halo, HALO, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, joined))
    painter.fillPath(path, colour(0xFFFFFF if dark else 0x10141A))


class NamesLayer(Layer):
    """The names of tasks in tall rows, else of jobs over their longest runs."""

    def __init__(self) -> None:
        self._halo = HaloText()

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        painter.save()
        painter.setClipRect(frame.places.plot)
        if frame.layout.row_height >= TASK_LABEL_ROW:
            _paint_task_labels(painter, frame, rows)
        else:
            for index in frame.layout.in_view:
                _paint_job_labels(painter, frame, _job_labels(frame, rows, index), self._halo)
        painter.restore()


class JobLabel(NamedTuple):
    """A job's name over one of its runs."""

    spot: QRectF
    text: str
    font: QFont


def _paint_job_labels(
    painter: QPainter, frame: ChartFrame, labels: Sequence[JobLabel], halo: HaloText
) -> None:
    for spot, text, font in labels:
        halo.draw(painter, frame, QPointF(spot.left(), spot.top() + QFontMetricsF(font).ascent()), text, font)


def _job_labels(frame: ChartFrame, rows: ScheduleRows, index: int) -> list[JobLabel]:
    """Return the names upon the rows of a pool, the longest runs first; none where tasks are named."""
    rect, few = frame.pool_rects[index], frame.content.jobs <= FEW_JOBS
    if frame.layout.row_height >= TASK_LABEL_ROW:
        return []
    if not few and frame.layout.pools[index].name == "REDUCE":
        return []  # their names would hide what little there is of each
    runs = longest_runs(rows.columns, frame.layout, frame.scale, index, probes=7 if few else 1)
    large = few and rect.height() > 90
    font = frame.fonts.label(0 if not large else 2 if frame.content.compact else 5)
    metrics = QFontMetricsF(font)
    if rect.height() < metrics.height() + 4:
        return []
    named = _named_jobs(frame, rows)
    shown = [run for run in runs[:MAX_JOB_LABELS] if named is None or run.job in named]
    names, late, left = frame.content.job_names, frame.content.late_texts, frame.places.plot.left()
    labels: list[JobLabel] = []
    for run, (top, bottom) in zip(shown, frame.rows([run.slot for run in shown]), strict=True):
        room = run.right - run.left
        text = _fitting_name(room, names[run.job], late.get(run.job), metrics, OVERHANG if not few else 1.0)
        width, height = metrics.horizontalAdvance(text), metrics.height()
        x, y = left + (run.left + run.right) / 2 - width / 2, (top + bottom) / 2 - height / 2
        spot = QRectF(x, y, width, height)
        if text and not any(spot.intersects(other.spot.adjusted(-5, 0, 5, 0)) for other in labels):
            labels.append(JobLabel(spot, text, font))
    return labels


def _named_jobs(frame: ChartFrame, rows: ScheduleRows) -> set[int] | None:
    """Return the jobs that keep their names while others recede; None for all."""
    path, selected = frame.content.shown_critical_path, frame.content.selected_job
    if path is not None:
        tasks = [link.task for link in path.links if link.task != NO_TASK]
        return set(rows.schedule.workload.columns.job[tasks].tolist())
    return {selected} if selected >= 0 else None


def _fitting_name(room: float, name: str, late: str | None, metrics: QFontMetricsF, overhang: float) -> str:
    """Return a job's name, elided to its run.

    A job that misses its deadline says so where there is room.
    """
    if late and metrics.horizontalAdvance(late) <= room - 2:
        return late
    return _legible(name, metrics, room * overhang - 2)


def _legible(name: str, metrics: QFontMetricsF | QFontMetrics, room: float) -> str:
    """Return a name, elided to its room; nothing where what is left could be any job's, as J…5."""
    text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(room))
    return text if text == name or len(text) > MIN_LETTERS else ""


def _paint_task_labels(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
    painter.setFont(frame.fonts.plain if frame.layout.row_height >= LARGE_LABEL_ROW else frame.fonts.small)
    left, stands_out = MAX_TASK_LABELS, _stand_out(frame, rows)
    for first, last in frame.layout.slots_in_view:
        for slot in range(first, last):
            left -= _paint_row_labels(painter, frame, rows, slot, left, stands_out)


def _paint_row_labels(
    painter: QPainter,
    frame: ChartFrame,
    rows: ScheduleRows,
    slot: int,
    most: int,
    stands_out: Callable[[int], bool],
) -> int:
    """Name the tasks of one row, at most so many; return how many were named."""
    columns, plot = rows.columns, frame.places.plot
    first, last = tasks_between(columns, slot, frame.scale.start, frame.scale.end)
    if last - first > plot.width():
        return 0  # most are thinner than a pixel
    shown = slice(first, last)
    start, is_reduce = columns.start[shown], columns.code[shown] & 1
    begin = frame.xs(np.where(is_reduce, columns.shuffled[shown], start))
    after_chip = np.array(frame.xs(start)) + CHIP_ROOM * has_chip(rows)[shown]
    left = np.maximum(np.maximum(begin, after_chip), plot.left())
    right = np.minimum(frame.xs(columns.end[shown]), plot.right())
    wide = np.flatnonzero(right - left >= TASK_LABEL_WIDTH).tolist()
    fitting = [index for index in wide if stands_out(first + index)][:most]
    for index in fitting:
        across = QRectF(left[index], 0, right[index] - left[index], 1)
        _paint_task_label(painter, frame, rows, first + index, across)
    return len(fitting)


def _stand_out(frame: ChartFrame, rows: ScheduleRows) -> Callable[[int], bool]:
    """Return which tasks, by place, keep their colour while others recede: of a job, or of the path."""
    path, selected = frame.content.shown_critical_path, frame.content.selected_job
    if path is not None:
        found = {link.task for link in path.links}
        return lambda place: int(rows.task[place]) in found
    return lambda place: selected in (-1, int(rows.columns.code[place]) >> 1)


def _paint_task_label(
    painter: QPainter, frame: ChartFrame, rows: ScheduleRows, place: int, across: QRectF
) -> None:
    task = int(rows.task[place])
    coloured = int(painted_rows(rows, classes_of(frame.content)).columns.code[place])
    columns = rows.schedule.workload.columns
    top, bottom = frame.row(int(rows.row[task]))
    metrics = painter.fontMetrics()
    name = frame.content.job_names[columns.job[task]]
    if rows.has_graphs:
        stage = stage_names(rows)[columns.stage[task]]
        prefix = f"{name} · " if frame.content.jobs > 1 else ""
        wanted = [prefix + (f"stage {stage}" if stage.isdecimal() else stage), prefix + stage]
    else:
        wanted = [f"{name} {'mr'[columns.kind[task]]}·w{rows.wave(task)}"]
    fitting = (each for each in wanted if metrics.horizontalAdvance(each) <= across.width() - 6)
    text = _legible(next(fitting, name), metrics, across.width() - 6)
    tone = int(frame.task_tones[coloured >> 1, REDUCE_TONE if coloured & 1 else MAP_TONE])
    painter.setPen(colour(ink_on(tone)))
    x = across.center().x() - metrics.horizontalAdvance(text) / 2
    y = (top + bottom - 1) / 2 + (metrics.ascent() - metrics.descent()) / 2
    painter.drawText(QPointF(x, y), text)


class WavesLayer(Layer):
    """When the selected job runs, and where each of its waves starts, numbered where there is room."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        job = frame.content.selected_job
        if not 0 <= job < frame.content.jobs:
            return
        _paint_extent(painter, frame, rows, job)
        if rows.has_graphs:
            return  # of a stage among many, waves are no stretches of time that could be told apart
        for index, pool in enumerate(frame.layout.pools):
            if pool.group not in (-1, rows.group_of(job)):
                continue
            taken = [label.spot for label in _job_labels(frame, rows, index)]
            kinds = {"MAP": (MAP,), "REDUCE": (REDUCE,)}.get(pool.name, (MAP, REDUCE))
            for kind in kinds:
                name = "wave" if len(kinds) == 1 else ("map wave", "reduce wave")[kind]
                first = int(rows.schedule.workload.columns.stages.begin[job])
                times = [*rows.wave_starts(first + kind).tolist(), float(rows.job_end[job])]
                line = kinds.index(kind)  # the tags of maps and of reduces lie below one another
                _paint_waves_of(painter, frame, index, times, name, line * TAG_HEIGHT, taken)


def _paint_extent(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, job: int) -> None:
    """Draw a bar on the plot's upper edge from the job's first start to its last end."""
    plot = frame.places.plot
    left = max(float(plot.left()), frame.x(float(rows.schedule.job_start[job])))
    right = min(float(plot.right()), frame.x(float(rows.job_end[job])))
    if right >= plot.left() and left <= plot.right():
        bar = QRectF(left, max(plot.top() - EXTENT, 0), max(3.0, right - left), EXTENT)
        painter.fillRect(bar, colour(int(frame.tones[job, MAP_TONE])))


def _paint_waves_of(
    painter: QPainter,
    frame: ChartFrame,
    index: int,
    times: Sequence[float],
    name: str,
    lower: int,
    taken: Sequence[QRectF],
) -> None:
    """Draw waves that start at all but the last of `times`, when the job ends; tags lie upon no name."""
    rect = frame.pool_rects[index]
    xs = frame.xs(times)
    apart = [following - x for x, following in pairwise(xs)]
    inner = [gap for gap in apart[:-1] if gap >= MIN_WAVE]
    pattern = _fitting_pattern(frame, (f"{name} {{}}", "w{}", "{}"), len(apart), min(inner, default=1e9))
    for wave, (x, gap) in enumerate(zip(xs, apart, strict=False), 1):
        before = apart[wave - 2] if wave > 1 else gap
        if not rect.left() <= x <= rect.right() or min(before, gap) < MIN_WAVE:
            continue
        dashes = (WAVE_DASH, WAVE_SPACE)
        paint_dashes(painter, round(x), rect.top(), rect.bottom() + 1, dashes, 1, frame.theme.text)
        room = (gap if wave < len(apart) else rect.right() - x) - TAG_SPACE
        text = pattern.format(wave)
        has_room = frame.fonts.small_metrics.horizontalAdvance(text) <= room
        # in tall rows the names of tasks have their waves
        has_row = rect.height() >= TAG_HEIGHT + lower and frame.layout.row_height < TASK_LABEL_ROW
        has_row &= len(apart) > 1  # of a single wave there is nothing to tell
        if has_room and has_row:
            _paint_wave_tag(painter, frame, x, rect.top() + lower, text, taken)


def _fitting_pattern(frame: ChartFrame, patterns: Sequence[str], waves: int, room: float) -> str:
    """Return the longest pattern that fits between any two waves, so that all tags are alike."""
    metrics = frame.fonts.small_metrics
    widths = [metrics.horizontalAdvance(pattern.format(waves)) for pattern in patterns]
    fitting = (pattern for pattern, width in zip(patterns, widths, strict=True) if width <= room - TAG_SPACE)
    return next(fitting, patterns[-1])


def _paint_wave_tag(
    painter: QPainter, frame: ChartFrame, x: float, top: int, text: str, taken: Sequence[QRectF]
) -> None:
    width = frame.fonts.small_metrics.horizontalAdvance(text) + 8
    rect = QRectF(x + 2, top + 2, width, 15)
    if not any(rect.intersects(spot) for spot in taken):
        draw_tag(painter, frame, rect, text, 3, frame.theme.card, frame.theme.text)

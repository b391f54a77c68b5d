"""The waves of the selected job as bands with numbers, and how long it runs."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage
from typing_extensions import override

from core.charts.raster_kernel import MAP_TONE, spacing_of
from core.charts.row_columns import kept_with_rows
from core.measures.hidden_shuffle import shuffle_of_waves
from core.measures.stage_spans import stage_spans
from core.model.number_text import grouped
from core.model.task_types import MAP, REDUCE
from core.model.time_text import duration_text
from explorer.gantt.geometry.chart_frame import colour
from explorer.gantt.layers.labels import TASK_LABEL_ROW, job_labels
from explorer.gantt.layers.layer import Layer, draw_tag, paint_dashes
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QFontMetrics, QPainter

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame

WAVE_DASH, WAVE_SPACE = 4, 3
TAG_HEIGHT, TAG_AIR, TAG_APART = 15.0, 8, 5
"""Pixels of the number of a wave: its height, beside its text, and to the next one."""
EXTENT = 2
"""Pixels of the bar of the selected job's extent, on the upper edge of the rows."""
MIN_LINE, MIN_BAND = 7.0, 3.0
"""Waves that are closer together than so many pixels have no lines between them, or no bands."""
SEPARATOR = " · "
MAX_SHORT = 4
"""A last wave is short if the one before has so many times its tasks."""
BAND_ALPHA = 34
"""How much the tasks of every second wave are darker, 0 to 255."""
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Every so many-th wave has its number, where not all have room."""


class WavesLayer(Layer):
    """When the selected job runs, and its waves, each with its number: every second one has darker tasks."""

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
            taken = [label.spot for label in job_labels(frame, rows, index)]
            kinds = {"MAP": (MAP,), "REDUCE": (REDUCE,)}.get(pool.name, (MAP, REDUCE))
            for kind in kinds:
                name = "wave" if len(kinds) == 1 else ("map wave", "reduce wave")[kind]
                bands = wave_bands(frame, rows, job, kind)
                if not bands:
                    continue
                stage = int(rows.schedule.workload.columns.stages.begin[job]) + kind
                _paint_shade(painter, frame, rows, index, stage)
                _paint_lines(painter, frame, frame.pool_rects[index], bands)
                taken += _paint_numbers(painter, frame, index, bands, name, taken)
                if text := short_wave_text(rows, stage):
                    _paint_short_wave(painter, frame, frame.pool_rects[index], bands[-1], text, taken)


class WaveBand(NamedTuple):
    """A wave of a job.

    Attributes
    ----------
    number : from 1
    left, right : pixels at which it begins, and at which the next one does
    text : what it is: "64 tasks", "64 tasks · first shuffle 4.2 s"
    """

    number: int
    left: float
    right: float
    text: str


def short_wave_text(rows: ScheduleRows, stage: int) -> str:
    """Return what a last wave of few tasks costs: "1 task more: 40 % longer"; nothing for another.

    It has at most a quarter as many tasks as the wave before. What it costs is its length beside that of all
    waves before it.
    """
    starts = rows.wave_starts(stage)
    if len(starts) < 2:
        return ""
    counts = np.bincount(rows.waves(stage))
    if MAX_SHORT * counts[-1] > counts[-2]:
        return ""
    before, after = float(starts[-1] - starts[0]), rows.last_wave_end(stage) - float(starts[-1])
    if before <= 0:
        return ""
    tasks = f"{counts[-1]} task{'s' if counts[-1] > 1 else ''} more"
    return f"{tasks}: {100 * after / before:.0f} % longer"


@kept_with_rows
def _known_texts(_rows: ScheduleRows) -> dict[int, list[str]]:
    """Return what waves are, by stage, as far as that was asked for."""
    return {}


def wave_texts(rows: ScheduleRows, stage: int) -> list[str]:
    """Return what each wave of a stage is: "64 tasks", "64 tasks · first shuffle 4.2 s"; found once.

    The shuffle is the part after the maps, of a task on average. It is a first one where all tasks of the
    wave have started before the maps ended.
    """
    known = _known_texts(rows)
    if stage not in known:
        schedule, waves = rows.schedule, rows.waves(stage)
        first = int(schedule.workload.columns.stages.first[stage])
        start = schedule.start[first : first + len(waves)]
        ready = float(stage_spans(schedule).ready[stage])
        counts = np.bincount(waves)[1:]
        early = np.bincount(waves, start < ready)[1:] == counts
        known[stage] = [
            f"{grouped(count)} task{'s' * (count > 1)}" + (SEPARATOR + shuffle if shuffle else "")
            for count, shuffle in zip(
                counts.tolist(),
                _shuffle_texts(shuffle_of_waves(schedule, stage, waves), early),
                strict=True,
            )
        ]
    return known[stage]


def _shuffle_texts(seconds: NDArray[np.float64], is_first: NDArray[np.bool_]) -> Iterator[str]:
    for each, first in zip(seconds.tolist(), is_first.tolist(), strict=True):
        yield f"{'first ' * first}shuffle {duration_text(each)}" if each > 0 else ""


def wave_bands(frame: ChartFrame, rows: ScheduleRows, job: int, kind: int) -> list[WaveBand]:
    """Return the waves of a job's tasks of a type, each from where half of its tasks have started.

    None where they are so close together that nothing could be told apart, or where there is one alone.
    """
    stage = int(rows.schedule.workload.columns.stages.begin[job]) + kind
    starts = rows.wave_starts(stage).tolist()
    if len(starts) < 2:
        return []
    xs = frame.xs([*starts, rows.last_wave_end(stage)])
    texts = wave_texts(rows, stage)
    bands = [
        WaveBand(number, left, max(left, right), text)
        for number, ((left, right), text) in enumerate(zip(pairwise(xs), texts, strict=True), 1)
    ]
    return bands if median(band.right - band.left for band in bands) >= MIN_BAND else []


def _paint_extent(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, job: int) -> None:
    """Draw a bar on the plot's upper edge from the job's first start to its last end."""
    plot = frame.places.plot
    left = max(float(plot.left()), frame.x(float(rows.schedule.job_start[job])))
    right = min(float(plot.right()), frame.x(float(rows.job_end[job])))
    if right >= plot.left() and left <= plot.right():
        bar = QRectF(left, max(plot.top() - EXTENT, 0), max(3.0, right - left), EXTENT)
        painter.fillRect(bar, colour(int(frame.tones[job, MAP_TONE])))


def _paint_shade(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, index: int, stage: int) -> None:
    """Draw the tasks of every second wave darker."""
    rect, ratio = frame.pool_rects[index], frame.scale.ratio
    size = round(rect.width() * ratio), round(rect.height() * ratio)
    if min(size) <= 0 or index in frame.layout.folded:
        return
    ink = translucent(frame.theme.text, BAND_ALPHA).rgba()
    shade = np.where(even_waves(frame, rows, index, stage, size), np.uint32(ink), np.uint32(0))
    image = QImage(shade.tobytes(), *size, 4 * size[0], QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(ratio)
    painter.drawImage(rect.topLeft(), image)


def even_waves(
    frame: ChartFrame, rows: ScheduleRows, index: int, stage: int, size: tuple[int, int]
) -> NDArray[np.bool_]:
    """Return which device pixels of a lane have tasks of every second wave of a stage, (lines, columns)."""
    layout, ratio, (columns, lines) = frame.layout, frame.scale.ratio, size
    stages, pool = rows.schedule.workload.columns.stages, layout.pools[index]
    first, waves = int(stages.first[stage]), rows.waves(stage)
    tasks = first + np.flatnonzero(waves % 2 == 0)
    start, end, row = rows.schedule.start[tasks], rows.schedule.end[tasks], rows.row[tasks] - pool.first_slot
    below = rows.last_row[tasks] - pool.first_slot + 1
    kept = (row >= 0) & (row < pool.slots) & (end > frame.scale.start) & (start < frame.scale.end)
    start, end, row, below = start[kept], end[kept], row[kept], below[kept]
    left, right = (np.floor(frame.scale.x(each) * ratio + 0.5).clip(0, columns) for each in (start, end))
    height = layout.row_heights[index]
    above = layout.pool_tops[index] - layout.pool_spans[index][0]
    top, bottom = (above + each * height for each in (row, below))
    top, bottom = (np.floor(each * ratio + 0.5).clip(0, lines) for each in (top, bottom - spacing_of(height)))
    edges = np.zeros((lines + 1, columns + 1), np.int8)
    for y, x, step in ((top, left, 1), (top, right, -1), (bottom, left, -1), (bottom, right, 1)):
        np.add.at(edges, (y.astype(np.int64), x.astype(np.int64)), np.int8(step))
    inside = edges.cumsum(axis=1, dtype=np.int8).cumsum(axis=0, dtype=np.int8)
    darker: NDArray[np.bool_] = inside[:-1, :-1] > 0
    return darker


def _paint_lines(painter: QPainter, frame: ChartFrame, rect: QRect, bands: Sequence[WaveBand]) -> None:
    """Draw a dashed line where each wave begins."""
    before = bands[0].right - bands[0].left
    for band in bands:
        is_apart = min(before, band.right - band.left) >= MIN_LINE
        if is_apart and rect.left() <= band.left <= rect.right():
            dashes = (WAVE_DASH, WAVE_SPACE)
            ends = rect.top(), rect.bottom() + 1
            paint_dashes(painter, round(band.left), *ends, dashes, 1, frame.theme.text)
        before = band.right - band.left


def _paint_numbers(
    painter: QPainter,
    frame: ChartFrame,
    index: int,
    bands: Sequence[WaveBand],
    name: str,
    taken: Sequence[QRectF],
) -> list[QRectF]:
    """Write the numbers of waves, as many as have room, upon no name; return where they stand.

    In tall rows the names of tasks have their waves.
    """
    rect = frame.pool_rects[index]
    if not bands or rect.height() < TAG_HEIGHT + 2 or frame.layout.row_height >= TASK_LABEL_ROW:
        return []
    pattern, step = _fitting_numbers(frame, bands, name)
    placed: list[QRectF] = []
    for band in bands:
        if band.number % step:
            continue
        text = pattern.format(band.number)
        metrics = frame.fonts.small_metrics
        if pattern.startswith(name):
            text = _with_more(text, band, metrics, _seen_end(frame, rect, band))
        width = metrics.horizontalAdvance(text) + TAG_AIR
        left = band.left + 2
        if left < rect.left() or left + width > rect.right():
            continue
        levels = (rect.top() + 2, rect.bottom() - TAG_HEIGHT - 1)
        spots = (QRectF(left, top, width, TAG_HEIGHT) for top in levels)
        free = (spot for spot in spots if not any(spot.intersects(each) for each in taken))
        spot = next(free, None)
        if spot is not None and not (placed and spot.left() < placed[-1].right() + 1):
            draw_tag(painter, frame, spot, text, 3, frame.theme.card, frame.theme.text)
            placed.append(spot)
    return placed


def _seen_end(frame: ChartFrame, rect: QRect, band: WaveBand) -> float:
    """Return the pixel at which a wave ends in view; its begin where a veil hides how it goes on."""
    seen = min(band.right, float(rect.right() + 1))
    return band.left if frame.content.is_veiled and seen < band.right else seen


def _with_more(text: str, band: WaveBand, metrics: QFontMetrics, end: float) -> str:
    """Return the name of a wave with as much of what it is as fits between its begin and a pixel."""
    last = band.text.split(SEPARATOR)[-1]  # of reduces the shuffle, which tells more than how many they are
    longer = (f"{text}{SEPARATOR}{more}" for more in (band.text, last))
    room = end - band.left - TAG_AIR - TAG_APART
    return next((each for each in longer if metrics.horizontalAdvance(each) <= room), text)


def _paint_short_wave(
    painter: QPainter, frame: ChartFrame, rect: QRect, last: WaveBand, text: str, taken: Sequence[QRectF]
) -> None:
    """Write what a last wave of few tasks costs, at the foot of its lane, where there is room."""
    width = frame.fonts.small_metrics.horizontalAdvance(text) + TAG_AIR
    spot = QRectF(last.left + 2, rect.bottom() - TAG_HEIGHT - 1, width, TAG_HEIGHT)
    fits = rect.left() <= spot.left() and spot.right() <= rect.right() and rect.height() >= 2 * TAG_HEIGHT
    is_over = _seen_end(frame, rect, last) > last.left
    if fits and is_over and not any(spot.intersects(each) for each in taken):
        draw_tag(painter, frame, spot, text, 3, frame.theme.card, frame.theme.text)


def _fitting_numbers(frame: ChartFrame, bands: Sequence[WaveBand], name: str) -> tuple[str, int]:
    """Return how numbers are written, alike for all, and that every so many-th wave has one.

    They fit the usual wave: one that is shorter leaves its number out where that would lie upon another.
    """
    metrics = frame.fonts.small_metrics
    usual = median(band.right - band.left for band in bands)
    for step in STEPS:
        for pattern in (f"{name} {{}}", "w{}", "{}") if step == 1 else ("{}",):
            text = pattern.format(bands[-1].number)
            if metrics.horizontalAdvance(text) + TAG_AIR + TAG_APART <= usual * step:
                return pattern, step
    return "{}", STEPS[-1]

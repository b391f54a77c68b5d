"""The waves of the selected job as bands with numbers, and how long it runs."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from typing_extensions import override

from core.model.task_types import MAP, REDUCE
from explorer.gantt.geometry.chart_frame import colour, translucent
from explorer.gantt.layers.labels import TASK_LABEL_ROW, job_labels
from explorer.gantt.layers.layer import Layer, draw_tag, paint_dashes
from explorer.gantt.raster.raster_kernel import MAP_TONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QRect
    from PySide6.QtGui import QPainter

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.schedule_rows import ScheduleRows

WAVE_DASH, WAVE_SPACE = 4, 3
TAG_HEIGHT, TAG_AIR, TAG_APART = 15.0, 8, 5
"""Pixels of the number of a wave: its height, beside its text, and to the next one."""
EXTENT = 2
"""Pixels of the bar of the selected job's extent, on the upper edge of the rows."""
MIN_LINE, MIN_BAND = 7.0, 3.0
"""Waves that are closer together than so many pixels have no lines between them, or no bands."""
MAX_SHORT = 4
"""A last wave is short if the one before has so many times its tasks."""
BAND_ALPHA = 34
"""How much every second wave is darker, 0 to 255."""
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Every so many-th wave has its number, where not all have room."""


class WavesLayer(Layer):
    """When the selected job runs, and its waves: every second one is a darker band, with its number."""

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
                _paint_bands(painter, frame, frame.pool_rects[index], bands)
                taken += _paint_numbers(painter, frame, index, bands, name, taken)
                text = short_wave_text(rows, int(rows.schedule.workload.columns.stages.begin[job]) + kind)
                if text and bands:
                    _paint_short_wave(painter, frame, frame.pool_rects[index], bands[-1], text, taken)


class WaveBand(NamedTuple):
    """A wave of a job in pixels: its number from 1, where it begins, and where the next one does."""

    number: int
    left: float
    right: float


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


def wave_bands(frame: ChartFrame, rows: ScheduleRows, job: int, kind: int) -> list[WaveBand]:
    """Return the waves of a job's tasks of a type, each from where half of its tasks have started.

    None where they are so close together that nothing could be told apart, or where there is one alone.
    """
    stage = int(rows.schedule.workload.columns.stages.begin[job]) + kind
    starts = rows.wave_starts(stage).tolist()
    if len(starts) < 2:
        return []
    xs = frame.xs([*starts, rows.last_wave_end(stage)])
    bands = [WaveBand(number, left, max(left, right)) for number, (left, right) in enumerate(pairwise(xs), 1)]
    return bands if median(band.right - band.left for band in bands) >= MIN_BAND else []


def _paint_extent(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, job: int) -> None:
    """Draw a bar on the plot's upper edge from the job's first start to its last end."""
    plot = frame.places.plot
    left = max(float(plot.left()), frame.x(float(rows.schedule.job_start[job])))
    right = min(float(plot.right()), frame.x(float(rows.job_end[job])))
    if right >= plot.left() and left <= plot.right():
        bar = QRectF(left, max(plot.top() - EXTENT, 0), max(3.0, right - left), EXTENT)
        painter.fillRect(bar, colour(int(frame.tones[job, MAP_TONE])))


def _paint_bands(painter: QPainter, frame: ChartFrame, rect: QRect, bands: Sequence[WaveBand]) -> None:
    shade = translucent(frame.theme.text, BAND_ALPHA)
    before = bands[0].right - bands[0].left if bands else 0.0
    for band in bands:
        left, right = max(round(band.left), rect.left()), min(round(band.right), rect.right() + 1)
        if band.number % 2 == 0 and right > left:
            painter.fillRect(left, rect.top(), right - left, rect.height(), shade)
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
        width = frame.fonts.small_metrics.horizontalAdvance(text) + TAG_AIR
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


def _paint_short_wave(
    painter: QPainter, frame: ChartFrame, rect: QRect, last: WaveBand, text: str, taken: Sequence[QRectF]
) -> None:
    """Write what a last wave of few tasks costs, at the foot of its lane, where there is room."""
    width = frame.fonts.small_metrics.horizontalAdvance(text) + TAG_AIR
    spot = QRectF(last.left + 2, rect.bottom() - TAG_HEIGHT - 1, width, TAG_HEIGHT)
    fits = rect.left() <= spot.left() and spot.right() <= rect.right() and rect.height() >= 2 * TAG_HEIGHT
    if fits and not any(spot.intersects(each) for each in taken):
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

"""Names upon the rows, of jobs or of tasks where rows are tall enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QPainter
from typing_extensions import override

from core.charts.painted_rows import classes_of, painted_rows
from core.charts.palette import ink_on
from core.charts.raster_kernel import MAP_TONE, REDUCE_TONE
from core.charts.stage_names import stage_names
from core.explain.overlap_marks import overlap_marks
from core.explain.start_cause import NO_TASK
from core.model.time_text import clock_text
from explorer.gantt.geometry.blocks import Block, blocks_in
from explorer.gantt.geometry.chart_frame import colour
from explorer.gantt.geometry.tasks_in_view import tasks_between
from explorer.gantt.layers.critical_path import lasts
from explorer.gantt.layers.fact_and_forecast import end_of_past
from explorer.gantt.layers.layer import CHIP_MARGIN, CHIP_WIDTH, Layer
from explorer.gantt.layers.row_bands import name_spot
from explorer.widgets.theme import fill_with, translucent, write_with

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Set

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame

TASK_LABEL_ROW = 15
"""Rows at least this tall have their tasks named instead of their jobs."""

LARGE_LABEL_ROW = 26
TASK_LABEL_WIDTH = 26
MAX_TASK_LABELS = 700
MAX_JOB_LABELS = 60
MIN_LETTERS = 8
"""A name that is cut keeps at least so many letters, or is not written."""

PILL_HEIGHT, PILL_EDGE, PILL_AIR, PILL_INSET = 15.0, 3.0, 5.0, 9.0
"""Pixels of the plate of a job's name: its height, its edge in the colour of the job, the air beside the
letters, and how far it lies inside of the job's block, where there is so much room."""
PILL_ALPHA, PILL_RADIUS, PILL_APART = 230, 3.0, 4.0
LINE_ROOM = 2.0
"""Pixels from the middle of the line of a time to its end."""
MIN_BLOCK = 14.0
"""Pixels of a block that is high enough for a name."""
TASK_INSET = 7.0
"""Pixels from the left end of a task to its name."""


class NamesLayer(Layer):
    """The names of tasks in tall rows; of jobs upon their blocks in low ones, and where no task has room."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        painter.save()
        painter.setClipRect(frame.places.plot)
        is_tall = frame.layout.row_height >= TASK_LABEL_ROW
        named = _paint_task_labels(painter, frame, rows) if is_tall else {}
        _paint_pills(painter, frame, rows, named)
        painter.restore()


def paint_names_above(
    painter: QPainter, frame: ChartFrame, rows: ScheduleRows, at: float | None = None
) -> None:
    """Write the names of jobs in low rows once more, above what an instant shows; or those across a time."""
    if frame.layout.row_height < TASK_LABEL_ROW and not frame.content.is_veiled:
        painter.save()
        painter.setClipRect(frame.places.plot)
        _paint_pills(painter, frame, rows, {}, None if at is None else frame.x(at))
        painter.restore()


def _paint_pills(
    painter: QPainter,
    frame: ChartFrame,
    rows: ScheduleRows,
    named: Mapping[int, Set[int]],
    across: float | None = None,
) -> None:
    """Name the blocks of jobs, but in each pool of rows not those of jobs whose tasks are named.

    Parameters
    ----------
    across : an x over which the names lie that are painted; None for all
    """
    for index in frame.layout.in_view:
        for label in job_labels(frame, rows, index, named.get(index, frozenset())):
            if across is None or label.spot.left() - LINE_ROOM < across < label.spot.right() + LINE_ROOM:
                _paint_pill(painter, frame, label)


class JobLabel(NamedTuple):
    """A job's name upon its block: a plate with an edge in the job's colour."""

    spot: QRectF
    text: str
    job: int


def _paint_pill(painter: QPainter, frame: ChartFrame, label: JobLabel) -> None:
    spot, theme = label.spot, frame.theme
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill_with(painter, translucent(theme.surface, PILL_ALPHA))
    painter.drawRoundedRect(spot, PILL_RADIUS, PILL_RADIUS)
    edge = QRectF(spot.left(), spot.top(), PILL_EDGE, spot.height())
    painter.fillRect(edge, colour(int(frame.tones[label.job, MAP_TONE])))
    write_with(painter, frame.fonts.small, theme.text)
    painter.drawText(spot.adjusted(PILL_EDGE, 0, 0, 0), int(Qt.AlignmentFlag.AlignCenter), label.text)


def job_labels(
    frame: ChartFrame, rows: ScheduleRows, index: int, without: Set[int] = frozenset()
) -> list[JobLabel]:
    """Return the names upon the blocks of a pool of rows, but of jobs whose tasks are named; none if folded.

    The name of an only job would cover its tasks and tell nothing: the legend has it.
    """
    if index in frame.layout.folded or frame.content.jobs < 2:
        return []
    metrics, named = frame.fonts.small_metrics, _named_jobs(frame, rows)
    names, late = frame.content.job_names, frame.content.late_texts

    def width_of(text: str) -> float:
        return metrics.horizontalAdvance(text) + PILL_EDGE + 2 * PILL_AIR

    def room_of(job: int) -> float:
        return width_of(names[job])

    plot, taken = frame.places.plot, [_selected_place(frame, rows), *_pool_names(frame, rows, index)]
    past = end_of_past(frame, rows) - plot.left()
    labels: list[JobLabel] = []
    for block in _blocks(frame, rows, index, room_of):
        is_named = block.job in without or (named is not None and block.job not in named)
        if block.height < MIN_BLOCK or is_named:
            continue
        texts = [text for text in (late.get(block.job), names[block.job]) if text]
        room = min(block.right, past) - block.left
        text = next((text for text in texts if width_of(text) <= room), "")
        y = plot.top() + (block.top + block.bottom - PILL_HEIGHT) / 2
        left = plot.left() + block.left + min(PILL_INSET, (room - width_of(text)) / 2)
        spot = QRectF(left, round(y), width_of(text), PILL_HEIGHT)
        around = spot.adjusted(-PILL_APART, 0, PILL_APART, 0)
        if text and not any(map(around.intersects, (*taken, *(one.spot for one in labels)))):
            labels.append(JobLabel(spot, text, block.job))
        if len(labels) == MAX_JOB_LABELS:
            break
    return labels


def _blocks(
    frame: ChartFrame, rows: ScheduleRows, index: int, room_of: Callable[[int], float]
) -> list[Block]:
    """Return the blocks of jobs in a pool of rows; kept for the last times, rows and type."""
    seen = frame.scale, frame.layout, frame.fonts
    known: tuple[object, dict[int, list[Block]]] | None = rows.kept.get(Block)
    if known is None or known[0] != seen:
        known = rows.kept[Block] = seen, {}
    if index not in known[1]:
        known[1][index] = blocks_in(rows.columns, frame.layout, frame.scale, index, room_of)
    return known[1][index]


def _pool_names(frame: ChartFrame, rows: ScheduleRows, index: int) -> Iterator[QRectF]:
    """Yield where the pool of jobs of some rows is named, if they belong to one."""
    group = frame.layout.pools[index].group
    first = next((i for i in frame.layout.named_in_view if index in frame.layout.named_together(i)), -1)
    if group >= 0 and first >= 0:
        yield name_spot(frame, first, rows.groups[group])


def _selected_place(frame: ChartFrame, rows: ScheduleRows) -> QRectF:
    """Return where the selected task is, with its frame; an empty rectangle without one."""
    task = frame.content.selected_task
    if not 0 <= task < len(rows.row) or rows.row[task] < 0:
        return QRectF()
    own, schedule = slice(task, task + 1), rows.schedule
    boxes = frame.boxes(rows.row[own], schedule.start[own], schedule.end[own], rows.last_row[own])
    left, right, top, bottom = next(iter(boxes))
    return QRectF(left, top, max(right - left, 1.0), max(bottom - top, 1)).adjusted(-3, -3, 3, 3)


def _named_jobs(frame: ChartFrame, rows: ScheduleRows) -> set[int] | None:
    """Return the jobs that keep their names while others recede; None for all."""
    path, selected = frame.content.shown_critical_path, frame.content.selected_job
    if path is not None:
        tasks = [link.task for link in path.links if link.task != NO_TASK]
        return set(rows.schedule.workload.columns.job[tasks].tolist())
    return {selected} if selected >= 0 else None


def _legible(name: str, metrics: QFontMetricsF | QFontMetrics, room: float) -> str:
    """Return a name, elided to its room; nothing where what is left could be any job's, as J…5."""
    text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(room))
    return text if text == name or len(text) > MIN_LETTERS else ""


def _paint_task_labels(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> dict[int, set[int]]:
    """Name the tasks of tall rows; return the jobs whose tasks are named in each pool of rows in view."""
    painter.setFont(frame.fonts.plain if frame.layout.row_height >= LARGE_LABEL_ROW else frame.fonts.small)
    left, stands_out = MAX_TASK_LABELS, _stand_out(frame, rows)
    layout, named = frame.layout, dict[int, set[int]]()
    for first, last in layout.slots_in_view:
        jobs: set[int] = set()
        for slot in range(first, last):
            left -= _paint_row_labels(painter, frame, rows, slot, left, stands_out, jobs)
        named[layout.pool_of(first)] = jobs
    return named


def _paint_row_labels(
    painter: QPainter,
    frame: ChartFrame,
    rows: ScheduleRows,
    slot: int,
    most: int,
    stands_out: Callable[[int], bool],
    jobs: set[int],
) -> int:
    """Name the tasks of one row, at most so many, and add their jobs; return how many had room."""
    columns, plot = rows.columns, frame.places.plot
    first, last = tasks_between(columns, slot, frame.scale.start, frame.scale.end)
    if last - first > plot.width():
        return 0  # most are thinner than a pixel
    shown = slice(first, last)
    start, is_reduce = columns.start[shown], columns.code[shown] & 1
    begin = frame.xs(np.where(is_reduce, columns.shuffled[shown], start))
    has_chip = overlap_marks(rows.schedule).is_moved[rows.task[shown]]
    after_chip = np.array(frame.xs(start)) + (CHIP_WIDTH + CHIP_MARGIN) * has_chip
    left = np.maximum(np.maximum(begin, after_chip), plot.left())
    right = np.minimum(frame.xs(columns.end[shown]), end_of_past(frame, rows))
    wide = np.flatnonzero(right - left >= TASK_LABEL_WIDTH).tolist()
    if rows.by_memory is not None:  # a task of several rows is named once
        wide = (rows.begins_at(np.array(wide, np.int64) + first) - first).tolist()
    fitting = [index for index in wide if stands_out(first + index)][:most]
    for index in fitting:
        across = QRectF(left[index], 0, right[index] - left[index], 1)
        if _paint_task_label(painter, frame, rows, first + index, across):
            jobs.add(int(columns.code[first + index]) >> 1)
    return len(fitting)


def _stand_out(frame: ChartFrame, rows: ScheduleRows) -> Callable[[int], bool]:
    """Return which tasks, by place, keep their colour while others recede: of a job, or of the path."""
    path, selected = frame.content.shown_critical_path, frame.content.selected_job
    if path is not None:
        found = {link.task for link in path.links if lasts(rows, link)}
        return lambda place: int(rows.task[place]) in found
    return lambda place: selected in (-1, int(rows.columns.code[place]) >> 1)


def _paint_task_label(
    painter: QPainter, frame: ChartFrame, rows: ScheduleRows, place: int, across: QRectF
) -> bool:
    """Write the name of a task, as much as there is room for; return whether that was legible."""
    task = int(rows.task[place])
    coloured = int(painted_rows(rows, classes_of(frame.content)).columns.code[place])
    columns = rows.schedule.workload.columns
    top, bottom = frame.row(int(rows.row[task]), int(rows.last_row[task]))
    metrics = painter.fontMetrics()
    has_others = frame.content.jobs > 1  # an only job's name tells nothing
    name = frame.content.job_names[columns.job[task]] if has_others else ""
    prefix = f"{name} · " if has_others else ""
    if rows.has_graphs:
        stage = stage_names(rows)[columns.stage[task]]
        wanted = [prefix + (f"stage {stage}" if stage.isdecimal() else stage), prefix + stage]
    else:
        seconds = clock_text(float(rows.schedule.end[task] - rows.schedule.start[task]))
        is_own = frame.content.selected_job == columns.job[task]
        wanted = [prefix + (f"wave {rows.wave(task)}" if is_own else seconds)]
    room = int(across.width()) - 6
    fitting = (each for each in wanted if metrics.horizontalAdvance(each) <= room)
    text = _legible(next(fitting, name), metrics, room)
    tone = int(frame.task_tones[coloured >> 1, REDUCE_TONE if coloured & 1 else MAP_TONE])
    painter.setPen(colour(ink_on(tone)))
    free = across.width() - metrics.horizontalAdvance(text)
    x = across.left() + min(TASK_INSET, free / 2)
    y = (top + bottom - 1) / 2 + (metrics.ascent() - metrics.descent()) / 2
    painter.drawText(QPointF(x, y), text)
    return bool(text)

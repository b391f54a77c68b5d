"""Paints names upon the rows: of jobs over their longest runs, or of tasks where rows are tall enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from core.model.workload import REDUCE
from explorer.gantt.geometry.chart_frame import colour
from explorer.gantt.geometry.tasks_in_view import JobRun, longest_runs, tasks_between
from explorer.gantt.layers.task_marks import CHIP_ROOM
from explorer.gantt.raster.palette import ink_on
from explorer.gantt.raster.raster_kernel import MAP_TONE, REDUCE_TONE

if TYPE_CHECKING:
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.schedule_rows import ScheduleRows

TASK_LABEL_ROW = 15
"""Rows at least this tall have their tasks named instead of their jobs."""

LARGE_LABEL_ROW = 26
TASK_LABEL_WIDTH = 26
MOST_TASK_LABELS = 700
MOST_JOB_LABELS = 60
FEW_JOBS = 20
"""Up to so many jobs have their names in large type, on both pools."""

OVERHANG = 1.7
"""Names of many jobs may be this much wider than their run: the halo keeps them readable."""

HALO = 3.4
MARGIN = 4


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


def paint_labels(painter: QPainter, frame: ChartFrame, halo: HaloText) -> None:
    """Draw the names of tasks in tall rows, else of jobs."""
    rows = frame.content.rows
    if rows is None:
        return
    painter.save()
    painter.setClipRect(frame.places.plot)
    if frame.layout.row_height >= TASK_LABEL_ROW:
        _paint_task_labels(painter, frame, rows)
    else:
        for index in range(len(frame.layout.pools)):
            _paint_job_labels(painter, frame, rows, index, halo)
    painter.restore()


def _paint_job_labels(
    painter: QPainter, frame: ChartFrame, rows: ScheduleRows, index: int, halo: HaloText
) -> None:
    rect = frame.pool_rect(index)
    few = frame.content.jobs <= FEW_JOBS
    if not few and frame.layout.pools[index].name == "REDUCE":
        return  # their names would hide what little there is of each
    runs = longest_runs(rows.columns, frame.layout, frame.scale, index, probes=7 if few else 1)
    selected = frame.content.selected_job
    font = frame.fonts.label(_label_size(frame, rect.height()))
    metrics = QFontMetricsF(font)
    if rect.height() < metrics.height() + 4:
        return
    taken: list[QRectF] = []
    for run in runs[:MOST_JOB_LABELS]:
        if selected >= 0 and run.job != selected:
            continue
        text = _fitting_name(frame, run, metrics, OVERHANG if not few else 1.0)
        spot = _label_spot(frame, run, metrics, text)
        if text and not any(spot.intersects(other) for other in taken):
            taken.append(spot.adjusted(-5, 0, 5, 0))
            halo.draw(painter, frame, QPointF(spot.left(), spot.top() + metrics.ascent()), text, font)


def _fitting_name(frame: ChartFrame, run: JobRun, metrics: QFontMetricsF, overhang: float) -> str:
    """Return a job's name, elided to its run; nothing where not even a letter is left.

    A job that misses its deadline says so where there is room.
    """
    room = run.width * overhang - 2
    late = frame.content.late_texts.get(run.job)
    if late and metrics.horizontalAdvance(late) <= run.width - 2:
        return late
    text = metrics.elidedText(frame.content.job_names[run.job], Qt.TextElideMode.ElideMiddle, room)
    return text if text.strip("…") else ""


def _label_size(frame: ChartFrame, height: int) -> int:
    """Return how many pixels larger than the base font names of jobs are."""
    few = frame.content.jobs <= FEW_JOBS
    return (5 if few and not frame.content.compact else 2 if few else 0) if height > 90 else 0


def _label_spot(frame: ChartFrame, run: JobRun, metrics: QFontMetricsF, text: str) -> QRectF:
    width, height = metrics.horizontalAdvance(text), metrics.height()
    top, bottom = frame.row(run.slot)
    left = frame.places.plot.left() + (run.left + run.right) / 2 - width / 2
    return QRectF(left, (top + bottom) / 2 - height / 2, width, height)


def _paint_task_labels(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
    painter.setFont(frame.fonts.plain if frame.layout.row_height >= LARGE_LABEL_ROW else frame.fonts.small)
    left = MOST_TASK_LABELS
    for index in range(len(frame.layout.pools)):
        top, bottom = frame.layout.pool_span(index)
        if bottom <= top:
            continue
        for slot in range(frame.layout.slots_at(top)[0], frame.layout.slots_at(bottom - 1)[-1] + 1):
            left -= _paint_row_labels(painter, frame, rows, slot, left)


def _paint_row_labels(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, slot: int, most: int) -> int:
    """Name the tasks of one row, at most so many; return how many were named."""
    columns, plot = rows.columns, frame.places.plot
    first, last = tasks_between(columns, slot, frame.scale.start, frame.scale.start + frame.scale.span)
    if last - first > plot.width():
        return 0  # most are thinner than a pixel
    named = 0
    for place in range(first, last):
        is_reduce = bool(columns.code[place] & 1)
        begin = columns.shuffled[place] if is_reduce else columns.start[place]
        marked = CHIP_ROOM if bool(rows.is_marked[place]) else 0.0
        left = max(float(plot.left()), frame.x(float(begin)), frame.x(float(columns.start[place])) + marked)
        right = min(float(plot.right()), frame.x(float(columns.end[place])))
        if right - left >= TASK_LABEL_WIDTH and named < most:
            _paint_task_label(painter, frame, rows, place, QRectF(left, 0, right - left, 1))
            named += 1
    return named


def _paint_task_label(
    painter: QPainter, frame: ChartFrame, rows: ScheduleRows, place: int, across: QRectF
) -> None:
    columns = rows.columns
    job, kind = int(columns.code[place]) >> 1, int(columns.code[place]) & 1
    top, bottom = frame.row(int(rows.row[rows.task[place]]))
    metrics = painter.fontMetrics()
    name = frame.content.job_names[job]
    full = f"{name} {'mr'[kind]}·w{rows.wave(int(rows.task[place]))}"
    text = full if metrics.horizontalAdvance(full) <= across.width() - 6 else name
    text = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, int(across.width()) - 6)
    tone = int(frame.shown_tones[job, REDUCE_TONE if kind == REDUCE else MAP_TONE])
    fades = frame.content.selected_job >= 0 and job != frame.content.selected_job
    painter.setPen(frame.theme.faint if fades else colour(ink_on(tone)))
    x = across.center().x() - metrics.horizontalAdvance(text) / 2
    y = (top + bottom - 1) / 2 + (metrics.ascent() - metrics.descent()) / 2
    painter.drawText(QPointF(x, y), text)

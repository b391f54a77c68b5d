"""Paints what follows the pointer: crosshair, frame of the task under it, and a job that is dragged."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from core.model.time_text import clock_text
from core.model.workload import MAP
from explorer.gantt.geometry.chart_frame import colour, draw_elided, translucent
from explorer.gantt.layers.execution_history import attempt_facts
from explorer.gantt.layers.task_facts import task_facts
from explorer.gantt.layers.title_and_axis import TICK_DISTANCE, tick_labels
from explorer.gantt.raster.raster_kernel import MAP_TONE, REDUCE_TONE

if TYPE_CHECKING:
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.tasks_in_view import Hit
    from explorer.gantt.gestures.cursor_line import CursorLine
    from explorer.gantt.gestures.gestures import Drag


def paint_crosshair(painter: QPainter, frame: ChartFrame, seconds: float) -> None:
    """Draw the line of the linked crosshair and its time upon the axis."""
    if not frame.shows(seconds):
        return
    plot, axis = frame.places.plot, frame.places.axis
    x = frame.x(seconds)
    painter.fillRect(round(x), plot.top(), 1, axis.top() - plot.top(), frame.theme.crosshair)
    _, step = frame.scale.ticks(TICK_DISTANCE)
    text = clock_text(seconds, step / 10 if step <= 10 else 1.0, frame.scale.start + frame.scale.span)
    width = frame.fonts.small_metrics.horizontalAdvance(text) + 12
    left = min(max(x - width / 2, 2.0), frame.places.whole.width() - width - 2.0)
    flag = QRectF(left, axis.top() + 1, width, axis.height() - 3)
    for _, label, _ in tick_labels(frame):
        if label.intersects(flag):
            painter.fillRect(label, frame.theme.window)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.text)
    painter.drawRoundedRect(flag, 4, 4)
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.window)
    painter.drawText(flag, int(Qt.AlignmentFlag.AlignCenter), text)


def paint_task_frame(painter: QPainter, frame: ChartFrame, place: int, is_selected: bool = False) -> None:
    """Outline the task at a place in the row columns; a selected one in the cursor's colour."""
    rows = frame.content.rows
    if rows is None or place < 0:
        return
    top, bottom = frame.row(int(rows.row[rows.task[place]]))
    left, right = frame.x(float(rows.columns.start[place])), frame.x(float(rows.columns.end[place]))
    spacing = 1 if frame.layout.row_height >= 3.5 else 0
    rect = QRectF(left, top, max(2.0, right - left), max(2.0, bottom - top - spacing))
    painter.save()
    painter.setClipRect(frame.places.plot.adjusted(-1, -1, 1, 1))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(frame.theme.window, 3.5))
    painter.drawRect(rect)
    painter.setPen(QPen(frame.theme.cursor if is_selected else frame.theme.text, 1.6))
    painter.drawRect(rect)
    painter.restore()


def paint_old_place(painter: QPainter, frame: ChartFrame, old: ScheduleRows, job: int) -> None:
    """Outline where a job was in an old schedule, row by row."""
    schedule = old.schedule
    columns = schedule.workload.columns
    fill, edge = translucent(frame.theme.text, 26), translucent(frame.theme.text, 190)
    painter.save()
    painter.setClipRect(frame.places.plot)
    for kind in (0, 1):
        first, count = int(columns.first[job, kind]), int(columns.count[job, kind])
        slots, which = np.unique(old.row[first : first + count], return_inverse=True)
        starts, ends = np.full(len(slots), np.inf), np.zeros(len(slots))
        np.minimum.at(starts, which, schedule.start[first : first + count])
        np.maximum.at(ends, which, schedule.end[first : first + count])
        for slot, start, end in zip(slots.tolist(), starts.tolist(), ends.tolist(), strict=True):
            top, bottom = frame.row(slot)
            left, right = round(frame.x(start)), round(frame.x(end))
            painter.fillRect(left, top, right - left, bottom - top, fill)
            painter.fillRect(left, top, 1, bottom - top, edge)
            painter.fillRect(right - 1, top, 1, bottom - top, edge)
    painter.restore()


def paint_drop(painter: QPainter, frame: ChartFrame, seconds: float, text: str, at: QPointF) -> None:
    """Draw where a dragged job would go, and what that would do, beside the pointer."""
    plot = frame.places.plot
    if frame.shows(seconds):
        x = round(frame.x(seconds))
        painter.fillRect(x - 1, plot.top(), 3, plot.height(), frame.theme.accent)
    metrics = QFontMetrics(frame.fonts.small_bold)
    width = min(metrics.horizontalAdvance(text) + 24.0, frame.places.whole.width() - 8.0)
    rect = beside(frame, at, width, 24)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.shadow)
    painter.drawRoundedRect(rect.adjusted(-2, 0, 2, 4), 7, 7)
    painter.setBrush(frame.theme.accent)
    painter.drawRoundedRect(rect, 5, 5)
    painter.setFont(frame.fonts.small_bold)
    painter.setPen(frame.theme.on_accent)
    draw_elided(painter, rect.adjusted(10, 0, -10, 0), text, Qt.AlignmentFlag.AlignHCenter)


def paint_focus(painter: QPainter, frame: ChartFrame) -> None:
    """Draw the ring of keyboard focus around the plot."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(frame.theme.accent, 1.2))
    painter.drawRoundedRect(frame.places.plot.adjusted(-2, -2, 2, 2), 3, 3)


LINE_HEIGHT, PADDING, LEAST_WIDTH, MOST_WIDTH = 17, 11, 170, 300


class HoverFacts(Protocol):
    """What a card shows: of a task, or of another attempt of a recorded run."""

    @property
    def job(self) -> int:
        """Index of the job that lends its colour; -1 for none."""

    @property
    def kind(self) -> int:
        """MAP or REDUCE: which tone of that colour."""

    @property
    def title(self) -> str:
        """The first line."""

    def lines(self) -> list[tuple[str, str]]:
        """Return names and values."""

    def note(self) -> str:
        """Return the last line, or nothing."""


def paint_card(painter: QPainter, frame: ChartFrame, facts: HoverFacts, at: QPointF) -> None:
    """Draw facts in a card near a point, inside of the chart."""
    lines, note = facts.lines(), facts.note()
    title_metrics, metrics = QFontMetrics(frame.fonts.small_bold), frame.fonts.small_metrics
    widths = [title_metrics.horizontalAdvance(facts.title) + 19, metrics.horizontalAdvance(note)]
    widths += [
        metrics.horizontalAdvance(name) + metrics.horizontalAdvance(value) + 24 for name, value in lines
    ]
    width = min(MOST_WIDTH, max(LEAST_WIDTH, *widths) + 2 * PADDING)
    height = 2 * PADDING + LINE_HEIGHT * (len(lines) + 1) + 3 + (LINE_HEIGHT + 2 if note else 0)
    rect = beside(frame, at, width, height)
    draw_panel(painter, frame, rect)
    _paint_title(painter, frame, facts, rect)
    painter.setFont(frame.fonts.small)
    y = rect.top() + PADDING + LINE_HEIGHT + 3
    for name, value in lines:
        row = QRectF(rect.left() + PADDING, y, rect.width() - 2 * PADDING, LINE_HEIGHT)
        painter.setPen(frame.theme.muted)
        draw_elided(painter, row, name)
        painter.setPen(frame.theme.text)
        draw_elided(painter, row, value, Qt.AlignmentFlag.AlignRight)
        y += LINE_HEIGHT
    if note:
        painter.setPen(frame.theme.muted)
        draw_elided(
            painter, QRectF(rect.left() + PADDING, y + 2, rect.width() - 2 * PADDING, LINE_HEIGHT), note
        )


def _paint_title(painter: QPainter, frame: ChartFrame, facts: HoverFacts, rect: QRectF) -> None:
    tone = MAP_TONE if facts.kind == MAP else REDUCE_TONE
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(int(frame.tones[facts.job, tone])) if facts.job >= 0 else frame.theme.faint)
    painter.drawRoundedRect(QRectF(rect.left() + PADDING, rect.top() + PADDING + 2, 12, 12), 3, 3)
    painter.setFont(frame.fonts.small_bold)
    painter.setPen(frame.theme.text)
    title = QRectF(
        rect.left() + PADDING + 19, rect.top() + PADDING, rect.width() - 2 * PADDING - 19, LINE_HEIGHT
    )
    draw_elided(painter, title, facts.title, mode=Qt.TextElideMode.ElideMiddle)


def beside(frame: ChartFrame, at: QPointF, width: float, height: float) -> QRectF:
    """Return a rectangle next to a point, on the side where there is room."""
    whole = frame.places.whole
    x = at.x() + 16 if at.x() + 16 + width <= whole.width() - 4 else at.x() - 16 - width
    y = at.y() + 14 if at.y() + 14 + height <= whole.height() - 4 else at.y() - 14 - height
    return QRectF(
        max(4.0, min(x, whole.width() - width - 4)),
        max(4.0, min(y, whole.height() - height - 4)),
        width,
        height,
    )


def draw_panel(painter: QPainter, frame: ChartFrame, rect: QRectF) -> None:
    """Draw a rounded panel with a soft shadow."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.shadow)
    for spread in range(1, 6):
        painter.drawRoundedRect(
            rect.adjusted(-spread, 2 - spread, spread, 2 + spread), 7 + spread, 7 + spread
        )
    painter.setPen(frame.theme.line)
    painter.setBrush(frame.theme.card)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)


class Overlays(NamedTuple):
    """What lies over a chart.

    Attributes
    ----------
    drag : a job or an edge under way to another place, or None
    hovered : what is under the pointer
    pointer : where the pointer is, or None
    crosshair : the time under the pointer of any linked chart, or None
    cursor : the instant that is looked at
    selected_task : index of the task that explanations are about, or -1
    """

    drag: Drag | None
    hovered: Hit
    pointer: QPointF | None
    crosshair: float | None
    cursor: CursorLine | None
    selected_task: int = -1


def paint_overlays(painter: QPainter, frame: ChartFrame, over: Overlays) -> None:
    """Draw everything that moves, the nearest to the eye last."""
    rows, place = frame.content.rows, over.hovered.place
    if rows is None:
        return
    if over.drag:
        _paint_drag(painter, frame, over.drag, over.pointer)
        return
    if 0 <= over.selected_task < rows.schedule.tasks:
        paint_task_frame(painter, frame, rows.place_of(over.selected_task), is_selected=True)
    if place >= 0:
        paint_task_frame(painter, frame, place)
    if over.crosshair is not None:
        paint_crosshair(painter, frame, over.crosshair)
    if over.cursor:
        over.cursor.paint(painter, frame)
    if place >= 0 and over.pointer:
        paint_card(painter, frame, task_facts(rows, place, over.hovered.tasks), over.pointer)
    elif over.hovered.extra >= 0 and over.pointer:
        paint_card(painter, frame, attempt_facts(rows, over.hovered.extra), over.pointer)


def _paint_drag(painter: QPainter, frame: ChartFrame, drag: Drag, pointer: QPointF | None) -> None:
    if drag.job >= 0 and drag.base.pools == frame.layout.pools:
        paint_old_place(painter, frame, drag.base, drag.job)
    at = pointer or QPointF(frame.places.plot.center())
    paint_drop(painter, frame, drag.drop_time(), drag.text(), at)

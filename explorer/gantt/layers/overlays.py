"""What follows the pointer or the time cursor, upon the layers: crosshair, cards, a drag."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from core.charts.raster_kernel import MAP_TONE, REDUCE_TONE, spacing_of
from core.model.task_types import MAP
from explorer.gantt.geometry.chart_frame import colour, draw_elided
from explorer.gantt.layers.cursor_marks import paint_cursor, paint_end_line
from explorer.gantt.layers.drag_marks import paint_drag
from explorer.gantt.layers.labels import paint_names_above
from explorer.gantt.layers.layer import draw_panel
from explorer.gantt.layers.loans import paint_loans
from explorer.gantt.layers.pointers import paint_labels_above
from explorer.widgets.theme import fill_with, write_with

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.layers.cursor_marks import CursorMark
    from explorer.gantt.layers.drag_marks import DragPreview
    from explorer.gantt.layers.layer import HoverFacts

LINE_HEIGHT, PADDING, MIN_WIDTH, MAX_WIDTH = 17, 11, 170, 340
NAME_GAP = 24
"""Pixels between the name of a fact and its value at least."""

WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class Overlays(NamedTuple):
    """What lies over a chart.

    Attributes
    ----------
    drag : a job or an edge under way to another place, or None
    hovered : place in the row columns of the task under the pointer, or -1
    facts : what the card beside the pointer says, or None
    pointer : where the pointer is, or None
    crosshair : the time under the pointer of any linked chart, or None
    cursor : the instant that is looked at, or None
    hand : what a drag from here would do, in words, or nothing
    end : the time by which all is to end, or None
    """

    drag: DragPreview | None = None
    hovered: int = -1
    facts: HoverFacts | None = None
    pointer: QPointF | None = None
    crosshair: float | None = None
    cursor: CursorMark | None = None
    hand: str = ""
    end: CursorMark | None = None


def paint_overlays(painter: QPainter, frame: ChartFrame, over: Overlays) -> None:
    """Draw everything that moves, the nearest to the eye last."""
    rows = frame.content.rows
    if rows is None:
        return
    if over.drag:
        paint_drag(painter, frame, over.drag, over.pointer)
        return
    paint_selection(painter, frame)
    if over.hovered >= 0:
        paint_task_frame(painter, frame, rows, over.hovered, frame.theme.text)
    if over.crosshair is not None and frame.shows(over.crosshair):
        _paint_crosshair(painter, frame, over.crosshair)
    if over.end and frame.shows(over.end.seconds):
        paint_end_line(painter, frame, frame.places.plot.top(), frame.places.whole.height(), over.end.seconds)
        paint_names_above(painter, frame, rows, over.end.seconds)
    if over.cursor:
        seconds = over.cursor.seconds
        lends = paint_loans(painter, frame, rows, seconds)
        paint_cursor(painter, frame, rows, over.cursor)
        paint_names_above(painter, frame, rows, None if lends else seconds)
    paint_labels_above(painter, frame.unveiled, rows)
    if over.facts and over.pointer:
        paint_card(painter, frame, over.facts, over.pointer, over.hand)


def paint_selection(painter: QPainter, frame: ChartFrame) -> None:
    """Outline the task or the idle slot that explanations are about."""
    content, rows = frame.content, frame.content.rows
    if rows is None:
        return
    if 0 <= content.selected_task < rows.schedule.tasks:
        paint_task_frame(painter, frame, rows, rows.place_of(content.selected_task), frame.theme.cursor)
    idle = content.selected_idle
    if idle is not None and rows.are_slots and idle.slot < rows.schedule.cluster.slots:
        _paint_span_frame(painter, frame, (idle.slot, idle.slot), (idle.begin, idle.end), frame.theme.cursor)


# ---- lines at times


def _paint_crosshair(painter: QPainter, frame: ChartFrame, seconds: float) -> None:
    """Draw the line of the linked crosshair; its time stands upon the axis."""
    top = frame.places.plot.top()
    painter.fillRect(
        round(frame.x(seconds)), top, 1, frame.places.whole.height() - top, frame.theme.crosshair
    )


# ---- tasks


def paint_task_frame(
    painter: QPainter, frame: ChartFrame, rows: ScheduleRows, place: int, ink: QColor
) -> None:
    """Outline the task at a place in the row columns; nothing for -1."""
    if place >= 0:
        span = float(rows.columns.start[place]), float(rows.columns.end[place])
        task = rows.task[place]
        _paint_span_frame(painter, frame, (int(rows.row[task]), int(rows.last_row[task])), span, ink)


def _paint_span_frame(
    painter: QPainter, frame: ChartFrame, rows: tuple[int, int], span: tuple[float, float], ink: QColor
) -> None:
    """Outline the first to the last of some rows from one time to another."""
    top, bottom = frame.row(*rows)
    left, right = (frame.x(seconds) for seconds in span)
    spacing = spacing_of(frame.layout.row_height)
    rect = QRectF(left, top, max(2.0, right - left), max(2.0, bottom - top - spacing))
    painter.save()
    painter.setClipRect(frame.places.plot.adjusted(-1, -1, 1, 1))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(frame.theme.window, 3.5))
    painter.drawRect(rect)
    painter.setPen(QPen(ink, 1.6))
    painter.drawRect(rect)
    painter.restore()


def paint_focus(painter: QPainter, frame: ChartFrame) -> None:
    """Draw the ring of keyboard focus around the plot."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(frame.theme.accent, 1.2))
    painter.drawRoundedRect(frame.places.plot.adjusted(-2, -2, 2, 2), 3, 3)


# ---- the card of facts beside the pointer


def paint_card(painter: QPainter, frame: ChartFrame, facts: HoverFacts, at: QPointF, hand: str) -> None:
    """Draw facts in a card near a point, inside of the chart, and below them what a drag would do."""
    lines, notes = facts.lines(), [note for note in (facts.note(), hand) if note]
    title_metrics, metrics = QFontMetrics(frame.fonts.small_bold), frame.fonts.small_metrics
    widths = [title_metrics.horizontalAdvance(facts.title) + 19, *map(metrics.horizontalAdvance, notes)]
    widths += [
        metrics.horizontalAdvance(name) + metrics.horizontalAdvance(value) + NAME_GAP for name, value in lines
    ]
    width = min(MAX_WIDTH, max(MIN_WIDTH, *widths) + 2 * PADDING)
    heights = [_note_height(metrics, note, width - 2 * PADDING) for note in notes]
    height = 2 * PADDING + LINE_HEIGHT * (len(lines) + 1) + sum(heights) + 3 + (2 if notes else 0)
    rect = beside(frame, at, width, height)
    draw_panel(painter, frame, rect)
    _paint_title(painter, frame, facts, rect)
    painter.setFont(frame.fonts.small)
    row = QRectF(rect.left() + PADDING, rect.top() + PADDING + 3, rect.width() - 2 * PADDING, LINE_HEIGHT)
    for name, value in lines:
        row.translate(0, LINE_HEIGHT)
        painter.setPen(frame.theme.second_text)
        draw_elided(painter, row, name)
        painter.setPen(frame.theme.text)
        right_of_name = row.adjusted(metrics.horizontalAdvance(name) + NAME_GAP, 0, 0, 0)
        # a long name of a job in a value keeps its beginning, and the value its end
        draw_elided(painter, right_of_name, value, Qt.AlignmentFlag.AlignRight, Qt.TextElideMode.ElideMiddle)
    painter.setPen(frame.theme.second_text)
    row.translate(0, LINE_HEIGHT + 2)
    for note, height in zip(notes, heights, strict=True):
        row.setHeight(height)
        painter.drawText(row, WRAPPED, note)
        row.translate(0, height)


def _note_height(metrics: QFontMetrics, note: str, width: float) -> float:
    """Return how high a sentence is, in whole lines of a card, that is broken at this width."""
    broken = metrics.boundingRect(QRect(0, 0, int(width), 1000), WRAPPED, note)
    return LINE_HEIGHT * max(1, round(broken.height() / metrics.height()))


def _paint_title(painter: QPainter, frame: ChartFrame, facts: HoverFacts, rect: QRectF) -> None:
    tone = MAP_TONE if facts.kind == MAP else REDUCE_TONE
    third = frame.theme.third_text
    fill_with(painter, colour(int(frame.tones[facts.job, tone])) if facts.job >= 0 else third)
    painter.drawRoundedRect(QRectF(rect.left() + PADDING, rect.top() + PADDING + 2, 12, 12), 3, 3)
    write_with(painter, frame.fonts.small_bold, frame.theme.text)
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

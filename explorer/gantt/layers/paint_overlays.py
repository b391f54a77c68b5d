"""Paints what moves over a chart that stands still: the drag, or hovered task, crosshair, cursor and card."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF

from explorer.gantt.geometry.attempt_facts import attempt_facts
from explorer.gantt.geometry.task_facts import task_facts
from explorer.gantt.layers.paint_card import paint_card
from explorer.gantt.layers.paint_pointer import (
    paint_crosshair,
    paint_drop,
    paint_old_place,
    paint_task_frame,
)

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.hit_test import Hit
    from explorer.gantt.gestures.cursor_line import CursorLine
    from explorer.gantt.gestures.gestures import Drag


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

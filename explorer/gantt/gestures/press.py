"""What a press of the mouse starts, by where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from explorer.gantt.gestures.cursor_line import CursorGesture
from explorer.gantt.gestures.gestures import BlockGesture, Gesture, OverviewGesture, PanGesture
from explorer.gantt.gestures.pool_gestures import EdgeGesture, PoolJobGesture, SharedPoolGesture

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent

    from explorer.gantt.gantt_view import GanttView


def gesture_at(view: GanttView, event: QMouseEvent, place: int, order: tuple[str, ...]) -> Gesture | None:
    """Return what a press starts: on the overview, on the task at a place in the row columns, or on nothing.

    Blocks of jobs that are not in `order` cannot be dragged.
    """
    rows, position = view.content.rows, event.position()
    if rows is None:
        return None
    if view.frame().places.overview.contains(position.toPoint()):
        return OverviewGesture(view, position)
    if view.cursor_line and view.cursor_line.grabs(position):
        return CursorGesture(view, view.cursor_line.cursor, position)
    if place < 0:
        edge = view.pools.edge_at(position) if event.button() == Qt.MouseButton.LeftButton else -1
        of_one_kind = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        return EdgeGesture(view, position, edge, of_one_kind) if edge >= 0 else PanGesture(view, position)
    task, job = int(rows.task[place]), int(rows.columns.code[place]) >> 1
    if rows.schedule.workload.jobs[job].name not in order:
        return PanGesture(view, position, job, task)
    if rows.schedule.partition is not None:
        return PoolJobGesture(view, position, task)
    if rows.by_pool is not None:
        return SharedPoolGesture(view, position, task, order)
    return BlockGesture(view, position, task, order)

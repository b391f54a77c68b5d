"""The time cursor in one chart: dragged along the axis, painted again only where it was and is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRect

from explorer.gantt.gestures.gestures import Gesture
from explorer.gantt.layers.overlays import TIP, CursorMark, cursor_rects

if TYPE_CHECKING:
    from explorer.document.time_axis import TimeCursor
    from explorer.gantt.gestures.gestures import Chart

GRAB_BELOW = 2
"""Pixels below the labels of the axis where the handle can still be grabbed."""


class CursorLine(QObject):
    """Knows where the cursor of a chart is and says what has to be painted again when it moves."""

    def __init__(self, cursor: TimeCursor, chart: Chart, parent: QObject) -> None:
        super().__init__(parent)
        self.cursor, self._chart = cursor, chart
        self._slot = -1
        self._dirty: list[QRect] = []
        cursor.moved.connect(self._on_moved)

    def mark_slot(self, slot: int) -> None:
        """Mark the slot that is offered at the cursor; -1 for none."""
        if slot != self._slot:
            self._slot = slot
            self._on_moved()

    def _on_moved(self) -> None:
        """Ask for a few pixels only: in a chart of a million tasks all others stay as they are."""
        rects = self._dirty
        if self.cursor.seconds is not None:
            rects = [*rects, *cursor_rects(self._chart.frame(), self.cursor.seconds)]
        for rect in rects:
            self._chart.update(rect)

    def mark(self) -> CursorMark | None:
        """Return what is painted now, if anything, and remember which pixels that takes."""
        seconds = self.cursor.seconds
        self._dirty = [] if seconds is None else cursor_rects(self._chart.frame(), seconds)
        return None if seconds is None else CursorMark(seconds, self._slot)

    def grabs(self, position: QPointF) -> bool:
        """Whether a press at a pixel moves the cursor: anywhere on the axis."""
        axis = self._chart.frame().places.axis.adjusted(0, -TIP, 0, GRAB_BELOW)
        return self._chart.content.rows is not None and axis.contains(position.toPoint())


class CursorGesture(Gesture):
    """Drags the cursor along the axis; Escape puts it back where it was."""

    def __init__(self, chart: Chart, cursor: TimeCursor, start: QPointF) -> None:
        self._chart, self._cursor = chart, cursor
        self._before = (cursor.seconds, cursor.decision)
        self.move(start)

    def move(self, position: QPointF) -> None:
        """Look at the time under the pointer."""
        frame = self._chart.frame()
        plot = frame.places.plot
        self._cursor.show_at(frame.time(min(max(position.x(), float(plot.left())), float(plot.right() + 1))))

    def cancel(self) -> None:
        """Go back to where the cursor was."""
        seconds, decision = self._before
        if seconds is None:
            self._cursor.hide()
        else:
            self._cursor.show_at(seconds, decision)

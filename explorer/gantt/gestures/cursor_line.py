"""The time cursor: its line in one chart, painted again only where it was and is, and drags of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRect, Qt
from PySide6.QtGui import QGuiApplication

from core.explain.instant import event_near
from explorer.gantt.gestures.gestures import Gesture
from explorer.gantt.layers.cursor_marks import CursorMark, cursor_rect
from explorer.gantt.layers.loans import loan_rect

if TYPE_CHECKING:
    from collections.abc import Callable

    from explorer.document.time_axis import EndLine, TimeCursor
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.gestures.gestures import Chart

SNAP = 8
"""Pixels from which on a drag of the cursor stops at a time at which something happens."""
FIRM = 3
"""Pixels that the time by which all is to end has to be moved."""


class CursorLine(QObject):
    """Knows where the cursor of a chart is and updates what changes when it moves."""

    def __init__(self, cursor: TimeCursor, chart: Chart, parent: QObject) -> None:
        super().__init__(parent)
        self.cursor, self._chart = cursor, chart
        self._slot = -1
        self._dirty = QRect()
        cursor.moved.connect(self._on_moved)

    def mark_slot(self, slot: int) -> None:
        """Mark the slot that is offered at the cursor; -1 for none."""
        if slot != self._slot:
            self._slot = slot
            self._on_moved()

    def _on_moved(self) -> None:
        """Update a few pixels only: in a chart of a million tasks all others stay as they are."""
        self._chart.update(self._dirty)
        self._chart.update(self._rect())

    def _rect(self) -> QRect:
        seconds = self.cursor.seconds
        if seconds is None:
            return QRect()
        frame = self._chart.frame()
        return cursor_rect(frame, seconds).united(loan_rect(frame, self._chart.content.rows, seconds))

    def mark(self) -> CursorMark | None:
        """Return what is painted now, if anything, and remember which pixels that takes."""
        self._dirty, seconds = self._rect(), self.cursor.seconds
        return None if seconds is None else CursorMark(seconds, self._slot)


class CursorGesture(Gesture):
    """Drags the cursor along the axis; Escape puts it back where it was."""

    def __init__(self, frame: Callable[[], ChartFrame], cursor: TimeCursor, start: QPointF) -> None:
        self._frame, self._cursor = frame, cursor
        self._before = (cursor.seconds, cursor.decision)
        self.move(start)

    def move(self, position: QPointF) -> None:
        """Look at the time under the pointer, or at the event beside it."""
        frame = self._frame()
        plot = frame.places.plot
        x = min(max(position.x(), float(plot.left())), float(plot.right() + 1))
        self._cursor.show_at(_snapped(frame, x))

    def cancel(self) -> None:
        """Go back to where the cursor was."""
        seconds, decision = self._before
        if seconds is None:
            self._cursor.hide()
        else:
            self._cursor.show_at(seconds, decision)


class EndGesture(Gesture):
    """Drags the time by which all is to end, to round times; also beyond the end of what is shown."""

    def __init__(self, frame: Callable[[], ChartFrame], line: EndLine, start: QPointF) -> None:
        self._frame, self._line, self._start = frame, line, start
        self._before = line.seconds
        self._moved = False

    def move(self, position: QPointF) -> None:
        """Take the round time that is nearest to the pointer."""
        self._moved = self._moved or (position - self._start).manhattanLength() >= FIRM
        if self._moved:
            frame = self._frame()
            step = frame.step
            self._line.show_at(max(round(frame.time(position.x()) / step), 1) * step)

    def finish(self) -> None:
        """Request it, if it was moved."""
        if self._moved and self._line.seconds is not None:
            self._line.dropped.emit(self._line.seconds)

    def cancel(self) -> None:
        """Go back to where the line was."""
        if self._before is None:
            self._line.hide()
        else:
            self._line.show_at(self._before)


def _snapped(frame: ChartFrame, x: float) -> float:
    """Return the time of the event nearest to a pixel, if it is near; with Alt down the time there."""
    seconds, rows = frame.time(x), frame.content.rows
    if rows is None or QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.AltModifier:
        return seconds
    event = event_near(rows.schedule, seconds)
    return event if event is not None and abs(frame.x(event) - x) <= SNAP else seconds

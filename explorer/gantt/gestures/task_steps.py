"""Walking from task to task by key: along a row, and from row to row at the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from PySide6.QtCore import QPointF

from explorer.gantt.geometry.tasks_in_view import NOTHING, Hit, tasks_between
from explorer.gantt.gestures.gestures import Chart

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.charts.row_columns import RowColumns
    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.gestures.stage_steps import StageSteps
    from explorer.gantt.layers.layer import HoverFacts


class Walkable(Chart, Protocol):
    """A chart whose tasks can be pointed at without a mouse."""

    facts: HoverFacts | None

    def point_at(self, position: QPointF | None, found: Hit) -> None:
        """Show the description of something as if the pointer were there."""


class SteppedChart(Walkable, Protocol):
    """A chart whose keys stand at a task or a stage."""

    steps: TaskSteps
    stage_steps: StageSteps


class TaskSteps:
    """The task at which the keys stand; it is scrolled into view, and reported to screen readers.

    Attributes
    ----------
    place : in the row columns, -1 for none
    """

    def __init__(self, chart: Walkable, announce: Callable[[HoverFacts], None]) -> None:
        """Set what is notified of every step."""
        self._chart, self._announce = chart, announce
        self._rows: ScheduleRows | None = None
        self._place, self._time = -1, 0.0

    @property
    def place(self) -> int:
        """Where the keys stand; what is shown may have become another schedule."""
        return self._place if self._rows is self._chart.content.rows else -1

    def along(self, step: int) -> None:
        """Go to the next task of the row, or the one before."""
        rows = self._chart.content.rows
        if rows is None:
            return
        place = self.place
        if place < 0:
            self._stand_at(self._first(rows))
            return
        row = row_of(rows.columns, place)
        first, last = (int(offset) for offset in rows.columns.offsets[row : row + 2])
        self._stand_at(min(max(place + step, first), last - 1))

    def across(self, step: int) -> None:
        """Go to the next row below that runs something, or above, to what it runs at that time."""
        rows = self._chart.content.rows
        if rows is None:
            return
        place, time = self.place, self._time
        if place < 0:
            self._stand_at(self._first(rows))
            return
        open_rows = self._open_rows()
        row, task = row_of(rows.columns, place) + step, rows.task[place]
        while 0 <= row < len(open_rows):
            if open_rows[row] and rows.columns.offsets[row + 1] > rows.columns.offsets[row]:
                found = nearest(rows.columns, row, time)
                if rows.task[found] != task:  # which has several rows
                    self._stand_at(found)
                    self._time = time  # through rows of other tasks the time stays the same
                    return
            row += step

    def go_to(self, task: int, *, has_card: bool = True) -> None:
        """Stand at a task of the workload, if it is in the chart, perhaps with a card of its facts."""
        rows = self._chart.content.rows
        if rows is not None and 0 <= task < rows.schedule.tasks:
            self._stand_at(rows.place_of(task))
            if not has_card:
                self._chart.point_at(None, NOTHING)

    def take(self) -> None:
        """Select the task, as a click on it does."""
        rows, place = self._chart.content.rows, self.place
        if rows is not None and place >= 0:
            self._chart.click(int(rows.columns.code[place]) >> 1, int(rows.task[place]))

    def leave(self) -> bool:
        """Stand nowhere; whether it stood somewhere."""
        stood = self.place >= 0
        self._place = -1
        if stood:
            self._chart.point_at(None, NOTHING)
        return stood

    def _open_rows(self) -> list[bool]:
        """Whether each row is drawn: those of folded pools are not."""
        layout = self._chart.frame().layout
        is_open = [False] * layout.rows
        for index, pool in enumerate(layout.pools):
            if index not in layout.folded:
                is_open[pool.first_slot : pool.first_slot + pool.slots] = [True] * pool.slots
        return is_open

    def _first(self, rows: ScheduleRows) -> int:
        """Return the selected task, else the first one in view, else the first of all."""
        content, frame = self._chart.content, self._chart.frame()
        if 0 <= content.selected_task < rows.schedule.tasks:
            return rows.place_of(content.selected_task)
        for first, last in frame.layout.slots_in_view:
            for row in range(first, last):
                low, high = tasks_between(rows.columns, row, frame.scale.start, frame.scale.end)
                if high > low:
                    return low
        return 0 if len(rows.task) else -1

    def _stand_at(self, place: int) -> None:
        rows = self._chart.content.rows
        if rows is None or place < 0:
            return
        columns, row = rows.columns, row_of(rows.columns, place)
        start, end = float(columns.start[place]), float(columns.end[place])
        if start > self._chart.content.veil:
            return
        self._rows, self._place = rows, place
        scale = self._chart.frame().scale
        if end <= scale.start or start >= scale.end:
            self._chart.axis.reveal(start)
        self._reveal(row)
        frame = self._chart.frame()
        scale = frame.scale
        self._time = (max(start, scale.start) + min(end, scale.end)) / 2
        top, bottom = frame.row(row)
        point = QPointF(frame.x(self._time), (top + bottom) / 2)
        self._chart.point_at(point, Hit(place, row, 1, 1))
        if self._chart.facts is not None:
            self._announce(self._chart.facts)

    def _reveal(self, row: int) -> None:
        """Scroll a row into view."""
        frame = self._chart.frame()
        top, bottom = frame.layout.slot_span(row)
        height = frame.places.plot.height()
        if top < 0:
            self._chart.look.scroll(top)
        elif bottom > height:
            self._chart.look.scroll(bottom - height)


def row_of(columns: RowColumns, place: int) -> int:
    """Return the row of a task."""
    return int(np.searchsorted(columns.offsets, place, "right")) - 1


def nearest(columns: RowColumns, row: int, time: float) -> int:
    """Return the task of a row that runs at a time, else the one that is nearest to it."""
    low, high = int(columns.offsets[row]), int(columns.offsets[row + 1])
    start, end = columns.start[low:high], columns.end[low:high]
    away = np.maximum(np.maximum(start - time, time - end), 0.0)
    return low + int(np.argmin(away))

"""Dragging what is submitted earlier and later, by the mouse and by key, while the forecast follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.time_text import clock_text
from explorer.gantt.gestures.gestures import PreviewedDrag
from explorer.gantt.layers.arrival_mark import delay_words, new_rows

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.gestures.gestures import Chart

NEAR = 1e-3
"""Seconds."""


class ArrivalGesture(PreviewedDrag):
    """Drags when a submitted job comes, to round times, not before now.

    Attributes
    ----------
    seconds : when it would come if it were dropped now
    """

    goes_in_time = True

    def __init__(self, chart: Chart, start: QPointF) -> None:
        super().__init__(chart, start)
        self.before = chart.content.forecast
        assert self.before is not None  # there is something to hold
        self._home = self.seconds = new_rows(self.before)[0].arrival
        self._called = new_rows(self.before)[0].job
        self._at = chart.frame().time(start.x())

    @property
    def ghost(self) -> ScheduleRows | None:
        """What was submitted is no part of the schedule, whose ghost stays."""
        return self._ghost

    def _preview(self, position: QPointF) -> None:
        step, by = self._chart.frame().step, self._chart.frame().time(position.x()) - self._at
        assert self.before is not None
        wanted = max(round((self._home + by) / step) * step, self.before.now)
        if wanted != self.seconds:
            self.seconds = wanted
            self._chart.arrival_previewed.emit(wanted - self._home)

    @property
    def _is_home(self) -> bool:
        return self.seconds == self._home

    def _emit_drop(self) -> None:
        self._chart.arrival_dropped.emit()

    def drop_time(self) -> float:
        """Return when it would come."""
        return self.seconds

    def text(self) -> str:
        """Return what becomes of it: "late comes at 1:10: ends at 2:14, was 2:10; delays J4 by 3 min"."""
        ends = self._chart.content.forecast
        comes = f"{self._called} comes at {clock_text(self.seconds)}"
        rows = new_rows(ends)
        if ends is None or not rows or abs(rows[0].arrival - self.seconds) > NEAR:
            return f"{comes}: …"
        was = new_rows(self.before)
        before = "" if self._is_home or not was else f", was {clock_text(max(row.middle for row in was))}"
        end = clock_text(max(row.middle for row in rows))
        return f"{comes}: ends at about {end}{before}; delays {delay_words(ends) or 'nobody'}"


def step_arrival(chart: Chart, step: int) -> None:
    """Let what is submitted come so many steps later, if something is."""
    if new_rows(chart.content.forecast):
        chart.arrival_previewed.emit(step * chart.frame().step)
        chart.arrival_dropped.emit()

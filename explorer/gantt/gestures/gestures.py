"""What a pressed mouse button does: pan, or drag something with a preview."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol, overload

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication

from core.model.time_text import change_text, makespan_text
from explorer.widgets.plain_labels import say_at_pointer

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF, QRect, SignalInstance

    from core.charts.forecast_ends import ForecastEnds
    from core.charts.schedule_rows import ScheduleRows
    from explorer.document.time_axis import TimeAxis
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.gestures.navigation import Navigation


class Chart(Protocol):
    """What gestures know of a chart: what it shows and where, and what they request of it."""

    axis: TimeAxis
    look: Navigation

    @property
    def content(self) -> ChartContent:
        """What is shown now."""

    @property
    def order_previewed(self) -> SignalInstance:
        """Reports which order a drop now would give."""

    @property
    def order_dropped(self) -> SignalInstance:
        """Reports which order was dropped."""

    @property
    def arrival_previewed(self) -> SignalInstance:
        """Reports how many seconds later what is submitted would come after a drop now."""

    @property
    def arrival_dropped(self) -> SignalInstance:
        """Reports that it was dropped there."""

    @property
    def slot_clicked(self) -> SignalInstance:
        """Reports that a slot was clicked where it runs nothing, and the seconds there."""

    @property
    def stages_previewed(self) -> SignalInstance:
        """Reports in which order a drop now would number the stages of a job."""

    @property
    def stages_dropped(self) -> SignalInstance:
        """Reports the order that was dropped."""

    @property
    def stages_folded(self) -> SignalInstance:
        """Requests that the stages above the rows are folded away, or shown."""

    @property
    def drag_cancelled(self) -> SignalInstance:
        """Reports that what was previewed no longer holds."""

    def frame(self) -> ChartFrame:
        """Return the frame that is shown."""

    def click(self, job: int, task: int = -1) -> None:
        """Request that a job, or one task of it, is selected."""

    def click_stage(self, stage: int) -> None:
        """Request that a stage is selected, by its number in the whole workload; none for -1."""

    def select_by(self, step: int) -> None:
        """Request that the job so many places further is selected."""

    def cancel_gesture(self) -> None:
        """Give up what the mouse is doing."""

    def show_drag(self, drag: PreviewedDrag) -> None:
        """Show that something is dragged."""

    def end_drag(self, rows: ScheduleRows | None, ghost: ScheduleRows | None) -> None:
        """End showing it: go back to the given rows, or stay with what is shown for None."""

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        """Handle a key."""

    @overload
    def update(self) -> None: ...
    @overload
    def update(self, rect: QRect, /) -> None: ...


class Gesture:
    """From press to release; Escape cancels."""

    def move(self, position: QPointF) -> None:
        """Follow the pointer."""
        raise NotImplementedError

    def finish(self) -> None:
        """End where the pointer is."""

    def cancel(self) -> None:
        """Put everything back as it was."""
        raise NotImplementedError


def _is_far(a: QPointF, b: QPointF) -> bool:
    return (a - b).manhattanLength() >= QApplication.startDragDistance()


class PanGesture(Gesture):
    """Moves the view with the pointer; a press without movement is a click, upon a job or upon nothing."""

    def __init__(
        self,
        chart: Chart,
        start: QPointF,
        job: int = -1,
        task: int = -1,
        *,
        clicks: bool = True,
        refused: str = "",
    ) -> None:
        """Take what was pressed, whether a click selects, and why what is held there is not dragged."""
        self._chart, self._start, self._last = chart, start, start
        self._job, self._task, self._clicks = job, task, clicks
        self._moved, self._refused = False, refused

    def move(self, position: QPointF) -> None:
        """Pan by what the pointer moved since last time."""
        if not self._moved and not _is_far(position, self._start):
            return
        if not self._moved and self._refused:
            say_at_pointer(self._refused)
        self._moved = True
        by = self._last - position
        self._last = position
        self._pan(by.x(), by.y())

    def _pan(self, x: float, y: float) -> None:
        self._chart.look.pan_pixels(x, y)

    def finish(self) -> None:
        """Take it as a click if nothing moved."""
        if not self._moved and self._clicks:
            self._click()

    def _click(self) -> None:
        slot, seconds = self._slot()
        if slot >= 0:
            self._chart.slot_clicked.emit(slot, seconds)
        else:
            self._chart.click(self._job, self._task)

    def _slot(self) -> tuple[int, float]:
        """Return the slot beside all tasks that was pressed, -1 for none, and the time there."""
        frame, rows = self._chart.frame(), self._chart.content.rows
        inside = self._start - frame.places.plot.topLeft().toPointF()
        if self._job >= 0 or rows is None or rows.by_pool is not None or inside.x() < 0:
            return -1, 0.0
        slots, seconds = frame.layout.slots_at(inside.y()), frame.time(self._start.x())
        return rows.slot_at(slots[0], seconds) if slots else -1, seconds

    def cancel(self) -> None:
        """Go back to where the view was."""
        whole = self._start - self._last
        self._pan(-whole.x(), -whole.y())


class PreviewedDrag(Gesture):
    """Drags something and previews what a drop would do; without movement it is a mere press.

    Attributes
    ----------
    base : the rows as they were when it began
    job : index of the job that is dragged, or -1
    before : the forecast as it was, where what is submitted is dragged
    kind, group : whose rows a drop would change: MAP, REDUCE, or -1 for all; of a pool of jobs, or -1 for all
    has_begun : whether the pointer went far enough to be a drag
    goes_in_time : whether it goes earlier and later, not up and down
    """

    goes_in_time = False
    job = kind = group = -1
    before: ForecastEnds | None = None

    def __init__(self, chart: Chart, start: QPointF) -> None:
        assert chart.content.rows is not None  # something was hit
        self.base: ScheduleRows = chart.content.rows
        self.has_begun = False
        self._chart, self._start, self._ghost = chart, start, chart.content.ghost

    @property
    def ghost(self) -> ScheduleRows | None:
        """The rows that are shown beside those that would come of a drop."""
        return self.base

    def move(self, position: QPointF) -> None:
        """Preview what a drop here would do."""
        if not self.has_begun:
            if not self._is_drag(position):
                return
            self.has_begun = True
            self._chart.show_drag(self)
        self._preview(position)
        self._chart.update()

    def finish(self) -> None:
        """Drop it here; what would change nothing is given up."""
        if not self.has_begun:
            self._press()
        elif self._is_home:
            self.cancel()
        else:
            self._chart.end_drag(None, self._ghost)
            self._emit_drop()

    def cancel(self) -> None:
        """Show the schedule as it was before."""
        if self.has_begun:
            self._chart.end_drag(self.base, self._ghost)
            self._chart.drag_cancelled.emit()

    def text(self) -> str:
        """Return what a drop now would do."""
        raise NotImplementedError

    def drop_time(self) -> float:
        """Return the time that a line marks; not a number for none."""
        return math.nan

    def _is_drag(self, position: QPointF) -> bool:
        return _is_far(position, self._start)

    def _press(self) -> None:
        """Do what a press without movement does."""

    def _preview(self, position: QPointF) -> None:
        raise NotImplementedError

    @property
    def _is_home(self) -> bool:
        """Whether a drop now would change nothing."""
        raise NotImplementedError

    def _emit_drop(self) -> None:
        raise NotImplementedError

    @property
    def shown(self) -> ScheduleRows | None:
        """The rows as a drop now would leave them; None until they are known, or while they are veiled."""
        rows = self._chart.content.rows
        return None if self._chart.content.is_veiled or self._is_home or rows is self.base else rows

    def _outcome(self) -> str:
        """Return how long the preview takes and what that changes: "47 s, −36.5 %"; "…" until it is there."""
        rows, before = self._chart.content.rows, self.base.schedule.makespan
        if self._chart.content.is_veiled:
            return "?"
        if self._is_home:
            return makespan_text(before)
        if rows is None or rows is self.base:
            return "…"
        after = rows.schedule.makespan
        return f"{makespan_text(after, before)}, {change_text(before, after)}"


def gives_up(event: QEvent) -> bool:
    """Whether a key takes back what the mouse is doing: Escape, and undo, as that is the last thing done."""
    return isinstance(event, QKeyEvent) and (
        event.key() == Qt.Key.Key_Escape or event.matches(QKeySequence.StandardKey.Undo)
    )

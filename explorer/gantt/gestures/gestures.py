"""What a pressed mouse button does: pan, move the view in the overview, or drag a job to another place."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol, overload

import numpy as np
from PySide6.QtWidgets import QApplication

from core.model.time_text import change_text, duration_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtCore import QPointF, QRect, SignalInstance

    from explorer.document.time_axis import TimeAxis
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.schedule_rows import ScheduleRows
    from explorer.gantt.gestures.navigation import Navigation


class Chart(Protocol):
    """What gestures know of a chart: what it shows and where, and whom they ask for what."""

    axis: TimeAxis
    look: Navigation

    @property
    def content(self) -> ChartContent:
        """What is shown now."""

    @property
    def order_previewed(self) -> SignalInstance:
        """Says which order a drop now would give."""

    @property
    def order_dropped(self) -> SignalInstance:
        """Says which order was dropped."""

    @property
    def slot_clicked(self) -> SignalInstance:
        """Says that a slot was clicked where it runs nothing, and the seconds there."""

    @property
    def drag_cancelled(self) -> SignalInstance:
        """Says that what was previewed no longer holds."""

    def frame(self) -> ChartFrame:
        """Return the frame that is shown."""

    def click(self, job: int, task: int = -1) -> None:
        """Ask for a job, or one task of it, to be selected."""

    def select_by(self, step: int) -> None:
        """Ask for the job so many places further to be selected."""

    def cancel_gesture(self) -> None:
        """Give up what the mouse is doing."""

    def show_drag(self, drag: PreviewedDrag) -> None:
        """Show that something is dragged."""

    def end_drag(self, rows: ScheduleRows | None, ghost: ScheduleRows | None) -> None:
        """End showing it: go back to the given rows, or stay with what is shown for None."""

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
        self, chart: Chart, start: QPointF, job: int = -1, task: int = -1, *, clicks: bool = True
    ) -> None:
        self._chart, self._start, self._last = chart, start, start
        self._job, self._task, self._clicks = job, task, clicks
        self._moved = False

    def move(self, position: QPointF) -> None:
        """Pan by what the pointer moved since last time."""
        if not self._moved and not _is_far(position, self._start):
            return
        self._moved = True
        by = self._last - position
        self._last = position
        self._chart.look.pan_pixels(by.x(), by.y())

    def finish(self) -> None:
        """Take it as a click if nothing moved."""
        if self._moved or not self._clicks:
            return
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
        slots = frame.layout.slots_at(inside.y())
        return slots[0] if slots else -1, frame.time(self._start.x())

    def cancel(self) -> None:
        """Go back to where the view was."""
        whole = self._start - self._last
        self._chart.look.pan_pixels(-whole.x(), -whole.y())


class OverviewGesture(Gesture):
    """Moves the view to where the pointer is in the overview."""

    def __init__(self, frame: Callable[[], ChartFrame], axis: TimeAxis, start: QPointF) -> None:
        self._frame, self._axis = frame, axis
        self._before = axis.range
        self.move(start)

    def move(self, position: QPointF) -> None:
        """Centre the view on the pointer."""
        frame, shown = self._frame(), self._axis.range
        time = frame.full_scale.time(position.x() - frame.places.overview.left())
        self._axis.pan(time - shown.span / 2 - shown.start, "overview")

    def cancel(self) -> None:
        """Go back to where the view was."""
        self._axis.pan(self._before.start - self._axis.range.start, "overview")


class PreviewedDrag(Gesture):
    """Drags something and previews what a drop would do; without movement it is a mere press.

    Attributes
    ----------
    base : the rows as they were when it began
    job : index of the job that is dragged, or -1
    has_begun : whether the pointer went far enough to be a drag
    """

    job = -1

    def __init__(self, chart: Chart, start: QPointF) -> None:
        assert chart.content.rows is not None  # something was hit
        self.base: ScheduleRows = chart.content.rows
        self.has_begun = False
        self._chart, self._start, self._ghost = chart, start, chart.content.ghost

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
        """Say what a drop now would do."""
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

    def _makespan(self, unknown: str = "") -> str:
        """Say how the preview changes the makespan; until it is there what it was, or something else."""
        rows, before = self._chart.content.rows, self.base.schedule.makespan
        if rows is None or rows is self.base:
            return unknown or f"makespan {duration_text(before)}"
        after = rows.schedule.makespan
        return f"makespan {duration_text(before)} → {duration_text(after)} ({change_text(before, after)})"


class BlockGesture(PreviewedDrag):
    """Drags a job's block to another place in the order, with a preview of every place on the way.

    Places are where jobs start in the schedule at the time of the grab: they stay while previews come in.

    Attributes
    ----------
    order : job names in the order that would come of a drop now
    """

    def __init__(self, chart: Chart, start: QPointF, task: int, order: tuple[str, ...]) -> None:
        super().__init__(chart, start)
        columns = self.base.schedule.workload.columns
        self.job, self._task = int(columns.job[task]), task
        self.order = self._before = order
        self._moved = self.base.schedule.workload.jobs[self.job].name
        self._starts = stage_starts(self.base, int(columns.kind[task]))

    def _preview(self, position: QPointF) -> None:
        time = self._chart.frame().time(position.x())
        order = drop_order(self._before, self._moved, time, self._starts, self.base.schedule.makespan)
        if order != self.order:
            self.order = order
            self._chart.order_previewed.emit(order)

    def _press(self) -> None:
        self._chart.click(self.job, self._task)

    @property
    def _is_home(self) -> bool:
        return self.order == self._before

    def _emit_drop(self) -> None:
        self._chart.order_dropped.emit(self.order)

    def text(self) -> str:
        """Say what a drop now would do."""
        move = describe_move(self._before, self.order, self._moved)
        if self.order == self._before:
            return f"{move} · makespan {duration_text(self.base.schedule.makespan)}"
        return f"{move} · {self._makespan('…')}"

    def drop_time(self) -> float:
        """Return where the job would start: as previewed, or by the old schedule until a preview is there."""
        rows = self._chart.content.rows
        return (
            float(rows.schedule.job_start[self.job]) if rows and rows is not self.base else self._old_time()
        )

    def _old_time(self) -> float:
        place = self.order.index(self._moved)
        following = self.order[place + 1 : place + 2]
        return self._starts[following[0]] if following else self.base.schedule.makespan


def stage_starts(rows: ScheduleRows, kind: int) -> dict[str, float]:
    """Return when each job starts its maps or reduces, by name; its first task where it has none of them."""
    schedule = rows.schedule
    columns = schedule.workload.columns
    starts = {}
    for index, job in enumerate(schedule.workload.jobs):
        first, count = columns.first[index, kind], columns.count[index, kind]
        times = schedule.start[first : first + count]
        starts[job.name] = float(times.min() if count else schedule.job_start[index])
    return starts


def drop_order(
    order: Sequence[str], moved: str, time: float, starts: Mapping[str, float], end: float
) -> tuple[str, ...]:
    """Return the order in which `moved` has gone to the place nearest to `time`.

    Places lie where the other jobs start, the last one at `end`; the place where the job is reaches from its
    own start to the next job's.
    """
    others = [name for name in order if name != moved]
    home = list(order).index(moved)
    places = [starts[name] for name in others] + [end]
    distances = np.abs(np.array(places) - time)
    low, high = starts[moved], max(starts[moved], places[home])
    distances[home] = max(low - time, time - high, 0.0)
    place = home if distances[home] == 0 else int(np.argmin(distances))
    return (*others[:place], moved, *others[place:])


def describe_move(before: Sequence[str], after: Sequence[str], moved: str) -> str:
    """Say where a job goes: "move J2 before J4", "move J2 to the end", "J2 stays"."""
    if tuple(before) == tuple(after):
        return f"{moved} stays where it is"
    place = list(after).index(moved)
    if place == len(after) - 1:
        return f"move {moved} to the end"
    return f"move {moved} before {after[place + 1]}"

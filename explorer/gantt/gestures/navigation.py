"""Looking around in one chart: panning, zooming, scrolling and folding, by keys, wheel and pointer."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from core.charts.schedule_rows import band_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QWheelEvent

    from explorer.document.time_axis import TimeAxis
    from explorer.gantt.chart_scene import ChartScene
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.row_layout import RowLayout

NOTCH = 120
"""What Qt counts one notch of the wheel as."""

WHEEL_STEP = 0.85
"""One notch of the wheel shows so much of the time that was shown."""

WHEEL_PAN_STEP = 0.06
"""The part of the view that one notch of the wheel moves it by."""

WHEEL_ROWS = 48
"""Pixels that one notch of the wheel scrolls rows by."""

PASSED_ON, TURN = "wheel_passed_on", 300
"""What a stack remembers: when a chart left the wheel to it; so many milliseconds on it still turns."""

PAGE = 0.5
"""The least part of the rows in view that a page moves them by."""

JOB_MARGIN = 0.04
"""Air beside a job that one zooms to, as a share of its time."""


class Navigation(QObject):
    """Moves the view of a chart: time through the shared axis, rows in its own scene.

    Signals:
        rows_moved: other rows are in view
        folded: names of the pools of rows that are folded now, after the user has folded or opened some
    """

    rows_moved = Signal()
    folded = Signal(object)

    def __init__(
        self, axis: TimeAxis, scene: ChartScene, frame: Callable[[], ChartFrame], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._axis, self._scene, self._frame = axis, scene, frame

    # ---- by the pointer

    def pan_pixels(self, x: float, y: float) -> None:
        """Move the view right and down by pixels."""
        self._axis.pan(x / self._frame().scale.pixels_per_second, "drag")
        self.scroll(y)

    def scroll(self, y: float) -> None:
        """Move the view down by pixels."""
        self._scene.set_layout(self._scene.layout.scrolled_to(self._scene.layout.scroll + y))
        self.rows_moved.emit()

    def scroll_to(self, y: float) -> None:
        """Show what is that many pixels below the first row's top."""
        self.scroll(y - self._scene.layout.scroll)

    def scroll_bands(self, y: float) -> bool:
        """Move the stages above the rows down by pixels; whether there was something to move."""
        is_moved = self._scene.scroll_bands(y)
        if is_moved:
            self.rows_moved.emit()
        return is_moved

    def show_box(self, box: int) -> None:
        """Scroll until a stage, by the place of its box, is in view."""
        bands = self._scene.bands
        if bands is not None:
            self.scroll_bands(bands.with_box(box).scroll - bands.scroll)

    def show_slot(self, slot: int) -> None:
        """Scroll until a slot's row is in view, if it has one: rows of pools, or of memory, are none."""
        rows = self._scene.content.rows
        if rows is not None and rows.are_slots and 0 <= slot < rows.schedule.cluster.slots:
            self._scene.set_layout(self._scene.layout.with_slot(slot))
            self.rows_moved.emit()

    def show_task(self, task: int) -> None:
        """Scroll until the row of a task is in view, if it has started."""
        rows = self._scene.content.rows
        if rows is not None and 0 <= task < len(rows.row) and rows.row[task] >= 0:
            self._scene.set_layout(self._scene.layout.with_slot(int(rows.row[task])))
            self.rows_moved.emit()

    def wheel(self, event: QWheelEvent) -> bool:
        """Scroll rows; with Ctrl zoom at the pointer (with Shift too: rows), with Shift move in time.

        Whether the event was used: else it is for what the chart lies in, such as a stack of charts. Where
        nothing can be scrolled the wheel zooms.
        """
        turned, position, modifiers = event.angleDelta(), event.position(), event.modifiers()
        shift, control = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
        steps = (turned.y() or turned.x()) / NOTCH
        if modifiers & control and modifiers & shift:
            self.zoom_rows(steps, position.y())
        elif modifiers & control:
            self._zoom_at(position, steps)
        elif modifiers & shift or abs(turned.x()) > abs(turned.y()):
            self.pan((turned.x() or turned.y()) / -NOTCH * WHEEL_PAN_STEP, "wheel")
        else:
            return self._scroll_or_zoom(event, steps)
        return True

    def _zoom_at(self, position: QPointF, steps: float) -> None:
        frame = self._frame()
        at = frame.time(max(position.x(), frame.places.plot.left()))
        self._axis.zoom(WHEEL_STEP**steps, at, "wheel")

    def _scroll_or_zoom(self, event: QWheelEvent, steps: float) -> bool:
        layout, stack = self._scene.layout, _stack_around(self.parent())
        on_bands = self._frame().places.bands.contains(event.position().toPoint())
        if on_bands and self.scroll_bands(-steps * WHEEL_ROWS):
            return True
        beside = stack is not None and event.position().x() < self._frame().places.plot.left()
        is_turning = stack is not None and _is_turning(stack, event.timestamp(), steps)
        if layout.most_scroll and not beside and not is_turning:
            by = -event.pixelDelta().y() or -steps * WHEEL_ROWS
            self.scroll(math.copysign(max(1.0, abs(by)), by))
            if self._scene.layout.scroll != layout.scroll:
                return True
        elif stack is None:
            self._zoom_at(event.position(), steps)
            return True
        if stack is not None:
            stack.setProperty(PASSED_ON, event.timestamp())
        return False

    def show_page(self, step: int) -> None:
        """Show the rows a page further down, or up; a little of the page before stays in view."""
        height = self._frame().places.plot.height()
        self.scroll(step * max(height * PAGE, height - WHEEL_ROWS))

    def fit_rows(self, fits: bool) -> None:
        """Squeeze all rows into the plot, or give each a height that can be seen."""
        self._scene.fit_rows(fits)
        self.rows_moved.emit()

    @property
    def layout(self) -> RowLayout:
        """The rows in view."""
        return self._scene.layout

    def match(self, layout: RowLayout) -> None:
        """Show the rows that another chart with lanes of these heights shows."""
        self._scene.set_layout(self._scene.layout.matched_with(layout))
        self.rows_moved.emit()

    # ---- folding

    def fold(self, bands: Iterable[int]) -> None:
        """Fold pools of rows, by their indices, into one row each; open them where the first is folded."""
        rows, bands = self._scene.content.rows, tuple(bands)
        if rows is None or not bands:
            return
        names = band_names(rows)
        chosen = {names[index] for index in bands}
        opens = names[bands[0]] in self._scene.folded
        folded = self._scene.folded - chosen if opens else self._scene.folded | chosen
        self.set_folded(folded, bands[0])
        self.folded.emit(folded)

    def fold_marked(self) -> None:
        """Fold or open the marked pool; the first one in view if none is."""
        layout = self._scene.layout
        shown = [index for index in range(len(layout.pools)) if layout.pool_tops[index] < layout.height]
        in_view = [index for index in shown if layout.pool_tops[index] + layout.pool_heights[index] > 0]
        self.fold([layout.marked] if layout.marked >= 0 else in_view[:1])

    def fold_all(self) -> None:
        """Fold all pools, or open all if all are folded."""
        layout = self._scene.layout
        places = range(len(layout.pools))
        self.fold(places if len(layout.folded) == len(places) else set(places) - layout.folded)

    def set_folded(self, names: frozenset[str], kept: int = 0) -> None:
        """Show these pools of rows, by the names of `band_names`, as one row each; others open."""
        if names != self._scene.folded:
            self._scene.fold(names, kept)
            self.rows_moved.emit()

    def mark(self, step: int) -> None:
        """Mark the pool so many places further for keys to act upon, and bring it into view."""
        layout = self._scene.layout
        if not layout.pools:
            return
        first = -1 if step > 0 else len(layout.pools)
        marked = min(max((layout.marked if layout.marked >= 0 else first) + step, 0), len(layout.pools) - 1)
        top, height = layout.pool_tops[marked], layout.pool_heights[marked]
        least = min(top - layout.gap, 0.0)
        by = least if least < 0 else max(0.0, min(top - layout.gap, top + height - layout.height))
        self._scene.set_layout(replace(layout, marked=marked).scrolled_to(layout.scroll + by))
        self.rows_moved.emit()

    def zoom_rows(self, steps: float, y: float) -> None:
        """Zoom vertically; what is at pixel `y` stays there."""
        plot = self._frame().places.plot
        inside = min(max(y - plot.top(), 0.0), float(plot.height()))
        self._scene.set_layout(self._scene.layout.zoomed(WHEEL_STEP**-steps, inside))
        self.rows_moved.emit()

    # ---- by keys

    def pan(self, part: float, gesture: str = "pan") -> None:
        """Show other times, a part of the view later."""
        self._axis.pan(part * self._axis.range.span, gesture)

    def zoom(self, steps: float) -> None:
        """Show less time, around the crosshair or the middle."""
        self._axis.zoom(WHEEL_STEP**steps, self._anchor())

    def _anchor(self) -> float:
        cursor = self._axis.cursor
        if cursor is not None and self._axis.t0 <= cursor <= self._axis.t1:
            return cursor
        return (self._axis.t0 + self._axis.t1) / 2

    def fit(self) -> None:
        """Show everything."""
        self._axis.fit()
        self._scene.set_layout(self._scene.layout.zoomed(0.0, 0.0))
        self.rows_moved.emit()

    def zoom_to_job(self, job: int) -> None:
        """Show the time of one job."""
        rows = self._scene.content.rows
        if rows is None or not 0 <= job < self._scene.content.jobs:
            return
        start, end = (
            min(float(at[job]), self._scene.content.veil) for at in (rows.schedule.job_start, rows.job_end)
        )
        air = (end - start) * JOB_MARGIN
        self._axis.show_span(start - air, end + air)


def _stack_around(chart: QObject | None) -> QAbstractScrollArea | None:
    """Return what a chart lies in, if that can be scrolled vertically."""
    around = chart.parentWidget() if isinstance(chart, QWidget) else None
    while around is not None:
        if isinstance(around, QAbstractScrollArea) and around.verticalScrollBar().maximum() > 0:
            return around
        around = around.parentWidget()
    return None


def _is_turning(stack: QAbstractScrollArea, now: int, steps: float) -> bool:
    """Whether the wheel moves a stack already and can go on: charts that come below it do not stop it."""
    bar = stack.verticalScrollBar()
    can_go_on = bar.value() > bar.minimum() if steps > 0 else bar.value() < bar.maximum()
    return can_go_on and now - (stack.property(PASSED_ON) or -TURN) < TURN

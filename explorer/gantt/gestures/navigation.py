"""Looking around in one chart: panning, zooming and scrolling, by keys, wheel and pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPoint, QPointF

    from explorer.document.time_axis import TimeAxis
    from explorer.gantt.chart_scene import ChartScene
    from explorer.gantt.geometry.chart_frame import ChartFrame

NOTCH = 120
"""What Qt counts one notch of the wheel as."""

WHEEL_STEP = 0.85
"""One notch of the wheel shows so much of the time that was shown."""

WHEEL_PAN_STEP = 0.06
"""The part of the view that one notch of the wheel moves it by."""

JOB_MARGIN = 0.04
"""Air beside a job that one zooms to, as a share of its time."""


class Navigation(QObject):
    """Moves the view of a chart: time through the shared axis, rows in its own scene.

    Signals:
        rows_moved: other rows are in view
    """

    rows_moved = Signal()

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

    def centre_overview(self, x: float) -> None:
        """Centre the view on a pixel of the overview."""
        frame = self._frame()
        time = frame.full_scale.time(x - frame.places.overview.left())
        self._axis.pan(time - frame.scale.span / 2 - frame.scale.start, "overview")

    def wheel(self, position: QPointF, turned: QPoint, modifiers: Qt.KeyboardModifier) -> None:
        """Zoom at the pointer; with Ctrl vertically, with Shift move in time."""
        steps = turned.y() / NOTCH
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self.zoom_rows(steps, position.y())
        elif modifiers & Qt.KeyboardModifier.ShiftModifier or abs(turned.x()) > abs(turned.y()):
            self.pan((turned.x() or turned.y()) / -NOTCH * WHEEL_PAN_STEP, "wheel")
        else:
            frame = self._frame()
            at = frame.time(max(position.x(), frame.places.plot.left()))
            self._axis.zoom(WHEEL_STEP**steps, at, "wheel")

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
        start, end = float(rows.schedule.job_start[job]), float(rows.job_end[job])
        air = (end - start) * JOB_MARGIN
        self._axis.show_span(start - air, end + air)

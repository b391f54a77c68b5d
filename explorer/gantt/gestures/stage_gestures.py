"""What the mouse does with the stages above the rows: found under the pointer, clicked, scrolled, folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect
from typing_extensions import override

from explorer.gantt.gestures.gestures import Gesture, PanGesture

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.gestures.gestures import Chart

NO_STAGE = -1
SLACK = 2.0
"""Pixels beside a box in which it is still pointed at: many are hardly wider than a pixel."""


def is_above(frame: ChartFrame, position: QPointF) -> bool:
    """Whether a pixel is among the bands of stages, or on the bar of their path, or left of them."""
    if frame.bands is None:
        return False
    places = frame.places
    left, right = places.whole.left(), places.path.right()
    areas = (QRect(left, area.top(), right - left + 1, area.height()) for area in (places.bands, places.path))
    return any(area.contains(position.toPoint()) for area in areas)


def stage_at(frame: ChartFrame, position: QPointF) -> int:
    """Return the number of the stage under a pixel, -1 for none."""
    bands, area = frame.bands, frame.places.bands
    if bands is None or not area.contains(position.toPoint()):
        return NO_STAGE
    slack = SLACK / frame.scale.pixels_per_second
    box = bands.box_at(frame.time(position.x()), position.y() - area.top(), slack)
    return int(bands.bands.boxes.stage[box]) if box >= 0 else NO_STAGE


class StagesGesture(PanGesture):
    """Selects the stage that is clicked; moved, it pans in time and scrolls the bands."""

    def __init__(self, chart: Chart, start: QPointF, stage: int) -> None:
        super().__init__(chart, start)
        self._stage = stage

    @override
    def _pan(self, x: float, y: float) -> None:
        self._chart.look.pan_pixels(x, 0.0)
        self._chart.look.scroll_bands(y)

    @override
    def _click(self) -> None:
        self._chart.click_stage(self._stage)


class FoldGesture(Gesture):
    """Folds the bands of stages away, or opens them."""

    def __init__(self, chart: Chart, start: QPointF) -> None:
        self._chart, self._end = chart, start

    def move(self, position: QPointF) -> None:
        """Follow the pointer: released elsewhere it does nothing."""
        self._end = position

    def finish(self) -> None:
        """Fold, or open."""
        if self._chart.frame().fold_rect.contains(self._end.toPoint()):
            self._chart.stages_folded.emit()

    def cancel(self) -> None:
        """Leave it as it is."""

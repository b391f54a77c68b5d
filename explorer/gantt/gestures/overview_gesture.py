"""Drags in the overview: they move the frame around what is in view, or one of its sides."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from typing_extensions import override

from explorer.gantt.gestures.gestures import Gesture

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPointF

    from explorer.document.time_axis import TimeAxis
    from explorer.gantt.geometry.chart_frame import ChartFrame

NAME = "overview"
"""Steps of such drags are one entry of the history of views."""
SIDE_REACH = 5.0
"""Pixels beside a side of the frame at which a press takes hold of it."""
SMALLEST_VIEW = 6.0
"""Pixels of the overview between the sides of the frame at least."""


class Grasp(Enum):
    """What a press in the overview takes hold of."""

    LEFT = auto()
    RIGHT = auto()
    FRAME = auto()
    BESIDE = auto()
    NEW = auto()


class GraspLook(NamedTuple):
    """The pointer over something that can be held, and what a drag does then."""

    shape: Qt.CursorShape
    tip: str


GRASPS = {
    Grasp.LEFT: GraspLook(Qt.CursorShape.SizeHorCursor, "drag the side of the frame to zoom"),
    Grasp.RIGHT: GraspLook(Qt.CursorShape.SizeHorCursor, "drag the side of the frame to zoom"),
    Grasp.FRAME: GraspLook(Qt.CursorShape.OpenHandCursor, "drag the frame to move, a double click shows all"),
    Grasp.BESIDE: GraspLook(Qt.CursorShape.PointingHandCursor, "press to move the frame here"),
    Grasp.NEW: GraspLook(Qt.CursorShape.CrossCursor, "drag over what you want to see"),
}


def grasp_at(frame: ChartFrame, x: float) -> Grasp:
    """Return what a press at a pixel of the overview takes hold of."""
    view, whole = frame.view_in_overview, frame.places.overview
    away = abs(x - view.left()), abs(x - view.right())
    if min(away) <= SIDE_REACH:
        return Grasp.LEFT if away[0] < away[1] else Grasp.RIGHT
    if not view.left() < x < view.right():
        return Grasp.BESIDE
    is_whole = view.width() >= whole.width() - 1
    return Grasp.NEW if is_whole else Grasp.FRAME


class OverviewGesture(Gesture):
    """Moves what is in view, or shows another stretch of time: as the press took hold of it."""

    def __init__(self, frame: Callable[[], ChartFrame], axis: TimeAxis, start: QPointF) -> None:
        self._frame, self._axis, self._before = frame, axis, axis.range
        self._grasp = grasp_at(frame(), start.x())
        view = frame().view_in_overview
        self._from_middle = start.x() - view.center().x() if self._grasp is Grasp.FRAME else 0.0
        fixed = {Grasp.LEFT: view.right(), Grasp.RIGHT: view.left()}
        self._fixed = fixed.get(self._grasp, start.x())
        if self._grasp is Grasp.BESIDE:
            self.move(start)

    def move(self, position: QPointF) -> None:
        """Follow the pointer."""
        if self._grasp in (Grasp.FRAME, Grasp.BESIDE):
            self._axis.centre(self._time(position.x() - self._from_middle), NAME)
            return
        left, right = self._sides(position.x())
        if right - left >= SMALLEST_VIEW:
            self._axis.show_span(self._time(left), self._time(right), NAME)

    def _sides(self, x: float) -> tuple[float, float]:
        """Return the first and last pixel of the frame with the pointer at a pixel."""
        if self._grasp is Grasp.LEFT:
            return min(x, self._fixed - SMALLEST_VIEW), self._fixed
        if self._grasp is Grasp.RIGHT:
            return self._fixed, max(x, self._fixed + SMALLEST_VIEW)
        return min(x, self._fixed), max(x, self._fixed)

    def _time(self, x: float) -> float:
        """Return the time at a pixel of the overview, or at its nearer end."""
        frame = self._frame()
        place = frame.places.overview
        return frame.full_scale.time(min(max(x - place.left(), 0.0), float(place.width())))

    @override
    def cancel(self) -> None:
        """Go back to what was in view."""
        self._axis.show_span(*self._before.times, NAME)

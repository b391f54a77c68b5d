"""What all pictures of a study share: values along an axis, and marks that one points at and chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyqtgraph
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from typing_extensions import override

from core.charts.study.values import number_text
from core.model.time_text import clock_text
from explorer.plots.axis import time_ticks
from explorer.plots.fitted_axis import GAP_PX, FittedAxis
from explorer.plots.plot import Plot

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent

    from core.charts.study.values import Along
    from explorer.widgets.theme import Theme

SYMBOLS = ("o", "s", "t", "d", "p", "h")
NEAR_PX = 30
"""A spot within so many pixels of the pointer is meant."""
STEP_PX, ASIDE = 2.0, 3.0
"""An arrow key goes at least so far, and what lies aside of its way counts so many times as far."""
WAYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
BY_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
TICK_PX = 30
MIDNIGHT = " 00:00"
"""Ends every label of an axis that is marked at whole days."""
MANY_DAYS = 86400e12
"""Seconds: so many are counted in steps of 1, 2 and 5 times powers of ten, as what is no time is."""


class Spot(NamedTuple):
    """What the pointer is at.

    Attributes
    ----------
    area : in coordinates of the plot; empty for a point
    text : its numbers, in lines
    about : what a click opens, as whoever made the picture knows it
    """

    area: QRectF
    text: str
    about: Any = None  # Any: of the picture


class ValueTicks(FittedAxis):
    """An axis of values with a unit, or of named places."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.unit = ""
        self._along: Along | None = None

    def show_values(self, title: str, unit: str) -> None:
        """Mark round values, such as clocks show where they are seconds."""
        self._along, self.unit = None, unit
        self.show_title(f"{title} ({unit})" if unit and unit != "s" else title)

    def show_along(self, shown: Along) -> None:
        """Mark these values and no others; of numbers too many for their labels, round ones."""
        self._along, self.unit = shown, ""
        self.show_title(shown.title)

    @property
    @override
    def is_single(self) -> bool:
        return self._along is not None and len(self._along.labels) == 1

    @property
    @override
    def staggers(self) -> bool:
        return self._along is not None and self._along.scale == "words"

    @override
    def ticks(self, length: float) -> list[tuple[float, str]]:
        low, high = self.range
        if self._along is None or (self._along.scale == "even" and not self._is_roomy(length)):
            return self._round(low, high, length)
        places = zip(self._along.places.tolist(), self._along.labels, strict=True)
        return [(place, text) for place, text in places if low <= place <= high]

    def _is_roomy(self, length: float) -> bool:
        """Whether all numbers along the axis have room for their labels."""
        assert self._along is not None
        metrics = QFontMetricsF(self.font())
        need = max((metrics.horizontalAdvance(text) for text in self._along.labels), default=0.0) + GAP_PX
        shares = np.diff(self._along.places) / max(self.range[1] - self.range[0], 1e-12)
        return bool((shares * length >= need).all())

    def _round(self, low: float, high: float, length: float) -> list[tuple[float, str]]:
        """Return round values: as many as read well, and two at least."""
        room, least_room = (90, 40) if self.orientation == "bottom" else (TICK_PX, TICK_PX / 2)
        scale = 1.0 if self.unit == "s" else MANY_DAYS
        ticks: list[float] = []
        for most in range(max(int(length / room), 2), max(int(length / least_room), 2) + 1):
            ticks = [tick / scale for tick in time_ticks(low * scale, high * scale, most)]
            if len(ticks) > 1:
                break
        return list(zip(ticks, self._texts(ticks), strict=True))

    def _texts(self, ticks: list[float]) -> list[str]:
        if self.unit == "s":
            step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
            texts = [clock_text(value, step, max(map(abs, ticks), default=0.0)) for value in ticks]
            whole = all(text.endswith(MIDNIGHT) for text in texts)
            return [text.removesuffix(MIDNIGHT) for text in texts] if whole else texts
        return [number_text(value) for value in ticks]


class StudyPlot(Plot):
    """A plot whose marks are pointed at, by the mouse or arrow keys, and chosen, by a click or Return.

    A subclass says what a mark is in `spot_of`.

    Attributes
    ----------
    places : where marks are, in coordinates of the plot, (marks, 2)

    Signals
    -------
    pointed : the Spot under the pointer and the pointer's place in the plot, or None and None
    chosen : the Spot that was clicked
    """

    pointed = Signal(object, object)
    chosen = Signal(object)

    def __init__(self, colours: Theme) -> None:
        axes = {side: ValueTicks(side) for side in ("bottom", "left")}
        super().__init__(colours, axisItems=axes)
        self.bottom, self.left = axes["bottom"], axes["left"]
        self.getPlotItem().setContentsMargins(4, 8, 14, 2)
        self.spot: Spot | None = None
        self.places: NDArray[np.float64] = np.zeros((0, 2))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Picture of the study")
        self._last = QPointF()
        self._at = -1
        self._ring = pyqtgraph.PlotDataItem()
        self._ring.setZValue(50)

    @override
    def set_theme(self, colours: Theme) -> None:
        super().set_theme(colours)
        for side in ("left", "bottom"):
            self.getAxis(side).setTextPen(colours.second_text)
            self.getAxis(side).label.setDefaultTextColor(colours.text)

    def spot_at(self, place: QPointF) -> Spot | None:
        """Return the mark that is nearest to a pixel of the plot, if it is near."""
        if not len(self.places):
            return None
        box = self.getViewBox()
        at = box.mapSceneToView(self.mapToScene(place.toPoint()))
        apart = np.hypot(*((self.places - (at.x(), at.y())) / box.viewPixelSize()).T)
        nearest = int(apart.argmin())
        return self.spot_of(nearest) if apart[nearest] <= NEAR_PX else None

    def spot_of(self, mark: int) -> Spot:
        """Return one of the marks of `places`."""
        raise NotImplementedError

    def step(self, mark: int, apart: NDArray[np.float64], way: tuple[int, int]) -> int:
        """Return the mark that an arrow key leads to, itself where there is none that way.

        `apart` has how many pixels each mark is to the right of it and below it, (marks, 2).
        """
        ahead, aside = apart @ np.array(way), np.abs(apart @ np.array(way[::-1]))
        cost = np.where(ahead > STEP_PX, ahead + ASIDE * aside, np.inf)
        nearest = int(cost.argmin())
        return nearest if np.isfinite(cost[nearest]) else mark

    def pixel(self, x: float, y: float) -> QPointF:
        """Return the pixel of a place of the plot."""
        return QPointF(self.mapFromScene(self.getViewBox().mapViewToScene(QPointF(x, y))))

    def begin(self) -> None:
        """Begin another picture."""
        self.getPlotItem().clear()
        self.spot = None
        self.addItem(self._ring, ignoreBounds=True)
        self._ring.setData([], [])

    def _show_spot(self, spot: Spot | None) -> None:
        self.spot = spot
        self.setAccessibleDescription("" if spot is None else spot.text)
        if spot is not None:
            self._last = spot.area.center()
        self.setCursor(Qt.CursorShape.ArrowCursor if spot is None else Qt.CursorShape.PointingHandCursor)
        if spot is None:
            self._ring.setData([], [])
            return
        area, ink = spot.area, self.colours.text
        if area.isEmpty():
            at = [area.x()], [area.y()]
            self._ring.setData(*at, pen=None, symbol="o", symbolSize=13, symbolBrush=None, symbolPen=ink)
        else:
            xs = [area.left(), area.right(), area.right(), area.left(), area.left()]
            ys = [area.top(), area.top(), area.bottom(), area.bottom(), area.top()]
            self._ring.setData(xs, ys, pen=pyqtgraph.mkPen(ink, width=2), symbol=None)

    def point_at(self, place: QPointF | None) -> None:
        """Show what lies at a pixel, or nothing."""
        spot, self._at = None if place is None else self.spot_at(place), -1
        if spot != self.spot:
            self._show_spot(spot)
        self.pointed.emit(spot, place if spot is not None else None)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.point_at(event.position())

    @override
    def leaveEvent(self, event: Any) -> None:
        self.point_at(None)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.point_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and self.spot is not None:
            self.chosen.emit(self.spot)

    def _point_by_keys(self, way: tuple[int, int] | None) -> None:
        """Point at the mark that an arrow key leads to; at the one where the pointer was last, if no way."""
        places = self.places
        if not len(places):
            return
        pixels = places / self.getViewBox().viewPixelSize() * (1, -1)
        last = (self._last.x(), self._last.y()) / np.array(self.getViewBox().viewPixelSize()) * (1, -1)
        at = self._at if 0 <= self._at < len(places) else int(np.hypot(*(pixels - last).T).argmin())
        if way is not None and self.spot is not None:
            at = self.step(at, pixels - pixels[at], way)
        self.point_to(at)

    def point_to(self, mark: int) -> None:
        """Point at one of the marks, as arrow keys do."""
        spot = self.spot_of(mark)
        self._show_spot(spot)
        self._at = mark
        middle = spot.area.center()
        self.pointed.emit(spot, self.pixel(middle.x(), middle.y()))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in WAYS:
            self._point_by_keys(WAYS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.spot is not None:
            self.chosen.emit(self.spot)
        elif key == Qt.Key.Key_Escape and self.spot is not None:
            self.point_at(None)
        else:
            event.ignore()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in BY_KEYS:
            self._point_by_keys(None)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.getPlotItem() is not None:  # a plot that closes has none any more
            self.point_at(None)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

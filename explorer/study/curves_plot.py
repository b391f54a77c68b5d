"""Curves of a study: lines with bands over seeds, published points beside them, distribution functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyqtgraph
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPen
from typing_extensions import override

from explorer.plots.plot import pen
from explorer.study.legend import LegendSign
from explorer.study.study_plot import NEAR_PX, STEP_PX, SYMBOLS, Along, Spot, StudyPlot, colour_of, dash_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from explorer.widgets.theme import Theme

    Band = tuple[NDArray[np.float64], NDArray[np.float64]]

BAND_ALPHA, CLEAR_BANDS, FAINTEST = 46, 3, 18
"""How full the colour of a band is, 0 to 255; of more curves than that each is fainter, but never more so."""
MOST_SYMBOLS = 40
"""Curves of more points have no symbols."""
ROOM = 0.06
FROM_ZERO = 0.35
"""An axis of values begins at 0 where the smallest is below this part of the largest."""


class Curve(NamedTuple):
    """One curve.

    Attributes
    ----------
    name : in the legend
    xs, ys : its points, (points,); a point that has no value yet is nan
    band : its low and its high end, each (points,), or None
    texts : what is said of each point
    abouts : what a click on each point opens
    colour : place of its colour: curves of the same policy have the same one in all pictures
    is_published : read off a paper, so drawn beside ours with hollow marks
    has_steps : goes up at its points, as a distribution function does
    is_joined : a line joins its points; else, where x has no order, each has its band as a bar
    """

    name: str
    xs: NDArray[np.float64]
    ys: NDArray[np.float64]
    band: tuple[NDArray[np.float64], NDArray[np.float64]] | None
    texts: Sequence[str]
    abouts: Sequence[Any]  # Any: whatever a click is to open
    colour: int
    is_published: bool = False
    has_steps: bool = False
    is_joined: bool = True


class CurvesPlot(StudyPlot):
    """Draws curves over values of an axis, or over numbers with a unit."""

    def __init__(self, colours: Theme) -> None:
        super().__init__(colours)
        self.curves: tuple[Curve, ...] = ()
        self._xs = self._ys = np.zeros(0)
        self._whose: list[tuple[int, int]] = []

    def show_curves(
        self,
        curves: Sequence[Curve],
        x: Along | tuple[str, str],
        y: tuple[str, str],
        *,
        is_part: bool = False,
    ) -> list[LegendSign]:
        """Draw curves, and return their legend; axes are values of the study, or a title and a unit.

        With `is_part` the values are percents of a whole: the axis goes from 0 to 100.
        """
        self.begin()
        self.curves = tuple(curves)
        if isinstance(x, Along):
            self.bottom.show_along(x)
        else:
            self.bottom.show_values(*x)
        self.left.show_values(*y)
        entries = [self._draw(curve) for curve in self.curves]
        points: list[tuple[int, int]] = []
        for i, curve in enumerate(self.curves):
            points += [(i, int(k)) for k in np.flatnonzero(np.isfinite(curve.ys))]
        self._whose = points
        self._xs = np.array([self.curves[i].xs[k] for i, k in points])
        self._ys = np.array([self.curves[i].ys[k] for i, k in points])
        self._show_range(x, is_part=is_part)
        return entries

    def _draw(self, curve: Curve) -> LegendSign:
        colour, place = colour_of(curve.colour, self.colours), curve.colour
        style = Qt.PenStyle.DashLine if curve.is_published else dash_of(place)
        line = pen(colour, 1.2 if curve.is_published else 2.0, style)
        if not curve.is_joined:
            line = pen(colour, 1.0, Qt.PenStyle.NoPen)
        if curve.band is not None:
            (self._draw_band if curve.is_joined else self._draw_bars)(curve, curve.band, colour)
        symbol = SYMBOLS[place % len(SYMBOLS)] if len(curve.xs) <= MOST_SYMBOLS else None
        inside = QColor(self.colours.plot) if curve.is_published else colour
        how: dict[str, Any] = {}  # Any: what pyqtgraph takes
        if curve.has_steps:
            how, symbol = {"stepMode": "right"}, None
        elif symbol is not None:
            edge, size = pen(colour, 1.4), 8 if curve.is_published else 7
            how = {"symbol": symbol, "symbolSize": size, "symbolBrush": inside, "symbolPen": edge}
        item = pyqtgraph.PlotDataItem(curve.xs, curve.ys, pen=line, antialias=True, connect="finite", **how)
        item.setZValue(10 + place)
        self.addItem(item)
        return LegendSign(curve.name, QPen(line), (inside,), symbol=symbol or "")

    def _draw_band(self, curve: Curve, band: Band, colour: QColor) -> None:
        known = np.isfinite(band[0]) & np.isfinite(band[1])
        if known.sum() < 2:
            return
        inside = QColor(colour)
        inside.setAlpha(max(BAND_ALPHA * CLEAR_BANDS // max(len(self.curves), CLEAR_BANDS), FAINTEST))
        edges = [pyqtgraph.PlotCurveItem(curve.xs[known], ys[known], pen=None) for ys in band]
        between = pyqtgraph.FillBetweenItem(*edges, brush=inside)
        between.setZValue(1)
        for item in (*edges, between):
            self.addItem(item)

    def _draw_bars(self, curve: Curve, band: Band, colour: QColor) -> None:
        ends, xs = np.stack(band, axis=1).ravel(), np.repeat(curve.xs, 2)
        line = pen(colour, 1.2 if curve.is_published else 2.0)
        bars = pyqtgraph.PlotCurveItem(xs, ends, pen=line, connect="pairs", antialias=True)
        bars.setZValue(5 + curve.colour)
        self.addItem(bars)

    def _show_range(self, x: Along | tuple[str, str], *, is_part: bool) -> None:
        xs = np.concatenate([x.places, self._xs]) if isinstance(x, Along) else self._xs
        if len(xs):
            low, high = float(np.min(xs)), float(np.max(xs))
            room = ROOM * (high - low) or 0.5
            if isinstance(x, Along) and np.array_equal(x.places, np.arange(len(x.places))):
                room = max(room, 0.5)  # words stand in the middle of their places
            begins = 0.0 if not isinstance(x, Along) and 0 <= low < FROM_ZERO * high else low - room
            self.setXRange(begins, high + room, padding=0)
        self.setYRange(*((0.0, 102.0) if is_part else self._span()), padding=0)

    def _span(self) -> tuple[float, float]:
        """Return what the axis of values shows: all points and bands, from 0 where that is near."""
        ends = [ys for curve in self.curves for ys in (curve.ys, *(curve.band or ()))]
        known = np.concatenate(ends)[np.isfinite(np.concatenate(ends))] if ends else np.zeros(0)
        if not len(known):
            return 0.0, 1.0
        low, high = float(known.min()), float(known.max())
        if 0 <= low < FROM_ZERO * high:
            return 0.0, high * (1 + ROOM)
        room = ROOM * (high - low) or max(abs(high) * ROOM, 0.5)
        return low - room, high + room

    @override
    def spot_at(self, place: QPointF) -> Spot | None:
        if not len(self._xs):
            return None
        box = self.getViewBox()
        x_of, y_of = box.viewPixelSize()
        at = box.mapSceneToView(self.mapToScene(place.toPoint()))
        apart = np.hypot((self._xs - at.x()) / x_of, (self._ys - at.y()) / y_of)
        nearest = int(apart.argmin())
        return self.spot_of(nearest) if apart[nearest] <= NEAR_PX else None

    @property
    @override
    def places(self) -> NDArray[np.float64]:
        return np.stack([self._xs, self._ys], axis=1)

    @override
    def step(self, mark: int, apart: NDArray[np.float64], way: tuple[int, int]) -> int:
        """Go along the curve, or to the next curve at the same x; equal points are gone through in turn."""
        whose = np.array([curve for curve, _ in self._whose])
        if way[0]:
            ours = whose == whose[mark]
            return super().step(mark, np.where(ours[:, None], apart * (1, 0), 0.0), way)
        here = np.flatnonzero(np.abs(apart[:, 0]) < STEP_PX)
        here = here[np.lexsort((whose[here], apart[here, 1]))]
        if len(here) == 1:
            return super().step(mark, apart, way)
        at = int(np.flatnonzero(here == mark)[0]) + way[1]
        return int(here[min(max(at, 0), len(here) - 1)])

    @override
    def spot_of(self, mark: int) -> Spot:
        curve, point = self._whose[mark]
        shown = self.curves[curve]
        area = QRectF(shown.xs[point], shown.ys[point], 0, 0)
        return Spot(area, shown.texts[point], shown.abouts[point])


class Dot(NamedTuple):
    """A point of a scatter plot.

    Attributes
    ----------
    x, y : its values
    group : place of its group's colour
    text, about : what is said of it, and what a click opens
    is_best : no other point is as small in both
    """

    x: float
    y: float
    group: int
    text: str
    about: Any
    is_best: bool


class FrontPlot(StudyPlot):
    """Draws points of two measures, and the front of those that no other beats in both."""

    def __init__(self, colours: Theme) -> None:
        super().__init__(colours)
        self.dots: tuple[Dot, ...] = ()
        self._places = np.zeros((0, 2))

    def show_dots(
        self, dots: Sequence[Dot], groups: dict[int, str], x: tuple[str, str], y: tuple[str, str]
    ) -> list[LegendSign]:
        """Draw the dots and the line through the best of them; return the legend."""
        self.begin()
        self.dots = tuple(dots)
        self._places = np.array([(dot.x, dot.y) for dot in dots]).reshape(-1, 2)
        self.bottom.show_values(*x)
        self.left.show_values(*y)
        entries = []
        for group, name in groups.items():
            colour = colour_of(group, self.colours)
            ours = np.array([dot.group == group for dot in dots], bool)
            symbol = SYMBOLS[group % len(SYMBOLS)]
            item = pyqtgraph.ScatterPlotItem(
                *self._places[ours].T, symbol=symbol, size=8, brush=colour, pen=pen(self.colours.plot)
            )
            self.addItem(item)
            entries.append(
                LegendSign(name, QPen(QColor(colour), 1, Qt.PenStyle.NoPen), (colour,), symbol=symbol)
            )
        best = self._places[[dot.is_best for dot in dots]] if dots else self._places
        if len(best):
            line = pen(self.colours.accent, 2)
            best = best[np.lexsort((best[:, 1], best[:, 0]))]
            self.addItem(pyqtgraph.PlotDataItem(*best.T, pen=line, antialias=True))
            entries.append(LegendSign("no other is better in both", QPen(line)))
        self._show_range()
        return entries

    def _show_range(self) -> None:
        if not len(self._places):
            return
        for ends, show in zip(self._places.T, (self.setXRange, self.setYRange), strict=True):
            low, high = float(ends.min()), float(ends.max())
            room = ROOM * (high - low) or max(abs(high) * ROOM, 0.5)
            show(low - room, high + room, padding=0)

    @override
    def spot_at(self, place: QPointF) -> Spot | None:
        if not len(self._places):
            return None
        box = self.getViewBox()
        at = box.mapSceneToView(self.mapToScene(place.toPoint()))
        apart = np.hypot(*((self._places - (at.x(), at.y())) / box.viewPixelSize()).T)
        nearest = int(apart.argmin())
        return self.spot_of(nearest) if apart[nearest] <= NEAR_PX else None

    @property
    @override
    def places(self) -> NDArray[np.float64]:
        return self._places

    @override
    def spot_of(self, mark: int) -> Spot:
        dot = self.dots[mark]
        return Spot(QRectF(dot.x, dot.y, 0, 0), dot.text, dot.about)

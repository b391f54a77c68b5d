"""Curves and bars of a study with their spread, claims of papers beside them, and distribution functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyqtgraph
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPen
from typing_extensions import override

from core.charts.study.values import ROOM, Along, number_text, value_text, with_room
from core.model.time_text import clock_text
from explorer.plots.curve_looks import colour_of
from explorer.plots.histogram_picture import ink_upon
from explorer.plots.plot import pen
from explorer.study.curve_marks import (
    band_of,
    claim_items,
    claim_sign,
    has_spread,
    ink_of,
    is_alone,
    items_of,
    sign_of,
    spread_of,
    spread_sign,
)
from explorer.study.legend import LegendSign
from explorer.study.plot_texts import PlotTexts
from explorer.study.study_plot import STEP_PX, SYMBOLS, Spot, StudyPlot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QFont, QPainter, QTransform

    from core.charts.study.marks import Claim, Curve, Dot
    from explorer.widgets.theme import Theme


FROM_ZERO = 0.35
"""An axis of values begins at 0 where the smallest is below this part of the largest."""


class CurvesPlot(StudyPlot):
    """Draws curves over values of an axis, or over numbers with a unit."""

    def __init__(self, colours: Theme) -> None:
        super().__init__(colours)
        self.curves: tuple[Curve, ...] = ()
        self._whose: list[tuple[int, int]] = []
        self._pointed_band: list[pyqtgraph.GraphicsObject] = []

    def show_curves(
        self,
        curves: Sequence[Curve],
        x: Along | tuple[str, str],
        y: tuple[str, str],
        *,
        spread: str = "",
        claims: Sequence[Claim] = (),
        is_part: bool = False,
    ) -> list[LegendSign]:
        """Draw curves, and return their legend; axes are values of the study, or a title and a unit.

        With `is_part` the values are percents of a whole: the axis goes from 0 to 100. `spread` says what the
        bands of curves are, and `claims` are ranges of papers.
        """
        self.begin()
        self.curves, self._pointed_band = tuple(curves), []
        if isinstance(x, Along):
            self.bottom.show_along(x)
        else:
            self.bottom.show_values(*x)
        self.left.show_values(*y)
        points: list[tuple[int, int]] = []
        for i, curve in enumerate(self.curves):
            points += [(i, int(k)) for k in np.flatnonzero(np.isfinite(curve.ys))]
        self._whose = points
        at = [(self.curves[i].xs[k], self.curves[i].bottom[k] + self.curves[i].ys[k]) for i, k in points]
        self.places = np.array(at).reshape(-1, 2)
        self._show_range(x, claims, is_part=is_part)
        self._draw_claims(claims)
        for curve in self.curves:
            for item in items_of(curve, self.colours):
                self.addItem(item)
        signs = [self._sign(place) for place in range(len(self.curves))]
        entries = list({(sign.text, sign.symbol): sign for sign in signs}.values())  # one for alike ones
        entries += [claim_sign(claim, self.colours) for claim in claims]
        spreading = [curve for curve in self.curves if has_spread(curve)]
        self._draw_spread(spreading)
        if any(curve.mark == "bars" for curve in self.curves):
            values = bar_values(self.curves, y[1], self.colours)
            self.addItem(BarValues(values, self.left.font(), self.colours.text), ignoreBounds=True)
        return [*entries, spread_sign(spreading, spread, self.colours)] if spreading and spread else entries

    def _sign(self, place: int) -> LegendSign:
        """Return the legend's sign of a curve, with the name of the one that lies upon it at every point."""
        curve, sign = self.curves[place], sign_of(self.curves[place], self.colours)
        upon = next((later for later in self.curves[place + 1 :][::-1] if _is_alike(curve, later)), None)
        return sign if upon is None else sign._replace(text=f"{sign.text} (as {upon.name})")

    def _draw_claims(self, claims: Sequence[Claim]) -> None:
        ends, view = self.getViewBox().viewRange()
        for claim in claims:
            for item in claim_items(claim, tuple(ends), tuple(view), self.colours):
                self.addItem(item, ignoreBounds=True)

    def _draw_spread(self, curves: Sequence[Curve]) -> None:
        if is_alone(curves):
            for item in band_of(curves[0], self.colours):
                self.addItem(item)
            return
        low, high = self.getViewBox().viewRange()[0]
        for place, curve in enumerate(curves):
            for item in spread_of(curve, place, len(curves), high - low, self.colours):
                self.addItem(item)

    @override
    def _show_spot(self, spot: Spot | None) -> None:
        """Fill the band of the curve that is pointed at; those of several curves at once would mix."""
        super()._show_spot(spot)
        for item in self._pointed_band:
            self.removeItem(item)
        self._pointed_band = []
        spreading = [curve for curve in self.curves if has_spread(curve)]
        curve = next((each for each in spreading if spot is not None and spot.text in each.texts), None)
        if curve is not None and curve.mark == "line" and not is_alone(spreading):
            self._pointed_band = list(band_of(curve, self.colours))
            for item in self._pointed_band:
                self.addItem(item, ignoreBounds=True)

    def _show_range(self, x: Along | tuple[str, str], claims: Sequence[Claim], *, is_part: bool) -> None:
        wide = [np.concatenate([c.xs - c.width / 2, c.xs + c.width / 2]) for c in self.curves if c.width]
        xs = np.concatenate([self.places[:, 0], *wide, *([x.places] if isinstance(x, Along) else [])])
        if len(xs):
            low, high = float(np.min(xs)), float(np.max(xs))
            room = ROOM * (high - low) or 0.5
            if isinstance(x, Along) and x.scale == "words":
                low, high = min(low, -0.5), max(high, len(x.places) - 0.5)  # words stand in the middle
                room = ROOM
            begins = 0.0 if not isinstance(x, Along) and 0 <= low < FROM_ZERO * high else low - room
            self.setXRange(begins, high + room, padding=0)
        self.setYRange(*((0.0, 102.0) if is_part else self._span(claims)), padding=0)

    def _span(self, claims: Sequence[Claim]) -> tuple[float, float]:
        """Return what the axis of values shows: all marks, from 0 where that is near or bars stand on it."""
        ends = [curve.bottom + ys for curve in self.curves for ys in (curve.ys, *(curve.band or ()))]
        ends += [curve.bottom for curve in self.curves if curve.mark == "bars"]
        ends += [np.array([claim.least, claim.most]) for claim in claims]
        known = np.concatenate(ends)[np.isfinite(np.concatenate(ends))] if ends else np.zeros(0)
        if not len(known):
            return 0.0, 1.0
        low, high = float(known.min()), float(known.max())
        if 0 <= low < FROM_ZERO * high:
            has_values = any(curve.mark == "bars" for curve in self.curves)
            return 0.0, high * (1 + (2 * ROOM if has_values else ROOM))
        return with_room(low, high)

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
        area = QRectF(shown.xs[point], shown.bottom[point] + shown.ys[point], 0, 0)
        return Spot(area, shown.texts[point], shown.abouts[point])


def _is_alike(curve: Curve, other: Curve) -> bool:
    """Whether two lines of ours have the same points, so that one hides the other."""
    are_ours = curve.mark == other.mark == "line" and not curve.is_published and not other.is_published
    same_xs = np.array_equal(curve.xs, other.xs)
    return are_ours and same_xs and np.array_equal(curve.ys, other.ys, equal_nan=True)


DOT_SYMBOLS = (*SYMBOLS, "star")
"""One more than there are colours: the seventh group differs from the first."""


NO_OTHER = "no other is better in both"


class FrontPlot(StudyPlot):
    """Draws points of two measures, and the front of those that no other beats in both."""

    def __init__(self, colours: Theme) -> None:
        super().__init__(colours)
        self.dots: tuple[Dot, ...] = ()

    def show_dots(
        self, dots: Sequence[Dot], groups: dict[int, str], x: tuple[str, str], y: tuple[str, str]
    ) -> list[LegendSign]:
        """Draw the dots and the line through the best of them; return the legend."""
        self.begin()
        self.dots = tuple(dots)
        self.places = np.array([(dot.x, dot.y) for dot in dots]).reshape(-1, 2)
        self.bottom.show_values(*x)
        self.left.show_values(*y)
        entries = []
        for group, name in groups.items():
            colour = colour_of(group, self.colours)
            ours = np.array([dot.group == group for dot in dots], bool)
            symbol = DOT_SYMBOLS[group % len(DOT_SYMBOLS)]
            item = pyqtgraph.ScatterPlotItem(
                *self.places[ours].T, symbol=symbol, size=8, brush=colour, pen=pen(self.colours.plot)
            )
            self.addItem(item)
            entries.append(
                LegendSign(name, QPen(QColor(colour), 1, Qt.PenStyle.NoPen), (colour,), symbol=symbol)
            )
        best = self.places[[dot.is_best for dot in dots]] if dots else self.places
        if len(best) > 1:  # through one there is no line
            line = pen(self.colours.accent, 2)
            best = best[np.lexsort((best[:, 1], best[:, 0]))]
            self.addItem(pyqtgraph.PlotDataItem(*best.T, pen=line, antialias=True))
            entries.append(LegendSign(NO_OTHER, QPen(line)))
        self._show_range()
        return entries

    def _show_range(self) -> None:
        if not len(self.places):
            return
        for ends, show in zip(self.places.T, (self.setXRange, self.setYRange), strict=True):
            show(*with_room(float(ends.min()), float(ends.max())), padding=0)

    @override
    def spot_of(self, mark: int) -> Spot:
        dot = self.dots[mark]
        return Spot(QRectF(dot.x, dot.y, 0, 0), dot.text, dot.about)


LARGE = ((1e9, "G"), (1e6, "M"), (1e3, "k"))
"""What is counted in, in short."""
AIR_PX = 2
"""Between a value and what is above or below it."""
MARK_PX = 5
"""Half of a point that is drawn upon a bar, with its rim."""


class ValueOfBar(NamedTuple):
    """A value at its bar, in coordinates of the plot.

    Attributes
    ----------
    texts : the value with its unit, and as short as it can be; the first that fits is written
    x, width : the middle of the bar, and the room of a text
    top : what it stands upon; of a part of a stack, the upper end of the part
    bottom : the lower end of the part of a stack in which it stands, nan where it stands above its bar
    ground : the colour behind it in a part of a stack
    marks : where points are drawn upon the bar, ascending; no text lies over one
    """

    texts: tuple[str, str]
    x: float
    width: float
    top: float
    bottom: float
    ground: QColor
    marks: tuple[float, ...]


def short_text(value: float, unit: str) -> str:
    """Write a value in three digits without its unit, which its axis has: "2:05", "12.5", "540k"."""
    if unit == "s" and value >= 60.0:
        return clock_text(value)
    scale, sign = next((each for each in LARGE if abs(value) >= each[0]), (1.0, ""))
    return f"{number_text(float(f'{value / scale:.3g}'))}{sign}"


def bar_values(curves: Sequence[Curve], unit: str, colours: Theme) -> list[ValueOfBar]:
    """Return the values of all bars of curves, each above its bar and its spread, or in its part."""
    found: list[ValueOfBar] = []
    upon = [
        at for each in curves if each.on_bars for at in zip(each.xs.tolist(), each.ys.tolist(), strict=True)
    ]
    for curve in (each for each in curves if each.mark == "bars"):
        high = curve.ys if curve.band is None else np.fmax(curve.ys, curve.band[1])
        ends = zip(curve.xs.tolist(), curve.ys.tolist(), curve.bottom.tolist(), high.tolist(), strict=True)
        for x, y, bottom, top in ends:
            if np.isfinite(y):
                texts = value_text(y, unit), short_text(y, unit)
                low = np.nan if curve.base is None else bottom
                marks = tuple(sorted(mark for at, mark in upon if abs(at - x) < curve.width / 2))
                found.append(
                    ValueOfBar(texts, x, curve.width, bottom + top, low, ink_of(curve, colours), marks)
                )
    return found


class BarValues(PlotTexts):
    """Writes values: whole, else short; where that is too wide, none."""

    def __init__(self, values: Sequence[ValueOfBar], font: QFont, ink: QColor) -> None:
        super().__init__(font, ink)
        self._values = values
        self.setZValue(45)

    @override
    def write(self, painter: QPainter, placed: QTransform) -> None:
        spans = [
            placed.mapRect(QRectF(each.x - each.width / 2, 0, each.width, 1)).width() for each in self._values
        ]
        for texts in zip(*(each.texts for each in self._values), strict=True):
            needs = map(self.metrics.horizontalAdvance, texts)
            if all(need <= span + AIR_PX for need, span in zip(needs, spans, strict=True)):
                for each, text in zip(self._values, texts, strict=True):
                    self._write_value(painter, placed, each, text)
                break

    def _write_value(self, painter: QPainter, placed: QTransform, value: ValueOfBar, text: str) -> None:
        wide, high = self.metrics.horizontalAdvance(text), self.metrics.height()
        top = placed.map(QPointF(value.x, value.top))
        middle = QPointF(top.x(), top.y() - AIR_PX - high / 2)
        if np.isfinite(value.bottom):
            bottom = placed.map(QPointF(value.x, value.bottom))
            if bottom.y() - top.y() < high + 2 * AIR_PX:
                return
            middle = (top + bottom) / 2
            painter.setPen(ink_upon(value.ground))
        self.written.append(text)
        room = QRectF(middle.x() - wide, middle.y() - high / 2, 2 * wide, high)
        for mark in value.marks:
            at = placed.map(QPointF(value.x, mark)).y()
            if room.top() - MARK_PX < at < room.bottom() + MARK_PX:
                room.moveBottom(at - MARK_PX)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

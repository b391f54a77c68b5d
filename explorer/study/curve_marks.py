"""The marks of curves: lines, points, bars, boxes and steps, their spread, and ranges that a paper gives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from explorer.plots.curve_looks import colour_of, dash_of
from explorer.plots.plot import pen
from explorer.study.legend import BAND, BOX, WHISKER, LegendSign
from explorer.study.study_plot import SYMBOLS
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.charts.study.marks import Claim, Curve
    from explorer.widgets.theme import Theme

    Items = Iterator[pyqtgraph.GraphicsObject]

MAX_SYMBOLS = 40
"""Curves of more points have neither symbols nor a whisker at each point."""
BAND_ALPHA, CLAIM_ALPHA = 46, 26
"""How full the colours of a band and of a range of a paper are, 0 to 255."""
ON_TOP = 40


# ---- curves


def ink_of(curve: Curve, colours: Theme) -> QColor:
    """Return the colour of a curve's lines."""
    return QColor(colours.text) if curve.on_bars else colour_of(curve.colour, colours)


def items_of(curve: Curve, colours: Theme) -> Items:
    """Yield what draws a curve without its spread."""
    colour, known = ink_of(curve, colours), np.isfinite(curve.ys)
    if not known.any():
        return
    if curve.mark == "bars":
        bars = pyqtgraph.BarGraphItem(
            x=curve.xs[known],
            width=curve.width,
            y0=curve.bottom[known],
            y1=curve.bottom[known] + curve.ys[known],
            brush=colour,
            pen=pen(colours.plot, 1.0),
        )
        bars.setZValue(2)
        yield bars
    elif curve.mark == "boxes" and curve.band is not None:
        low, high = curve.band
        boxes = pyqtgraph.BarGraphItem(
            x=curve.xs, width=curve.width, y0=low, y1=high, brush=None, pen=_box_pen(colour)
        )
        boxes.setZValue(ON_TOP)
        yield boxes
    else:
        yield _points(curve, colours)


def _box_pen(colour: QColor) -> QPen:
    return QPen(pen(colour, 1.4, Qt.PenStyle.DashLine))


def _points(curve: Curve, colours: Theme) -> pyqtgraph.GraphicsObject:
    colour = ink_of(curve, colours)
    how: dict[str, Any] = {}  # Any: what pyqtgraph takes
    if curve.mark == "steps":
        how = {"stepMode": "right"}
    elif symbol := _symbol(curve):
        how = {
            "symbol": symbol,
            "symbolSize": 8 if curve.is_published else 7,
            "symbolBrush": _inside(curve, colours),
            "symbolPen": pen(colour, 1.4),
        }
    item = pyqtgraph.PlotDataItem(
        curve.xs, curve.ys, pen=_line(curve, colours), antialias=True, connect="finite", **how
    )
    item.setZValue(ON_TOP if curve.is_published else 10 + curve.colour)
    return item


def _symbol(curve: Curve) -> str:
    if len(curve.xs) > MAX_SYMBOLS or curve.mark == "steps":
        return ""
    return "d" if curve.on_bars else SYMBOLS[curve.colour % len(SYMBOLS)]


def _inside(curve: Curve, colours: Theme) -> QColor:
    return QColor(colours.plot) if curve.is_published else colour_of(curve.colour, colours)


def _line(curve: Curve, colours: Theme) -> QPen:
    colour = ink_of(curve, colours)
    if curve.mark == "points":
        return QPen(pen(colour, 1.0, Qt.PenStyle.NoPen))
    style = Qt.PenStyle.DashLine if curve.is_published else dash_of(curve.colour, curve.dash)
    return QPen(pen(colour, 1.2 if curve.is_published else 2.0, style))


def sign_of(curve: Curve, colours: Theme) -> LegendSign:
    """Return the legend entry of a curve."""
    colour = ink_of(curve, colours)
    if curve.mark == "bars":
        return LegendSign(curve.name, None, (colour,))
    if curve.mark == "boxes":
        return LegendSign(curve.name, _box_pen(colour), symbol=BOX)
    line = _line(curve, colours)
    return LegendSign(curve.name, line, (_inside(curve, colours),), symbol=_symbol(curve))


# ---- the spread


def has_spread(curve: Curve) -> bool:
    """Whether a curve's band is the spread of its points, which is drawn beside them."""
    return curve.band is not None and curve.mark != "boxes"


def spread_of(curve: Curve, place: int, count: int, reach: float, colours: Theme) -> Items:
    """Yield what shows the spread of one of several curves: whiskers, or thin lines where points are many.

    Parameters
    ----------
    place, count : which one of how many it is: whiskers at the same x stand side by side
    reach : what the axis shows of x
    """
    assert curve.band is not None
    colour = QColor(colours.text if curve.mark == "bars" else colour_of(curve.colour, colours))
    if len(curve.xs) > MAX_SYMBOLS:
        colour.setAlpha(120)
        for ends in curve.band:
            yield pyqtgraph.PlotDataItem(curve.xs, ends, pen=pen(colour, 0.8), connect="finite")
        return
    low, high = (curve.bottom + ends if curve.mark == "bars" else ends for ends in curve.band)
    side = 0.0 if curve.mark == "bars" else (place - (count - 1) / 2) * 0.003 * reach
    known = np.isfinite(low) & np.isfinite(high)
    low, high, xs, cap = low[known], high[known], curve.xs[known] + side, 0.004 * reach
    lines = [(xs, xs, low, high), (xs - cap, xs + cap, low, low), (xs - cap, xs + cap, high, high)]
    across = np.concatenate([np.stack([a, b], axis=1).ravel() for a, b, _, _ in lines])
    up = np.concatenate([np.stack([c, d], axis=1).ravel() for _, _, c, d in lines])
    item = pyqtgraph.PlotCurveItem(across, up, pen=pen(colour, 1.3), connect="pairs", antialias=True)
    item.setZValue(30 if curve.mark == "bars" else 5 + curve.colour)
    yield item


def band_of(curve: Curve, colours: Theme) -> Items:
    """Yield the filled band of a curve."""
    assert curve.band is not None
    known = np.isfinite(curve.band[0]) & np.isfinite(curve.band[1])
    if known.sum() < 2:
        return
    edges = [pyqtgraph.PlotCurveItem(curve.xs[known], ys[known], pen=None) for ys in curve.band]
    between = pyqtgraph.FillBetweenItem(*edges, brush=_band_colour(curve, colours))
    between.setZValue(1)
    yield from (*edges, between)


def _band_colour(curve: Curve, colours: Theme) -> QColor:
    return translucent(colour_of(curve.colour, colours), BAND_ALPHA)


def spread_sign(curves: Sequence[Curve], text: str, colours: Theme) -> LegendSign:
    """Return the legend entry of the spread of some curves."""
    if is_alone(curves):
        return LegendSign(text, None, (_band_colour(curves[0], colours),))
    if any(len(curve.xs) > MAX_SYMBOLS for curve in curves):
        return LegendSign(text, QPen(pen(colours.text, 0.8)))
    return LegendSign(text, QPen(pen(colours.text, 1.3)), symbol=WHISKER)


def is_alone(curves: Sequence[Curve]) -> bool:
    """Whether the spread of these curves is one filled band: more of them would mix."""
    return len(curves) == 1 and curves[0].mark == "line"


# ---- ranges of papers


def claim_items(claim: Claim, ends: tuple[float, float], view: tuple[float, float], colours: Theme) -> Items:
    """Yield the region of a range over all that the axis of x shows: a dashed line at each end that it has.

    Parameters
    ----------
    ends : of x
    view : of y: where an open end goes to
    """
    colour = colour_of(claim.colour, colours)
    low, high = max(claim.least, view[0]), min(claim.most, view[1])
    if high > low:
        area = pyqtgraph.BarGraphItem(
            x0=[ends[0]], x1=[ends[1]], y0=[low], y1=[high], brush=_claim_colour(colour), pen=None
        )
        area.setZValue(0)
        yield area
    for end in sorted({claim.least, claim.most}):
        if math.isfinite(end):
            line = pyqtgraph.PlotCurveItem(np.array(ends), np.full(2, end), pen=_claim_pen(colour))
            line.setZValue(4)
            yield line


def claim_sign(claim: Claim, colours: Theme) -> LegendSign:
    """Return the legend entry of a range."""
    colour = colour_of(claim.colour, colours)
    inside = (_claim_colour(colour),) if claim.least < claim.most else ()
    return LegendSign(claim.text, _claim_pen(colour), inside, symbol=BAND)


def _claim_pen(colour: QColor) -> QPen:
    return QPen(pen(colour, 1.4, Qt.PenStyle.DashLine))


def _claim_colour(colour: QColor) -> QColor:
    return translucent(colour, CLAIM_ALPHA)

"""A figure of a study as a picture: heading, curves with their spread, published points, legend.

It is drawn without a window, into PNG, SVG, PDF or CSV.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QMarginsF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication, QPageSize, QPainter, QPdfWriter
from PySide6.QtWidgets import QApplication

from core.files.atomic import replace_file
from explorer.study.curves_plot import Curve, CurvesPlot
from explorer.study.legend import StudyLegend
from explorer.study.map_plot import MapField, MapPlot
from explorer.study.study_plot import Along, along, value_text
from explorer.widgets.export import ChartTable, svg_into, write_chart, written_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QBuffer
    from PySide6.QtGui import QColor

    from core.study.figure_data import FigureData, PlottedCurve
    from explorer.widgets.theme import Theme

SIZE = QSize(900, 540)
MARGIN = 10
GROUP = 0.7
"""How much of the room of a place its marks take."""
PUBLISHED = " (paper)"


class FigurePage:
    """Draws one figure; `data` may be shown in any colours.

    In a window it draws into the parts that are there, and `about` says what a click on a point of a curve
    opens, by the place of the curve and x.
    """

    def __init__(
        self,
        data: FigureData,
        colours: Theme,
        size: QSize = SIZE,
        parts: tuple[CurvesPlot, MapPlot, StudyLegend] | None = None,
        about: Callable[[int, float], object] = lambda _place, _x: None,
    ) -> None:
        self.data, self.colours, self._size = data, colours, size
        self._parts, self._about = parts, about
        self.export_name = data.figure.title
        self.legend = StudyLegend() if parts is None else parts[2]
        self.legend.set_theme(colours)
        self.plot = self._map() if data.figure.kind == "heat-map" else self._curves()
        if len(data.curves) + len(data.published) == 1:
            self.legend.show_entries(())  # there is nothing to tell apart

    # ---- what is drawn

    def _curves(self) -> CurvesPlot:
        data, plot = self.data, CurvesPlot(self.colours) if self._parts is None else self._parts[0]
        bottom = self._bottom()
        names = [curve.name for curve in data.curves]
        curves = []
        for numbers in data.published:
            if numbers.name in names:  # upon ours, in the same colour
                curves.append(self._curve(numbers, bottom, names.index(numbers.name), is_published=True))
        curves += [self._curve(numbers, bottom, place) for place, numbers in enumerate(data.curves)]
        self.legend.show_entries(plot.show_curves(curves, bottom, (data.y_title, data.y_unit)))
        return plot

    def _bottom(self) -> Along:
        data = self.data
        if data.labels:
            return along(data.x_title, data.labels, data.x_unit)
        xs = sorted({x for curve in (*data.curves, *data.published) for x in curve.xs})
        return along(data.x_title, xs, data.x_unit)

    def _curve(
        self, numbers: PlottedCurve, bottom: Along, place: int, *, is_published: bool = False
    ) -> Curve:
        data = self.data
        xs = np.array(numbers.xs)
        if data.labels:
            count = max(len(data.curves), 1)
            xs = xs + (place - (count - 1) / 2) * GROUP / count + (0.16 / count if is_published else 0.0)
        else:
            known = sorted({x for curve in (*data.curves, *data.published) for x in curve.xs})
            xs = bottom.places[np.searchsorted(known, xs)]
        ys, low, high = np.array(numbers.ys), np.array(numbers.low), np.array(numbers.high)
        if is_published and (high > low).any():  # a range was published: its ends, and nothing between them
            xs, ys = np.repeat(xs, 2), np.stack((low, high), axis=1).ravel()
            low, high = np.repeat(low, 2), np.repeat(high, 2)
        band = (low, high) if (high > low).any() else None
        name, each = self._name(numbers.name, is_published), len(xs) // max(len(numbers.xs), 1)
        where = [self._place_text(name, x) for x in np.repeat(numbers.xs, each).tolist()]
        texts = [f"{at}\n{value_text(y, data.y_unit)}" for at, y in zip(where, ys.tolist(), strict=True)]
        return Curve(
            name,
            xs,
            ys,
            band,
            texts,
            [None] * len(xs) if is_published else [self._about(place, x) for x in numbers.xs],
            place,
            is_published=is_published,
            is_joined=not data.labels and not (is_published and band is not None),
        )

    def _place_text(self, name: str, x: float) -> str:
        """Say where a point is: "johnson, nodes 64"."""
        label = self._label(x)
        return f"{name}, {self.data.x_title} {label if isinstance(label, str) else f'{label:g}'}"

    def _name(self, name: str, is_published: bool) -> str:
        """Return a curve's name in the legend; a bare number gets that of its axis."""
        if not name:
            return "published" if is_published else "here"
        by = f"{self.data.figure.by} " if name.replace(".", "").isdecimal() else ""
        return f"{by}{name}{PUBLISHED if is_published else ''}"

    def _map(self) -> MapPlot:
        data, plot = self.data, MapPlot(self.colours) if self._parts is None else self._parts[1]
        rows = []
        for place, curve in enumerate(data.curves):
            texts = [value_text(y, data.y_unit) for y in curve.ys]
            abouts = [self._about(place, x) for x in curve.xs]
            told = [
                f"{self._place_text(curve.name, x)}\n{text}" for x, text in zip(curve.xs, texts, strict=True)
            ]
            rows.append([MapField(*each) for each in zip(curve.ys, texts, told, abouts, strict=True)])
        ys = [y for curve in data.curves for y in curve.ys]
        ends = (value_text(min(ys), data.y_unit), value_text(max(ys), data.y_unit)) if ys else ("", "")
        names = [curve.name for curve in data.curves]
        labels = data.labels or tuple(f"{x:g}" for x in data.curves[0].xs)
        self.legend.show_entries(
            plot.show_fields(
                rows, along(data.x_title, labels, data.x_unit), along(data.figure.by, names), ends=ends
            )
        )
        return plot

    # ---- as an export

    @property
    def background(self) -> QColor:
        """What is behind it."""
        return self.colours.plot

    def export_size(self) -> QSize:
        """Return the size of the picture."""
        return self._size

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw heading, plot and legend into an area."""
        bold = QFont(self.legend.font())
        bold.setBold(True)
        line = QFontMetricsF(bold).height() + 4
        heading = area.adjusted(MARGIN, MARGIN / 2, -MARGIN, 0)
        painter.setFont(bold)
        painter.setPen(self.colours.text)
        painter.drawText(heading, Qt.AlignmentFlag.AlignLeft, self.data.figure.title)
        if self.data.figure.source:
            painter.setFont(self.legend.font())
            painter.setPen(self.colours.muted)
            painter.drawText(heading, Qt.AlignmentFlag.AlignRight, self.data.figure.source)
        below = float(self.legend.heightForWidth(round(area.width()))) if self.legend.entries else 0.0
        place = area.adjusted(0, line + MARGIN / 2, 0, -below - MARGIN / 2)
        self.plot.resize(place.size().toSize())
        self.plot.grab()  # lays the axes out without showing anything
        self.plot.paint_into(painter, place)
        painter.setFont(self.legend.font())
        self.legend.paint(painter, QRectF(area.left(), place.bottom(), area.width(), below))

    def table(self) -> ChartTable:
        """Return every point: of which curve, where, its mean and its spread, and what was published."""
        data = self.data
        published = {
            (curve.name, x): (low, high, curve.note)
            for curve in data.published
            for x, low, high in zip(curve.xs, curve.low, curve.high, strict=True)
        }
        rows = []
        for curve in data.curves:
            for x, *values in zip(curve.xs, curve.ys, curve.low, curve.high, strict=True):
                there = published.pop((curve.name, x), (None, None, None))
                rows.append((curve.name, self._label(x), *values, *there))
        rows += [(name, self._label(x), None, None, None, *there) for (name, x), there in published.items()]
        unit = f" ({data.y_unit})" if data.y_unit else ""
        columns = (f"{data.y_title}{unit}", "least", "most", "published from", "published to", "read how")
        return ChartTable((data.figure.by or "curve", data.x_title, *columns), tuple(rows))

    def _label(self, x: float) -> str | float:
        return self.data.labels[int(x)] if self.data.labels else x


# ---- into files


def application_without_window() -> QGuiApplication:
    """Return the running application, or start one that needs no display; widgets can be drawn in it."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return QApplication([])


def write_figure(page: FigurePage, path: str) -> None:
    """Write a figure to a PNG, SVG, PDF or CSV file; InputError if that cannot be done."""
    if Path(path).suffix.lower() == ".pdf":
        replace_file(path, written_by(partial(_paint_pdf, page)))
    else:
        write_chart(page, path)


def svg_of(page: FigurePage) -> bytes:
    """Return a figure as an SVG file."""

    def paint(device: QBuffer) -> None:
        size = page.export_size()
        generator = svg_into(device, size, page.export_name, _dots_per_inch())
        _paint(page, QPainter(generator))

    return written_by(paint)


def _paint_pdf(page: FigurePage, device: QBuffer) -> None:
    writer = QPdfWriter(device)
    points = page.export_size().toSizeF() * (72 / _dots_per_inch())
    writer.setPageSize(QPageSize(points, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(_dots_per_inch())
    writer.setCreator("Slotscope")
    _paint(page, QPainter(writer))


def _paint(page: FigurePage, painter: QPainter) -> None:
    size = page.export_size()
    area = QRectF(0, 0, size.width(), size.height())
    painter.fillRect(area, page.background)
    page.paint_export(painter, area)
    painter.end()


def _dots_per_inch() -> int:
    """Return those of the screen, or recorded drawings (the axes of plots) would be scaled apart."""
    return round(QGuiApplication.primaryScreen().logicalDotsPerInch())

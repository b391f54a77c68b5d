"""A figure of a study as a picture: heading, curves with their spread, published points, legend.

It is drawn without a window, into PNG, SVG, PDF or CSV.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QRectF, QSize
from PySide6.QtGui import QFont, QGuiApplication, QPageSize, QPainter, QPdfWriter

from core.charts.study.figure_marks import FigureMarks, figure_fields, figure_table
from core.charts.study.marks import scale_ends
from core.charts.study.picture_data import PAINTED
from core.charts.study.values import along
from core.files.atomic import replace_file
from core.study.measures import MEASURES
from explorer.study.curves_plot import CurvesPlot
from explorer.study.heading import Heading
from explorer.study.legend import StudyLegend
from explorer.study.map_plot import MapPlot
from explorer.widgets.export import ChartTable, svg_into, write_chart, written_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QBuffer
    from PySide6.QtGui import QColor

    from core.study.figure_data import FigureData
    from explorer.widgets.theme import Theme

SIZE = QSize(900, 540)
MARGIN = 10


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
        self.marks = FigureMarks(data, about)
        self.plot = self._map() if PAINTED[data.figure.kind].plot == "map" else self._curves()

    # ---- what is drawn

    def _curves(self) -> CurvesPlot:
        data, marks = self.data, self.marks
        plot = CurvesPlot(self.colours) if self._parts is None else self._parts[0]
        curves, claims = marks.curves(), marks.claims()
        y = data.y_title, data.y_unit
        entries = plot.show_curves(curves, marks.bottom, y, spread=data.spread, claims=claims)
        if len(curves) + len(claims) == 1:
            entries = entries[1:]  # there is nothing to tell apart
        self.legend.show_entries(entries)
        return plot

    def _map(self) -> MapPlot:
        data, plot = self.data, MapPlot(self.colours) if self._parts is None else self._parts[1]
        rows = figure_fields(data, self.marks)
        ys = [y for curve in data.curves for y in curve.ys]
        measure = data.figure.measures[0]
        ends = scale_ends(data.y_title, ys, data.y_unit, better=MEASURES[measure].better)
        names = [curve.name for curve in data.curves]
        bottom, left = along(data.x_title, data.labels, data.x_unit), along(data.along, names)
        is_turned = MEASURES[measure].better == "less"
        self.legend.show_entries(plot.show_fields(rows, bottom, left, ends=ends, is_turned=is_turned))
        return plot

    # ---- as an export

    @property
    def background(self) -> QColor:
        """What is behind it."""
        return self.colours.plot

    def export_size(self) -> QSize:
        """Return the size of the picture."""
        return self._size

    def _heading(self) -> Heading:
        bold = QFont(self.legend.font())
        bold.setBold(True)
        return Heading(self.data.figure.title, self.data.figure.source, bold, self.legend.font())

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw heading, plot and legend into an area."""
        heading = self._heading()
        inside = area.adjusted(MARGIN, MARGIN / 2, -MARGIN, 0)
        heading.paint(painter, inside, self.colours)
        line = heading.height(inside.width())
        below = float(self.legend.heightForWidth(round(area.width()))) if self.legend.entries else 0.0
        place = area.adjusted(0, line + MARGIN / 2, 0, -below - MARGIN / 2)
        self.plot.resize(place.size().toSize())
        self.plot.lay_out()
        self.plot.paint_into(painter, place)
        painter.setFont(self.legend.font())
        self.legend.paint(painter, QRectF(area.left(), place.bottom(), area.width(), below))

    def table(self) -> ChartTable:
        """Return every point: of which curve, where, its mean and its spread, and what was published."""
        return ChartTable(*figure_table(self.data))


# ---- into files


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

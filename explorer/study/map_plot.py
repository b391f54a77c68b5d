"""A map of a study: a field for each pair of values of two axes, coloured by a number or by what is best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from typing_extensions import override

from core.charts.palette import ink_on
from core.charts.study.field_colours import PALER, colours_of_bests, colours_of_values, pale_colour
from core.charts.study.values import Along
from explorer.plots.curve_looks import colour_of
from explorer.plots.plot import pen
from explorer.study.legend import LegendSign
from explorer.study.study_plot import Spot, StudyPlot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.charts.study.field_colours import FieldColours
    from core.charts.study.marks import MapField
    from explorer.widgets.theme import Theme

INSET_PX = 6
BORDER_PX = 3.0


class MapPlot(StudyPlot):
    """Draws fields as equal rectangles, with a line between those where another one is best."""

    def __init__(self, colours: Theme) -> None:
        super().__init__(colours)
        self.fields: list[list[MapField]] = []
        self._colours_of: list[list[QColor | None]] = []

    def show_fields(
        self,
        fields: Sequence[Sequence[MapField]],
        x: Along,
        y: Along,
        *,
        bests: Sequence[str] = (),
        ends: tuple[str, str] = ("", ""),
        most: float | None = None,
        is_turned: bool = False,
    ) -> list[LegendSign]:
        """Draw fields, ``fields[row][column]``, and return the legend.

        With `bests` each field has the colour of what is best there, the fuller the further it is ahead (its
        value). Else it is coloured by its value from the smallest to the largest, or from 0 to `most`; `ends`
        are their texts. With `is_turned` the smallest is the lightest.
        """
        self.begin()
        self.fields = [list(row) for row in fields]
        known = [(k, i) for i, row in enumerate(self.fields) for k, field in enumerate(row) if field.text]
        self.places = np.array(known, np.float64).reshape(-1, 2)
        for axis, shown in ((self.bottom, x), (self.left, y)):  # equal fields, whatever their values
            axis.show_along(Along(shown.title, shown.labels, np.arange(len(shown.labels), dtype=float)))
        entries = self._colour_bests(bests) if bests else self._colour_values(ends, most, is_turned=is_turned)
        self.addItem(_Fields(self))
        self._draw_borders()
        self.setXRange(-0.5, max(len(x.labels), 1) - 0.5, padding=0)
        self.setYRange(-0.5, max(len(y.labels), 1) - 0.5, padding=0)
        return entries

    # ---- colours

    def _colour_bests(self, names: Sequence[str]) -> list[LegendSign]:
        self._take(colours_of_bests(self.fields, self.colours))
        entries = [
            LegendSign(f"{name} is best", None, (colour_of(i, self.colours),)) for i, name in enumerate(names)
        ]
        return [*entries, LegendSign(PALER, None, (QColor(pale_colour(self.colours)),))]

    def _colour_values(
        self, ends: tuple[str, str], most: float | None, *, is_turned: bool
    ) -> list[LegendSign]:
        found = colours_of_values(self.fields, self.colours, most, is_turned=is_turned)
        self._take(found)
        return [LegendSign(ends[0], None, tuple(map(QColor, found.steps)), ends[1])] if found.steps else []

    def _take(self, found: FieldColours) -> None:
        self._colours_of = [
            [None if each is None else QColor(each) for each in row] for row in found.of_fields
        ]

    @property
    def values(self) -> NDArray[np.float64]:
        """The numbers of all fields, (rows, columns)."""
        return np.array([[field.value for field in row] for row in self.fields], np.float64)

    def colour(self, row: int, place: int) -> QColor | None:
        """Return the colour of a field, None where nothing is known yet."""
        return self._colours_of[row][place]

    # ---- drawing

    def _draw_borders(self) -> None:
        """Draw a line wherever another one is best."""
        xs: list[float] = []
        ys: list[float] = []
        best = np.array([[field.best for field in row] for row in self.fields], np.int64)
        if best.size == 0 or best.max() < 0:
            return
        for row, column in zip(*np.nonzero(_differ(best[:, 1:], best[:, :-1])), strict=True):
            xs += [column + 0.5, column + 0.5]
            ys += [row - 0.5, row + 0.5]
        for row, column in zip(*np.nonzero(_differ(best[1:], best[:-1])), strict=True):
            xs += [column - 0.5, column + 0.5]
            ys += [row + 0.5, row + 0.5]
        line = pyqtgraph.PlotDataItem(xs, ys, connect="pairs", pen=pen(self.colours.text, BORDER_PX))
        line.setZValue(20)
        self.addItem(line)

    @override
    def spot_at(self, place: QPointF) -> Spot | None:
        box = self.getViewBox()
        if not box.sceneBoundingRect().contains(self.mapToScene(place.toPoint())):
            return None
        at = box.mapSceneToView(self.mapToScene(place.toPoint()))
        row, column = round(at.y()), round(at.x())
        if not (0 <= row < len(self.fields) and 0 <= column < len(self.fields[row])):
            return None
        return self._spot(row, column) if self.fields[row][column].text else None

    def _spot(self, row: int, column: int) -> Spot:
        field = self.fields[row][column]
        return Spot(QRectF(column - 0.5, row - 0.5, 1, 1), field.text, field.about)

    @override
    def spot_of(self, mark: int) -> Spot:
        column, row = self.places[mark]
        return self._spot(int(row), int(column))


def _differ(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.bool_]:
    different: NDArray[np.bool_] = (one != other) & (one >= 0) & (other >= 0)
    return different


class _Fields(pyqtgraph.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """Paints the fields, and the notes of those that are large enough."""

    def __init__(self, plot: MapPlot) -> None:
        super().__init__()
        self._plot = plot

    @override
    def boundingRect(self) -> QRectF:
        rows = len(self._plot.fields)
        return QRectF(-0.5, -0.5, max(len(self._plot.fields[0]), 1) if rows else 1, max(rows, 1))

    @override
    def paint(self, painter: QPainter, *_: Any) -> None:
        plot, to_device = self._plot, painter.worldTransform()
        painter.save()
        painter.resetTransform()
        metrics = QFontMetricsF(plot.font())
        painter.setFont(plot.font())
        for row, fields in enumerate(plot.fields):
            for column, field in enumerate(fields):
                area = to_device.mapRect(QRectF(column - 0.5, row - 0.5, 1, 1))
                colour = plot.colour(row, column)
                if colour is None:
                    painter.fillRect(area, QColor(plot.colours.faint_line))
                    continue
                painter.fillRect(area.adjusted(0, 0, -1, -1), colour)
                room = area.width() - INSET_PX, area.height() - INSET_PX
                if metrics.horizontalAdvance(field.note) <= room[0] and metrics.height() <= room[1]:
                    painter.setPen(QColor.fromRgb(ink_on(colour.rgb() & 0xFFFFFF)))
                    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, field.note)
        painter.restore()

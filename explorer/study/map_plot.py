"""A map of a study: a field for each pair of values of two axes, coloured by a number or by what is best."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyqtgraph
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from typing_extensions import override

from core.charts.palette import ink_on
from explorer.plots.curve_looks import colour_of
from explorer.plots.plot import pen
from explorer.study.legend import LegendSign
from explorer.study.study_plot import Along, Spot, StudyPlot, value_text
from explorer.widgets.theme import mixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from explorer.widgets.theme import Theme

RAMP = "cividis"
"""Blue to yellow, even in lightness, for every kind of sight; the light end is the better one."""
WORSE, MIN_SHARE = QColor(0xD55E00), 0.06
"""The colour of much that is lost, and the share of it where nothing is lost; the rest is background."""
STEPS = 9
PALE = 0.55
"""How much of the background is in the colour of a best one that is hardly better than the next."""
CLEAR_AT = 0.2
"""So much better than the next is shown by the full colour."""
INSET_PX = 6
BORDER_PX = 3.0


def scale_ends(title: str, values: Sequence[float], unit: str, better: str) -> tuple[str, str]:
    """Return the texts of both ends of a scale of colours, with what is best: "Makespan 30 s (best)"."""
    known = [value for value in values if math.isfinite(value)]
    if not known:
        return "", ""
    words = {"less": (" (best)", " (worst)"), "more": (" (worst)", " (best)")}.get(better, ("", ""))
    low, high = (value_text(end, unit) for end in (min(known), max(known)))
    return f"{title} {low}{words[0]}", f"{high}{words[1]}"


class MapField(NamedTuple):
    """One field of the map.

    Attributes
    ----------
    value : a number, nan where nothing is known yet
    note : written into it where there is room
    text, about : what is said of it, and what a click opens
    best : place of what is best there, -1 where a map has numbers only
    """

    value: float
    note: str
    text: str
    about: Any  # Any: whatever a click is to open
    best: int = -1


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
        colours = [colour_of(place, self.colours) for place in range(len(names))]

        def colour(field: MapField) -> QColor | None:
            if field.best < 0:
                return None
            ahead = min(field.value / CLEAR_AT, 1.0) if np.isfinite(field.value) else 1.0
            return mixed(colours[field.best], self.colours.plot, PALE * (1 - ahead))

        self._colours_of = [[colour(field) for field in row] for row in self.fields]
        entries = [LegendSign(f"{name} is best", None, (colours[i],)) for i, name in enumerate(names)]
        pale = mixed(colours[0], self.colours.plot, PALE)
        return [*entries, LegendSign("paler: hardly better than the next", None, (pale,))]

    def _colour_values(
        self, ends: tuple[str, str], most: float | None, *, is_turned: bool
    ) -> list[LegendSign]:
        values = self.values
        known = values[np.isfinite(values)]
        low = 0.0 if most is not None else float(known.min(initial=np.inf))
        high = max(most, 1e-12) if most is not None else float(known.max(initial=-np.inf))
        ramp = pyqtgraph.colormap.get(RAMP)

        def colour_at(part: float) -> QColor:
            if most is not None:
                return mixed(self.colours.plot, WORSE, MIN_SHARE + (1 - MIN_SHARE) * part)
            return QColor(ramp.map(1 - part if is_turned else part, mode="qcolor"))

        def colour(value: float) -> QColor | None:
            part = (value - low) / (high - low) if high > low else 0.5
            return colour_at(min(max(part, 0.0), 1.0)) if np.isfinite(value) else None

        self._colours_of = [[colour(field.value) for field in row] for row in self.fields]
        steps = tuple(colour_at(i / (STEPS - 1)) for i in range(STEPS))
        return [LegendSign(ends[0], None, steps, ends[1])] if len(known) else []

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

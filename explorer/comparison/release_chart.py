"""The release of containers over time: area and prediction of the active scenario, lines of the others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph
from PySide6.QtGui import QColor
from typing_extensions import override

from core.files.html_text import escape
from core.measures.release_rate import ReleaseRates, release_rates, released
from core.model.time_text import duration_text
from explorer.comparison.time_chart import TimeChart, coloured
from explorer.plots.curve_looks import colour_of
from explorer.plots.plot import pen
from explorer.plots.step_curve import StepCurve
from explorer.widgets.export import ChartTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.model.schedule import Schedule
    from explorer.comparison.results import Result, Results
    from explorer.document.time_axis import TimeAxis
    from explorer.plots.step_curve import Outline
    from explorer.widgets.theme import Theme

NO_RESULT = "The release of containers appears here as soon as the active scenario has been simulated."
NO_PREDICTION = "predicts nothing, as only OMO does"
BUSY = "Counting what {title} releases …"
ROOM_ABOVE = 1.08


@dataclass(frozen=True)
class Curves:
    """The rates of one schedule as they are drawn.

    Attributes
    ----------
    schedule, rates : of what, and the numbers
    real, predicted : the curves; the second one holds only from `begin` to `end`, in seconds
    """

    schedule: Schedule
    rates: ReleaseRates
    real: StepCurve
    predicted: StepCurve
    begin: float
    end: float

    @classmethod
    def of(cls, schedule: Schedule) -> Curves:
        """Calculate the rates; a schedule whose policy predicts them is simulated again."""
        rates = release_rates(schedule) or released(schedule)
        known = np.flatnonzero(np.isfinite(rates.predicted))
        times = rates.times[known]
        over = np.append(rates.times, rates.times[-1] + rates.window)
        return cls(
            schedule,
            rates,
            real=StepCurve(over, np.append(rates.real, 0.0)),
            predicted=StepCurve(times, rates.predicted[known]),
            begin=float(times[0]) if len(times) else math.inf,
            end=float(times[-1]) + rates.window if len(times) else -math.inf,
        )

    @property
    def highest(self) -> float:
        """The highest rate, real or predicted."""
        return float(max(self.rates.real.max(), np.nanmax(self.rates.predicted, initial=0.0)))

    @property
    def predicts(self) -> bool:
        """Whether anything was predicted."""
        return self.begin < self.end

    def values_at(self, time: float) -> tuple[str, str]:
        """Return the real and the predicted rate at a time as text."""
        is_known = self.begin <= time < self.end
        return f"{self.real.value_at(time):.3g}", f"{self.predicted.value_at(time):.3g}" if is_known else "–"


class ReleaseChart(TimeChart):
    """One plot over the shared time axis: steps for what was released, a line for what was predicted."""

    export_name = "release-rate"

    def __init__(self, results: Results, axis: TimeAxis, colours: Theme) -> None:
        super().__init__(results, axis, colours, ("containers / s",), NO_RESULT, axis_width=54)
        self._calculation.failed.connect(lambda error: self.nothing.setText(str(error)))
        (self.plot,) = self.plots
        self.plot.setAccessibleName("Released containers per second over time, and what was predicted")
        self._real = pyqtgraph.PlotDataItem(fillLevel=0)
        self._predicted = pyqtgraph.PlotDataItem()
        self._others: dict[int, pyqtgraph.PlotDataItem] = {}
        for item in (self._real, self._predicted):
            self.plot.addItem(item)
        self.refresh()

    @override
    def wanted(self) -> list[Result]:
        return self._results.rows

    @staticmethod
    @override
    def figures_of(schedule: Schedule) -> Curves:
        return Curves.of(schedule)

    @override
    def draw_curves(self) -> bool:
        """Draw what is visible of both curves; False, with the reason, where there are none."""
        curves: Curves | None = self.figures(self._results.active)
        if curves is None:
            reason = NO_RESULT if self._results.active is None else BUSY
            self.nothing.setText(reason.format(title=self.active_title))
            return False
        self._fill(self._real, self._outline(curves.real, self._axis.t0, self._axis.t1))
        begin, end = max(self._axis.t0, curves.begin), min(self._axis.t1, curves.end)
        self._predicted.setVisible(begin < end)
        if begin < end:
            self._predicted.setData(*self._outline(curves.predicted, begin, end))
            self._predicted.setPen(pen(self._colours.accent, 2))
        beside = {place: each for place, row in self._beside if (each := self.figures(row)) is not None}
        self._draw_others(beside)
        highest = max([1e-9, curves.highest, *(float(each.rates.real.max()) for each in beside.values())])
        self.plot.setYRange(0, highest * ROOM_ABOVE, padding=0)
        return True

    @property
    def _beside(self) -> list[tuple[int, Result]]:
        """The scenarios but the active one, with their places."""
        return [(place, row) for place, row in enumerate(self._results.rows) if not row.is_active]

    def _draw_others(self, beside: Mapping[int, Curves]) -> None:
        """Draw what other scenarios release, by their places, as lines."""
        for place in self._others.keys() - beside.keys():
            self.plot.removeItem(self._others.pop(place))
        for place, curves in beside.items():
            if place not in self._others:
                self._others[place] = pyqtgraph.PlotDataItem()
                self.plot.addItem(self._others[place])
            self._others[place].setData(*self._outline(curves.real, self._axis.t0, self._axis.t1))
            self._others[place].setPen(pen(colour_of(place, self._colours), 1.5))

    def _fill(self, item: pyqtgraph.PlotDataItem, outline: Outline) -> None:
        item.setData(*outline)
        item.setBrush(self._area)
        item.setPen(pen(QColor(self._area).lighter(115)))

    @property
    def _area(self) -> QColor:
        return self._colours.map_band

    @override
    def legend_entries(self, figures: Curves, at: float | None) -> list[str]:
        real, predicted = ("", "") if at is None else (f" {text}" for text in figures.values_at(at))
        window, error = duration_text(figures.rates.window), figures.rates.mean_error
        said = NO_PREDICTION
        if figures.predicts:
            said = coloured(self._colours.accent, "━", f"predicted{predicted}")
        return [
            coloured(self._area, "■", f"released{real} (in windows of {window})"),
            said,
            *(
                coloured(colour_of(place, self._colours), "━", escape(row.title))
                for place, row in self._beside
            ),
            *([] if math.isnan(error) else [f"off by {error:.2g} / s on average"]),
        ]

    # Export

    @override
    def export_heading(self) -> str:
        lines = ", ".join(row.title for _, row in self._beside)
        return f"Containers released per second: {self.active_title}{lines and f' (lines: {lines})'}"

    @override
    def table(self) -> ChartTable:
        """Return both rates of every window of every scenario; a prediction that is not known is empty."""
        rows: list[tuple[str | float, ...]] = []
        for row in self.wanted():
            curves: Curves | None = self.figures(row)
            if curves is None:
                continue
            columns = (curves.rates.times, curves.rates.real, curves.rates.predicted)
            for begin, real, predicted in zip(*(column.tolist() for column in columns), strict=True):
                rows.append((row.title, begin, real, "" if math.isnan(predicted) else predicted))
        columns_of_table = ("scenario", "from (s)", "released (1/s)", "predicted (1/s)")
        return ChartTable(columns_of_table, tuple(rows))

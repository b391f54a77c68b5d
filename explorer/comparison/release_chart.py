"""The release of containers over time: what the active scenario's policy predicted, and what happened."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph
from PySide6.QtGui import QColor
from typing_extensions import override

from core.measures.release_rate import ReleaseRates, predicts_releases, release_rates
from core.model.time_text import duration_text
from explorer.comparison.time_chart import TimeChart, coloured
from explorer.plots.plot import pen
from explorer.plots.step_curve import StepCurve
from explorer.widgets.export import ChartTable

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from explorer.comparison.results import Result, Results
    from explorer.document.time_axis import TimeAxis
    from explorer.plots.step_curve import Outline
    from explorer.widgets.theme import Theme

NO_RESULT = "The release of containers appears here as soon as the active scenario has been simulated."
NO_PREDICTION = (
    "{title} predicts nothing. OMO predicts how many containers will be released: give a scenario the policy "
    "OMO and make it the active one, to see its prediction beside what happened."
)
BUSY = "Simulating {title} again, to read what its policy predicted …"
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
    def of(cls, schedule: Schedule) -> Curves | None:
        """Calculate the rates: the schedule is simulated again; None if its policy predicts nothing."""
        rates = release_rates(schedule)
        if rates is None:
            return None
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
        for item in (self._real, self._predicted):
            self.plot.addItem(item)
        self.refresh()

    @override
    def wanted(self) -> list[Result]:
        active = self._results.active
        return [active] if active is not None and predicts_releases(active.schedule) else []

    @staticmethod
    @override
    def figures_of(schedule: Schedule) -> Curves | None:
        return Curves.of(schedule)

    @override
    def draw_curves(self) -> bool:
        """Draw what is visible of both curves; False, with the reason, where there are none."""
        curves: Curves | None = self.figures(self._results.active)
        if curves is None:
            reason = NO_RESULT if self._results.active is None else BUSY if self.wanted() else NO_PREDICTION
            self.nothing.setText(reason.format(title=self.active_title))
            return False
        self._fill(self._real, self._outline(curves.real, self._axis.t0, self._axis.t1))
        begin, end = max(self._axis.t0, curves.begin), min(self._axis.t1, curves.end)
        self._predicted.setVisible(begin < end)
        if begin < end:
            self._predicted.setData(*self._outline(curves.predicted, begin, end))
            self._predicted.setPen(pen(self._colours.accent, 2))
        self.plot.setYRange(0, max(curves.highest, 1e-9) * ROOM_ABOVE, padding=0)
        return True

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
        return [
            coloured(self._area, "■", f"released{real} (in windows of {window})"),
            coloured(self._colours.accent, "━", f"predicted{predicted}"),
            *([] if math.isnan(error) else [f"off by {error:.2g} / s on average"]),
        ]

    # Export

    @override
    def export_heading(self) -> str:
        return f"Containers released per second (area) and predicted (line): {self.active_title}"

    @override
    def table(self) -> ChartTable:
        """Return both rates of every window; a prediction that is not known yet is empty."""
        curves: Curves | None = self.figures(self._results.active)
        rows: list[tuple[str | float, ...]] = []
        if curves is not None:
            columns = (curves.rates.times, curves.rates.real, curves.rates.predicted)
            for begin, real, predicted in zip(*(column.tolist() for column in columns), strict=True):
                rows.append((self.active_title, begin, real, "" if math.isnan(predicted) else predicted))
        columns_of_table = ("scenario", "from (s)", "released (1/s)", "predicted (1/s)")
        return ChartTable(columns_of_table, tuple(rows))

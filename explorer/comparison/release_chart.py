"""The release of containers over time: what the active scenario's policy predicted, and what happened."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph
from PySide6.QtGui import QColor

from core.measures.release_rate import ReleaseRates, predicts_releases, release_rates
from core.model.time_text import clock_text, duration_text
from explorer.plots.plot import pen
from explorer.plots.step_curve import StepCurve
from explorer.plots.time_chart import TimeChart
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
AXIS_WIDTH_PX = 54
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
        super().__init__(axis, colours, ("containers / s",), NO_RESULT)
        self._results = results
        results.changed.connect(self.refresh)
        self._known: Curves | None = None
        self._calculation.failed.connect(self._on_failed)
        (self.plot,) = self.plots
        self.plot.getAxis("left").setWidth(AXIS_WIDTH_PX)
        self.plot.setAccessibleName("Released containers per second over time, and what was predicted")
        self._real = pyqtgraph.PlotDataItem(fillLevel=0)
        self._predicted = pyqtgraph.PlotDataItem()
        for item in (self._real, self._predicted):
            self.plot.addItem(item)
        self.refresh()

    def refresh(self) -> None:
        """Calculate the rates of the active scenario, unless they are known already."""
        active = self._results.active
        if active is not None and self._curves(active) is None and self.isVisible():
            if predicts_releases(active.schedule):
                self._calculation.start(partial(Curves.of, active.schedule))
            else:
                self._calculation.cancel()
        self.draw()

    def _curves(self, row: Result | None) -> Curves | None:
        known = self._known
        return known if known is not None and row is not None and known.schedule is row.schedule else None

    def _on_calculated(self, found: Curves | None) -> None:
        self._known = found
        self.draw()

    def _on_failed(self, error: Exception) -> None:
        self.nothing.setText(str(error))

    def draw_curves(self) -> bool:
        """Draw what is visible of both curves; False, with the reason, where there are none."""
        active = self._results.active
        curves = self._curves(active)
        if curves is None:
            self.nothing.setText(_why_nothing(active))
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

    def _show_legend(self) -> None:
        """Explain both curves; with a cursor, say their values under it."""
        active = self._results.active
        curves = self._curves(active)
        if active is None or curves is None:
            return
        at = self._axis.cursor
        real = predicted = when = ""
        if at is not None:
            real, predicted = (f" {text}" for text in curves.values_at(at))
            when = f"&nbsp;&nbsp; at {clock_text(at, 0.1)}"
        window, error = duration_text(curves.rates.window), curves.rates.mean_error
        accuracy = "" if math.isnan(error) else f"&nbsp;&nbsp; off by {error:.2g} / s on average"
        self.legend.setText(
            f"<b>{escape(active.title)}</b>"
            f'&nbsp;&nbsp; <span style="color:{self._area.name()}">■</span> released{real} '
            f"(in windows of {window})"
            f'&nbsp;&nbsp; <span style="color:{self._colours.accent.name()}">━</span> predicted{predicted}'
            f"{accuracy}{when}"
        )

    # Export

    def export_heading(self) -> str:
        """Return what the curves are, and of which scenario."""
        active = self._results.active
        title = active.title if active is not None else ""
        return f"Containers released per second (area) and predicted (line): {title}"

    def table(self) -> ChartTable:
        """Return both rates of every window; a prediction that is not known yet is empty."""
        active = self._results.active
        curves = self._curves(active)
        rows: list[tuple[str | float, ...]] = []
        if active is not None and curves is not None:
            columns = (curves.rates.times, curves.rates.real, curves.rates.predicted)
            for begin, real, predicted in zip(*(column.tolist() for column in columns), strict=True):
                rows.append((active.title, begin, real, "" if math.isnan(predicted) else predicted))
        columns_of_table = ("scenario", "from (s)", "released (1/s)", "predicted (1/s)")
        return ChartTable(columns_of_table, tuple(rows))


def _why_nothing(active: Result | None) -> str:
    if active is None:
        return NO_RESULT
    return (BUSY if predicts_releases(active.schedule) else NO_PREDICTION).format(title=active.title)

"""Which share of the jobs has ended so long after its arrival, for every scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph
from PySide6.QtCore import Qt
from typing_extensions import override

from core.files.html_text import escape
from core.measures.metrics import response_times
from core.model.time_text import duration_text, percent
from explorer.comparison.time_chart import coloured
from explorer.plots.curve_looks import colour_of
from explorer.plots.plot import Plot, PlotPage, TimeTicks, pen
from explorer.plots.step_curve import StepCurve
from explorer.widgets.export import ChartTable
from explorer.widgets.layouts import column
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from core.model.schedule import Schedule
    from explorer.comparison.results import Result, Results
    from explorer.widgets.theme import Theme

NOTHING = "Response times appear here as soon as a scenario has been simulated."
ROOM = 1.02
MIN_PIXELS, MIN_FOR_LABEL = 50, 180
"""Pixels of the curves at least, and of the height from which on there is room for the name of the axis."""
ACTIVE_PX, OTHER_PX = 2.6, 1.6
"""Width of the active scenario's curve, and of those of others."""


def response_curve(schedule: Schedule) -> StepCurve:
    """Return the share of jobs that take at most so many seconds from their arrival, in per cent."""
    responses = np.sort(response_times(schedule))
    return StepCurve(responses, 100 * np.arange(1, len(responses) + 1) / max(len(responses), 1))


class ResponseChart(PlotPage):
    """One curve for each scenario; at the pointer the legend says which share of each has ended.

    Attributes
    ----------
    curves : by the place of their scenario
    """

    export_name = "responses"

    def __init__(self, results: Results, colours: Theme) -> None:
        super().__init__(NOTHING, colours)
        self._results = results
        self._known: list[tuple[Schedule, StepCurve]] = []
        self._at: float | None = None
        self.curves: dict[int, pyqtgraph.PlotDataItem] = {}
        self.plot = Plot(colours, axisItems={"bottom": TimeTicks(orientation="bottom")})
        self.plots = (self.plot,)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.setLabel("left", "% of jobs")
        self.plot.getAxis("left").setWidth(46)
        self.plot.setAccessibleName("Share of the jobs by their response time, for every scenario")
        self._line = pyqtgraph.InfiniteLine(angle=90, movable=False)
        self._line.setVisible(False)
        self.plot.addItem(self._line, ignoreBounds=True)
        self.legend = PlainLabel()
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setWordWrap(True)
        column(self.legend, (self.plot, 1), (self.nothing, 1), parent=self, margins=(8, 4, 4, 4), spacing=2)
        self.plot.scene().sigMouseMoved.connect(self._on_mouse_moved)
        results.changed.connect(self.refresh)
        self.refresh()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.plot.setLabel("bottom", "from arrival to end" if self.height() >= MIN_FOR_LABEL else None)
        self.refresh()

    def refresh(self) -> None:
        """Show the results as they are now."""
        if not self.isVisible():
            return
        there = [row.schedule for row in self._results.rows]
        known = [(schedule, found) for schedule, found in self._known if any(schedule is s for s in there)]
        self._known = known + [
            (schedule, response_curve(schedule))
            for schedule in there
            if not any(schedule is each for each, _ in known)
        ]
        for part in (self.legend, self.plot):
            part.setVisible(bool(there))
        self.nothing.setVisible(not there)
        self.draw()

    def _curve(self, row: Result) -> StepCurve:
        return next(found for schedule, found in self._known if schedule is row.schedule)

    @override
    def draw(self) -> None:
        rows = self._results.rows if self.isVisible() else []
        for place in set(self.curves) - set(range(len(rows))):
            self.plot.removeItem(self.curves.pop(place))
        longest = max((float(self._curve(row).times[-1:].max(initial=0.0)) for row in rows), default=0.0)
        pixels = max(int(self.plot.getViewBox().width()), MIN_PIXELS)
        for place, row in enumerate(rows):
            if place not in self.curves:
                self.curves[place] = pyqtgraph.PlotDataItem(antialias=True)
                self.plot.addItem(self.curves[place])
            self.curves[place].setData(*self._curve(row).outline(0.0, longest * ROOM, pixels))
            width = ACTIVE_PX if row.is_active else OTHER_PX
            self.curves[place].setPen(pen(colour_of(place, self._colours), width))
            self.curves[place].setZValue(10 if row.is_active else 0)
        self._line.setPen(self._colours.crosshair)
        self.plot.setXRange(0.0, max(longest, 1e-9) * ROOM, padding=0)
        self.plot.setYRange(0.0, 104.0, padding=0)
        self._show_legend()

    def _on_mouse_moved(self, place: Any) -> None:
        box = self.plot.getViewBox()
        inside = box.sceneBoundingRect().contains(place)
        self._at = max(box.mapSceneToView(place).x(), 0.0) if inside else None
        self._line.setVisible(inside)
        if self._at is not None:
            self._line.setValue(self._at)
        self._show_legend()

    def _show_legend(self) -> None:
        entries = [] if self._at is None else [f"within {duration_text(self._at)}:"]
        for place, row in enumerate(self._results.rows if self.curves else []):
            share = "" if self._at is None else f" {percent(self._curve(row).value_at(self._at) / 100)}"
            title = f"<b>{escape(row.title)}</b>" if row.is_active else escape(row.title)
            entries.append(coloured(colour_of(place, self._colours), "━", f"{title}{share}"))
        self.legend.setText("&nbsp;&nbsp; ".join(entries))

    # Export

    @override
    def export_heading(self) -> str:
        names = ", ".join(row.title for row in self._results.rows)
        return f"Share of the jobs that have ended so long after their arrival: {names}"

    @override
    def table(self) -> ChartTable:
        """Return the response time of every job in every scenario."""
        rows = [
            (row.title, job.name, seconds)
            for row in self._results.rows
            for job, seconds in zip(
                row.schedule.workload.jobs, response_times(row.schedule).tolist(), strict=True
            )
        ]
        return ChartTable(("scenario", "job", "response time (s)"), tuple(rows))

"""Running maps, shuffles and reduces over time, for the active scenario and the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING

import pyqtgraph
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from core.measures.metrics import Usage, usage
from core.model.time_text import clock_text
from explorer.plots.plot import pen
from explorer.plots.step_curve import StepCurve
from explorer.plots.time_chart import TimeChart
from explorer.widgets.export import ChartTable
from explorer.widgets.theme import mixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.schedule import Schedule
    from explorer.comparison.results import Result, Results
    from explorer.document.time_axis import TimeAxis
    from explorer.plots.plot import TimePlot
    from explorer.plots.step_curve import Outline
    from explorer.widgets.theme import Theme

NOTHING = "The use of the slots appears here as soon as the active scenario has been simulated."
AXIS_WIDTH_PX = 46
MAP, REDUCE = 0, 1


@dataclass(frozen=True)
class Counts:
    """What runs in one schedule, counted, and the curves that are drawn of it.

    Attributes
    ----------
    schedule, usage : counted of what, and the counts
    maps, held, reduces : running maps; reduce slots held, in either phase; reduces past their shuffle
    """

    schedule: Schedule
    usage: Usage
    maps: StepCurve
    held: StepCurve
    reduces: StepCurve

    def top(self, kind: int) -> StepCurve:
        """Return the slots in use by one kind of task."""
        return self.maps if kind == MAP else self.held


def count(schedule: Schedule) -> Counts:
    """Count what runs in a schedule: a third of a second for a million tasks."""
    counted = usage(schedule)
    times = counted.times
    return Counts(
        schedule,
        counted,
        maps=StepCurve(times, counted.maps),
        held=StepCurve(times, counted.shuffles + counted.reduces),
        reduces=StepCurve(times, counted.reduces),
    )


class UsageChart(TimeChart):
    """Two plots over the shared time axis: maps above, reduces with their shuffles below."""

    export_name = "usage"

    def __init__(self, results: Results, axis: TimeAxis, colours: Theme) -> None:
        super().__init__(axis, colours, ("maps", "reduces"), NOTHING)
        self._results = results
        results.changed.connect(self.refresh)
        self._known: dict[int, Counts] = {}
        self._curves = tuple(_Curves(plot) for plot in self.plots)
        for plot, name in zip(self.plots, ("maps", "reduces"), strict=True):
            plot.getAxis("left").setWidth(AXIS_WIDTH_PX)
            plot.setAccessibleName(f"Running {name} over time")
        self.refresh()

    def refresh(self) -> None:
        """Count what runs in the active scenario and the baseline, unless it is known already."""
        wanted = self._wanted()
        ids = {row.scenario_id for row in wanted}
        self._known = {i: counts for i, counts in self._known.items() if i in ids}
        missing = [row for row in wanted if self._counts(row) is None]
        if missing and self.isVisible():
            self._calculation.start(partial(_count_all, [(row.scenario_id, row.schedule) for row in missing]))
        self.draw()

    def _wanted(self) -> list[Result]:
        rows = {row.scenario_id: row for row in (self._results.active, self._results.baseline) if row}
        return list(rows.values())

    def _counts(self, row: Result | None) -> Counts | None:
        counts = None if row is None else self._known.get(row.scenario_id)
        return counts if counts is not None and row is not None and counts.schedule is row.schedule else None

    def _on_calculated(self, found: dict[int, Counts]) -> None:
        self._known |= found
        self.refresh()

    def draw_curves(self) -> bool:
        """Draw what is visible of all curves; False while nothing is counted."""
        active, baseline = self._results.active, self._results.baseline
        counts = self._counts(active)
        if active is None or counts is None:
            return False
        other = self._counts(baseline) if baseline is not None and not baseline.is_active else None
        capacity = active.schedule.cluster.stage_slots
        for kind in (MAP, REDUCE):
            shown = [counts.maps] if kind == MAP else [counts.held, counts.reduces]
            beside = None if other is None else self._visible(other.top(kind))
            self._curves[kind].draw([self._visible(curve) for curve in shown], beside, self._fills(kind))
            self._curves[kind].draw_capacity(capacity[kind], self._colours)
        return True

    def _visible(self, curve: StepCurve) -> Outline:
        return self._outline(curve, self._axis.t0, self._axis.t1)

    def _fills(self, kind: int) -> list[QColor]:
        colours = self._colours
        if kind == MAP:
            return [colours.map_band]
        return [mixed(colours.reduce_band, colours.plot, 0.62), colours.reduce_band]

    def _show_legend(self) -> None:
        """Explain the colours; with a cursor, say the numbers under it."""
        active, baseline = self._results.active, self._results.baseline
        counts = self._counts(active)
        if active is None or counts is None:
            return
        other = baseline.title if baseline is not None and not baseline.is_active else ""
        fills = [self._fills(MAP)[0], *self._fills(REDUCE)]
        numbers = _numbers_at(counts, self._axis.cursor)
        at = "" if self._axis.cursor is None else clock_text(self._axis.cursor, 0.1)
        self.legend.setText(_legend_html(active.title, other, at, fills, numbers, self._colours))

    # Export

    def export_heading(self) -> str:
        """Return whose slots they are."""
        active, baseline = self._results.active, self._results.baseline
        title = active.title if active is not None else ""
        if baseline is not None and not baseline.is_active:
            title += f" (line: {baseline.title})"
        return f"Slots in use: {title}"

    def table(self) -> ChartTable:
        """Return every step of the curves shown, not only what is visible."""
        rows: list[tuple[str | float, ...]] = []
        for row in self._wanted():
            counts = self._counts(row)
            if counts is not None:
                used = counts.usage
                columns = (used.times, used.maps, used.shuffles, used.reduces)
                steps = zip(*(column.tolist() for column in columns), strict=True)
                rows += [(row.title, *step) for step in steps]
        return ChartTable(("scenario", "from (s)", "maps", "shuffles", "reduces"), tuple(rows))


class _Curves:
    """The items of one plot; made once, filled again and again."""

    def __init__(self, plot: TimePlot) -> None:
        self._plot = plot
        self._areas = [pyqtgraph.PlotDataItem(fillLevel=0) for _ in range(2)]
        self._other = pyqtgraph.PlotDataItem()
        self._capacity = pyqtgraph.InfiniteLine(angle=0)
        for item in (*self._areas, self._other, self._capacity):
            plot.addItem(item)

    def draw(self, outlines: Sequence[Outline], other: Outline | None, fills: Sequence[QColor]) -> None:
        """Fill below the outlines, and draw the other scenario's as a line."""
        for place, area in enumerate(self._areas):
            area.setVisible(place < len(outlines))
            if place < len(outlines):
                area.setData(*outlines[place])
                area.setBrush(fills[place])
                area.setPen(pen(QColor(fills[place]).lighter(115)))
        self._other.setVisible(other is not None)
        if other is not None:
            self._other.setData(*other)
            self._other.setPen(pen(self._plot.colours.accent, 1.5))

    def draw_capacity(self, slots: int, colours: Theme) -> None:
        """Draw how many slots there are, and leave a little room above."""
        self._capacity.setValue(slots)
        self._capacity.setPen(pen(colours.muted, 1, Qt.PenStyle.DashLine))
        self._plot.setYRange(0, max(slots, 1) * 1.08, padding=0)


def _count_all(schedules: Sequence[tuple[int, Schedule]]) -> dict[int, Counts]:
    return {scenario_id: count(schedule) for scenario_id, schedule in schedules}


def _numbers_at(counts: Counts, at: float | None) -> list[str]:
    """Return the counts at a time as text, nothing without one."""
    if at is None:
        return ["", "", ""]
    held, reduces = counts.held.value_at(at), counts.reduces.value_at(at)
    return [f" {value:.0f}" for value in (counts.maps.value_at(at), held - reduces, reduces)]


def _legend_html(
    title: str, other: str, at: str, fills: Sequence[QColor], numbers: Sequence[str], colours: Theme
) -> str:
    marks = "".join(
        f'&nbsp;&nbsp; <span style="color:{colour.name()}">■</span> {name}{number}'
        for colour, name, number in zip(fills, ("maps", "shuffles", "reduces"), numbers, strict=True)
    )
    line = (
        f'&nbsp;&nbsp; <span style="color:{colours.accent.name()}">━</span> {escape(other)}' if other else ""
    )
    when = f"&nbsp;&nbsp; at {at}" if at else ""
    return f"<b>{escape(title)}</b>{marks}{line}&nbsp;&nbsp; ┄ slots{when}"

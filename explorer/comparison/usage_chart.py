"""Slots in use by maps, shuffles and reduces over time: areas of the active scenario, lines of others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyqtgraph
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from typing_extensions import override

from core.files.html_text import escape
from core.measures.metrics import Usage, usage
from core.model.task_types import KIND_WORDS
from explorer.comparison.time_chart import TimeChart, coloured
from explorer.plots.curve_looks import colour_of
from explorer.plots.plot import pen
from explorer.plots.step_curve import StepCurve
from explorer.widgets.export import ChartTable
from explorer.widgets.theme import mixed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.model.schedule import Schedule
    from explorer.comparison.results import Result, Results
    from explorer.document.time_axis import TimeAxis
    from explorer.plots.plot import TimePlot
    from explorer.plots.step_curve import Outline
    from explorer.widgets.theme import Theme

NOTHING = "The use of the slots appears here as soon as the active scenario has been simulated."
MAP, REDUCE = 0, 1


def words_of(schedule: Schedule | None) -> tuple[str, str, str]:
    """Return what uses slots of the first type, those of the second in shuffles, and past them, in words."""
    first, later = KIND_WORDS if schedule is None else schedule.workload.type_words
    if schedule is not None and schedule.is_borrowed.any():
        return f"{first} slots", "shuffles", f"{later} slots"
    return f"{first}s", "shuffles", f"{later}s"


@dataclass(frozen=True)
class Counts:
    """What runs in one schedule, counted, and the curves that are drawn of it.

    Attributes
    ----------
    schedule, usage : counted of what, and the counts
    maps, held, reduces : map slots in use; reduce slots held, in either phase; those past the shuffle
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
        super().__init__(results, axis, colours, words_of(None)[::2], NOTHING, axis_width=46)
        self._curves = tuple(_Curves(plot) for plot in self.plots)
        self._name_plots(words_of(None))
        self.refresh()

    def _name_plots(self, words: tuple[str, str, str]) -> None:
        for plot, name in zip(self.plots, words[::2], strict=True):
            plot.setLabel("left", name.removesuffix(" stages"))  # the plots are too low for more
            plot.setAccessibleName(f"Running {name} over time")

    @override
    def wanted(self) -> list[Result]:
        return self._results.rows

    @staticmethod
    @override
    def figures_of(schedule: Schedule) -> Counts:
        return count(schedule)

    @property
    def _beside(self) -> list[tuple[int, Result]]:
        """The scenarios but the active one, with their places."""
        return [(place, row) for place, row in enumerate(self._results.rows) if not row.is_active]

    @override
    def draw_curves(self) -> bool:
        active = self._results.active
        counts: Counts | None = self.figures(active)
        if active is None or counts is None:
            return False
        others = [(place, self.figures(row)) for place, row in self._beside]
        self._name_plots(words_of(active.schedule))
        for kind, slots in enumerate(active.schedule.cluster.stage_slots):
            shown = [counts.maps] if kind == MAP else [counts.held, counts.reduces]
            beside = {place: self._visible(found.top(kind)) for place, found in others if found is not None}
            self._curves[kind].draw([self._visible(curve) for curve in shown], beside, self._fills(kind))
            most = max(row.schedule.cluster.stage_slots[kind] for row in self._results.rows)
            self._curves[kind].draw_capacity(slots, most, self._colours)
        return True

    def _visible(self, curve: StepCurve) -> Outline:
        return self._outline(curve, self._axis.t0, self._axis.t1)

    def _fills(self, kind: int) -> list[QColor]:
        colours = self._colours
        if kind == MAP:
            return [colours.map_band]
        return [mixed(colours.reduce_band, colours.plot, 0.62), colours.reduce_band]

    @override
    def legend_entries(self, figures: Counts, at: float | None) -> list[str]:
        numbers = ["", "", ""]
        if at is not None:
            held, reduces = figures.held.value_at(at), figures.reduces.value_at(at)
            numbers = [f" {value:.0f}" for value in (figures.maps.value_at(at), held - reduces, reduces)]
        words = words_of(figures.schedule)
        kinds = zip((*self._fills(MAP), *self._fills(REDUCE)), words, numbers, strict=True)
        entries = [coloured(colour, "■", name + number) for colour, name, number in kinds]
        for place, row in self._beside:
            entries.append(coloured(colour_of(place, self._colours), "━", escape(row.title)))
        return [*entries, "┄ slots"]

    # Export

    @override
    def export_heading(self) -> str:
        lines = ", ".join(row.title for _, row in self._beside)
        return f"Slots in use: {self.active_title}{lines and f' (lines: {lines})'}"

    @override
    def table(self) -> ChartTable:
        """Return every step of the curves shown, not only what is visible."""
        rows: list[tuple[str | float, ...]] = []
        for row in self.wanted():
            counts: Counts | None = self.figures(row)
            if counts is not None:
                used = counts.usage
                columns = (used.times, used.maps, used.shuffles, used.reduces)
                steps = zip(*(column.tolist() for column in columns), strict=True)
                rows += [(row.title, *step) for step in steps]
        active = self._results.active
        words = words_of(None if active is None else active.schedule)
        return ChartTable(("scenario", "from (s)", *words), tuple(rows))


class _Curves:
    """The items of one plot; made once, filled again and again."""

    def __init__(self, plot: TimePlot) -> None:
        self._plot = plot
        self._areas = [pyqtgraph.PlotDataItem(fillLevel=0) for _ in range(2)]
        self.others: dict[int, pyqtgraph.PlotDataItem] = {}
        self._capacity = pyqtgraph.InfiniteLine(angle=0)
        for item in (*self._areas, self._capacity):
            plot.addItem(item)

    def draw(
        self, outlines: Sequence[Outline], others: Mapping[int, Outline], fills: Sequence[QColor]
    ) -> None:
        """Fill below the outlines, and draw those of other scenarios, by their places, as lines."""
        for place, area in enumerate(self._areas):
            area.setVisible(place < len(outlines))
            if place < len(outlines):
                area.setData(*outlines[place])
                area.setBrush(fills[place])
                area.setPen(pen(QColor(fills[place]).lighter(115)))
        for place in self.others.keys() - others.keys():
            self._plot.removeItem(self.others.pop(place))
        for place, outline in others.items():
            if place not in self.others:
                self.others[place] = pyqtgraph.PlotDataItem()
                self._plot.addItem(self.others[place])
            self.others[place].setData(*outline)
            self.others[place].setPen(pen(colour_of(place, self._plot.colours), 1.5))

    def draw_capacity(self, slots: int, most: int, colours: Theme) -> None:
        """Draw how many slots there are, and leave a little room above the most of any scenario."""
        self._capacity.setValue(slots)
        self._capacity.setPen(pen(colours.second_text, 1, Qt.PenStyle.DashLine))
        self._plot.setYRange(0, max(most, 1) * 1.08, padding=0)

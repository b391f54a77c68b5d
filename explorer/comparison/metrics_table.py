"""All figures of all scenarios in one table, the best of each marked."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, Qt
from typing_extensions import override

from core.measures.metrics import METRICS, SHOWN_FIRST, suits
from core.model.time_text import duration_text, percent, signed_percent
from explorer.comparison.exported_table import ExportedTable
from explorer.comparison.results import Result
from explorer.widgets.export import ChartTable
from explorer.widgets.sorted_rows import SortedModel
from explorer.widgets.tables import Column, Role, bold_font

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QColor, QFont

    from core.measures.metrics import Better, Metric
    from core.model.workload import Workload
    from explorer.comparison.results import Results
    from explorer.document.view_state import ViewState
    from explorer.widgets.theme import Theme


BEST = "● "
Value = float | None


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a result.

    Attributes
    ----------
    heading, unit : of the column in a file; the unit is empty for plain numbers
    help : what it means
    better : whether "less" or "more" of it is better; empty where neither is
    read : returns the number
    write : returns it as text with its unit
    """

    heading: str
    unit: str
    help: str
    better: Better
    read: Callable[[Result], Value]
    write: Callable[[float], str]

    def text(self, result: Result) -> str:
        """Return what a table shows."""
        value = self.read(result)
        return "–" if value is None or math.isnan(value) else self.write(value)


def best(figure: Figure, results: Sequence[Result]) -> set[int]:
    """Return the places of the best results; none if all are equal or nothing is better."""
    values = [figure.read(result) for result in results]
    known = [value for value in values if value is not None and not math.isnan(value)]
    if not figure.better or len(known) < 2 or min(known) == max(known):
        return set()
    goal = max(known) if figure.better == "more" else min(known)
    return {place for place, value in enumerate(values) if value == goal}


def _change(result: Result) -> Value:
    return None if result.is_baseline else result.change


def _gap(result: Result) -> Value:
    return None if result.metrics.premise.as_submitted else result.gap


def _own_gap(result: Result) -> Value:
    return None if result.metrics.premise.as_submitted else result.metrics.gap


def _of_metric(metric: Metric, workload: Workload) -> Figure:
    return Figure(
        metric.title_for(workload),
        metric.unit if metric.unit != "%" else "",
        metric.help_for(workload),
        metric.better,
        lambda result: float(result.metrics[metric.name]),
        metric.text,
    )


BOUND = "No schedule with these durations is shorter that does what one of these scenarios does"


def figures_of(workload: Workload) -> tuple[Figure, ...]:
    """Return the figures of schedules of a workload, in its words."""
    return (
        _of_metric(METRICS["makespan"], workload),
        Figure("change", "", "Change of the makespan against the baseline", "", _change, signed_percent),
        Figure("lower bound", "s", BOUND, "", lambda result: result.shared.seconds, duration_text),
        Figure(
            "gap", "", "How far the makespan lies above that bound, which all share", "less", _gap, percent
        ),
        replace(_of_metric(METRICS["lower_bound"], workload), heading="own bound"),
        Figure("own gap", "", "How far it lies above its own bound", "", _own_gap, percent),
        *(
            _of_metric(metric, workload)
            for name, metric in METRICS.items()
            if name not in SHOWN_FIRST and suits(metric, workload) and not metric.of_applications
        ),
    )


def figures_table(results: Sequence[Result]) -> ChartTable:
    """Return all figures of all results, unrounded."""
    figures = figures_of(results[0].schedule.workload) if results else ()
    heads = [f"{figure.heading} ({figure.unit})" if figure.unit else figure.heading for figure in figures]
    rows = [(result.title, *(figure.read(result) for figure in figures)) for result in results]
    return ChartTable(("scenario", *heads), tuple(rows))


class FiguresModel(SortedModel[Result]):
    """Rows are scenarios, columns figures; a click on a heading sorts them."""

    def __init__(self, results: Results, colours: Theme) -> None:
        self._results = results
        self._best: dict[Figure, set[int]] = {}
        self.colours = colours
        self._workload = results.workload
        self._shown = figures_of(self._workload)
        super().__init__(self._columns())
        results.changed.connect(self.show_results)
        self.show_results()

    def set_theme(self, colours: Theme) -> None:
        """Mark the best in other colours."""
        self.colours = colours
        self.looks = self._looks_of(self.rows)

    def show_results(self) -> None:
        """Show the results as they are now; the selection stays if there are as many."""
        rows, columns = self._results.rows, None
        if self._results.workload.is_map_reduce != self._workload.is_map_reduce:
            self._workload = self._results.workload
            self._shown = figures_of(self._workload)
            columns = self._columns()
        self._best = {figure: {rows[i].scenario_id for i in best(figure, rows)} for figure in self._shown}
        shown = self.in_order(rows)
        self.looks = self._looks_of(shown)
        if columns is None and len(rows) == len(self.rows):
            self.rows = shown
            self.refresh()
        else:
            self.show_rows(shown, columns)

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        super().sort(column, order)
        self.looks = self._looks_of(self.rows)

    def _looks_of(self, rows: Sequence[Result]) -> dict[tuple[int, int, int], QColor | QFont]:
        """Return bold for the active scenario's title, bold and a colour for the best figures."""
        bold = bold_font()
        looks: dict[tuple[int, int, int], QColor | QFont] = {}
        for place, result in enumerate(rows):
            if result.is_active:
                looks[place, 0, Role.FontRole] = bold
            for column, figure in enumerate(self._shown, start=1):
                if result.scenario_id in self._best[figure]:
                    looks[place, column, Role.FontRole] = bold
                    looks[place, column, Role.ForegroundRole] = self.colours.better
        return looks

    def _columns(self) -> tuple[Column[Result], ...]:
        return self._title_column(), *map(self._column, self._shown)

    def _title_column(self) -> Column[Result]:
        def text(result: Result) -> str:
            return f"{result.title} (baseline)" if result.is_baseline else result.title

        return Column("Scenario", text, tip=Result.details, spoken=text)

    def _column(self, figure: Figure) -> Column[Result]:
        def is_best(result: Result) -> bool:
            return result.scenario_id in self._best[figure]

        def spoken(result: Result) -> str:
            text = f"{figure.heading} of {result.title}: {figure.text(result)}"
            return f"{text}, the best" if is_best(result) else text

        return Column(
            figure.heading.capitalize(),
            lambda result: (BEST if is_best(result) else "") + figure.text(result),
            figure.help + (f"; {figure.better} is better" if figure.better else ""),
            is_number=True,
            tip=lambda _result: "",
            spoken=spoken,
            value=figure.read,
        )


class MetricsTable(ExportedTable):
    """Shows the figures; the row of the active scenario is selected."""

    export_name = "metrics"

    def __init__(self, results: Results, view_state: ViewState, colours: Theme) -> None:
        self.figures = FiguresModel(results, colours)
        super().__init__(self.figures, "Metrics of all scenarios", colours)
        self.figures.setParent(self)
        self._results, self._view_state = results, view_state
        self.verticalHeader().resetDefaultSectionSize()
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        view_state.active_scenario_changed.connect(self._show_active)
        self.figures.modelReset.connect(self._show_active)
        self.figures.layoutChanged.connect(self._show_active)
        self._show_active()

    def set_theme(self, colours: Theme) -> None:
        """Mark the best in other colours."""
        self.colours = colours
        self.figures.set_theme(colours)
        self.viewport().update()

    def _show_active(self) -> None:
        for row in range(self.figures.rowCount()):
            if self.figures.rows[row].scenario_id == self._view_state.active_scenario:
                self.selectRow(row)

    def _on_selection_changed(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        for index in self.selectionModel().selectedRows():
            self._view_state.activate_scenario(self.figures.rows[index.row()].scenario_id)

    @override
    def table(self) -> ChartTable:
        """Return all figures, unrounded."""
        return figures_table(self._results.rows)

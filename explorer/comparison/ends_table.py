"""When each job ends in each scenario, and how much earlier or later that is than in the baseline."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from typing_extensions import override

from core.model.time_text import clock_text, difference_text
from core.model.visible_text import visible
from explorer.comparison.exported_table import ExportedTable
from explorer.widgets.export import ChartTable
from explorer.widgets.sorted_rows import SortedModel
from explorer.widgets.tables import Column, Role

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QItemSelection
    from PySide6.QtGui import QShowEvent

    from core.model.schedule import Schedule
    from explorer.comparison.results import Result, Results
    from explorer.document.view_state import ViewState
    from explorer.widgets.theme import Theme

NOTHING = "The ends of jobs appear here as soon as a scenario has been simulated."
ENDS = "When the job ends in {}"
MEASURED = 100
"""Rows by which columns are as wide as their texts: a million would take a while."""
CHANGES = "How much later the job ends in {} than in {}: − is earlier"


class EndsModel(SortedModel[int]):
    """Rows are jobs, by their places; columns the ends in each scenario, each with its change.

    Attributes
    ----------
    names : of all jobs of the results, in their order
    """

    def __init__(self, results: Results, colours: Theme) -> None:
        self._results = results
        self.colours = colours
        self.names: tuple[str, ...] = ()
        self._schedules: tuple[tuple[Schedule, str, bool], ...] = ()
        super().__init__((Column("Job", self._name),))

    def show_results(self) -> None:
        """Show the results as they are now."""
        rows = self._results.rows
        shown = tuple((row.schedule, row.title, row.is_baseline) for row in rows)
        if len(shown) == len(self._schedules) and all(
            a[0] is b[0] and a[1:] == b[1:] for a, b in zip(shown, self._schedules, strict=True)
        ):
            return  # another scenario is the active one, nothing else
        self._schedules = shown
        self.names = tuple(dict.fromkeys(job.name for row in rows for job in row.schedule.workload.jobs))
        has_as_many = len(self.columns) == len(columns := self._columns(rows))
        self.sorted_by = self.sorted_by if has_as_many else None
        self.columns = columns
        self.show_rows(self.in_order(range(len(self.names))), columns)

    def _name(self, job: int) -> str:
        return visible(self.names[job])

    def _columns(self, rows: list[Result]) -> tuple[Column[int], ...]:
        ends = [self._ends(row.schedule) for row in rows]
        baseline = next((i for i, row in enumerate(rows) if row.is_baseline), None)
        latest = max((row.metrics.makespan for row in rows), default=0.0)
        found = [Column("Job", self._name)]
        for row, end in zip(rows, ends, strict=True):
            found.append(self._end_column(row, end, latest))
            if baseline is not None and not row.is_baseline:
                found.append(self._change_column(row, rows[baseline], end, ends[baseline], latest))
        return tuple(found)

    def _ends(self, schedule: Schedule) -> NDArray[np.float64]:
        """Return when each job ends, nan for one that the schedule has not."""
        index = schedule.workload.job_index
        places = np.array([index.get(name, -1) for name in self.names], np.int64)
        ends: NDArray[np.float64] = np.where(places >= 0, schedule.finish[places], np.nan)
        return ends

    def _end_column(self, row: Result, end: NDArray[np.float64], latest: float) -> Column[int]:
        name = f"{row.title} (baseline)" if row.is_baseline else row.title
        return Column(
            name,
            lambda job: clock_text(float(end[job]), largest=latest),
            ENDS.format(row.title),
            is_number=True,
            value=lambda job: float(end[job]),
        )

    def _change_column(
        self,
        row: Result,
        baseline: Result,
        end: NDArray[np.float64],
        before: NDArray[np.float64],
        latest: float,
    ) -> Column[int]:
        def style(job: int, role: int) -> Any:
            change = end[job] - before[job]
            if role != Role.ForegroundRole or math.isnan(change) or not change:
                return None
            return self.colours.better if change < 0 else self.colours.worse

        return Column(
            "Change",
            lambda job: difference_text(float(before[job]), float(end[job]), latest),
            CHANGES.format(row.title, baseline.title),
            is_number=True,
            value=lambda job: float(end[job] - before[job]),
            style=style,
        )

    def numbers(self) -> ChartTable:
        """Return all ends and changes, unrounded, in the order that is shown."""
        heads = ["job"]
        for column, before in zip(self.columns[1:], self.columns, strict=False):
            is_change = column.style is not None
            heads.append(f"change in {before.title} (s)" if is_change else f"end in {column.title} (s)")
        rows = [
            (self.names[job], *(column.value(job) for column in self.columns[1:] if column.value))
            for job in self.rows
        ]
        return ChartTable(tuple(heads), tuple(rows))


class EndsTable(ExportedTable):
    """Shows the ends; the row of the selected job is selected."""

    export_name = "ends"

    def __init__(self, results: Results, view_state: ViewState, colours: Theme) -> None:
        self.ends = EndsModel(results, colours)
        super().__init__(self.ends, "When each job ends in each scenario", colours)
        self.ends.setParent(self)
        self.empty_text = NOTHING
        self._view_state = view_state
        self.horizontalHeader().setResizeContentsPrecision(MEASURED)
        results.changed.connect(self._refresh)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        view_state.selected_job_changed.connect(self._show_selected)
        self.ends.modelReset.connect(self._show_selected)
        self.ends.layoutChanged.connect(self._show_selected)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.ends.show_results()

    def set_theme(self, colours: Theme) -> None:
        """Draw changes in other colours."""
        self.colours = self.ends.colours = colours
        self.viewport().update()

    def _refresh(self) -> None:
        if self.isVisible():
            self.ends.show_results()

    def _show_selected(self) -> None:
        name = self._view_state.selected_job
        place = next((row for row, job in enumerate(self.ends.rows) if self.ends.names[job] == name), -1)
        if place < 0:
            self.clearSelection()
        else:
            self.selectRow(place)

    def _on_selection_changed(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        for index in self.selectionModel().selectedRows():
            self._view_state.select_job(self.ends.names[self.ends.rows[index.row()]])

    @override
    def table(self) -> ChartTable:
        self.ends.show_results()
        return self.ends.numbers()

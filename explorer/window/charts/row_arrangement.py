"""What the rows of charts are and how high they are; large schedules are arranged in a thread."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import ref

from PySide6.QtCore import QObject, Signal

from core.charts.schedule_rows import matched_lanes, schedule_rows
from core.measures.rows_by_pool import shares_slots
from explorer.document.view_state import RowHeights, RowsBy
from explorer.gantt.geometry.chart_content import late_texts
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.deadlines import late_places
from explorer.gantt.layers.run_end import run_end
from explorer.simulation.outcome import MAX_TASKS_AT_ONCE, compute
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.charts.schedule_rows import ScheduleRows
    from core.model.schedule import Schedule
    from explorer.document.view_state import ViewState
    from explorer.gantt.gantt_view import GanttView
    from explorer.gantt.gestures.navigation import Navigation
    from explorer.simulation.outcome import Outcome
    from explorer.simulation.request import SimulationRequest


MAX_AT_ONCE = 50_000
"""Tasks that are arranged while a chart waits: that takes 50 ms at most."""


def compute_to_draw(request: SimulationRequest, *how: Any) -> Outcome:
    """Simulate and measure, in a thread, and sort there what would take the window long.

    Arguments and errors are those of `compute`.
    """
    outcome = compute(request, *how)
    if request.tasks <= MAX_TASKS_AT_ONCE:
        return outcome
    rows = [_prepared(schedule_rows(outcome.schedule))]
    if outcome.computed is not None:  # stands below it
        rows.append(schedule_rows(outcome.computed))
    outcome = replace(outcome, rows=tuple(rows))
    _ = outcome.job_order  # kept with it
    return outcome


def _prepared(rows: ScheduleRows) -> ScheduleRows:
    """Look up what else a chart of rows needs, which is kept with them, and return them."""
    legend_signs([rows])  # which looks up what other layers draw
    late_places(rows)
    late_texts(rows)
    run_end(rows)
    _ = rows.busy
    return rows


class RowArrangement(QObject):
    """Decides whether a schedule's rows are shown by pool, and arranges large schedules in a thread.

    Signals
    -------
    changed : the user chose other rows, or those of a large schedule are there; charts should be shown again
    """

    changed = Signal()
    _fits = Signal(bool)

    def __init__(self, view_state: ViewState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view_state = view_state
        self._waiting: list[Schedule] = []
        self._arranged: list[ref[ScheduleRows]] = []  # charts keep them, those that show them
        self._looks: dict[int, Navigation] = {}
        self._is_matching = False
        self._calculation = Worker(self, finished=self._on_finished)
        view_state.rows_changed.connect(self.changed)
        view_state.folded_changed.connect(self._fold)
        view_state.row_heights_changed.connect(lambda: self._fits.emit(self._are_fitted))

    def follow_with(self, scenario_id: int, look: Navigation) -> None:
        """Let a chart's rows be as high, and folded, as the user wants them; all charts scroll together."""
        self._fits.connect(look.fit_rows)
        look.fit_rows(self._are_fitted)
        look.rows_moved.connect(partial(self._match, scenario_id))
        look.folded.connect(partial(self._view_state.fold, scenario_id))
        self._looks[scenario_id] = look
        self._fold(scenario_id)

    def forget(self, scenario_id: int) -> None:
        """Let go of a chart that is removed."""
        self._fits.disconnect(self._looks.pop(scenario_id).fit_rows)

    def _match(self, scenario_id: int) -> None:
        """Let all charts show the rows that one shows, where their lanes are alike."""
        if self._is_matching or scenario_id not in self._looks:
            return
        self._is_matching = True
        for other_id, look in self._looks.items():
            if other_id != scenario_id:
                look.match(self._looks[scenario_id].layout)
        self._is_matching = False

    def _fold(self, scenario_id: int) -> None:
        self._looks[scenario_id].set_folded(self._view_state.folded_in(scenario_id))

    @property
    def _are_fitted(self) -> bool:
        return self._view_state.row_heights is RowHeights.FITTED

    def match_lanes(self, charts: Iterable[GanttView]) -> None:
        """Let lanes of one kind have one height in all charts."""
        shown = [(view, view.content.rows) for view in charts]
        known = [(view, rows) for view, rows in shown if rows is not None]
        for (view, _), lanes in zip(known, matched_lanes([rows for _, rows in known]), strict=True):
            if lanes != view.content.lanes:
                view.change(lanes=lanes)

    def is_by_pool(self, *schedules: Schedule | None) -> bool:
        """Whether to show a schedule and its ghost by pool; large ones once a thread has sorted them."""
        there = [schedule for schedule in schedules if schedule is not None]
        if not there or self._view_state.rows is not RowsBy.POOL:
            return False
        large = (schedule for schedule in there if schedule.tasks > MAX_AT_ONCE and shares_slots(schedule))
        missing = [schedule for schedule in large if not self.by_pool(schedule)]
        new = [each for each in missing if not any(known is each for known in self._waiting)]
        if new:
            self._waiting += new
            self._calculation.start(partial(_arrange, tuple(self._waiting)))
        return not missing

    def by_pool(self, *schedules: Schedule | None) -> list[ScheduleRows]:
        """Return the rows by pool of schedules that a thread has sorted."""
        known = [rows for each in self._arranged if (rows := each()) is not None]
        return [rows for rows in known if any(rows.schedule is schedule for schedule in schedules)]

    def _on_finished(self, arranged: list[ScheduleRows]) -> None:
        self._waiting.clear()
        self._arranged = [each for each in self._arranged if each() is not None] + [*map(ref, arranged)]
        self.changed.emit()  # what is shown now is kept by its chart


def _arrange(schedules: Sequence[Schedule]) -> list[ScheduleRows]:
    return [_prepared(schedule_rows(schedule, by_pool=True)) for schedule in schedules]

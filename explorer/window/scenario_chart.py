"""The chart of one scenario, whose signals say which one they come from, and how its rows are arranged."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal

from core.measures.rows_by_pool import compiled_pack, has_rows_by_pool, rows_by_pool, shares_slots
from explorer.document.view_state import RowsBy
from explorer.gantt.gantt_view import GanttView
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from core.model.schedule import Schedule
    from explorer.document.time_axis import TimeAxis
    from explorer.document.view_state import ViewState
    from explorer.widgets.theme import Theme


class ScenarioChart(QObject):
    """One chart together with the id of its scenario: its signals say which chart they come from."""

    clicked = Signal(int, int, int)
    hovered = Signal(int, int)
    previewed = Signal(int, object)
    dropped = Signal(int, object)
    pools_previewed = Signal(int, object)
    pools_dropped = Signal(int, object, str)
    pool_of_job_previewed = Signal(int, str, str)
    pool_of_job_dropped = Signal(int, str, str)
    cancelled = Signal(int)
    context_requested = Signal(int, QPoint, int)

    def __init__(self, scenario_id: int, axis: TimeAxis, theme: Theme, area: QWidget) -> None:
        super().__init__(area)
        self.scenario_id = scenario_id
        self.view = GanttView(axis, theme, area)
        self.view.job_clicked.connect(self._on_clicked)
        self.view.task_hovered.connect(self._on_hovered)
        self.view.order_previewed.connect(self._on_previewed)
        self.view.order_dropped.connect(self._on_dropped)
        self.view.pools.previewed.connect(self._on_pools_previewed)
        self.view.pools.dropped.connect(self._on_pools_dropped)
        self.view.pools.job_previewed.connect(self._on_job_pool_previewed)
        self.view.pools.job_dropped.connect(self._on_job_pool_dropped)
        self.view.drag_cancelled.connect(self._on_cancelled)
        self.view.context_requested.connect(self._on_context_requested)

    @property
    def schedule(self) -> Schedule | None:
        """What the chart shows, if anything."""
        rows = self.view.content.rows
        return None if rows is None else rows.schedule

    def close(self) -> None:
        """Take the chart away."""
        self.view.hide()
        self.view.deleteLater()
        self.deleteLater()

    def _on_clicked(self, job: int) -> None:
        self.clicked.emit(self.scenario_id, job, self.view.clicked_task)

    def _on_hovered(self, facts: object) -> None:
        self.hovered.emit(self.scenario_id, getattr(facts, "task", -1))

    def _on_previewed(self, order: object) -> None:
        self.previewed.emit(self.scenario_id, order)

    def _on_dropped(self, order: object) -> None:
        self.dropped.emit(self.scenario_id, order)

    def _on_cancelled(self) -> None:
        self.cancelled.emit(self.scenario_id)

    def _on_context_requested(self, place: QPoint, job: int) -> None:
        self.context_requested.emit(self.scenario_id, place, job)

    def _on_pools_previewed(self, partition: object) -> None:
        self.pools_previewed.emit(self.scenario_id, partition)

    def _on_pools_dropped(self, partition: object, text: str) -> None:
        self.pools_dropped.emit(self.scenario_id, partition, text)

    def _on_job_pool_previewed(self, job: str, pool: str) -> None:
        self.pool_of_job_previewed.emit(self.scenario_id, job, pool)

    def _on_job_pool_dropped(self, job: str, pool: str) -> None:
        self.pool_of_job_dropped.emit(self.scenario_id, job, pool)


MOST_AT_ONCE, MOST_AT_ONCE_COMPILED = 10_000, 80_000
"""Tasks that are arranged while a chart waits: that takes 50 ms at most."""


class RowArrangement(QObject):
    """Says whether a schedule's rows are shown by pool, and arranges large schedules in a thread.

    Signals
    -------
    changed : the user chose other rows, or those of a large schedule are there; charts should be shown again
    """

    changed = Signal()

    def __init__(self, view_state: ViewState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view_state = view_state
        self._waiting: list[Schedule] = []
        self._calculation = Worker(self)
        self._calculation.finished.connect(self._on_finished)
        view_state.rows_changed.connect(self.changed)

    def is_by_pool(self, schedule: Schedule | None) -> bool:
        """Whether to show a schedule by pool; of a large one not before its rows are known."""
        if schedule is None or self._view_state.rows is not RowsBy.POOL:
            return False
        most = MOST_AT_ONCE_COMPILED if compiled_pack.is_loaded() else MOST_AT_ONCE
        if schedule.tasks <= most or not shares_slots(schedule) or has_rows_by_pool(schedule):
            return True
        if not any(known is schedule for known in self._waiting):
            self._waiting.append(schedule)
            self._calculation.start(partial(_arrange, tuple(self._waiting)))
        return False

    def _on_finished(self, _answer: object) -> None:
        self._waiting.clear()
        self.changed.emit()


def _arrange(schedules: Sequence[Schedule]) -> None:
    for schedule in schedules:  # what is arranged already costs nothing
        rows_by_pool(schedule)

"""The chart of one scenario: its signals say which one they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal

from explorer.gantt.gantt_view import GanttView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from core.model.schedule import Schedule
    from explorer.document.time_axis import TimeAxis
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

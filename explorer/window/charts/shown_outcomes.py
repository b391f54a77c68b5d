"""What the runner found, in headers and panels: figures, orders, ends, and the colours of the charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor
from typing_extensions import override

from core.model.errors import PolicyNotRun
from explorer.window.area import Area
from explorer.window.charts.chart_stack import EMPTY_TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from PySide6.QtWidgets import QMainWindow

    from explorer.comparison.comparison_panel import ComparisonPanel
    from explorer.panels.inspector import Inspector
    from explorer.panels.jobs_panel import JobsPanel
    from explorer.policy_files.own_policies import OwnPolicies
    from explorer.simulation.outcome import Outcome
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea

    class Coloured(Protocol):
        """Something that paints jobs."""

        def set_colours(self, colour_of: Callable[[int], QColor], /) -> None:
            """Take the jobs' colours, by place in the workload."""


NOT_YET_COLOURED = QColor(128, 128, 128)
"""Of a job that was added a moment ago."""
NOT_RUN = "its policy file has not been run; the chart says why"
"""In the heading of a chart; upon it is what to do."""


class ShownOutcomes(Area):
    """Follows the runner."""

    def __init__(
        self,
        model: WindowModel,
        window: QMainWindow,
        *,
        charts: ChartArea,
        jobs_panel: JobsPanel,
        inspector: Inspector,
        comparison: ComparisonPanel,
        own_policies: OwnPolicies,
        coloured: Sequence[Coloured],
    ) -> None:
        super().__init__(model, window)
        self._charts, self._headers = charts, charts.headers
        self._jobs_panel, self._inspector, self._comparison = jobs_panel, inspector, comparison
        self._own_policies = own_policies
        self._coloured: tuple[Coloured, ...] = (jobs_panel, inspector, *coloured)
        runner, document = self._runner, self._document
        runner.outcome_ready.connect(self._on_outcome_ready)
        runner.preview_ready.connect(self._on_preview_ready)
        runner.preview_ended.connect(self._on_preview_ended)
        runner.failed.connect(self._on_failed)
        runner.progressed.connect(self._on_progressed)
        for signal in (document.baseline_changed, document.workload_changed, document.reset):
            signal.connect(self._update_colours)
        self._view_state.colour_by_changed.connect(self._update_colours)

    def _on_outcome_ready(self, scenario_id: int, outcome: Outcome) -> None:
        pools = self._runner.pools(scenario_id)
        self._jobs_panel.set_computed_order(scenario_id, outcome.job_order, pools)
        self._jobs_panel.set_late_jobs(scenario_id, outcome.late_jobs)
        self._jobs_panel.set_ends(scenario_id, outcome.job_ends)
        because = outcome.schedule.interpreted_because
        self._headers.set_outcome(scenario_id, outcome.metrics, because, outcome.bound_why)
        self._inspector.set_schedule(scenario_id, outcome.schedule)
        self._comparison.results.put(scenario_id, outcome.schedule, outcome.metrics, outcome.estimates)
        self._update_colours()

    def _on_preview_ready(self, scenario_id: int, outcome: Outcome) -> None:
        has_plan = outcome.schedule.plan is not None
        self._headers.set_preview(scenario_id, outcome.metrics, has_plan=has_plan)

    def _on_preview_ended(self, scenario_id: int) -> None:
        self._headers.set_preview(scenario_id, None)

    def _on_progressed(self, scenario_id: int, fraction: float) -> None:
        """Show how far a run is; one that failed before, or waited, goes on."""
        self._headers.set_progress(scenario_id, fraction)
        if (view := self._charts.views.get(scenario_id)) is not None:
            view.change(empty_text=EMPTY_TEXT)

    def _on_failed(self, scenario_id: int, error: Exception) -> None:
        is_waiting = isinstance(error, PolicyNotRun)
        sentence = NOT_RUN if is_waiting else getattr(error, "brief", str(error))
        self._headers.set_error(scenario_id, sentence, is_waiting=is_waiting)
        self._comparison.results.forget(scenario_id)
        if self._runner.outcome(scenario_id) is None:
            self._jobs_panel.set_late_jobs(scenario_id, {})
            self._jobs_panel.set_ends(scenario_id, {})
            self._inspector.set_schedule(scenario_id, None)
        if self._own_policies.files.state(self._document.scenario(scenario_id).choice.id) is None:
            self.failed.emit(error)  # else the chart says it

    @override
    def set_theme(self, theme: Theme) -> None:
        self._update_colours()

    def _update_colours(self) -> None:
        colours = self._charts.map_colours()

        def colour_of(job: int) -> QColor:
            return QColor.fromRgb(int(colours[job])) if 0 <= job < len(colours) else NOT_YET_COLOURED

        for part in self._coloured:
            part.set_colours(colour_of)

"""The search for the best schedule, wired to document, runner and charts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from typing_extensions import override

from core.files.plan_document import write_plan
from core.model.errors import InputError
from explorer.document.titles import title_in
from explorer.optimize.optimize_panel import STALE, OptimizePanel
from explorer.widgets.details import DetailsPage
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.window.area import Area
from explorer.window.scenarios.front_area import FrontArea
from explorer.window.scenarios.search_subject import SearchSubject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.found import Found
    from explorer.optimize.search_run import Prepared
    from explorer.optimize.wishes import Wish
    from explorer.simulation.outcome import Outcome
    from explorer.widgets.details import DetailsDock
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea

CHANGED = "the jobs, the cluster or the scenario have changed since; search again"
NO_CURSOR = "there is no time cursor; click into the chart where the rest begins"
NO_BUTTON = Qt.MouseButton.NoButton


class OptimizeArea(Area):
    """Builds the panel of the search for one goal and connects it, and has that of two goals.

    The chart of the scenario that is searched for shows the best plan by now, as a drag shows what a drop
    would do; the document is not touched until the plan is taken.
    """

    def __init__(
        self, model: WindowModel, window: QMainWindow, *, charts: ChartArea, details: DetailsDock
    ) -> None:
        super().__init__(model, window)
        self._charts, self._details = charts, details
        settings, runner, view_state = self._settings, self._runner, self._view_state
        self._subject = SearchSubject(model)
        self._searched = -1
        self._searched_on: tuple[Workload, Cluster] | None = None  # of the search
        self._priced: tuple[int, tuple[Workload, Cluster]] | None = None  # what slots have prices for
        self._from: float | None = None  # the time that was searched from; None for the whole
        self._may_preview = False
        self._previewed: Plan | None = None  # what the chart shows in the place of the scenario
        self.panel = OptimizePanel(self._maker, settings.wish, model.axis)
        self.page = DetailsPage("optimise", "Optimise", self.panel, is_fixed=True)
        self.panel.changed.connect(lambda: setattr(settings, "wish", self.panel.wish.values()))
        self.panel.is_taken = self._is_taken
        self.panel.previewed.connect(self._on_previewed)
        self.panel.taken.connect(self._on_taken)
        self.panel.exported.connect(self._on_exported)
        self.panel.compare_wanted.connect(self._on_compare)
        self.panel.prices_wanted.connect(self._on_prices)
        self.panel.ended.connect(self._on_ended)
        self.panel.reported.connect(self.done)
        self.page.changed.connect(self._on_page_changed)
        self.front = FrontArea(model, window, charts=charts, details=details)
        self.pass_on(self.front)
        for signal in (view_state.active_scenario_changed, self._document.reset, self._editor.edited):
            signal.connect(self._follow)
        runner.outcome_ready.connect(self._on_outcome)
        runner.preview_ready.connect(self._on_outcome)
        runner.preview_ended.connect(self._on_preview_ended)

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        self.page.place(self._details, actions["optimize"])
        self.front.place(actions)

    def show(self) -> None:
        """Open the panel, or close it if it is in front."""
        self.page.toggle()
        self._follow()

    @override
    def set_theme(self, theme: Theme) -> None:
        self.front.set_theme(theme)

    # ---- what is searched for

    def _follow(self) -> None:
        """Follow the document: other jobs or another cluster end the search, an edit shows the edit."""
        self.panel.show_taken()
        if self._priced is not None and not self._holds(*self._priced):
            self._priced = None
            self.panel.prices.clear(STALE)
        if self._searched_on is not None and not self._still_holds():
            self._end_preview()
            self._searched_on, self._searched = None, -1
            self.panel.forget()
        elif self._previewed is not None and self.sender() is self._editor:
            self._end_preview()
            self._may_preview = False
        if not self._subject.has_scenario or self.panel.run.is_running:
            return
        scenario, workload = self._subject.scenario, self._document.workload
        self.panel.show_subject(
            title_in(self._document.state, scenario),
            tuple(workload.job_index),
            has_deadlines=workload.has_deadlines,
            has_pools=self._runner.pools(scenario.id) is not None,
        )
        self.panel.levers.show_levers_of(workload)
        self.panel.rules.show_pinned(scenario.plan.pinned if scenario.plan else ())

    def _still_holds(self) -> bool:
        """Whether what was found is of the jobs and the cluster of the scenario as they are."""
        return self._searched_on is not None and self._holds(self._searched, self._searched_on)

    def _holds(self, scenario_id: int, planned_on: tuple[Workload, Cluster]) -> bool:
        """Whether a scenario still has these jobs and this cluster."""
        if not self._document.has_scenario(scenario_id):
            return False
        return self._subject.planned_on(self._document.scenario(scenario_id)) == planned_on

    def _maker(self, wish: Wish) -> Prepared:
        """Return a search for the active scenario."""
        from explorer.optimize.rest_search import rest_search_for  # only what searches loads it
        from explorer.optimize.wish_search import search_for

        scenario = self._subject.searchable()
        self._end_preview()
        outcome = self._runner.outcome(scenario.id)
        planned_on = self._subject.planned_on(scenario)
        now = None if outcome is None else outcome.schedule
        seconds = self._view_state.time_cursor.seconds if wish.from_cursor else None
        if seconds is not None:
            self._prepare = partial(rest_search_for, wish, *planned_on, scenario, seconds, now)
        elif wish.from_cursor:
            raise InputError(NO_CURSOR)
        else:
            start = self._start_of(scenario, wish)
            pools = self._runner.pools(scenario.id)
            self._prepare = partial(search_for, wish, *planned_on, start, pools, now)
        prepared = self._prepare(compiled=self._subject.uses_compiled)
        self._searched, self._searched_on, self._from = scenario.id, planned_on, seconds
        self._may_preview = seconds is None  # the chart has no other rest until it is taken
        return prepared

    def use_compiled(self) -> None:
        """Begin a search anew that is slow only because there was no compiled code when it began."""
        if self.panel.is_slow and self._subject.uses_compiled:
            self.panel.go_on_faster(self._prepare(compiled=True))
        self.front.use_compiled()

    def _start_of(self, scenario: Scenario, wish: Wish) -> Plan | tuple[str, ...]:
        """Return what the search begins with besides its own starts: the scenario's plan, else its order."""
        plan = scenario.plan
        if plan is None:
            return self._charts.job_order(scenario.id)
        for name in plan.pinned:
            plan = plan if name in wish.rules.pinned else plan.unpinned(name)
        return plan

    # ---- what was found

    def _on_previewed(self, plan: Plan) -> None:
        if not self._may_preview or QGuiApplication.mouseButtons() != NO_BUTTON:
            return  # a drag shows what it would do
        if self._document.has_scenario(self._searched):
            self._charts.show_ghost(self._searched)
            self._previewed = plan
            self._runner.preview_plan(self._searched, plan)

    def _end_preview(self) -> None:
        """Show the scenario again as it is."""
        if self._previewed is not None:
            self._previewed = None
            self._runner.end_preview(self._searched)
            if self._document.has_scenario(self._searched):
                self._charts.hide_ghost(self._searched)

    def _on_preview_ended(self, scenario_id: int) -> None:
        if scenario_id == self._searched:
            self._previewed = None

    def _on_taken(self, found: Found) -> None:
        self.panel.run.stop()
        if not self._still_holds():
            self.failed.emit(CHANGED)
            return
        self._end_preview()
        self._may_preview = False
        try:
            taken = self._take(found.plan)
            self._view_state.activate_scenario(taken)
        except InputError as error:
            self.failed.emit(error)

    def _take(self, plan: Plan) -> int:
        """Let a scenario follow a plan, from where it was searched from on; return its id."""
        if self._from is None:
            return self._editor.take_plan(self._searched, plan)
        return self._editor.take_rest(self._searched, self._from, plan)

    def _is_taken(self, plan: Plan) -> bool:
        """Whether a scenario follows a plan that was found."""
        return any(scenario.plan == plan for scenario in self._document.scenarios)

    def _on_exported(self, found: Found) -> None:
        name = f"{self._document.workload.name}.plan.json"
        path = ask_where_to_save(self._window, "Export the plan", name, "Plans (*.json *.json.gz)")
        if path is None:
            return
        try:
            write_plan(found.plan, path, self._document.workload.name)
        except InputError as error:
            self.failed.emit(error)
        else:
            self.done.emit(f"Saved to {path}")

    def _on_compare(self, wish: Wish) -> None:
        from explorer.optimize.wish_search import comparison_for  # only what searches loads it

        try:
            scenario = self._subject.searchable()
            planned_on, pools = self._subject.planned_on(scenario), self._runner.pools(scenario.id)
            work = comparison_for(wish, *planned_on, pools, compiled=self._subject.uses_compiled)
        except InputError as error:
            self.failed.emit(error)
            return
        self.panel.table.start(*work, has_bound=not wish.sigma)

    def _on_prices(self, wish: Wish) -> None:
        from explorer.optimize.wish_search import prices_for  # only what searches loads it

        try:
            scenario = self._subject.searchable()
            planned_on = self._subject.planned_on(scenario)
            self.panel.prices.start(prices_for(wish, *planned_on))
        except InputError as error:
            self.panel.prices.clear(str(error))
        else:
            self._priced = scenario.id, planned_on

    def _on_ended(self) -> None:
        """Prices that follow a search are of what it searched for."""
        if self._searched_on is not None:
            self._priced = self._searched, self._searched_on

    # ---- what stands in the charts

    def _on_outcome(self, scenario_id: int, outcome: Outcome) -> None:
        """Mark in the meter how far an edit by hand is from the bound, or what a drag would make of it."""
        if scenario_id == self._searched and outcome.schedule.plan == self._previewed is not None:
            return
        if self._searched_on is not None and scenario_id == self._view_state.active_scenario:
            self.panel.show_now(
                outcome.schedule, title_in(self._document.state, self._document.scenario(scenario_id))
            )

    def _on_page_changed(self) -> None:
        if not self.page.is_open:
            self.panel.stop()
            self._may_preview = False
            self._end_preview()

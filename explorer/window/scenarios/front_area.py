"""Goals side by side, wired to the document: plans between two goals, searched, shown and taken."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from typing_extensions import override

from core.model.errors import InputError
from explorer.document.titles import scenario_title, title_in
from explorer.optimize.compiling import THEN_BEGINS
from explorer.widgets.worker import Worker
from explorer.window.panel_area import PanelArea
from explorer.window.scenarios.search_subject import SearchSubject

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload
    from core.simulation.best_schedule import WantedSearch
    from explorer.study.front_panel import FrontPanel
    from explorer.study.front_picture import ScenarioMark
    from explorer.widgets.details import DetailsDock
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea

OF_FRONT = ", as "
"""In titles, between the scenario that was searched for and the plan: "FIFO, as plan 3 of 7"."""


class FrontArea(PanelArea["FrontPanel"]):
    """Has fronts searched, shown and taken."""

    def __init__(
        self, model: WindowModel, window: QMainWindow, *, charts: ChartArea, details: DetailsDock
    ) -> None:
        super().__init__(model, window, details, "front", "Goals")
        self._charts = charts
        self._subject = SearchSubject(model)
        self._searched, self._waits = -1, False
        self._searched_on: tuple[Workload, Cluster] | None = None
        self._marks = Worker(self, threads=1, finished=self._on_marks, failed=self.failed)
        for signal in (self._view_state.active_scenario_changed, self._document.reset, self._editor.edited):
            signal.connect(self._follow)
        self._runner.outcome_ready.connect(self._follow)

    @override
    def _end(self) -> None:
        assert self.panel is not None
        self._waits = False
        self.panel.stop()

    @override
    def _made(self, colours: Theme) -> FrontPanel:
        from explorer.study.front_panel import FrontPanel  # only what searches loads it

        panel = FrontPanel(colours)
        panel.wanted.connect(self._on_wanted)
        panel.shown.connect(self._follow)
        panel.taken.connect(self._on_taken)
        panel.scenario_chosen.connect(self._on_scenario_chosen)
        return panel

    # ---- what is searched

    def _on_wanted(self) -> None:
        assert self.panel is not None
        self._waits = not self._subject.uses_compiled
        if self._waits:
            self.panel.show_problem(THEN_BEGINS)
            return
        try:
            scenario = self._subject.searchable()
            wanted = self._wanted(scenario)
        except InputError as error:
            text = str(error)
            self.panel.show_problem(f"{text[0].upper()}{text[1:].removesuffix('.')}.")
            return
        self._searched, self._searched_on = scenario.id, self._subject.planned_on(scenario)
        self.panel.start(wanted, title_in(self._document.state, scenario))

    def use_compiled(self) -> None:
        """Begin the search that waited for compiled code: without it the seconds of each would be in vain."""
        if self._waits and self._subject.uses_compiled:
            self._on_wanted()

    def _wanted(self, scenario: Scenario) -> WantedSearch:
        """Return what all searches of a front for a scenario have in common."""
        from core.optimize.objectives import Objective  # only what searches loads it
        from core.simulation.best_schedule import wanted_search

        assert self.panel is not None
        workload, cluster = self._subject.planned_on(scenario)
        effort = {"steps": self.panel.steps_field.value()}
        start = scenario.plan or self._charts.job_order(scenario.id)
        return wanted_search(workload, cluster, Objective(), effort=effort, start=start)

    def _still_holds(self) -> bool:
        """Whether what was found is of the jobs and the cluster of the scenario as they are."""
        if not self._document.has_scenario(self._searched):
            return False
        return self._subject.planned_on(self._document.scenario(self._searched)) == self._searched_on

    @override
    def _follow(self) -> None:
        """Follow the document: other jobs or another cluster end the search, scenarios are marked."""
        panel = self.panel
        if panel is None or not self.page.is_open:
            return
        from core.simulation.plan_front import usual_steps  # only what searches loads it

        workload = self._document.workload
        links, steps = len(workload.columns.links) > 0, usual_steps(workload)
        panel.follow_jobs(has_deadlines=workload.has_deadlines, has_links=links, steps=steps)
        if self._searched_on is None:
            return
        if not self._still_holds():
            self._searched, self._searched_on = -1, None
            self._marks.cancel()
            panel.picture.show_marks(())
            panel.forget()
            return
        if panel.picture.points:
            self._mark_scenarios()

    # ---- scenarios in the picture

    def _mark_scenarios(self) -> None:
        """Have the values of the scenarios computed that can be compared with what was found."""
        assert self.panel is not None
        assert self._searched_on is not None
        workload, cluster = self._searched_on
        state = self._document.state
        shown = []
        for scenario in state.scenarios if workload == state.workload else ():
            outcome = self._runner.outcome(scenario.id)
            is_simulated = outcome is not None and not scenario.choice.is_record
            if is_simulated and outcome is not None and state.cluster_of(scenario) == cluster:
                shown.append((scenario, title_in(state, scenario), outcome.schedule))
        goals = self.panel.shown_goals

        def marks() -> list[ScenarioMark]:
            from core.optimize.premise import premise_of
            from core.simulation.plan_front import values_on_front
            from explorer.study.front_picture import ScenarioMark

            schedules = [schedule for _, _, schedule in shown]
            values = values_on_front(goals, schedules, workload, cluster)
            return [
                ScenarioMark(scenario.id, title, value, scenario.plan, premise_of(schedule).beyond_plans)
                for (scenario, title, schedule), value in zip(shown, values, strict=True)
            ]

        self._marks.start(marks)

    def _on_marks(self, marks: list[ScenarioMark]) -> None:
        if self.panel is not None and self._searched_on is not None:
            self.panel.picture.show_marks(marks)

    # ---- what is chosen in it

    def _on_scenario_chosen(self, scenario_id: int) -> None:
        if self._document.has_scenario(scenario_id):
            self._view_state.activate_scenario(scenario_id)

    def _on_taken(self, place: int) -> None:
        """Add a plan as a scenario beside the one that was searched for; one that is there is shown."""
        assert self.panel is not None
        picture = self.panel.picture
        plan = picture.points[place].plan
        there = next((each.id for each in self._document.scenarios if each.plan == plan), None)
        if there is not None:
            self._view_state.activate_scenario(there)
            return
        scenario = self._document.scenario(self._searched)
        before = scenario_title(scenario).partition(OF_FRONT)[0]  # it may be a plan of another front
        title = f"{before}{OF_FRONT}{picture.name_of(place).lower()}"
        beside = replace(scenario, order=None, partition=None, plan=plan, title=title)
        self._try(partial(self._add, scenario.id, beside))

    def _add(self, scenario_id: int, beside: Scenario) -> None:
        self._view_state.activate_scenario(self._editor.add_beside(scenario_id, beside))

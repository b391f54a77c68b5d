"""The questions the other way round, wired to document, runner and charts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from typing_extensions import override

from core.model.cluster import slots_text
from core.model.errors import InputError
from core.optimize.short_searches import plan_searches
from explorer.document.titles import scenario_title, title_in
from explorer.optimize.compiling import THEN_ASK
from explorer.optimize.question_answers import AsItIs, QuestionInput, answered, answered_as_it_is
from explorer.optimize.questions_page import BY_CHANCE, FEWEST_HERE, QuestionsPage
from explorer.optimize.wishes import Wish, wish_of
from explorer.widgets.details import DetailsPage
from explorer.widgets.layouts import scrolled
from explorer.window.area import Area
from explorer.window.scenarios.forecast_area import ForecastArea
from explorer.window.scenarios.search_subject import SearchSubject

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload
    from explorer.optimize.questions_page import InverseAnswer, InverseQuestion
    from explorer.simulation.outcome import Outcome
    from explorer.widgets.details import DetailsDock
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea

Subject = tuple["Workload", "Cluster", "Scenario | None"]
"""What an answer is about: jobs, cluster, and the scenario but for its name where its policy stays."""


class QuestionsArea(Area):
    """Builds the page of the questions and connects it, and has the forecast.

    An answer holds as long as the active scenario is what was asked about; what is made of it is one step of
    undo, and shows the schedule that the answer speaks of.
    """

    def __init__(
        self, model: WindowModel, window: QMainWindow, *, charts: ChartArea, details: DetailsDock
    ) -> None:
        super().__init__(model, window)
        self._details = details
        self._subject = SearchSubject(model)
        self._asked: Subject | None = None
        self.questions = QuestionsPage(self._search_of)
        self.forecast = ForecastArea(model, window, charts=charts, details=details)
        self.pass_on(self.forecast)
        self.page = DetailsPage("questions", "Questions", scrolled(self.questions), is_fixed=True)
        self.questions.cluster_wanted.connect(self._on_cluster_wanted)
        self.questions.scenario_wanted.connect(self._on_scenario_wanted)
        self.questions.until_changed.connect(self._view_state.end_line.settle)  # a line at the time
        self.page.changed.connect(self._on_page_changed)
        self._view_state.end_line.dropped.connect(self.search_by)
        for signal in (self._view_state.active_scenario_changed, self._document.reset, self._editor.edited):
            signal.connect(self._follow)
        self._runner.outcome_ready.connect(self._on_outcome)

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        self.page.place(self._details)
        self.forecast.place(actions)

    @override
    def set_theme(self, theme: Theme) -> None:
        self.forecast.set_theme(theme)

    @override
    def close(self) -> None:
        self.forecast.close()

    def ask(self) -> None:
        """Show the question how few slots end the active scenario by a time."""
        self.page.bring()
        if not self.questions.is_busy and self.questions.answer is None:
            self.questions.choose(FEWEST_HERE)

    def search_by(self, seconds: float) -> None:
        """Show how few slots end the active scenario by a time."""
        self.page.bring()
        self.questions.search_by(seconds)

    def _follow(self) -> None:
        """Follow the document: an answer about something else goes."""
        if not self._subject.has_scenario:
            return
        scenario, workload = self._subject.scenario, self._document.workload
        if self._asked is not None and self._asked != self._about(scenario, as_it_is=self._is_as_it_is):
            self._asked = None
            self.questions.forget()
        outcome = self._runner.outcome(scenario.id)
        end = None if outcome is None else outcome.makespan
        self.questions.show_jobs(tuple(workload.job_index), self._document.state.cluster_of(scenario), end)

    @property
    def _is_as_it_is(self) -> bool:
        return self._asked is not None and self._asked[2] is not None

    def _about(self, scenario: Scenario, *, as_it_is: bool) -> Subject:
        policy = replace(scenario, id=0, title="", cluster=None) if as_it_is else None
        return (*self._subject.planned_on(scenario), policy)

    def _search_of(self, question: InverseQuestion) -> Callable[..., InverseAnswer]:
        from explorer.optimize.wish_search import is_slow  # only what searches loads it

        scenario = self._subject.searchable()
        jobs, cluster = self._subject.planned_on(scenario)
        is_as_it_is, is_compiled = question.kind in BY_CHANCE, self._subject.uses_compiled
        if not is_as_it_is and not is_compiled and is_slow(jobs, Wish()):
            raise InputError(THEN_ASK)
        self._asked = self._about(scenario, as_it_is=is_as_it_is)
        if is_as_it_is:
            return partial(answered_as_it_is, AsItIs(self._document.workload, cluster, scenario), question)
        new_search = plan_searches(wish_of(self._settings.wish).seed, compiled=is_compiled)
        outcomes = [(each, self._runner.outcome(each.id)) for each in self._document.scenarios]
        at_hand = tuple(
            (title_in(self._document.state, each), of.schedule) for each, of in outcomes if of is not None
        )
        return partial(answered, QuestionInput(jobs, cluster, new_search, at_hand), question)

    # ---- what an answer is used for

    def _keep_answer_on(self, cluster: Cluster) -> None:
        """Let the answer stay while the active scenario gets the cluster that it gave."""
        if self._asked is not None:
            self._asked = self._asked[0], cluster, self._asked[2]

    def _on_cluster_wanted(self, cluster: Cluster) -> None:
        """Give the active scenario a cluster, or the document if the scenario has none of its own."""
        scenario = self._subject.scenario
        self._keep_answer_on(cluster)
        try:
            self._editor.set_cluster(cluster, None if scenario.cluster is None else scenario.id)
            self._editor.end_gesture()
        except InputError as error:
            self.failed.emit(error)

    def _on_scenario_wanted(self, answer: InverseAnswer) -> None:
        """Add the schedule of an answer beside the active scenario; the answer stays."""
        scenario, cluster, plan = self._subject.scenario, answer.cluster, answer.plan
        if cluster is None:
            return
        self._keep_answer_on(cluster)
        name = scenario_title(scenario) if plan is None else "Best plan"
        beside = replace(scenario, cluster=cluster, title=f"{name} on {slots_text(cluster)}")
        if plan is not None:
            beside = replace(beside, plan=plan, order=None, partition=None)
        try:
            self._view_state.activate_scenario(self._editor.add_beside(scenario.id, beside))
        except InputError as error:
            self.failed.emit(error)

    # ---- what is seen of it elsewhere

    def _on_outcome(self, scenario_id: int, outcome: Outcome) -> None:
        if scenario_id == self._view_state.active_scenario:
            self.questions.show_end(outcome.makespan)

    def _on_page_changed(self) -> None:
        if self.page.is_open:
            self._follow()
            return
        self.questions.stop()
        self._view_state.end_line.settle(None)

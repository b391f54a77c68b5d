"""The headers of all scenarios: add, remove, rename, choose policies, make one the baseline."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QWidget

from core.measures.compare import lacks_overheads, shared_bound
from core.model.document_state import MAX_SCENARIOS
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.model.time_text import change_text, difference_text, makespan_text
from core.policies.by_hand import unfitting
from explorer.document.titles import choice_title, title_in
from explorer.panels.keys import FocusKeys
from explorer.panels.policy_popup import PolicyPopup
from explorer.panels.scenario_header import ScenarioHeader
from explorer.widgets.plain_labels import UNKNOWN, VEILED

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.measures.metrics import Metrics
    from core.model.document_state import Scenario
    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState
    from explorer.panels.scenario_facts import ScenarioFacts

PLAN = "Plan"
"""What decides in a scenario that follows a plan, where others name their policies."""


class ScenarioHeaders(QObject):
    """One header per scenario, to be placed above its chart; the menu acts on the active one.

    Signals
    -------
    refused : an edit broke a rule; the sentence to show
    policy_file_wanted, new_policy_wanted : the user wants to use a policy file, or to begin one, for this
        scenario (-1: a new one)
    run_wanted : the user wants to plan this scenario on an earlier run, from "library" or "file"
    pressed : the user is at the header of this scenario, which becomes the active one
    reveal_wanted : something opens at the header of this scenario, which has to be in view
    maximise_wanted : the chart of this scenario is to fill the room of all, or to give it back
    """

    refused = Signal(str)
    policy_file_wanted = Signal(int)
    new_policy_wanted = Signal(int)
    run_wanted = Signal(int, str)
    pressed = Signal(int)
    reveal_wanted = Signal(int)
    maximise_wanted = Signal(int)

    def __init__(self, editor: Editor, view_state: ViewState, parent: QWidget) -> None:
        super().__init__(parent)
        self._editor = editor
        self._document = editor.document
        self._view_state = view_state
        self._headers: dict[int, ScenarioHeader] = {}
        self._results: dict[int, Metrics] = {}
        self._previews: dict[int, Metrics] = {}
        self._is_low = False
        self._planned: set[int] = set()  # whose preview follows a plan
        self._popup = PolicyPopup(editor, parent)
        self._menu, self._parent = QMenu(parent), parent
        self._keys = FocusKeys(parent, self._is_free)
        self._make_actions()
        self._connect()
        self.refresh()

    # What the window passes in

    def set_outcome(
        self, scenario_id: int, metrics: Metrics, slow_because: str = "", bound_why: str = ""
    ) -> None:
        """Show how long a scenario takes, why its policy could not be compiled, and why its bound holds."""
        self._results[scenario_id] = metrics
        self._show_scenario(self._document.scenario(scenario_id))  # a policy file has a title once it has run
        scenario = self._document.scenario(scenario_id)
        follows_policy = scenario.order is None and scenario.plan is None
        passed_over = unfitting(scenario.choice, self._document.workload) if follows_policy else ""
        known = {"slow_because": slow_because, "bound_why": bound_why, "passed_over": passed_over}
        self._show_result(scenario_id, **known, error="", progress=None)

    def set_preview(self, scenario_id: int, metrics: Metrics | None, *, has_plan: bool = False) -> None:
        """Show how long a scenario would take if a drag ended now, or with the best plan of a search.

        None when it is over.
        """
        self._previews.pop(scenario_id, None)
        self._planned.discard(scenario_id)
        if has_plan:
            self._planned.add(scenario_id)
        if metrics is not None:
            self._previews[scenario_id] = metrics
        self._show_result(scenario_id)

    def set_progress(self, scenario_id: int, fraction: float) -> None:
        """Show how far a simulation is, 0 to 1; it ends with an outcome or an error."""
        runs_now = scenario_id in self._headers and self._headers[scenario_id].facts.is_waiting
        known = {"error": "", "is_waiting": False} if runs_now else {}
        self._show_result(scenario_id, progress=fraction, **known)

    def set_error(self, scenario_id: int, sentence: str, *, is_waiting: bool = False) -> None:
        """Show that a scenario has no result, and why; or that its policy's file waits for being run."""
        self._results.pop(scenario_id, None)
        self._show_result(scenario_id, error=sentence, is_waiting=is_waiting, progress=None)

    def set_contents(self, scenario_id: int, amount: str, notes: str) -> None:
        """Show how many jobs and tasks a chart has, and its notes."""
        self._show_result(scenario_id, amount=amount, notes=notes)

    def header(self, scenario_id: int) -> ScenarioHeader:
        """Return the header of a scenario."""
        return self._headers[scenario_id]

    def show_low(self, *, is_low: bool) -> None:
        """Let all headers take a little less room, or as much as usual."""
        self._is_low = is_low
        for header in self._headers.values():
            header.show_low(is_low=is_low)

    @property
    def active(self) -> ScenarioHeader:
        """The header of the active scenario."""
        return self._headers[self._view_state.active_scenario]

    # Building

    def _make_actions(self) -> None:
        self.policy_action = self._action("Policy and parameters …\tEnter", "", self.choose_policy)
        self.rename_action = self._action("Rename", "F2", self.rename)
        rename = QShortcut(QKeySequence("F2"), self._parent)  # in a chart; headers take the key before
        rename.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        rename.activated.connect(self.rename_action.trigger)
        self.duplicate_action = self._action("Duplicate", "", self.duplicate)
        self.baseline_action = self._action("Make baseline", "", self.make_baseline)
        self.computed_action = self._action("Back to the computed order", "", self.reset_order)
        self.up_action = self._action("Move up", "Shift+Up", partial(self.move_selected, -1))
        self.down_action = self._action("Move down", "Shift+Down", partial(self.move_selected, 1))
        self.remove_action = self._action("Remove", "Delete", self.remove)

    def _action(self, text: str, keys: str, slot: Callable[[], None]) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(partial(self._act, slot))
        self._menu.addAction(action)
        if keys:
            self._keys.add(keys, action)
        return action

    def _act(self, slot: Callable[[], None]) -> None:
        """Do something to the scenario whose header has the focus, if any, else to the active one."""
        for scenario_id, header in self._headers.items():
            if header.hasFocus():
                self._view_state.activate_scenario(scenario_id)
        slot()

    def _is_free(self) -> bool:
        """Whether keys are for the headers: no title is being typed."""
        return all(header.title_field.isHidden() for header in self._headers.values())

    def _connect(self) -> None:
        self._popup.policy_chosen.connect(self._on_policy_chosen)
        self._popup.refused.connect(self.refused)
        self._popup.file_wanted.connect(self.policy_file_wanted)
        self._popup.new_file_wanted.connect(self.new_policy_wanted)
        self._popup.run_wanted.connect(self.run_wanted)
        self._view_state.active_scenario_changed.connect(self._show_all)
        self._view_state.veil.changed.connect(self._show_all)
        self._document.baseline_changed.connect(self._show_all)
        self._document.cluster_changed.connect(self._show_all)  # titles say what differs from it
        self._document.scenario_changed.connect(self._on_scenario_changed)
        self._document.scenarios_changed.connect(self.refresh)
        self._document.reset.connect(self._on_reset)

    # Showing

    def refresh(self) -> None:
        """Show the scenarios as they are now."""
        for scenario_id in [i for i in self._headers if not self._document.has_scenario(i)]:
            self._forget(scenario_id)
        for scenario in self._document.scenarios:
            if scenario.id not in self._headers:
                self._headers[scenario.id] = self._new_header(scenario.id)
        self.duplicate_action.setEnabled(self._editor.can_add_scenario)
        self.remove_action.setEnabled(len(self._document.scenarios) > 1)
        self._show_all()

    def _new_header(self, scenario_id: int) -> ScenarioHeader:
        header = ScenarioHeader(scenario_id, self._parent)
        header.show_low(is_low=self._is_low)
        self._keys.watch(header)
        header.activated.connect(self.pressed)
        header.activated.connect(self._view_state.activate_scenario)
        header.policy_wanted.connect(self._on_policy_wanted)
        header.menu_wanted.connect(self._on_menu_wanted)
        header.maximise_wanted.connect(self.maximise_wanted)
        header.left.connect(self._on_left)
        header.renamed.connect(self._editor.rename_scenario)
        return header

    def _forget(self, scenario_id: int) -> None:
        header = self._headers.pop(scenario_id)
        header.hide()
        header.deleteLater()
        for figures in (self._results, self._previews):
            figures.pop(scenario_id, None)
        self._planned.discard(scenario_id)

    def _on_reset(self) -> None:
        for scenario_id in list(self._headers):
            self._forget(scenario_id)
        self.refresh()

    def _show_all(self) -> None:
        for scenario in self._document.scenarios:
            if scenario.id in self._headers:
                self._show_scenario(scenario)
        self._show_result(self._document.baseline)
        self._enable_actions()

    def _on_scenario_changed(self, scenario_id: int) -> None:
        for scenario in self._document.scenarios:  # of the same policy, the others' titles say what differs
            if scenario.id in self._headers:
                self._show_scenario(scenario)
        self._show_result(scenario_id)
        self._enable_actions()

    def _show_scenario(self, scenario: Scenario) -> None:
        header = self._headers[scenario.id]
        cluster = scenario.cluster or self._document.cluster
        beside = (each.choice.id for each in self._document.scenarios)
        facts = replace(
            header.facts,
            title=self._title(scenario),
            policy=choice_title(scenario.choice) if scenario.plan is None else PLAN,
            is_baseline=scenario.id == self._document.baseline,
            is_alone=len(self._document.scenarios) == 1,
            is_active=scenario.id == self._view_state.active_scenario,
            lacks_overheads=lacks_overheads(scenario.choice.id, cluster, beside),
        )
        header.show_facts(facts)

    def _show_result(self, scenario_id: int, **known: Any) -> None:  # Any: fields of `ScenarioFacts`
        """Show what is known of a scenario, and how the others compare with it: all share a bound."""
        for each, header in self._headers.items():
            facts = replace(header.facts, **(known if each == scenario_id else {}))
            header.show_facts(self._with_figures(facts, each))

    def _title(self, scenario: Scenario) -> str:
        """What a scenario is called, and whether its chart shows the best plan of a search instead."""
        title, is_found = (
            title_in(self._document.state, scenario),
            scenario.plan is None and scenario.id in self._planned,
        )
        return f"{title}, best plan" if is_found else title

    def _with_figures(self, facts: ScenarioFacts, scenario_id: int) -> ScenarioFacts:
        shown, baseline_id = self._results | self._previews, self._document.baseline
        if self._document.has_scenario(scenario_id):
            facts = replace(facts, title=self._title(self._document.scenario(scenario_id)))
        metrics, baseline = shown.get(scenario_id), shown.get(baseline_id)
        if metrics is None or self._is_veiled(scenario_id):
            known = UNKNOWN if metrics is None else VEILED
            return replace(
                facts, makespan=known, change="", difference="", verdict=0, figures=None, shared=None
            )
        beside = [figures for each, figures in shown.items() if not self._is_veiled(each)]
        largest, shared = max(figures.makespan for figures in beside), shared_bound(beside)
        makespan = makespan_text(metrics.makespan, largest)
        facts = replace(facts, makespan=makespan, figures=metrics, shared=shared)
        if baseline is None or scenario_id == baseline_id or self._is_veiled(baseline_id):
            return replace(facts, change="", difference="", verdict=0)
        before, after = baseline.makespan, metrics.makespan
        title = self._title(self._document.scenario(baseline_id))
        verdict = (after > before) - (after < before)
        change, difference = change_text(before, after), difference_text(before, after, largest)
        return replace(facts, change=change, difference=difference, verdict=verdict, baseline_title=title)

    def _is_veiled(self, scenario_id: int) -> bool:
        """Whether the end of a scenario is to be guessed first."""
        return self._view_state.veil.since(scenario_id) < math.inf

    def _enable_actions(self) -> None:
        scenarios, active = self._document.scenarios, self._view_state.active_scenario
        place = next((i for i, scenario in enumerate(scenarios) if scenario.id == active), -1)
        if place < 0:
            return  # it has just been removed; another becomes active at once
        self.baseline_action.setEnabled(active != self._document.baseline)
        self.computed_action.setEnabled(scenarios[place].is_by_hand)
        self.up_action.setEnabled(place > 0)
        self.down_action.setEnabled(place < len(scenarios) - 1)

    # What the user does

    def add(self, anchor: QWidget | None = None) -> None:
        """Drop the policies down for a new scenario, below a widget or the active header."""
        if self._editor.can_add_scenario:
            self._popup.open_for_new(anchor or self._shown())
        else:
            self.refused.emit(f"{MAX_SCENARIOS} scenarios are the most that fit; remove one first")

    def choose_policy(self) -> None:
        """Drop the policies down from the active header."""
        self._popup.open_for(self._view_state.active_scenario, self._shown())

    def rename(self) -> None:
        """Let the user type another title for the active scenario."""
        self._shown().rename()

    def _shown(self) -> ScenarioHeader:
        """Bring the header of the active scenario into view and return it."""
        self.reveal_wanted.emit(self._view_state.active_scenario)
        return self.active

    def duplicate(self) -> None:
        """Put a copy behind the active scenario and go there."""
        self._try(lambda: self._editor.duplicate_scenario(self._view_state.active_scenario))

    def make_baseline(self) -> None:
        """Compare the others with the active scenario."""
        self._editor.make_baseline(self._view_state.active_scenario)

    def reset_order(self) -> None:
        """Give up the order made by hand."""
        self._editor.reset_order(self._view_state.active_scenario)

    def move_selected(self, by: int) -> None:
        """Show the active scenario so many places further down."""
        active, has_focus = self._view_state.active_scenario, self._has_focus()
        self._editor.move_scenario(active, self._document.place_of(active) + by)
        if has_focus:
            self.active.setFocus()

    def _has_focus(self) -> bool:
        return any(header.hasFocus() for header in self._headers.values())

    def remove(self) -> None:
        """Remove the active scenario; its neighbour becomes active."""
        active, has_focus = self._view_state.active_scenario, self._has_focus()
        place = self._document.place_of(active)
        try:
            self._editor.remove_scenario(active)
        except InputError as error:
            self.refused.emit(str(error))
            return
        left = self._document.scenarios
        self._view_state.activate_scenario(left[min(place, len(left) - 1)].id)
        if has_focus:
            self.active.setFocus()

    def _on_left(self, scenario_id: int, places: int) -> None:
        """Go to a neighbour by the arrow keys."""
        scenarios = self._document.scenarios
        place = self._document.place_of(scenario_id) + places
        if 0 <= place < len(scenarios):
            self._view_state.activate_scenario(scenarios[place].id)
            self.active.setFocus()

    def _on_policy_chosen(self, policy_id: str) -> None:
        self._try(lambda: self._editor.add_scenario(PolicyChoice(policy_id)))

    def _try(self, add: Callable[[], int]) -> None:
        try:
            add()
        except InputError as error:
            self.refused.emit(str(error))

    def _on_policy_wanted(self, scenario_id: int) -> None:
        self._popup.open_for(scenario_id, self._headers[scenario_id])

    def _on_menu_wanted(self, scenario_id: int) -> None:
        button = self._headers[scenario_id].menu_button
        self._menu.popup(button.mapToGlobal(QPoint(0, button.height())))

"""The scenarios side by side: add, remove, rename, choose policies, make one the baseline."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from core.model.document_state import MOST_SCENARIOS
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.model.time_text import change_text, duration_text
from explorer.document.titles import choice_title, scenario_title
from explorer.panels.keys import FocusKeys
from explorer.panels.policy_popup import PolicyPopup
from explorer.panels.scenario_card import UNKNOWN, ScenarioCard, ScenarioFacts
from explorer.widgets.layouts import NO_MARGINS, named, row

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.measures.metrics import Metrics
    from core.model.document_state import Scenario
    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState


class ScenarioBar(QWidget):
    """One card per scenario; keys and the menu act on the active one.

    Signals
    -------
    refused : an edit broke a rule; the sentence to show
    policy_file_wanted, new_policy_wanted : the user wants to use a policy file, or to begin one, for this
        scenario (-1: a new one)
    run_wanted : the user wants to plan this scenario on an earlier run, from "library" or "file"
    """

    refused = Signal(str)
    policy_file_wanted = Signal(int)
    new_policy_wanted = Signal(int)
    run_wanted = Signal(int, str)

    def __init__(self, editor: Editor, view_state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._document = editor.document
        self._view_state = view_state
        self._cards: dict[int, ScenarioCard] = {}
        self._makespan: dict[int, float] = {}
        self._preview: dict[int, float] = {}
        self._popup = PolicyPopup(editor, self)
        self._menu = QMenu(self)
        self._make_actions()
        self._lay_out()
        self._connect()
        self.refresh()

    # What the window passes in

    def set_outcome(self, scenario_id: int, metrics: Metrics, slow_because: str = "") -> None:
        """Show how long a scenario takes, and why its policy could not be compiled (empty if it was)."""
        self._makespan[scenario_id] = metrics.makespan
        self._show_scenario(self._document.scenario(scenario_id))  # a policy file has a title once it has run
        self._show_result(scenario_id, slow_because=slow_because, error="", progress=None)

    def set_preview(self, scenario_id: int, metrics: Metrics | None) -> None:
        """Show how long a scenario would take if a drag ended now; None when it is over."""
        self._preview.pop(scenario_id, None)
        if metrics is not None:
            self._preview[scenario_id] = metrics.makespan
        self._show_result(scenario_id)

    def set_progress(self, scenario_id: int, fraction: float) -> None:
        """Show how far a simulation is, 0 to 1; it ends with an outcome or an error."""
        runs_now = scenario_id in self._cards and self._cards[scenario_id].facts.is_waiting
        known = {"error": "", "is_waiting": False} if runs_now else {}
        self._show_result(scenario_id, progress=fraction, **known)

    def set_error(self, scenario_id: int, sentence: str, *, is_waiting: bool = False) -> None:
        """Show that a scenario has no result, and why; or that its policy's file waits for being run."""
        self._makespan.pop(scenario_id, None)
        self._show_result(scenario_id, error=sentence, is_waiting=is_waiting, progress=None)

    def card(self, scenario_id: int) -> ScenarioCard:
        """Return the card of a scenario."""
        return self._cards[scenario_id]

    @property
    def active_card(self) -> ScenarioCard:
        """The card of the active scenario."""
        return self._cards[self._view_state.active_scenario]

    # Building

    def _make_actions(self) -> None:
        self._keys = FocusKeys(self, self._is_free)
        self.policy_action = self._action("Policy and parameters …\tEnter", "", self.choose_policy)
        self.rename_action = self._action("Rename", "F2", self.rename)
        self.duplicate_action = self._action("Duplicate", "", self.duplicate)
        self.baseline_action = self._action("Make baseline", "", self.make_baseline)
        self.computed_action = self._action("Back to the computed order", "", self.reset_order)
        self.left_action = self._action("Move left", "Shift+Left", partial(self.move_selected, -1))
        self.right_action = self._action("Move right", "Shift+Right", partial(self.move_selected, 1))
        self.remove_action = self._action("Remove", "Delete", self.remove)

    def _action(self, text: str, keys: str, slot: Callable[[], None]) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(slot)
        self._menu.addAction(action)
        if keys:
            self._keys.add(keys, action)
        return action

    def _is_free(self) -> bool:
        """Whether keys are for the cards: no title is being typed."""
        return self.active_card.title_field.isHidden()

    def _lay_out(self) -> None:
        self.add_button = named(QToolButton(), "Add a scenario")
        self.add_button.setText("+ Add")
        self.add_button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.add_button.clicked.connect(partial(self._popup.open_for_new, self.add_button))
        strip = QWidget()
        self._row = row(self.add_button, None, parent=strip, margins=NO_MARGINS, spacing=6)
        self._area = QScrollArea()
        self._area.setWidget(strip)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        row(self._area, parent=self, margins=(6, 4, 6, 4))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        cards = max((card.sizeHint().height() for card in self._cards.values()), default=60)
        return QSize(400, cards + 8)

    def _connect(self) -> None:
        self._popup.policy_chosen.connect(self._on_policy_chosen)
        self._popup.refused.connect(self.refused)
        self._popup.file_wanted.connect(self.policy_file_wanted)
        self._popup.new_file_wanted.connect(self.new_policy_wanted)
        self._popup.run_wanted.connect(self.run_wanted)
        self._view_state.active_scenario_changed.connect(self._refresh_cards)
        self._document.baseline_changed.connect(self._refresh_cards)
        self._document.scenario_changed.connect(self._on_scenario_changed)
        self._document.scenarios_changed.connect(self.refresh)
        self._document.reset.connect(self._on_reset)

    # Showing

    def refresh(self) -> None:
        """Show the scenarios as they are now."""
        for scenario_id in [i for i in self._cards if not self._document.has_scenario(i)]:
            self._remove_card(scenario_id)
        for place, scenario in enumerate(self._document.scenarios):
            if scenario.id not in self._cards:
                self._cards[scenario.id] = self._new_card(scenario.id)
            if self._row.indexOf(self._cards[scenario.id]) != place:
                self._row.insertWidget(place, self._cards[scenario.id])
        can_add = self._editor.can_add_scenario
        for part in (self.add_button, self.duplicate_action):
            part.setEnabled(can_add)
        full = f"{MOST_SCENARIOS} scenarios are the most that fit; remove one first"
        self.add_button.setToolTip("Add a scenario: choose its policy" if can_add else full)
        self._chain_focus()
        self._refresh_cards()
        self.updateGeometry()

    def _chain_focus(self) -> None:
        """Let Tab walk from card to card, each with its buttons, and to the Add button last."""
        parts: list[QWidget] = []
        for scenario in self._document.scenarios:
            card = self._cards[scenario.id]
            parts += [card, card.menu_button, card.policy_button]
        for before, after in pairwise([*parts, self.add_button]):
            QWidget.setTabOrder(before, after)

    def _new_card(self, scenario_id: int) -> ScenarioCard:
        card = ScenarioCard(scenario_id)
        self._keys.watch(card)
        card.activated.connect(self._view_state.activate_scenario)
        card.policy_wanted.connect(self._on_policy_wanted)
        card.menu_wanted.connect(self._on_menu_wanted)
        card.left.connect(self._on_left)
        card.renamed.connect(self._editor.rename_scenario)
        return card

    def _remove_card(self, scenario_id: int) -> None:
        card = self._cards.pop(scenario_id)
        self._row.removeWidget(card)
        card.hide()
        card.deleteLater()
        for seconds in (self._makespan, self._preview):
            seconds.pop(scenario_id, None)

    def _refresh_cards(self) -> None:
        baseline, active = self._document.baseline, self._view_state.active_scenario
        for scenario in self._document.scenarios:
            if scenario.id in self._cards:
                self._show_scenario(
                    scenario, is_baseline=scenario.id == baseline, is_active=scenario.id == active
                )
        self._show_result(baseline)
        self._enable_actions()

    def _on_scenario_changed(self, scenario_id: int) -> None:
        self._show_scenario(self._document.scenario(scenario_id))
        self._enable_actions()

    def _show_scenario(self, scenario: Scenario, **known: Any) -> None:  # Any: fields of `ScenarioFacts`
        title, policy = scenario_title(scenario), choice_title(scenario.choice)
        card = self._cards[scenario.id]
        card.show_facts(replace(card.facts, title=title, policy=policy, **known))

    def _show_result(self, scenario_id: int, **known: Any) -> None:  # Any: the same
        """Show what is known of a scenario; if it is the baseline, also how the others compare with it."""
        baseline = self._document.baseline
        for each in self._cards if scenario_id == baseline else (scenario_id,):
            if each in self._cards:
                facts = replace(self._cards[each].facts, **(known if each == scenario_id else {}))
                self._cards[each].show_facts(self._compared(facts, each, baseline))

    def _compared(self, facts: ScenarioFacts, scenario_id: int, baseline_id: int) -> ScenarioFacts:
        makespans = self._makespan | self._preview
        makespan, baseline = makespans.get(scenario_id), makespans.get(baseline_id)
        if makespan is None:
            return replace(facts, makespan=UNKNOWN, change="", verdict=0)
        if baseline is None or scenario_id == baseline_id:
            return replace(facts, makespan=duration_text(makespan), change="", verdict=0)
        change, verdict = change_text(baseline, makespan), (makespan > baseline) - (makespan < baseline)
        return replace(facts, makespan=duration_text(makespan), change=change, verdict=verdict)

    def _enable_actions(self) -> None:
        scenarios, active = self._document.scenarios, self._view_state.active_scenario
        place = next((i for i, scenario in enumerate(scenarios) if scenario.id == active), -1)
        if place < 0:
            return  # it has just been removed; another becomes active at once
        self.baseline_action.setEnabled(active != self._document.baseline)
        self.computed_action.setEnabled(scenarios[place].is_by_hand)
        self.left_action.setEnabled(place > 0)
        self.right_action.setEnabled(place < len(scenarios) - 1)
        self.remove_action.setEnabled(len(scenarios) > 1)

    def _on_reset(self) -> None:
        for scenario_id in list(self._cards):
            self._remove_card(scenario_id)
        self.refresh()

    # What the user does

    def add(self, anchor: QWidget | None = None) -> None:
        """Drop the policies down for a new scenario, below a widget or the button that adds."""
        if self._editor.can_add_scenario:
            self._popup.open_for_new(anchor or self.add_button)
        else:
            self.refused.emit(f"{MOST_SCENARIOS} scenarios are the most that fit; remove one first")

    def choose_policy(self) -> None:
        """Drop the policies down from the active card."""
        self._on_policy_wanted(self._view_state.active_scenario)

    def rename(self) -> None:
        """Let the user type another title for the active scenario."""
        self.active_card.rename()

    def duplicate(self) -> None:
        """Put a copy behind the active scenario and go there."""
        self._go_to(lambda: self._editor.duplicate_scenario(self._view_state.active_scenario))

    def make_baseline(self) -> None:
        """Compare the others with the active scenario."""
        self._editor.make_baseline(self._view_state.active_scenario)

    def reset_order(self) -> None:
        """Give up the order made by hand."""
        self._editor.reset_order(self._view_state.active_scenario)

    def move_selected(self, by: int) -> None:
        """Show the active scenario so many places further right."""
        active, has_focus = self._view_state.active_scenario, self._has_focus()
        self._editor.move_scenario(active, self._document.place_of(active) + by)
        if has_focus:
            self.active_card.setFocus()

    def _has_focus(self) -> bool:
        focus = self.window().focusWidget()
        return focus is not None and self.isAncestorOf(focus)

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
            self.active_card.setFocus()

    def _on_left(self, scenario_id: int, places: int) -> None:
        """Go to a neighbour, as the arrow keys say."""
        scenarios = self._document.scenarios
        place = self._document.place_of(scenario_id) + places
        if 0 <= place < len(scenarios):
            card = self._cards[scenarios[place].id]
            card.setFocus()
            self._area.ensureWidgetVisible(card)

    def _on_policy_chosen(self, policy_id: str) -> None:
        self._go_to(lambda: self._editor.add_scenario(PolicyChoice(policy_id)))

    def _go_to(self, add: Callable[[], int]) -> None:
        """Add a scenario and make it the active one."""
        try:
            self._view_state.activate_scenario(add())
        except InputError as error:
            self.refused.emit(str(error))

    def _on_policy_wanted(self, scenario_id: int) -> None:
        self._popup.open_for(scenario_id, self._cards[scenario_id])

    def _on_menu_wanted(self, scenario_id: int) -> None:
        button = self._cards[scenario_id].menu_button
        self._menu.popup(button.mapToGlobal(QPoint(0, button.height())))

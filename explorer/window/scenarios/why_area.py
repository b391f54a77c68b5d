"""Everything that answers "why" in the window: the time bar, keys, panels and a dialog, wired to the rest."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialogButtonBox
from typing_extensions import override

from core.explain.explanation_words import count
from core.explain.instant import decisions_at
from core.explain.lints.idle_slots import idle_gap
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.model.time_text import exact_clock
from core.policies.registry import describe
from explorer.document.titles import title_in
from explorer.document.view_state import SelectedIdle
from explorer.explain.critical_path_panel import CriticalPathPanel
from explorer.explain.critical_paths import CriticalPaths
from explorer.explain.decision_view import Replays
from explorer.explain.explanation_panel import Subject
from explorer.explain.explanation_view import Jumps
from explorer.explain.findings_panel import FindingsPanel
from explorer.explain.instant_panel import InstantPanel
from explorer.explain.player import CHART_KEYS, SWEEPS, Player
from explorer.explain.time_bar import TimeBar, speed_menu
from explorer.explain.why_panel import WhyPanel
from explorer.panels.policy_list import ID_ROLE, PolicyList
from explorer.widgets.details import DetailsPage
from explorer.widgets.layouts import Dialog, column, deciding
from explorer.widgets.number_fields import ParameterForm
from explorer.widgets.plain_labels import PlainLabel
from explorer.window.area import Area

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QAction, QColor
    from PySide6.QtWidgets import QListWidgetItem, QMainWindow, QWidget

    from core.model.schedule import Schedule
    from explorer.explain.explanations import GoTo
    from explorer.simulation.outcome import Outcome
    from explorer.widgets.details import DetailsDock
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea


NO_FORK_HERE = (
    "there is nothing to continue from: drag along the active chart's time axis to an instant before its end"
)


class WhyArea(Area):
    """Builds the parts that explain schedules and connects them."""

    def __init__(
        self,
        model: WindowModel,
        window: QMainWindow,
        *,
        charts: ChartArea,
        details: DetailsDock,
    ) -> None:
        super().__init__(model, window)
        self._charts, self._details = charts, details
        settings = self._settings
        self.cursor = self._view_state.time_cursor
        self.player = Player(self.cursor, self._axis, self._schedule, self)
        if settings.sweep in SWEEPS:
            self.player.set_sweep(settings.sweep)
        self.player.sweep_changed.connect(partial(setattr, settings, "sweep"))
        self.speeds = speed_menu(self.player, window)
        self.jumps = Jumps(self._view_state, self._axis)
        self.critical_paths = CriticalPaths(self)
        self.replays = Replays()
        self._make_panels()
        self._make_pages()
        self._connect()

    def _make_panels(self) -> None:
        from explorer.explain.difference_panel import DifferencePanel

        document, view_state = self._document, self._view_state
        subject = Subject(document, view_state, self._schedule_of, self.replays)
        self.critical_path_panel = CriticalPathPanel(document, view_state, self.critical_paths)
        self.instant_panel = InstantPanel(subject)
        self.why_panel = WhyPanel(subject)
        self.difference_panel = DifferencePanel(subject)
        self.findings_panel = FindingsPanel(subject)
        self._panels = (self.why_panel, self.instant_panel, self.difference_panel, self.findings_panel)

    def _make_pages(self) -> None:
        """Make the pages; names are as saved layouts and lessons have them."""
        self.why_page = DetailsPage("why", "Why", self.why_panel, is_fixed=True)
        self.findings_page = DetailsPage("findings", "Findings", self.findings_panel)
        self.instant_page = DetailsPage("at this instant", "At this instant", self.instant_panel)
        self.critical_path_page = DetailsPage("makespan chain", "Critical path", self.critical_path_panel)
        self.difference_page = DetailsPage("first difference", "Differences", self.difference_panel)

    def _connect(self) -> None:
        for part in (self.critical_paths, *self._panels):
            part.failed.connect(self.failed)
        for panel in self._panels:
            panel.simulated_wanted.connect(self._on_simulated_wanted)
        self.critical_paths.changed.connect(self._show_critical_paths)
        self.critical_path_panel.task_chosen.connect(self.jumps.to_task)
        self.critical_path_panel.time_chosen.connect(self.jumps.to_time)
        self.findings_panel.finding_chosen.connect(self.jumps.to_finding)
        self.findings_panel.counted.connect(self._on_findings_counted)
        self.difference_panel.found.connect(self.jumps.to_difference)
        self.difference_panel.marked.connect(self._mark_decisions)
        self.difference_panel.job_chosen.connect(self.jumps.to_job)
        self.instant_panel.job_chosen.connect(self.jumps.to_job)
        self.instant_panel.slot_offered.connect(self._on_slot_offered)
        self.why_panel.link_chosen.connect(self._on_link_chosen)
        self._charts.slot_clicked.connect(self._on_slot_clicked)
        self._view_state.selected_idle_changed.connect(self._on_selected_idle_changed)
        self._document.scenarios_changed.connect(self._on_scenarios_changed)
        self._document.reset.connect(self._on_scenarios_changed)
        self._document.reset.connect(self.critical_path_page.shut)
        self.why_panel.findings_wanted.connect(self.findings_page.bring)
        self._runner.outcome_ready.connect(self._on_outcome_ready)
        self._runner.failed.connect(self._on_failed)

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        """Add the bar and the panels to the window, as pages of the details, and keys to the charts."""
        for page, action in (
            (self.why_page, "why_task"),
            (self.findings_page, "findings"),
            (self.instant_page, "at_instant"),
            (self.critical_path_page, "why_makespan"),
            (self.difference_page, ""),
        ):
            page.place(self._details, actions.get(action))
        actions["findings"].toggled.connect(self.findings_panel.want)
        actions["why_makespan"].toggled.connect(self.critical_paths.want)
        self.time_bar = TimeBar(self.player, self.cursor, self._axis, actions, self.speeds)
        for key in CHART_KEYS:
            shortcut = QShortcut(QKeySequence(key.key), self._charts)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(actions[key.action].trigger)

    def set_colours(self, colour_of: Callable[[int], QColor]) -> None:
        """Take the jobs' colours, by place in the workload, as the charts have them."""
        for panel in self._panels:
            panel.set_colours(colour_of)

    @override
    def close(self) -> None:
        self.player.pause()
        self.replays.stop()
        for panel in self._panels:
            panel.stop()

    def show_first_difference(self) -> None:
        """Go to the first decision in which the active scenario and the one it is compared to differ."""
        self.difference_page.bring()
        self.difference_panel.find_first()

    def step_difference(self, by: int) -> None:
        """Go to the next decision that differs (1), or to the one before (-1)."""
        self.difference_page.bring()
        self.difference_panel.step(by)

    def choose_other_policy(self) -> None:
        """Let the user choose with what the active scenario is compared."""
        self.difference_page.bring()
        self.difference_panel.refresh()
        self.difference_panel.against.showPopup()

    def ask_and_fork(self) -> None:
        """Let the user choose a policy and continue under it from the time cursor on."""
        active = self._view_state.active_scenario
        schedule, seconds = self._schedule_of(active), self.cursor.seconds
        if schedule is None or seconds is None or seconds >= schedule.makespan:
            self.failed.emit(InputError(NO_FORK_HERE))
            return
        title = title_in(self._document.state, self._document.scenario(active))
        decisions = min(self.cursor.decision, decisions_at(schedule, seconds))
        of_graphs = not self._document.workload.is_map_reduce
        dialog = ForkDialog(fork_sentence(title, seconds, decisions), self._window, of_graphs=of_graphs)
        dialog.chosen.connect(partial(self._fork, active, seconds, decisions))
        dialog.open()

    def _fork(self, scenario_id: int, seconds: float, decisions: int, choice: PolicyChoice) -> None:
        self._try(self._editor.fork_scenario, scenario_id, seconds, choice, decisions)

    def _schedule(self) -> Schedule | None:
        """Return the active scenario's schedule, if it is there."""
        return self._schedule_of(self._view_state.active_scenario)

    def _schedule_of(self, scenario_id: int) -> Schedule | None:
        outcome = self._runner.outcome(scenario_id)
        return outcome.schedule if outcome is not None else None

    def _on_slot_clicked(self, scenario_id: int, slot: int, seconds: float) -> None:
        """Select a slot where it idles; what is selected already, and slots of a record, are left."""
        state, schedule = self._view_state, self._schedule_of(scenario_id)
        gap = None if schedule is None or schedule.record else idle_gap(schedule, slot, seconds)
        idle = None if gap is None else SelectedIdle(scenario_id, slot, gap.begin, gap.end)
        state.activate_scenario(scenario_id)
        idle = None if idle == state.selected_idle else idle
        state.select_job(None)
        state.select_task(None)
        state.select_idle(idle)

    def _on_selected_idle_changed(self) -> None:
        idle = self._view_state.selected_idle
        for scenario_id, view in self._charts.views.items():
            here = idle if idle is not None and idle.scenario_id == scenario_id else None
            view.change(selected_idle=here)
            if here is not None:
                view.look.show_slot(here.slot)

    def _on_simulated_wanted(self, scenario_id: int) -> None:
        task, other = self._view_state.selected_task, self._schedule_of(scenario_id)
        schedule = None if task is None else self._schedule_of(task.scenario_id)
        self.jumps.to_simulated(schedule, scenario_id, other)

    def _on_link_chosen(self, link: GoTo, scenario_id: int) -> None:
        self.jumps.follow(link, scenario_id, self._schedule_of(scenario_id))
        if link.is_stepped:
            self.instant_page.bring()
            self.instant_panel.show_lines()

    def _on_outcome_ready(self, scenario_id: int, outcome: Outcome) -> None:
        self.critical_paths.put(scenario_id, outcome.schedule)
        idle = self._view_state.selected_idle
        if idle is not None and idle.scenario_id == scenario_id and not _still_idles(outcome.schedule, idle):
            self._view_state.select_idle(None)
        for panel in self._panels:
            panel.on_schedule_changed(scenario_id)

    def _on_failed(self, scenario_id: int, _error: object) -> None:
        self.critical_paths.put(scenario_id, None)

    def _on_scenarios_changed(self) -> None:
        self.critical_paths.keep({scenario.id for scenario in self._document.scenarios})
        self._show_critical_paths()

    def _on_slot_offered(self, scenario_id: int, slot: int) -> None:
        """Mark in its chart which slot a decision is about."""
        for each, view in self._charts.views.items():
            if view.cursor_line is not None:
                view.cursor_line.mark_slot(slot if each == scenario_id else -1)

    def _mark_decisions(self, marks: Mapping[int, NDArray[np.float64]]) -> None:
        """Mark in the charts when decisions differ."""
        for scenario_id, view in self._charts.views.items():
            view.change(decisions=marks.get(scenario_id))
        self._charts.legend.explain_differences(are_marked=any(len(times) for times in marks.values()))

    def _on_findings_counted(self, count: int) -> None:
        self.findings_page.rename(f"Findings {count}" if count >= 0 else "Findings")

    def _show_critical_paths(self) -> None:
        """Give every chart its critical path, or take it away."""
        for scenario_id, view in self._charts.views.items():
            explained = self.critical_paths.of(scenario_id)
            if explained is not None:
                view.set_critical_path(explained.schedule, explained.path)
            elif view.content.critical_path is not None:
                view.set_critical_path(view.content.critical_path[0], None)


def _still_idles(schedule: Schedule, idle: SelectedIdle) -> bool:
    if idle.slot >= schedule.cluster.slots:
        return False
    gap = idle_gap(schedule, idle.slot, idle.begin)
    return gap is not None and (gap.begin, gap.end) == (idle.begin, idle.end)


def fork_sentence(title: str, seconds: float, decisions: int) -> str:
    """Return what stays as it is."""
    kept = ""
    if decisions:
        kept = f", and its first {count(decisions, 'decision')} of that time"
    return f"{title} decides up to {exact_clock(seconds)}{kept}. From there on decides:"


class ForkDialog(Dialog):
    """Lists the policies, with the parameters of the one that is marked.

    Signals
    -------
    chosen : the `PolicyChoice` to go on with
    """

    chosen = Signal(object)

    def __init__(self, sentence: str, parent: QWidget | None = None, *, of_graphs: bool = False) -> None:
        super().__init__("Continue from here under another policy", parent)
        self.list = PolicyList()
        self.list.fill(of_graphs=of_graphs)
        for part in (self.list, self.list.field):
            part.installEventFilter(self)
        self.form = ParameterForm()
        buttons = deciding(self, "&Continue")
        self.ok_button = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.accepted.connect(self._on_accepted)
        self.list.currentItemChanged.connect(self._on_marked)
        self.list.itemDoubleClicked.connect(self.accept)
        parts = (PlainLabel(sentence, wraps=True), self.list.field, self.list, self.form, buttons)
        column(*parts, parent=self)
        self._on_marked(self.list.currentItem())
        self.list.field.setFocus()

    @property
    def choice(self) -> PolicyChoice:
        """The policy that is marked, with its parameters as they stand."""
        return PolicyChoice(str(self.list.currentItem().data(ID_ROLE)), self.form.values())

    def _on_marked(self, item: QListWidgetItem | None) -> None:
        self.ok_button.setEnabled(item is not None)
        if item is not None:
            self.form.set_parameters(describe(item.data(ID_ROLE)).parameters)
            self.form.setVisible(not self.form.is_empty)

    @override
    def accept(self) -> None:
        """Close with the policy that is marked; where what was typed is none, stay."""
        if self.ok_button.isEnabled():
            super().accept()

    def _on_accepted(self) -> None:
        self.chosen.emit(self.choice)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
            return True
        return super().eventFilter(watched, event)

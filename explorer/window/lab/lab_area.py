"""The policy lab in the window: trace, profile, differences, checks, editor; the menu of what can be done."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDockWidget
from typing_extensions import override

from core.model.errors import InputError, PolicyFault
from core.model.schedule import RECORDED
from core.policies.registry import describe
from core.policies.user_files.own_copy import line_of_policy, text_of_policy
from core.policies.user_files.source import is_policy_file
from explorer.lab.editor_pane import EditorPane
from explorer.lab.open_texts import Drafts
from explorer.policy_files.own_policies import NEW_SCENARIO
from explorer.session.session_folder import drafts_folder
from explorer.window.area import Area
from explorer.window.lab.checks_area import ChecksArea
from explorer.window.window_menus import POLICY, ActionSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from explorer.explain.explanation_view import Jumps
    from explorer.policy_files.own_policies import OwnPolicies
    from explorer.widgets.details import DetailsDock
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.files.document_files import DocumentFiles


EDITOR_SHARE = 0.42
"""Of the window's width, that the editor pane takes when it opens."""


class EditorDock(QDockWidget):
    """The dock of the policy editor, at the right of the charts; one row is its title and has its tools."""

    def __init__(self, pane: EditorPane, window: QMainWindow) -> None:
        super().__init__("Policy editor", window)
        self.setObjectName("policy editor")
        self.setWidget(pane)
        self.setTitleBarWidget(pane.header)
        pane.emptied.connect(self.hide)
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self)
        self.hide()


class LabArea(Area):
    """Builds the parts and connects them."""

    def __init__(
        self,
        model: WindowModel,
        window: QMainWindow,
        *,
        charts: ChartArea,
        files: DocumentFiles,
        own_policies: OwnPolicies,
        jumps: Jumps,
        details: DetailsDock,
    ) -> None:
        from explorer.window.lab.trace_area import TraceArea

        super().__init__(model, window)
        self._own, self._details = own_policies, details
        self.trace = TraceArea(model, window, charts=charts, jumps=jumps, details=details)
        self._make_editor(window)
        self.checks = ChecksArea(model, window, files=files, details=details)
        self.pass_on(self.trace, self.checks)

    def _make_editor(self, window: QMainWindow) -> None:
        self._failures: dict[str, object] = {}
        self.editor_pane = EditorPane(Drafts(drafts_folder()))
        self.editor_dock = EditorDock(self.editor_pane, window)
        self.editor_dock.visibilityChanged.connect(self._make_room)
        self.editor_dock.dockLocationChanged.connect(self._make_room)
        own = self._own
        own.actions.is_in_pane = self.editor_pane.has
        own.actions.pane_wanted.connect(self._show_in_pane)
        self.editor_pane.outside_wanted.connect(own.actions.system_editor.open)
        self.editor_pane.copy_wanted.connect(own.actions.begin_copy)
        self.editor_pane.failed.connect(self.failed)
        self.editor_pane.saved.connect(lambda path: self.done.emit(f"Saved {path.name}"))
        self.editor_pane.edited.connect(own.files.trust.note_saved)
        own.files.changed.connect(self._show_problem)
        self._runner.failed.connect(self._on_run_failed)
        self._runner.outcome_ready.connect(self._on_outcome_ready)

    def edit_here(self) -> None:
        """Show the active scenario's policy in the editor pane: a file to edit, a built-in one to read."""
        scenario = self._document.scenario(self._view_state.active_scenario)
        policy_id = "order" if scenario.order is not None else scenario.choice.id
        if is_policy_file(policy_id):
            self._show_in_pane(policy_id)
        elif policy_id == RECORDED:
            self.failed.emit(InputError("no policy of ours decided in a record; choose another scenario"))
        else:
            self._bring_editor()
            title, text = describe(policy_id).title, text_of_policy(policy_id)
            self.editor_pane.show_builtin(policy_id, title, text, line_of_policy(policy_id))

    def _show_in_pane(self, path: str, why: str = "") -> None:
        self._bring_editor()
        note = f"It is shown here since {why}." if why else ""
        self.editor_pane.open_file(Path(path), note=note)
        self._show_problem(path)
        self.editor_pane.go_to_problem()

    def _bring_editor(self) -> None:
        """Open the pane, at first as wide as lines of code are."""
        was_open = self.editor_dock.isVisible()
        self.editor_dock.show()
        self.editor_dock.raise_()
        if not was_open:
            width = round(self._window.width() * EDITOR_SHARE)
            self._window.resizeDocks([self.editor_dock], [width], Qt.Orientation.Horizontal)

    def _make_room(self) -> None:
        """Have details stand below while the editor stands at the right, unless the user put them there."""
        dock = self.editor_dock
        is_right = self._window.dockWidgetArea(dock) == Qt.DockWidgetArea.RightDockWidgetArea
        self._details.make_way(is_right and not dock.isHidden() and not dock.isFloating())

    def _show_problem(self, policy_id: str) -> None:
        """Mark what is wrong with a policy file, or with a helper of it, where that is open."""
        state = self._own.files.state(policy_id)
        if state is None:
            return
        error = state.error or self._failures.get(policy_id)
        self.editor_pane.set_problem(policy_id, 0, "")
        if isinstance(error, PolicyFault):
            place = error.place
            path = policy_id if place is None else place.path
            self.editor_pane.set_problem(path, 0 if place is None else place.line, error.sentence)

    def _on_run_failed(self, scenario_id: int, error: object) -> None:
        policy_id = self._document.scenario(scenario_id).choice.id
        self._failures[policy_id] = error
        self._show_problem(policy_id)

    def _on_outcome_ready(self, scenario_id: int, _outcome: object) -> None:
        policy_id = self._document.scenario(scenario_id).choice.id
        self._failures.pop(policy_id, None)
        self._show_problem(policy_id)

    def may_close(self) -> bool:
        """Ask about what is not saved in the editor pane; whether the window may close."""
        return self.editor_pane.may_close()

    def specs(self) -> tuple[ActionSpec, ...]:
        """Return the actions of the menu."""
        own = self._own.actions
        policy = partial(ActionSpec, POLICY)
        # fmt: off
        return (
            policy("open_policy", "&Open policy file…", "Ctrl+Shift+O",
                partial(own.choose_file, NEW_SCENARIO), "Use a policy of your own as a scenario"),
            policy("new_policy", "&New policy file…", "", partial(own.begin_new, NEW_SCENARIO),
                "Write a policy of your own, beginning from a commented template"),
            policy("edit_here", "&Edit beside the chart", "Ctrl+Shift+X", self.edit_here,
                "Show the active scenario's policy in an editor: a file to edit, a built-in one to read"),
            *self.trace.specs(),
            policy("checks", "&Checks", "", self.checks.page.toggle,
                "Whether the policy fails, starves jobs, leaves slots idle …, and how others compare",
                checkable=True),
        )
        # fmt: on

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        self.trace.place(actions)
        if self.editor_pane.open_left():
            QTimer.singleShot(0, self._bring_editor)
        self.checks.place(actions)

    @override
    def set_theme(self, theme: Theme) -> None:
        self.trace.show_curves()

    @override
    def close(self) -> None:
        self.trace.close()
        self.editor_pane.end()
        self.checks.close()

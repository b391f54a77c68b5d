"""The checks of a policy, wired to the document: they follow the active scenario and open what they find."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from typing_extensions import override

from core.model.document_state import DocumentState
from core.model.schedule import PolicyChoice
from core.policies.own_policies import own_policy
from core.policies.user_files.source import is_policy_file
from core.policy_checks.smallest_documents import document_of, view_of
from explorer.document.titles import choice_title
from explorer.lab.checks_panel import ChecksPanel
from explorer.widgets.details import DetailsPage
from explorer.window.area import Area
from explorer.window.files.document_work import OpenedDocument

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from core.policy_checks.evidence import CheckResult, PolicyReport
    from core.policy_checks.scoreboard import Scoreboard
    from explorer.widgets.details import DetailsDock
    from explorer.window.area import WindowModel
    from explorer.window.files.document_files import DocumentFiles

FOLLOW_AFTER_MS = 150
"""So long after the last edit the panel follows it."""
NO_POLICY = "what really ran has no policy to check; choose a simulated scenario"
NOT_RUN = "the policy file has not been run; the chart says why"


class ChecksArea(Area):
    """Builds the panel and connects it."""

    def __init__(
        self, model: WindowModel, window: QMainWindow, *, files: DocumentFiles, details: DetailsDock
    ) -> None:
        super().__init__(model, window)
        self._files, self._details = files, details
        self.panel = ChecksPanel()
        self.page = DetailsPage("checks", "Checks", self.panel)
        self._timer = QTimer(self, singleShot=True, interval=FOLLOW_AFTER_MS)
        self._timer.timeout.connect(self._follow)
        changed = (self._view_state.active_scenario_changed, self._editor.edited, self._document.reset)
        for signal in (*changed, self._runner.outcome_ready, self._runner.failed):
            signal.connect(self._timer.start)
        self.page.changed.connect(self._on_page_changed)
        self.panel.evidence_wanted.connect(self._open_smallest)
        self.panel.scores.pair_wanted.connect(self._open_pair)
        self.panel.scores.reported.connect(self.done)

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        self.page.place(self._details, actions["checks"])

    @override
    def close(self) -> None:
        self._timer.stop()

    def _on_page_changed(self) -> None:
        if self.page.is_in_front:
            self._follow()
        elif not self.page.is_open:
            self.panel.stop()

    def _follow(self) -> None:
        """Check the policy of the active scenario from now on; what was found of another one stays."""
        active = self._view_state.active_scenario
        if not self.page.is_open or not self._document.has_scenario(active):
            return
        choice = self._document.scenario(active).choice
        own = own_policy(choice.id)
        if choice.is_record:
            self.panel.show_reason(NO_POLICY)
        elif is_policy_file(choice.id) and own is None:
            self.panel.show_reason(NOT_RUN)
        else:
            version = "" if own is None or own.source is None else own.source.digest
            self.panel.show_subject(choice, version, choice_title(choice))

    def _open_smallest(self, report: PolicyReport, result: CheckResult) -> None:
        if result.evidence is not None and self._files.may_leave():
            state = document_of(report.choice, result, result.evidence)
            self._files.show(OpenedDocument(state, layout={"view": view_of(result.evidence)}))

    def _open_pair(self, board: Scoreboard, other: str) -> None:
        if self._files.may_leave():
            choices = (board.choice, PolicyChoice(other))
            workload = board.workload(board.where_they_differ(other))
            self._files.show(OpenedDocument(DocumentState.new(workload, choices)))

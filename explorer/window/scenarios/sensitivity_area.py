"""What moves the end most, wired to the document: the panel follows the active scenario while it is open."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from typing_extensions import override

from core.study.draws import NO_RECORD
from explorer.document.titles import scenario_title, title_in
from explorer.window.panel_area import PanelArea

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from core.study.sensitivity import Change, Swing
    from explorer.study.sensitivity_panel import SensitivityPanel
    from explorer.widgets.details import DetailsDock
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel

FOLLOW_AFTER_MS = 150
"""So long after the last edit the panel follows it."""
ALL_JOBS = "all scenarios have the same jobs, so that '{}' cannot be one beside them; edit the jobs instead"


class SensitivityArea(PanelArea["SensitivityPanel"]):
    """Has the changes computed that move the end, and adds one as a scenario."""

    def __init__(self, model: WindowModel, window: QMainWindow, *, details: DetailsDock) -> None:
        super().__init__(model, window, details, "sensitivity", "Sensitivity")
        self._subject: object = None
        self._timer = QTimer(self, singleShot=True, interval=FOLLOW_AFTER_MS)
        self._timer.timeout.connect(self._follow)
        for signal in (self._view_state.active_scenario_changed, self._editor.edited, self._document.reset):
            signal.connect(self._timer.start)

    @override
    def _made(self, colours: Theme) -> SensitivityPanel:
        from explorer.study.sensitivity_panel import SensitivityPanel  # only what varies loads it

        panel = SensitivityPanel()
        panel.set_theme(colours)
        panel.tornado.wanted.connect(self._on_wanted)
        return panel

    @override
    def close(self) -> None:
        self._timer.stop()

    @override
    def _end(self) -> None:
        from explorer.study.sensitivity_panel import HELP

        assert self.panel is not None
        self.panel.show_reason(HELP)  # an answer holds a workload for every change
        self._subject = None

    @override
    def _follow(self) -> None:
        """Compute again if the active scenario, its cluster or the jobs are others."""
        active = self._view_state.active_scenario
        panel = self.panel
        if panel is None or not self.page.is_open or not self._document.has_scenario(active):
            return
        state, scenario = self._document.state, self._document.scenario(active)
        subject = (state.workload, state.cluster_of(scenario), scenario)
        if subject == self._subject:
            return
        self._subject = subject
        if scenario.choice.is_record:
            panel.show_reason(NO_RECORD)
        else:
            panel.compute(*subject, title_in(self._document.state, scenario))

    def _on_wanted(self, swing: Swing, change: Change) -> None:
        """Add a change as a scenario beside the one that it is of."""
        state = self._document.state
        if not self._document.has_scenario(change.scenario.id):
            return
        if change.workload is not state.workload:
            self.failed.emit(ALL_JOBS.format(swing.label(change)))
            return
        before = self._document.scenario(change.scenario.id)
        cluster = before.cluster if change.cluster == state.cluster_of(before) else change.cluster
        title = f"{scenario_title(before)}, {swing.label(change)}"
        self._try(self._editor.add_beside, before.id, replace(change.scenario, cluster=cluster, title=title))

"""The study window, wired to the document: what it begins with, and the schedules that a click opens."""

from __future__ import annotations

import importlib
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer
from typing_extensions import override

from core.model.document_state import MAX_SCENARIOS, DocumentState, Scenario
from core.model.errors import InputError
from explorer.document.titles import scenario_title, title_in
from explorer.session.session_folder import studies_folder
from explorer.study.base_of_scenario import base_of
from explorer.widgets.vary_menu import VaryEvent
from explorer.widgets.worker import Worker
from explorer.window.area import Area
from explorer.window.files.document_work import OpenedDocument

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMainWindow

    from core.study.cell_run import CellScenario
    from explorer.study.base_of_scenario import BaseScenario
    from explorer.study.policy_consent import PolicyConsent
    from explorer.study.study_window import StudyWindow
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.files.document_files import DocumentFiles

FOLLOW_AFTER_MS = 300
"""So long after the last edit the study follows it."""
FULL = f"{MAX_SCENARIOS} scenarios are the most that fit; remove one first"


class StudyArea(Area):
    """Makes the study window when it is first wanted, and connects it."""

    def __init__(
        self,
        model: WindowModel,
        window: QMainWindow,
        *,
        charts: ChartArea,
        files: DocumentFiles,
        consent: PolicyConsent,
    ) -> None:
        super().__init__(model, window)
        self._charts, self._files, self._consent = charts, files, consent
        self.window: StudyWindow | None = None
        self._then: Callable[[StudyWindow], object] = _show
        self._importing = Worker(self, finished=self._on_imported, failed=self.failed)
        self._follow = QTimer(self, singleShot=True, interval=FOLLOW_AFTER_MS)
        self._follow.timeout.connect(self._on_follow)
        for signal in (self._editor.edited, self._view_state.active_scenario_changed, self._document.reset):
            signal.connect(self._follow.start)
        window.installEventFilter(self)

    def show(self) -> None:
        """Show the study window, or bring it to the front."""
        self._do(_show)

    def vary(self, field: str) -> None:
        """Show the study window with a field of the active scenario as one of the axes."""
        self._do(partial(_vary, field))

    def _do(self, what: Callable[[StudyWindow], object]) -> None:
        if self.window is not None:
            what(self.window)
            return
        self._then = what
        # in a worker: plots and tables would hold the window for half a second
        self._importing.start(partial(importlib.import_module, "explorer.study.study_window"))

    def _on_imported(self, _module: object) -> None:
        from explorer.study.study_window import StudyWindow

        self.window = StudyWindow(
            self.base,
            studies_folder(),
            self._charts.theme,
            self._window,
            settings=self._settings,
            consent=self._consent,
        )
        self.window.cell_wanted.connect(self._on_cell_wanted)
        self._then(self.window)

    @override
    def set_theme(self, theme: Theme) -> None:
        if self.window is not None:
            self.window.set_theme(theme)

    @override
    def close(self) -> None:
        self._follow.stop()
        self._importing.cancel()
        if self.window is not None:
            self.window.shutdown()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, VaryEvent):
            self.vary(event.field)
            return True
        return False

    # ---- what a study begins with

    def base(self) -> BaseScenario:
        """Return the active scenario as a study has it; InputError if a study cannot run it."""
        state = self._document.state
        scenario = state.scenario(self._view_state.active_scenario)
        found = base_of(state.workload, state.cluster_of(scenario), scenario)
        return replace(found, words=f"{title_in(state, scenario)} · {state.workload.name}")

    def _on_follow(self) -> None:
        if self.window is not None and self._document.has_scenario(self._view_state.active_scenario):
            self.window.follow()

    # ---- what a click opens

    def _on_cell_wanted(self, cell: CellScenario) -> None:
        try:
            self._open(cell)
        except InputError as error:
            if self.window is not None:
                self.window.messages.show_error(error)
            return
        self._window.raise_()
        self._window.activateWindow()

    def _open(self, cell: CellScenario) -> None:
        """Add the schedule to the document if it has its jobs, else open its jobs with it alone.

        A scenario that is it already is shown again, and none is added.
        """
        state = self._document.state
        if cell.workload.digest != state.workload.digest:
            if self._files.may_leave():
                self._files.show(OpenedDocument(_document_of(cell)))
            return
        added = _scenario(cell, state.cluster, state.next_id)
        there = [each for each in state.scenarios if replace(each, title="") == replace(added, id=each.id)]
        if there:
            self._view_state.activate_scenario(there[0].id)
            return
        if len(state.scenarios) >= MAX_SCENARIOS:
            raise InputError(FULL)
        after = replace(state, scenarios=(*state.scenarios, added), next_id=added.id + 1)
        self._editor.commit(f"Open {scenario_title(added)} of a study", after)
        self._view_state.activate_scenario(added.id)


def _show(window: StudyWindow) -> None:
    window.show_in_front()


def _vary(field: str, window: StudyWindow) -> None:
    window.vary(field)


def _scenario(cell: CellScenario, shared: object, scenario_id: int) -> Scenario:
    """Return a scenario, with a cluster of its own where it differs from the one that others share."""
    return Scenario(scenario_id, cell.choice, cluster=None if cell.cluster == shared else cell.cluster)


def _document_of(cell: CellScenario) -> DocumentState:
    only = _scenario(cell, cell.cluster, 1)
    return DocumentState(cell.workload, cell.cluster, (only,), baseline=1, next_id=2)

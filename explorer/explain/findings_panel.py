"""What the linter found in the active scenario: starvation, idle slots, broken quotas, unproductive holds."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.explain.lint import lint
from explorer.explain.asking_panel import AskingPanel
from explorer.explain.findings_model import SENTENCE, FindingsModel
from explorer.explain.tables import quiet_table
from explorer.widgets.plain_labels import ElidedLabel
from explorer.widgets.widget_theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QColor

    from core.explain.lints.finding import Finding
    from core.model.schedule import Schedule
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState

NOTHING_FOUND = (
    "Nothing found: no job starves, no slot idles beside tasks that wait, quotas are kept, and holds pay off."
)
LOOKING = "Looking …"
NOT_YET = "Findings are shown here once the active scenario is simulated."


class Report(NamedTuple):
    """What was found in a scenario's schedule."""

    scenario_id: int
    schedule: Schedule
    findings: tuple[Finding, ...]


class FindingsPanel(AskingPanel):
    """Lists findings while somebody wants them.

    Signals
    -------
    counted : how many findings there are; -1 while that is not known
    finding_chosen : a `Finding` that people chose, and the name of its job or nothing
    """

    counted = Signal(int)
    finding_chosen = Signal(object, str)

    def __init__(
        self,
        document: Document,
        view_state: ViewState,
        schedule_of: Callable[[int], Schedule | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, view_state, schedule_of, parent)
        self._is_wanted = False
        self._report: Report | None = None
        self._make_parts()
        for signal in (view_state.active_scenario_changed, document.scenario_changed, document.reset):
            signal.connect(self._pause.soon)
        self._show_sentence(NOT_YET)

    def _make_parts(self) -> None:
        self.scope = ElidedLabel()
        self.scope.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.copy_button = QPushButton("Copy")
        self.copy_button.setToolTip("Copy all findings, separated by tabs")
        self.copy_button.clicked.connect(self.copy)
        self.model = FindingsModel(self)
        typical = ("unproductive hold M", "J000 copy", "0:00:00 h", "00 min 00 s")
        self.table = quiet_table(self.model, "Findings", typical, widest=SENTENCE, lines=2)
        self.table.clicked.connect(self._on_chosen)
        self.table.activated.connect(self._on_chosen)
        top = QHBoxLayout()
        top.addWidget(self.scope, 1)
        top.addWidget(self.copy_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 2, 6, 4)
        layout.setSpacing(3)
        layout.addLayout(top)
        layout.addWidget(self.table, 1)

    def sizeHint(self) -> QSize:
        """Ask for room for some findings."""
        return QSize(800, 180)

    # ---- what the window passes in

    def want(self, wanted: bool) -> None:
        """Look for findings from now on, or stop."""
        if wanted != self._is_wanted:
            self._is_wanted = wanted
            self._pause.soon()

    def set_colours(self, colour_of: Callable[[int], QColor]) -> None:
        """Take the jobs' colours, by place in the workload, as the charts have them."""
        self._colour_of = colour_of
        self.model.set_colours(colour_of, theme_of(self))

    # ---- looking

    def refresh(self) -> None:
        """Look at the active scenario as it is now, unless that was done."""
        self._pause.stop()
        if not self._is_wanted:
            self._latest.drop()
            return
        active = self._view_state.active_scenario
        schedule = self._schedule_of(active)
        if schedule is None:
            self._latest.drop()
            self._show_sentence(NOT_YET)
        elif self._report is not None and self._report.schedule is schedule:
            self._show(self._report._replace(scenario_id=active))
        else:
            self._show_sentence(LOOKING)
            self._latest.ask(partial(_look, active, schedule))

    def _show_sentence(self, sentence: str) -> None:
        self._report = None
        self.model.show(None)
        self.table.empty_text = sentence
        self.table.viewport().update()
        self.scope.setText("")
        self.copy_button.setEnabled(False)
        self.counted.emit(-1)

    def _on_answered(self, answer: object) -> None:
        assert isinstance(answer, Report)
        if self._is_wanted:
            self._show(answer)

    def _show(self, report: Report) -> None:
        is_same = self._report is not None and self._report.findings is report.findings
        self._report = report
        self.table.empty_text = NOTHING_FOUND
        if not is_same:
            self.model.show(report.schedule, report.findings)
        self.scope.setText(f"Under {self._title(report.scenario_id)}; click a finding to see it")
        self.copy_button.setEnabled(True)
        self.counted.emit(len(report.findings))

    def _on_chosen(self, index: QModelIndex) -> None:
        finding = self.model.findings[index.row()]
        self.finding_chosen.emit(finding, self.model.job_name(finding))

    # ---- copying

    def to_text(self) -> str:
        """Return all findings, separated by tabs."""
        return self.model.to_text() if self.model.findings else self.table.empty_text

    def changeEvent(self, event: QEvent) -> None:
        """Follow the application into its other theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "model"):
            self.model.set_colours(self._colour_of, theme_of(self))


def _look(scenario_id: int, schedule: Schedule) -> Report:
    return Report(scenario_id, schedule, lint(schedule))

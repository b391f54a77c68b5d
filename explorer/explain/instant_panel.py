"""At this instant: free slots, queues, and every candidate for the slot that is offered."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSplitter, QTabWidget
from typing_extensions import override

from core.model.task_types import TASK_TYPES
from explorer.explain.decision_lines import NO_LINES, CodeLinesModel
from explorer.explain.decision_view import DecisionView
from explorer.explain.explanation_panel import ExplanationPanel, Subject
from explorer.explain.explanation_view import ExplanationView
from explorer.explain.explanations import instant_explanation
from explorer.explain.job_tables import CandidatesModel, JobRows, QueueModel
from explorer.widgets.tables import ReadTable
from explorer.widgets.theme import theme_of

NOTHING = (
    "Drag along a chart's time axis to look at an instant.\n\n"
    "Ctrl+Shift+Right steps to the next decision: every job that could have taken the slot, and why one did."
)
CANDIDATES, CANDIDATES_HELP = "Candidates", "Every job that could take the slot that is offered"
LINES = "Line by line"
LINES_HELP = "What the policy's hooks ran for each candidate, line by line, with the values there"


class InstantPanel(ExplanationPanel):
    """Shows the active scenario at the time cursor; replays in a worker, and only while it is in view.

    Signals
    -------
    job_chosen : the name of a job whose row was chosen
    slot_offered : scenario id, and the slot that the decision is about, or -1
    """

    job_chosen = Signal(str)
    slot_offered = Signal(int, int)

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject, "Copy everything shown here as text, tables separated by tabs")
        self._decision_view: DecisionView | None = None
        self._make_parts()
        self.listen(
            self._view_state.time_cursor.moved,
            self._view_state.active_scenario_changed,
            self._document.workload_changed,
            self._document.scenario_changed,
            self._document.reset,
        )
        self._show(None)

    # ---- building

    def _make_parts(self) -> None:
        self.text = ExplanationView("At this instant")
        self._make_tabs()
        self._halves = QSplitter(Qt.Orientation.Vertical)
        self._halves.addWidget(self.text)
        self._halves.addWidget(self.tabs)
        self._halves.setChildrenCollapsible(False)
        self._lay_out(self._halves)

    def _make_tabs(self) -> None:
        self.candidates = CandidatesModel(self)
        self.queues = tuple(QueueModel(task_type, self) for task_type in TASK_TYPES)
        self.candidate_table = ReadTable(self.candidates, "Candidates for the slot", widest=0)
        self.candidate_table.empty_text = "No slot is offered at this instant."
        self.queue_tables = tuple(
            ReadTable(queue, "Jobs that wait for a slot", widest=0) for queue in self.queues
        )
        self.lines = CodeLinesModel(self)
        self.lines_table = ReadTable(self.lines, "The decision line by line", widest=2, narrows=True)
        self.lines_table.empty_text = NO_LINES
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Candidates and queues")
        tables = (self.candidate_table, *self.queue_tables)
        for table in tables:
            table.chosen.connect(lambda row: self.job_chosen.emit(row.name))
            self.tabs.addTab(table, "")
        self.lines_table.chosen.connect(lambda row: self.job_chosen.emit(row.name))
        self.tabs.addTab(self.lines_table, LINES)
        self.tabs.setTabToolTip(self.tabs.indexOf(self.lines_table), LINES_HELP)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        for table in self.queue_tables:
            table.empty_text = "No job waits here at this instant."

    @override
    def sizeHint(self) -> QSize:
        return QSize(340, 420)

    # ---- looking

    @property
    def decision_view(self) -> DecisionView | None:
        """What is shown."""
        return self._decision_view

    def refresh(self) -> None:
        """Look at where the cursor is now."""
        self._pause.stop()
        if not self.isVisible():
            return
        cursor, active = self._view_state.time_cursor, self._view_state.active_scenario
        schedule = self._schedule_of(active)
        if schedule is None or cursor.seconds is None:
            self._worker.cancel()
            self._show(None)
            return
        at = active, schedule, cursor.seconds, cursor.decision
        self._worker.start_next(partial(self._replays.look, *at, with_lines=self._shows_lines))

    @property
    def _shows_lines(self) -> bool:
        return self.tabs.currentWidget() is self.lines_table

    def _on_tab_changed(self) -> None:
        """Follow the decision line by line while that page is shown."""
        if self._shows_lines:
            self._pause.soon()

    def show_lines(self) -> None:
        """Show the decision line by line."""
        self.tabs.setCurrentWidget(self.lines_table)

    def _on_answered(self, answer: object) -> None:
        assert isinstance(answer, DecisionView)
        self._show(answer)

    def _show_sentence(self, sentence: str) -> None:
        self._show(None, sentence)

    def _show(self, decision_view: DecisionView | None, otherwise: str = NOTHING) -> None:
        self._decision_view = decision_view
        self.empty.setText(otherwise)
        for part in (self.scope, self._halves):
            part.setVisible(decision_view is not None)
        self.empty.setVisible(decision_view is None)
        self.copy_button.setEnabled(decision_view is not None)
        workload = decision_view.schedule.workload if decision_view is not None else None
        self.candidates.show(workload, decision_view.reason if decision_view is not None else None)
        for queue in self.queues:
            queue.show(workload, decision_view.instant if decision_view is not None else None)
        self.lines.show(workload, decision_view.lines if decision_view is not None else ())
        self._name_tabs()
        if decision_view is not None:
            self.scope.setText(f"Under {self._title(decision_view.scenario_id)}")
            self.text.show_explanations([instant_explanation(decision_view)], None)
            offered = decision_view.reason.slot if decision_view.reason is not None else -1
            self.slot_offered.emit(decision_view.scenario_id, offered)
        else:
            self.slot_offered.emit(self._view_state.active_scenario, -1)

    @property
    def _titles(self) -> tuple[str, ...]:
        """Of the tabs, in the words of the jobs."""
        return (CANDIDATES, *(f"{word.capitalize()}s" for word in self._document.workload.type_words))

    def _name_tabs(self) -> None:
        helps = [f"Jobs with tasks that wait for a slot: {title.lower()}" for title in self._titles[1:]]
        for place, (model, title) in enumerate(zip(self._models(), self._titles, strict=True)):
            rows = model.rowCount()
            self.tabs.setTabText(place, f"{title} ({rows})" if rows else title)
            self.tabs.setTabToolTip(place, [CANDIDATES_HELP, *helps][place])
        for table, text in zip(self.queue_tables, helps, strict=True):
            table.setAccessibleName(text)

    def _models(self) -> tuple[JobRows[Any], ...]:
        return (self.candidates, *self.queues)

    # ---- copying

    def to_text(self) -> str:
        """Return everything that is shown, tables separated by tabs."""
        if self._decision_view is None:
            return self.empty.text()
        parts = [self.scope.text(), instant_explanation(self._decision_view).to_text()]
        for model, title in zip(self._models(), self._titles, strict=True):
            if model.rowCount():
                parts.append(f"{title}\n{model.to_text()}")
        if self._shows_lines and self.lines.rowCount():
            parts.append(f"{LINES}\n{self.lines.to_text()}")
        return "\n\n".join(parts)

    @override
    def _recolour(self) -> None:
        self._pause.soon()  # links have colours, too
        self.candidates.set_colours(self._colour_of, theme_of(self).cursor)
        for queue in self.queues:
            queue.set_job_colours(self._colour_of)

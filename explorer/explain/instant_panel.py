"""At this instant: free slots, queues, and every candidate for the slot that is offered."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSplitter, QTabWidget
from typing_extensions import override

from core.explain.decision_steps import values_text
from core.explain.explanation_words import listed
from core.model.task_types import TASK_TYPES
from explorer.explain.decision_view import DecisionView
from explorer.explain.explanation_panel import ExplanationPanel, Subject
from explorer.explain.explanation_view import ExplanationView
from explorer.explain.explanations import instant_explanation
from explorer.explain.job_tables import CandidatesModel, JobRows, QueueModel
from explorer.widgets.tables import Column, ReadTable, RowsModel, bold_font
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtCore import QObject

    from core.explain.decision_steps import CandidateSteps
    from core.model.workload import Workload


NOTHING = (
    "Drag along a chart's time axis to look at an instant.\n\n"
    "Ctrl+Shift+Right steps to the next decision: every job that could have taken the slot, and why one did."
)
CANDIDATES, CANDIDATES_HELP = "Candidates", "Every job that could take the slot that is offered"
LINES = "Line by line"
LINES_HELP = "What the policy's hooks ran for each candidate, line by line, with the values there"


class InstantPanel(ExplanationPanel):
    """Shows the active scenario at the time cursor; replays in a worker, and only while it is in view.

    Attributes
    ----------
    decision_view : what is shown

    Signals
    -------
    job_chosen : the name of a job whose row was chosen
    slot_offered : scenario id, and the slot that the decision is about, or -1
    """

    job_chosen = Signal(str)
    slot_offered = Signal(int, int)

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject, "Copy everything shown here as text, tables separated by tabs")
        self.decision_view: DecisionView | None = None
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
        self._halves = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._halves.addWidget(self.text)
        self._halves.addWidget(self.tabs)
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
        self.tabs = QTabWidget(documentMode=True)
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
        self.decision_view = decision_view
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
        if self.decision_view is None:
            return self.empty.text()
        parts = [self.scope.text(), instant_explanation(self.decision_view).to_text()]
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


MAX_NAMED = 4
"""Jobs that one row names."""
INDENT = "    "
NO_LINES = (
    "No hook of this policy looks at single candidates here: its order alone decides, or no slot is offered."
)


class CodeRow(NamedTuple):
    """A line that ran, or what a hook answered.

    Attributes
    ----------
    name : of the first candidate about which it ran
    whom : the candidates, on the first row about them
    line : of the file; 0 for an answer
    code : the line, or the answer
    values : what stands for what there
    """

    name: str
    whom: str
    line: int
    code: str
    values: str


class CodeLinesModel(RowsModel[CodeRow]):
    """The lines of all candidates, the preferred one first; those that ran alike are one."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            (
                Column(
                    "About",
                    lambda row: row.whom,
                    "The candidates about which these lines ran, the preferred ones first",
                    typical="J1, J2 and 3 more",
                    style=self._style,
                    gives_way=True,
                ),
                Column(
                    "Line",
                    lambda row: str(row.line or ""),
                    "Of the file",
                    is_number=True,
                    typical="0000",
                    gives_way=True,
                ),
                Column(
                    "What ran",
                    lambda row: row.code,
                    "The line of the hook, or of a function that it calls; below them the hook's answer",
                    typical="return kind, job.tasks[kind] - job",
                    style=self._style,
                    narrow=_in_one,
                    narrow_style=self._style,
                ),
                Column(
                    "Values",
                    lambda row: row.values,
                    "What stood for what on that line",
                    typical="job = J1, kind = map, job.running[kind] = 3, job.weight = 1, share = 0.5",
                    gives_way=True,
                ),
            ),
            parent,
        )

    def show(self, workload: Workload | None, candidates: Sequence[CandidateSteps]) -> None:
        """Show the lines of a decision, or none."""
        self.show_rows(() if workload is None else tuple(_rows(workload, candidates)))

    def _style(self, row: CodeRow, role: int) -> object:
        return bold_font() if role == Qt.ItemDataRole.FontRole and not row.line else None


def _in_one(row: CodeRow) -> str:
    """Return a row for one column: whom it is about, the line, and the values below it."""
    whom = f"{row.whom}:" if row.whom else ""
    line = f"{row.line}: {row.code}" if row.line else row.code
    return "\n".join(filter(None, (whom, line, row.values)))


def _rows(workload: Workload, candidates: Sequence[CandidateSteps]) -> Iterator[CodeRow]:
    for group in candidates:
        names = [workload.jobs[job].name for job in group.jobs]
        more = len(names) - MAX_NAMED
        whom = listed([*names[:MAX_NAMED], *([f"{more} more"] if more > 0 else [])])
        for call in group.calls:
            for step in call.steps:
                yield CodeRow(names[0], whom, step.line, INDENT * step.depth + step.code, values_text(step))
                whom = ""
            left_out = f"{call.left_out} lines more" if call.left_out else ""
            yield CodeRow(names[0], whom, 0, f"{call.hook} answers {call.answer}", left_out)
            whom = ""

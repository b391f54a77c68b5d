"""The checks of a policy: a row for each with its verdict, what was seen, the smallest workload to open."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QPlainTextEdit, QSpinBox, QTabWidget, QWidget
from typing_extensions import override

from core.model.errors import Cancelled
from core.policy_checks.evidence import (
    CHECKS,
    DEFAULT_RUNS,
    MAX_RUNS,
    CheckResult,
    CheckVerdict,
    PolicyCheck,
)
from explorer.lab.score_page import ScorePage
from explorer.widgets.halves import Halves
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel
from explorer.widgets.progress import ProgressLine
from explorer.widgets.tables import Column, ReadTable, RowsModel, bold_font
from explorer.widgets.worker import Worker, give_way
from explorer.widgets.wrapped_row import WrappedRow

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.schedule import PolicyChoice
    from core.policy_checks.evidence import PolicyReport

RUN, STOP = "&Check", "S&top"
RUN_TIP = "Run the policy on random workloads and on streams of jobs, and say what is found"
NOT_CHECKED = "not asked yet"
MAX_SEED = 1_000_000
STOPPED = "Stopped; press Check to begin anew."
OF_ANOTHER = "These are of {}; press Check for {}."
OF_BEFORE = "The file has changed since; press Check again."

Shown = tuple[PolicyCheck, CheckResult | None]


class ChecksPanel(QWidget):
    """Shows the checks of one policy, and its scoreboard on a second page.

    Attributes
    ----------
    table, details, open_button : of the first page
    scores : the second page
    report : what is shown, None before anything is

    Signals
    -------
    evidence_wanted : the user wants to see a smallest workload; the report and the result that has it
    """

    evidence_wanted = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.report: PolicyReport | None = None
        self._subject: tuple[PolicyChoice, str] | None = None
        self._results_of: tuple[tuple[PolicyChoice, str], str] | None = None
        self._title = ""
        self._worker = Worker(self, threads=1, finished=self._on_finished, failed=self._on_failed)
        self.scores = ScorePage()
        self._make_parts()
        self._lay_out()
        self._show_results()

    def _make_parts(self) -> None:
        self.note = ElidedLabel()
        self.run_button = push_button(RUN, RUN_TIP, self._on_run)
        self.runs = _number(
            DEFAULT_RUNS, 1, MAX_RUNS, "Random workloads", "So many, and as many without ties"
        )
        tip = "Another seed draws other workloads; the same one gives the same report"
        self.seed = _number(1, 0, MAX_SEED, "Seed", tip)
        self.progress = ProgressLine("How far the checks are", self._worker)
        self.model = RowsModel[Shown](self._columns(), self)
        self.table = ReadTable(self.model, "Checks of the policy", widest=0)
        self.table.selectionModel().currentRowChanged.connect(self._show_details)
        self.table.activated.connect(self._on_open)
        self.table.doubleClicked.connect(self._on_open)
        self.details = named(QPlainTextEdit(readOnly=True), "What was seen")
        self.details.setTabChangesFocus(True)
        tip = "Open the smallest workload that shows it as a document, with the cursor where it shows"
        self.open_button = push_button("&Open the smallest workload", tip, self._on_open)

    def _columns(self) -> tuple[Column[Shown], ...]:
        style = self._style
        return (
            Column("Check", lambda shown: shown[0].title, "What is asked of the policy", style=style),
            Column(
                "Verdict",
                lambda shown: NOT_CHECKED if shown[1] is None else shown[1].verdict.value,
                "Passed; found: see below what and where; or not judged, and why",
                typical="not asked yet",
                style=style,
            ),
        )

    def _style(self, shown: Shown, role: int) -> Any:
        found = shown[1] is not None and shown[1].verdict is CheckVerdict.FOUND
        if role == Qt.ItemDataRole.FontRole and found:
            return bold_font()
        is_faint = shown[1] is None or shown[1].verdict is CheckVerdict.NOT_JUDGED
        if role == Qt.ItemDataRole.ForegroundRole and is_faint:
            return self.palette().color(QPalette.ColorRole.PlaceholderText)
        return None

    def _lay_out(self) -> None:
        top = WrappedRow(
            (self.note, 1),
            self.progress,
            PlainLabel("Workloads"),
            self.runs,
            PlainLabel("Seed"),
            self.seed,
            self.run_button,
        )
        right = QWidget()
        column((self.details, 1), row(None, self.open_button), parent=right, margins=NO_MARGINS, spacing=3)
        halves = Halves(self.table, right, shares=(4, 5))
        checks = QWidget()
        column(top, (halves, 1), parent=checks, margins=(4, 4, 4, 2), spacing=3)
        self.pages = QTabWidget(documentMode=True)
        self.pages.addTab(checks, "Checks")
        self.pages.addTab(self.scores, "Scoreboard")
        column((self.pages, 1), parent=self, margins=NO_MARGINS)

    @override
    def sizeHint(self) -> QSize:
        return QSize(900, 300)

    # ---- whose checks

    def show_subject(self, choice: PolicyChoice, version: str, title: str) -> None:
        """Set which policy is to be checked; results of another one, or version, stay and are marked."""
        self._subject, self._title = (choice, version), title
        for part in (self.run_button, self.scores.run_button):
            part.setEnabled(True)
        self.scores.show_subject(choice, version, title)
        self._show_source()

    def show_reason(self, sentence: str) -> None:
        """Show why there is nothing to check."""
        self._subject = None
        self.run_button.setEnabled(self.is_busy)
        self.scores.show_subject(None, "", "")
        self.note.setText(sentence)

    def _show_source(self) -> None:
        """Show what the rows are of."""
        if self._subject is None or self.is_busy:
            return
        title, checked = self._title, self._results_of
        if self.report is None or checked is None:
            self.note.setText(f"Checks of {title}")
        elif checked[0][0] != self._subject[0]:
            self.note.setText(OF_ANOTHER.format(checked[1], title))
        elif checked[0] != self._subject:
            self.note.setText(OF_BEFORE)
        else:
            found = self.report.found
            self.note.setText(f"{title}: {'nothing found' if not found else f'{found} found'}")

    # ---- running them

    @property
    def is_busy(self) -> bool:
        """Whether checks are running."""
        return self._worker.is_busy

    def _on_run(self) -> None:
        if self.is_busy:
            self._worker.stop()
            return
        if self._subject is None:
            return
        self._results_of = self._subject, self._title
        self.report = None
        self._show_results()
        self._worker.follow(partial(_checked, self._subject[0], self.runs.value(), self.seed.value()))
        self.note.setText(f"Checking {self._title} …")
        self.run_button.setText(STOP)

    def stop(self) -> None:
        """Run no more checks."""
        self._worker.stop()
        self.scores.stop()

    def _on_finished(self, report: PolicyReport) -> None:
        self.report = report
        self._end()
        self._show_results()
        self._show_source()

    def _on_failed(self, error: Exception) -> None:
        self._end()
        self.note.setText(STOPPED if isinstance(error, Cancelled) else str(error))

    def _end(self) -> None:
        self.run_button.setText(RUN)
        self.run_button.setEnabled(self._subject is not None)

    # ---- what came of them

    def _show_results(self) -> None:
        results = () if self.report is None else self.report.results
        by_check = {result.check.id: result for result in results}
        self.model.show_rows([(check, by_check.get(check.id)) for check in CHECKS])
        found = [i for i, (_, result) in enumerate(self.model.rows) if result and result.evidence]
        self.table.selectRow(found[0] if found else 0)
        self._show_details()

    @property
    def _chosen(self) -> Shown:
        return self.model.rows[max(self.table.currentIndex().row(), 0)]

    def _show_details(self) -> None:
        check, result = self._chosen
        lines = [] if result is None else [result.sentence]
        if result is not None and result.evidence is not None:
            lines += [*result.evidence.why, result.evidence.size_text]
        self.details.setPlainText("\n".join([*lines, *([""] if lines else []), check.meaning]))
        self.open_button.setEnabled(result is not None and result.evidence is not None)

    def _on_open(self) -> None:
        _, result = self._chosen
        if self.report is not None and result is not None and result.evidence is not None:
            self.evidence_wanted.emit(self.report, result)


def _number(value: int, least: int, most: int, name: str, tip: str) -> QSpinBox:
    field = named(QSpinBox(), name, tip)
    field.setRange(least, most)
    field.setValue(value)
    return field


def _checked(
    choice: PolicyChoice,
    runs: int,
    seed: int,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> PolicyReport:
    from core.policy_checks.policy_report import policy_report  # the start of the window needs none of it

    give_way()
    return policy_report(choice, runs=runs, seed=seed, progress=progress, should_stop=should_stop)

"""What the linter found in the active scenario, as a table: starvation, idle slots, broken quotas, holds."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.explain.lint import lint
from core.explain.lints.finding import NO_JOB
from core.explain.lints.severity import Severity, severity_of
from core.model.time_text import clock_text, duration_text
from explorer.explain.asking_panel import AskingPanel
from explorer.widgets.plain_labels import ElidedLabel, tooltip
from explorer.widgets.tables import quiet_table
from explorer.widgets.widget_theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.explain.lints.finding import Finding
    from core.model.schedule import Schedule
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState
    from explorer.widgets.theme import Theme


NOTHING_FOUND = (
    "Nothing found: no job starves, no slot idles beside tasks that wait, quotas are kept, and holds pay off."
)
LOOKING = "Looking …"
NOT_YET = "Findings are shown here once the active scenario is simulated."
Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
RULE, JOB, FROM, LASTS, SENTENCE = range(5)
HEADINGS = ("What", "Job", "From", "Lasts", "Finding")
ICON_SIDE = 14
MEANINGS = {
    Severity.HIGH: "Matters much: it costs a slot for a quarter of the makespan or more",
    Severity.MEDIUM: "Matters: it costs a slot for 5 % of the makespan or more",
    Severity.LOW: "Matters little: it costs a slot for less than 5 % of the makespan",
}


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
            self._worker.cancel()
            return
        active = self._view_state.active_scenario
        schedule = self._schedule_of(active)
        if schedule is None:
            self._worker.cancel()
            self._show_sentence(NOT_YET)
        elif self._report is not None and self._report.schedule is schedule:
            self._show(self._report._replace(scenario_id=active))
        else:
            self._show_sentence(LOOKING)
            self._worker.start_next(partial(_look, active, schedule))

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


class FindingsModel(QAbstractTableModel):
    """One row per finding, the most severe first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._schedule: Schedule | None = None
        self._findings: tuple[Finding, ...] = ()
        self._colour_of: Callable[[int], QColor] | None = None
        self._icons: dict[Severity, QIcon] = {}

    def show(self, schedule: Schedule | None, findings: Sequence[Finding] = ()) -> None:
        """Show what was found in a schedule."""
        self.beginResetModel()
        self._schedule = schedule
        self._findings = tuple(sorted(findings, key=self._rank))
        self.endResetModel()

    def _rank(self, finding: Finding) -> int:
        return tuple(Severity).index(self.severity(finding))

    def set_colours(self, colour_of: Callable[[int], QColor] | None, theme: Theme) -> None:
        """Take the jobs' colours, and those of the signs."""
        self._colour_of = colour_of
        self._icons = {severity: severity_icon(severity, theme) for severity in Severity}
        if self._findings:
            self.dataChanged.emit(self.index(0, RULE), self.index(len(self._findings) - 1, JOB))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is shown."""
        return self._findings

    def severity(self, finding: Finding) -> Severity:
        """Return how much a finding matters."""
        assert self._schedule is not None  # or there would be no finding
        return severity_of(finding, self._schedule)

    def job_name(self, finding: Finding) -> str:
        """Return the name of the job that a finding concerns, or nothing."""
        if finding.job == NO_JOB or self._schedule is None:
            return ""
        return self._schedule.workload.jobs[finding.job].name

    def texts(self, row: int) -> tuple[str, ...]:
        """Return what a row says."""
        finding = self._findings[row]
        makespan = self._schedule.makespan if self._schedule is not None else 0.0
        begin = clock_text(finding.begin, 0.1 if makespan < 600 else 1.0, makespan)
        lasts = duration_text(finding.end - finding.begin)
        return finding.rule.value, self.job_name(finding), begin, lasts, finding.sentence

    def to_text(self) -> str:
        """Return headings and rows, separated by tabs, with the severity in front."""
        rows = [
            "\t".join((self.severity(finding).value, *self.texts(row)))
            for row, finding in enumerate(self._findings)
        ]
        return "\n".join(["\t".join(("Severity", *HEADINGS)), *rows])

    # ---- the model

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return how many findings there are."""
        return 0 if parent.isValid() else len(self._findings)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # Any: by role
        """Name the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        return None

    def data(self, index: Index, role: int = 0) -> Any:  # Any: by role
        """Return text, sign, colours or tooltip of a cell."""
        finding, column = self._findings[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.texts(index.row())[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(f"{finding.sentence}\n{MEANINGS[self.severity(finding)]}")
        if role == Qt.ItemDataRole.AccessibleTextRole and column == RULE:
            return f"{finding.rule.value}, severity {self.severity(finding).value}"
        if role == Qt.ItemDataRole.DecorationRole:
            return self._decoration(finding, column)
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (FROM, LASTS):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _decoration(self, finding: Finding, column: int) -> QIcon | QColor | None:
        if column == RULE:
            return self._icons.get(self.severity(finding))
        if column == JOB and finding.job != NO_JOB and self._colour_of is not None:
            return self._colour_of(finding.job)
        return None


def severity_icon(severity: Severity, theme: Theme) -> QIcon:
    """Return a sign that is told apart by its shape too: a full triangle, an empty one, a dot."""
    picture = QPixmap(ICON_SIDE * 3, ICON_SIDE * 3)
    picture.setDevicePixelRatio(3)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if severity is Severity.LOW:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.muted)
            painter.drawEllipse(QRectF(4.5, 4.5, 5, 5))
        else:
            painter.setPen(QPen(theme.bad, 1.4))
            painter.setBrush(theme.bad if severity is Severity.HIGH else Qt.BrushStyle.NoBrush)
            painter.drawPolygon(QPolygonF([QPointF(7, 1.5), QPointF(13, 12.5), QPointF(1, 12.5)]))
    return QIcon(picture)

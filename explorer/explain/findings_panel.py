"""What the linter found in the active scenario, as a table: starvation, idle slots, broken quotas, holds."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF
from typing_extensions import override

from core.explain.lint import lint
from core.explain.lints.finding import NO_JOB, Finding, Severity, severity_of
from core.model.time_text import clock_text, duration_text
from explorer.explain.explanation_panel import ExplanationPanel, Subject, scope_label
from explorer.widgets.layouts import column, row
from explorer.widgets.tables import Column, ReadTable, RowsModel
from explorer.widgets.theme import fill_with, theme_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.schedule import Schedule
    from explorer.widgets.theme import Theme


NOTHING_FOUND = "Nothing found: no job starves, no slot idles, quotas are kept, and holds pay off."
LOOKING = "Looking …"
NOT_YET = "Findings are shown here once the active scenario is simulated."
RULE, JOB, FROM, LASTS, SENTENCE = range(5)
ICON_SIDE = 14
LINES = 2
"""Lines of text of a finding, with all columns."""
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


class FindingsPanel(ExplanationPanel):
    """Lists findings once `want` has requested them.

    Signals
    -------
    counted : how many findings there are; -1 while that is not known
    finding_chosen : a `Finding` that was chosen, and the name of its job or nothing
    """

    counted = Signal(int)
    finding_chosen = Signal(object, str)

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject, "Copy all findings, separated by tabs")
        self._is_wanted = False
        self._report: Report | None = None
        self._make_parts()
        self.listen(
            self._view_state.active_scenario_changed, self._document.scenario_changed, self._document.reset
        )
        self._show_sentence(NOT_YET)

    def _make_parts(self) -> None:
        self.scope = scope_label()
        self.model = FindingsModel(self)
        self.table = ReadTable(self.model, "Findings", widest=SENTENCE, lines=LINES, narrows=True)
        self.table.chosen.connect(
            lambda finding: self.finding_chosen.emit(finding, self.model.job_name(finding))
        )
        self.table.narrowed.connect(self._show_scope)
        top = row((self.scope, 1), self.copy_button)
        parts = top, (self.table, 1), row(self.simulated_button, None)
        column(*parts, parent=self, margins=(6, 2, 6, 4), spacing=3)

    @override
    def sizeHint(self) -> QSize:
        return QSize(800, 180)

    # ---- what the window passes in

    def want(self, wanted: bool) -> None:
        """Look for findings from now on, or stop."""
        if wanted != self._is_wanted:
            self._is_wanted = wanted
            self._pause.soon()

    @override
    def _recolour(self) -> None:
        self.model.set_colours(self._colour_of, theme_of(self))

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

    def _show_scope(self) -> None:
        """Show whose findings they are, and what a click does where there is room to say it."""
        if self._report is not None:
            hint = "" if self.model.is_narrow else "; click a finding to see it"
            self.scope.setText(f"Under {self._title(self._report.scenario_id)}{hint}")

    def _show(self, report: Report) -> None:
        is_same = self._report is not None and self._report.findings is report.findings
        self._report = report
        self.table.empty_text = NOTHING_FOUND
        if not is_same:
            self.model.show(report.schedule, report.findings)
        self._show_scope()
        self.copy_button.setEnabled(True)
        self.counted.emit(len(report.findings))

    @override
    def _what_is_shown(self) -> str:
        return "findings"

    # ---- copying

    def to_text(self) -> str:
        """Return all findings, separated by tabs."""
        return self.model.to_text() if self.model.rows else self.table.empty_text


def _look(scenario_id: int, schedule: Schedule) -> Report:
    return Report(scenario_id, schedule, lint(schedule))


class FindingsModel(RowsModel[Finding]):
    """One row per finding, the most severe first; where only sentences are shown they have the signs."""

    def __init__(self, parent: QObject | None = None) -> None:
        typical = "unproductive hold M", "J000 copy", "0:00:00", "00 min 00 s"
        tip = self._tip
        super().__init__(
            (
                Column(
                    "What",
                    lambda finding: finding.rule.value,
                    typical=typical[RULE],
                    tip=tip,
                    spoken=lambda finding: f"{finding.rule.value}, severity {self.severity(finding).value}",
                    style=self._sign,
                    gives_way=True,
                ),
                Column(
                    "Job",
                    self.job_name,
                    typical=typical[JOB],
                    tip=tip,
                    style=self._job_colour,
                    gives_way=True,
                ),
                Column("From", self._begin, is_number=True, typical=typical[FROM], tip=tip, gives_way=True),
                Column(
                    "Lasts",
                    lambda finding: duration_text(finding.end - finding.begin),
                    is_number=True,
                    typical=typical[LASTS],
                    tip=tip,
                    gives_way=True,
                ),
                Column("Finding", lambda finding: finding.sentence, tip=tip, narrow_style=self._sign),
            ),
            parent,
        )
        self._schedule: Schedule | None = None
        self._colour_of: Callable[[int], QColor] | None = None
        self._icons: dict[Severity, QIcon] = {}

    def show(self, schedule: Schedule | None, findings: Sequence[Finding] = ()) -> None:
        """Show what was found in a schedule."""
        self._schedule = schedule
        self.show_rows(sorted(findings, key=lambda finding: tuple(Severity).index(self.severity(finding))))

    def set_colours(self, colour_of: Callable[[int], QColor] | None, theme: Theme) -> None:
        """Take the jobs' colours, and those of the signs."""
        self._colour_of = colour_of
        self._icons = {severity: severity_icon(severity, theme) for severity in Severity}
        self.refresh()

    def severity(self, finding: Finding) -> Severity:
        """Return how much a finding matters."""
        assert self._schedule is not None  # or there would be no finding
        return severity_of(finding, self._schedule)

    def job_name(self, finding: Finding) -> str:
        """Return the name of the job that a finding concerns, or nothing."""
        if finding.job == NO_JOB or self._schedule is None:
            return ""
        return self._schedule.workload.jobs[finding.job].name

    @override
    def to_text(self) -> str:
        """Return headings and rows, separated by tabs, with the severity in front."""
        severities = ("Severity", *(self.severity(finding).value for finding in self.rows))
        lines = super().to_text().split("\n")
        return "\n".join("\t".join(each) for each in zip(severities, lines, strict=True))

    def _begin(self, finding: Finding) -> str:
        makespan = self._schedule.makespan if self._schedule is not None else 0.0
        return clock_text(finding.begin, largest=makespan)

    def _tip(self, finding: Finding) -> str:
        return f"{finding.sentence}\n{MEANINGS[self.severity(finding)]}"

    def _sign(self, finding: Finding, role: int) -> QIcon | None:
        return self._icons.get(self.severity(finding)) if role == Qt.ItemDataRole.DecorationRole else None

    def _job_colour(self, finding: Finding, role: int) -> QColor | None:
        if role != Qt.ItemDataRole.DecorationRole or finding.job == NO_JOB or self._colour_of is None:
            return None
        return self._colour_of(finding.job)


def severity_icon(severity: Severity, theme: Theme) -> QIcon:
    """Return a sign that differs by its shape too: a full triangle, an empty one, a dot."""
    picture = QPixmap(ICON_SIDE * 3, ICON_SIDE * 3)
    picture.setDevicePixelRatio(3)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if severity is Severity.LOW:
            fill_with(painter, theme.second_text)
            painter.drawEllipse(QRectF(4.5, 4.5, 5, 5))
        else:
            painter.setPen(QPen(theme.worse, 1.4))
            painter.setBrush(theme.worse if severity is Severity.HIGH else Qt.BrushStyle.NoBrush)
            painter.drawPolygon(QPolygonF([QPointF(7, 1.5), QPointF(13, 12.5), QPointF(1, 12.5)]))
    return QIcon(picture)

"""What the linter found as rows of a table: how much it matters, what, whom, when, and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

from core.explain.lints.finding import NO_JOB
from core.explain.lints.severity import Severity, severity_of
from core.model.time_text import clock_text, duration_text
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.explain.lints.finding import Finding
    from core.model.schedule import Schedule
    from explorer.widgets.theme import Theme

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

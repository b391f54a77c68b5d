"""Tables of compared runs: what they are with their medians, and how far each two are apart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.model.time_text import duration_text
from core.trace_database.run_comparison import PHASES
from core.trace_database.template import date_text
from explorer.trace_database.cdf_picture import TITLES
from explorer.trace_database.run_colours import run_icon
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from core.trace_database.run_comparison import Phase, PhaseComparison
    from core.trace_database.template import Template
    from explorer.trace_database.library_work import ComparedRuns
    from explorer.widgets.theme import Theme

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
Role = Qt.ItemDataRole
RUN_HEADINGS = (
    "Run",
    "Title",
    "Submitted",
    "Maps",
    "Reduces",
    "Median map",
    "Median shuffle",
    "Median reduce",
    "Log",
)
DIVERGENCE_HELP = (
    "Symmetric Kullback-Leibler divergence in nats: 0 for equal distributions, 13.8 for runs that have no "
    "duration in common. The SimMR paper has 0.0 to 4.4 for runs of one application, 7.3 to 13.5 between "
    "different ones."
)
FEW = 30
"""With fewer samples the divergence says more about chance than about the runs."""
FIRST_NUMBER, LAST_NUMBER = 3, 7
"""Columns of the runs' numbers among `RUN_HEADINGS`."""


def run_names(templates: tuple[Template, ...]) -> tuple[str, ...]:
    """Return what the runs are called: their names, with the log where two have one name."""
    names = [template.name for template in templates]
    return tuple(
        name if names.count(name) == 1 else f"{name} of {template.source}"
        for name, template in zip(names, templates, strict=True)
    )


class TextTable(QAbstractTableModel):
    """Rows of texts with headings.

    Attributes
    ----------
    headings, rows : the texts
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.headings: tuple[str, ...] = ()
        self.rows: tuple[tuple[str, ...], ...] = ()
        self._help = ""
        self._numbers: range = range(0)
        self._colours: Theme | None = None

    def show(
        self,
        headings: tuple[str, ...],
        rows: tuple[tuple[str, ...], ...],
        numbers: range,
        colours: Theme,
        help_text: str,
    ) -> None:
        """Show other rows; the first column has the runs' lines, the columns `numbers` stand to the right."""
        self.beginResetModel()
        self._numbers = numbers
        self.headings, self.rows, self._colours, self._help = headings, rows, colours, help_text
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.headings)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """Return a heading, or its help."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Role.DisplayRole:
            return self.headings[section]
        if role == Role.TextAlignmentRole:
            return self._alignment(section)
        return tooltip(f"{self.headings[section]}\n{self._help}") if role == Role.ToolTipRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return text, help and the line of a run."""
        text = self.rows[index.row()][index.column()]
        if role == Role.DisplayRole:
            return text
        if role == Role.AccessibleTextRole:
            return f"{self.headings[index.column()]} of {self.rows[index.row()][0]}: {text}"
        if role == Role.ToolTipRole:
            return tooltip(
                f"{self.headings[index.column()]} of {self.rows[index.row()][0]}: {text}\n{self._help}"
            )
        if role == Role.TextAlignmentRole:
            return self._alignment(index.column())
        if role == Role.DecorationRole and index.column() == 0 and self._colours is not None:
            return run_icon(index.row(), self._colours)
        return None

    def _alignment(self, column: int) -> int:
        side = Qt.AlignmentFlag.AlignRight if column in self._numbers else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)

    def to_text(self) -> str:
        """Return all of it, separated by tabs."""
        return "".join("\t".join(row) + "\n" for row in (self.headings, *self.rows))


def run_rows(compared: ComparedRuns) -> tuple[tuple[str, ...], ...]:
    """Return a row for each run."""
    names = run_names(compared.templates)
    return tuple(
        (
            f"{i + 1}  {names[i]}",
            template.title or "–",
            date_text(template.submitted),
            f"{template.maps:,}",
            f"{template.reduces:,}",
            *(duration_text(float(compared.phases[phase].medians[i])) for phase in PHASES),
            template.source,
        )
        for i, template in enumerate(compared.templates)
    )


def divergence_rows(names: tuple[str, ...], compared: PhaseComparison) -> tuple[tuple[str, ...], ...]:
    """Return the matrix of divergences as texts."""
    return tuple(
        (f"{i + 1}  {name}", *(divergence_text(float(value)) for value in compared.divergence[i]))
        for i, name in enumerate(names)
    )


def divergence_text(value: float) -> str:
    """Write a divergence."""
    return "–" if math.isnan(value) else f"{value:.2f}"


def phase_title(phase: Phase, compared: PhaseComparison) -> str:
    """Name a phase, and say so if there are few samples behind its numbers."""
    title = TITLES[phase]
    fewest = min((len(samples) for samples in compared.samples if len(samples)), default=0)
    if not 0 < fewest < FEW:
        return title
    samples = "1 sample" if fewest == 1 else f"{fewest} samples"
    return f"{title}: a run has only {samples}, so read it with care"

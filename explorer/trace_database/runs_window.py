"""Runs of an application side by side: distributions of their durations, and how far they are apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.trace_database.run_comparison import PHASES
from explorer.trace_database.cdf_picture import TITLES, CdfPicture, RunCurves
from explorer.trace_database.run_colours import SAMPLE
from explorer.trace_database.runs_model import (
    DIVERGENCE_HELP,
    FIRST_NUMBER,
    LAST_NUMBER,
    RUN_HEADINGS,
    TextTable,
    divergence_rows,
    phase_title,
    run_names,
    run_rows,
)
from explorer.widgets.export import ExportButton
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel
from explorer.widgets.tables import QuietTable, quiet_table
from explorer.widgets.widget_theme import theme_of

if TYPE_CHECKING:
    from core.trace_database.run_comparison import Phase
    from explorer.trace_database.library_work import ComparedRuns

APART = (
    "How far they are apart (symmetric Kullback-Leibler divergence, nats: 0 alike, 13.8 nothing in common)"
)


class RunsWindow(QWidget):
    """Shows two to six runs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Runs side by side — Slotscope")
        self.resize(1200, 760)
        self._compared: ComparedRuns | None = None
        self.runs = TextTable(self)
        self.runs_table = _table(self.runs, "Runs")
        self.picture = CdfPicture()
        self.matrices: dict[Phase, TextTable] = {phase: TextTable(self) for phase in PHASES}
        self.matrix_tables = {
            phase: _table(model, f"Divergence of {phase} durations") for phase, model in self.matrices.items()
        }
        self.phase_labels = {phase: ElidedLabel(TITLES[phase]) for phase in PHASES}
        self.log_box = QCheckBox("&Logarithmic")
        self.log_box.setToolTip("Let the seconds grow by factors: short and long durations can both be read")
        self.log_box.toggled.connect(self.picture.set_logarithmic)
        self.copy_button = QPushButton("&Copy tables")
        self.copy_button.setToolTip("Copy medians and divergences, separated by tabs")
        self.copy_button.setAutoDefault(False)
        self.copy_button.clicked.connect(self.copy)
        self.export_button = ExportButton()
        self.export_button.set_chart(self.picture)
        self.status = PlainLabel()
        for sentence in (self.export_button.written, self.export_button.refused):
            sentence.connect(self.status.setText)
        self._lay_out()

    def _lay_out(self) -> None:
        self.status.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        head = QHBoxLayout()
        head.addWidget(PlainLabel("Fraction of tasks that took at most so long"), 1)
        head.addWidget(self.log_box)
        matrices = QHBoxLayout()
        for phase, table in self.matrix_tables.items():
            column = QVBoxLayout()
            column.addWidget(self.phase_labels[phase])
            column.addWidget(table)
            matrices.addLayout(column, 1)
        foot = QHBoxLayout()
        foot.addWidget(self.status, 1)
        foot.addWidget(self.copy_button)
        foot.addWidget(self.export_button)
        layout = QVBoxLayout(self)
        layout.addWidget(self.runs_table)
        layout.addLayout(head)
        layout.addWidget(self.picture, 1)
        layout.addWidget(PlainLabel(APART, wraps=True))
        layout.addLayout(matrices)
        layout.addLayout(foot)

    def show_runs(self, compared: ComparedRuns) -> None:
        """Show these runs, in front."""
        self._compared = compared
        self._fill()
        self.show()
        self.raise_()
        self.activateWindow()
        self.log_box.setFocus()

    def _fill(self) -> None:
        compared, colours = self._compared, theme_of(self)
        if compared is None:
            return
        names = run_names(compared.templates)
        numbers = range(FIRST_NUMBER, LAST_NUMBER + 1)
        self.runs.show(
            RUN_HEADINGS, run_rows(compared), numbers, colours, "Medians are of the run's samples."
        )
        for phase, model in self.matrices.items():
            phases = compared.phases[phase]
            headings = ("Run", *(str(i + 1) for i in range(len(names))))
            rows = divergence_rows(names, phases)
            model.show(headings, rows, range(1, len(headings)), colours, DIVERGENCE_HELP)
            self.phase_labels[phase].setText(phase_title(phase, phases))
        self.picture.show_curves(RunCurves.of(names, compared.phases))
        for table in (self.runs_table, *self.matrix_tables.values()):
            _fit(table)

    def to_text(self) -> str:
        """Return medians and divergences as text."""
        parts = [self.runs.to_text()]
        parts += [f"{TITLES[phase]}\n{model.to_text()}" for phase, model in self.matrices.items()]
        return "\n".join(parts)

    def copy(self) -> None:
        """Put medians and divergences on the clipboard."""
        QGuiApplication.clipboard().setText(self.to_text())
        self.status.setText("Copied medians and divergences")

    def changeEvent(self, event: QEvent) -> None:
        """Follow the application into its other theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "picture"):
            self._fill()
            self.picture.update()


def _table(model: TextTable, name: str) -> QuietTable:
    table = quiet_table(model, name, ())
    table.setIconSize(QSize(SAMPLE.width(), SAMPLE.height()))
    table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return table


def _fit(table: QuietTable) -> None:
    """Make a table as high as its rows; the first column takes what the others leave."""
    header = table.horizontalHeader()
    header.setStretchLastSection(False)
    table.resizeColumnsToContents()
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    rows = sum(table.rowHeight(row) for row in range(table.model().rowCount()))
    table.setFixedHeight(header.sizeHint().height() + rows + 2 * table.frameWidth() + 2)

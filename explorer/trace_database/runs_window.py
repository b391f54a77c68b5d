"""Runs of an application side by side: distributions of their durations, and how far they are apart."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHeaderView,
    QWidget,
)
from typing_extensions import override

from core.measures.histogram import cdf
from core.model.number_text import grouped
from core.model.time_text import duration_text
from core.trace_database.run_comparison import PHASES
from core.trace_database.template import date_text
from explorer.plots.cdf_picture import CdfCurve, CdfPanel, CdfPicture
from explorer.plots.curve_looks import colour_of
from explorer.widgets.export import ChartTable, ExportButton
from explorer.widgets.layouts import column, named, push_button, resize_on_screen, row
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel
from explorer.widgets.tables import Column, ReadTable, RowsModel
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.trace_database.run_comparison import Phase, PhaseComparison
    from core.trace_database.template import Template
    from explorer.trace_database.library_work import ComparedRuns
    from explorer.widgets.theme import Theme

APART = (
    "How far they are apart (symmetric Kullback-Leibler divergence, nats: 0 alike, 13.8 nothing in common)"
)


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


DASHES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DashDotDotLine,
    Qt.PenStyle.SolidLine,
)
WIDTH_PX, THIN_PX = 2.0, 1.0
SAMPLE = QSize(34, 12)


class RunsWindow(QWidget):
    """Shows two to six runs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Runs side by side — Slotscope")
        resize_on_screen(self, 1200, 760)
        self._compared: ComparedRuns | None = None
        self.runs: RowsModel[RunRow] = RowsModel((), self)
        self.runs_table = _table(self.runs, "Runs")
        name = "Distribution of map, shuffle and reduce durations of each run"
        self.picture = named(CdfPicture("runs"), name)
        self.picture.setMinimumSize(600, 180)
        self.matrices: dict[Phase, RowsModel[RunRow]] = {phase: RowsModel((), self) for phase in PHASES}
        self.matrix_tables = {
            phase: _table(model, f"Divergence of {phase} durations") for phase, model in self.matrices.items()
        }
        self.phase_labels = {phase: ElidedLabel(phase.capitalize()) for phase in PHASES}
        self.log_box = QCheckBox("&Logarithmic")
        self.log_box.setToolTip("Let the seconds grow by factors: short and long durations can both be read")
        self.log_box.toggled.connect(self.picture.set_log)
        tip = "Copy medians and divergences, separated by tabs"
        self.copy_button = push_button("&Copy tables", tip, self.copy)
        self.status = PlainLabel(is_faint=True)
        self.export_button = ExportButton(self.status.setText)
        self.export_button.set_chart(self.picture)
        self._lay_out()

    def _lay_out(self) -> None:
        head = row((PlainLabel("Fraction of tasks that took at most so long"), 1), self.log_box)
        matrices = row(
            *((column(self.phase_labels[phase], table), 1) for phase, table in self.matrix_tables.items())
        )
        foot = row((self.status, 1), self.copy_button, self.export_button)
        apart = PlainLabel(APART, wraps=True)
        column(self.runs_table, head, (self.picture, 1), apart, matrices, foot, parent=self)

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
        columns = run_columns(RUN_HEADINGS, numbers, colours, "Medians are of the run's samples.")
        self.runs.show_rows(run_rows(compared), columns)
        for phase, model in self.matrices.items():
            phases = compared.phases[phase]
            headings = ("Run", *(str(i + 1) for i in range(len(names))))
            columns = run_columns(headings, range(1, len(headings)), colours, DIVERGENCE_HELP)
            model.show_rows(divergence_rows(names, phases), columns)
            self.phase_labels[phase].setText(phase_title(phase, phases))
        self.picture.show_panels(*run_panels(names, compared.phases))
        for table in (self.runs_table, *self.matrix_tables.values()):
            _fit(table)

    def to_text(self) -> str:
        """Return medians and divergences as text."""
        parts = [f"{self.runs.to_text()}\n"]
        parts += [f"{phase.capitalize()}\n{model.to_text()}\n" for phase, model in self.matrices.items()]
        return "\n".join(parts)

    def copy(self) -> None:
        """Put medians and divergences on the clipboard."""
        QGuiApplication.clipboard().setText(self.to_text())
        self.status.setText("Copied medians and divergences")

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "picture"):
            self._fill()
            self.picture.update()


def _table(model: RowsModel[RunRow], name: str) -> ReadTable:
    table = ReadTable(model, name)
    table.setIconSize(QSize(SAMPLE.width(), SAMPLE.height()))
    table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return table


def _fit(table: ReadTable) -> None:
    """Make a table as high as its rows; the first column takes what the others leave."""
    header = table.horizontalHeader()
    header.setStretchLastSection(False)
    table.resizeColumnsToContents()
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    table.fit_height()
    table.setFixedHeight(table.height() + 2)


class RunRow(NamedTuple):
    """A row about a run: the run's number, from 0, and the texts of the cells."""

    number: int
    texts: tuple[str, ...]


def run_columns(
    headings: Sequence[str], numbers: range, colours: Theme, help_text: str
) -> tuple[Column[RunRow], ...]:
    """Return columns of texts, the first with the run's line; the columns `numbers` stand to the right."""

    def line(run: RunRow, role: int) -> QIcon | None:
        return run_icon(run.number, colours) if role == Qt.ItemDataRole.DecorationRole else None

    def run_column(place: int, heading: str) -> Column[RunRow]:
        def spoken(run: RunRow) -> str:
            return f"{heading} of {run.texts[0]}: {run.texts[place]}"

        return Column(
            heading,
            lambda run: run.texts[place],
            f"{heading}\n{help_text}",
            is_number=place in numbers,
            tip=lambda run: f"{spoken(run)}\n{help_text}",
            spoken=spoken,
            style=None if place else line,
        )

    return tuple(run_column(*each) for each in enumerate(headings))


def run_names(templates: tuple[Template, ...]) -> tuple[str, ...]:
    """Return what the runs are called: their names, with the log where two have one name."""
    names = [template.name for template in templates]
    return tuple(
        name if names.count(name) == 1 else f"{name} of {template.source}"
        for name, template in zip(names, templates, strict=True)
    )


def run_rows(compared: ComparedRuns) -> tuple[RunRow, ...]:
    """Return a row for each run."""
    names = run_names(compared.templates)
    return tuple(
        RunRow(
            i,
            (
                f"{i + 1}  {names[i]}",
                template.title or "–",
                date_text(template.submitted),
                grouped(template.maps),
                grouped(template.reduces),
                *(duration_text(float(compared.phases[phase].medians[i])) for phase in PHASES),
                template.source,
            ),
        )
        for i, template in enumerate(compared.templates)
    )


def divergence_rows(names: tuple[str, ...], compared: PhaseComparison) -> tuple[RunRow, ...]:
    """Return the matrix of divergences as texts."""
    texts = [["–" if math.isnan(v) else f"{v:.2f}" for v in line] for line in compared.divergence.tolist()]
    return tuple(RunRow(i, (f"{i + 1}  {name}", *texts[i])) for i, name in enumerate(names))


def phase_title(phase: Phase, compared: PhaseComparison) -> str:
    """Return the name of a phase, with a note if there are few samples behind its numbers."""
    title = phase.capitalize()
    fewest = min((len(samples) for samples in compared.samples if len(samples)), default=0)
    if not 0 < fewest < FEW:
        return title
    samples = "1 sample" if fewest == 1 else f"{fewest} samples"
    return f"{title}: a run has only {samples}, so read it with care"


def run_panels(
    names: tuple[str, ...], phases: dict[Phase, PhaseComparison]
) -> tuple[list[CdfPanel], Callable[[], ChartTable]]:
    """Return a panel for each phase with a curve for each run that has such tasks, and how to list them."""
    panels = []
    for phase in PHASES:
        samples = phases[phase].samples
        curves = tuple(
            CdfCurve(name, *cdf(durations), partial(run_pen, number))
            for number, (name, durations) in enumerate(zip(names, samples, strict=True))
            if durations.size
        )
        panels.append(CdfPanel(phase.capitalize(), curves, np.sort(np.concatenate(samples))))
    return panels, partial(_steps_table, panels)


def _steps_table(panels: Sequence[CdfPanel]) -> ChartTable:
    """Return every step of every curve."""
    rows = [
        (panel.title.lower(), curve.name, seconds, fraction)
        for panel in panels
        for curve in panel.curves
        for seconds, fraction in zip(curve.times.tolist(), curve.fractions.tolist(), strict=True)
    ]
    return ChartTable(("phase", "run", "seconds", "fraction of tasks at most as long"), tuple(rows))


def run_pen(number: int, colours: Theme) -> QPen:
    """Return the pen of a run, from 0."""
    colour = colour_of(number, colours)
    last = number % len(DASHES) == len(DASHES) - 1
    pen = QPen(colour, WIDTH_PX if not last else THIN_PX, DASHES[number % len(DASHES)])
    pen.setCosmetic(True)
    return pen


def run_icon(number: int, colours: Theme) -> QIcon:
    """Return a piece of the run's line."""
    picture = QPixmap(SAMPLE * 2)
    picture.setDevicePixelRatio(2)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        pen = run_pen(number, colours)
        pen.setCosmetic(False)
        painter.setPen(pen)
        middle = SAMPLE.height() / 2
        painter.drawLine(QPointF(1, middle), QPointF(SAMPLE.width() - 1, middle))
    return QIcon(picture)

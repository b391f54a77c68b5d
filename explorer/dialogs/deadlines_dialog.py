"""Give every job a random deadline: choose how generous, and see how many would be late."""

from __future__ import annotations

import secrets
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.generate.deadlines import LARGEST_FACTOR, with_random_deadlines
from core.measures.lateness import late_jobs_with
from core.model.time_text import duration_text
from core.simulation.fifo_trials import isolated_runtimes
from explorer.widgets.busy_bar import BusyBar
from explorer.widgets.number_fields import LARGEST_WHOLE, CountField, NumberField
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload

PAUSE_MS = 150
"""After the last key: then the deadlines are drawn, so that what they do can be said."""

USUAL_FACTOR = 2.0
MODEL = (
    "Each job gets a deadline between T and f × T after its arrival, every time as likely; T is how long the "
    "job takes alone on the whole cluster. Deadlines that jobs have are replaced."
)
SOURCE = "After Verma, Cherkasova, Campbell: Play It Again, SimMR!, section V, where f is 1, 1.5 or 3."


class Drawn(NamedTuple):
    """A workload with new deadlines, and how they were drawn."""

    workload: Workload
    factor: float
    seed: int


class DeadlinesDialog(QDialog):
    """Draws the deadlines in a worker while people choose; accepting hands over what was drawn.

    Signals
    -------
    drawn : people accepted this `Drawn`
    cleared : people want no deadlines at all
    """

    drawn = Signal(object)
    cleared = Signal()

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        schedule: Schedule | None = None,
        title: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Random deadlines")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._workload, self._cluster, self._schedule, self._title = workload, cluster, schedule, title
        self._drawn: Drawn | None = None
        self._drawing = Worker(self)
        self._drawing.finished.connect(self._on_drawn)
        self._drawing.failed.connect(self._on_failed)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._draw)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._on_changed()

    # Building

    def _make_parts(self) -> None:
        self.factor_field = NumberField(1.0, LARGEST_FACTOR)
        self.factor_field.setValue(USUAL_FACTOR)
        self.factor_field.setSingleStep(0.5)
        self.factor_field.setAccessibleName("Deadline factor")
        self.factor_field.setToolTip("The latest deadline as a multiple of the job's time alone, at least 1")
        self.seed_field = CountField(0, LARGEST_WHOLE)
        self.seed_field.setValue(1)
        self.seed_field.setAccessibleName("Seed")
        self.seed_field.setToolTip("The same seed gives the same deadlines again")
        self.seed_button = QPushButton("&New seed")
        self.seed_button.setToolTip("Choose a seed by chance")
        self.seed_button.setAutoDefault(False)
        self.preview = PlainLabel(wraps=True)
        self.preview.setAccessibleName("What the deadlines would do")
        self.preview.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.preview.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.progress = BusyBar("Drawing the deadlines")

    def _lay_out(self) -> None:
        seed = QHBoxLayout()
        seed.addWidget(self.seed_field, 1)
        seed.addWidget(self.seed_button)
        source = PlainLabel(SOURCE, wraps=True)
        source.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        fields = QFormLayout()
        fields.addRow("&Factor f", self.factor_field)
        seed_label = QLabel("&Seed")
        seed_label.setBuddy(self.seed_field)
        fields.addRow(seed_label, seed)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.draw_button = self.buttons.addButton("&Draw deadlines", QDialogButtonBox.ButtonRole.AcceptRole)
        self.draw_button.setDefault(True)
        self.clear_button = self.buttons.addButton("&Remove all", QDialogButtonBox.ButtonRole.ResetRole)
        self.clear_button.setToolTip("Take every job's deadline away")
        self.clear_button.setEnabled(any(job.deadline is not None for job in self._workload.jobs))
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(PlainLabel(MODEL, wraps=True))
        layout.addWidget(source)
        layout.addLayout(fields)
        layout.addWidget(self.preview)
        layout.addWidget(self.progress)
        layout.addWidget(self.buttons)
        self.resize(480, 340)

    def _connect(self) -> None:
        self.factor_field.valueChanged.connect(self._on_changed)
        self.seed_field.valueChanged.connect(self._on_changed)
        self.seed_button.clicked.connect(self._on_new_seed)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.clear_button.clicked.connect(self._on_clear)

    # Drawing

    def _on_new_seed(self) -> None:
        self.seed_field.setValue(secrets.randbelow(10_000))

    def _on_changed(self) -> None:
        self._drawn = None
        self.draw_button.setEnabled(False)
        self.preview.setText("Drawing …")
        self.progress.show()
        self._drawing.cancel()
        self._pause.start()

    def _draw(self) -> None:
        values = (self.factor_field.value(), self.seed_field.value())
        self._drawing.start(partial(_drawn, self._workload, self._cluster, *values))

    def _on_drawn(self, drawn: Drawn) -> None:
        self._drawn = drawn
        self.progress.hide()
        self.preview.setText(preview_text(drawn.workload, self._schedule, self._title))
        self.draw_button.setEnabled(True)
        self.draw_button.setDefault(True)

    def _on_failed(self, error: Exception) -> None:
        self.progress.hide()
        self.preview.setText(str(error))

    def _on_clear(self) -> None:
        self.reject()
        self.cleared.emit()

    def done(self, result: int) -> None:
        """Close; hand the deadlines over if people accepted them."""
        self._pause.stop()
        self._drawing.cancel()
        super().done(result)
        if result == QDialog.DialogCode.Accepted and self._drawn is not None:
            self.drawn.emit(self._drawn)


def _drawn(workload: Workload, cluster: Cluster, factor: float, seed: int) -> Drawn:
    return Drawn(with_random_deadlines(workload, cluster, factor, seed, isolated_runtimes), factor, seed)


def preview_text(workload: Workload, schedule: Schedule | None, title: str) -> str:
    """Say what the deadlines are, and how many jobs of a schedule would miss them as it is."""
    columns = workload.columns
    allowed = (columns.deadline - columns.arrival)[np.isfinite(columns.deadline)]
    if len(allowed) == 0:
        return "No job gets a deadline: they all take no time."
    span = f"from {duration_text(float(allowed.min()))} to {duration_text(float(allowed.max()))}"
    count = f"{len(allowed)} job{'' if len(allowed) == 1 else 's'}"
    text = f"{count} will have deadlines, {span} after their arrival."
    if schedule is None or len(schedule.workload.jobs) != len(workload.jobs):
        return text
    late = late_jobs_with(schedule, columns.deadline)
    return f"{text}\nAs {title} runs them now, {late} of {len(workload.jobs)} would be late."

"""Give every job a random deadline: choose how generous, and see how many would be late."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QFormLayout, QWidget
from typing_extensions import override

from core.generate.deadlines import LARGEST_FACTOR, with_random_deadlines
from core.measures.job_ends import late_jobs_with
from core.model.time_text import duration_text
from core.simulation.fifo_trials import isolated_runtimes
from explorer.dialogs.preview_dialog import PreviewDialog, SeedFields, factor_field
from explorer.widgets.layouts import named, resize_on_screen
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload

MODEL = (
    "Each job gets a deadline between T and f × T after its arrival, every time as likely; T is how long the "
    "job takes alone on the whole cluster. Deadlines that jobs have are replaced."
)
SOURCE = "After Verma, Cherkasova, Campbell: Play It Again, SimMR!, section V, where f is 1, 1.5 or 3."


class Deadlines(NamedTuple):
    """A workload with new deadlines, and how they were drawn."""

    workload: Workload
    factor: float
    seed: int


class DeadlinesDialog(PreviewDialog):
    """Draws deadlines of a factor and a seed.

    Signals
    -------
    drawn : these `Deadlines` were accepted
    cleared : no deadlines at all are wanted
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
        super().__init__("Random deadlines", "&Draw deadlines", "Drawing the deadlines", parent)
        self._workload, self._cluster, self._schedule, self._title = workload, cluster, schedule, title
        tip = "The latest deadline as a multiple of the job's time alone, at least 1"
        self.factor_field = factor_field(1.0, LARGEST_FACTOR, "Deadline factor", tip)
        self.seed = SeedFields("deadlines")
        self.preview = named(PlainLabel(wraps=True), "What the deadlines would do")
        self.preview.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.preview.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.clear_button = self.buttons.addButton("&Remove all", QDialogButtonBox.ButtonRole.ResetRole)
        self.clear_button.setToolTip("Take every job's deadline away")
        self.clear_button.setEnabled(any(job.deadline is not None for job in workload.jobs))
        self.clear_button.clicked.connect(self._on_clear)
        source = PlainLabel(SOURCE, wraps=True, is_faint=True)
        fields = QFormLayout()
        fields.addRow("&Factor f", self.factor_field)
        self.seed.add_to(fields)
        self.lay_out(PlainLabel(MODEL, wraps=True), source, fields, self.preview, spacing=10)
        resize_on_screen(self, 480, 340)
        self.factor_field.valueChanged.connect(self.on_changed)
        self.seed.field.valueChanged.connect(self.on_changed)
        self.on_changed()

    def _on_clear(self) -> None:
        self.reject()
        self.cleared.emit()

    @override
    def work(self) -> Callable[[], Deadlines]:
        workload, cluster = self._workload, self._cluster
        how = (self.factor_field.value(), self.seed.field.value())
        return lambda: Deadlines(with_random_deadlines(workload, cluster, *how, isolated_runtimes), *how)

    @override
    def show_waiting(self) -> None:
        self.preview.setText("Drawing …")

    @override
    def show_preview(self, preview: Deadlines) -> None:
        self.preview.setText(preview_text(preview.workload, self._schedule, self._title))

    @override
    def show_problem(self, sentence: str) -> None:
        self.preview.setText(sentence)

    @override
    def hand_over(self, preview: Deadlines) -> None:
        self.drawn.emit(preview)


def preview_text(workload: Workload, schedule: Schedule | None, title: str) -> str:
    """Return what the deadlines are, and how many jobs of a schedule would miss them as it is."""
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

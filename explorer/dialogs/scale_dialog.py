"""Give jobs more or less input: choose how much, and see what becomes of tasks, work and the lower bound."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.generate.scaling import LARGEST_FACTOR, scale_workload
from core.measures.workload_summary import Totals, totals_of
from core.model.time_text import change_text, duration_text
from explorer.widgets.busy_bar import BusyBar
from explorer.widgets.number_fields import NumberField
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.generate.scaling import ReduceRule
    from core.model.cluster import Cluster
    from core.model.workload import Workload

PAUSE_MS = 150
"""After the last key: then the jobs are scaled, so that what they become can be said."""
USUAL_FACTOR = 2.0
LEAST_FACTOR = 0.001
MODEL = (
    "Maps read one split each, so their number grows with the input and their durations stay. Shuffles and "
    "reduces take as much longer as more data falls on each reduce. Arrivals and deadlines stay."
)
ROWS = ("Maps", "Reduces", "Work in maps", "Work in reduces", "Lower bound")
COLUMNS = ("before", "afterwards", "change")


class Scaled(NamedTuple):
    """A scaled workload, by how much, how many of its jobs, and the totals before and afterwards."""

    workload: Workload
    factor: float
    jobs: int
    before: Totals
    after: Totals


class ScaleDialog(QDialog):
    """Scales in a worker while people choose; accepting hands over what was previewed.

    Signals
    -------
    scaled : people accepted this `Scaled`
    """

    scaled = Signal(object)

    def __init__(
        self, workload: Workload, cluster: Cluster, selected: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Scale jobs")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._workload, self._cluster, self._selected = workload, cluster, tuple(selected)
        self._previewed: Scaled | None = None
        self._scaling = Worker(self)
        self._scaling.finished.connect(self._on_scaled)
        self._scaling.failed.connect(self._on_failed)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._scale)
        self._make_fields()
        self._make_preview()
        self._lay_out()
        self._connect()
        self._on_changed()

    # Building

    def _make_fields(self) -> None:
        self.factor_field = NumberField(LEAST_FACTOR, LARGEST_FACTOR)
        self.factor_field.setValue(USUAL_FACTOR)
        self.factor_field.setSingleStep(0.5)
        self.factor_field.setAccessibleName("Factor")
        self.factor_field.setToolTip("Input afterwards / input before: 2 is twice as much")
        self.jobs_field = QComboBox()
        self.jobs_field.setAccessibleName("Jobs")
        self.jobs_field.setToolTip("Which jobs get more or less input")
        if self._selected:
            self.jobs_field.addItem(_selected_text(self._selected), self._selected)
        self.jobs_field.addItem(f"All {len(self._workload.jobs)} jobs", None)
        self.reduces_field = QComboBox()
        self.reduces_field.setAccessibleName("Reduces")
        self.reduces_field.setToolTip("In Hadoop the number of reduces is the user's choice")
        self.reduces_field.addItem("as many as before, each with more to do", "stay")
        self.reduces_field.addItem("more in proportion, each as long as before", "scale")

    def _make_preview(self) -> None:
        self.table = QTableWidget(len(ROWS), len(COLUMNS))
        self.table.setAccessibleName("What the jobs amount to")
        self.table.setHorizontalHeaderLabels(COLUMNS)
        self.table.setVerticalHeaderLabels(ROWS)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().setToolTip(
            "Of all jobs; work in hours of one slot; no schedule on this cluster ends before the lower bound"
        )
        self.problem = PlainLabel(wraps=True)
        self.progress = BusyBar("Scaling the jobs")

    def _lay_out(self) -> None:
        model = PlainLabel(MODEL, wraps=True)
        model.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        fields = QFormLayout()
        fields.addRow("&Factor", self.factor_field)
        fields.addRow("&Jobs", self.jobs_field)
        fields.addRow("&Reduces", self.reduces_field)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.scale_button = self.buttons.addButton("&Scale", QDialogButtonBox.ButtonRole.AcceptRole)
        self.scale_button.setDefault(True)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(model)
        layout.addLayout(fields)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.problem)
        layout.addWidget(self.progress)
        layout.addWidget(self.buttons)
        self.resize(560, 440)

    def _connect(self) -> None:
        self.factor_field.valueChanged.connect(self._on_changed)
        self.jobs_field.currentIndexChanged.connect(self._on_changed)
        self.reduces_field.currentIndexChanged.connect(self._on_changed)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    # Scaling

    @property
    def is_busy(self) -> bool:
        """Whether a preview is to come."""
        return self._pause.isActive() or self._scaling.is_busy

    def _on_changed(self) -> None:
        self._previewed = None
        self.scale_button.setEnabled(False)
        self.progress.show()
        self._scaling.cancel()
        self._pause.start()

    def _scale(self) -> None:
        choices = (self.factor_field.value(), self.reduces_field.currentData(), self.jobs_field.currentData())
        self._scaling.start(partial(_scaled, self._workload, self._cluster, *choices))

    def _on_scaled(self, scaled: Scaled) -> None:
        self._previewed = scaled
        self.progress.hide()
        self.problem.clear()
        self._fill(scaled.before, scaled.after)
        self.scale_button.setEnabled(True)
        self.scale_button.setDefault(True)

    def _on_failed(self, error: Exception) -> None:
        self.progress.hide()
        self.table.clearContents()
        self.problem.setText(str(error))

    def _fill(self, before: Totals, after: Totals) -> None:
        figures = [
            (before.maps, after.maps, _count),
            (before.reduces, after.reduces, _count),
            (before.map_seconds, after.map_seconds, _hours),
            (before.reduce_seconds, after.reduce_seconds, _hours),
            (before.lower_bound, after.lower_bound, duration_text),
        ]
        for row, (old, new, text) in enumerate(figures):
            for column, cell in enumerate((text(old), text(new), change_text(old, new))):
                item = QTableWidgetItem(cell)
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, column, item)

    def done(self, result: int) -> None:
        """Close; hand the scaled workload over if people accepted it."""
        self._pause.stop()
        self._scaling.cancel()
        super().done(result)
        if result == QDialog.DialogCode.Accepted and self._previewed is not None:
            self.scaled.emit(self._previewed)


def _scaled(
    workload: Workload, cluster: Cluster, factor: float, reduces: ReduceRule, jobs: Sequence[str] | None
) -> Scaled:
    """Scale and sum up; runs in a worker."""
    scaled = scale_workload(workload, factor, reduces, jobs)
    count = len(workload.jobs) if jobs is None else len(jobs)
    return Scaled(scaled, factor, count, totals_of(workload, cluster), totals_of(scaled, cluster))


def _selected_text(names: Sequence[str]) -> str:
    return f"{names[0]} alone" if len(names) == 1 else f"The {len(names)} selected jobs"


def _count(count: float) -> str:
    return f"{count:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:,.2f} slot-hours".replace(",", "\N{NARROW NO-BREAK SPACE}")

"""Give jobs more or less input: choose how much, and see what becomes of tasks, work and the lower bound."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)
from typing_extensions import override

from core.generate.scaling import LARGEST_FACTOR, scale_workload
from core.measures.workload_summary import Totals, totals_of
from core.model.number_text import grouped
from core.model.time_text import change_text, duration_text
from core.optimize.premise import PLAIN
from explorer.dialogs.preview_dialog import PreviewDialog, factor_field
from explorer.widgets.layouts import named, resize_on_screen
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.generate.scaling import ReduceRule
    from core.model.cluster import Cluster
    from core.model.workload import Workload

MIN_FACTOR = 0.001
MODEL = (
    "{0} read one split each, so their number grows with the input and their durations stay. Shuffles and "
    "{1} take as much longer as more data falls on each {2}. Arrivals and deadlines stay."
)
ROWS = ("{0}", "{1}", "Work in {0}", "Work in {1}", "Lower bound")
COLUMNS = ("before", "afterwards", "change")


class Scaled(NamedTuple):
    """A scaled workload, by how much, how many of its jobs, and the totals before and afterwards."""

    workload: Workload
    factor: float
    jobs: int
    before: Totals
    after: Totals


class ScaleDialog(PreviewDialog):
    """Scales by the factor, the jobs and the rule for reduces of the fields.

    Signals
    -------
    scaled : this `Scaled` was accepted
    """

    scaled = Signal(object)

    def __init__(
        self, workload: Workload, cluster: Cluster, selected: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__("Scale jobs", "&Scale", "Scaling the jobs", parent)
        self._workload, self._cluster, self._selected = workload, cluster, tuple(selected)
        self._words = tuple(f"{word}s" for word in workload.type_words)
        self._make_fields()
        self._make_preview()
        first, later = self._words
        later_task = later.removesuffix("s") if workload.is_map_reduce else "of their tasks"
        model = PlainLabel(MODEL.format(first.capitalize(), later, later_task), wraps=True, is_faint=True)
        fields = QFormLayout()
        fields.addRow("&Factor", self.factor_field)
        fields.addRow("&Jobs", self.jobs_field)
        fields.addRow(f"&{later.capitalize()}", self.reduces_field)
        self.lay_out(model, fields, (self.table, 1), self.problem, spacing=10)
        resize_on_screen(self, 560, 440)
        self.factor_field.valueChanged.connect(self.on_changed)
        self.jobs_field.currentIndexChanged.connect(self.on_changed)
        self.reduces_field.currentIndexChanged.connect(self.on_changed)
        self.on_changed()

    # Building

    def _make_fields(self) -> None:
        tip = "Input afterwards / input before: 2 is twice as much"
        self.factor_field = factor_field(MIN_FACTOR, LARGEST_FACTOR, "Factor", tip)
        self.jobs_field = named(QComboBox(), "Jobs", "Which jobs get more or less input")
        if self._selected:
            count = len(self._selected)
            chosen = f"{self._selected[0]} alone" if count == 1 else f"The {count} selected jobs"
            self.jobs_field.addItem(chosen, self._selected)
        self.jobs_field.addItem(f"All {len(self._workload.jobs)} jobs", None)
        tip = f"How many tasks there are in the {self._words[1]} is the user's choice"
        self.reduces_field = named(QComboBox(), self._words[1].capitalize(), tip)
        self.reduces_field.addItem("as many as before, each with more to do", "stay")
        self.reduces_field.addItem("more in proportion, each as long as before", "scale")

    def _make_preview(self) -> None:
        self.table = named(QTableWidget(len(ROWS), len(COLUMNS)), "What the jobs amount to")
        self.table.setHorizontalHeaderLabels(COLUMNS)
        self.table.setVerticalHeaderLabels([_row_title(each, self._words) for each in ROWS])
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().setToolTip(
            "Of all jobs; work in hours of one slot; no schedule on this cluster ends before the lower bound "
            f"{PLAIN.words}"
        )
        self.problem = PlainLabel(wraps=True)

    # Scaling

    @override
    def work(self) -> Callable[[], Scaled]:
        choices = (self.factor_field.value(), self.reduces_field.currentData(), self.jobs_field.currentData())
        return partial(_scaled, self._workload, self._cluster, *choices)

    @override
    def show_preview(self, preview: Scaled) -> None:
        self.problem.clear()
        self._fill(preview.before, preview.after)

    @override
    def show_problem(self, sentence: str) -> None:
        self.table.clearContents()
        self.problem.setText(sentence)

    @override
    def hand_over(self, preview: Scaled) -> None:
        self.scaled.emit(preview)

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


def _scaled(
    workload: Workload, cluster: Cluster, factor: float, reduces: ReduceRule, jobs: Sequence[str] | None
) -> Scaled:
    """Scale and sum up; runs in a worker."""
    scaled = scale_workload(workload, factor, reduces, jobs)
    count = len(workload.jobs) if jobs is None else len(jobs)
    return Scaled(scaled, factor, count, totals_of(workload, cluster), totals_of(scaled, cluster))


def _row_title(form: str, words: tuple[str, ...]) -> str:
    text = form.format(*words)
    return f"{text[0].upper()}{text[1:]}"


def _count(count: float) -> str:
    return grouped(count)


def _hours(seconds: float) -> str:
    return f"{grouped(seconds / 3600, 2)} slot-hours"

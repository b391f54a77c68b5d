"""Generate a workload: choose a family, a seed and parameters, and see at once what it would be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QGridLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from core.generate.families import FAMILIES, generate
from core.measures.workload_summary import Spread, Totals, spread_of, totals_of
from core.model.number_text import grouped
from core.model.time_text import duration_text
from core.model.workload import Workload
from explorer.dialogs.preview_dialog import PreviewDialog, SeedFields
from explorer.plots.histogram_picture import HistogramPicture
from explorer.widgets.layouts import column, named, resize_on_screen, row
from explorer.widgets.number_fields import ParameterForm
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from core.generate.family import Family
    from core.model.parameters import ParameterValue


class GenerateDialog(PreviewDialog):
    """Draws the workload that the fields describe.

    Signals
    -------
    generated : this workload was accepted
    """

    generated = Signal(Workload)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Generate a workload", "&Generate", "Drawing the workload", parent)
        self.family_field = named(QComboBox(), "Family", "Kind of workload, each from a publication")
        for family in FAMILIES:
            self.family_field.addItem(family.title, family)
        self.summary = PlainLabel(wraps=True)
        self.source = PlainLabel(wraps=True, is_faint=True)
        self.seed = SeedFields("workload")
        self.form = ParameterForm()
        self.preview = WorkloadPreview()
        self.lay_out((row((self._fields(), 4), (self.preview, 5), spacing=16), 1))
        resize_on_screen(self, 1040, 640)
        self.family_field.currentIndexChanged.connect(self._on_family_changed)
        self.seed.field.valueChanged.connect(self.on_changed)
        self.form.value_changed.connect(self.on_changed)
        self._on_family_changed()

    def _fields(self) -> QVBoxLayout:
        top = QFormLayout()
        top.addRow("&Family", self.family_field)
        top.addRow(self.summary)
        top.addRow(self.source)
        self.seed.add_to(top)
        area = QScrollArea(widgetResizable=True)
        area.setWidget(self.form)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        return column(top, (area, 1))

    def preset(self, family_id: str, values: Mapping[str, ParameterValue]) -> None:
        """Begin with a family and some of its parameters; both may still be changed."""
        self.family_field.setCurrentIndex([family.id for family in FAMILIES].index(family_id))
        self.form.set_values(values)
        self.on_changed()

    @property
    def family(self) -> Family:
        """The chosen family."""
        chosen: Family = self.family_field.currentData()
        return chosen

    def _on_family_changed(self) -> None:
        self.summary.setText(self.family.summary)
        self.source.setText(f"After {self.family.source}.")
        self.form.set_parameters(self.family.parameters)
        self.on_changed()

    @override
    def work(self) -> Callable[[], Preview]:
        chosen, seed, values = self.family.id, self.seed.field.value(), self.form.values()
        return lambda: Preview.of(generate(chosen, seed=seed, parameters=values))

    @override
    def show_waiting(self) -> None:
        self.preview.totals.setText("Drawing …")

    @override
    def show_preview(self, preview: Preview) -> None:
        self.preview.show_preview(preview)

    @override
    def show_problem(self, sentence: str) -> None:
        self.preview.show_preview(None, sentence)

    @override
    def hand_over(self, preview: Preview) -> None:
        self.generated.emit(preview.workload)


@dataclass(frozen=True, eq=False)
class Preview:
    """A workload with what is shown of it, computed in a worker."""

    workload: Workload
    totals: Totals
    spread: Spread

    @classmethod
    def of(cls, workload: Workload) -> Preview:
        """Summarise a workload on the cluster that it suggests."""
        return cls(workload, totals_of(workload, workload.cluster), spread_of(workload))


TITLES = {
    "maps_per_job": (("Maps per job", "jobs"), ("First-stage tasks per job", "jobs")),
    "reduces_per_job": (("Reduces per job", "jobs"), ("Later-stage tasks per job", "jobs")),
    "map_durations": (("Map durations", "maps"), ("First-stage durations", "tasks")),
    "reduce_durations": (("Reduce durations", "reduces"), ("Later-stage durations", "tasks")),
}
"""Titles of pictures, and what they count: of maps and reduces, and of jobs with other stages."""


class WorkloadPreview(QWidget):
    """Shows a `Preview`, or that none is known yet."""

    def __init__(self) -> None:
        super().__init__()
        self.totals = named(PlainLabel(wraps=True), "Totals of the workload")
        self.totals.setMinimumHeight(4 * self.fontMetrics().lineSpacing())
        self.totals.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.totals.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.pictures = {
            "maps_per_job": HistogramPicture("", "tasks", ""),
            "reduces_per_job": HistogramPicture("", "tasks", "", is_reduce=True),
            "map_durations": HistogramPicture("", "s", ""),
            "reduce_durations": HistogramPicture("", "s", "", is_reduce=True),
            "arrivals": HistogramPicture("Arrivals", "s", "jobs"),
        }
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for place, picture in enumerate(self.pictures.values()):
            columns = 2 if place == len(self.pictures) - 1 else 1
            layout.addWidget(picture, place // 2, place % 2, 1, columns)
        layout.addWidget(self.totals, 3, 0, 1, 2)
        for place in range(3):
            layout.setRowStretch(place, 1)

    def show_preview(self, preview: Preview | None, instead: str = "") -> None:
        """Show a preview; without one a sentence, and the pictures empty."""
        self.totals.setText(instead if preview is None else totals_text(preview))
        is_map_reduce = preview is None or preview.workload.is_map_reduce
        for name, titles in TITLES.items():
            self.pictures[name].rename(*titles[0 if is_map_reduce else 1])
        for name, picture in self.pictures.items():
            picture.show_histogram(None if preview is None else getattr(preview.spread, name))


def totals_text(preview: Preview) -> str:
    """Return how large a workload is, how much work it has, and how long it takes at least."""
    totals, workload, cluster = preview.totals, preview.workload, preview.workload.cluster
    jobs = f"{grouped(totals.jobs)} job{'' if totals.jobs == 1 else 's'}"
    if cluster.has_containers:
        slots = f"{cluster.slots} containers"
    else:
        slots = f"{cluster.map_slots} map and {cluster.reduce_slots} reduce slots"
    first, later = workload.type_words
    hours = f"{_hours(totals.map_seconds)} in {first}s and {_hours(totals.reduce_seconds)} in {later}s"
    bound = f"No schedule on {slots} ends before {duration_text(totals.lower_bound)} {totals.premise.words}."
    return f"{jobs} with {workload.size_text}.\nWork: {hours}.\n{bound}"


def _hours(seconds: float) -> str:
    return f"{grouped(seconds / 3600, 1)} slot-hours"

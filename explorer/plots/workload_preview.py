"""What a workload would be, beside the fields that make it: its totals and five histograms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from core.measures.workload_summary import Spread, Totals, spread_of, totals_of
from core.model.time_text import duration_text
from explorer.plots.histogram_picture import HistogramPicture
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from core.model.workload import Workload


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


class WorkloadPreview(QWidget):
    """Shows a `Preview`, or that none is known yet."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.totals = PlainLabel(wraps=True)
        self.totals.setAccessibleName("Totals of the workload")
        self.totals.setMinimumHeight(4 * self.fontMetrics().lineSpacing())
        self.totals.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.totals.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.pictures = {
            "maps_per_job": HistogramPicture("Maps per job", "tasks", "jobs"),
            "reduces_per_job": HistogramPicture("Reduces per job", "tasks", "jobs", is_reduce=True),
            "map_durations": HistogramPicture("Map durations", "s", "maps"),
            "reduce_durations": HistogramPicture("Reduce durations", "s", "reduces", is_reduce=True),
            "arrivals": HistogramPicture("Arrivals", "s", "jobs"),
        }
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for place, picture in enumerate(self.pictures.values()):
            columns = 2 if place == len(self.pictures) - 1 else 1
            layout.addWidget(picture, place // 2, place % 2, 1, columns)
        layout.addWidget(self.totals, 3, 0, 1, 2)
        for row in range(3):
            layout.setRowStretch(row, 1)

    def show_preview(self, preview: Preview | None, instead: str = "") -> None:
        """Show a preview; without one a sentence, and the pictures empty."""
        self.totals.setText(instead if preview is None else totals_text(preview))
        for name, picture in self.pictures.items():
            picture.show_histogram(None if preview is None else getattr(preview.spread, name))


def totals_text(preview: Preview) -> str:
    """Say how large a workload is, how much work it has, and how long it takes at least."""
    totals, cluster = preview.totals, preview.workload.cluster
    parts = ((totals.jobs, "job"), (totals.maps, "map"), (totals.reduces, "reduce"))
    jobs, maps, reduces = (f"{_count(count)} {name}{'' if count == 1 else 's'}" for count, name in parts)
    if cluster.has_containers:
        slots = f"{cluster.slots} containers"
    else:
        slots = f"{cluster.map_slots} map and {cluster.reduce_slots} reduce slots"
    hours = f"{_hours(totals.map_seconds)} in maps and {_hours(totals.reduce_seconds)} in reduces"
    bound = f"No schedule on {slots} ends before {duration_text(totals.lower_bound)}."
    return f"{jobs} with {maps} and {reduces}.\nWork: {hours}.\n{bound}"


def _count(count: int) -> str:
    return f"{count:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:,.1f} slot-hours".replace(",", "\N{NARROW NO-BREAK SPACE}")

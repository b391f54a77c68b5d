"""How many executors? A curve of time and cost, and the fewest that are enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget
from typing_extensions import override

from core.fidelity.prediction import application_of, large_enough, predictions
from core.model.limits import MAX_SLOTS
from core.model.time_text import duration_text
from explorer.dialogs.executors_picture import ExecutorsPicture, Size
from explorer.dialogs.preview_dialog import PreviewDialog
from explorer.document.titles import scenario_title
from explorer.widgets.export import ExportButton
from explorer.widgets.layouts import named, resize_on_screen, row
from explorer.widgets.number_fields import CountField, NumberField
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.fidelity.prediction import LoggedApplication, Prediction
    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload

HOUR = 3600.0
MAX_PRICE = 1e6
SIZE, MIN_SIZE = (760, 640), (620, 560)


class ExecutorsDialog(PreviewDialog):
    """Predicts each number of executors; accepting takes the chosen one over.

    Signals
    -------
    taken : so many slots, and in words which executors they are, were accepted
    """

    taken = Signal(int, str)

    def __init__(
        self, workload: Workload, cluster: Cluster, scenario: Scenario, parent: QWidget | None = None
    ) -> None:
        title = scenario_title(scenario)
        super().__init__(
            f"How many executors? {title}", "&Use", "Predicting each number of executors", parent
        )
        self.application: LoggedApplication = application_of(workload, scenario.choice)
        self.unit_field = named(
            CountField(1, MAX_SLOTS, "slots"),
            "Slots of an executor",
            "How many tasks run at once on one executor: its cores / the cores of a task",
        )
        self.unit_field.setValue(max(cluster.slots_per_executor, 1))
        self.price_field = named(
            NumberField(0, MAX_PRICE, "per hour"), "Price of an executor", "In any currency; 0: hours alone"
        )
        self.picture = ExecutorsPicture()
        self.answer = PlainLabel(wraps=True)
        self.not_known = PlainLabel(wraps=True, is_faint=True)
        export = ExportButton()
        export.set_chart(self.picture)
        fields = QFormLayout()
        fields.addRow("&Slots of an executor", self.unit_field)
        fields.addRow("&Price of an executor", self.price_field)
        self.lay_out(row(fields, None, export), (self.picture, 1), self.answer, self.not_known, spacing=8)
        self.setMinimumSize(*MIN_SIZE)
        resize_on_screen(self, *SIZE)
        self.unit_field.valueChanged.connect(self.on_changed)
        self.price_field.valueChanged.connect(self._draw)
        self.picture.picked.connect(self._on_picked)
        self.on_changed()

    @override
    def begin_work(self) -> None:
        application, unit = self.application, self.unit_field.value()
        self.worker.follow(
            lambda progress, stop: predictions(application, unit, progress=progress, should_stop=stop)
        )

    @override
    def show_waiting(self) -> None:
        self.answer.setText("Simulating one executor, then two, three, four, six …")
        self.not_known.clear()

    @override
    def show_preview(self, preview: Sequence[Prediction]) -> None:
        self._draw()
        self.not_known.setText(f"Not known: {'; '.join(preview[0].not_known)}.")

    @override
    def show_problem(self, sentence: str) -> None:
        self.picture.show_sizes((), 0)
        self.not_known.clear()
        self.answer.setText(sentence)

    @override
    def hand_over(self, preview: Sequence[Prediction]) -> None:
        count, unit = self.picture.chosen, self.unit_field.value()
        words = f"{count} executor{'s' * (count != 1)}" if unit > 1 else f"{count} slot{'s' * (count != 1)}"
        self.taken.emit(count * unit, words)

    def _draw(self) -> None:
        """Show the predictions with the price of now."""
        if self.previewed is None:
            return
        unit, price = self.unit_field.value(), self.price_field.value()
        sizes = [_size(found, unit, price) for found in self.previewed]
        enough = large_enough(self.previewed)
        of = "executors" if unit > 1 else "slots"
        log = self.application
        recorded = None if not log.recorded_slots else (log.recorded_slots / unit, log.recorded_seconds)
        cost = "cost of a run" if price else f"{of[:-1]} hours"
        self.picture.show_sizes(sizes, enough.slots // unit, of=of, cost_title=cost, recorded=recorded)
        self.answer.setText(
            f"{enough.slots // unit} {of} are enough: about {duration_text(enough.predicted_seconds)}, "
            f"at most 10 % longer than on any other number here. {enough.why}"
        )
        self._on_picked()

    def _on_picked(self) -> None:
        self.ok_button.setText(f"&Use {self.picture.chosen} {self.picture.of}")


def _size(found: Prediction, unit: int, price: float) -> Size:
    count = found.slots // unit
    hours = found.slot_seconds / unit / HOUR
    return Size(count, found, hours * price if price else hours)

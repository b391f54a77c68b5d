"""What if: change slots, task times, partitions, stragglers and think times, and see what each is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget
from typing_extensions import override

from core.model.time_text import change_text, makespan_text
from core.study.what_ifs import BY_ID, first_values, what_ifs
from explorer.dialogs.preview_dialog import PreviewDialog
from explorer.document.titles import scenario_title
from explorer.widgets.layouts import named, resize_on_screen
from explorer.widgets.number_fields import NumberField
from explorer.widgets.plain_labels import PlainLabel, tooltip

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload
    from core.study.what_ifs import WhatIfRun

HELP = (
    "Each change alone, under the policy of the scenario, and all of them together. Tasks take as long as "
    "they do now unless you change that: whether more of them at once slow one another down is not known."
)
HEADINGS = ("What if", "Now", "Then", "Ends after", "Change", "No schedule below")
SIZE = (720, 380)


class TakenWhatIf(NamedTuple):
    """What was accepted: jobs and cluster with all changes, of which scenario, and in words."""

    workload: Workload
    cluster: Cluster
    scenario: int
    text: str


class WhatIfDialog(PreviewDialog):
    """Simulates what the fields say, each alone and all together; accepting takes all of them over.

    Signals
    -------
    taken : this `TakenWhatIf` was accepted
    """

    taken = Signal(object)

    def __init__(
        self, workload: Workload, cluster: Cluster, scenario: Scenario, parent: QWidget | None = None
    ) -> None:
        title = scenario_title(scenario)
        super().__init__(f"What if: {title}", "&Take all", "Simulating each change", parent)
        self._workload, self._cluster, self._scenario = workload, cluster, scenario
        self.fields: dict[str, NumberField] = {}
        self._results: dict[str, tuple[QLabel, ...]] = {}
        grid = self._grid()
        self.problem = PlainLabel(wraps=True)
        self.lay_out(PlainLabel(HELP, wraps=True, is_faint=True), grid, self.problem, None, spacing=10)
        resize_on_screen(self, *SIZE)
        self.on_changed()

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        for column, heading in enumerate(HEADINGS):
            label = PlainLabel(heading, is_faint=True)
            grid.addWidget(label, 0, column, _side(column))
        for row, (name, first) in enumerate(first_values(self._workload).items(), 1):
            what = BY_ID[name]
            name_label = QLabel(what.title.capitalize())
            name_label.setToolTip(tooltip(what.meaning))
            field = named(
                NumberField(what.low, what.high, "%" if what.unit == "%" else ""), what.title, what.meaning
            )
            field.setPrefix("× " if what.unit == "×" else "")
            field.setSingleStep(5.0 if what.unit == "%" else 0.5)
            field.setValue(first)
            field.valueChanged.connect(self.on_changed)
            self.fields[name] = field
            name_label.setBuddy(field)
            grid.addWidget(name_label, row, 0)
            grid.addWidget(PlainLabel(what.text(what.neutral)), row, 1, _side(1))
            grid.addWidget(field, row, 2)
            self._results[what.title] = self._cells(grid, row)
        row = grid.rowCount()
        grid.addWidget(QLabel("All together"), row, 0)
        self._results["all together"] = self._cells(grid, row)
        self._results[""] = self._cells(grid, row + 1)
        grid.addWidget(QLabel("As it is"), row + 1, 0)
        grid.setColumnStretch(0, 1)
        return grid

    @staticmethod
    def _cells(grid: QGridLayout, row: int) -> tuple[QLabel, ...]:
        cells = tuple(PlainLabel() for _ in HEADINGS[3:])
        for column, cell in enumerate(cells, 3):
            cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(cell, row, column, _side(column))
        return cells

    @property
    def values(self) -> Mapping[str, float]:
        """The numbers of the fields, by the ids of what they change."""
        return {name: field.value() for name, field in self.fields.items()}

    # Previews

    @override
    def begin_work(self) -> None:
        given = (self._workload, self._cluster, self._scenario, self.values)
        self.worker.follow(lambda progress, stop: what_ifs(*given, progress=progress, should_stop=stop))

    @override
    def show_waiting(self) -> None:
        self.problem.clear()

    @override
    def show_preview(self, preview: Sequence[WhatIfRun]) -> None:
        now = preview[0]
        by_title = {run.title: run for run in preview}
        for title, cells in self._results.items():
            run = by_title.get(title)
            if run is None:
                texts = ("", "", "")
            else:
                change = "" if run is now else change_text(now.makespan, run.makespan)
                texts = (makespan_text(run.makespan), change, makespan_text(run.bound))
            for cell, text in zip(cells, texts, strict=True):
                cell.setText(text)
                cell.setToolTip(tooltip(f"Bound {run.premise.words}") if run is not None else "")

    @override
    def show_problem(self, sentence: str) -> None:
        for cells in self._results.values():
            for cell in cells:
                cell.clear()
        self.problem.setText(sentence)

    @override
    def hand_over(self, preview: Sequence[WhatIfRun]) -> None:
        last = preview[-1]
        changes = ", ".join(f"{run.title} {run.value}" for run in preview if run.value)
        if changes:
            self.taken.emit(TakenWhatIf(last.workload, last.cluster, self._scenario.id, changes))


def _side(column: int) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignLeft if column in (0, 2) else Qt.AlignmentFlag.AlignRight

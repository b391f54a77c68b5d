"""The panel of what moves the end most: follows a scenario, and is computed in a thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from core.model.errors import Cancelled
from core.study.sensitivity import sensitivity
from explorer.study.tornado import Tornado
from explorer.widgets.export import ExportButton
from explorer.widgets.layouts import column, row, scrolled
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.progress import BusyBar
from explorer.widgets.worker import Worker, give_way

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload
    from core.study.sensitivity import Sensitivity
    from explorer.widgets.theme import Theme

HELP = "One thing changed at a time: numbers by a tenth, parts by 10 %, choices to every other choice."


class SensitivityPanel(QWidget):
    """Shows how far every parameter of a scenario moves its end; the newest question wins.

    Attributes
    ----------
    tornado : the picture
    answer : what is known, None before anything is

    Signals
    -------
    reported : a sentence on what was copied or exported
    refused : an export failed; the sentence to show
    """

    reported = Signal(str)
    refused = Signal(str)
    _known = Signal(int, object)

    def __init__(self) -> None:
        super().__init__()
        self.answer: Sensitivity | None = None
        self._title, self._number = "", 0
        self.tornado = Tornado()
        self.note = PlainLabel(HELP, wraps=True, is_faint=True)
        self.export_button = ExportButton(self.reported, self.refused)
        self.export_button.set_chart(self.tornado)
        self._worker = Worker(self, threads=1, finished=self._on_finished, failed=self._on_failed)
        self.busy = BusyBar("Simulating each change", self._worker)
        self._known.connect(self._on_known, Qt.ConnectionType.QueuedConnection)
        foot = row((self.note, 1), self.export_button)
        column(self.busy, (scrolled(self.tornado), 1), foot, parent=self, margins=(6, 4, 6, 4), spacing=4)

    @property
    def is_busy(self) -> bool:
        """Whether changes are still simulated."""
        return self._worker.is_busy

    def compute(self, workload: Workload, cluster: Cluster, scenario: Scenario, title: str) -> None:
        """Request the swings of a scenario; what is shown stays until the first of them is known."""
        self._number += 1
        self._title = title
        self.note.setText(HELP)
        on_known = partial(self._known.emit, self._number)
        self._worker.follow(partial(_swings, (workload, cluster, scenario), on_known))

    def show_reason(self, sentence: str) -> None:
        """Show why there is nothing to show."""
        self.stop()
        self._show(None)
        self.note.setText(sentence)

    def stop(self) -> None:
        """Simulate no more changes."""
        self._number += 1
        self._worker.cancel()

    def set_theme(self, colours: Theme) -> None:
        """Draw in other colours."""
        self.tornado.set_theme(colours)

    def _on_known(self, number: int, answer: Sensitivity) -> None:
        if number == self._number and answer.swings:
            self._show(answer)

    def _on_finished(self, answer: Sensitivity) -> None:
        self._show(answer)
        still = [swing.title for swing in answer.swings if not swing.size]
        problems = [
            f"{swing.label(change)}: {change.problem}."
            for swing in answer.swings
            for change in swing.changes
            if change.problem
        ]
        without = [f"Without effect: {', '.join(still)}."] if still else []
        self.note.setText("\n".join([HELP, *without, *problems]))

    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self.show_reason(str(error))

    def _show(self, answer: Sensitivity | None) -> None:
        self.answer = answer
        self.tornado.show_swings(answer, self._title)
        self.export_button.setEnabled(answer is not None)


def _swings(
    scenario: tuple[Workload, Cluster, Scenario],
    on_known: Callable[[Sensitivity], Any],  # Any: of a signal
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> Sensitivity:
    give_way()
    return sensitivity(*scenario, on_known=on_known, progress=progress, should_stop=should_stop)

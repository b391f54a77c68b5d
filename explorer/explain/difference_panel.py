"""First difference: where the active scenario and the baseline part, and what either policy answered."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedLayout, QVBoxLayout, QWidget
from typing_extensions import override

from explorer.explain.asking_panel import AskingPanel, Subject, hint_label
from explorer.explain.decision_view import Difference, Side, difference_of
from explorer.explain.job_tables import CandidatesModel
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel
from explorer.widgets.tables import ReadTable
from explorer.widgets.theme import theme_of

ONE_SCENARIO = "There is only one scenario. Add another one to see in which decision they part first."
NOT_YET = "Both scenarios are shown here once they are simulated."
SAME = "{} and {} are the same, start by start."
NO_OFFER = "No slot that a task could use was free then."


class DifferencePanel(AskingPanel):
    """Compares decision by decision; the baseline itself is compared with the next scenario.

    Signals
    -------
    found : a `Difference` that was asked for by `find_first`
    job_chosen : the name of a job whose row was chosen
    """

    found = Signal(object)
    job_chosen = Signal(str)

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject, "Copy the sentences and both tables, separated by tabs")
        self._difference: Difference | None = None
        self._is_asked = False
        self._make_parts()
        self.listen(
            self._view_state.active_scenario_changed,
            self._document.baseline_changed,
            self._document.scenario_changed,
            self._document.scenarios_changed,
            self._document.workload_changed,
            self._document.reset,
        )
        self._show(None)

    def _make_parts(self) -> None:
        self.sentence = PlainLabel(wraps=True)
        self.sentence.setMargin(3)
        self.sides = (DecisionSide(), DecisionSide())
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setChildrenCollapsible(False)
        for side in self.sides:
            halves.addWidget(side)
            side.job_chosen.connect(self.job_chosen)
        top = QHBoxLayout()
        top.addWidget(self.sentence, 1)
        top.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignTop)
        filled = QWidget()
        layout = QVBoxLayout(filled)
        layout.setContentsMargins(4, 2, 6, 4)
        layout.setSpacing(3)
        layout.addLayout(top)
        layout.addWidget(halves, 1)
        self.empty = hint_label(ONE_SCENARIO)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(filled)

    @override
    def sizeHint(self) -> QSize:
        return QSize(700, 280)

    @override
    def _recolour(self) -> None:
        for side in self.sides:
            side.candidates.set_colours(self._colour_of, theme_of(self).cursor)

    # ---- comparing

    @property
    def difference(self) -> Difference | None:
        """What is shown."""
        return self._difference

    def compared(self) -> tuple[int, int] | None:
        """Return the ids of the active scenario and of the one that it is compared to; None for one alone."""
        ids = [scenario.id for scenario in self._document.scenarios]
        active, baseline = self._view_state.active_scenario, self._document.baseline
        if len(ids) < 2:
            return None
        if active != baseline:
            return active, baseline
        return active, ids[(ids.index(active) + 1) % len(ids)]

    def find_first(self) -> None:
        """Look for the first difference and announce it with `found`."""
        self._is_asked = True
        self._compare()

    def refresh(self) -> None:
        """Show the difference as it is now, if the panel is visible."""
        self._pause.stop()
        if self.isVisible():
            self._compare()

    def _compare(self) -> None:
        ids = self.compared()
        schedules = [self._schedule_of(each) for each in ids or ()]
        if ids is None or None in schedules:
            self._worker.cancel()
            self._show(None, ONE_SCENARIO if ids is None else NOT_YET)
            return
        one, other = (Side(i, s) for i, s in zip(ids, schedules, strict=True) if s is not None)
        self._worker.start_next(partial(difference_of, self._replays, one, other))

    def _on_answered(self, answer: object) -> None:
        assert isinstance(answer, Difference)
        self._show(answer)
        if self._is_asked:
            self._is_asked = False
            self.found.emit(answer)

    def _on_failed(self, error: Exception) -> None:
        self._is_asked = False
        super()._on_failed(error)

    def _show_sentence(self, sentence: str) -> None:
        self._show(None, sentence)

    def _show(self, difference: Difference | None, otherwise: str = NOT_YET) -> None:
        self._difference = difference
        self.empty.setText(otherwise)
        is_known = difference is not None and difference.divergence is not None
        self._stack.setCurrentIndex(int(is_known))
        if difference is None:
            return
        titles = [self._title(side.scenario_id) for side in difference.sides]
        if difference.divergence is None:
            self.empty.setText(SAME.format(*titles))
            return
        self.sentence.setText(" ".join(difference.sentences))
        for part, title, side in zip(self.sides, titles, difference.sides, strict=True):
            part.show_side(title, side)

    # ---- copying

    def to_text(self) -> str:
        """Return everything that is shown, tables separated by tabs."""
        if self._stack.currentIndex() == 0:
            return self.empty.text()
        return "\n\n".join([self.sentence.text(), *(side.to_text() for side in self.sides)])


class DecisionSide(QWidget):
    """Shows a `Side` of a difference.

    Signals
    -------
    job_chosen : the name of a job whose row was chosen
    """

    job_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.title = ElidedLabel()
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.sentence = PlainLabel(wraps=True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignTop)  # where it has no room, its end is cut
        self.candidates = CandidatesModel(self)
        self.table = ReadTable(self.candidates, "Candidates", widest=0)
        self.table.empty_text = NO_OFFER
        self.table.clicked.connect(self._on_chosen)
        self.table.activated.connect(self._on_chosen)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 0, 4, 2)
        layout.setSpacing(2)
        layout.addWidget(self.title)
        layout.addWidget(self.sentence)
        layout.addWidget(self.table, 1)

    def show_side(self, title: str, side: Side | None) -> None:
        """Show a scenario's answer, or nothing."""
        self.title.setText(title)
        self.table.setAccessibleName(f"Candidates under {title}")
        reason = side.reason if side is not None else None
        self.sentence.setText("\n".join(reason.sentences) if reason is not None else "")
        self.sentence.setVisible(bool(self.sentence.text()))
        self.candidates.show(side.schedule.workload if side is not None else None, reason)

    def to_text(self) -> str:
        """Return everything that is shown, the table separated by tabs."""
        parts = [self.title.text(), self.sentence.text() or NO_OFFER]
        return "\n".join([*parts, self.candidates.to_text()] if self.candidates.rowCount() else parts)

    def _on_chosen(self, index: QModelIndex) -> None:
        self.job_chosen.emit(self.candidates.job_name(index.row()))

"""Differences: decisions in which the active scenario and another one, or a policy, differ."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QStackedLayout, QToolButton, QWidget
from typing_extensions import override

from core.explain.all_differences import WHAT_DIFFERS
from core.model.errors import Cancelled
from core.model.time_text import exact_clock
from explorer.explain.comparing import (
    Against,
    Compared,
    ComparedPolicy,
    ComparedScenarios,
    DifferentDecision,
    Side,
    all_against,
)
from explorer.explain.explanation_panel import ExplanationPanel, Subject, hint_label
from explorer.explain.job_tables import DecisionSide
from explorer.widgets.halves import Halves
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row
from explorer.widgets.plain_labels import ElidedLabel, tooltip
from explorer.widgets.progress import ProgressLine, show_while_busy
from explorer.widgets.search_field import SearchField
from explorer.widgets.tables import Column, ReadTable, RowsModel
from explorer.widgets.theme import theme_of
from explorer.widgets.worker import Order, Worker
from explorer.widgets.wrapped_row import WrappedRow

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent

ONE_SCENARIO = (
    "There is only one scenario. Add another one to see in which decisions they differ, or choose above "
    "which policy is to be asked in each of its states."
)
WHEN, HERE = "When, in the active scenario", "What the active scenario does there"
THERE = "What the other one does, or what the policy that is asked would have done"
NOT_YET = "What is compared is shown here once it is simulated."
COMPARING = "Comparing decision by decision…"
NONE_FITS = "No difference has these words."
COMPARED_HELP = (
    "The policy goes along with this schedule, sees every event, and is asked at each decision what it would "
    "do. It changes nothing, so that the next question is about the same run again."
)


class DifferencePanel(ExplanationPanel):
    """Compares decision by decision, lists what differs, and shows both answers at the present difference.

    At first the baseline is compared with; the baseline itself with the next scenario.

    Attributes
    ----------
    compared : what is shown
    number : which difference is shown, from 0

    Signals
    -------
    found : the active scenario's id and schedule, and the `Place` of a difference that was asked for
    marked : the times of all differences by scenario, for the charts
    job_chosen : the name of a job whose row was chosen
    """

    found = Signal(int, object, object)
    marked = Signal(object)
    job_chosen = Signal(str)

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject, "Copy the list, the sentences and both tables, separated by tabs")
        self.compared: Compared | None = None
        self._known: tuple[object, ...] = ()
        self.number = 0
        self._chosen: Against | None = None
        self._step: int | None = None
        self._comparer = Worker(self, Order.LATEST, finished=self._on_compared, failed=self._on_failed)
        self._make_parts()
        self.listen(
            self._view_state.active_scenario_changed,
            self._document.baseline_changed,
            self._document.scenario_changed,
            self._document.scenarios_changed,
            self._document.workload_changed,
            self._document.reset,
        )
        self._show_sentence(NOT_YET)

    def _make_parts(self) -> None:
        self.against = named(QComboBox(), "Compare with")
        self.against.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.against.setMinimumContentsLength(18)
        self.against.activated.connect(self._on_against_chosen)
        self.previous_button = _arrow("Previous difference", Qt.ArrowType.LeftArrow)
        self.previous_button.clicked.connect(partial(self.step, -1))
        self.next_button = _arrow("Next difference", Qt.ArrowType.RightArrow)
        self.next_button.clicked.connect(partial(self.step, 1))
        self.sentence = ElidedLabel()
        self.progress = ProgressLine("How much is compared", self._comparer)
        self.progress.setMaximumWidth(120)
        self.cancel_button = push_button("Cancel", "Stop comparing decision by decision", self._comparer.stop)
        show_while_busy(self._comparer, self.cancel_button)
        steps, ends = QWidget(), (self.progress, self.cancel_button, self.copy_button)
        row(self.previous_button, self.next_button, parent=steps, margins=NO_MARGINS)
        top = WrappedRow(self.against, steps, (self.sentence, 1), *ends)
        self.empty = hint_label(ONE_SCENARIO)
        below = QWidget()
        self._stack = QStackedLayout(below)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._make_halves())
        parts = top, (below, 1), row(self.simulated_button, None)
        column(*parts, parent=self, margins=(4, 2, 6, 4), spacing=3)

    def _make_halves(self) -> Halves:
        self.filter = SearchField("Words that rows must have", hint="Filter: J2, a slot, 0:12 …")
        self.filter.textChanged.connect(self._fill)
        self.rows = RowsModel[DifferentDecision](
            (
                Column("At", lambda row: exact_clock(row.seconds), WHEN, True, "00:00.000"),
                Column("This scenario", lambda row: row.here, HERE, False, "map 00 of J00 on M0"),
                Column("The other", lambda row: row.there, THERE),
            ),
            self,
        )
        self.table = ReadTable(self.rows, "Decisions that differ")
        self.table.empty_text = NONE_FITS
        self.table.chosen.connect(lambda row: self._go_to(row.number))
        listed = QWidget()
        column(self.filter, (self.table, 1), parent=listed, margins=(0, 0, 0, 2), spacing=2)
        self.sides = (DecisionSide(), DecisionSide())
        for side in self.sides:
            side.job_chosen.connect(self.job_chosen)
        return Halves(listed, *self.sides, shares=(8, 5, 5))

    @override
    def sizeHint(self) -> QSize:
        return QSize(700, 280)

    @override
    def _recolour(self) -> None:
        for side in self.sides:
            side.candidates.set_colours(self._colour_of, theme_of(self).cursor)

    # ---- comparing

    def compared_with(self) -> Against | None:
        """Return what the active scenario is compared with; None for one alone."""
        ids = [scenario.id for scenario in self._document.scenarios]
        active, baseline = self._view_state.active_scenario, self._document.baseline
        chosen = self._chosen
        if chosen is not None and (
            chosen.choice or (chosen.scenario_id in ids and chosen.scenario_id != active)
        ):
            return chosen
        if len(ids) < 2 or active not in ids:
            return None
        return Against(baseline if active != baseline else ids[(ids.index(active) + 1) % len(ids)])

    def find_first(self) -> None:
        """Go to the first difference and announce it with `found`."""
        self._find(0)

    def step(self, by: int) -> None:
        """Go to the next difference (1), or the one before (-1)."""
        if self.compared is None or self._comparer.is_busy:
            self._find(by)
        else:
            self._go_to(self.number + by)

    def choose(self, against: Against) -> None:
        """Compare with something else, and go to the first difference."""
        self._chosen = against
        self._find(0)

    def _find(self, step: int) -> None:
        self._step = step
        self._known = ()
        self._compare()

    def refresh(self) -> None:
        """Show the differences as they are now, if the panel is visible."""
        self._pause.stop()
        if self.isVisible():
            self._compare()

    def _compare(self) -> None:
        self._fill_against()
        against, active = self.compared_with(), self._view_state.active_scenario
        schedule = self._schedule_of(active)
        other = self._schedule_of(against.scenario_id) if against is not None else None
        if against is None or schedule is None or (against.choice is None and other is None):
            self._comparer.cancel()
            self._show_sentence(ONE_SCENARIO if against is None else NOT_YET)
            return
        titles = self._title(active), self._title(against.scenario_id)
        known = (schedule, other, against, against.newest, titles)
        if known == self._known:
            self._mark()
            return
        self._known, mine = known, Side(titles[0], schedule)
        if against.choice is not None:
            choice = against.newest
            assert choice is not None
            self._comparer.follow(lambda progress, stop: ComparedPolicy(active, mine, choice, progress, stop))
        else:
            assert other is not None
            sides, ids = (mine, Side(titles[1], other)), (active, against.scenario_id)
            self._comparer.follow(lambda _progress, stop: ComparedScenarios(ids, sides, stop))
        if self.compared is None:
            self.empty.setText(COMPARING)

    def _on_compared(self, compared: object) -> None:
        assert isinstance(compared, Compared)
        self.compared = compared
        self.sentence.setToolTip(
            tooltip(COMPARED_HELP if isinstance(compared, ComparedPolicy) else WHAT_DIFFERS)
        )
        self._mark()
        self._fill()
        cursor = self._view_state.time_cursor
        near = compared.near(cursor.seconds, cursor.decision)
        step, self._step = self._step, None
        if not compared.rows:
            self.sentence.setText("")
            self.empty.setText(compared.summary)
            self._stack.setCurrentIndex(0)
        elif step is None:
            self._show_number(near)
        else:
            self._go_to(0 if step == 0 else near + min(step, 0))

    def _mark(self) -> None:
        """Mark in the charts what is listed, while the panel can be seen."""
        shown = self.compared if self.isVisible() else None
        self.marked.emit({} if shown is None else shown.marks)

    def _go_to(self, number: int) -> None:
        """Show a difference and announce its place; beyond the ends nothing happens."""
        if self.compared is not None and 0 <= number < len(self.compared.rows):
            self._show_number(number)
            shown = self.compared
            self.found.emit(shown.scenario_id, shown.sides[0].schedule, shown.place(number))

    def _show_number(self, number: int) -> None:
        assert self.compared is not None
        self.number = number
        self._stack.setCurrentIndex(1)
        of = len(self.compared.rows)
        self.previous_button.setEnabled(number > 0)
        self.next_button.setEnabled(number + 1 < of)
        self.sentence.setText(f"{number + 1} of {of}. {self.compared.summary}")
        self._select_row()
        self._worker.start_next(partial(self.compared.both, self._replays, number))

    def _on_answered(self, answer: object) -> None:
        assert isinstance(answer, tuple)
        self._show_sides(answer)

    def _show_sides(self, sides: tuple[Side, Side] | None) -> None:
        for place, part in enumerate(self.sides):
            part.show_side(None if sides is None else sides[place])

    def _on_failed(self, error: Exception) -> None:
        self._step = None
        if isinstance(error, Cancelled):
            self._show_sentence("Cancelled. Choose above what to compare with.")
        else:
            super()._on_failed(error)

    def _show_sentence(self, sentence: str) -> None:
        """Show why there is nothing else to show."""
        self.compared, self.number, self._known = None, 0, ()
        self._mark()
        self._show_sides(None)
        self.sentence.setText("")
        for button in (self.previous_button, self.next_button):
            button.setEnabled(False)
        self.empty.setText(sentence)
        self._stack.setCurrentIndex(0)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._mark()

    @override
    def stop(self) -> None:
        super().stop()
        self._comparer.cancel()

    # ---- what to compare with

    def _fill_against(self) -> None:
        """Offer the other scenarios, then every policy; mark what is compared with."""
        now = self.compared_with()
        offered = all_against(self._document.state, self._view_state.active_scenario)
        self.against.clear()
        for text, against in offered:
            self.against.addItem(text, against)
        places = [place for place, (_, each) in enumerate(offered) if each == now]
        self.against.setCurrentIndex(places[0] if places else -1)

    def _on_against_chosen(self, place: int) -> None:
        self.choose(Against(*self.against.itemData(place)))

    # ---- the list

    def _fill(self) -> None:
        """List the differences that have the words of the filter."""
        words = self.filter.text().casefold()
        rows = self.compared.rows if self.compared is not None else ()
        self.rows.show_rows(rows if not words.strip() else [row for row in rows if row.fits(words)])
        self._select_row()

    def _select_row(self) -> None:
        rows = self.rows.rows
        place = next((i for i, row in enumerate(rows) if row.number == self.number), -1)
        if place >= 0:
            self.table.selectRow(place)
            self.table.scrollTo(self.rows.index(place, 0))

    # ---- copying

    def to_text(self) -> str:
        """Return everything that is shown, tables separated by tabs."""
        if self._stack.currentIndex() == 0:
            return self.empty.text()
        parts = [self.sentence.text(), self.rows.to_text(), *(side.to_text() for side in self.sides)]
        return "\n\n".join(parts)


def _arrow(name: str, arrow: Qt.ArrowType) -> QToolButton:
    button = named(QToolButton(), name, tooltip(name))
    button.setArrowType(arrow)
    return button

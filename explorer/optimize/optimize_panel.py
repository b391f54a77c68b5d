"""The panel of the search: what is wanted, how near it is, and what to do with the best that was found."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QComboBox, QTabWidget, QWidget
from typing_extensions import override

from core.model.errors import InputError
from core.model.objectives import MIX
from core.model.time_text import duration_text
from core.optimize.premise import PLAIN
from explorer.document.time_axis import TimeAxis
from explorer.optimize.certificate_dialog import CertificateButton
from explorer.optimize.compiling import THEN_ANEW
from explorer.optimize.gap_meter import EMPTY, GapMeter
from explorer.optimize.lever_table import LeverTable
from explorer.optimize.prices_page import PricesPage
from explorer.optimize.result_words import apart_texts, standing_text, value_text
from explorer.optimize.search_run import SearchRun, in_the_background
from explorer.optimize.settings_pages import LeversPage, MorePage, RulesPage
from explorer.optimize.wishes import GOALS, Wish, wish_of
from explorer.plots.axis import value_text as plot_text
from explorer.widgets.export import ExportButton
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row, scrolled
from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.tables import bold_font
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent

    from core.model.plan import Plan
    from core.model.schedule import Schedule
    from core.optimize.exact_order import BestOrder
    from core.optimize.found import Found
    from explorer.optimize.search_run import Prepared

SHOWN_EVERY_S = 0.2
"""Seconds between two pictures of what was found: the chart is drawn five times a second at most."""
MIN_FOR_HALVES = 560
"""Pixels of the panel from which the result and what the search may do stand side by side."""
STALE = "The jobs or the cluster have changed since; start again."
WEAK = "For this goal no bound is known that is near: nothing may be better although it is above the bound"
NOTHING_YET = "Nothing was found yet."
FOR_ESTIMATES = "with the durations as told nothing is below {}"
TAKE = "Add the best as a scenario of its own, with this one as its ghost: one step of undo"
TAKEN = "A scenario follows this plan; undo, or search on, to take another"
FROM_CURSOR = "What starts before the time cursor stays as it is, and only the rest is searched"


class OptimizePanel(QWidget):
    """Edits the goal of a search, runs it, and shows how near to the bound it is.

    Attributes
    ----------
    maker : given by the window: returns a search that is ready for a `Wish`; InputError if it cannot be
    is_taken : given by the window: whether a scenario follows a plan
    meter, levers, rules, more, table, prices : its parts

    Signals
    -------
    previewed : the plan that is the best by now, five times a second at most
    ended : the search is over; `found` has the best
    taken : the user takes the best that was found (a `Found`)
    exported : the user wants to write the best plan to a file (a `Found`)
    changed : another wish, to be remembered
    compare_wanted : the user wants to know what each lever is worth under this `Wish`
    prices_wanted : the user wants to know what slots are worth when under this `Wish`
    reported : a sentence on what was done
    """

    previewed = Signal(object)
    ended = Signal()
    taken = Signal(object)
    exported = Signal(object)
    changed = Signal()
    compare_wanted = Signal(object)
    prices_wanted = Signal(object)
    reported = Signal(str)

    def __init__(
        self, maker: Callable[[Wish], Prepared], remembered: object = None, axis: TimeAxis | None = None
    ) -> None:
        super().__init__()
        self.maker, self.prices = maker, PricesPage(axis or TimeAxis())
        self.is_taken: Callable[[Plan], bool] = lambda _plan: False
        self._title, self._searched, self._unit, self._order_text = "", "", "s", ""
        self._prepared: Prepared | None = None
        self._orders = Worker(self, threads=1, finished=self._on_order_known)
        self._shown_plan: Any = None  # Any: of a search, which only the window reads
        self._shown_at = 0.0
        self.run = SearchRun(self)
        self._make_parts()
        self._lay_out()
        self._connect()
        self.show_wish(wish_of(remembered))
        self._show_state()

    # ---- parts

    def _make_parts(self) -> None:
        self.goal = named(QComboBox(), "What is to be small")
        for name, described in GOALS.items():
            self.goal.addItem(described.title, name)
            self.goal.setItemData(
                self.goal.count() - 1, tooltip(described.meaning), Qt.ItemDataRole.ToolTipRole
            )
        self.goal.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.from_cursor = QCheckBox("From the cursor on")
        self.from_cursor.setToolTip(tooltip(FROM_CURSOR))
        self.start_button = push_button("&Start", "", self._on_start_pressed)
        self.take_button = push_button(
            "&Take it",
            TAKE,
            self._on_taken,
        )
        self.plan_button = push_button(
            "E&xport plan…", "Write the best plan to a file that `simulate --plan` reads", self._on_exported
        )
        self.export_button = ExportButton()
        self.meter = GapMeter()
        self.export_button.set_chart(self.meter)
        self.standing, self.figures = PlainLabel(wraps=True), PlainLabel(wraps=True, is_faint=True)
        self.standing.setFont(bold_font(self.font()))
        self.proof_button = CertificateButton()
        self.how = PlainLabel(wraps=True)
        self.levers, self.rules, self.more, self.table = LeversPage(), RulesPage(), MorePage(), LeverTable()
        self.pages = named(QTabWidget(), "What the search may do")
        self.pages.setDocumentMode(True)
        levers = QWidget()
        column(self.levers, (self.table, 1), parent=levers, margins=(0, 0, 0, 4))
        for part, title, tip in (
            (levers, "&Levers", "What the search may change, and what each of it is worth"),
            (self.rules, "&Rules", "What the plan has to keep"),
            (self.more, "&More", "How long to search, durations that may be wrong, the seed"),
            (self.prices, "Pr&ices", "When slots are worth most: what one more takes off the bound"),
        ):
            self.pages.setTabToolTip(self.pages.addTab(scrolled(part), title), tip)

    def _lay_out(self) -> None:
        """Put goal, buttons and result above what scrolls, so that they are always seen."""
        buttons = row((self.start_button, 1), (self.take_button, 1))
        self._goal = column((row(PlainLabel("Make small"), (self.goal, 1)), 1), (buttons, 1), spacing=4)
        more = QWidget()
        exports = row(self.plan_button, None, self.export_button)
        column(self.how, (self.meter, 1), exports, parent=more, margins=(0, 0, 4, 0), spacing=4)
        result = QWidget()
        lines = row((self.standing, 1), self.proof_button), self.figures
        column(
            self._goal,
            self.from_cursor,
            *lines,
            (scrolled(more), 1),
            parent=result,
            margins=NO_MARGINS,
            spacing=4,
        )
        self._halves = column((result, 2), (self.pages, 3), spacing=4)
        column(self._halves, parent=self, margins=(6, 4, 6, 4))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what the search may do beside the result where there is room for both."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= MIN_FOR_HALVES
        way = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        for box in (self._halves, self._goal):
            box.setDirection(way)

    def _connect(self) -> None:
        self.run.moved.connect(self._on_moved)
        self.run.ended.connect(self._on_ended)
        self.run.failed.connect(self._on_failed)
        self.goal.currentIndexChanged.connect(self._on_changed)
        for page in (self.levers, self.rules, self.more):
            page.changed.connect(self._on_changed)
        self.table.wanted.connect(self._on_compare)
        self.prices.wanted.connect(lambda: self.prices_wanted.emit(self.wish))
        exports = self.export_button
        for signal in (exports.written, exports.refused, self.table.reported, self.prices.reported):
            signal.connect(self.reported)

    @override
    def sizeHint(self) -> QSize:
        return QSize(44 * self.fontMetrics().averageCharWidth() + 80, 640)

    # ---- what is wished

    @property
    def wish(self) -> Wish:
        """The values of the fields."""
        more = self.more
        return Wish(
            self.goal.currentData(),
            self.levers.mixed,
            self.levers.chosen,
            self.rules.rules,
            round(more.sigma.value() / 100, 6),
            more.copies.value(),
            more.judge.currentData(),
            None if more.endless.isChecked() else more.seconds.value(),
            more.seed.value(),
            more.per.currentData(),
            self.from_cursor.isChecked(),
        )

    def show_wish(self, wish: Wish) -> None:
        """Show what is wished; rules stay as they are."""
        self.goal.setCurrentIndex(self.goal.findData(wish.goal))
        self.levers.show_wish(wish)
        self.more.show_wish(wish)
        self._on_changed()

    def show_subject(self, title: str, names: Sequence[str], *, has_deadlines: bool, has_pools: bool) -> None:
        """Set which scenario is searched for, and which jobs there are."""
        self._title = title
        self.rules.show_jobs(names, has_deadlines=has_deadlines, has_pools=has_pools)
        self._show_state()

    def _on_changed(self) -> None:
        self.goal.setToolTip(tooltip(GOALS[self.goal.currentData()].meaning))
        self.levers.mix.setVisible(self.goal.currentData() == MIX)
        self._show_state()
        self.changed.emit()

    # ---- searching

    def _on_start_pressed(self) -> None:
        if self.run.is_running:
            self.run.stop()
        else:
            self.start()

    def start(self) -> None:
        """Begin to search for what is wished."""
        wish = self.wish
        if refusal := wish.refusal(has_deadlines=self.rules.deadlines.isEnabled()):
            self._refuse(refusal)
            return
        try:
            prepared = self.maker(wish)
        except InputError as error:
            self._refuse(str(error))
            return
        self._shown_plan = None
        self.meter.show_now(None)
        self.meter.show_moments(())
        self._prepared, self._unit, self._order_text = prepared, prepared.unit, ""
        self._searched = self._title  # another scenario may be active when it ends
        self._orders.cancel()
        self._run(prepared)

    @property
    def is_slow(self) -> bool:
        """Whether a search runs without compiled code."""
        return self.run.is_running and self._prepared is not None and self._prepared.is_slow

    def go_on_faster(self, prepared: Prepared) -> None:
        """Begin the search that runs anew, now that compiled code is there."""
        self._prepared = prepared
        self._run(prepared)

    def _run(self, prepared: Prepared) -> None:
        self.how.setText(THEN_ANEW if prepared.is_slow else "")
        self.run.start(prepared)
        self._show_state()

    def _refuse(self, sentence: str) -> None:
        self.how.setText(sentence)
        self.how.show()

    def forget(self) -> None:
        """End the search, whose jobs or cluster are not those of the document any more."""
        if self.run.is_running or self.run.found is not None:
            self.run.cancel()
            self._orders.cancel()
            self.meter.show_moments(())
            self.how.setText(STALE)
            self._show_state()
        self.table.clear()

    def stop(self) -> None:
        """End what runs; the best that was found stays."""
        self.run.stop()
        self._orders.stop()
        self.table.stop()
        self.prices.stop()

    def _on_moved(self) -> None:
        found = self.run.found
        if found is None:
            return
        self.meter.bound_title = "as told" if found.spread else "bound"
        self.meter.show_moments(self.run.moments, self._unit, is_proved=bool(self.run.proof))
        self._show_found(found)
        now = perf_counter()
        if found.plan is not self._shown_plan and now - self._shown_at >= SHOWN_EVERY_S:
            self._preview(found)

    def _preview(self, found: Found) -> None:
        self._shown_plan, self._shown_at = found.plan, perf_counter()
        self.previewed.emit(found.plan)

    def _on_ended(self) -> None:
        found = self.run.found
        if found is None:
            self.how.setText(NOTHING_YET)
        elif found.plan is not self._shown_plan:
            self._preview(found)
        if found is not None and found.spread:
            self.meter.show_now(found.best, f"on {len(found.spread)} new copies")
        self._show_state()
        self.ended.emit()
        if found is not None and self._prepared is not None and self._prepared.prices is not None:
            self.prices.start(self._prepared.prices)
        search_orders = None if self._prepared is None else self._prepared.best_order
        if search_orders is not None and found is not None and not found.proved:
            self._orders.follow(partial(in_the_background, search_orders))

    def _on_order_known(self, order: BestOrder) -> None:
        """Show what the best of all orders is worth; it took a while to be proved."""
        found = self.run.found
        if found is not None and order.proved:
            best = f"The best of all orders takes {duration_text(order.makespan)}."
            self._order_text = f"{best} {order.sentence(found.bound)}"
            self._show_found(found)

    def _on_failed(self, error: Exception) -> None:
        self._show_state()
        self.how.setText(str(error))
        self.how.show()
        self.ended.emit()

    # ---- showing

    def _show_state(self) -> None:
        """Offer what can be done now."""
        is_running, found = self.run.is_running, self.run.found
        self.start_button.setText("&Stop" if is_running else "&Start")
        self.meter.empty_text = "" if is_running else EMPTY
        self.meter.update()
        whose = f" for {self._title}" if self._title else ""
        self.start_button.setToolTip(
            tooltip("End the search; the best stays" if is_running else f"Search{whose}; one click is enough")
        )
        self.show_taken()
        self.plan_button.setEnabled(found is not None)
        self.export_button.setEnabled(found is not None)
        for part in (self.goal, self.from_cursor, self.levers, self.rules, self.more):
            part.setEnabled(not is_running)
        if found is not None:
            self._show_found(found)
        else:
            self.standing.setText("Searching …" if is_running else "")
            self.figures.setText("")
            self.proof_button.hide()
        for label in (self.standing, self.figures, self.how):
            label.setVisible(bool(label.text()))

    def show_taken(self) -> None:
        """Offer to take what was found, unless a scenario is it already."""
        found = self.run.found
        is_taken = found is not None and self.is_taken(found.plan)
        self.take_button.setEnabled(found is not None and not is_taken)
        self.take_button.setText("Taken" if is_taken else "&Take it")
        self.take_button.setToolTip(tooltip(TAKEN if is_taken else TAKE))

    def _show_found(self, found: Found) -> None:
        unit = self._unit
        is_weak = self._prepared is not None and self._prepared.is_weak
        premise = PLAIN if self._prepared is None else self._prepared.premise
        given, proof = (found.best, found.bound, unit), self.run.proof
        text = standing_text(*given, proof=proof, premise=premise, is_weak=is_weak, spread=found.spread)
        self.proof_button.show_proof(self.run.proof, self._searched)
        self.standing.setToolTip(tooltip(WEAK) if is_weak else "")
        doing = found.doing if self.run.is_running else ""
        self.standing.setText(_begun(f"{doing}: {text}" if doing else text))
        now = None if self._prepared is None else self._prepared.start
        start = "" if now is None else f"{self._searched} {value_text(now, unit)}, "
        spent = f"{self.run.seconds:.1f} s"
        if not self.run.is_running:  # how many were tried since the best was found is known at the end
            tried = f"{plot_text(found.evaluations, 'tasks')} plan{'s'[found.evaluations == 1 :]}"
            spent = f"{tried} in {spent}"
        best, bound = apart_texts(*given)
        reached = FOR_ESTIMATES.format(bound) if found.spread else f"best {best}, bound {bound}"
        self.figures.setText(f"{start}{reached} · {spent}")
        self.show_taken()
        self.plan_button.setEnabled(True)
        if not self.run.is_running:
            note = "" if self._prepared is None else self._prepared.note
            self.how.setText(" ".join(filter(None, (_sentence(found.how), self._order_text, note))))
        self.meter.heading = f"{self._searched}: {GOALS[self.goal.currentData()].title.lower()}, {text}"
        self.meter.setAccessibleDescription(f"{self.standing.text()}: {self.figures.text()}")
        for label in (self.standing, self.figures, self.how):
            label.setVisible(bool(label.text()))

    def show_now(self, schedule: Schedule, title: str) -> None:
        """Mark in the meter how good a schedule of the same jobs is: it was edited, or is being dragged."""
        found = self.run.found
        value_of = None if self._prepared is None else self._prepared.value_of
        if found is None or value_of is None or self.run.is_running:
            return
        value = value_of(schedule)
        self.meter.show_now(None if value <= found.best else value, title)

    # ---- what is done with it

    def _on_taken(self) -> None:
        if self.run.found is not None:
            self.taken.emit(self.run.found)

    def _on_exported(self) -> None:
        if self.run.found is not None:
            self.exported.emit(self.run.found)

    def _on_compare(self) -> None:
        self.compare_wanted.emit(self.wish)


def _sentence(text: str) -> str:
    return f"How: {text}." if text else ""


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]

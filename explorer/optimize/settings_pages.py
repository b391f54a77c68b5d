"""The settings of a search, as pages of fields: levers, rules, and how long and how surely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QListView,
    QListWidget,
    QToolButton,
    QWidget,
)

from core.model.levers import LEVERS, levers_of
from core.model.time_text import clock_text
from explorer.optimize.pinned_jobs import PinnedJobs
from explorer.optimize.wishes import (
    DEFAULT_SECONDS,
    GOALS,
    MAX_COPIES,
    MAX_SECONDS,
    MEAN,
    MIN_SECONDS,
    MIXED,
    WORSE,
    Rules,
)
from explorer.widgets.layouts import column, named, push_button, row
from explorer.widgets.number_fields import CountField, NumberField
from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.theme import icon

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from core.model.workload import Workload
    from explorer.optimize.wishes import Wish

MARGINS = (8, 6, 8, 6)
LISTED_ROWS = 5
PERCENT = 100.0
HOLDS = "No plan is found that makes a job late which has a deadline"
KEEPS_POOLS = "The pools of this scenario keep their jobs and slots; the search works inside each of them"
NO_POOLS = "This scenario has no pools to keep"
NO_DEADLINES = "No job has a deadline"
ROBUST_HELP = (
    "The plan is tried on copies of the jobs whose durations are wrong at random by about this share (the "
    "spread of a log-normal distribution); 0 believes the durations as they are"
)

PER_TEXTS = {"job": "job", "task": "task", "correlated": "job, half common to all"}
PER_HELP = (
    "What is wrong by a factor of its own, as in the estimates of a scenario. Half common to all: half of "
    "the variance of the factors' logarithms is the same for all jobs"
)


class LeversPage(QWidget):
    """Which levers a search may use, and the weights of a mix.

    Signals
    -------
    changed : another choice
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.boxes = {name: QCheckBox(lever.title) for name, lever in LEVERS.items()}
        for name, box in self.boxes.items():
            box.setToolTip(tooltip(LEVERS[name].tip))
            box.toggled.connect(self.changed)
        self.weights = {name: NumberField(0.0, 1e6) for name in MIXED}
        self.mix = QWidget()
        form = QFormLayout(self.mix, rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setContentsMargins(0, 0, 0, 0)
        for name, weight in self.weights.items():
            label = PlainLabel(GOALS[name].title)
            label.setBuddy(weight)
            tip = tooltip(f"{GOALS[name].meaning}. How much it counts in the sum; 0 leaves it out")
            label.setToolTip(tip)
            form.addRow(label, named(weight, f"Weight of {GOALS[name].title}", tip))
            weight.valueChanged.connect(self.changed)
        column(self.mix, *self.boxes.values(), parent=self, margins=MARGINS)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The levers that are allowed."""
        return tuple(name for name, box in self.boxes.items() if box.isChecked())

    @property
    def mixed(self) -> Mapping[str, float]:
        """The weights of a mix that are not 0."""
        return {name: field.value() for name, field in self.weights.items() if field.value() > 0}

    def show_levers_of(self, workload: Workload) -> None:
        """Offer the levers that change something of these jobs."""
        for name, box in self.boxes.items():
            box.setVisible(name in levers_of(LEVERS, workload))

    def show_wish(self, wish: Wish) -> None:
        """Show what is wished."""
        for name, box in self.boxes.items():
            box.setChecked(name in wish.levers)
        for name, field in self.weights.items():
            field.setValue(wish.weights.get(name, 0.0))


class RulesPage(QWidget):
    """What a plan has to keep, of the jobs that there are.

    Signals
    -------
    changed : another rule, or one less
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._planned: frozenset[str] = frozenset()
        self._before: list[tuple[str, str]] = []
        self._arrivals: dict[str, float] = {}
        self.deadlines = QCheckBox("Deadlines must hold")
        self.pools = QCheckBox("Keep the pools")
        for box in (self.deadlines, self.pools):
            box.toggled.connect(self.changed)
        self._pinned, self._names = PinnedJobs(), QStringListModel(self)
        self.pins = named(
            QListView(),
            "Jobs that keep their place",
            "A checked job keeps its place in the order of the scenario; so do those dragged in a plan",
        )
        self.pins.setUniformItemSizes(True)
        self.pins.setModel(self._pinned)
        self._pinned.changed.connect(self.changed)
        self.first = named(QComboBox(), "Job that goes first", "This job is served first …")
        self.second = named(QComboBox(), "Job that goes after it", "… and this one after it")
        self.comer = named(QComboBox(), "Job that arrives", "This job arrives at the time beside it")
        for choice in (self.first, self.second, self.comer):
            choice.setModel(self._names)
        self.arrival = named(
            NumberField(0.0, 1e9, "s"), "Its arrival", "Seconds from time 0; none of its tasks starts before"
        )
        self.add_pair = _add_button("Add: the first job before the second", self._on_pair)
        self.add_arrival = _add_button("Add: the job arrives at that time", self._on_arrival)
        self.listed = named(QListWidget(), "Rules", "What the plan keeps besides; Delete removes a rule")
        self.remove = push_button("Remove", "Give up the marked rule (Delete)", self._on_removed)
        self._add_delete_key()
        self._lay_out()
        self.show_jobs((), has_deadlines=False, has_pools=False)

    def _add_delete_key(self) -> None:
        action = QAction("Remove the rule", self.listed)
        action.setShortcut(QKeySequence(QKeySequence.StandardKey.Delete))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(self._on_removed)
        self.listed.addAction(action)

    def _lay_out(self) -> None:
        for box in (self.first, self.second, self.comer):
            box.setMinimumContentsLength(3)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.arrival.setMinimumWidth(8 * self.fontMetrics().averageCharWidth())
        line = self.fontMetrics().lineSpacing() + 4
        for listed in (self.pins, self.listed):
            listed.setFixedHeight(LISTED_ROWS * line)
        column(
            self.deadlines,
            self.pools,
            PlainLabel("Keep in their places", is_faint=True),
            self.pins,
            PlainLabel("One job before another; another arrival", is_faint=True),
            row((self.first, 1), PlainLabel("before"), (self.second, 1), self.add_pair),
            row((self.comer, 1), PlainLabel("arrives at"), (self.arrival, 1), self.add_arrival),
            self.listed,
            row(None, self.remove),
            None,
            parent=self,
            margins=MARGINS,
        )

    def show_jobs(self, names: Sequence[str], *, has_deadlines: bool, has_pools: bool) -> None:
        """Offer these jobs; rules about others are given up."""
        for box, can_be, tip, why_not in (
            (self.deadlines, has_deadlines, HOLDS, NO_DEADLINES),
            (self.pools, has_pools, KEEPS_POOLS, NO_POOLS),
        ):
            box.setEnabled(can_be)
            box.setToolTip(tooltip(tip if can_be else why_not))
        if tuple(names) == self._pinned.names:
            return
        self._pinned.show(names, self._pinned.ticked)
        self._names.setStringList(list(names))
        for choice in (self.first, self.comer):
            choice.setCurrentIndex(min(0, len(names) - 1))
        self.second.setCurrentIndex(min(1, len(names) - 1))
        known = set(names)
        self._before = [pair for pair in self._before if known.issuperset(pair)]
        self._arrivals = {name: at for name, at in self._arrivals.items() if name in known}
        self._list()

    def show_pinned(self, names: Collection[str]) -> None:
        """Tick the jobs that the scenario's plan pins, and no more those that it pinned before."""
        planned = frozenset(names)
        changed, self._planned = planned ^ self._planned, planned
        if changed:
            self._pinned.tick(changed - planned, ticked=False)
            self._pinned.tick(changed & planned, ticked=True)
            self.changed.emit()

    @property
    def rules(self) -> Rules:
        """What is to be kept."""
        return Rules(
            self._pinned.ticked,
            tuple(self._before),
            tuple(self._arrivals.items()),
            self.deadlines.isEnabled() and self.deadlines.isChecked(),
            self.pools.isEnabled() and self.pools.isChecked(),
        )

    def _on_pair(self) -> None:
        pair = (self.first.currentText(), self.second.currentText())
        if pair[0] != pair[1] and pair not in self._before:
            self._before.append(pair)
            self._list()

    def _on_arrival(self) -> None:
        if self.comer.currentText():
            self._arrivals[self.comer.currentText()] = self.arrival.value()
            self._list()

    def _on_removed(self) -> None:
        place = self.listed.currentRow()
        if 0 <= place < len(self._before):
            del self._before[place]
        elif place >= 0:
            del self._arrivals[list(self._arrivals)[place - len(self._before)]]
        self._list()

    def _list(self) -> None:
        self.listed.clear()
        self.listed.addItems([f"{first} before {second}" for first, second in self._before])
        self.listed.addItems([f"{name} arrives at {clock_text(at)}" for name, at in self._arrivals.items()])
        self.remove.setEnabled(self.listed.count() > 0)
        self.listed.setCurrentRow(self.listed.count() - 1)
        self.add_pair.setEnabled(len(self._pinned.names) > 1)
        self.add_arrival.setEnabled(bool(self._pinned.names))
        self.changed.emit()


def _add_button(name: str, slot: Callable[[], None]) -> QToolButton:
    button = named(QToolButton(), name, name)
    button.setIcon(icon("add"))
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.clicked.connect(slot)
    return button


class MorePage(QWidget):
    """How long a search may take, the spread of durations that the plan is to stand, and the seed.

    Signals
    -------
    changed : another value
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.seconds = NumberField(MIN_SECONDS, MAX_SECONDS, "s")
        self.endless = QCheckBox("Until proved or stopped")
        self.endless.setToolTip("Search until nothing better can be, or until you press Stop")
        self.endless.toggled.connect(self.seconds.setDisabled)
        self.sigma = NumberField(0.0, 2 * PERCENT, "%")
        self.sigma.setSingleStep(5.0)
        self.per = QComboBox()
        for per, text in PER_TEXTS.items():
            self.per.addItem(text, per)
        self.copies = CountField(2, MAX_COPIES, "copies")
        self.judge = QComboBox()
        self.judge.addItem("their mean", MEAN)
        self.judge.addItem("their 90 % worst", WORSE)
        self.seed = CountField(0)
        self._lay_out()
        for signal in (
            *(field.valueChanged for field in (self.seconds, self.sigma, self.copies, self.seed)),
            self.endless.toggled,
            self.judge.currentIndexChanged,
            self.per.currentIndexChanged,
        ):
            signal.connect(self._on_changed)

    def _lay_out(self) -> None:
        form = QFormLayout(self, rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setContentsMargins(*MARGINS)
        for text, tip, field in (
            (
                "Search for",
                "How long a search takes at most; it ends sooner where nothing better can be",
                self.seconds,
            ),
            ("", "", self.endless),
            ("Durations wrong by", ROBUST_HELP, self.sigma),
            ("One factor per", PER_HELP, self.per),
            (
                "Tried on",
                "On how many noisy copies of the jobs each plan is tried; more are slower",
                self.copies,
            ),
            ("Judged by", "What counts of the results on these copies", self.judge),
            (
                "Seed",
                "Of the random numbers: the same seed gives the same plan in the same number of steps",
                self.seed,
            ),
        ):
            label = PlainLabel(text)
            label.setBuddy(field)
            if text:
                named(field, text, tooltip(tip))
                label.setToolTip(tooltip(tip))
            form.addRow(label, field) if text else form.addRow(field)

    def _on_changed(self) -> None:
        is_robust = self.sigma.value() > 0
        self.per.setEnabled(is_robust)
        self.copies.setEnabled(is_robust)
        self.judge.setEnabled(is_robust)
        self.changed.emit()

    def show_wish(self, wish: Wish) -> None:
        """Show what is wished."""
        self.endless.setChecked(wish.seconds is None)
        self.seconds.setValue(DEFAULT_SECONDS if wish.seconds is None else wish.seconds)
        self.sigma.setValue(PERCENT * wish.sigma)
        self.per.setCurrentIndex(self.per.findData(wish.per))
        self.copies.setValue(wish.copies)
        self.judge.setCurrentIndex(self.judge.findData(wish.judge))
        self.seed.setValue(wish.seed)
        self._on_changed()

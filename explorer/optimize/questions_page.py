"""Questions the other way round: what is needed for an end by a time, and what would help most."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QWidget

from core.model.errors import InputError
from core.model.time_text import exact_clock, seconds_from_text, shown_end
from explorer.widgets.layouts import column, named, push_button, row
from explorer.widgets.number_fields import CountField
from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.progress import BusyBar
from explorer.widgets.worker import Worker, give_way

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.optimize.cluster_sizes import Varied

FEWEST, SPLIT, LATEST, HALVING = "fewest", "split", "latest", "halving"
FEWEST_HERE, SPLIT_HERE = "fewest-here", "split-here"
TITLES = {
    FEWEST_HERE: "As it is: fewest that end by a time",
    FEWEST: "Best schedule: fewest that end by a time",
    SPLIT_HERE: "As it is: best split of so many",
    SPLIT: "Best schedule: best split of so many",
    LATEST: "Latest arrival of a job",
    HALVING: "Which job's halving helps most",
}
TIPS = {
    FEWEST: "How small may the cluster be for all jobs to end by that time, and why not smaller?",
    FEWEST_HERE: "How small may the cluster be for the scenario's policy to end by that time, how surely?",
    SPLIT: "How many of so many slots are to be map slots, how many reduce slots?",
    SPLIT_HERE: "How many of so many slots does the scenario's policy need for maps, how many for reduces?",
    LATEST: "How late may this job arrive for all jobs still to end by that time?",
    HALVING: "If all tasks of one job took half their time: of which job would the end come soonest?",
}
VARIED_TITLES: dict[Varied, str] = {
    "both": "map slots, with as many reduce slots",
    "total": "slots in all, however split",
    "maps": "map slots",
    "reduces": "reduce slots",
    "containers": "containers",
    "nodes": "nodes",
}
TYPED: tuple[Varied, ...] = ("both", "total", "maps", "reduces")
NEEDS_TIME, NEEDS_JOB, BY_CHANCE = (FEWEST_HERE, FEWEST, LATEST), (LATEST,), (FEWEST_HERE, SPLIT_HERE)
DEFAULT_DRAWS, DEFAULT_SURE = 20, 95
ERROR_HELP = (
    "Each job really takes longer or shorter, by a random factor; policies plan on what is said. 0: none"
)
SURE_HELP = "The part of the draws that has to end in time"
DRAWS_HELP = "How often the durations are drawn, with the seeds 1, 2, 3, ..."
TIME_HELP = "A time such as 5:33:20, 20000 s, or 5 h 30 min"
NO_TIME = "Type the time by which all is to end, such as 5:33:20."
STOPPED = "Stopped; nothing was found yet."
SECONDS = 20.0
"""Of all searches of one question, at most."""


@dataclass(frozen=True, slots=True)
class InverseQuestion:
    """The question.

    Attributes
    ----------
    kind : an id of `TITLES`
    until : seconds from time 0 by which all is to end
    total : slots to be split
    job : name of the job that arrives, where one is asked about
    error : by which part jobs take longer or shorter than they are said to, 0 for not
    draws, confidence : how often that is drawn, and the part of the draws that has to do
    varied : what there are to be few of, of `core.optimize.cluster_sizes.VARIED`
    """

    kind: str
    until: float = 0.0
    total: int = 0
    job: str = ""
    varied: Varied = "both"
    error: float = 0.0
    draws: int = 1
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class InverseAnswer:
    """What is known of it: sentences, and the schedule they speak of, where there is one to be shown.

    Attributes
    ----------
    cluster : the cluster of that schedule, or None
    plan : what makes the schedule on that cluster; None where the scenario's own policy does
    """

    text: str
    cluster: Cluster | None = None
    plan: Plan | None = None


class QuestionsPage(QWidget):
    """Edits one question at a time, and shows the answer in sentences.

    Attributes
    ----------
    search_of : given by the window; for an `InverseQuestion` the function that answers it in a thread;
        it takes (on_known, trying, should_stop): called with an `InverseAnswer` whenever more is known, and
        with what is tried; it returns the last

    Signals
    -------
    cluster_wanted : the user wants to use this `Cluster`
    scenario_wanted : the user wants the schedule of this `InverseAnswer` beside the active scenario
    until_changed : a time by which all is to end is asked about: the seconds; None once no more
    """

    cluster_wanted = Signal(object)
    scenario_wanted = Signal(object)
    until_changed = Signal(object)
    _known_more = Signal(object)

    def __init__(self, search_of: Callable[[InverseQuestion], Callable[..., InverseAnswer]]) -> None:
        super().__init__()
        self.search_of = search_of
        self.answer: InverseAnswer | None = None
        self.kind = named(QComboBox(), "Question")
        for name, title in TITLES.items():
            self.kind.addItem(title, name)
        self.until = named(QLineEdit(), "All ends by", tooltip(TIME_HELP))
        self.until.setPlaceholderText("5:33:20")
        self.varied = named(QComboBox(), "Fewest", "What there are to be few of; the rest stays as it is")
        self.total = named(
            CountField(2, 200_000, "slots"), "Slots in all", "Map slots and reduce slots together"
        )
        self.job = named(QComboBox(), "Job that arrives", "Whose arrival is asked for")
        self._jobs: list[str] = []
        self._listed = QStringListModel(self)
        self.job.setModel(self._listed)
        self.error = named(CountField(0, 300, "%"), "Durations wrong by", tooltip(ERROR_HELP))
        self.draws = named(CountField(1, 1000, "draws"), "Draws", tooltip(DRAWS_HELP))
        self.sure = named(CountField(1, 100, "%"), "Sure of", tooltip(SURE_HELP))
        self.draws.setValue(DEFAULT_DRAWS)
        self.sure.setValue(DEFAULT_SURE)
        for box in (self.kind, self.varied, self.job):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.search_button = push_button(
            "&Answer", "Search for an answer, and say it in sentences", self._on_clicked
        )
        self.use_button = push_button(
            "&Use this cluster", "Give the scenario this cluster: one step of undo", self._on_used
        )
        self.add_button = push_button(
            "As a &scenario", "Show the schedule of this answer beside the active scenario", self._on_added
        )
        self.copy_button = push_button("&Copy", "Copy the answer", self.copy)
        self.trying = PlainLabel(wraps=True, is_faint=True)
        self._tried = ""  # written by the thread
        self._began = 0.0
        self.text = PlainLabel(wraps=True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._worker = Worker(
            self, threads=1, finished=self._on_answered, failed=self._on_failed, progressed=self._show_trying
        )
        self.busy = BusyBar("Searching for an answer", self._worker)
        self._known_more.connect(self._on_known_more, Qt.ConnectionType.QueuedConnection)
        self.kind.currentIndexChanged.connect(self._on_kind)
        self.kind.currentIndexChanged.connect(self.forget)
        self.error.valueChanged.connect(self._show_chance)
        self.until.returnPressed.connect(self._on_clicked)
        self._lay_out()
        self._on_kind()
        self._show(None)

    def _lay_out(self) -> None:
        self._form = QFormLayout(rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows)
        for text, field in (
            ("Of", self.varied),
            ("By", self.until),
            ("Slots", self.total),
            ("Job", self.job),
            ("Durations ±", self.error),
            ("Sure of", self.sure),
            ("In", self.draws),
        ):
            label = PlainLabel(text)
            label.setBuddy(field)
            self._form.addRow(label, field)
        buttons = row((self.search_button, 1), self.copy_button)
        uses = row(self.add_button, self.use_button, None)
        parts = (self.kind, self._form, buttons, self.busy, self.trying, self.text, uses, None)
        column(*parts, parent=self, margins=(8, 6, 8, 6))

    def show_jobs(self, names: Sequence[str], cluster: Cluster, end: float | None) -> None:
        """Offer these jobs; begin with the slots and the end that there are, where nothing was typed."""
        varied = ("nodes",) if cluster.has_nodes else ("containers",) if cluster.has_containers else TYPED
        if [self.varied.itemData(i) for i in range(self.varied.count())] != list(varied):
            self.varied.clear()
            for name in varied:
                self.varied.addItem(VARIED_TITLES[name], name)
        self._jobs = list(names)
        self._list_jobs()
        if self.total.value() == self.total.minimum():
            self.total.setValue(cluster.slots)
        self.show_end(end)

    def _list_jobs(self) -> None:
        """List the jobs once a question is about one of them: there may be a hundred thousand."""
        if self.kind.currentData() in NEEDS_JOB and self._listed.stringList() != self._jobs:
            self._listed.setStringList(self._jobs)
            self.job.setCurrentIndex(0)

    def show_end(self, end: float | None) -> None:
        """Begin with the end that there is, rounded up to what is shown, where nothing was typed.

        The time stays while an answer to it is searched for or shown.
        """
        if end is not None and not self.until.isModified() and self.answer is None and not self.is_busy:
            self.until.setText(exact_clock(shown_end(end)))

    def _on_kind(self) -> None:
        kind = self.kind.currentData()
        self.kind.setToolTip(tooltip(TIPS[kind]))
        for field, is_needed in (
            (self.varied, kind in (FEWEST, FEWEST_HERE)),
            (self.until, kind in NEEDS_TIME),
            (self.total, kind in (SPLIT, SPLIT_HERE)),
            (self.job, kind in NEEDS_JOB),
        ):
            self._form.setRowVisible(field, is_needed)
        self._list_jobs()
        self._show_chance()

    def _show_chance(self) -> None:
        """Offer how sure an answer has to be only where something is drawn by chance."""
        is_by_chance = self.kind.currentData() in BY_CHANCE
        self._form.setRowVisible(self.error, is_by_chance)
        for field in (self.sure, self.draws):
            self._form.setRowVisible(field, is_by_chance and self.error.value() > 0)

    # ---- asking

    @property
    def is_busy(self) -> bool:
        """Whether an answer is searched for."""
        return self._worker.is_busy

    def choose(self, kind: str) -> None:
        """Show the fields of a question of `TITLES`."""
        self.kind.setCurrentIndex(self.kind.findData(kind))

    def search_by(self, seconds: float) -> None:
        """Request the fewest slots with which the scenario as it is ends by a time."""
        self.choose(FEWEST_HERE)
        self.until.setText(exact_clock(seconds))
        self.until.setModified(True)
        self._search()

    def _on_clicked(self) -> None:
        if self.is_busy:
            self.stop()
        else:
            self._search()

    def _seconds(self) -> float:
        """Return the time that is typed; InputError if it is none."""
        if not self.until.text().strip():
            raise InputError(NO_TIME)
        return seconds_from_text(self.until.text())

    def _search(self) -> None:
        kind = self.kind.currentData()
        try:
            until = self._seconds() if kind in NEEDS_TIME else 0.0
            work = self.search_of(self._question(kind, until))
        except InputError as error:
            self._worker.cancel()
            self._end()
            self._show(InverseAnswer(str(error)))
            return
        self._show(None)
        self.until_changed.emit(until if kind in NEEDS_TIME else None)
        self._tried, self._began = "", perf_counter()
        self._show_trying()
        self.search_button.setText("S&top")
        self._worker.follow(partial(_answered, work, self._known_more.emit, self._note_tried))

    def _note_tried(self, what: str) -> None:
        self._tried = what

    def _show_trying(self) -> None:
        if self.kind.currentData() in BY_CHANCE:  # these end by themselves
            self.trying.setText(f"Trying {self._tried or 'other clusters'} …")
            return
        left = max(1, math.ceil(SECONDS - (perf_counter() - self._began)))
        what = f"Trying {self._tried}" if self._tried else "Looking at the lower bounds"
        self.trying.setText(f"{what} …; {left} s more at most")

    def _question(self, kind: str, until: float) -> InverseQuestion:
        job, varied = self.job.currentText() if kind in NEEDS_JOB else "", self.varied.currentData()
        question = InverseQuestion(kind, until, self.total.value(), job, varied)
        if kind not in BY_CHANCE or not self.error.value():
            return question
        error, sure = self.error.value() / 100, self.sure.value() / 100
        return replace(question, error=error, draws=self.draws.value(), confidence=sure)

    def stop(self) -> None:
        """Search no more; what was found stays. The thread ends as soon as it can."""
        if self.is_busy:
            self._worker.cancel()
            self._end()
            self._show(self.answer or InverseAnswer(STOPPED))

    def forget(self) -> None:
        """Give up the answer: the question, the jobs or the cluster are others now."""
        self._worker.cancel()
        self._end()
        self._show(None)
        self.until_changed.emit(None)

    def _on_known_more(self, answer: InverseAnswer) -> None:
        if self.is_busy:  # else it has been given up meanwhile
            self._show(answer)

    def _on_answered(self, answer: InverseAnswer) -> None:
        self._end()
        self._show(answer)

    def _on_failed(self, error: Exception) -> None:
        self._end()
        self._show(InverseAnswer(str(error)))

    def _end(self) -> None:
        self.trying.setText("")
        self.search_button.setText("&Answer")

    def _show(self, answer: InverseAnswer | None) -> None:
        self.answer = answer
        self.text.setText("" if answer is None else answer.text)
        offers = answer is not None and answer.cluster is not None
        self.add_button.setVisible(offers)
        self.use_button.setVisible(offers and answer is not None and answer.plan is None)
        self.copy_button.setEnabled(answer is not None)

    # ---- what is done with it

    def _on_used(self) -> None:
        if self.answer is not None and self.answer.cluster is not None:
            self.cluster_wanted.emit(self.answer.cluster)

    def _on_added(self) -> None:
        if self.answer is not None and self.answer.cluster is not None:
            self.scenario_wanted.emit(self.answer)

    def copy(self) -> None:
        """Put the answer on the clipboard."""
        QGuiApplication.clipboard().setText(self.text.text())


def _answered(
    work: Callable[..., InverseAnswer],
    on_known: Callable[[InverseAnswer], None],
    trying: Callable[[str], None],
    _progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> InverseAnswer:
    give_way()
    return work(on_known, trying, should_stop)

"""The panel of goals side by side: which two, how long to search, and the picture of plans between them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from core.model.errors import Cancelled
from core.model.objectives import OBJECTIVES
from core.model.time_text import fine_percent
from core.optimize.objectives import LINKED_RESPONSES, Objective
from core.simulation.plan_front import (
    DEFAULT_POINTS,
    FRONT_GOALS,
    MAX_POINTS,
    MIN_POINTS,
    one_plan_text,
    search_front,
)
from explorer.study.front_picture import FrontPicture
from explorer.widgets.export import ExportButton
from explorer.widgets.halves import Halves
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row, scrolled
from explorer.widgets.number_fields import CountField
from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.progress import ProgressLine
from explorer.widgets.worker import WAITED_FOR, Worker, give_way
from explorer.widgets.wrapped_row import WrappedRow

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.simulation.best_schedule import WantedSearch
    from core.simulation.plan_front import FrontPoint
    from explorer.widgets.theme import Theme

MIN_STEPS, MAX_STEPS = 10, 1_000_000
"""Of each search."""
SAME = "Choose two goals that differ."
NO_DEADLINE = "No job has a deadline, so none can be late; Edit > Random deadlines… gives them some."
STALE = "The jobs, the cluster or the scenario have changed since; start again."
START, STOP = "&Start", "&Stop"


class FrontPanel(QWidget):
    """Edits which front is searched, searches it in a thread, and shows it; the newest search wins.

    Attributes
    ----------
    picture : the front
    has_deadlines : whether a job has one, so that goals of deadlines can be chosen
    has_links : whether jobs follow others, so that times from arrival to end cannot be

    Signals
    -------
    wanted : the user starts a search
    shown : another front is shown, or none
    taken : a plan of the picture was chosen, by its place among the points
    scenario_chosen : a scenario's mark was chosen, by its id
    reported, refused : what an export did, or could not do
    """

    wanted = Signal()
    shown = Signal()
    taken = Signal(int)
    scenario_chosen = Signal(int)
    reported = Signal(str)
    refused = Signal(str)
    _moved = Signal(int, object)

    def __init__(self, colours: Theme) -> None:
        super().__init__()
        self.has_deadlines, self.has_links = True, False
        self._number, self._usual_steps = 0, MIN_STEPS
        self._searched: tuple[tuple[str, str], str] = (("makespan", "mean-response"), "")
        self._worker = Worker(self, threads=1, finished=self._on_finished, failed=self._on_failed)
        self.picture = FrontPicture(colours)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._show_state()

    def _make_parts(self) -> None:
        self.goal_fields = (_goal_field("One goal", 0), _goal_field("Another goal", 1))
        self.points_field = named(
            CountField(MIN_POINTS, MAX_POINTS, "searches"),
            "Searches",
            "How many mixes of both goals are searched, each from the plan of the one beside it",
        )
        self.points_field.setValue(DEFAULT_POINTS)
        self.steps_field = named(
            CountField(MIN_STEPS, MAX_STEPS, "steps"),
            "Steps of each search",
            "How far each goes. As many as take about three seconds to begin with, fewer of many tasks; the "
            "same steps find the same plans, however busy the machine is",
        )
        self.start_button = push_button(START, "", self._on_start_pressed)
        self.progress = ProgressLine("Searches done", self._worker)
        self.note = PlainLabel(wraps=True)
        self.note.setContentsMargins(6, 4, 6, 0)
        self.export_button = ExportButton(self.reported, self.refused)

    def _lay_out(self) -> None:
        controls = QWidget()
        each = PlainLabel("of")
        column(
            WrappedRow(*((field, 1) for field in self.goal_fields)),
            row((self.points_field, 1), each, (self.steps_field, 1), spacing=4),
            row((self.start_button, 1), self.export_button, spacing=4),
            None,
            parent=controls,
            margins=(6, 4, 6, 4),
            spacing=4,
        )
        found = QWidget()
        column(self.progress, self.note, (self.picture, 1), parent=found, margins=NO_MARGINS, spacing=0)
        halves = Halves(scrolled(controls), found, shares=(1, 2))
        column(halves, parent=self, margins=NO_MARGINS)

    def _connect(self) -> None:
        for field in self.goal_fields:
            field.currentIndexChanged.connect(self._show_state)
        self.picture.chosen.connect(self._on_chosen)
        self._moved.connect(self._on_moved, Qt.ConnectionType.QueuedConnection)

    def set_theme(self, colours: Theme) -> None:
        """Draw in other colours."""
        self.picture.set_theme(colours)

    # ---- what is wished

    @property
    def goals(self) -> tuple[str, str]:
        """The two goals that are chosen."""
        one, other = (field.currentData() for field in self.goal_fields)
        return one, other

    @property
    def refusal(self) -> str:
        """Why that cannot be searched for; empty if it can be."""
        if self.goals[0] == self.goals[1]:
            return SAME
        if self.has_links and any(Objective.of(goal).counts_responses for goal in self.goals):
            return LINKED
        needs_deadlines = any(OBJECTIVES[goal].needs_deadlines for goal in self.goals)
        return NO_DEADLINE if needs_deadlines and not self.has_deadlines else ""

    def follow_jobs(self, *, has_deadlines: bool, has_links: bool, steps: int) -> None:
        """Set which goals can be chosen, and the usual steps unless others were given."""
        self.has_deadlines, self.has_links = has_deadlines, has_links
        if self.steps_field.value() in (self._usual_steps, MIN_STEPS):
            self.steps_field.setValue(steps)
        self._usual_steps = steps
        self._show_state()

    # ---- searching

    @property
    def is_running(self) -> bool:
        """Whether a search goes on."""
        return self._worker.is_busy

    @property
    def shown_goals(self) -> tuple[str, str]:
        """The goals of what is shown or searched."""
        return self._searched[0]

    def _on_start_pressed(self) -> None:
        if self.is_running:
            self.stop()
        else:
            self.wanted.emit()

    def start(self, wanted: WantedSearch, subject: str) -> None:
        """Search the front of the chosen goals; another search that runs is dropped."""
        self._number += 1
        self._searched = self.goals, subject
        self.picture.show_front(self.goals, (), subject)
        self.note.setText(f"Search 1 of {self.points_field.value()}")
        work = partial(
            _search, wanted, self.goals, self.points_field.value(), partial(self._moved.emit, self._number)
        )
        self._worker.follow(work)
        self._show_state()
        self.shown.emit()

    def stop(self) -> None:
        """End the search soon; what was found stays."""
        self._worker.stop()

    def forget(self) -> None:
        """Show nothing any more: what was found is not of the document as it is."""
        self._number += 1
        self._worker.cancel()
        self.picture.show_front(self._searched[0], (), "")
        self.show_problem(STALE)
        self.shown.emit()

    def show_problem(self, sentence: str) -> None:
        """Show why there is nothing to show."""
        self._show_state()
        self.note.setText(sentence)

    def _on_moved(self, number: int, news: str | list[FrontPoint]) -> None:
        if number != self._number or not self.is_running:
            return
        if isinstance(news, str):
            self.note.setText(f"{news[0].upper()}{news[1:]}")
        else:
            self._show(news)

    def _on_finished(self, points: list[FrontPoint]) -> None:
        self._show(points)
        self._show_state()
        self.note.setText(_summary(points))

    def _on_failed(self, error: Exception) -> None:
        self.show_problem("Stopped." if isinstance(error, Cancelled) else _sentence(str(error)))

    def _show(self, points: list[FrontPoint]) -> None:
        goals, subject = self._searched
        self.picture.show_front(goals, points, subject)
        self.export_button.set_chart(self.picture if points else None)
        self.shown.emit()

    def _show_state(self) -> None:
        running = self.is_running
        self.start_button.setText(STOP if running else START)
        self.start_button.setToolTip(
            "End the search; what was found stays" if running else "Search plans between both goals"
        )
        self.picture.show_waiting(is_searching=running)
        refusal = "" if running else self.refusal
        self.start_button.setEnabled(not refusal)
        if refusal or self.note.text() in (SAME, NO_DEADLINE, LINKED):
            self.note.setText(refusal)
        for field, goal in zip(self.goal_fields, self.goals, strict=True):
            field.setToolTip(tooltip(OBJECTIVES[goal].meaning))
        self.export_button.set_chart(self.picture if self.picture.points else None)

    def _on_chosen(self, about: tuple[str, int]) -> None:
        kind, which = about
        (self.taken if kind == "plan" else self.scenario_chosen).emit(which)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


LINKED = _sentence(LINKED_RESPONSES)


def _goal_field(name: str, first: int) -> QComboBox:
    field = named(QComboBox(), name)
    for goal in FRONT_GOALS:
        field.addItem(OBJECTIVES[goal].title, goal)
    field.setCurrentIndex(first)
    field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    return field


def _summary(points: list[FrontPoint]) -> str:
    """Return how many plans were found, and how far from proved the worst of them is."""
    if len(points) == 1:
        return one_plan_text(points[0])
    bounded = [point.gap for point in points if point.bound > 0]
    furthest = f"; at most {fine_percent(max(bounded))} above their bounds" if bounded else ""
    return f"{len(points)} plans, none better in both goals{furthest}."


def _search(
    wanted: WantedSearch,
    goals: tuple[str, str],
    points: int,
    tell: Callable[[Any], Any],  # Any: words or a front, and what a signal returns
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> list[FrontPoint]:
    """Search a front, in the thread."""
    give_way(WAITED_FOR)
    done = 0

    def on_front(front: list[FrontPoint]) -> None:
        nonlocal done
        done += 1
        progress(min(done / points, 1.0))  # where the gap is widest it goes on
        tell(front)

    return search_front(wanted, goals, points, should_stop, tell, on_front)

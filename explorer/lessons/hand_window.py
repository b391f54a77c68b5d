"""Be the scheduler: a window in which one gives every free slot to a job, and sees what that was worth."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox, QStackedWidget, QWidget
from typing_extensions import override

from core.charts.chart import round_end
from core.charts.class_colours import job_colours
from core.lessons.hand_aims import MAKESPAN, aims_of
from core.lessons.hand_game import HandGame
from core.measures.job_classes import job_classes
from core.model.errors import InputError
from core.optimize.bounds import lower_bound
from core.optimize.objectives import Objective
from core.optimize.premise import premise_on
from core.policies.user_files.apart import lives_apart
from explorer.document.time_axis import EndLine, TimeAxis, TimeCursor
from explorer.document.view_state import SelectedIdle
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.chart_content import Pointer
from explorer.gantt.pinned_axis import PinnedAxis
from explorer.lessons.hand_cards import FEW, HandCards, cards_of
from explorer.lessons.hand_clock import HandClock
from explorer.lessons.hand_result_view import HandResultView, score_of, with_rivals
from explorer.lessons.hand_texts import AimChoice, question_text, standing_text
from explorer.lessons.hand_verdict import HandVerdict
from explorer.lessons.scores import add_score
from explorer.simulation.request import request_of
from explorer.widgets.error_messages import MessageBar
from explorer.widgets.layouts import NO_MARGINS, OwnWindow, column, named, push_button, resize_on_screen, row
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent

    from core.lessons.hand_costs import HandCost
    from core.lessons.hand_game import HandCandidate, Offer
    from core.lessons.hand_result import HandResult
    from core.model.document_state import Scenario
    from core.simulation.simulate import Engine
    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState
    from explorer.widgets.theme import Theme

ALL_OF_THEM = 1_000_000
"""Slots: more than any cluster of a game has."""
CHANGED = (
    "the jobs or the cluster of the document are others than those of this game; "
    "undo these edits, or play again"
)
OWN_FILE = (
    "up to there a policy file of your own decides, in a process of its own; begin at 0 s, or from another "
    "scenario"
)
AIR = 1.6
"""At first the axis is so much longer than the bound."""
TIPS = {
    "all": "A click gives the job all slots of this type that are free now, as many as it can use",
    "forced": "Where one job alone can use a slot, it gets it without a click",
    "leave": "Leave the slot free until something else happens (key 0)",
    "undo": "Take back your last click, up to the very beginning (Backspace or Ctrl+Z)",
    "redo": "Do again what you took back (Ctrl+Y)",
    "aim": "What is to be as small as can be; it may be changed at any time",
    "finish": "Let FIFO hand out all slots that are left",
}


class HandWindow(OwnWindow):
    """A window of its own beside the main window; the document is edited only by request.

    Attributes
    ----------
    game : what is played, None before the first one
    view, cards, clock, results : its parts

    Signals
    -------
    notice : a sentence on what was done
    finished : a game is over and compared; the `HandResult`
    scores_wanted : all scores are to be shown
    """

    notice = Signal(str)
    finished = Signal(object)
    scores_wanted = Signal()

    def __init__(self, editor: Editor, view_state: ViewState, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Be the scheduler — Slotscope")
        self.setObjectName("by_hand")
        resize_on_screen(self, 1100, 760)
        self._editor, self._view_state, self._theme = editor, view_state, theme
        self.game: HandGame | None = None
        self._uses_compiled = self._veils = False
        self._looked_at: tuple[float | None, int] = None, 0
        self._scenario: Scenario | None = None
        self._bound, self._begun, self._tries = 0.0, 0.0, 0
        self._aim_bound = 0.0
        self._premise = ""
        self._aim = MAKESPAN
        self._is_scored = False
        self._make_chart()
        self._make_foot()
        self._lay_out()
        self._connect()

    # ---- building

    def _make_chart(self) -> None:
        self.messages = MessageBar(self)
        self.axis, self.present, self._end = TimeAxis(self), TimeCursor(self), EndLine(self)
        self.view = GanttView(self.axis, self._theme, self)
        self.view.set_time_cursor(self.present)
        self.pinned = PinnedAxis(self.axis, self.present, self._end, self)
        self.pinned.follow(self.view)

    def _make_foot(self) -> None:
        self.question = named(ElidedLabel(), "What has to be decided")
        font = self.question.font()
        font.setBold(True)
        self.question.setFont(font)
        self.clock = HandClock()
        self.cards = HandCards()
        self.results = HandResultView()
        self.stuck = PlainLabel(wraps=True)
        self.pages = QStackedWidget()
        for page in (self.cards, self.results, self.stuck):
            self.pages.addWidget(page)
        self.line = named(ElidedLabel(is_faint=True), "How it stands")
        self.verdict = HandVerdict()
        self.aim_choice = named(AimChoice(), "Aim", TIPS["aim"])
        self.all_box = QCheckBox("&All free slots at once")
        self.forced_box = QCheckBox("Only &ask where there is a choice")
        self.leave_button = push_button("&Leave it free", TIPS["leave"], self.leave_free)
        self.undo_button = push_button("&Undo", TIPS["undo"], self.undo)
        self.redo_button = push_button("&Redo", TIPS["redo"], self.redo)
        self.finish_button = push_button("Let &FIFO finish", TIPS["finish"], self.finish)
        for box, tip in ((self.all_box, "all"), (self.forced_box, "forced")):
            box.setChecked(True)
            box.setToolTip(TIPS[tip])

    def _lay_out(self) -> None:
        tools = row(
            self.leave_button,
            self.undo_button,
            self.redo_button,
            self.finish_button,
            None,
            self.all_box,
            self.forced_box,
        )
        head = row((self.question, 1), PlainLabel("Aim"), self.aim_choice, self.clock)
        foot = column(head, self.pages, self.verdict, tools, self.line, spacing=6)
        foot.setContentsMargins(10, 6, 10, 8)
        chart = column((self.view, 1), self.pinned, margins=NO_MARGINS, spacing=0)
        column(self.messages, (chart, 1), foot, parent=self, margins=NO_MARGINS, spacing=0)

    def _connect(self) -> None:
        self.cards.taken.connect(self.take)
        self.clock.decision_over.connect(self._on_decision_over)
        self.clock.game_over.connect(self.finish)
        self.forced_box.toggled.connect(self._on_forced)
        self.aim_choice.activated.connect(self._on_aim)
        self.verdict.changed.connect(self._show_dear)
        self.verdict.failed.connect(self.messages.show_error)
        self.results.dear.chosen.connect(self.show_decision)
        self.results.compared.connect(self._on_compared)
        self.results.failed.connect(self.messages.show_error)
        self.results.again_wanted.connect(self.play_again)
        self.results.side_by_side_wanted.connect(self.show_side_by_side)
        self.results.scores_wanted.connect(self.scores_wanted)
        self.present.moved.connect(self._stay_now)
        for place in range(FEW):
            QShortcut(QKeySequence(str(place + 1)), self).activated.connect(partial(self.cards.take, place))
        keys = {"0": self.leave_free, "Backspace": self.undo, "Ctrl+Z": self.undo, "Escape": self.close}
        for key, slot in {**keys, "Ctrl+Y": self.redo, "Ctrl+Shift+Z": self.redo}.items():
            QShortcut(QKeySequence(key), self).activated.connect(slot)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        self.view.set_theme(theme)
        self._show()

    # ---- a game

    def begin(self, scenario: Scenario, *, uses_compiled: bool = False, aim: str = "") -> None:
        """Begin a game on the jobs of the document, on a scenario's cluster and after its fork.

        Parameters
        ----------
        aim : what is to be small; empty for what was chosen before

        Raises
        ------
        InputError
            it cannot be played
        """
        request = request_of(self._editor.document.state, scenario)
        if request.fork is not None and lives_apart(request.fork):
            raise InputError(OWN_FILE)
        takes_forced = self.forced_box.isChecked()
        game = HandGame(request.workload, request.cluster, request.fork, takes_forced=takes_forced)
        self.game, self._scenario, self._uses_compiled = game, scenario, uses_compiled
        self._is_scored = False
        self._aim = self.aim_choice.offer(aims_of(game.workload), aim)
        self._bound = lower_bound(request.workload, request.cluster)
        self._premise = premise_on(request.workload, request.cluster).words
        self.axis.set_extent(0.0, round_end(max(self._bound * AIR, 1e-9)))
        self.axis.fit()
        self.results.forget()
        self.messages.clear()
        self.clock.wind_up()
        self._tries, self._begun = self._tries + 1, time.monotonic()
        self._judge_anew()
        if not self._view_state.veil.is_down:
            self._veils, cursor = True, self._view_state.time_cursor
            self._looked_at = cursor.seconds, cursor.decision
            self._view_state.veil.hide_from(game.now)
        self._show()
        self.show_in_front()

    def play_again(self) -> None:
        """Begin the same game anew."""
        if self._scenario is None:
            return
        try:
            self.begin(self._scenario, uses_compiled=self._uses_compiled)
        except InputError as error:  # the document has changed since
            self.messages.show_error(error)

    def take(self, candidate: HandCandidate) -> None:
        """Give the slot to a job."""
        most = ALL_OF_THEM if self.all_box.isChecked() else 1
        self._do(lambda game: game.pick(candidate.job, candidate.kind, most))

    def leave_free(self) -> None:
        """Leave the slot free."""
        self._do(HandGame.leave_free)

    def undo(self) -> None:
        """Take back the last click."""
        self._do(HandGame.undo)

    def redo(self) -> None:
        """Do it again."""
        self._do(HandGame.redo)

    def finish(self) -> None:
        """Let the job that arrived first have every slot that is left."""
        self._do(HandGame.finish)

    def _do(self, what: Callable[[HandGame], None]) -> None:
        if self.game is None:
            return
        try:
            what(self.game)
        except InputError as error:
            self.messages.show_error(error)
            return
        self.messages.clear()
        self._is_scored = False
        self.verdict.follow()
        self._show()

    def _on_decision_over(self) -> None:
        """Let the job in front have the slot: the time of the decision is over."""
        if self.game is not None and self.game.offer is not None:
            self.take(self.game.offer.candidates[0])

    def _on_forced(self, takes: bool) -> None:
        if self.game is not None:
            self.game.takes_forced = takes

    # ---- what is to be small, and what decisions cost

    def _on_aim(self) -> None:
        """Judge the game by another aim; one that is over is compared anew."""
        aim = self.aim_choice.currentData()
        if self.game is None or aim == self._aim:
            return
        self._aim, self._is_scored = aim, self.game.is_over
        self.results.forget()
        self._judge_anew()
        self._show()

    def _judge_anew(self) -> None:
        """Judge the whole game by its aim."""
        if self.game is not None:
            self._aim_bound = Objective.of(self._aim).bound(self.game.workload, self.game.cluster)
            self.verdict.begin(self.game, self._aim)

    def _show_dear(self) -> None:
        """List the decisions that cost most, once the game is over."""
        if self.game is not None:
            self.results.dear.show_costs(self.game, self.verdict.costs if self.game.is_over else ())

    def show_decision(self, cost: HandCost) -> None:
        """Lead to the instant of a decision of a game that is over: its time and its slot."""
        self.verdict.look_at(cost)
        self._show_chart()
        self.axis.reveal(cost.time)

    # ---- showing

    def _show(self) -> None:
        game = self.game
        if game is None:
            return
        offer, last = game.offer, self._show_chart()
        self._show_page(offer)
        self._show_dear()
        self.question.setText(question_text(game))
        least = self._bound if self._aim == MAKESPAN else self._aim_bound
        self.line.setText(standing_text(game, last, self._aim, least))
        for widget, is_on in (
            (self.leave_button, offer is not None and offer.may_leave),
            (self.undo_button, game.can_undo),
            (self.redo_button, game.can_redo),
            (self.finish_button, offer is not None),
        ):
            widget.setEnabled(is_on)
        self.clock.begin(offer is not None)

    def _show_chart(self) -> float:
        """Draw the schedule so far; return when the last of the tasks that have started ends, in seconds."""
        game = self.game
        assert game is not None
        schedule, offer, last = game.drawable(), game.offer, game.known_end
        if last > self.axis.extent[1]:
            self.axis.set_extent(0.0, round_end(last))
        self.present.set_end(self.axis.extent[1])
        idle, pointers = self._marks(offer)
        self.view.set_schedule(schedule, ghost=None, selected_idle=idle, pointers=pointers)
        self._classes = job_classes(game.workload, self._view_state.colour_by)
        self.view.change(classes=self._classes, lower_bound=self._bound, premise=self._premise)
        self._stay_now()
        return last

    def _show_page(self, offer: Offer | None) -> None:
        game = self.game
        assert game is not None
        tones = job_colours(self._classes, self._theme) if offer else ()
        self.cards.show_cards(cards_of(game.workload, offer.candidates, tones) if offer else [])
        if offer is not None:
            self.results.forget()
            self.pages.setCurrentWidget(self.cards)
        elif game.stuck:
            self.stuck.setText(game.stuck)
            self.pages.setCurrentWidget(self.stuck)
        elif self.pages.currentWidget() is not self.results or self.results.result is None:
            self.pages.setCurrentWidget(self.results)
            engine: Engine = "auto" if self._uses_compiled else "interpreted"
            self.results.compare(game.schedule(), engine, aim=self._aim)
        for page in (self.cards, self.results, self.stuck):  # as high as what is shown
            policy = page.sizePolicy()
            policy.setVerticalPolicy(
                policy.Policy.Preferred if page is self.pages.currentWidget() else policy.Policy.Ignored
            )
            page.setSizePolicy(policy)

    def _marks(self, offer: Offer | None) -> tuple[SelectedIdle | None, tuple[Pointer, ...]]:
        """Return what points at the slot that is offered."""
        looked = self.verdict.looked_at
        if looked is not None:
            return None, (Pointer(looked.short, slot=looked.slot, seconds=looked.time),)
        if offer is None:
            return None, ()
        idle = SelectedIdle(0, offer.slot, offer.time, self.axis.extent[1])
        return idle, (Pointer("free", slot=offer.slot, seconds=offer.time),)

    def _stay_now(self) -> None:
        """Keep the cursor at the present, or at the decision that is looked at, wherever it is dragged."""
        if self.game is not None:
            looked = self.verdict.looked_at
            self.present.show_at(self.game.now if looked is None else looked.time)

    # ---- the end

    def _on_compared(self, result: HandResult) -> None:
        """Keep the score; what a game ends with, it ends with once."""
        self._lift()
        if self._is_scored:  # seen by another aim
            return
        self.finished.emit(result)
        assert self.game is not None
        seconds = time.monotonic() - self._begun
        score = score_of(self.game, result, self.clock.limit.text, self._tries, seconds)
        try:
            add_score(score)
        except InputError as error:
            self.messages.show_error(error)

    def show_side_by_side(self) -> None:
        """Add the schedule and its rivals as scenarios: one step to undo."""
        game, result = self.game, self.results.result
        if game is None or result is None:
            return
        try:
            self._add_scenarios(game, result)
        except InputError as error:
            self.messages.show_error(error)

    def _add_scenarios(self, game: HandGame, result: HandResult) -> None:
        state, base = self._editor.document.state, self._scenario
        assert base is not None
        if state.workload.digest != game.workload.digest or state.cluster_of(base) != game.cluster:
            raise InputError(CHANGED)
        after = with_rivals(state, replace(base, choice=game.choice), result)
        self._editor.commit("Add the schedule by hand", after)
        self._view_state.activate_scenario(state.next_id)
        self._lift()
        self.notice.emit(f"Your schedule stands beside {len(after.scenarios) - 1} others")
        self.hide()

    def _lift(self) -> None:
        """Lift the veil over the charts of the document, unless a lesson has put it there.

        The time cursor could not stand behind it, and stands there again.
        """
        if self._veils:
            self._veils, (seconds, decision) = False, self._looked_at
            self._view_state.veil.lift()
            if seconds is not None:
                self._view_state.time_cursor.show_at(seconds, decision)

    # ---- events

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        self.clock.stop()
        self.results.forget()
        self.verdict.judge.forget()
        self._lift()
        super().closeEvent(event)

"""What each decision of a game cost, found in a thread while the game goes on, and those that cost most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget
from typing_extensions import override

from core.lessons.hand_costs import costliest, decision_costs
from core.lessons.hand_game import FINISH, replayed
from core.lessons.hand_reach import Reaches
from core.lessons.hand_run import NO_JOB
from core.model.task_types import KIND_WORDS
from core.model.time_text import clock_text
from explorer.widgets.layouts import NO_MARGINS, column, named
from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from core.lessons.hand_costs import HandCost
    from core.lessons.hand_game import HandGame
    from core.lessons.hand_reach import Reach
    from core.lessons.hand_run import HandStanding

DEAREST = "What cost most; click to see where"
COST = Qt.ItemDataRole.UserRole


@dataclass(eq=False)
class _JudgedState:
    """A state of the game: as it stood, where that is kept until it is judged, and how far it can come."""

    standing: HandStanding | None = None
    reach: Reach | None = None


def _judge(
    reaches: Reaches,
    states: Sequence[_JudgedState],
    replay: Callable[[], Iterator[HandStanding]],
    _progress: object,
    should_stop: Callable[[], bool],
) -> None:
    """Judge the states that are not judged yet, in a thread; if it is cancelled, what is judged stays so.

    The game is played again only for states of which nothing was kept.
    """
    again: Iterator[HandStanding | None] = iter([])
    if any(state.reach is None and state.standing is None for state in states):
        again = replay()
    for state, standing in zip(states, chain(again, repeat(None)), strict=False):
        stands = state.standing or standing
        if state.reach is None and stands is not None:
            state.reach = reaches.of(stands, should_stop)
        state.standing = None


class HandJudge(QObject):
    """Follows a game, action by action, and judges its states off the window's thread.

    Signals
    -------
    judged : more is known of what decisions cost
    failed : something could not be judged; the exception
    """

    judged = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states: list[_JudgedState] = []
        self._reaches: Reaches | None = None
        self._aim = ""
        self._worker = Worker(self, finished=self._on_judged, failed=self.failed)

    def begin(self, game: HandGame, aim: str) -> None:
        """Judge a game that has begun, or the whole of one that goes on."""
        self._aim = aim
        from_the_start = game.fork is None
        self._reaches = Reaches(game.workload, game.cluster, aim, from_the_start=from_the_start)
        self._states = [_JudgedState() for _ in game.actions]
        self.follow(game)

    def follow(self, game: HandGame) -> None:
        """Judge the state after the last action; what was taken back is forgotten."""
        if self._reaches is None:
            return
        count = len(game.actions) + 1
        del self._states[count:]
        if len(self._states) < count:
            self._states.append(_JudgedState(game.standing()))
        if any(state.reach is None for state in self._states):
            played = game.workload, game.cluster, game.fork, game.first_forced, tuple(game.actions)
            self._worker.follow(
                partial(_judge, self._reaches, tuple(self._states), partial(replayed, *played))
            )

    def forget(self) -> None:
        """Judge no more."""
        self._worker.cancel()
        self._reaches, self._states = None, []

    @property
    def is_busy(self) -> bool:
        """Whether something is to be judged yet."""
        return any(state.reach is None for state in self._states)

    def costs(self, game: HandGame) -> tuple[HandCost, ...]:
        """Return what the decisions cost, as far as all of them are judged; else nothing."""
        reaches = [state.reach for state in self._states if state.reach is not None]
        if not reaches or len(reaches) != len(game.actions) + 1:
            return ()
        return decision_costs(game.places, reaches, self._aim, is_over=game.is_over)

    def _on_judged(self, _nothing: Any) -> None:  # Any: what a worker returns
        self.judged.emit()


class DearDecisions(QWidget):
    """Lists the decisions that cost most; a click or Enter leads to one.

    Signals
    -------
    chosen : the `HandCost`
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = named(CostList(), DEAREST)
        head = PlainLabel(DEAREST, is_faint=True)
        column(head, self.list, None, parent=self, margins=NO_MARGINS, spacing=2)
        for signal in (self.list.itemClicked, self.list.itemActivated):
            signal.connect(lambda item: self.chosen.emit(item.data(COST)))
        self.hide()

    def show_costs(self, game: HandGame, costs: Sequence[HandCost]) -> None:
        """Show the decisions of a game that cost most; nothing is shown where none did."""
        self.list.clear()
        for cost in costliest(costs):
            item = QListWidgetItem(decision_text(game, cost))
            item.setData(COST, cost)
            item.setToolTip(tooltip(cost.sentence))
            self.list.addItem(item)
        self.list.updateGeometry()
        self.setVisible(self.list.count() > 0)


class CostList(QListWidget):
    """As high as its lines."""

    @override
    def sizeHint(self) -> QSize:
        row = max(self.sizeHintForRow(0), self.fontMetrics().height())
        return QSize(max(self.sizeHintForColumn(0), 0) + 24, self.count() * row + 2 * self.frameWidth())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())


def decision_text(game: HandGame, cost: HandCost) -> str:
    """Return a decision in a line: "0:01 M1: J3's map, cost 9 s (proved)"."""
    action = game.actions[cost.place]
    if action.kind == FINISH:
        what = "FIFO had the rest"
    elif action.job == NO_JOB:
        what = "left free"
    else:
        kind = KIND_WORDS[action.kind] if game.workload.is_map_reduce else "task"
        what = f"{game.workload.jobs[action.job].name}'s {kind}"
    return f"{clock_text(cost.time)} {game.cluster.slot_name(cost.slot)}: {what}, {cost.short}"

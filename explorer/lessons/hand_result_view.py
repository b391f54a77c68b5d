"""What a game by hand is worth, as bars: the own schedule beside the others and the bound, and in words."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from core.lessons.hand_aims import MAKESPAN, aim_text, value_of
from core.lessons.hand_result import HandResult, hand_result
from core.model.cluster import slots_text
from core.model.document_state import MAX_SCENARIOS
from core.model.errors import InputError
from core.model.objectives import OBJECTIVES
from core.model.schedule import PolicyChoice
from core.model.time_text import clock_text, duration_text
from explorer.lessons.hand_judge import DearDecisions
from explorer.lessons.scores import Score
from explorer.widgets.layouts import NO_MARGINS, column, push_button, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.progress import ProgressLine
from explorer.widgets.theme import theme_of
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from core.lessons.hand_game import HandGame
    from core.model.document_state import DocumentState, Scenario
    from core.model.schedule import Schedule
    from core.simulation.simulate import Engine

SECONDS = 5.0
"""Of the search of the best schedule."""
YOURS, BOUND = "Yours", "Lower bound"
AIR, BAR_AIR = 8, 4
SEARCHING = "Searching the best schedule…"


class ResultBar(NamedTuple):
    """A line of the picture: what, its value and that as text, and whether it is the own one or a bound."""

    title: str
    value: float
    text: str
    is_own: bool = False
    is_bound: bool = False


class ResultBars(QWidget):
    """Values of schedules as bars on one scale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars: tuple[ResultBar, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_bars(self, bars: tuple[ResultBar, ...]) -> None:
        """Show other bars."""
        self.bars = bars
        self.setAccessibleName("; ".join(f"{bar.title} {bar.text}" for bar in bars))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(400, len(self.bars) * self._height)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(200, len(self.bars) * self._height)

    @property
    def _height(self) -> int:
        return self.fontMetrics().height() + 2 * BAR_AIR

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme, metrics = theme_of(self), self.fontMetrics()
        names = max((metrics.horizontalAdvance(bar.title) for bar in self.bars), default=0) + 2 * AIR
        values = metrics.horizontalAdvance("59 min 59 s") + 2 * AIR
        room, longest = self.width() - names - values, max((bar.value for bar in self.bars), default=0.0)
        with QPainter(self) as painter:
            for place, bar in enumerate(self.bars):
                line = QRect(0, place * self._height, self.width(), self._height)
                length = round(room * bar.value / longest) if longest > 0 else 0
                painter.setPen(theme.text if bar.is_own else theme.second_text)
                flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
                painter.drawText(line.adjusted(0, 0, names - AIR - line.width(), 0), flags, bar.title)
                box = QRect(names, line.top() + BAR_AIR, max(length, 1), line.height() - 2 * BAR_AIR)
                painter.fillRect(box, theme.accent if bar.is_own else theme.line)
                if bar.is_bound:
                    painter.setPen(theme.second_text)
                    painter.drawRect(box.adjusted(0, 0, -1, -1))
                painter.setPen(theme.text)
                flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
                painter.drawText(line.adjusted(names + length + AIR, 0, 0, 0), flags, bar.text)


class HandResultView(QWidget):
    """Compares a finished game in a worker, and shows the result.

    Signals
    -------
    compared : the `HandResult` is there
    side_by_side_wanted, again_wanted, scores_wanted : what the buttons ask for
    failed : it could not be compared; the exception
    """

    compared = Signal(object)
    side_by_side_wanted = Signal()
    again_wanted = Signal()
    scores_wanted = Signal()
    failed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.result: HandResult | None = None
        self._worker = Worker(self, finished=self._on_compared, failed=self.failed)
        self.bars = ResultBars()
        self.words = PlainLabel(wraps=True)
        self.progress = ProgressLine("How much of the time of the search is over", self._worker)
        self.stop_button = push_button(
            "&Stop", "Be content with the best that is found by now", self._worker.stop
        )
        self.beside_button = push_button(
            "See them side b&y side",
            "Add your schedule and the best ones as scenarios of the document: one step to undo",
            self.side_by_side_wanted,
        )
        self.again_button = push_button("Play &again", "Begin the same game anew", self.again_wanted)
        self.scores_button = push_button("&My scores…", "Show all scores of this machine", self.scores_wanted)
        self.dear = DearDecisions()
        self._searching = QWidget()
        row((self.progress, 1), self.stop_button, parent=self._searching, margins=NO_MARGINS)
        column(
            row((self.bars, 3), (self.dear, 2), spacing=16),
            self.words,
            self._searching,
            row(self.beside_button, self.again_button, self.scores_button, None),
            parent=self,
            margins=NO_MARGINS,
            spacing=6,
        )

    def compare(self, own: Schedule, engine: Engine, seconds: float = SECONDS, aim: str = MAKESPAN) -> None:
        """Begin to compare a finished schedule with others."""
        self.result = None
        self.beside_button.setEnabled(False)
        self.bars.show_bars((_bar(YOURS, value_of(aim, own), aim, is_own=True),))
        self.words.setText(SEARCHING)
        self._searching.show()
        self._worker.follow(partial(hand_result, own, seconds, engine, aim))

    def forget(self) -> None:
        """Compare no more: the game goes on."""
        self._worker.cancel()
        self.result = None

    def _on_compared(self, result: HandResult) -> None:
        self.result = result
        bars = (_bar(YOURS, result.value(result.own), result.aim, is_own=True), *_bars_of(result))
        self.bars.show_bars((*bars, _bar(BOUND, result.bound, result.aim, is_bound=True)))
        self.words.setText(" ".join(result.sentences))
        self._searching.hide()
        self.beside_button.setEnabled(True)
        self.compared.emit(result)


def _bars_of(result: HandResult) -> list[ResultBar]:
    return [
        _bar(rival.title[:1].upper() + rival.title[1:], result.value(rival.schedule), result.aim)
        for rival in result.rivals
    ]


def _bar(title: str, value: float, aim: str, *, is_own: bool = False, is_bound: bool = False) -> ResultBar:
    text = aim_text(aim, value) if OBJECTIVES[aim].unit != "s" else duration_text(value)
    return ResultBar(title, value, text, is_own, is_bound)


def score_of(game: HandGame, result: HandResult, clock: str, tries: int, seconds: float) -> Score:
    """Return the line that a finished game gets in the table of scores."""
    bars = (*_bars_of(result), _bar("bound", result.bound, result.aim))
    own, *others = (bar.text for bar in (_bar(YOURS, result.value(result.own), result.aim), *bars))
    titles = [*(each.title for each in result.rivals), "bound"]
    named = [f"{title} {text}" for title, text in zip(titles, others, strict=True)]
    answer = f"{own}; {', '.join(named[:-1])}; {named[-1]}"
    aim = "" if result.aim == MAKESPAN else f", {OBJECTIVES[result.aim].title.lower()}"
    since = "" if game.fork is None else f" from {clock_text(game.fork.time)}"
    setting = f"{slots_text(game.cluster)}{since}, {clock.lower()}{aim}"
    return Score(f"By hand: {game.workload.name}", 1, setting, answer, result.is_best, tries, seconds)


def with_rivals(state: DocumentState, own: Scenario, result: HandResult) -> DocumentState:
    """Return a document with the own schedule and, as far as there is room, the best of its rivals.

    Those that stand in it already are left out. InputError if there is no room at all.
    """
    room = MAX_SCENARIOS - len(state.scenarios)
    if room < 1:
        raise InputError(f"there are {MAX_SCENARIOS} scenarios already; remove one first")
    added = [own]
    for rival in sorted(result.rivals, key=lambda rival: result.value(rival.schedule)):
        scenario = replace(own, choice=rival.choice or PolicyChoice("fifo"))
        if rival.plan is not None:
            scenario = replace(scenario, fork=None, plan=rival.plan, title="Best found")
        if all(_decided(scenario) != _decided(other) for other in (*state.scenarios, *added)):
            added.append(scenario)
    added = [replace(each, id=state.next_id + place) for place, each in enumerate(added[:room])]
    return replace(state, scenarios=(*state.scenarios, *added), next_id=state.next_id + len(added))


def _decided(scenario: Scenario) -> Scenario:
    """Return all of a scenario but what it is called."""
    return replace(scenario, id=0, title="")

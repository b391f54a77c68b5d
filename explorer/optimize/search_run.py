"""A search at work: in a thread that gives way to everything else, reported thirty times a second."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from core.model.errors import Cancelled
from core.optimize.premise import PLAIN
from core.simulation.proof import NOT_PROVED
from explorer.optimize.gap_meter import Moment
from explorer.widgets.worker import WAITED_FOR, Worker, give_way

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.schedule import Schedule
    from core.optimize.exact_order import BestOrder
    from core.optimize.found import Found
    from core.optimize.premise import Premise
    from core.simulation.proof import Proof
    from explorer.widgets.worker import Work

MAX_MOMENTS = 500


class Prepared(NamedTuple):
    """A search that is ready to begin.

    Attributes
    ----------
    search : searches in the thread: takes (on_found, should_stop) and returns the best; the first is called
        with what was found whenever that is better
    unit : of what is to be small: "s", "jobs", or empty
    value_of : returns that value of any schedule of the same jobs; None where what is found has other
        arrivals or durations than the chart, so that nothing in the chart can be compared with it
    start : that value of the schedule as it is now, None where there is none yet
    best_order : where all orders of the jobs can be searched: does so, and returns the best with its proof
    is_weak : whether the bound may be far below what can be reached
    is_slow : whether it runs without compiled code, which is not there yet
    note : how the chart differs from what was searched for, and what cannot be proved, as sentences
    premise : of which schedules its bounds speak
    prices : finds out what slots are worth when; None where they have no prices
    prove : replays what meets its bound and makes its certificate; takes (found, should_stop)
    """

    search: Callable[[Callable[[Found], None], Callable[[], bool]], Found]
    unit: str
    value_of: Callable[[Schedule], float] | None
    start: float | None = None
    best_order: Callable[[Callable[[], bool]], BestOrder] | None = None
    is_weak: bool = False
    is_slow: bool = False
    note: str = ""
    premise: Premise = PLAIN
    prices: Work | None = None
    prove: Callable[[Found, Callable[[], bool]], Proof] | None = None


class _Notes:
    """What the thread writes and the window reads: the newest of everything."""

    def __init__(self, start: float | None = None) -> None:
        self.start = start
        self.moments: list[Moment] = []
        self.found: Found | None = None
        self.proof = NOT_PROVED
        self.begun = self.ended = 0.0
        self.copies = 0

    @property
    def seconds(self) -> float:
        """How long the search has taken."""
        return (self.ended or perf_counter()) - self.begun if self.begun else 0.0

    def take(self, found: Found) -> None:
        """Note what is found by now."""
        seconds = self.seconds
        if not self.moments:
            start = found.start if self.start is None else self.start
            self.moments.append(Moment(0.0, max(start, found.best), found.bound))
            self.copies = len(found.spread)
        last = self.moments[-1]
        is_other = len(found.spread) != self.copies  # judged at the end: no step of the same line
        if not is_other and (found.best, found.bound) != (last.best, last.bound):
            self.moments.append(Moment(seconds, found.best, found.bound))
        self.found = found


class SearchRun(QObject):
    """Runs one search at a time.

    Attributes
    ----------
    found : the newest that was found, None before
    seconds : how long the search took by now

    Signals
    -------
    moved : something was found, or the bound has risen, or time has passed
    ended : it is over: proved, out of time or stopped; `found` has the best
    failed : it ended with this exception
    """

    moved = Signal()
    ended = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._notes = _Notes()
        self._worker = Worker(
            self, threads=1, progressed=self._on_progressed, finished=self._on_finished, failed=self.failed
        )

    @property
    def is_running(self) -> bool:
        """Whether a search goes on."""
        return self._worker.is_busy

    @property
    def found(self) -> Found | None:
        """The newest that was found."""
        return self._notes.found

    @property
    def proof(self) -> Proof:
        """Whether it is proved that nothing is better: with a certificate that was checked."""
        return self._notes.proof

    @property
    def seconds(self) -> float:
        """How long the search has taken."""
        return self._notes.seconds

    @property
    def moments(self) -> tuple[Moment, ...]:
        """What was found when; the last one is of now."""
        notes = self._notes
        moments = tuple(notes.moments)
        if not moments:
            return ()
        step = len(moments) // MAX_MOMENTS + 1
        last = moments[-1]
        return (*moments[::step], Moment(max(notes.seconds, last.seconds), last.best, last.bound))

    def start(self, prepared: Prepared) -> None:
        """Begin."""
        self._notes = _Notes(prepared.start)
        self._worker.follow(partial(_search, prepared, self._notes))

    def stop(self) -> None:
        """End it soon; what was found stays."""
        self._worker.stop()

    def cancel(self) -> None:
        """End it, and forget it."""
        self._worker.cancel()
        self._notes = _Notes()

    def _on_progressed(self, _fraction: float) -> None:
        if self._notes.found is not None:
            self.moved.emit()

    def _on_finished(self, _answer: object) -> None:
        self.moved.emit()
        self.ended.emit()


def _search(
    prepared: Prepared, notes: _Notes, _progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> None:
    """Search until it is proved, stopped or out of time; in the thread."""
    give_way(WAITED_FOR)
    notes.begun = perf_counter()
    notes.take(found := prepared.search(notes.take, should_stop))
    notes.ended = perf_counter()
    if prepared.prove is not None:
        with suppress(Cancelled):
            notes.proof = prepared.prove(found, should_stop)


def in_the_background(
    search: Callable[[Callable[[], bool]], BestOrder],
    _progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> BestOrder:
    """Search all orders in a thread that gives way to everything else."""
    give_way()
    return search(should_stop)

"""A search at work: in a thread that gives way to everything else, in slices, told a few times a second."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, Signal

from explorer.optimize.gap_meter import Moment
from explorer.widgets.worker import Worker, give_way

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_STEPS = 64
SLICE_SECONDS = 0.1
"""A slice of the search takes about that long: what it has found is told between two of them."""
MOST_MOMENTS = 500


class FoundSoFar(Protocol):
    """What a search has found by now."""

    best: float
    bound: float
    proved: bool
    evaluations: int
    plan: Any
    start: float
    how: str


class Advancing(Protocol):
    """A search that goes on by so many steps at a time."""

    def advance(self, steps: int, should_stop: Callable[[], bool]) -> FoundSoFar:
        """Go on, and return what is found by now."""


class _Notes:
    """What the thread writes and the window reads: the newest of everything."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self.found: FoundSoFar | None = None
        self.seconds = 0.0

    def take(self, seconds: float, found: FoundSoFar) -> None:
        """Note what is found by now."""
        if not self.moments:
            self.moments.append(Moment(0.0, max(found.start, found.best), found.bound))
        last = self.moments[-1]
        if (found.best, found.bound) != (last.best, last.bound):
            self.moments.append(Moment(seconds, found.best, found.bound))
        self.seconds, self.found = seconds, found


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
        self._worker = Worker(self, threads=1)
        self._worker.progressed.connect(self._on_progressed)
        self._worker.finished.connect(self._on_finished)
        self._worker.failed.connect(self.failed)

    @property
    def is_running(self) -> bool:
        """Whether a search goes on."""
        return self._worker.is_busy

    @property
    def found(self) -> FoundSoFar | None:
        """The newest that was found."""
        return self._notes.found

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
        step = len(moments) // MOST_MOMENTS + 1
        last = moments[-1]
        return (*moments[::step], Moment(max(notes.seconds, last.seconds), last.best, last.bound))

    def start(self, make: Callable[[], Advancing], seconds: float | None) -> None:
        """Begin: `make` is called in the thread; after so many seconds it ends, None: once it is proved."""
        self._notes = _Notes()
        self._worker.follow(partial(_search, make, seconds, self._notes))

    def stop(self) -> None:
        """End it soon; what was found stays."""
        self._worker.stop()

    def cancel(self) -> None:
        """End it, and forget it."""
        self._worker.cancel()
        self._notes = _Notes()

    def shutdown(self) -> None:
        """End it, and wait for the thread."""
        self._worker.shutdown()

    def _on_progressed(self, _fraction: float) -> None:
        if self._notes.found is not None:
            self.moved.emit()

    def _on_finished(self, _answer: object) -> None:
        self.moved.emit()
        self.ended.emit()


def _search(
    make: Callable[[], Advancing],
    seconds: float | None,
    notes: _Notes,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> None:
    """Search until it is proved, stopped or out of time; in the thread."""
    give_way()
    begun = perf_counter()
    end = None if seconds is None else begun + seconds

    def is_over() -> bool:
        return should_stop() or (end is not None and perf_counter() >= end)

    search, steps = make(), FIRST_STEPS
    while True:
        before = perf_counter()
        found = search.advance(steps, is_over)
        after = perf_counter()
        notes.take(after - begun, found)
        progress(0.0 if seconds is None else min(1.0, (after - begun) / seconds))
        if found.proved or is_over():
            return
        steps = next_steps(steps, after - before)


def next_steps(steps: int, took: float) -> int:
    """Return how many steps the next slice has, where so many took so many seconds."""
    wanted = steps * SLICE_SECONDS / max(took, 1e-6)
    return max(1, min(round(wanted), 4 * steps))

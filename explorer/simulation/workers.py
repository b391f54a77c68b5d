"""Threads that compute requests; answers come back to the window's thread, numbered, stale ones dropped."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QThreadPool, QTimer, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from explorer.simulation.outcome import Engine, Outcome, Request

    Compute = Callable[[Request, Engine, Callable[[float], None], Callable[[], bool]], Outcome]

MOST_THREADS = 2
PATIENCE_MS = 2000
"""A cancelled run that has not ended after so long is stuck: a user's policy sleeps or waits."""
LAST_PATIENCE_MS = 10_000
"""The window's end waits so long for a user's policy; it may be compiling."""


class Run:
    """One computation in a thread. It touches nothing but its request and its own fields.

    Attributes
    ----------
    number : counts the runs of a window; never used twice
    fraction : how much is done, 0 to 1; written by the thread, read by the window
    """

    def __init__(self, number: int, request: Request, engine: Engine) -> None:
        self.number = number
        self.request = request
        self.engine = engine
        self.fraction = 0.0
        self._stop = threading.Event()

    def stop(self) -> None:
        """Ask the thread to end soon."""
        self._stop.set()

    def execute(self, compute: Compute, answer: Callable[[int, object], None]) -> None:
        """Compute, and answer with the outcome or the exception; unless stopped before it began."""
        result: object = None
        try:
            if not self._stop.is_set():
                result = compute(self.request, self.engine, self._note, self._stop.is_set)
        except Exception as error:  # whatever a policy raises has to reach the window
            result = error
        answer(self.number, result)

    def _note(self, fraction: float) -> None:
        self.fraction = fraction


class Workers(QObject):
    """At most `MOST_THREADS` computations at a time, each request at most once.

    Signals
    -------
    answered : a request and its Outcome or exception; only for requests that are still wanted
    """

    answered = Signal(object, object)
    _arrived = Signal(int, object)

    def __init__(self, compute: Compute, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._compute = compute
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(MOST_THREADS)
        self._number = 0
        self._current: dict[Request, Run] = {}
        self._leaving: dict[int, tuple[Run, float]] = {}
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._count_stuck)
        # queued: the answer is given in a worker's thread and taken in the window's
        self._arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)

    @property
    def is_busy(self) -> bool:
        """Whether any answer is still wanted."""
        return bool(self._current)

    @property
    def started(self) -> int:
        """How many runs have been started so far."""
        return self._number

    def want(self, requests: Collection[Request], engine: Engine) -> None:
        """Compute exactly these requests: cancel others, start those that are not running."""
        for request in [r for r in self._current if r not in requests]:
            self._cancel(request)
        for request in requests:
            run = self._current.get(request)
            if run is not None and run.engine != engine:
                self._cancel(request)
                run = None
            if run is None:
                self._start(request, engine)

    def fraction(self, request: Request) -> float:
        """Return how much of a request is done."""
        run = self._current.get(request)
        return 0.0 if run is None else run.fraction

    def shutdown(self) -> bool:
        """Cancel everything and wait for the threads to end; False if a user's policy does not."""
        self.want((), "interpreted")
        has_own = any(run.request.runs_own_files for run, _since in self._leaving.values())
        self._leaving.clear()
        self._patience.stop()
        return self._pool.waitForDone(LAST_PATIENCE_MS if has_own else -1)

    def _start(self, request: Request, engine: Engine) -> None:
        self._number += 1
        run = self._current[request] = Run(self._number, request, engine)
        self._pool.start(partial(run.execute, self._compute, self._arrived.emit))

    def _cancel(self, request: Request) -> None:
        run = self._current.pop(request)
        run.stop()
        self._leaving[run.number] = (run, time.monotonic())
        if not self._patience.isActive():
            self._patience.start()

    def _count_stuck(self) -> None:
        """Let there be a thread more for each one that is stuck, or nothing would be simulated any more."""
        latest = time.monotonic() - 0.9 * PATIENCE_MS / 1000
        stuck = sum(since < latest for _run, since in self._leaving.values())
        self._pool.setMaxThreadCount(MOST_THREADS + stuck)
        if stuck < len(self._leaving):
            self._patience.start()

    @Slot(int, object)
    def _on_arrived(self, number: int, result: object) -> None:
        if self._leaving.pop(number, None) is not None:
            self._count_stuck()
            return  # it is stale: nobody wants it any more
        for request, run in self._current.items():
            if run.number == number:
                del self._current[request]
                self.answered.emit(request, result)
                return

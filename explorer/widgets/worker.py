"""Work beside the window: functions called in threads, their answers given in the window's thread."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import ref

from PySide6.QtCore import QObject, Qt, QThreadPool, QTimer, Signal, Slot
from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import SignalInstance

    Work = Callable[[Callable[[float], None], Callable[[], bool]], Any]

PROGRESS_INTERVAL_MS = 33
LATER_BY = 10
"""Steps of niceness by which a thread that gives way stands behind the others."""
WAITED_FOR = 2
"""The same where somebody waits for the answer: the window goes first, and other programs are as good."""


def give_way(by: int = LATER_BY) -> None:
    """Let everything else go before this thread, for good: it belongs to a worker with threads of its own.

    Only Linux lets one thread do that; threads that it starts do the same.

    Parameters
    ----------
    by : steps of niceness
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), by)


def gently(work: Work, progress: Callable[[float], None], should_stop: Callable[[], bool]) -> Any:
    """Do some work, and let everything else go before it."""
    give_way()
    return work(progress, should_stop)


class Order(Enum):
    """What a worker does with a function while another one runs.

    LATEST : it waits for the end of that one, whose answer is dropped, in the place of any other that waits
    QUEUE : it waits for its turn; each function is called and answered
    EACH : it is called at once, as far as there are threads
    """

    LATEST = auto()
    QUEUE = auto()
    EACH = auto()


class Call:
    """One call of a function in a thread; it touches no widget.

    Attributes
    ----------
    about : what whoever started it wants to find in it again
    fraction : how much is done, 0 to 1; written by the thread, read by the window
    answer, error : what the function returned or raised, once it has ended
    is_wanted : whether its answer will be told
    """

    def __init__(self, work: Work, about: Any, worker: Worker) -> None:
        self._work, self._worker, self._stop = work, ref(worker), threading.Event()
        self.about = about
        self.fraction = 0.0
        self.answer: Any = None
        self.error: Exception | None = None
        self.is_wanted = True

    def stop(self) -> None:
        """Request that the function ends soon; it then raises Cancelled, which is reported."""
        self._stop.set()

    def drop(self) -> None:
        """Request that the function ends soon, and report nothing of it."""
        self.stop()
        self.is_wanted = False

    def execute(self) -> None:
        """Call the function, in the thread, unless it was cancelled."""
        try:
            if self.is_wanted:
                self.answer = self._work(self._note, self._stop.is_set)
        except Exception as error:  # every failure is told to the window, which knows how to show it
            self.error = error
        with suppress(RuntimeError):  # the program ends, and with it everybody who might listen
            _ends().ended.emit(self)

    def notify(self) -> None:
        """Notify the worker that it has ended, in the window's thread, if there still is that worker."""
        worker = self._worker()
        if worker is not None and isValid(worker):
            worker.on_ended(self)

    def _note(self, fraction: float) -> None:
        self.fraction = fraction


class Worker(QObject):
    """Calls functions in threads: those of all workers, or `threads` of its own.

    Signals
    -------
    finished : a function returned this
    failed : a function raised this exception
    ended : a Call that was told with `finished` or `failed`
    progressed : the fraction done of the oldest run that tells it, 30 times a second
    busy_changed : whether an answer is to come, whenever a run begins or ends
    """

    finished = Signal(object)
    failed = Signal(object)
    ended = Signal(object)
    progressed = Signal(float)
    busy_changed = Signal(bool)

    def __init__(
        self,
        parent: QObject | None = None,
        order: Order = Order.LATEST,
        threads: int = 0,
        **slots: Callable[..., object] | SignalInstance,
    ) -> None:
        """Connect `slots` to the signals of these names."""
        super().__init__(parent)
        for signal, slot in slots.items():
            getattr(self, signal).connect(slot)
        self._order = order
        self._waiting: list[Call] = []
        self._running: list[Call] = []
        self._pool = QThreadPool.globalInstance()
        if threads > 0:
            self._pool = QThreadPool(self, maxThreadCount=threads)
        _ends()  # made in the window's thread
        self._timer = QTimer(self, interval=PROGRESS_INTERVAL_MS)
        self._timer.timeout.connect(self._report)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is to come."""
        return any(run.is_wanted for run in (*self._running, *self._waiting))

    @property
    def running(self) -> tuple[Call, ...]:
        """Runs that have not ended, dropped ones too."""
        return tuple(self._running)

    def start(self, function: Callable[[], object], about: Any = None) -> Call:
        """Call a function that takes no arguments."""
        return self._take(Call(lambda _progress, _should_stop: function(), about, self))

    def start_next(self, function: Callable[[], object]) -> Call:
        """Call a function after the one that runs, in the place of those that wait."""
        self._waiting.clear()
        return self.start(function)

    def follow(self, work: Work, about: Any = None) -> Call:
        """Call a function that takes (progress, should_stop), and report how far it is."""
        self._timer.start()
        return self._take(Call(work, about, self))

    def stop(self) -> None:
        """Request that everything ends soon; what ends early fails with Cancelled."""
        for run in (*self._running, *self._waiting):
            run.stop()

    def cancel(self) -> None:
        """Request that everything ends soon, and report no answer."""
        self._waiting.clear()
        for run in self.running:
            self.drop(run)

    def drop(self, run: Call) -> None:
        """Want one run no more."""
        if run in self._waiting:
            self._waiting.remove(run)
        elif run in self._running and run.is_wanted:
            run.drop()
        self._show_busy()

    def wait(self, at_most_ms: int | None = None) -> bool:
        """Return whether all that was started has ended and is reported; of a worker with own threads."""
        while self._running:
            if not self._pool.waitForDone(-1 if at_most_ms is None else at_most_ms):
                return False
            for run in self.running:
                self.on_ended(run)
        return True

    def shutdown(self) -> None:
        """Want nothing more, and wait for the threads."""
        self.cancel()
        self._pool.waitForDone()

    def _take(self, run: Call) -> Call:
        if self._order is Order.LATEST:
            self.cancel()
        self._waiting.append(run)
        self._start_waiting()
        self._show_busy()
        return run

    def _start_waiting(self) -> None:
        while self._waiting and (self._order is Order.EACH or not self._running):
            run = self._waiting.pop(0)
            self._running.append(run)
            self._pool.start(run.execute)

    def on_ended(self, run: Call) -> None:
        """Report what a run has returned or raised, and begin the next one."""
        if run not in self._running:
            return  # `wait` was faster
        self._running.remove(run)
        self._start_waiting()
        self._show_busy()
        if not run.is_wanted:
            return
        run.is_wanted = False
        self.ended.emit(run)
        if run.error is None:
            self.finished.emit(run.answer)
        else:
            self.failed.emit(run.error)

    def _show_busy(self) -> None:
        is_busy = self.is_busy
        if not is_busy:
            self._timer.stop()
        self.busy_changed.emit(is_busy)

    def _report(self) -> None:
        wanted = [run for run in self._running if run.is_wanted]
        if wanted:
            self.progressed.emit(wanted[0].fraction)


def shutdown_workers(owner: QObject) -> None:
    """Want nothing more of all workers that belong to an object or its parts, and wait for their threads."""
    workers = owner.findChildren(Worker)
    for worker in workers:
        worker.cancel()
    for worker in workers:
        worker.shutdown()


class _Ends(QObject):
    """Carries the ends of runs over to the window's thread.

    One for all workers, for ever: a worker may go while a thread is telling the end of its run, and a signal
    whose object goes meanwhile ends the program.
    """

    ended = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        # queued: told in a thread, and heard in the window's
        self.ended.connect(self._notify_end, Qt.ConnectionType.QueuedConnection)

    @Slot(object)
    def _notify_end(self, run: Call) -> None:
        run.notify()


@cache
def _ends() -> _Ends:
    return _Ends()

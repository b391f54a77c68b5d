"""One piece of slow work off the window's thread: opening files, importing, generating, exporting."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[Callable[[float], None], Callable[[], bool]], Any]

PROGRESS_INTERVAL_MS = 50


class BackgroundTask(QObject):
    """Runs ``work(progress, should_stop)`` in a thread and tells the window's thread how it goes.

    Signals
    -------
    progressed : fraction done, at most 20 times a second
    done : what the work returned
    failed : the exception it raised (Cancelled after `cancel`)
    """

    progressed = Signal(float)
    done = Signal(object)
    failed = Signal(object)
    _ended = Signal(object, object)

    def __init__(self, work: Work, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._fraction = 0.0
        self._stopped = False
        self._timer = QTimer(self, interval=PROGRESS_INTERVAL_MS)
        self._timer.timeout.connect(self._report)
        self._ended.connect(self._on_ended)

    def start(self) -> None:
        """Begin; call once."""
        self._timer.start()
        QThreadPool.globalInstance().start(_Job(self))

    def cancel(self) -> None:
        """Ask the work to stop; it then fails with Cancelled."""
        self._stopped = True

    def run_in_thread(self) -> None:
        """Do the work; called by the pool's thread, touches nothing of Qt but one signal."""
        try:
            result, error = self._work(self._note, self._should_stop), None
        except Exception as failure:  # every failure is told to the window, which knows how to show it
            result, error = None, failure
        with suppress(RuntimeError):  # the window is gone, and with it everybody who might listen
            self._ended.emit(result, error)

    def _note(self, fraction: float) -> None:
        self._fraction = fraction

    def _should_stop(self) -> bool:
        return self._stopped

    def _report(self) -> None:
        self.progressed.emit(self._fraction)

    def _on_ended(self, result: object, error: object) -> None:
        self._timer.stop()
        if error is None:
            self.done.emit(result)
        else:
            self.failed.emit(error)


class _Job(QRunnable):
    """What the pool runs."""

    def __init__(self, task: BackgroundTask) -> None:
        super().__init__()
        self._task = task

    def run(self) -> None:
        self._task.run_in_thread()

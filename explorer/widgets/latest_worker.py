"""Calculate something in a worker thread; only the newest request is answered."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

if TYPE_CHECKING:
    from collections.abc import Callable


class LatestWorker(QObject):
    """Runs functions that take no arguments and touch no widget, one at a time.

    A function that is asked for while another runs waits for its end and replaces any other that waits.

    Signals
    -------
    finished : the newest function returned this
    failed : the newest function raised this exception
    """

    finished = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_running = False
        self._is_wanted = False
        self._waiting: Callable[[], object] | None = None
        # no parent: a worker that outlives this object still has someone to answer
        self._answers = _Answers()
        self._answers.ready.connect(self._on_ready)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is to come."""
        return self._is_wanted

    def start(self, function: Callable[[], object]) -> None:
        """Call a function in a worker; answers of earlier ones are dropped."""
        self._is_wanted = True
        self._waiting = function
        self._run_next()

    def cancel(self) -> None:
        """Let the answer to come be dropped."""
        self._is_wanted = False
        self._waiting = None

    def _run_next(self) -> None:
        if self._is_running or self._waiting is None:
            return
        function, self._waiting = self._waiting, None
        self._is_running = True
        QThreadPool.globalInstance().start(_Work(function, self._answers))

    def _on_ready(self, answer: object, error: object) -> None:
        self._is_running = False
        if self._waiting is not None or not self._is_wanted:
            self._run_next()
            return
        self._is_wanted = False
        if error is None:
            self.finished.emit(answer)
        else:
            self.failed.emit(error)


class _Answers(QObject):
    """Carries answers over to the window's thread."""

    ready = Signal(object, object)


class _Work(QRunnable):
    def __init__(self, function: Callable[[], object], answers: _Answers) -> None:
        super().__init__()
        self._function = function
        self._answers = answers

    def run(self) -> None:
        """Call the function; whatever it raises is answered too, or it would vanish in the thread."""
        try:
            answer, error = self._function(), None
        except Exception as problem:
            answer, error = None, problem
        with suppress(RuntimeError):  # the window is gone, and with it everybody who might listen
            self._answers.ready.emit(answer, error)

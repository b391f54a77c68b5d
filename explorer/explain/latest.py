"""Answers a stream of questions in a worker: each answer is given, and of those that wait only the newest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from explorer.widgets.latest_worker import LatestWorker

if TYPE_CHECKING:
    from collections.abc import Callable


class Latest(QObject):
    """A `LatestWorker` that finishes what it began while questions keep coming, as they do while time plays.

    Signals
    -------
    answered : what a function returned
    failed : the exception that a function raised
    """

    answered = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: Callable[[], object] | None = None
        self._calculation = LatestWorker(self)
        self._calculation.finished.connect(self._on_finished)
        self._calculation.failed.connect(self._on_failed)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is to come."""
        return self._calculation.is_busy

    def ask(self, function: Callable[[], object]) -> None:
        """Call a function in a worker, at once or after the one that runs."""
        if self._calculation.is_busy:
            self._waiting = function
        else:
            self._calculation.start(function)

    def drop(self) -> None:
        """Want no answer to anything asked so far."""
        self._waiting = None
        self._calculation.cancel()

    def _on_finished(self, answer: object) -> None:
        self._ask_next()
        self.answered.emit(answer)

    def _on_failed(self, error: object) -> None:
        self._ask_next()
        self.failed.emit(error)

    def _ask_next(self) -> None:
        function, self._waiting = self._waiting, None
        if function is not None:
            self._calculation.start(function)

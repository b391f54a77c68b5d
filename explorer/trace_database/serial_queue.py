"""Work that must all be done, in its order: changes of the library, jobs on their way into the workload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from explorer.widgets.latest_worker import LatestWorker

if TYPE_CHECKING:
    from collections.abc import Callable


class SerialQueue(QObject):
    """Runs functions in a worker, one after the other; none is dropped for a newer one.

    Signals
    -------
    done : what a function returned
    failed : the exception that a function raised; the next ones are run all the same
    """

    done = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[Callable[[], object]] = []
        self._calculation = LatestWorker(self)
        self._calculation.finished.connect(self._on_done)
        self._calculation.failed.connect(self._on_failed)

    @property
    def is_busy(self) -> bool:
        """Whether something is being done or waits."""
        return self._calculation.is_busy or bool(self._waiting)

    def do(self, function: Callable[[], object]) -> None:
        """Do this, after what waits already."""
        self._waiting.append(function)
        self._next()

    def _next(self) -> None:
        if self._waiting and not self._calculation.is_busy:
            self._calculation.start(self._waiting.pop(0))

    def _on_done(self, answer: object) -> None:
        self.done.emit(answer)
        self._next()

    def _on_failed(self, error: object) -> None:
        self.failed.emit(error)
        self._next()

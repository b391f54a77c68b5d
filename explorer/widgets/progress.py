"""How far a worker is: bars, a dialog with Cancel, and waiting for it while the window goes on painting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QProgressBar, QProgressDialog, QWidget

from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from explorer.widgets.worker import Work

BUSY_HEIGHT_PX = 6
SHOW_AFTER_MS = 500
STEPS = 1000
NO_INPUT = QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents
"""What is typed and clicked meanwhile comes afterwards."""


def show_while_busy(worker: Worker, *parts: QWidget, after_ms: int = 0) -> None:
    """Show parts only while a worker is busy, if that takes so long."""
    for part in parts:
        part.hide()
        if not after_ms:
            worker.busy_changed.connect(part.setVisible)
            continue
        timer = QTimer(part, singleShot=True, interval=after_ms)
        timer.timeout.connect(part.show)
        worker.busy_changed.connect(partial(_show_later, part, timer))


def _show_later(part: QWidget, timer: QTimer, is_busy: bool) -> None:
    if is_busy:
        timer.start()
    else:
        timer.stop()
        part.hide()


class ProgressLine(QProgressBar):
    """How much of its work a worker has done, shown while that is busy, if it takes so long."""

    def __init__(self, accessible_name: str, worker: Worker, after_ms: int = 0) -> None:
        super().__init__(textVisible=False)
        self.setRange(0, 1000)
        self.setAccessibleName(accessible_name)
        worker.progressed.connect(lambda fraction: self.setValue(round(1000 * fraction)))
        worker.busy_changed.connect(lambda is_busy: self.setValue(0 if is_busy else self.value()))
        show_while_busy(worker, self, after_ms=after_ms)


class BusyBar(QProgressBar):
    """A thin bar that moves while a worker is busy, and keeps its room while it is hidden."""

    def __init__(self, accessible_name: str, worker: Worker) -> None:
        super().__init__(textVisible=False)
        self.setRange(0, 0)
        self.setFixedHeight(BUSY_HEIGHT_PX)
        self.setAccessibleName(accessible_name)
        keep = self.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self.setSizePolicy(keep)
        show_while_busy(worker, self)


class ProgressDialog(QProgressDialog):
    """How much of its work a worker has done, with a way to stop it; shown if that takes half a second."""

    def __init__(self, text: str, worker: Worker, window: QWidget) -> None:
        super().__init__(text, "Cancel", 0, STEPS, window)
        self._worker = worker
        self.setWindowTitle("Slotscope")
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setMinimumDuration(SHOW_AFTER_MS)
        self.setValue(0)
        self.canceled.connect(worker.stop)
        worker.progressed.connect(self._show)

    def _show(self, fraction: float) -> None:
        if not self.wasCanceled():
            self.setValue(min(STEPS - 1, round(STEPS * fraction)))

    def end(self) -> None:
        """Close it; the worker goes on if it has not ended."""
        self._worker.progressed.disconnect(self._show)
        self.canceled.disconnect()
        self.close()
        self.deleteLater()


def wait_for(work: Work, text: str, window: QWidget) -> Any:
    """Call a function in a thread, and return or raise what it does; it may be cancelled.

    The window paints meanwhile, but nothing can be done in it: whoever waits finds all as it was.
    """
    worker, loop = Worker(window, threads=1), QEventLoop()
    dialog = ProgressDialog(text, worker, window)
    worker.ended.connect(loop.quit)
    dialog.canceled.connect(loop.quit)
    waited = QTimer(dialog, singleShot=True, interval=SHOW_AFTER_MS)
    waited.timeout.connect(loop.quit)
    waited.start()
    call = worker.follow(work)
    loop.exec(NO_INPUT)
    waited.stop()
    if worker.is_busy:
        dialog.show()  # from now on it keeps input from the window
        loop.exec()
    if worker.is_busy:  # cancelled, so it ends soon
        loop.exec(NO_INPUT)
    worker.wait()  # else the program is told to end
    dialog.end()
    worker.deleteLater()
    if call.error is not None:
        raise call.error
    return call.answer

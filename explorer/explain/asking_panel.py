"""What the panels that explain schedules have in common: they ask a worker, and show the newest answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.model.errors import SlotscopeError
from explorer.document.titles import scenario_title
from explorer.widgets.worker import Order, Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QColor, QShowEvent

    from core.model.schedule import Schedule
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState


FRAME_MS = 33


class FrameTimer(QTimer):
    """Fires once, a frame after `soon` was called first; more calls before that change nothing.

    A timer that is started again by every call would never fire while time plays.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self.setInterval(FRAME_MS)

    def soon(self, *_ignored: object) -> None:
        """Fire a frame from now, unless it is to fire already."""
        if not self.isActive():
            self.start()


class AskingPanel(QWidget):
    """A panel that looks again soon after something changed, and while somebody can see it.

    A subclass asks in `refresh`, shows what `_on_answered` gets, and says in `_show_sentence` why there is
    nothing to show.

    Signals
    -------
    failed : an unexpected exception; what can be said to people is shown here
    """

    failed = Signal(object)

    def __init__(
        self,
        document: Document,
        view_state: ViewState,
        schedule_of: Callable[[int], Schedule | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._view_state, self._schedule_of = document, view_state, schedule_of
        self._colour_of: Callable[[int], QColor] | None = None
        # a queue, though a short one: while time plays, each question begun is answered, then the newest one
        self._worker = Worker(self, Order.QUEUE)
        self._worker.finished.connect(self._on_answered)
        self._worker.failed.connect(self._on_failed)
        self._pause = FrameTimer(self)
        self._pause.timeout.connect(self.refresh)

    # ---- what the window passes in

    def on_schedule_changed(self, _scenario_id: int = 0) -> None:
        """Look at the newest schedule."""
        self._pause.soon()

    def stop(self) -> None:
        """Look no more; the window closes."""
        self._pause.stop()
        self._worker.cancel()

    # ---- asking

    def refresh(self) -> None:
        """Look at how things are now."""
        raise NotImplementedError

    def _on_answered(self, answer: object) -> None:
        raise NotImplementedError

    def _show_sentence(self, sentence: str) -> None:
        raise NotImplementedError

    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, SlotscopeError):
            self._show_sentence(str(error))
        else:
            self.failed.emit(error)

    def _title(self, scenario_id: int) -> str:
        if not self._document.has_scenario(scenario_id):
            return ""
        return scenario_title(self._document.scenario(scenario_id))

    # ---- copying

    def to_text(self) -> str:
        """Return everything that is shown."""
        raise NotImplementedError

    def copy(self) -> None:
        """Put everything on the clipboard."""
        QGuiApplication.clipboard().setText(self.to_text())

    # ---- events

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._pause.soon()

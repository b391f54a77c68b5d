"""What the panels that explain schedules have in common: a worker, of which they show the newest answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.explain.explanation_words import sentence_start
from core.model.errors import SlotscopeError
from explorer.document.titles import title_in
from explorer.widgets.layouts import column, push_button, row
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel
from explorer.widgets.worker import Order, Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QColor, QShowEvent

    from core.model.document_state import Scenario
    from core.model.schedule import Schedule
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState
    from explorer.explain.decision_view import Replays


FRAME_MS = 33
TO_SIMULATED = "A log does not say why: look at the same task, and at the whole run, where it is simulated"


class FrameTimer(QTimer):
    """Fires once, a frame after `soon` was called first; more calls before that change nothing.

    A timer that is started again by every call would never fire while time plays.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, singleShot=True, interval=FRAME_MS)

    def soon(self, *_ignored: object) -> None:
        """Fire a frame from now, unless it is to fire already."""
        if not self.isActive():
            self.start()


@dataclass(frozen=True)
class Subject:
    """What the panels explain.

    Attributes
    ----------
    document, view_state : whose scenarios, and which of them is looked at where
    schedule_of : returns the newest schedule of a scenario, None while there is none
    replays : runs of schedules up to an instant, shared by all panels
    """

    document: Document
    view_state: ViewState
    schedule_of: Callable[[int], Schedule | None]
    replays: Replays


class ExplanationPanel(QWidget):
    """A panel that looks again soon after something changed, and while it can be seen.

    A subclass asks in `refresh`, shows what `_on_answered` gets, and says in `_show_sentence` why there is
    nothing to show.

    Attributes
    ----------
    copy_button : copies everything that is shown
    simulated_button : leads from a record, of which little can be explained, to a simulation of it

    Signals
    -------
    simulated_wanted : the user wants to see the same under the simulated scenario of this id
    failed : an unexpected exception; a SlotscopeError is a sentence that is shown here
    """

    failed = Signal(object)
    simulated_wanted = Signal(int)

    def __init__(self, subject: Subject, copy_help: str) -> None:
        super().__init__()
        self._document, self._view_state = subject.document, subject.view_state
        self._schedule_of, self._replays = subject.schedule_of, subject.replays
        self._colour_of: Callable[[int], QColor] | None = None
        self.copy_button = push_button("Copy", copy_help, self.copy)
        self.simulated_button = push_button("", TO_SIMULATED, self._on_simulated_wanted)
        self.simulated_button.hide()
        for signal in (
            self._view_state.active_scenario_changed,
            self._view_state.selected_task_changed,
            self._document.scenarios_changed,
            self._document.reset,
        ):
            signal.connect(self._offer_simulated)
        # a queue, though a short one: while time plays, each question begun is answered, then the newest one
        self._worker = Worker(self, Order.QUEUE, finished=self._on_answered, failed=self._on_failed)
        self._pause = FrameTimer(self)
        self._pause.timeout.connect(self.refresh)

    def _lay_out(self, shown: QWidget, *offers: QWidget) -> None:
        """Put what is shown below the scope, or in its place a sentence and what is offered."""
        self.scope, self.empty = scope_label(), hint_label("")
        below = [*offers, self.simulated_button]
        buttons = row(None, self.copy_button)
        parts = self.scope, (self.empty, 1), column(*below), (shown, 1), buttons
        column(*parts, parent=self, margins=(6, 6, 6, 6))

    def listen(self, *signals: SignalInstance) -> None:
        """Look again soon after any of these signals."""
        for signal in signals:
            signal.connect(self._pause.soon)

    def set_colours(self, colour_of: Callable[[int], QColor]) -> None:
        """Take the jobs' colours, by place in the workload, as the charts have them."""
        self._colour_of = colour_of
        self._recolour()

    def _recolour(self) -> None:
        """Show other colours, of jobs or of the theme."""

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
            self._show_sentence(sentence_start(str(error)))
        else:
            self.failed.emit(error)

    def _offer_simulated(self) -> None:
        """Offer a simulated scenario where the active one is a record."""
        other = self._simulated()
        self.simulated_button.setVisible(other is not None)
        if other is not None:
            self.simulated_button.setText(
                f"Show {self._what_is_shown()} under {title_in(self._document.state, other)}"
            )

    def _what_is_shown(self) -> str:
        """Return what can be seen where it is simulated."""
        return "this task" if self._view_state.selected_task is not None else "this"

    def _simulated(self) -> Scenario | None:
        """Return the first simulated scenario, where the active one is a record."""
        active = self._view_state.active_scenario
        if not self._document.has_scenario(active) or not self._document.scenario(active).choice.is_record:
            return None
        return next((each for each in self._document.scenarios if not each.choice.is_record), None)

    def _on_simulated_wanted(self) -> None:
        if (other := self._simulated()) is not None:
            self.simulated_wanted.emit(other.id)

    def _title(self, scenario_id: int) -> str:
        if not self._document.has_scenario(scenario_id):
            return ""
        return title_in(self._document.state, self._document.scenario(scenario_id))

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
        self._offer_simulated()
        self._pause.soon()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_pause"):
            self._recolour()


def scope_label() -> ElidedLabel:
    """Return a pale line with the scenario that is explained."""
    label = ElidedLabel()
    label.setForegroundRole(label.palette().ColorRole.PlaceholderText)
    return label


def hint_label(text: str) -> PlainLabel:
    """Return a pale sentence in the middle, for where there is nothing to show."""
    label = PlainLabel(text, wraps=True)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setForegroundRole(label.palette().ColorRole.PlaceholderText)
    return label

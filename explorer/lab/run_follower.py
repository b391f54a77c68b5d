"""Something computed of the run behind the active scenario, in a worker, while it is shown."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from core.model.errors import Cancelled, SlotscopeError
from core.model.schedule import choices_of
from core.policies.own_policies import own_policy
from explorer.explain.explanation_panel import FrameTimer
from explorer.simulation.request import request_of
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from core.model.schedule import Schedule
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState
    from explorer.simulation.request import SimulationRequest
    from explorer.simulation.runner import Runner

A_RECORD = "This is a record of what really ran: no policy of ours decided it."
VEILED = "What comes is veiled; this is shown when the veil is lifted."
CANCELLED = "Cancelled."


class RunRequest(NamedTuple):
    """What an answer depends on; equal ones have equal answers.

    Attributes
    ----------
    request, versions : the run, and the versions of the policy files that it follows
    more : what else was asked
    """

    request: SimulationRequest
    versions: tuple[object, ...]
    more: Hashable


class RunFollower(QObject):
    """Computes again whenever the active scenario, its policy file or the request has changed.

    A subclass says what else is asked in `more`, and computes in `compute`, in a thread.

    Attributes
    ----------
    answer : the newest one, None while there is none
    sentence : what is to be said beside it, or instead of it

    Signals
    -------
    changed : another answer, or a sentence instead
    failed : an unexpected exception
    """

    changed = Signal()
    failed = Signal(object)
    not_yet = "Running …"

    def __init__(self, document: Document, view_state: ViewState, runner: Runner, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._view_state, self._runner = document, view_state, runner
        self.answer: Any = None
        self.sentence = self.not_yet
        self._is_wanted = False
        self._request: RunRequest | None = None
        self.worker = Worker(self, finished=self._on_answered, failed=self._on_failed)
        self._soon = FrameTimer(self)
        self._soon.timeout.connect(self.refresh)
        for signal in (
            view_state.active_scenario_changed,
            view_state.veil.changed,
            document.scenario_changed,
            document.workload_changed,
            document.cluster_changed,
            document.scenarios_changed,
            document.reset,
            runner.outcome_ready,
            runner.failed,
        ):
            signal.connect(self._soon.soon)

    # ---- what a subclass says

    def more(self) -> Hashable:
        """Return what else is requested."""
        return None

    @staticmethod
    def compute(run: RunRequest, progress: Callable[[float], None], should_stop: Callable[[], bool]) -> Any:
        """Compute an answer, in a thread."""
        raise NotImplementedError

    def beside(self, answer: Any) -> str:
        """Return the note beside an answer, "" for none."""
        return ""

    # ---- what is asked

    def want(self, wanted: bool) -> None:
        """Compute from now on, or stop."""
        self._is_wanted = wanted
        self._soon.soon()

    @property
    def schedule(self) -> Schedule | None:
        """The active scenario's schedule, if it is there."""
        outcome = self._runner.outcome(self._view_state.active_scenario)
        return None if outcome is None else outcome.schedule

    @property
    def request(self) -> SimulationRequest:
        """The active scenario's request to the simulator; what a search has found is not searched again."""
        state = self._document.state
        request = request_of(state, state.scenario(self._view_state.active_scenario))
        schedule = self.schedule
        if schedule is None or request.fork is not None or self.is_stale or request.is_by_hand:
            return request
        if schedule.plan is not None:
            return replace(request, plan=schedule.plan)
        return request if schedule.partition is None else replace(request, partition=schedule.partition)

    @property
    def is_stale(self) -> bool:
        """Whether the active scenario's schedule is out of date."""
        return self._runner.is_stale(self._view_state.active_scenario)

    # ---- asking

    def refresh(self) -> None:
        """Compute, unless that was done or nothing shows it."""
        self._soon.stop()
        is_veiled = self._view_state.veil.since(self._view_state.active_scenario) < float("inf")
        request = self.request
        if not self._is_wanted or request.choice.is_record or is_veiled:
            self.worker.cancel()
            self._request = None
            self._show(None, A_RECORD if request.choice.is_record else VEILED if is_veiled else self.not_yet)
            return
        versions = tuple(getattr(own_policy(choice.id), "source", None) for choice in choices_of(request))
        if request.searches and self.is_stale:
            return  # it searches still: what it finds is followed
        wanted = RunRequest(request, versions, self.more())
        if wanted == self._request:
            if self.answer is not None and not self.worker.is_busy:
                self._show(self.answer, self.beside(self.answer))  # the schedule may be another one
            return
        is_same_run = self._request is not None and self._request.request == request
        self._request = wanted
        if self.answer is not None and not is_same_run:
            self._show(None, self.not_yet)
        self.worker.follow(partial(self.compute, wanted))

    def again(self) -> None:
        """Compute once more, although nothing has changed."""
        self._request = None
        self.refresh()

    def cancel(self) -> None:
        """Give up what is being computed."""
        self.worker.cancel()
        self._show(self.answer, CANCELLED)

    def close(self) -> None:
        """End what runs."""
        self._soon.stop()
        self._is_wanted = False
        self.worker.cancel()

    def _on_answered(self, answer: object) -> None:
        self._show(answer, self.beside(answer))

    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, Cancelled):
            return
        if isinstance(error, SlotscopeError):
            self._show(None, str(error))
        else:
            self.failed.emit(error)

    def _show(self, answer: Any, sentence: str) -> None:
        if (answer, sentence) != (self.answer, self.sentence):
            self.answer, self.sentence = answer, sentence
            self.changed.emit()

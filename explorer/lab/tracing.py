"""The traced run behind the active scenario: made in a worker while somebody looks, the newest alone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from core.explain.expressions import Vocabulary, completions
from core.explain.recorder import ASKED
from core.explain.trace import Trace, Wanted, WatchFor
from core.explain.traced_run import traced_run
from core.model.errors import Cancelled, SlotscopeError
from core.model.execution_history import RECORDED
from core.model.schedule import choices_of
from core.policies.registry import own_policy
from explorer.explain.asking_panel import FrameTimer
from explorer.simulation.outcome import request_of
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.schedule import Schedule
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState
    from explorer.simulation.outcome import SimulationRequest
    from explorer.simulation.runner import Runner

WINNER, ALL, STOP = "winner", "all", "stop"
"""Of whom something is asked: of the job that gets the slot, of every candidate; or where to stop."""
NOT_YET = "Tracing …"
A_RECORD = "This is a record of what really ran: no policy decided it, so there is nothing to trace."
VEILED = "What comes is veiled; the trace is shown when the veil is lifted."
CANCELLED = "Cancelled. Change a watch, or save the policy file, to trace again."
DICE = "This run took other decisions than the chart shows: the policy does not depend on the run alone."


class TraceRequest(NamedTuple):
    """What a traced run depends on; equal ones have equal traces."""

    request: SimulationRequest
    versions: tuple[object, ...]
    wanted: Wanted


class Tracing(QObject):
    """Traces the active scenario again whenever it, its policy file or what is watched has changed.

    Signals
    -------
    changed : another trace, or a sentence instead
    failed : an unexpected exception
    busy_changed : whether a run goes on
    """

    changed = Signal()
    failed = Signal(object)
    busy_changed = Signal(bool)

    def __init__(self, document: Document, view_state: ViewState, runner: Runner, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._view_state, self._runner = document, view_state, runner
        self.items: tuple[tuple[str, str], ...] = ()
        self.trace: Trace | None = None
        self.sentence = NOT_YET
        self._is_wanted = False
        self._asked: TraceRequest | None = None
        self.worker = Worker(self)
        self.worker.finished.connect(self._on_traced)
        self.worker.failed.connect(self._on_failed)
        self._soon = FrameTimer(self)
        self._soon.timeout.connect(self.refresh)
        for signal in (
            *(view_state.active_scenario_changed, view_state.veil.changed, document.scenario_changed),
            *(document.workload_changed, document.cluster_changed, document.scenarios_changed),
            *(document.reset, runner.outcome_ready, runner.failed),
        ):
            signal.connect(self._soon.soon)

    # ---- what is asked

    def want(self, wanted: bool) -> None:
        """Trace from now on, or stop."""
        self._is_wanted = wanted
        self._soon.soon()

    def watch(self, items: Sequence[tuple[str, str]]) -> None:
        """Watch these expressions and stop at these conditions: pairs of whom, and the text."""
        self.items = tuple(items)
        self._soon.soon()

    @property
    def wanted(self) -> Wanted:
        """What the core is asked."""
        return Wanted(
            tuple(WatchFor(text, whom == ALL) for whom, text in self.items if whom != STOP),
            tuple(text for whom, text in self.items if whom == STOP),
        )

    @property
    def schedule(self) -> Schedule | None:
        """The active scenario's schedule, if it is there."""
        outcome = self._runner.outcome(self._view_state.active_scenario)
        return None if outcome is None else outcome.schedule

    @property
    def request(self) -> SimulationRequest:
        """What the active scenario asks of the simulator."""
        state = self._document.state
        return request_of(state, state.scenario(self._view_state.active_scenario))

    def words(self) -> tuple[str, ...]:
        """Return what may be typed into an expression about the active scenario."""
        workload, request = self._document.workload, self.request
        policy = own_policy(request.choice.id)
        parameters = () if policy is None else (each.name for each in policy.parameters)
        values = dict.fromkeys((*request.choice.parameters, *parameters))
        jobs = tuple(job.name for job in workload.jobs)
        return completions(Vocabulary(jobs, (), dict.fromkeys(ASKED), values))

    # ---- asking

    def refresh(self) -> None:
        """Trace, unless that was done or nobody looks."""
        self._soon.stop()
        if not self._is_wanted:
            self._drop()
            self._asked = None
            if self.trace is not None:
                self._show(None, NOT_YET)
            return
        request = self.request
        if request.choice.id == RECORDED or self._is_veiled():
            self._drop()
            self._asked = None
            self._show(None, A_RECORD if request.choice.id == RECORDED else VEILED)
            return
        versions = tuple(getattr(own_policy(choice.id), "source", None) for choice in choices_of(request))
        asked = TraceRequest(request, versions, self.wanted)
        if asked == self._asked:
            return
        is_same_scenario = self._asked is not None and self._asked.request == request
        self._asked = asked
        if self.trace is not None and not is_same_scenario:
            self._show(None, NOT_YET)
        self.worker.follow(partial(_traced, asked))
        self.busy_changed.emit(True)

    def _is_veiled(self) -> bool:
        return self._view_state.veil.since(self._view_state.active_scenario) < float("inf")

    def cancel(self) -> None:
        """Give the run up that goes on."""
        self.worker.cancel()
        self.busy_changed.emit(False)
        self._show(self.trace, CANCELLED)

    def close(self) -> None:
        """End what runs."""
        self._soon.stop()
        self._is_wanted = False
        self.worker.cancel()

    def _drop(self) -> None:
        if self.worker.is_busy:
            self.worker.cancel()
            self.busy_changed.emit(False)

    def _on_traced(self, trace: object) -> None:
        assert isinstance(trace, Trace)
        self.busy_changed.emit(False)
        schedule = self.schedule
        is_other = schedule is not None and trace.fault is None and trace.differs_from(schedule)
        told = str(trace.fault.sentence) if trace.fault is not None else DICE if is_other else ""
        self._show(trace, told)

    def _on_failed(self, error: Exception) -> None:
        self.busy_changed.emit(False)
        if isinstance(error, Cancelled):
            return
        if isinstance(error, SlotscopeError):
            self._show(None, str(error))
        else:
            self.failed.emit(error)

    def _show(self, trace: Trace | None, sentence: str) -> None:
        self.trace, self.sentence = trace, sentence
        self.changed.emit()


def _traced(asked: TraceRequest, progress: object, should_stop: object) -> Trace:
    request = asked.request
    return traced_run(
        request.workload,
        request.cluster,
        request.choice,
        asked.wanted,
        order=request.order,
        partition=request.partition,
        plan=request.plan,
        fork=request.fork,
        progress=progress,  # type: ignore[arg-type]  # as workers give them
        should_stop=should_stop,  # type: ignore[arg-type]
    )

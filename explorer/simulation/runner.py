"""Keeps a schedule for every scenario of the document, and for the order under a drag."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QObject, QTimer, Signal

from core.engine.variants import TYPED
from core.model.document_state import MAX_SCENARIOS
from core.model.errors import Cancelled, SlotscopeError
from core.model.execution_history import SlotsBy
from core.model.kept_answers import forget_answers
from core.model.partition import job_problems
from core.model.progress import never_stop, no_progress
from core.policies.composing.kernel import kernels_are_loaded
from core.policies.policy import Policy
from explorer.document.choices import check_order
from explorer.simulation.outcome import (
    MAX_TASKS_AT_ONCE,
    MAX_TASKS_TRIED,
    TRIAL_MS,
    Engine,
    Outcome,
    OutcomeCache,
    compute,
)
from explorer.simulation.refined_bounds import RefinedBounds
from explorer.simulation.request import SimulationRequest, request_of
from explorer.widgets.worker import Call, Order, Worker, shutdown_workers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from core.model.errors import FailedRun
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.workload import Workload
    from explorer.document.document import Document

    Compute = Callable[[SimulationRequest, Engine, Callable[[float], None], Callable[[], bool]], Outcome]

MAX_THREADS = 2
MANY_JOBS, SHOWING_MS = 5000, 150
"""Another document of so many jobs is simulated that much later: its panels fill while no thread computes."""


class Runner(QObject):
    """Listens to the document, requests what is missing from the workers, and drops what is no longer wanted.

    Whatever an edit changes, each scenario is asked for once, when the event loop is reached. An answer that
    is in the cache (undo, a drop after its preview) is given at once. Threads see only frozen requests.

    Signals
    -------
    outcome_ready : scenario id and its new Outcome
    failed : scenario id and the exception that its simulation ended with
    progressed : scenario id and the fraction done, at most 30 times a second
    busy_changed : whether anything is being computed
    preview_ready : scenario id and the Outcome of the order under the drag
    preview_ended : scenario id whose own outcome holds again
    """

    outcome_ready = Signal(int, object)
    failed = Signal(int, object)
    progressed = Signal(int, float)
    busy_changed = Signal(bool)
    preview_ready = Signal(int, object)
    preview_ended = Signal(int)

    def __init__(
        self,
        document: Document,
        compute: Compute = compute,
        cache: OutcomeCache | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._slots_by = SlotsBy.JOB
        self._compute = compute
        self._cache = OutcomeCache() if cache is None else cache
        self._may_compile = self._uses_all = False
        self._wanted: dict[int, SimulationRequest] = {}
        self._missing: dict[int, SimulationRequest] = {}
        self._missing_previews: dict[int, SimulationRequest] = {}
        self._previewed: set[int] = set()
        self._outcomes: dict[int, Outcome] = {}
        self._failures: dict[int, Exception] = {}
        self._was_busy = False
        self._runs: dict[tuple[SimulationRequest, Engine], Call] = {}
        self._trials: dict[int, SimulationRequest] = {}  # to be computed by compiled code, too
        self._compiled: set[str] = set()  # the versions of users' files for which that was done
        self._bounds = RefinedBounds(self)
        self._bounds.found.connect(self._on_bound_found)
        self._worker = self._new_worker(MAX_THREADS)
        self._worker_apart = self._new_worker(MAX_SCENARIOS)
        self._refresh_timer = QTimer(self, singleShot=True, interval=0)
        self._refresh_timer.timeout.connect(self._refresh)
        self._trial_timer = QTimer(self, singleShot=True, interval=TRIAL_MS)
        self._trial_timer.timeout.connect(self._compute_missing)
        for signal in (document.workload_changed, document.cluster_changed, document.scenarios_changed):
            signal.connect(self.look_again)
        document.scenario_changed.connect(self.look_again)
        document.reset.connect(self._on_reset)

    def _new_worker(self, threads: int) -> Worker:
        return Worker(self, Order.EACH, threads, ended=self._on_ended, progressed=self._report_progress)

    def _worker_of(self, request: SimulationRequest) -> Worker:
        """Return the worker for a request: threads that wait for users' files hold up no others."""
        return self._worker_apart if request.runs_own_files else self._worker

    # What it knows

    def outcome(self, scenario_id: int) -> Outcome | None:
        """Return a scenario's last outcome (see `is_stale`); None before the first and after a failure.

        Where a user's policy file fails before the run, that of the same jobs stays; `failed` has said so.
        """
        return self._outcomes.get(scenario_id)

    def failed_run(self, scenario_id: int) -> FailedRun | None:
        """Return how far a scenario's last run came, if it failed, until it is requested anew."""
        return getattr(self._failures.get(scenario_id), "run", None)

    @property
    def uses_compiled(self) -> bool:
        """Whether the compiled engine is there, for all that follows an order."""
        return self._uses_all or (self._may_compile and kernels_are_loaded(Policy, TYPED))

    def pools(self, scenario_id: int) -> Partition | None:
        """Return the pools of a scenario: made by hand, else those that its policy made; None without any."""
        state = self._document.state
        plan = state.plan_of(state.scenario(scenario_id))
        by_hand = state.partition_of(state.scenario(scenario_id)) if plan is None else plan.partition
        if by_hand is not None or (outcome := self.outcome(scenario_id)) is None:
            return by_hand
        partition = outcome.schedule.partition
        return None if partition is None or job_problems(partition, state.workload) else partition

    def is_stale(self, scenario_id: int) -> bool:
        """Whether a scenario's own schedule is still being computed, or is about to be."""
        is_known = scenario_id in self._wanted and scenario_id not in self._missing
        return not is_known or self._refresh_timer.isActive()

    @property
    def is_busy(self) -> bool:
        """Whether anything is being computed or about to be."""
        return bool(self._runs or self._trials) or self._refresh_timer.isActive()

    # What it does

    def look_again(self) -> None:
        """Request soon what is different now, at first for every scenario of the document."""
        if not self._refresh_timer.isActive():
            self._refresh_timer.start(0)

    def use_compiled(self, *, all_of_it: bool = True) -> None:
        """Use compiled code from now on, or what is loaded of it; slow runs start again with it."""
        self._may_compile, self._uses_all = True, self._uses_all or all_of_it
        self._compute_missing()

    def _is_fast(self, request: SimulationRequest) -> bool:
        """Whether a request is computed by compiled code."""
        with suppress(SlotscopeError):  # its policy cannot run
            return self._uses_all or (self._may_compile and request.is_loaded)
        return False

    def number_slots(self, by: SlotsBy) -> None:
        """Number the slots of a record by hosts, or by the jobs that held them."""
        self._slots_by = by
        self.look_again()

    def cancel(self) -> None:
        """Stop everything that runs; the scenarios concerned fail with Cancelled until they are edited."""
        self._catch_up()  # a scenario may be gone since
        for scenario_id in tuple(self._missing):
            del self._missing[scenario_id], self._wanted[scenario_id]
            self.failed.emit(scenario_id, Cancelled("the simulation was cancelled"))
        self._missing_previews.clear()
        self._trials.clear()
        self._compute_missing()

    def shutdown(self) -> None:
        """Cancel everything and wait for the threads; the runner is of no use afterwards."""
        self._refresh_timer.stop()
        self._trial_timer.stop()
        for wanted in (self._missing, self._missing_previews, self._trials, self._runs):
            wanted.clear()
        shutdown_workers(self)
        self._note_busy()

    def wait_until_idle(self, timeout_ms: int = 10_000) -> bool:
        """Run the event loop until nothing is computed; False if it takes longer. For tests and pictures."""
        deadline = QDeadlineTimer(timeout_ms)
        loop = QEventLoop()
        alarm = QTimer(singleShot=True)
        alarm.timeout.connect(loop.quit)
        self.busy_changed.connect(loop.quit)
        while self.is_busy and not deadline.hasExpired():
            if self._refresh_timer.isActive():
                self._catch_up()
            else:
                alarm.start(deadline.remainingTime())
                loop.exec()
        alarm.stop()
        self.busy_changed.disconnect(loop.quit)
        return not self.is_busy

    # Live previews

    def preview(
        self,
        scenario_id: int,
        order: Sequence[str] | None = None,
        partition: Partition | None = None,
        workload: Workload | None = None,
        moved: Collection[str] = (),
    ) -> None:
        """Simulate a scenario with another order, other pools or other jobs, for a drag: the latest wins.

        `moved` are the jobs that are dragged: a plan gives them other dates. Small ones are answered now.
        """
        state = self._document.state
        checked = None if order is None else check_order(order, state.workload)
        request = request_of(state, state.scenario(scenario_id), checked, partition, workload, moved)
        self._preview(scenario_id, request)

    def preview_plan(self, scenario_id: int, plan: Plan) -> None:
        """Simulate a scenario with a plan likewise, in a thread: a search has found it, it is not dragged."""
        state = self._document.state
        planned = replace(state.scenario(scenario_id), order=None, partition=None, plan=plan)
        self._preview(scenario_id, request_of(state, planned), later=True)

    def _preview(self, scenario_id: int, request: SimulationRequest, *, later: bool = False) -> None:
        self._previewed.add(scenario_id)
        self._missing_previews[scenario_id] = request
        try:
            outcome = self._cache.get(request) or (None if later else self._at_once(request))
        except SlotscopeError as error:
            del self._missing_previews[scenario_id]
            self.failed.emit(scenario_id, error)
            outcome = None
        if outcome is not None:
            del self._missing_previews[scenario_id]
            self.preview_ready.emit(scenario_id, self._bounds.refined(outcome))
        self._compute_missing()

    def end_preview(self, scenario_id: int) -> None:
        """End a drag, dropped or not: an answer that is still on its way is not wanted any more.

        After a drop, what was previewed is the scenario's own outcome; it is given before the preview ends.
        """
        self._missing_previews.pop(scenario_id, None)
        self._catch_up()
        if scenario_id in self._previewed:
            self._previewed.remove(scenario_id)
            self._compute_missing()
            self.preview_ended.emit(scenario_id)

    def _at_once(self, request: SimulationRequest) -> Outcome | None:
        is_long = request.tasks > MAX_TASKS_AT_ONCE or request.searches or request.runs_own_files
        if is_long or not self._is_fast(request):
            return None
        self._cache.put(request, outcome := self._compute(request, "compiled", no_progress, never_stop))
        return outcome

    # Following the document

    def _on_reset(self) -> None:
        self._refresh_timer.stop()
        for scenario_id in tuple(self._previewed):
            self.end_preview(scenario_id)
        for known in (self._wanted, self._missing, self._trials, self._outcomes, self._failures):
            known.clear()
        self._cache.forget_others(self._document.workload)
        forget_answers()
        self._compute_missing()
        is_large = len(self._document.workload.jobs) > MANY_JOBS
        self._refresh_timer.start(SHOWING_MS if is_large else 0)

    def _catch_up(self) -> None:
        """Request at once what an edit changed, if that is still to be done."""
        if self._refresh_timer.isActive():
            self._refresh_timer.stop()
            self._refresh()

    def _refresh(self) -> None:
        state = self._document.state
        wanted = {
            scenario.id: request_of(state, scenario, slots_by=self._slots_by) for scenario in state.scenarios
        }
        for gone in self._wanted.keys() - wanted.keys():
            for known in (self._missing, self._trials, self._outcomes, self._failures):
                known.pop(gone, None)
            self.end_preview(gone)
        changed = {i: request for i, request in wanted.items() if request != self._wanted.get(i)}
        self._wanted = wanted
        self._missing.update(changed)
        for scenario_id, request in changed.items():
            self._trials.pop(scenario_id, None)
            self._failures.pop(scenario_id, None)
            outcome = self._cache.get(request)
            if outcome is not None:
                self._give(scenario_id, outcome)
        self._compute_missing()

    def _compute_missing(self) -> None:
        """Compute what is missing and nothing else, each request once; but see `MAX_TASKS_TRIED`."""
        for missing in [each for each in self._missing.items() if each not in self._trials.items()]:
            if self._is_trial(missing[1]) and self._is_fast(missing[1]):
                self._trials.update([missing])
                self._trial_timer.start()
        requests = dict.fromkeys((*self._missing_previews.values(), *self._missing.values()))
        wanted = [(request, self._engine_for(request)) for request in requests]
        if not self._trial_timer.isActive():
            wanted += [(request, "compiled") for request in self._trials.values()]
        for run in [run for run in self._runs if run not in wanted]:
            self._worker_of(run[0]).drop(self._runs.pop(run))
        for run in wanted:
            if run not in self._runs:
                self._runs[run] = self._worker_of(run[0]).follow(partial(self._compute, *run), about=run)
        self._note_busy()

    def _engine_for(self, request: SimulationRequest) -> Engine:
        """Return what computes a request first; a long run loads what is in the cache itself."""
        is_fast = self._is_fast(request) or self._is_worth_loading(request)
        return "compiled" if is_fast and not self._is_trial(request) else "interpreted"

    @staticmethod
    def _is_worth_loading(request: SimulationRequest) -> bool:
        with suppress(SlotscopeError):  # its policy cannot run
            return request.is_worth_loading
        return False

    def _is_trial(self, request: SimulationRequest) -> bool:
        """Whether it follows a version of a user's file that has no compiled code yet, and is no long run."""
        return request.tasks <= MAX_TASKS_TRIED and not request.own_files <= self._compiled

    def _on_ended(self, run: Call) -> None:
        request, engine = run.about
        result = run.answer if run.error is None else run.error
        del self._runs[request, engine]
        if isinstance(result, Outcome):
            self._cache.put(request, result)
        self._catch_up()  # an edit since may have taken the scenario away
        if engine == "compiled":
            self._compiled |= request.own_files
        for scenario_id in [i for i, missing in self._missing.items() if missing == request]:
            self._give(scenario_id, result)
        for scenario_id in [i for i, trial in self._trials.items() if trial == request]:
            self._end_trial(scenario_id, engine, result)
        for scenario_id in [i for i, missing in self._missing_previews.items() if missing == request]:
            del self._missing_previews[scenario_id]
            if isinstance(result, Outcome):
                self.preview_ready.emit(scenario_id, self._bounds.refined(result))
            else:
                self.failed.emit(scenario_id, result)
        self._compute_missing()

    def _end_trial(self, scenario_id: int, engine: Engine, result: object) -> None:
        """Compile nothing that fails; show the compiled code's error only where it differs."""
        if engine == "interpreted" and isinstance(result, Outcome):
            return
        del self._trials[scenario_id]
        shown = self._outcomes.get(scenario_id)
        if isinstance(result, Outcome) and shown is not None and not result.has_same_schedule(shown):
            self._missing[scenario_id] = self._wanted[scenario_id]
            self._give(scenario_id, result)

    def _give(self, scenario_id: int, result: Any) -> None:  # an Outcome, or an exception
        del self._missing[scenario_id]
        if isinstance(result, Outcome):
            self._bounds.look_at(result)
            self._outcomes[scenario_id] = outcome = self._bounds.refined(result)
            self.outcome_ready.emit(scenario_id, outcome)
        else:
            self._failures[scenario_id] = result
            if self.failed_run(scenario_id) is not None or not self._still_holds(scenario_id):
                self._outcomes.pop(scenario_id, None)
            self.failed.emit(scenario_id, result)

    def _on_bound_found(self) -> None:
        """Give outcomes again whose bound is better now; a drag is shown with it from its next step on."""
        for scenario_id, outcome in tuple(self._outcomes.items()):
            refined = self._bounds.refined(outcome)
            if refined is not outcome:
                self._outcomes[scenario_id] = refined
                if scenario_id not in self._previewed:
                    self.outcome_ready.emit(scenario_id, refined)

    def _still_holds(self, scenario_id: int) -> bool:
        """Whether the last outcome is of the same jobs on the same slots: only a user's file has failed."""
        request, outcome = self._wanted.get(scenario_id), self._outcomes.get(scenario_id)
        if request is None or outcome is None or not request.runs_own_files:
            return False
        run, inputs = outcome.schedule, (request.cluster, request.order, request.plan, request.workload)
        return (run.cluster, run.order, run.plan, run.given) == inputs

    # Telling how it goes

    def _note_busy(self) -> None:
        busy = bool(self._runs or self._trials)
        if busy != self._was_busy:
            self._was_busy = busy
            self.busy_changed.emit(busy)

    def _report_progress(self) -> None:
        for scenario_id, request in tuple(self._missing.items()):
            runs = (run.fraction for (started, _), run in self._runs.items() if started == request)
            self.progressed.emit(scenario_id, max(runs, default=0.0))

"""What the simulator answers, and a cache of it: frozen values that any thread may hold."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from typing_extensions import override

from core.explain.overlap_marks import overlap_marks
from core.fidelity.history_schedule import history_schedule
from core.measures.below_bound import bound_reason
from core.measures.job_ends import job_ends, late_jobs
from core.measures.metrics import Metrics, measure
from core.model.errors import InputError, PolicyFault
from core.model.kept_answers import kept
from core.planning.estimated_makespan import Estimates, estimate, estimate_of
from core.simulation.fork import simulate_fork
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.execution_history import SlotsBy
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from explorer.simulation.request import SimulationRequest


Engine = Literal["compiled", "interpreted"]
MAX_TASKS_AT_ONCE = 60_000
"""A drag over a workload up to this size is simulated between two frames, in the window's own thread."""

MAX_TASKS_TRIED, TRIAL_MS = 60_000, 1000
"""A new version of a user's file runs interpreted at first, where it is no more tasks: that is sooner there.
So much later, if nobody has saved another version, it is compiled as well."""


@dataclass(frozen=True)
class Outcome:
    """One simulated scenario with its figures.

    Attributes
    ----------
    schedule : which task ran where and when
    metrics : makespan, utilisation and so on
    estimates : the Min and Max strategies, without simulation; None where jobs arrive after 0 or slots are
        untyped
    own_estimate : the same for the schedule's own order; None there and where the policy does not follow one
    computed : for an order, pools or a plan, what the policy itself would have done; else None. Not for
        a policy that has to search first: a drag cannot wait for that
    bound_why : why no schedule is shorter than the lower bound, as the end of "since ..."; of what really ran
        below it why it is
    rows : a large schedule, and the computed one, sorted into rows, as charts draw them, whose type only they
        know; else nothing
    """

    schedule: Schedule
    metrics: Metrics
    estimates: Estimates | None
    own_estimate: float | None = None
    computed: Schedule | None = None
    bound_why: str = ""
    rows: tuple[Any, ...] = field(default=(), compare=False, repr=False)

    def has_same_schedule(self, other: Outcome) -> bool:
        """Whether each task runs where and when it does in another outcome, with the same notes."""
        one, two = self.schedule, other.schedule
        return one.interpreted_because == two.interpreted_because and all(
            np.array_equal(getattr(one, name), getattr(two, name), equal_nan=True)
            for name in ("slot", "sequence", "start", "shuffled", "end", "finish")
        )

    @property
    def lower_bound(self) -> float:
        """No schedule that keeps the premise is shorter, in seconds."""
        return self.metrics.lower_bound

    @property
    def premise(self) -> str:
        """What the bound takes for granted, in words."""
        return self.metrics.premise.words

    @property
    def makespan(self) -> float:
        """When the last job departs, in seconds."""
        return self.metrics.makespan

    @cached_property
    def job_order(self) -> tuple[str, ...]:
        """Names of the jobs, first served first: where a drag begins."""
        jobs = self.schedule.workload.jobs
        return tuple(jobs[i].name for i in np.argsort(self.schedule.rank, kind="stable"))

    @cached_property
    def job_ends(self) -> dict[str, float]:
        """When each job departed, by name, in seconds."""
        return job_ends(self.schedule)

    @cached_property
    def late_jobs(self) -> dict[str, float]:
        """The jobs that miss their deadlines, by name, with how late they are in seconds."""
        return late_jobs(self.schedule)


def compute(
    request: SimulationRequest,
    engine: Engine,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> Outcome:
    """Simulate and measure; raises what `core.simulation.simulate.simulate` raises."""
    schedule = _schedule_of(request, engine, progress, should_stop)
    _prepare_for_drawing(schedule)
    own_estimate = estimate_of(schedule)
    has_span = own_estimate is not None and schedule.partition is None
    estimates = estimate(request.workload, request.cluster) if has_span else None
    own = replace(request, order=None, partition=None, plan=None)
    computed = _computed(own, engine, _Stop(should_stop)) if request.is_by_hand and not own.searches else None
    metrics = measure(schedule)
    why = bound_reason(schedule, metrics)
    outcome = Outcome(schedule, metrics, estimates, own_estimate, computed, why)
    _ = outcome.job_order, outcome.job_ends, outcome.late_jobs  # kept with it, so that a thread looks them up
    return outcome


def _schedule_of(
    request: SimulationRequest,
    engine: Engine,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Schedule:
    """Simulate, from the beginning or going on from a fork; or return what a log recorded."""
    if request.choice.is_record:
        return _recorded(request.workload, request.slots_by)
    run = simulate if request.fork is None else partial(simulate_fork, fork=request.fork)
    return run(
        request.workload,
        request.cluster,
        request.choice,
        order=request.order,
        partition=request.partition,
        plan=request.plan,
        progress=progress,
        should_stop=should_stop,
        engine=engine,
    )


def _recorded(workload: Workload, slots_by: SlotsBy) -> Schedule:
    if workload.recorded is None:
        raise InputError(
            f"{workload.name} does not say what really ran; import a log with the times of its tasks, "
            "or choose a policy"
        )
    return history_schedule(workload, workload.recorded, slots_by)


class _Stop:
    """Whether to stop: it is no part of what is computed, so all of them are equal."""

    def __init__(self, should_stop: Callable[[], bool]) -> None:
        self.should_stop = should_stop

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Stop)

    @override
    def __hash__(self) -> int:
        return 0


@kept(8)
def _computed(request: SimulationRequest, engine: Engine, stop: _Stop) -> Schedule | None:
    """Simulate the policy's own order; kept, since a drag needs it at every step."""
    try:
        schedule = _schedule_of(request, engine, should_stop=stop.should_stop)
    except (PolicyFault, InputError):
        return None  # an order made by hand holds, whatever the policy would do
    _prepare_for_drawing(schedule)
    return schedule


def _prepare_for_drawing(schedule: Schedule) -> None:
    """Compute in the worker what charts would else compute while painting (0.1 s for a million tasks)."""
    for name in ("by_slot", "is_filler", "is_borrowed", "job_start", "served"):
        getattr(schedule, name)
    overlap_marks(schedule)


MAX_TASKS_KEPT = 10_000_000
"""Tasks of all kept schedules together: about 0.5 GB with what charts derive from them."""
MAX_KEPT = 500
"""Of small ones: each costs 20 kB however few tasks it has."""
SLOTS_PER_TASK = 6
"""So many slots take as much memory as one task."""


def _cost(request: SimulationRequest) -> int:
    """Return how much an outcome takes to keep, in tasks."""
    return request.tasks + request.cluster.slots // SLOTS_PER_TASK


class OutcomeCache:
    """A bounded memory of outcomes of one document; the newest always stays, however large."""

    def __init__(self, max_tasks: int = MAX_TASKS_KEPT, max_kept: int = MAX_KEPT) -> None:
        self._max_tasks, self._max_kept = max_tasks, max_kept
        self._tasks = 0
        self._outcomes: OrderedDict[SimulationRequest, Outcome] = OrderedDict()

    def forget_others(self, workload: Workload) -> None:
        """Forget what other workloads than the one that is open led to."""
        for request in [each for each in self._outcomes if each.workload != workload]:
            del self._outcomes[request]
            self._tasks -= _cost(request)

    def __len__(self) -> int:
        return len(self._outcomes)

    def get(self, request: SimulationRequest) -> Outcome | None:
        """Return the outcome of an equal request, or None."""
        outcome = self._outcomes.get(request)
        if outcome is not None:
            self._outcomes.move_to_end(request)
        return outcome

    def put(self, request: SimulationRequest, outcome: Outcome) -> None:
        """Remember an outcome, and forget the oldest ones if there is no room."""
        if request not in self._outcomes:
            self._tasks += _cost(request)
        self._outcomes[request] = outcome
        self._outcomes.move_to_end(request)
        while len(self._outcomes) > 1 and (
            self._tasks > self._max_tasks or len(self._outcomes) > self._max_kept
        ):
            forgotten, _ = self._outcomes.popitem(last=False)
            self._tasks -= _cost(forgotten)

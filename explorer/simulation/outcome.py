"""What is asked of the simulator, what it answers, and a cache: frozen values that any thread may hold."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from typing_extensions import override

from core.explain.overlap_marks import overlap_marks
from core.fidelity.history_schedule import history_schedule
from core.measures.compare import job_ends, late_jobs
from core.measures.metrics import Metrics, explained_bound_of, measure
from core.model.errors import InputError, PolicyFault
from core.model.execution_history import RECORDED
from core.model.schedule import choices_of, follows_hands, forks_of
from core.planning.estimated_workload import estimated_workload
from core.planning.johnson import Estimates, estimate, estimate_of
from core.planning.pool_searches import known_search
from core.policies.critical import known_plan
from core.policies.user_files.source import is_policy_file
from core.simulation.engine_selection import all_is_loaded
from core.simulation.fork import simulate_fork
from core.simulation.simulate import simulate
from explorer.document.choices import (
    pools_asked,
    searches_plan,
    searches_pools,
    simulated_choice,
    with_order,
    with_partition,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from core.model.cluster import Cluster
    from core.model.document_state import DocumentState, Scenario
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.schedule import Fork, Forkable, PolicyChoice, Schedule
    from core.model.workload import Workload


Engine = Literal["compiled", "interpreted"]
MOST_TASKS_AT_ONCE = 60_000
"""A drag over a workload up to this size is simulated between two frames, in the window's own thread."""

MOST_TASKS_TRIED, TRIAL_MS = 60_000, 1000
"""A new version of a user's file runs interpreted at first, where it is no more tasks: that is sooner there.
So much later, if nobody has saved another version, it is compiled as well."""


@dataclass(frozen=True)
class SimulationRequest:
    """Everything that one schedule, its record and its exports depend on; equal requests have equal ones.

    Every field is compared, with all that is in it. A policy with an order made by hand ignores its
    parameters, but the schedule carries its choice.
    """

    workload: Workload
    cluster: Cluster
    choice: PolicyChoice
    order: tuple[str, ...] | None
    partition: Partition | None = None
    fork: Fork | None = None
    plan: Plan | None = None

    @property
    def own_files(self) -> frozenset[str]:
        """The versions of users' own policies that decide at some time, by id."""
        return frozenset(choice.id for choice in choices_of(self) if is_policy_file(choice.id))

    @property
    def runs_own_files(self) -> bool:
        """Whether a user's own policy decides at some time."""
        return bool(self.own_files)

    @property
    def is_by_hand(self) -> bool:
        """Whether an order, pools or a plan are followed instead of the policy."""
        return follows_hands(self)

    @property
    def is_loaded(self) -> bool:
        """Whether this process has all compiled code that the answer needs."""
        return all(part.choice.id == RECORDED or all_is_loaded(part, self.cluster) for part in self._parts)

    @property
    def _parts(self) -> tuple[Forkable, ...]:
        """What is followed at some time."""
        return (self, *forks_of(self))

    @property
    def searches(self) -> bool:
        """Whether it may take hundreds of simulations: pools or a plan are searched, and not found yet."""
        if any(
            known_plan(
                estimated_workload(self.workload, part.choice.estimates),
                self.cluster,
                part.choice.parameters,
            )
            is None
            for part in self._parts
            if not follows_hands(part) and searches_plan(part.choice.id)
        ):
            return True
        return any(
            known_search(
                estimated_workload(self.workload, part.choice.estimates),
                self.cluster,
                pools_asked(part.choice),
            )
            is None
            for part in self._parts
            if not follows_hands(part) and searches_pools(part.choice.id)
        )

    @cached_property
    def tasks(self) -> int:
        """Number of tasks: what the answer costs in time and memory."""
        return self.workload.map_count + self.workload.reduce_count


def request_of(
    state: DocumentState,
    scenario: Scenario,
    order: Sequence[str] | None = None,
    partition: Partition | None = None,
    workload: Workload | None = None,
    moved: Collection[str] = (),
) -> SimulationRequest:
    """Return the request of a scenario as it is, or with another order, other pools or other jobs.

    `moved` are the jobs that were dragged to get there: a plan gives them other due dates.
    """
    if scenario.choice.id == RECORDED:
        # what really ran: no cluster and no order of ours matters
        return SimulationRequest(state.workload, state.workload.cluster, scenario.choice, None)
    if order is not None:
        scenario = with_order(scenario, state.workload, tuple(order), moved)
    elif partition is not None:
        scenario = with_partition(scenario, state.workload, partition, moved)
    return SimulationRequest(
        workload or state.workload,
        state.cluster_of(scenario),
        simulated_choice(scenario.choice),
        scenario.order,
        state.partition_of(scenario),
        _simulated_fork(state.fork_of(scenario)),
        state.plan_of(scenario),
    )


def _simulated_fork(fork: Fork | None) -> Fork | None:
    """Return the fork with each policy as it is simulated."""
    if fork is None:
        return None
    return replace(fork, choice=simulated_choice(fork.choice), fork=_simulated_fork(fork.fork))


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
    bound_why : why no schedule is shorter than the lower bound, as the end of "since ..."
    rows : a large schedule sorted into rows, as charts draw them, whose type only they know; else None
    """

    schedule: Schedule
    metrics: Metrics
    estimates: Estimates | None
    own_estimate: float | None = None
    computed: Schedule | None = None
    bound_why: str = ""
    rows: Any = field(default=None, compare=False, repr=False)

    def tells_the_same(self, other: Outcome) -> bool:
        """Whether each task runs where and when it does in another outcome, with the same notes."""
        one, two = self.schedule, other.schedule
        return one.interpreted_because == two.interpreted_because and all(
            np.array_equal(getattr(one, name), getattr(two, name), equal_nan=True)
            for name in ("slot", "sequence", "start", "shuffled", "end", "finish")
        )

    @property
    def lower_bound(self) -> float:
        """No schedule of any policy is shorter, in seconds."""
        return self.metrics.lower_bound

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
    bound_why = explained_bound_of(schedule).why
    outcome = Outcome(schedule, measure(schedule), estimates, own_estimate, computed, bound_why)
    _ = outcome.job_order, outcome.job_ends, outcome.late_jobs  # kept with it, so that a thread looks them up
    return outcome


def _schedule_of(
    request: SimulationRequest,
    engine: Engine,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Schedule:
    """Simulate, from the beginning or going on from a fork; or return what a log recorded."""
    if request.choice.id == RECORDED:
        return _recorded(request.workload)
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


def _recorded(workload: Workload) -> Schedule:
    if workload.recorded is None:
        raise InputError(
            f"{workload.name} does not say what really ran; import a log with the times of its tasks, "
            "or choose a policy"
        )
    return history_schedule(workload, workload.recorded)


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


@lru_cache(maxsize=8)
def _computed(request: SimulationRequest, engine: Engine, stop: _Stop) -> Schedule | None:
    """Simulate the policy's own order; kept, since a drag asks for it at every step."""
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


MOST_TASKS_KEPT = 10_000_000
"""Tasks of all kept schedules together: about 0.5 GB with what charts derive from them."""


class OutcomeCache:
    """A bounded memory of outcomes; the newest always stays, however large."""

    def __init__(self, most_tasks: int = MOST_TASKS_KEPT) -> None:
        self._most_tasks = most_tasks
        self._tasks = 0
        self._outcomes: OrderedDict[SimulationRequest, Outcome] = OrderedDict()

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
            self._tasks += request.tasks
        self._outcomes[request] = outcome
        self._outcomes.move_to_end(request)
        while self._tasks > self._most_tasks and len(self._outcomes) > 1:
            forgotten, _ = self._outcomes.popitem(last=False)
            self._tasks -= forgotten.tasks

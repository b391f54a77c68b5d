"""Simulate a workload under a policy: the one front of the engine.

Seven events make a run: job arrival and departure, map task arrival and departure, reduce task arrival and
departure, map stage complete (001 section III.B). A reduce that starts before its job's map stage ends is a
filler; what its shuffle costs depends on the cluster's shuffle model:

- ``simmr``: it ends at ``map stage end + first_shuffle``; a reduce that starts at that end or later takes
  ``typical_shuffle``
- ``overlap``: a filler's shuffle ends at ``max(map stage end + first_shuffle, start + typical_shuffle)``
- ``mumak``: there is no shuffle at all
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from core.engine.fresh_state import unusual_reduce_after
from core.engine.loop import DECIDED, DONE, PAUSED, REACHED
from core.engine.replanning import Replanning, begin_replanning, own_durations
from core.engine.state import (
    INF,
    NO_PAUSE,
    Row,
    State,
    as_rows,
    job_column,
    ranks_by_arrival,
    records_of,
    snapshot,
)
from core.engine.variants import RunKind
from core.model.circumstances import NO_CIRCUMSTANCES, Circumstances
from core.model.errors import Cancelled, InputError, PolicyError
from core.model.kept_read_only import read_only
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice, Schedule
from core.policies.composing.hooks import hooks_of
from core.policies.composing.kernel import engine_going_on, kernels
from core.policies.modelled_together import check_modelled
from core.policies.registry import policy_class
from core.policies.resolved_policy import check_slots, follow
from core.policies.user_files.apart import where_policies_live
from core.policies.user_files.why_interpreted import KNOWN_REASONS, why_interpreted
from core.shared_scans.shared_schedule import shared_schedule
from core.simulation import engine_selection as engines
from core.simulation import policy_switch
from core.simulation.given_up_tasks import order_of_starts, starts_so_far, with_given_up
from core.simulation.other_times import with_times
from core.simulation.policy_failures import FAILED, check_status
from core.simulation.policy_searches import plans_of_run, search_control
from core.simulation.snapshot import Decision, Snapshot, held_decision, queues_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.policies.policy import ClusterRow, Policy
    from core.simulation.other_times import TaskTimes

Engine = engines.Engine


@where_policies_live
def simulate(
    workload: Workload,
    cluster: Cluster,
    choice: PolicyChoice,
    *,
    order: Sequence[str] | None = None,
    partition: Partition | None = None,
    plan: Plan | None = None,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    engine: Engine = "auto",
    on_compiling: Callable[[float], None] = no_progress,
) -> Schedule:
    """Run a workload to its end.

    Parameters
    ----------
    workload, cluster : what to schedule and on what
    choice : the policy and its parameters
    order : job names; if given, jobs are served in this order instead of the policy's (jobs not named follow)
    partition : if given, the jobs run in these pools, each on slots of its own and in its own order,
        whatever the policy
    plan : if given, tasks start by its due dates, whatever the policy; of the three at most one is given
    progress : called with the fraction of tasks that have ended, 0 to 1
    should_stop : asked now and then; True cancels
    engine : "compiled", "interpreted", or "auto": compiled where that is faster, as the run itself may show
    on_compiling : told about how many seconds it takes, before anything is compiled

    Raises
    ------
    InputError
        a parameter, order, partition or plan is wrong, or the cluster lacks a kind of slot that is needed
    PolicyError
        the policy picked a task that cannot start, or raised an exception
    StalledError
        nothing can end while tasks wait
    Cancelled
        `should_stop` said so
    """
    progress, should_stop = progress or no_progress, should_stop or never_stop
    begin = partial(Simulation, workload, cluster, choice, order=order, partition=partition, plan=plan)
    begin = partial(begin, progress=progress, should_stop=should_stop, on_compiling=on_compiling)
    run = begin(engine=engine)
    # a search has done nearly everything already
    has_searched = plan is None and (run.plan is not None or run.partition is not partition)
    while not run.advance():
        if not has_searched:
            progress(run.progress)
        if should_stop():
            raise Cancelled(f"the simulation of {workload.name} was cancelled")
        if engine == "auto" and run.compiling_pays:
            run, engine = begin(engine="compiled"), "compiled"
    return run.schedule()


class Simulation:
    """A run that can be advanced step by step, copied and read at any time.

    Attributes
    ----------
    workload, cluster, choice, order, partition, plan : as given to `simulate`
    parameters : every parameter of the policy with its value

    `circumstances` are those of a log that is replayed on a cluster with overheads. `progress`, `should_stop`
    and `on_compiling` concern what happens before the run.
    """

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        choice: PolicyChoice,
        *,
        order: Sequence[str] | None = None,
        partition: Partition | None = None,
        plan: Plan | None = None,
        circumstances: Circumstances = NO_CIRCUMSTANCES,
        engine: Engine = "auto",
        progress: Callable[[float], None] = no_progress,
        should_stop: Callable[[], bool] = never_stop,
        on_compiling: Callable[[float], None] = no_progress,
    ) -> None:
        self.workload, self.cluster, self.choice = workload, cluster, choice
        check_slots(workload, cluster)
        compiled = engines.search_compiled(engine, workload, cluster)
        announce = partial(engines.announce_compiling, on_compiling if compiled else no_progress)
        effort = search_control(compiled, progress, should_stop, announce)
        self._is_by_hand = order is not None or partition is not None or plan is not None
        self._followed = follow(choice, workload, cluster, order, partition, effort, plan)
        check_modelled(self._followed, cluster)
        followed = self._followed
        self._policy, self.parameters = followed.policy, followed.parameters
        self.order, self.partition, self.plan = followed.order, followed.partition, followed.plan
        self._kind = RunKind.of(
            cluster, has_pools=self.partition is not None, located=workload.inputs is not None
        )
        is_worth_it = engine == "auto" and engines.use_compiled(workload, self._policy, self._kind)
        self._compiled, self._interpreted_because = engine == "compiled" or is_worth_it, ""
        if self._compiled and self._policy in KNOWN_REASONS:
            self._compiled, self._interpreted_because = False, KNOWN_REASONS[self._policy]
        if engine == "auto" and not self._compiled:
            engines.note_interpreted(workload)
        if self._compiled:
            engines.announce_compiling(on_compiling, self._policy, self._kind)
        try:
            self._choose, self._advance = kernels(self._policy, self._compiled, self._kind)
        except PolicyError:
            raise
        except Exception as error:  # numba lets all kinds slip through, AssertionError and KeyError too
            # a user's policy that it cannot compile runs all the same, only slower
            KNOWN_REASONS[self._policy] = why_interpreted(self._policy, error)
            self._compiled, self._interpreted_because = False, KNOWN_REASONS[self._policy]
            self._choose, self._advance = kernels(self._policy, False, self._kind)
        state = self._followed.first_state(workload, cluster, circumstances)
        self._planner = self._followed.replanner(cluster, compiled=self._compiled)
        if self._planner is not None:
            state = begin_replanning(state)
            self._advance = Replanning(self._advance, self._planner)
        self._state = state if self._compiled else as_rows(state)
        self._plans = plans_of_run(followed, cluster, should_stop)
        self._seconds = 0.0
        self._slice = engines.first_slice(compiled=self._compiled, cautious=self._policy.source is not None)

    @property
    def compiling_pays(self) -> bool:
        """Whether this run goes so slowly that compiling it and beginning anew ends sooner."""
        if self._compiled or self._interpreted_because:
            return False
        compiling_seconds, c = partial(engines.compiling_seconds, self._policy, self._kind), self._cluster
        # arrivals are work as well: thousands may come before the first task ends
        steps = (c.arrived + c.started + c.released) / (len(self._state.job) + 2 * len(self._state.slot))
        return engines.compiling_pays(self._seconds, float(steps), compiling_seconds)

    @property
    def policy(self) -> type[Policy]:
        """The policy whose hooks decide: not the chosen one where an order or pools were made by hand."""
        return self._policy

    @property
    def explained(self) -> type[Policy]:
        """The policy that explains: its hooks decide, or it found the pools that are followed."""
        return self._followed.chosen

    def known(self) -> dict[str, NDArray[Any]]:
        """Return what is known of the jobs beside their records, by name: figures and the last plan."""
        planned = getattr(self._planner, "planned", dict)  # a user's policy may have a planner without it
        return {**self._followed.figures, **planned()}

    @property
    def progress(self) -> float:
        """Fraction of the tasks that have ended."""
        return float(self._cluster.released) / len(self._state.slot)

    @property
    def now(self) -> float:
        """The simulated time in seconds."""
        return float(self._cluster.now)

    @property
    def started(self) -> int:
        """How many tasks have started."""
        return starts_so_far(self._state)

    @property
    def events(self) -> int:
        """How many jobs have arrived and tasks have ended."""
        return int(self._cluster.arrived + self._cluster.released)

    @property
    def counts(self) -> ClusterRow:
        """The simulator's record of the cluster as policies see it, with the policy's own memory."""
        record: Any = self._state.cluster
        counts: ClusterRow = Row(record) if self._compiled else record  # type: ignore[assignment]
        return counts

    @property
    def _cluster(self) -> Any:
        return records_of(self._state).cluster

    def advance(self, until: float = INF, instants: int | None = None) -> bool:
        """Go on until a time or for a number of instants (a slice by default); True when nothing is left.

        Raises PolicyError and StalledError as `simulate` does.
        """
        return self._go_on(until, instants, NO_PAUSE) == DONE

    def advance_to_start(self, start: int, should_stop: Callable[[], bool] | None = None) -> Decision | None:
        """Stop exactly before a task starts: the policy has decided, the state is what it decided upon.

        The decision is carried out when the run goes on. Returns it, or None if the run ends before.

        Parameters
        ----------
        start : how many tasks start before it, `Schedule.starts_before` its place in `Schedule.sequence`
        should_stop : asked now and then; True cancels

        Raises
        ------
        InputError
            that task has started already
        """
        if start < (now := self.started):
            raise InputError(f"start number {start} is past: {now} tasks have started; go there in a new run")
        while True:
            status = self._go_on(INF, None, start)
            if status in (DECIDED, DONE):
                return held_decision(self._state)
            if should_stop is not None and should_stop():
                raise Cancelled(f"the simulation of {self.workload.name} was cancelled")

    @property
    def state(self) -> State:
        """The arrays that the engine reads and writes; a change of them changes the run."""
        return self._state

    def go_to_start(self, start: int, instants: int) -> int:
        """Stop as `advance_to_start` does, or after so many instants; return why the engine stopped."""
        return self._go_on(INF, instants, start)

    def advance_until(self, until: float, should_stop: Callable[[], bool] | None = None) -> None:
        """Go on until everything up to a time has happened; `should_stop`, called now and then, cancels."""
        while self._go_on(until, None, NO_PAUSE) == PAUSED:
            if should_stop is not None and should_stop():
                raise Cancelled(f"the simulation of {self.workload.name} was cancelled")

    def _go_on(self, until: float, instants: int | None, pause_at: int) -> int:
        """Go on, with a new plan where it is time for one; return why it stopped, if not for an error."""
        if self._plans is None:
            return self._run_engine(until, instants, pause_at)
        if self.now < (at := self._plans.next_time):
            status = self._run_engine(min(until, float(np.nextafter(at, -INF))), instants, pause_at)
            if until < at or status != REACHED:
                return status
            self._run_engine(at, 1, self.started)  # all that happens then, but no start
        self._plans, followed = self._plans.after(self.schedule(), self.now, self._followed)
        taken = policy_switch.go_on_under(self._followed, followed, self._state, self.workload, self.cluster)
        self._followed, self._state = taken
        return self._run_engine(until, 0, pause_at)

    def _run_engine(self, until: float, instants: int | None, pause_at: int) -> int:
        """Run the engine; return why it stopped, if not for an error."""
        self._cluster.pause_at = pause_at
        is_timed = instants is None  # NOTE: asking how much work was done may take as long as a step
        began, began_work = time.perf_counter(), time.thread_time() if is_timed else 0.0
        limit = self._slice if instants is None else instants
        failure: BaseException | None = None
        try:
            status = int(self._advance(self._choose, float(until), limit, self._state))
        except (Exception, SystemExit) as error:  # a policy's own code may raise anything
            status, failure = FAILED, error
        if is_timed:
            took = time.perf_counter() - began
            self._seconds += time.thread_time() - began_work  # a busy machine makes no run look slow
            self._slice = engines.next_slice(self._slice, took, compiled=self._compiled)
        check_status(status, failure, self._policy, self.workload, self.cluster, self._state, self.schedule)
        return status

    def moment(self) -> Snapshot:
        """Return how things stand now, for explanations."""
        return Snapshot(self._policy, self._state, self._followed.task_order)

    def queues(self) -> tuple[tuple[int, ...], ...]:
        """Return the jobs that have a task that could start now, by rank, for each type."""
        return queues_of(self._state)

    def fork(self) -> Self:
        """Return a copy that goes on from here on its own."""
        state = snapshot(self._state)
        twin = self.standing_at(state if self._planner is None else own_durations(state))
        if isinstance(self._advance, Replanning):
            twin._advance = self._advance.copy()
            twin._planner = twin._advance.planner
        return twin

    def with_times(self, times: TaskTimes) -> Self:
        """Return a copy that goes on from here with other times of the tasks that run or wait.

        Its `schedule` has the times at which they run then, and the workload as it was.
        """
        twin, here = self.fork(), times.on(self.cluster).in_order(self._followed.task_order)
        twin._state = with_times(twin._state, here)
        return twin

    def with_kernel(
        self, wrapped: Callable[[Any], Any], looking: Callable[[Any], Any] | None = None
    ) -> Simulation:
        """Return this run with what `wrapped` makes of its policy's kernel in the kernel's place.

        It decides; where no slot is offered and the policy only looks, it is the kernel that is called, or
        what `looking` makes of it.
        """
        twin, kernel = self.standing_at(self._state), self._choose
        decide, look = wrapped(kernel), kernel if looking is None else looking(kernel)
        twin._choose = lambda slot, *given: (decide if slot >= 0 else look)(slot, *given)
        return twin

    def with_policy(
        self,
        choice: PolicyChoice,
        order: Sequence[str] | None = None,
        partition: Partition | None = None,
        plan: Plan | None = None,
    ) -> Simulation:
        """Return a copy that goes on from here under another policy; arguments as of `simulate`.

        Tasks that run go on, also on slots of others; every free slot is offered again, to the new policy.
        """
        policy_switch.check_may_switch((self._policy, policy_class(choice.id)))
        other = Simulation(
            self.workload,
            self.cluster,
            choice,
            order=order,
            partition=partition,
            plan=plan,
            engine="compiled" if self._compiled else "interpreted",
        )
        state = self._state if other._compiled == self._compiled else as_rows(self._state)
        both = self._followed, other._followed
        other._followed, taken = policy_switch.go_on_under(*both, state, self.workload, self.cluster)
        if (kind := policy_switch.engine_kind(taken)) is not None:
            other._advance = engine_going_on(kind, other._compiled)
        return other.standing_at(taken)

    def standing_at(self, state: State) -> Self:
        """Return this run as it stands in a state of it; only to be read where that is of another form."""
        twin = object.__new__(type(self))
        twin.__dict__ |= self.__dict__ | {"_state": state}
        return twin

    def schedule(self) -> Schedule:
        """Return what has been scheduled so far; tasks not started have slot -1 and times nan."""
        state, task_order = self._state, self._followed.task_order
        places = None if task_order is None or state.given_up else np.argsort(task_order)

        def column(values: Any, kind: type = np.float64) -> NDArray[Any]:
            return read_only(np.array(values, kind))

        def by_number(values: Any, kind: type = np.float64) -> NDArray[Any]:
            array = column(values, kind)
            return array if places is None else column(array[places], kind)

        started = column(state.sequence[: self._cluster.started], np.int32)
        reduce_after = None if self._planner else unusual_reduce_after(state, self.workload, self.cluster)
        schedule = Schedule(
            workload=self.workload,
            cluster=self.cluster,
            choice=self.choice if self._is_by_hand else replace(self.choice, parameters=self.parameters),
            order=self.order,
            partition=self.partition,
            slot=by_number(state.slot, np.int32),
            sequence=started if task_order is None else column(task_order[started], np.int32),
            start=by_number(state.start),
            shuffled=by_number(state.shuffled),
            end=by_number(state.end),
            stage_end=column(job_column(state, "stage_end")),
            finish=column(job_column(state, "finish")),
            rank=ranks_by_arrival(state, self._followed.rank),
            events=2 * len(state.slot) + 3 * len(state.job),
            simulate_seconds=self._seconds,
            in_order=hooks_of(self._policy).in_order and not hooks_of(self._policy).lends,
            lends=hooks_of(self._policy).lends,
            interpreted_because=self._interpreted_because,
            task_order=task_order,
            plan=self.plan,
            reduce_after=reduce_after,
        )
        if state.given_up:
            return with_given_up(schedule, state)
        if state.inputs:
            return replace(schedule, task_order=order_of_starts(schedule))
        if self._planner is None:
            return schedule
        maps, _ = job_column(state, "tasks").astype(np.int64).T
        return shared_schedule(schedule, maps, np.asarray(state.duration), self._planner.sharing)

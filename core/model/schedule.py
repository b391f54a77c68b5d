"""The result of a simulation: which task ran where and when, and which scans jobs shared, as columns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from core.model.kept_read_only import KeptReadOnly, read_only
from core.model.partition import pool_of_jobs
from core.model.scan_sharing import concurrency, first_services
from core.model.slot_order import SlotOrder
from core.model.stages import MAP_REDUCE
from core.model.task_types import MAP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.estimates import DurationEstimates
    from core.model.execution_history import ExecutionHistory
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.scan_sharing import ScanSharing
    from core.model.workload import Workload


RECORDED = "recorded"
"""Stands in the place of a policy's id: the cluster that wrote the log decided."""


@dataclass(frozen=True)
class PolicyChoice:
    """A policy by id, with its parameters (only those that differ from the defaults need be given).

    It plans on `estimates` of the durations; None tells it the true ones.
    """

    id: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    estimates: DurationEstimates | None = None

    @property
    def is_record(self) -> bool:
        """Whether no policy is meant, but what really ran by a log."""
        return self.id == RECORDED

    def __hash__(self) -> int:
        return hash((self.id, repr(sorted(self.parameters.items())), self.estimates))


@dataclass(frozen=True)
class Fork:
    """Where a schedule leaves the one of another policy: up to here that policy decides.

    Attributes
    ----------
    time : seconds
    decisions : how many of the starts at exactly that time still belong to the first policy
    choice, order, partition, plan : the first policy, and its order, pools or plan made by hand, or None
    fork : where that one had left another policy, or None
    """

    time: float
    decisions: int
    choice: PolicyChoice
    order: tuple[str, ...] | None = None
    partition: Partition | None = None
    fork: Fork | None = None
    plan: Plan | None = None


class Forkable(Protocol):
    """What decides the starts of a scenario, of its schedule, or before a fork."""

    @property
    def choice(self) -> PolicyChoice:
        """The policy."""

    @property
    def order(self) -> tuple[str, ...] | None:
        """The order made by hand, or None."""

    @property
    def partition(self) -> Partition | None:
        """The pools, or None."""

    @property
    def plan(self) -> Plan | None:
        """The plan, or None."""

    @property
    def fork(self) -> Fork | None:
        """Where it leaves another policy, or None."""


def is_made_by_hand(followed: Forkable) -> bool:
    """Whether an order, pools or a plan decide instead of the policy."""
    return any(given is not None for given in (followed.order, followed.partition, followed.plan))


def forks_of(followed: Forkable) -> tuple[Fork, ...]:
    """Return the forks on the way to what decides in the end, the earliest first."""
    forks: tuple[Fork, ...] = ()
    fork = followed.fork
    while fork is not None:
        forks = (fork, *forks)
        fork = fork.fork
    return forks


def choices_of(followed: Forkable) -> tuple[PolicyChoice, ...]:
    """Return every policy that decides at some time, the earliest first."""
    return (*(fork.choice for fork in forks_of(followed)), followed.choice)


def planned_on(followed: Forkable) -> tuple[str, ...]:
    """Return what its policies planned on instead of the true durations, as sentences."""
    return tuple(each.estimates.sentence for each in choices_of(followed) if each.estimates is not None)


@dataclass(frozen=True, eq=False)
class Schedule(KeptReadOnly):
    """Every task of a workload with its slot and times (seconds from the workload's start).

    Attributes
    ----------
    workload, cluster, choice : what was simulated
    order : the hand-made job order that was followed, or None
    slot : int32 (tasks,)
    sequence : the tasks in the order in which they started, int32 (tasks,)
    start, shuffled, end : (tasks,); `shuffled` is when a reduce's shuffle ended, a map's equals its start
    stage_end : when the last stage of each job ended that another one waits for, its map stage, (jobs,)
    finish : when each job departed, (jobs,)
    rank : the place of each job in the policy's queue order, int32 (jobs,)
    events : number of events: two per task, three per job
    simulate_seconds : of the processor, for the run
    in_order : whether the policy serves jobs in the order of their ranks on slots of their own type (else the
        order only breaks ties, or an estimate from it means nothing)
    partition : the pools that the jobs ran in, each on slots of its own, or None; a plan's are its own
    plan : the plan that was replayed, or None
    fork : where it leaves the schedule of another policy, or None
    before_sharing : with shared scans: the workload as given; `workload` then has just the tasks that ran
    sharing : with shared scans: which jobs may share scans, else None
    lends : whether the policy lends slots to tasks of the other kind
    record : where a log recorded the schedule: hosts, and attempts that are no tasks; else None
    as_if_whole : of a record of a run that is under way, the record as if it had gone on, see `if_whole`;
        else None
    given_up : the parts of tasks that the policy gave up, which were killed or suspended; None for none
    interpreted_because : why the policy ran interpreted although compiled was asked for; empty if it did not
    task_order : the tasks of every stage in the order in which they start, int32 (tasks,); None for by number
    reduce_after : how many maps of each job must be complete before its reduces start, int32 (jobs,); None
        for the cluster's slowstart
    """

    workload: Workload
    cluster: Cluster
    choice: PolicyChoice
    order: tuple[str, ...] | None
    slot: NDArray[np.int32]
    sequence: NDArray[np.int32]
    start: NDArray[np.float64]
    shuffled: NDArray[np.float64]
    end: NDArray[np.float64]
    stage_end: NDArray[np.float64]
    finish: NDArray[np.float64]
    rank: NDArray[np.int32]
    events: int
    simulate_seconds: float
    in_order: bool = True
    interpreted_because: str = ""
    before_sharing: Workload | None = None
    sharing: ScanSharing | None = None
    partition: Partition | None = None
    fork: Fork | None = None
    lends: bool = False
    record: ExecutionHistory | None = None
    given_up: ExecutionHistory | None = None
    task_order: NDArray[np.int32] | None = None
    plan: Plan | None = None
    reduce_after: NDArray[np.int32] | None = None
    as_if_whole: Schedule | None = None

    @property
    def given(self) -> Workload:
        """The workload before scans were shared: with shared scans, fewer maps than it has were run."""
        return self.before_sharing or self.workload

    @cached_property
    def given_task(self) -> NDArray[np.int64]:
        """Index of each task among those of the given workload, (tasks,)."""
        columns = self.workload.columns
        place: NDArray[np.int64] = self.given.columns.stages.first[columns.stage] + columns.number
        return place

    @property
    def shares_scans(self) -> bool:
        """Whether its policy lets jobs share scans."""
        return self.sharing is not None and self.sharing.shares

    def own_task(self, given: int) -> int:
        """Return which of its tasks is a task of the given workload; -1 if it did not run."""
        if self.before_sharing is None:
            return given if given < self.tasks else -1
        place = int(np.searchsorted(self.given_task, given))  # ascending, as the columns are
        return place if place < self.tasks and self.given_task[place] == given else -1

    @property
    def attempts(self) -> ExecutionHistory | None:
        """What held slots beside the tasks: attempts of a log, or what a policy gave up; None for nothing."""
        return self.given_up if self.record is None else self.record

    def starts_before(self, place: int) -> int:
        """Return how many tasks started before one of `sequence`, those that were given up among them."""
        lost = None if self.given_up is None else self.given_up.given_up
        return place if lost is None else int(lost.began[place])

    def place_of_starts(self, starts: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the place in `sequence` of the task that started after so many others; -1 where it has none.

        Parameters
        ----------
        starts : int32 (starts,)
        """
        lost = None if self.given_up is None else self.given_up.given_up
        known = np.arange(len(self.sequence)) if lost is None else lost.began
        place = np.searchsorted(known, starts)
        found: NDArray[np.int64] = np.where(np.append(known, -1)[place] == starts, place, -1)
        return found

    @cached_property
    def has_copies(self) -> bool:
        """Whether a task had a second copy."""
        lost = None if self.given_up is None else self.given_up.given_up
        return lost is not None and bool(lost.outrun.any())

    @cached_property
    def by_first_copies(self) -> Schedule:
        """The same where every task stands as its first copy ran, and second ones came to nothing.

        Both copies of a task end at once, so all else is as it was. It is this schedule where no task had
        two.
        """
        if self.given_up is None:
            return self
        times = {name: getattr(self, name) for name in ("slot", "start", "shuffled")}
        columns = self.given_up.by_first_copies(self.sequence, times)
        return replace(self, **columns) if columns else self

    @property
    def tasks(self) -> int:
        """Number of tasks."""
        return len(self.slot)

    @property
    def is_whole(self) -> bool:
        """Whether every task has run once, on a slot of the cluster, and has ended."""
        tasks, times = len(self.workload.columns.job), (self.start, self.shuffled, self.end)
        if any(len(column) != tasks for column in (self.slot, self.sequence, *times)):
            return False
        places = (self.slot, self.cluster.slots), (self.sequence, tasks)
        return (
            all(((column >= 0) & (column < most)).all() for column, most in places)
            and all(np.isfinite(column).all() for column in times)
            and bool((np.bincount(self.sequence, minlength=tasks) == 1).all())
        )

    @cached_property
    def arrival(self) -> NDArray[np.float64]:
        """When each job arrived; infinity while a job that it follows has not ended, (jobs,)."""
        return self.workload.columns.links.arrivals(self.finish)

    @cached_property
    def makespan(self) -> float:
        """When the last job departs, in seconds from time 0."""
        return float(self.finish.max(initial=0.0))

    @cached_property
    def served(self) -> NDArray[np.int32]:
        """How many jobs each task serves: more than one where it scans for others, too, (tasks,)."""
        return read_only(concurrency(self.workload.columns, self.start, self.sharing))

    def slowed(self, task: int) -> float:
        """Return how many seconds longer a map took for the tasks beside it on its node."""
        columns = self.workload.columns
        if not self.cluster.contention or columns.kind[task] != MAP:
            return 0.0
        longer = float(self.end[task] - self.start[task] - columns.duration[task])
        return longer if longer > 1e-9 * self.end[task] else 0.0  # no rounding

    @cached_property
    def reads_remotely(self) -> NDArray[np.bool_]:
        """Whether each task is known to run on a node without its input, (tasks,)."""
        inputs = self.workload.inputs
        if inputs is None or not self.cluster.has_nodes:
            return np.zeros(self.tasks, bool)
        node = np.searchsorted(self.cluster.node_rows, self.slot, "right") - 1
        return read_only(inputs.of_task & (self.slot >= 0) & ~inputs.lie_on(node))

    def reads_for(self, task: int) -> float:
        """Return how many seconds longer a map took because it read its input from another node."""
        inputs = self.workload.inputs
        if inputs is None or not self.reads_remotely[task]:
            return 0.0
        return float(inputs.remote_read[self.workload.columns.job[task]])

    @cached_property
    def pool_finish(self) -> NDArray[np.float64]:
        """When the last job of each pool departs, 0 for a pool without jobs, (pools of the partition,)."""
        finish = np.zeros(len(self.partition.pools) if self.partition else 0)
        if self.partition is not None:
            np.maximum.at(finish, pool_of_jobs(self.partition, self.workload), self.finish)
        return finish

    @cached_property
    def job_start(self) -> NDArray[np.float64]:
        """When the first task that serves each job starts, nan while none has, (jobs,)."""
        stages = self.workload.columns.stages
        starts = self.by_first_copies.start
        own: NDArray[np.float64] = np.fmin.reduceat(starts, stages.first[stages.begin[:-1]])
        return (
            own
            if self.sharing is None
            else np.fmin(own, first_services(self.workload.columns, self.start, self.sharing))
        )

    @cached_property
    def is_filler(self) -> NDArray[np.bool_]:
        """Whether each task started before all stages that its own waits for had ended, (tasks,)."""
        columns = self.workload.columns
        waits = columns.stages.has_parents[columns.stage]
        filler: NDArray[np.bool_] = waits & (self.start < self.parents_end[columns.stage])
        return filler

    @cached_property
    def parents_end(self) -> NDArray[np.float64]:
        """When the last of the stages that each stage waits for ended, (stages,).

        The arrival of its job where it waits for none, infinity while one of them has not ended.
        """
        stages, stage = self.workload.columns.stages, self.workload.columns.stage
        ready: NDArray[np.float64] = self.arrival[stages.job]
        if all(job.graph is MAP_REDUCE for job in self.workload.jobs):
            ready[stages.child] = self.stage_end[stages.job[stages.child]]
            return ready
        ends = np.full(len(ready), -np.inf)
        np.maximum.at(ends, stage, np.where(np.isnan(self.end), np.inf, self.end))
        return stages.released(ends, self.arrival)

    @cached_property
    def is_borrowed(self) -> NDArray[np.bool_]:
        """Whether each task is on a slot of the other type; never on untyped containers, (tasks,)."""
        if self.cluster.has_containers:
            return np.zeros(self.tasks, bool)
        borrowed: NDArray[np.bool_] = self.cluster.slot_types(self.slot) != self.workload.columns.kind
        return borrowed & (self.slot >= 0)

    @cached_property
    def by_slot(self) -> SlotOrder:
        """Tasks sorted by slot, then start."""
        return SlotOrder.of(self.sequence, self.slot[self.sequence], self.cluster.slots)

    @cached_property
    def by_stage(self) -> NDArray[np.int32]:
        """The tasks stage by stage, in each in the order of their starts, (tasks,).

        A job with 3 maps whose longest one, number 2, starts first has its maps as 2, 0, 1.
        """
        if self.task_order is not None:
            return self.task_order
        if self.record is None:
            return np.arange(self.tasks, dtype=np.int32)  # where we simulate, they start by number
        return np.lexsort((self.start, self.workload.columns.stage)).astype(np.int32)

    @cached_property
    def previous_on_slot(self) -> NDArray[np.int32]:
        """The task that held each task's slot before it, -1 if there was none, (tasks,)."""
        previous = np.full(self.tasks, -1, np.int32)
        row = self.by_slot.tasks
        previous[row[1:]] = row[:-1]
        begins = self.by_slot.offsets[:-1]
        previous[row[begins[begins < len(row)]]] = -1
        return read_only(previous)

    def job_wave(self, job: int, kind: int) -> NDArray[np.int32]:
        """Return the wave of each task of one MapReduce job and kind, from 1, (tasks of that kind,)."""
        return self.stage_wave(int(self.workload.columns.stages.begin[job]) + kind)

    def stage_wave(self, stage: int) -> NDArray[np.int32]:
        """Return the wave of each task of a stage of the workload, from 1, (tasks of the stage,).

        A task's wave is how many tasks of its stage ran before it on its slot, plus one.
        """
        stages = self.workload.columns.stages
        first, count = int(stages.first[stage]), int(stages.count[stage])
        tasks = self.by_stage[first : first + count]
        tasks = tasks[np.argsort(self.slot[tasks], kind="stable")]
        slot = self.slot[tasks]
        begins = np.flatnonzero(np.r_[True, slot[1:] != slot[:-1]][:count])
        wave = np.empty(count, np.int32)
        wave[tasks - first] = np.arange(count) - np.repeat(begins, np.diff(np.r_[begins, count])) + 1
        return wave


Titled = tuple[str, Schedule]
"""A schedule with what it is called."""


def with_distinct_titles(titled: Sequence[Titled]) -> list[Titled]:
    """Return schedules with titles that differ: the second "FIFO" is "FIFO (2)"."""
    seen: set[str] = set()
    apart = []
    for title, schedule in titled:
        names = (title, *(f"{title} ({number})" for number in range(2, len(titled) + 2)))
        apart.append((next(name for name in names if name not in seen), schedule))
        seen.add(apart[-1][0])
    return apart

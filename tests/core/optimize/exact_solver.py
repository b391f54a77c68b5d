"""The best of all schedules of a small workload, proved by a constraint solver: CP-SAT of OR-Tools.

It models the problem as it is defined (docs/explanation/optimise-method.md), and shares nothing with core but
the values of `core.model`: tasks on slots in any order, from the arrival of their job on; slots may idle.

- A job is a graph of stages; of maps, and reduces that wait for them, if it is a MapReduce job. A job that
  follows others arrives when they have ended and the think times have passed.
- A task that starts before the stages that its own waits for have ended, a filler, holds its slot. Its
  shuffle ends at their end plus its first shuffle; in "overlap" not before it has held the slot for its
  typical one.
- A task that starts later, at that very end, too, takes its typical shuffle. In "mumak" there is no shuffle.
  What waits for no tasks at all is no filler. An empty stage that waits for others ends when they do.
- A slot that comes and goes starts tasks from its opening to its close, and what runs then ends as usual.
- A job that scans a dataset needs each of its blocks scanned; where scans are shared, one scan serves any
  jobs that have arrived, for the part of its time that they share and once for each for the rest.

The workload's times must be whole seconds, and maps last at least one. Schedules have whole parts of a
second: a filler that starts the smallest part before the stage ends is one already, so finer parts can end
sooner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, inf, lcm
from typing import TYPE_CHECKING, Any

from ortools.sat.python import cp_model

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.job import Dataset, Job
    from core.model.stages import Stage
    from core.model.workload import Workload

MAX_EFFORT = 3.0
"""Of one proof, in the solver's own seconds, which are the same on every machine."""
LATE_JOB = 10**8
"""Seconds of makespan that a late job counts as in deadlines-makespan."""

Weights = Mapping[str, float]


class NotProvedError(Exception):
    """The solver did not prove the best schedule within its limit."""


@dataclass(frozen=True)
class Freedom:
    """What schedules may do besides what the cluster says.

    Attributes
    ----------
    lends : whether map slots may run reduces and the other way round
    shares_scans : whether one scan of a block may serve several jobs
    parts : of a second, at which tasks may start
    """

    lends: bool = False
    shares_scans: bool = False
    parts: int = 1


DEFAULT = Freedom()


def exact_best(
    workload: Workload,
    cluster: Cluster,
    weights: Weights,
    alone: Sequence[float] = (),
    freedom: Freedom = DEFAULT,
) -> float:
    """Return the least value of any schedule.

    Parameters
    ----------
    weights : of objectives by their names (`core.optimize.objectives.OBJECTIVES`)
    alone : whole seconds that each job takes alone, (jobs,), infinity for one that never ends; for stretch
        only

    Raises
    ------
    NotProvedError
        it takes too long
    """
    problem = _Problem(workload, cluster, freedom)
    value = problem.value(weights, alone)
    problem.model.minimize(value.whole)
    solver, status = problem.solve()
    if status != cp_model.OPTIMAL:
        raise NotProvedError(solver.status_name(status))
    return float(Fraction(round(solver.objective_value), value.scale))


def can_reach(
    limit: float,
    workload: Workload,
    cluster: Cluster,
    weights: Weights,
    alone: Sequence[float] = (),
    freedom: Freedom = DEFAULT,
) -> bool:
    """Whether a schedule has a value of at most so much; arguments and errors as of `exact_best`."""
    problem = _Problem(workload, cluster, freedom)
    value = problem.value(weights, alone)
    problem.model.add(value.whole <= floor(Fraction(limit) * value.scale))
    solver, status = problem.solve()
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE):
        raise NotProvedError(solver.status_name(status))
    return status != cp_model.INFEASIBLE


@dataclass
class _Value:
    """A sum of whole numbers times fractions, as whole numbers times a scale."""

    whole: Any
    scale: int

    @classmethod
    def of(cls, terms: Sequence[tuple[Fraction, Any]]) -> _Value:
        scale = lcm(*(factor.denominator for factor, _ in terms))
        return cls(sum(int(factor * scale) * term for factor, term in terms), scale)


class _Problem:
    """The variables and rules of all schedules."""

    def __init__(self, workload: Workload, cluster: Cluster, freedom: Freedom) -> None:
        self.model = cp_model.CpModel()
        self._workload, self._cluster, self._freedom = workload, cluster, freedom
        stages = [stage for job in workload.jobs for stage in job.stages]
        longest = sum(sum(lengths) for stage in stages for lengths in self._tasks(stage))
        fillers = sum(stage.count for stage in stages)
        thinks = sum(self._time(link.think) for job in workload.jobs for link in job.after)
        comes = [job.arrival for job in workload.jobs] + [entry.opens for entry in cluster.slot_times]
        # nothing is worth waiting for but arrivals, slots, and the moment in which a filler can start
        self._horizon = max(map(self._time, comes)) + thinks + longest + fillers
        self._tasks_of: tuple[list[Any], list[Any]] = ([], [])
        self._scans = _shared_scans(self) if freedom.shares_scans else {}
        self._comes: dict[str, Any] = {}
        self._ends: dict[str, Any] = {}
        for job in _in_turn(workload.jobs):
            self._comes[job.name] = self._arrival(job)
            self._ends[job.name] = self._job(job, self._comes[job.name])
        self._arrive = [self._comes[job.name] for job in workload.jobs]
        self._finish = [self._ends[job.name] for job in workload.jobs]
        self._share_slots()

    def _time(self, seconds: float) -> int:
        """Return seconds as whole parts of one."""
        return int(Fraction(seconds) * self._freedom.parts)

    def _tasks(self, stage: Stage) -> list[tuple[int, ...]]:
        """Return the length and both shuffles of each task: task i has item i of the samples."""
        samples = stage.durations, stage.first_shuffle, stage.typical_shuffle
        return [tuple(self._time(each[i % len(each)]) for each in samples) for i in range(stage.count)]

    def new(self, least: int = 0) -> Any:
        """Return a new time."""
        return self.model.new_int_var(least, self._horizon, "")

    def solve(self) -> tuple[cp_model.CpSolver, cp_model.CpSolverStatus]:
        """Return the solver, and how it ended."""
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_deterministic_time = MAX_EFFORT
        return solver, solver.solve(self.model)

    # ---- the rules

    def _arrival(self, job: Job) -> Any:
        """Return when a job arrives: a time, or a variable where it follows others."""
        arrival = self._time(job.arrival)
        if not job.after:
            return arrival
        comes = self.new(arrival)
        before = [self._ends[link.job] + self._time(link.think) for link in job.after]
        self.model.add_max_equality(comes, [arrival, *before])
        return comes

    def _job(self, job: Job, arrival: Any) -> Any:
        """Add the tasks of a job; return when it ends."""
        over: list[Any] = []
        for number, stage in enumerate(job.stages):
            parents = job.graph.parents(number)
            released = self._latest([over[parent] for parent in parents], arrival)
            if not parents and job.name in self._scans:
                ends = self._scan_ends(job)
            elif not parents:
                ends = self._plain_ends(job, number, arrival)
            else:
                may_fill = _may_fill(job, number)
                ends = self._waiting_ends(job, number, arrival, released, may_fill=may_fill)
            over.append(self._latest([released, *ends], arrival) if stage.count else released)
        return self._latest(over, arrival)

    def _latest(self, times: list[Any], arrival: Any) -> Any:
        """Return the latest of times, the arrival for none."""
        if len(times) < 2:
            return times[0] if times else arrival
        latest = self.new()
        self.model.add_max_equality(latest, times)
        return latest

    def _plain_ends(self, job: Job, number: int, arrival: Any) -> list[Any]:
        """Add the tasks of a stage that waits for none; return when they end."""
        ends = []
        lasts: dict[int, Any] = {}
        for seconds, _, _ in self._tasks(job.stages[number]):
            start = self.new()
            self.model.add(start >= arrival)
            self._tasks_of[job.graph.task_types[number]].append((start, seconds, start + seconds))
            ends.append(start + seconds)
            if seconds in lasts:  # of equal tasks the order says nothing
                self.model.add(lasts[seconds] <= start)
            lasts[seconds] = start
        return ends

    def _waiting_ends(
        self, job: Job, number: int, arrival: Any, released: Any, *, may_fill: bool
    ) -> list[Any]:
        """Add the tasks of a stage that waits for others; return when they end."""
        ends = []
        lasts: dict[tuple[int, ...], Any] = {}
        for lengths in self._tasks(job.stages[number]):
            start, size, end = self._waiting(lengths, arrival, released, may_fill=may_fill)
            self._tasks_of[job.graph.task_types[number]].append((start, size, end))
            ends.append(end)
            if lengths in lasts:
                self.model.add(lasts[lengths] <= start)
            lasts[lengths] = start
        return ends

    def _waiting(
        self, lengths: tuple[int, ...], arrival: Any, released: Any, *, may_fill: bool
    ) -> tuple[Any, Any, Any]:
        seconds, first, typical = lengths
        if self._cluster.shuffle_model == "mumak":
            first = typical = 0
        start, end = self.new(), self.new()
        self.model.add(start >= arrival)
        size = self.new(seconds + (min(first, typical) if may_fill else typical))  # what follows anyway
        fills = self.model.new_bool_var("")
        self.model.add(start < released).only_enforce_if(fills)
        self.model.add(end >= released + first + seconds).only_enforce_if(fills)
        if self._cluster.shuffle_model == "overlap":
            self.model.add(end >= start + typical + seconds).only_enforce_if(fills)
        self.model.add(start >= released).only_enforce_if(~fills)
        self.model.add(end >= start + typical + seconds).only_enforce_if(~fills)
        if not may_fill or self._untyped_slots == 1:  # it would hold the slot that the last map needs
            self.model.add(fills == 0)
        return start, size, end

    def _share_slots(self) -> None:
        if self._cluster.nodes:
            self._share_nodes()
            return
        if self._cluster.slot_times:
            self._share_slots_that_come_and_go()
            return
        maps, reduces = ([self._interval(task) for task in kind] for kind in self._tasks_of)
        if self._untyped_slots:
            self._at_most(maps + reduces, self._untyped_slots)
        else:
            self._at_most(maps, self._cluster.map_slots)
            self._at_most(reduces, self._cluster.reduce_slots)

    @property
    def _untyped_slots(self) -> int:
        """How many slots run tasks of both kinds; 0 where they are of one kind, or rows of nodes."""
        if self._cluster.has_nodes:
            return 0
        return self._cluster.slots * (self._cluster.has_containers or self._freedom.lends)

    def _interval(self, task: tuple[Any, ...], present: Any = None) -> Any:
        start, size, end, *used = task
        if present is None and used:
            present = used[0]
        if present is None:
            return self.model.new_interval_var(start, size, end, "")
        return self.model.new_optional_interval_var(start, size, end, present, "")

    def _at_most(self, intervals: list[Any], slots: int) -> None:
        if slots == 0:  # a task of no time needs one, too
            self.model.add_bool_and([len(intervals) == 0])
        elif slots == 1:  # proved sooner so
            self.model.add_no_overlap(intervals)
        else:
            self.model.add_cumulative(intervals, [1] * len(intervals), slots)

    def _share_slots_that_come_and_go(self) -> None:
        """Put every task on a slot of its kind that is open when it starts."""
        opens, closes = (times.tolist() for times in self._cluster.slot_intervals)
        held: list[list[Any]] = [[] for _ in opens]
        maps = len(opens) if self._cluster.has_containers else self._cluster.typed_slots[0]
        kinds = [range(maps)] * 2 if self._cluster.has_containers else [range(maps), range(maps, len(opens))]
        for tasks, slots in zip(self._tasks_of, kinds, strict=True):
            for task in tasks:
                places = {slot: self.model.new_bool_var("") for slot in slots}
                self.model.add_exactly_one(places.values())
                for slot, place in places.items():
                    self.model.add(task[0] >= self._time(opens[slot])).only_enforce_if(place)
                    if closes[slot] < inf:
                        self.model.add(task[0] < self._time(closes[slot])).only_enforce_if(place)
                    held[slot].append(self._interval(task, place))
        for intervals in held:
            self.model.add_no_overlap(intervals)

    def _share_nodes(self) -> None:
        """Put every task on a node, where no more memory and no more cores may be held than there are."""
        nodes = [group for group in self._cluster.nodes for _ in range(group.count)]
        held: list[list[tuple[Any, Any]]] = [[] for _ in nodes]
        everywhere: list[tuple[Any, Any]] = []
        asked = self._cluster.map_request, self._cluster.reduce_request
        for tasks, request in zip(self._tasks_of, asked, strict=True):
            for task in tasks:
                everywhere.append((self._interval(task), request))
                places = [self.model.new_bool_var("") for _ in nodes]
                self.model.add_exactly_one(places)
                for place, here in zip(places, held, strict=True):
                    here.append((self._interval(task, place), request))
        for name in ("memory_mb", "cores"):
            available = [getattr(node, name) for node in nodes]
            # that all nodes have no more together follows, and is proved sooner
            for tasks, most in zip([*held, everywhere], [*available, sum(available)], strict=True):
                demands = [getattr(request, name) for _, request in tasks]
                self.model.add_cumulative([task for task, _ in tasks], demands, most)

    # ---- scans that jobs share

    def _scan_ends(self, job: Job) -> list[Any]:
        """Let every block that the job needs be scanned for it; return when these scans end."""
        ends = []
        for scans in self._scans[job.name]:
            for end, start, rides in scans:
                self.model.add(start >= self._time(job.arrival)).only_enforce_if(rides)
                ridden = self.new()
                self.model.add(ridden >= end).only_enforce_if(rides)
                ends.append(ridden)
            self.model.add_exactly_one(rides for _, _, rides in scans)
        return ends

    def add_scan(self, dataset: Dataset, riders: Sequence[Any]) -> tuple[Any, Any]:
        """Add one scan of a block, with a variable for each job that may ride along; return end and start."""
        shared = self._time(dataset.scan_fraction * dataset.block_seconds)
        own = self._time(dataset.block_seconds) - shared
        start, size, end = self.new(), self.new(), self.new()
        used = self.model.new_bool_var("")
        self.model.add_max_equality(used, riders)
        self.model.add(size == shared * used + own * sum(riders))
        self._tasks_of[0].append((start, size, end, used))
        return end, start

    # ---- objectives

    def value(self, weights: Weights, alone: Sequence[float]) -> _Value:
        """Return what is to be small."""
        terms: list[tuple[Fraction, Any]] = []
        for name, weight in weights.items():
            some = getattr(self, "_" + name.replace("-", "_"))(alone)
            terms += [(Fraction(weight) * factor, term) for factor, term in some]
        return _Value.of(terms)

    def _makespan(self, _: Sequence[float]) -> list[tuple[Fraction, Any]]:
        last = self.new()
        self.model.add_max_equality(last, self._finish)
        return [(self._second, last)]

    @property
    def _second(self) -> Fraction:
        return Fraction(1, self._freedom.parts)

    def _mean_response(self, _: Sequence[float]) -> list[tuple[Fraction, Any]]:
        jobs = self._workload.jobs
        return [
            (self._second / len(jobs), finish - arrival)
            for arrival, finish in zip(self._arrive, self._finish, strict=True)
        ]

    def _weighted_response(self, _: Sequence[float]) -> list[tuple[Fraction, Any]]:
        jobs = self._workload.jobs
        total = sum(Fraction(job.weight) for job in jobs)
        return [
            (self._second * Fraction(job.weight) / total, finish - arrival)
            for job, arrival, finish in zip(jobs, self._arrive, self._finish, strict=True)
        ]

    def _due(self) -> list[tuple[int, Any]]:
        pairs = zip(self._workload.jobs, self._finish, strict=True)
        return [(self._time(job.deadline), finish) for job, finish in pairs if job.deadline is not None]

    def _tardiness(self, _: Sequence[float]) -> list[tuple[Fraction, Any]]:
        late = self.model.new_int_var(0, self._horizon * len(self._finish), "")
        each = []
        for deadline, finish in self._due():
            each.append(self.new())
            self.model.add(each[-1] >= finish - deadline)
        self.model.add(late == sum(each))
        return [(self._second, late)]

    def _late_jobs(self, _: Sequence[float]) -> list[tuple[Fraction, Any]]:
        count = self.model.new_int_var(0, len(self._finish), "")
        each = []
        for deadline, finish in self._due():
            each.append(self.model.new_bool_var(""))
            self.model.add(finish <= deadline).only_enforce_if(~each[-1])
        self.model.add(count == sum(each))
        return [(Fraction(1), count)]

    def _stretch(self, alone: Sequence[float]) -> list[tuple[Fraction, Any]]:
        ends = [seconds if seconds < inf else 0.0 for seconds in alone]
        whole = [int(seconds) for seconds in ends]
        assert whole == ends, "times alone that are no whole seconds"
        scale = lcm(*(seconds for seconds in whole if seconds > 0))
        largest = self.model.new_int_var(0, self._horizon * scale, "")
        for arrival, finish, seconds in zip(self._arrive, self._finish, whole, strict=True):
            if seconds > 0:
                self.model.add(largest >= (finish - arrival) * (scale // seconds))
        return [(self._second / scale, largest)]

    def _deadlines_makespan(self, alone: Sequence[float]) -> list[tuple[Fraction, Any]]:
        late = [(LATE_JOB * factor, term) for factor, term in self._late_jobs(alone)]
        return [*late, *self._makespan(alone)]


def _in_turn(jobs: Sequence[Job]) -> list[Job]:
    """Return jobs such that each comes behind those that it follows."""
    turn: list[Job] = []
    while len(turn) < len(jobs):
        known = {job.name for job in turn}
        turn += [
            job for job in jobs if job.name not in known and all(link.job in known for link in job.after)
        ]
    return turn


def _may_fill(job: Job, number: int) -> bool:
    """Whether tasks of a stage may start before what it waits for has ended: then there are tasks before."""
    parents = job.graph.parents(number)
    return any(job.stages[parent].count > 0 or _may_fill(job, parent) for parent in parents)


def _shared_scans(problem: _Problem) -> dict[str, list[list[tuple[Any, Any, Any]]]]:
    """Return by job, for every block that it needs, the scans of it: end, start, whether the job rides."""
    workload, model = problem._workload, problem.model
    found: dict[str, list[list[tuple[Any, Any, Any]]]] = {}
    for dataset in workload.datasets:
        jobs = [job for job in workload.jobs if job.dataset == dataset.name]
        for block in range(dataset.blocks):
            riding = [job for job in jobs if not job.blocks or any(a <= block < b for a, b in job.blocks)]
            scans = []
            for _ in riding:  # one each at most
                rides = [model.new_bool_var("") for _ in riding]
                scans.append((*problem.add_scan(dataset, rides), rides))
            for place, job in enumerate(riding):
                of_job = [(end, start, rides[place]) for end, start, rides in scans]
                found.setdefault(job.name, []).append(of_job)
    return found

"""The best of all schedules of a small workload, proved by a constraint solver: CP-SAT of OR-Tools.

It models the problem as it is defined (docs/optimise-method.md), and shares nothing with core but the values
of `core.model`: tasks on slots in any order, from the arrival of their job on, slots that may idle.

- A reduce that starts before its job's map stage ends, a filler, holds its slot. Its shuffle ends at the
  end of the stage plus its first shuffle; in "overlap" not before it has held the slot for its typical one.
- A reduce that starts later, at the very end of the stage, too, takes its typical shuffle. In "mumak" there
  is no shuffle. Reduces of a job without maps are no fillers.
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
from math import floor, lcm
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
    alone : whole seconds that each job takes alone, (jobs,); for stretch only

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
        stages = [stage for job in workload.jobs for stage in (job.maps, job.reduces)]
        longest = sum(sum(lengths) for stage in stages for lengths in self._tasks(stage))
        reduces = sum(job.reduces.count for job in workload.jobs)
        # nothing is worth waiting for but arrivals, and the moment in which a filler can start
        self._horizon = max(self._time(job.arrival) for job in workload.jobs) + longest + reduces
        self._maps: list[Any] = []
        self._reduces: list[Any] = []
        self._scans = _shared_scans(self) if freedom.shares_scans else {}
        self._finish = [self._job(job) for job in workload.jobs]
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

    def _job(self, job: Job) -> Any:
        """Add the tasks of a job; return when it ends."""
        arrival = self._time(job.arrival)
        ends = self._scan_ends(job) if job.name in self._scans else self._map_ends(job.maps, arrival)
        stage_end = self.new(arrival)
        self.model.add_max_equality(stage_end, ends or [arrival])
        finish = self.new(arrival)
        self.model.add(finish >= stage_end)
        lasts: dict[tuple[int, ...], Any] = {}
        for lengths in self._tasks(job.reduces):
            start, end = self._reduce(lengths, arrival, stage_end, has_maps=bool(ends))
            self.model.add(finish >= end)
            if lengths in lasts:  # of equal tasks the order says nothing
                self.model.add(lasts[lengths] <= start)
            lasts[lengths] = start
        return finish

    def _map_ends(self, stage: Stage, arrival: int) -> list[Any]:
        ends = []
        lasts: dict[int, Any] = {}
        for seconds, _, _ in self._tasks(stage):
            start = self.new(arrival)
            self._maps.append((start, seconds, start + seconds))
            ends.append(start + seconds)
            if seconds in lasts:
                self.model.add(lasts[seconds] <= start)
            lasts[seconds] = start
        return ends

    def _reduce(self, lengths: tuple[int, ...], arrival: int, stage_end: Any, *, has_maps: bool) -> Any:
        seconds, first, typical = lengths
        if self._cluster.shuffle_model == "mumak":
            first = typical = 0
        start, end = self.new(arrival), self.new(arrival)
        size = self.new(seconds + (min(first, typical) if has_maps else typical))  # what follows anyway
        fills = self.model.new_bool_var("")
        self.model.add(start < stage_end).only_enforce_if(fills)
        self.model.add(end >= stage_end + first + seconds).only_enforce_if(fills)
        if self._cluster.shuffle_model == "overlap":
            self.model.add(end >= start + typical + seconds).only_enforce_if(fills)
        self.model.add(start >= stage_end).only_enforce_if(~fills)
        self.model.add(end >= start + typical + seconds).only_enforce_if(~fills)
        if not has_maps or self._untyped_slots == 1:  # it would hold the slot that the last map needs
            self.model.add(fills == 0)
        self._reduces.append((start, size, end))
        return start, end

    def _share_slots(self) -> None:
        if self._cluster.nodes:
            self._share_nodes()
            return
        maps, reduces = ([self._interval(task) for task in kind] for kind in (self._maps, self._reduces))
        if self._untyped_slots:
            self._at_most(maps + reduces, self._untyped_slots)
        else:
            self._at_most(maps, self._cluster.map_slots)
            self._at_most(reduces, self._cluster.reduce_slots)

    @property
    def _untyped_slots(self) -> int:
        """How many slots run tasks of both kinds; 0 where they are of one kind, or rows of nodes."""
        typed = self._cluster.map_slots + self._cluster.reduce_slots
        return self._cluster.containers or typed * self._freedom.lends

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

    def _share_nodes(self) -> None:
        """Put every task on a node, where no more memory and no more cores may be held than there are."""
        nodes = [group for group in self._cluster.nodes for _ in range(group.count)]
        held: list[list[tuple[Any, Any]]] = [[] for _ in nodes]
        everywhere: list[tuple[Any, Any]] = []
        asking = (self._maps, self._cluster.map_request), (self._reduces, self._cluster.reduce_request)
        for tasks, request in asking:
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
                asked = [getattr(request, name) for _, request in tasks]
                self.model.add_cumulative([task for task, _ in tasks], asked, most)

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
        self._maps.append((start, size, end, used))
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
            (self._second / len(jobs), finish - self._time(job.arrival))
            for job, finish in zip(jobs, self._finish, strict=True)
        ]

    def _weighted_response(self, _: Sequence[float]) -> list[tuple[Fraction, Any]]:
        jobs = self._workload.jobs
        total = sum(Fraction(job.weight) for job in jobs)
        return [
            (self._second * Fraction(job.weight) / total, finish - self._time(job.arrival))
            for job, finish in zip(jobs, self._finish, strict=True)
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
        whole = [int(seconds) for seconds in alone]
        assert whole == list(alone), "times alone that are no whole seconds"
        scale = lcm(*(seconds for seconds in whole if seconds > 0))
        largest = self.model.new_int_var(0, self._horizon * scale, "")
        for job, finish, seconds in zip(self._workload.jobs, self._finish, whole, strict=True):
            if seconds > 0:
                self.model.add(largest >= (finish - self._time(job.arrival)) * (scale // seconds))
        return [(self._second / scale, largest)]

    def _deadlines_makespan(self, alone: Sequence[float]) -> list[tuple[Fraction, Any]]:
        late = [(LATE_JOB * factor, term) for factor, term in self._late_jobs(alone)]
        return [*late, *self._makespan(alone)]


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

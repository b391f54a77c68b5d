"""Jobs and their tasks: what is to be scheduled, as immutable values over read-only columns."""

from __future__ import annotations

import hashlib
import math
from dataclasses import InitVar, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from core.cluster import Cluster
from core.errors import DocumentError, Problem, shorten
from core.plain_text import name_problems, text_problems
from core.pool import POOL_SETTINGS, all_pools, pools_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from core.pool import Pool

MAP, REDUCE = 0, 1
MOST_TASKS = 20_000_000
"""Tasks of one workload; more are refused with a sentence."""

MOST_SECONDS = 1e12
"""Every time of a workload, some 30 000 years: sums over all tasks stay exact and finite."""


def _frozen(values: ArrayLike) -> NDArray[np.float64]:
    array = np.array(values, np.float64, ndmin=1)
    array.flags.writeable = False
    return array


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """All maps, or all reduces, of a job.

    Durations are samples in seconds: task i takes item ``i mod length``.

    Attributes
    ----------
    count : number of tasks
    durations : map durations, or durations of the reduce phase (after the shuffle), (k,)
    first_shuffle : for reduces that start before the map stage ends: the part of their shuffle that
        comes after it, (k,)
    typical_shuffle : for reduces that start later: their whole shuffle, (k,)
    """

    count: int = 0
    durations: NDArray[np.float64] = field(default_factory=lambda: _frozen(0.0))
    first_shuffle: NDArray[np.float64] = field(default_factory=lambda: _frozen(0.0))
    typical_shuffle: NDArray[np.float64] = field(default_factory=lambda: _frozen(0.0))

    @classmethod
    def of(
        cls,
        count: int,
        durations: ArrayLike = 0.0,
        first_shuffle: ArrayLike = 0.0,
        typical_shuffle: ArrayLike = 0.0,
    ) -> Stage:
        """Build a stage from numbers or sequences."""
        return cls(int(count), _frozen(durations), _frozen(first_shuffle), _frozen(typical_shuffle))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stage) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[int, bytes, bytes, bytes]:
        return (
            self.count,
            self.durations.tobytes(),
            self.first_shuffle.tobytes(),
            self.typical_shuffle.tobytes(),
        )

    @property
    def task_durations(self) -> NDArray[np.float64]:
        """Duration of every task, (count,)."""
        return np.resize(self.durations, self.count)

    @property
    def task_first_shuffle(self) -> NDArray[np.float64]:
        """First shuffle of every task, (count,)."""
        return np.resize(self.first_shuffle, self.count)

    @property
    def task_typical_shuffle(self) -> NDArray[np.float64]:
        """Typical shuffle of every task, (count,)."""
        return np.resize(self.typical_shuffle, self.count)


@dataclass(frozen=True, slots=True)
class Job:
    """One MapReduce job.

    Attributes
    ----------
    name : unique in its workload
    maps, reduces : its stages; one of them may be empty
    arrival : seconds from the workload's start
    deadline : seconds from the workload's start, or None
    pool, user : whom it belongs to
    weight : its share relative to others, above 0
    dataset : the dataset it scans, or None
    """

    name: str
    maps: Stage = field(default_factory=Stage)
    reduces: Stage = field(default_factory=Stage)
    arrival: float = 0.0
    deadline: float | None = None
    pool: str = "default"
    user: str = ""
    weight: float = 1.0
    dataset: str | None = None

    @property
    def task_count(self) -> int:
        """Maps and reduces together."""
        return self.maps.count + self.reduces.count


@dataclass(frozen=True, slots=True)
class Origin:
    """How a generated workload was made, so that it can be made again: family, seed, parameters."""

    family: str
    seed: int
    parameters: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class TaskColumns:
    """All tasks of a workload, job by job, maps before reduces; every array is read-only.

    Attributes
    ----------
    duration, first_shuffle, typical_shuffle : seconds, (tasks,); maps have zero shuffles
    job : index of the task's job, int32 (tasks,)
    kind : MAP or REDUCE, int8 (tasks,)
    first : index of each job's first map and first reduce task, int32 (jobs, 2)
    count : number of maps and of reduces of each job, int32 (jobs, 2)
    arrival, weight : of each job, (jobs,)
    deadline : of each job, infinity where it has none, (jobs,)
    pool : index into `Workload.pools` of each job, int32 (jobs,)
    """

    duration: NDArray[np.float64]
    first_shuffle: NDArray[np.float64]
    typical_shuffle: NDArray[np.float64]
    job: NDArray[np.int32]
    kind: NDArray[np.int8]
    first: NDArray[np.int32]
    count: NDArray[np.int32]
    arrival: NDArray[np.float64]
    weight: NDArray[np.float64]
    deadline: NDArray[np.float64]
    pool: NDArray[np.int32]


@dataclass(frozen=True)
class Workload:
    """Jobs to schedule, with the cluster suggested for them.

    Attributes
    ----------
    name, description, source : what it is and where it comes from, as plain text
    jobs : the jobs in input order, which breaks ties of every policy
    cluster : the suggested cluster
    origin : family, seed and parameters of a generated workload, else None
    pool_settings : pools whose settings are not the defaults, in any order; they need not have jobs
    checked_jobs : jobs that another workload has checked already: an edit of one job checks one job
    """

    name: str
    jobs: tuple[Job, ...]
    cluster: Cluster = field(default_factory=Cluster)
    description: str = ""
    source: str = ""
    origin: Origin | None = None
    pool_settings: tuple[Pool, ...] = ()
    checked_jobs: InitVar[tuple[Job, ...]] = ()

    def __post_init__(self, checked_jobs: tuple[Job, ...]) -> None:
        problems = name_problems("name", self.name) + text_problems("description", self.description)
        problems += text_problems("source", self.source) + workload_problems(self.jobs, checked_jobs)
        problems += pools_problems(self.pool_settings)
        if problems:
            raise DocumentError(self.name or "workload", problems)

    @cached_property
    def columns(self) -> TaskColumns:
        """The tasks as columns, made once."""
        return _columns(self.jobs, self.pools)

    @cached_property
    def pools(self) -> tuple[str, ...]:
        """Pool names: those with settings in their order, then the others in order of first appearance."""
        listed = [pool.name for pool in self.pool_settings]
        return tuple(dict.fromkeys([*listed, *(job.pool for job in self.jobs)]))

    @cached_property
    def every_pool(self) -> tuple[Pool, ...]:
        """Settings of every pool, in the order of `pools`; each has a guaranteed `capacity`."""
        return all_pools(self.pools, self.pool_settings)

    @cached_property
    def job_index(self) -> dict[str, int]:
        """Index of each job by name."""
        return {job.name: i for i, job in enumerate(self.jobs)}

    @cached_property
    def digest(self) -> str:
        """Hash of everything that a simulation depends on: equal digests give equal schedules."""
        seen = hashlib.sha256()
        for job in self.jobs:
            fields = (
                job.name,
                job.maps._key(),
                job.reduces._key(),
                job.arrival,
                job.deadline,
                job.pool,
                job.weight,
            )
            seen.update(repr(fields).encode())
        settings = [[getattr(pool, name) for name in POOL_SETTINGS] for pool in self.every_pool]
        seen.update(repr((self.pools, settings)).encode())
        return seen.hexdigest()

    @property
    def map_count(self) -> int:
        """Map tasks of all jobs."""
        return sum(job.maps.count for job in self.jobs)

    @property
    def reduce_count(self) -> int:
        """Reduce tasks of all jobs."""
        return sum(job.reduces.count for job in self.jobs)

    def with_jobs(self, jobs: Iterable[Job]) -> Workload:
        """Return the same workload with other jobs."""
        return replace(self, jobs=tuple(jobs), checked_jobs=self.jobs)

    def with_pools(self, pools: Iterable[Pool]) -> Workload:
        """Return the same workload with other pool settings; pools not among them have the defaults."""
        return replace(self, pool_settings=tuple(pools), checked_jobs=self.jobs)


def _concatenate(parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    whole = np.concatenate(parts) if parts else np.zeros(0)
    whole.flags.writeable = False
    return whole


def _columns(jobs: Sequence[Job], pools: tuple[str, ...]) -> TaskColumns:
    count = np.array([(job.maps.count, job.reduces.count) for job in jobs], np.int32).reshape(len(jobs), 2)
    ends = np.cumsum(count.ravel(), dtype=np.int64)
    first = (ends - count.ravel()).astype(np.int32).reshape(len(jobs), 2)
    pool_index = {name: i for i, name in enumerate(pools)}
    per_job = count.sum(axis=1)
    whole: dict[str, NDArray[Any]] = {
        "job": np.repeat(np.arange(len(jobs), dtype=np.int32), per_job),
        "kind": np.repeat(np.tile(np.array([MAP, REDUCE], np.int8), len(jobs)), count.ravel()),
        "first": first,
        "count": count,
        "arrival": np.array([job.arrival for job in jobs], np.float64),
        "weight": np.array([job.weight for job in jobs], np.float64),
        "deadline": np.array(
            [math.inf if job.deadline is None else job.deadline for job in jobs], np.float64
        ),
        "pool": np.array([pool_index[job.pool] for job in jobs], np.int32),
    }
    for array in whole.values():
        array.flags.writeable = False
    return TaskColumns(
        duration=_concatenate([s.task_durations for job in jobs for s in (job.maps, job.reduces)]),
        first_shuffle=_reduces_only(jobs, [job.reduces.task_first_shuffle for job in jobs]),
        typical_shuffle=_reduces_only(jobs, [job.reduces.task_typical_shuffle for job in jobs]),
        **whole,
    )


def _reduces_only(jobs: Sequence[Job], shuffles: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Lay the reduces' shuffles among the zeros of the maps."""
    return _concatenate(
        [
            part
            for job, times in zip(jobs, shuffles, strict=True)
            for part in (np.zeros(job.maps.count), times)
        ]
    )


def workload_problems(jobs: Sequence[Job], checked: Sequence[Job] = ()) -> list[Problem]:
    """Return every rule that the jobs break (none for valid ones), with the path of each value.

    Jobs that are known to be valid by themselves are `checked`; whether they fit together is still looked at.
    """
    if not jobs:
        return [Problem("jobs", "[]", "a workload needs at least one job")]
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    valid = {id(job) for job in checked}
    for i, job in enumerate(jobs):
        where = f"jobs[{i}]"
        if not job.name.strip():
            problems.append(Problem(f"{where}.name", shorten(job.name), "a job needs a name"))
        elif job.name in seen:
            rule = f"job names are unique; jobs[{seen[job.name]}] has it already"
            problems.append(Problem(f"{where}.name", shorten(job.name), rule))
        seen.setdefault(job.name, i)
        if id(job) not in valid:
            problems += job_problems(job, where)
    tasks = sum(job.task_count for job in jobs)
    if tasks > MOST_TASKS:
        problems.append(Problem("jobs", f"{tasks} tasks", f"at most {MOST_TASKS} tasks fit in one workload"))
    return problems


def job_problems(job: Job, where: str) -> list[Problem]:
    """Return every rule that one job breaks, except those that concern other jobs."""
    problems = []
    for name in ("name", "pool", "user", "dataset"):
        problems += name_problems(f"{where}.{name}", getattr(job, name) or "")
    if not 0 <= job.arrival <= MOST_SECONDS:
        rule = f"arrival must be 0 s or later, and at most {MOST_SECONDS:g} s"
        problems.append(Problem(f"{where}.arrival", str(job.arrival), rule))
    if job.deadline is not None and not job.arrival < job.deadline <= MOST_SECONDS:
        rule = (
            f"a deadline must be later than the job's arrival, and at most {MOST_SECONDS:g} s (null for none)"
        )
        problems.append(Problem(f"{where}.deadline", str(job.deadline), rule))
    if not 0 < job.weight <= MOST_SECONDS:
        rule = f"weight must be above 0 and at most {MOST_SECONDS:g}"
        problems.append(Problem(f"{where}.weight", str(job.weight), rule))
    if job.task_count == 0:
        problems.append(Problem(where, "", "a job needs at least one map or reduce task"))
    for kind, stage in (("maps", job.maps), ("reduces", job.reduces)):
        problems += _stage_problems(stage, f"{where}.{kind}")
    return problems


def _stage_problems(stage: Stage, where: str) -> list[Problem]:
    if not 0 <= stage.count <= MOST_TASKS:
        return [Problem(f"{where}.count", str(stage.count), f"a stage has from 0 to {MOST_TASKS} tasks")]
    problems = []
    for name in ("durations", "first_shuffle", "typical_shuffle"):
        samples = getattr(stage, name)
        if len(samples) == 0:
            problems.append(Problem(f"{where}.{name}", "[]", "give a number, or a list with at least one"))
            continue
        bad = np.flatnonzero(~((samples >= 0) & (samples <= MOST_SECONDS)))
        problems += [
            Problem(
                f"{where}.{name}[{i}]" if len(samples) > 1 else f"{where}.{name}",
                str(float(samples[i])),
                f"times are seconds from 0 to {MOST_SECONDS:g}",
            )
            for i in bad[:5]
        ]
    return problems

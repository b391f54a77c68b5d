"""Jobs and their tasks: what is to be scheduled, as immutable values over read-only columns."""

from __future__ import annotations

import hashlib
import math
from dataclasses import InitVar, dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.cluster import Cluster
from core.model.errors import (
    DocumentError,
    name_problems,
    text_problems,
)
from core.model.in_parts import joined
from core.model.input_nodes import InputColumns, outside_problems
from core.model.job_rules import datasets_problems
from core.model.kept_read_only import KeptReadOnly, read_only
from core.model.links import link_columns, linked_past
from core.model.many_jobs import (
    JobColumns,
    have_links,
    stages_of,
    tasks_by_type,
    tasks_of,
    values_of,
)
from core.model.number_text import grouped
from core.model.pool import POOL_SETTINGS, all_pools, pools_problems
from core.model.stages import EMPTY, MAP_REDUCE, stage_columns
from core.model.task_types import KIND_WORDS, STAGE_WORDS, TASK_TYPES
from core.model.workload_rules import scans_problems, workload_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from core.model.job import Dataset, Job
    from core.model.links import LinkColumns
    from core.model.many_jobs import TimesOfTasks
    from core.model.pool import Pool
    from core.model.recorded_run import RecordedRun
    from core.model.stages import Stage, StageColumns


@dataclass(frozen=True, slots=True)
class Origin:
    """How a generated workload was made, so that it can be made again: family, seed, parameters."""

    family: str
    seed: int
    parameters: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class TaskColumns(KeptReadOnly):
    """All tasks of a workload, job by job, stage by stage; every array is read-only.

    Attributes
    ----------
    duration, first_shuffle, typical_shuffle : seconds, (tasks,); maps have zero shuffles
    stage, job : the task's stage among `stages`, and its job, int32 (tasks,)
    kind : its type, as `TASK_TYPES` has them, int8 (tasks,)
    stages : the stages of all jobs
    arrival : of each job, (jobs,); of one that follows others the earliest that is possible, if every job
        before it takes no longer than its longest chain of tasks without a shuffle
    weight : of each job, (jobs,)
    deadline : of each job, infinity where it has none, (jobs,)
    pool : index into `Workload.pools` of each job, int32 (jobs,)
    links : which jobs follow which
    """

    duration: NDArray[np.float64]
    first_shuffle: NDArray[np.float64]
    typical_shuffle: NDArray[np.float64]
    stage: NDArray[np.int32]
    job: NDArray[np.int32]
    kind: NDArray[np.int8]
    stages: StageColumns
    arrival: NDArray[np.float64]
    weight: NDArray[np.float64]
    deadline: NDArray[np.float64]
    pool: NDArray[np.int32]
    links: LinkColumns

    @property
    def number(self) -> NDArray[np.int64]:
        """The number of each task in its stage, from 0, (tasks,)."""
        number: NDArray[np.int64] = np.arange(len(self.stage)) - self.stages.first[self.stage]
        return number

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of tasks of each type of every job, (jobs, 2)."""
        counts = np.zeros((len(self.arrival), len(TASK_TYPES)), np.int64)
        np.add.at(counts, (self.stages.job, self.stages.task_type), self.stages.count)
        return counts

    @property
    def first(self) -> NDArray[np.int32]:
        """The first task of both stages of each MapReduce job, (jobs, 2)."""
        return self.stages.first.reshape(-1, len(TASK_TYPES))

    @property
    def count(self) -> NDArray[np.int32]:
        """The number of tasks of each type of each job: its maps and its reduces, (jobs, 2)."""
        jobs, types = len(self.arrival), len(TASK_TYPES)
        if self.stages.are_map_reduce:
            return self.stages.count.reshape(jobs, types)
        whole = np.bincount(types * self.job + self.kind, minlength=types * jobs)
        return whole.astype(np.int32).reshape(jobs, types)


@dataclass(frozen=True)
class Workload(KeptReadOnly):
    """Jobs to schedule, with the cluster suggested for them.

    Attributes
    ----------
    name, description, source : what it is and where it comes from, as plain text
    jobs : the jobs in input order, which breaks ties of every policy: a tuple, or `JobColumns`
    cluster : the suggested cluster
    origin : family, seed and parameters of a generated workload, else None
    pool_settings : pools whose settings are not the defaults, in any order; they need not have jobs
    datasets : the datasets that jobs scan, as far as they are described
    recorded : what really ran, if the jobs come from a log that has their tasks
    cut : what is missing of the log that the jobs come from, as a sentence; empty where nothing is known to
        be
    checked_jobs : jobs that another workload has checked already: an edit of one job checks one job

    Workloads are equal if all of this is. That takes no time where two states of a document share their jobs;
    a hash of all durations would cost 60 ms for a million tasks, so that only little is hashed.
    """

    name: str
    jobs: Sequence[Job]
    cluster: Cluster = field(default_factory=Cluster)
    description: str = ""
    source: str = ""
    origin: Origin | None = None
    pool_settings: tuple[Pool, ...] = ()
    datasets: tuple[Dataset, ...] = ()
    recorded: RecordedRun | None = None
    cut: str = ""
    checked_jobs: InitVar[Sequence[Job]] = ()

    def __post_init__(self, checked_jobs: Sequence[Job]) -> None:
        problems = name_problems("name", self.name) + text_problems("description", self.description)
        problems += text_problems("source", self.source) + text_problems("cut", self.cut)
        problems += workload_problems(self.jobs, checked_jobs)
        problems += pools_problems(self.pool_settings)
        problems += datasets_problems(self.datasets) or scans_problems(self.jobs, self.datasets)
        problems += outside_problems(self.jobs, self.cluster)
        if problems:
            raise DocumentError(self.name or "workload", problems)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, tuple(values_of(self.jobs, "arrival"))))

    @cached_property
    def columns(self) -> TaskColumns:
        """The tasks as columns, made once."""
        return _columns(self.jobs, self.pools)

    @cached_property
    def inputs(self) -> InputColumns | None:
        """On which nodes the input of each task lies; None where no job has them."""
        if not any(values_of(self.jobs, "input_nodes")):
            return None
        return InputColumns(self.jobs, self.columns.stages)

    @cached_property
    def slot_time(self) -> NDArray[np.float64]:
        """How long the tasks of each job hold slots, shuffles with them, in seconds, (jobs,)."""
        columns = self.columns
        seconds = columns.duration + columns.typical_shuffle
        return read_only(np.bincount(columns.job, seconds, len(columns.arrival)).astype(np.float64))

    @property
    def has_deadlines(self) -> bool:
        """Whether any job has a deadline."""
        return bool(np.isfinite(self.columns.deadline).any())

    @cached_property
    def is_map_reduce(self) -> bool:
        """Whether every job has two stages: maps, and reduces that wait for them by the cluster's slowstart.

        Two stages with a slowstart of their own are no maps and reduces: those of a Spark log are such.
        """
        stages = self.columns.stages
        return stages.are_map_reduce and bool(np.isnan(stages.slowstart).all())

    @property
    def type_words(self) -> tuple[str, str]:
        """What tasks of each type are called: "map" and "reduce", or by stages where jobs have others."""
        return KIND_WORDS if self.is_map_reduce else STAGE_WORDS

    @property
    def size_text(self) -> str:
        """How much there is to do: "50 maps and 6 reduces", or "15 stages and 56 tasks"."""
        counts = (self.map_count, self.reduce_count), (len(self.columns.stages.job), len(self.columns.job))
        words = KIND_WORDS if self.is_map_reduce else ("stage", "task")
        parts = zip(counts[0 if self.is_map_reduce else 1], words, strict=True)
        return " and ".join(f"{grouped(count)} {word}{'' if count == 1 else 's'}" for count, word in parts)

    @cached_property
    def pools(self) -> tuple[str, ...]:
        """Pool names: those with settings in their order, then the others in order of first appearance."""
        listed = [pool.name for pool in self.pool_settings]
        return tuple(dict.fromkeys([*listed, *values_of(self.jobs, "pool")]))

    @cached_property
    def every_pool(self) -> tuple[Pool, ...]:
        """Settings of every pool, in the order of `pools`; each has a guaranteed `capacity`."""
        return all_pools(self.pools, self.pool_settings)

    @cached_property
    def job_index(self) -> dict[str, int]:
        """Index of each job by name."""
        return {name: i for i, name in enumerate(values_of(self.jobs, "name"))}

    @cached_property
    def input_order(self) -> tuple[str, ...]:
        """Names of the jobs by arrival, then by place: the order of FIFO."""
        times = self.columns.arrival if have_links(self.jobs) else [*values_of(self.jobs, "arrival")]
        order = np.argsort(times, kind="stable")
        return tuple(map(list(self.job_index).__getitem__, order.tolist()))

    @cached_property
    def digest(self) -> str:
        """Hash of everything that a simulation depends on: equal digests give equal schedules."""
        seen = hashlib.sha256()
        listed = {dataset.name for dataset in self.datasets}
        for job in self.jobs:
            fields = (
                job.name,
                *(stage._key() for stage in job.stages),
                job.arrival,
                job.deadline,
                job.pool,
                job.weight,
                job.shuffle_bytes,
                (job.dataset if job.dataset in listed else None, job.blocks, job.min_slots, job.max_slots),
                job.service_levels,
                *(() if job.graph == MAP_REDUCE else (job.graph,)),
                *((job.after,) if job.after else ()),
                *((job.input_nodes, job.remote_read) if job.input_nodes else ()),
            )
            seen.update(repr(fields).encode())
        settings = [[getattr(pool, name) for name in POOL_SETTINGS] for pool in self.every_pool]
        seen.update(repr((self.pools, settings, self.datasets)).encode())
        return seen.hexdigest()

    @cached_property
    def type_counts(self) -> tuple[int, ...]:
        """Tasks of each type of all jobs: maps and reduces."""
        return tasks_by_type(self.jobs)

    @property
    def map_count(self) -> int:
        """Map tasks of all jobs."""
        maps, _ = self.type_counts
        return maps

    @property
    def reduce_count(self) -> int:
        """Reduce tasks of all jobs."""
        _, reduces = self.type_counts
        return reduces

    @property
    def sizes_text(self) -> str:
        """What there is in numbers: "5 jobs, 60 maps, 20 reduces", "1 job, 11 stages, 103 tasks"."""
        if self.is_map_reduce:
            counts = {"map": self.map_count, "reduce": self.reduce_count}
        else:
            counts = {"stage": sum(len(job.graph) for job in self.jobs), "task": tasks_of(self.jobs)}
        counts = {"job": len(self.jobs)} | counts
        return ", ".join(f"{count} {word}{'s' * (count != 1)}" for word, count in counts.items())

    def __repr__(self) -> str:
        return f"<Workload {self.name}: {self.sizes_text}>"  # all of its tasks would be pages

    def with_jobs(self, jobs: Iterable[Job]) -> Workload:
        """Return the same workload with other jobs; what followed jobs that are gone: see `linked_past`."""
        return replace(self, jobs=linked_past(tuple(jobs), self.jobs), checked_jobs=self.jobs)

    def with_pools(self, pools: Iterable[Pool]) -> Workload:
        """Return the same workload with other pool settings; pools not among them have the defaults."""
        return replace(self, pool_settings=tuple(pools), checked_jobs=self.jobs)


STAGES_AT_ONCE = 4096


def _of_tasks(samples: Sequence[NDArray[np.float64]], count: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return a time for every task of stages: task i of a stage has sample ``i mod length``, (tasks,)."""
    whole = np.empty(int(count.sum()), np.float64)
    done = 0
    for begin in range(0, len(samples), STAGES_AT_ONCE):
        some, tasks = samples[begin : begin + STAGES_AT_ONCE], count[begin : begin + STAGES_AT_ONCE]
        length = np.fromiter(map(len, some), np.int64, len(some))
        values = joined(some, np.float64)
        if not (length == tasks).all():
            place = np.arange(tasks.sum()) - np.repeat(np.cumsum(tasks) - tasks, tasks)
            first = np.repeat(np.cumsum(length) - length, tasks)
            values = values[first + place % np.repeat(length, tasks)]
        whole[done : done + len(values)] = values
        done += len(values)
    return whole


def _task_times(every: StageColumns, stages: Sequence[Stage]) -> TimesOfTasks:
    """Return the times of all tasks; `every` and `stages` are the stages of the jobs."""
    # what waits for no other stage has no shuffle
    reads = [
        stage if shuffles else EMPTY
        for stage, shuffles in zip(stages, every.has_parents.tolist(), strict=True)
    ]
    return (
        _of_tasks([each.durations for each in stages], every.count),
        _of_tasks([each.first_shuffle for each in reads], every.count),
        _of_tasks([each.typical_shuffle for each in reads], every.count),
    )


def _columns(jobs: Sequence[Job], pools: tuple[str, ...]) -> TaskColumns:
    if isinstance(jobs, JobColumns):
        count = jobs.stages.counts.reshape(-1)
    else:
        stages = list(stages_of(jobs))
        count = np.fromiter(map(attrgetter("count"), stages), np.int32, len(stages))
    every = stage_columns(list(values_of(jobs, "graph")), count)
    times = jobs.stages.task_times() if isinstance(jobs, JobColumns) else _task_times(every, stages)
    stage = np.repeat(np.arange(len(count), dtype=np.int32), count)
    pool_index = {name: i for i, name in enumerate(pools)}
    deadlines = (math.inf if each is None else each for each in values_of(jobs, "deadline"))
    whole: dict[str, NDArray[Any]] = {
        **dict(zip(("duration", "first_shuffle", "typical_shuffle"), times, strict=True)),
        "stage": stage,
        "job": every.job[stage],
        "kind": every.task_type[stage],
        "weight": np.fromiter(values_of(jobs, "weight"), np.float64, len(jobs)),
        "deadline": np.fromiter(deadlines, np.float64, len(jobs)),
        "pool": np.fromiter(map(pool_index.__getitem__, values_of(jobs, "pool")), np.int32, len(jobs)),
    }
    for array in whole.values():
        array.flags.writeable = False
    links = link_columns(jobs)
    return TaskColumns(stages=every, links=links, arrival=_arrivals(links, every, stage, times[0]), **whole)


def _arrivals(
    links: LinkColumns, stages: StageColumns, stage: NDArray[np.int32], duration: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return when each job can arrive at the earliest, (jobs,); `stage` and `duration` are of the tasks."""
    if not len(links):
        return links.fixed
    longest = np.zeros(len(stages.job))
    np.maximum.at(longest, stage, duration)
    return links.earliest_arrivals(stages.spans(longest))

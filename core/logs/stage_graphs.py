"""Jobs as their log has them: graphs of stages, and jobs that a driver submits when others have ended."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.attempt_columns import FINISH, MISSING
from core.logs.driver_threads import NONE, jobs_before
from core.logs.logged_job import in_seconds
from core.model.execution_history import RecordedGraphs
from core.model.job import Link
from core.model.limits import MAX_STAGES
from core.model.stages import EMPTY, MAP_REDUCE, Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE, TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from core.logs.attempt_columns import AttemptColumns
    from core.logs.job_batch import JobBatch
    from core.logs.logged_job import LoggedStage
    from core.model.job import Job

BARRIER = 1.0
"""The slowstart of an edge: all tasks of the parent are complete before the child's start."""
MAX_KEPT = 1 << 12
"""Forms of jobs of which the graph is kept: the jobs of a large log are mostly of few forms."""


class LoggedGraph(NamedTuple):
    """The stages of a job of a log as a graph.

    Attributes
    ----------
    graph : which stage waits for which
    places : where the log's list has each stage, (stages,)
    """

    graph: StageGraph
    places: tuple[int, ...]


@lru_cache(MAX_KEPT)
def logged_graph(stages: tuple[LoggedStage, ...]) -> LoggedGraph | None:
    """Return the graph of the stages of a job, which are numbered in the order of their numbers in the log.

    None where the log has no stages, or one of them waits for a later one, as only in a damaged log, or a job
    has more of them than a document may have.
    """
    places = sorted(range(len(stages)), key=lambda place: stages[place].number)
    number = {place: k for k, place in enumerate(places)}
    edges = [
        Edge(number[parent], k, None if parent in stages[place].early else BARRIER)
        for k, place in enumerate(places)
        for parent in sorted(stages[place].parents, key=number.__getitem__)
    ]
    if not 0 < len(places) <= MAX_STAGES or any(edge.parent >= edge.child for edge in edges):
        return None
    types = tuple(MAP if stages[place].is_map else REDUCE for place in places)
    names = tuple(stages[place].name for place in places)
    graph = StageGraph(types, tuple(edges), names if any(names) else ())
    return LoggedGraph(MAP_REDUCE if graph == MAP_REDUCE else graph, tuple(places))


def with_stages(job: Job, logged: tuple[LoggedStage, ...]) -> Job:
    """Return a job whose maps and reduces, of which every task has its own duration, are stages of a log.

    Parameters
    ----------
    job : its reduces have no shuffle
    logged : its stages as the log lists them
    """
    found = logged_graph(logged)
    if found is None:
        return job
    stages = [
        Stage(stage.tasks, job.stages[kind].durations[tasks]) if stage.tasks else EMPTY
        for stage, kind, tasks in tasks_of_stages(logged)
    ]
    return replace(job, stages=tuple(stages[place] for place in found.places), graph=found.graph)


def tasks_of_stages(logged: Iterable[LoggedStage]) -> Iterator[tuple[LoggedStage, int, slice]]:
    """Yield the stages with their type, and where their tasks are among those of this type."""
    taken = [0 for _ in TASK_TYPES]
    for stage in logged:
        kind = MAP if stage.is_map else REDUCE
        yield stage, kind, slice(taken[kind], taken[kind] + stage.tasks)
        taken[kind] += stage.tasks


def recorded_graphs(
    batch: JobBatch, attempts: AttemptColumns
) -> tuple[RecordedGraphs | None, NDArray[np.int32]]:
    """Return the graph of each job with the stage of each attempt, and the number of each task in its stage.

    No graphs where all jobs are maps and reduces.

    Parameters
    ----------
    batch : all jobs of a log
    attempts : the attempts of all of them, one after the other
    """
    graphs = [logged_graph(account.stages) for account in batch.accounts]
    kind, task = attempts.what[:, 0], attempts.what[:, 1].copy()
    if not any(graphs):
        return None, task
    stage = np.where(kind < len(TASK_TYPES), kind, MISSING).astype(np.int32)
    begin = 0
    for account, found, size in zip(batch.accounts, graphs, batch.size.tolist(), strict=True):
        if found is not None:
            own, before = _stages_of_attempts(account.stages, found)
            mine = slice(begin, begin + len(own))
            stage[mine] = own
            task[mine] -= np.where(task[mine] == MISSING, 0, before)
        begin += size
    stage.flags.writeable = False
    return RecordedGraphs(tuple(found.graph if found else MAP_REDUCE for found in graphs), stage), task


@lru_cache(MAX_KEPT)
def _stages_of_attempts(
    stages: tuple[LoggedStage, ...], found: LoggedGraph
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the stage of each attempt at a task, and how many tasks of its type are of stages before."""
    number = np.argsort(found.places).astype(np.int32)
    tried = [stage.attempts for stage in stages]
    before = [
        sum(other.tasks for other in stages[:place] if other.is_map == stage.is_map)
        for place, stage in enumerate(stages)
    ]
    return np.repeat(number, tried), np.repeat(np.array(before, np.int32), tried)


def following_jobs(jobs: Sequence[Job], batch: JobBatch, attempts: AttemptColumns) -> tuple[Job, ...]:
    """Return jobs each of which follows the one that its driver waited for: see `jobs_before`.

    So the links are inferred. A job that was submitted before any other of its thread had ended comes when
    the log says. Jobs A (ends at 10 s), B (ends at 8 s) and C, submitted at 12 s: C follows A by 2 s.

    Parameters
    ----------
    jobs : those that are in the workload, by submission
    batch : all jobs, those that are not among them
    attempts : the attempts of all of them, one after the other
    """
    if not any(account.driver for account in batch.accounts):
        return tuple(jobs)
    owner = np.repeat(np.arange(len(batch.jobs)), batch.size)
    counts = attempts.what[:, 2] == 1
    ends = np.full(len(batch.jobs), MISSING)
    np.maximum.at(ends, owner[counts], attempts.times[counts, FINISH])
    kept = np.flatnonzero(batch.is_kept)
    drivers = [batch.accounts[row].driver for row in kept.tolist()]
    submit, ended = batch.submit[kept], ends[kept]
    found = list(jobs)
    for place, before in enumerate(jobs_before(drivers, [job.pool for job in jobs], submit, ended)):
        if before != NONE:
            link = Link(jobs[before].name, in_seconds(int(submit[place] - ended[before])), inferred=True)
            found[place] = replace(jobs[place], arrival=0.0, after=(link,))
    return tuple(found)

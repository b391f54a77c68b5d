"""Jobs as their log has them: graphs of stages, and jobs that a driver submits when others have ended."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.logs.attempt_columns import FINISH, MISSING, SHUFFLE, START, counting_runs
from core.logs.driver_threads import NONE, jobs_before
from core.logs.logged_job import in_seconds
from core.model.job import Link
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.logs.attempt_columns import AttemptColumns, Run
    from core.logs.job_batch import JobBatch
    from core.logs.logged_job import LoggedJob, LoggedStage
    from core.model.job import Job

BARRIER = 1.0
"""The slowstart of an edge: all tasks of the parent are complete before the child's start."""


def graph_job(logged: LoggedJob, job: Job) -> Job:
    """Return a job with the stages of its log and what each waits for, instead of maps and reduces.

    A job without stages stays as it is, and so does one of which a stage waits for a later one, as only in a
    damaged log. The stages of a job are numbered in the order of their numbers in the log.

    Parameters
    ----------
    logged : the job as its log has it
    job : the same job as maps and reduces, and whom it belongs to
    """
    order = sorted(range(len(logged.stages)), key=lambda place: logged.stages[place].number)
    number = {place: k for k, place in enumerate(order)}
    edges = [
        Edge(number[parent], k, BARRIER)
        for k, place in enumerate(order)
        for parent in sorted(logged.stages[place].parents, key=number.__getitem__)
    ]
    if not order or any(edge.parent >= edge.child for edge in edges):
        return job
    stages = list(_stages(logged))
    types = tuple(MAP if logged.stages[place].is_map else REDUCE for place in order)
    graph = StageGraph(types, tuple(edges))
    return replace(job, stages=tuple(stages[place] for place in order), graph=graph)


def _stages(logged: LoggedJob) -> Iterator[Stage]:
    """Yield the stages of a job in the order in which its log lists them, with the tasks of each."""
    runs: tuple[list[Run], list[Run]] = (counting_runs(logged.tasks[0]), counting_runs(logged.tasks[1]))
    taken = [0, 0]
    for stage in logged.stages:
        kind = MAP if stage.is_map else REDUCE
        yield _stage(stage, runs[kind][taken[kind] : taken[kind] + stage.tasks])
        taken[kind] += stage.tasks


def _stage(stage: LoggedStage, runs: Sequence[Run]) -> Stage:
    if not runs:
        return Stage()
    shuffles = [max(run[SHUFFLE] - run[START], 0) if run[SHUFFLE] != MISSING else 0 for run in runs]
    if not stage.parents:
        shuffles = [0] * len(runs)
    took = [max(run[FINISH] - run[START], 0) for run in runs]
    shuffle = [in_seconds(min(each, whole)) for each, whole in zip(shuffles, took, strict=True)]
    rest = [in_seconds(whole - min(each, whole)) for each, whole in zip(shuffles, took, strict=True)]
    return Stage.of(len(runs), rest, shuffle, shuffle) if any(shuffles) else Stage.of(len(runs), rest)


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

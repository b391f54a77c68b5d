"""Jobs as their log has them: graphs of stages, and jobs that a driver submits when others have ended."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.logs.attempt_columns import FINISH, MISSING, SHUFFLE, START, counting_runs
from core.logs.logged_job import in_seconds
from core.model.job import Link
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

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
    """Return jobs each of which follows the one of its thread that had ended last when it was submitted.

    A driver submits a job when one before it has ended and some time has passed; the log has only when that
    was. So the links are inferred. A job that was submitted before any other of its thread had ended comes
    when the log says. Jobs A (ends at 10 s), B (ends at 8 s) and C, submitted at 12 s: C follows A by 2 s.

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
    found, before = list(jobs), dict[tuple[str, ...], list[tuple[int, str]]]()
    kept = np.flatnonzero(batch.is_kept)
    threads = _threads(
        jobs, [batch.accounts[row].driver for row in kept.tolist()], batch.submit[kept], ends[kept]
    )
    for place, (job, thread, row) in enumerate(zip(jobs, threads, kept.tolist(), strict=True)):
        submit = int(batch.submit[row])
        if not thread:
            continue
        earlier = [each for each in before.get(thread, ()) if each[0] <= submit]
        if earlier:
            end, name = max(earlier, key=lambda each: each[0])
            link = Link(name, in_seconds(submit - end), inferred=True)
            found[place] = replace(job, arrival=0.0, after=(link,))
        before.setdefault(thread, []).append((int(ends[row]), job.name))
    return tuple(found)


def _threads(
    jobs: Sequence[Job], drivers: Sequence[str], submit: NDArray[np.int64], ends: NDArray[np.int64]
) -> list[tuple[str, ...]]:
    """Return of each job which thread of which driver submitted it, empty where it has no driver.

    A pool is a setting of the thread. So where jobs of several pools of a driver ran at once, each pool is a
    thread, as far as can be known; where they never did, one thread may have changed its pool.
    """
    several: set[str] = set()
    latest: dict[str, dict[str, int]] = {}
    for job, driver, begin, end in zip(jobs, drivers, submit.tolist(), ends.tolist(), strict=True):
        pools = latest.setdefault(driver, {})
        if any(other > begin for pool, other in pools.items() if pool != job.pool):
            several.add(driver)
        pools[job.pool] = max(pools.get(job.pool, end), end)
    return [
        () if not driver else (driver, job.pool) if driver in several else (driver,)
        for job, driver in zip(jobs, drivers, strict=True)
    ]

"""What the jobs of a batch were as graphs when they ran, and which of them followed which."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from core.logs.attempt_columns import MISSING
from core.logs.driver_threads import NONE, jobs_before
from core.logs.logged_job import in_seconds
from core.logs.stage_graphs import MAX_KEPT, logged_graph
from core.model.job import Link
from core.model.recorded_run import RecordedGraphs
from core.model.stages import MAP_REDUCE
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.logs.attempt_columns import AttemptColumns
    from core.logs.job_batch import JobBatch
    from core.logs.logged_job import LoggedStage
    from core.logs.stage_graphs import LoggedGraph
    from core.model.job import Job


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
    if not any(logged_graph(account.stages) for account, _ in batch.different_accounts):
        return None, attempts.task
    graphs = [logged_graph(account.stages) for account in batch.accounts]
    kind, task = attempts.kind, attempts.task.copy()
    stage = np.where(kind < len(TASK_TYPES), kind, MISSING).astype(np.int32)
    begin = 0
    for account, found, size in zip(batch.accounts, graphs, batch.size.tolist(), strict=True):
        if found is not None:
            own, before = _stages_of_attempts(account.stages, found)
            mine = slice(begin, begin + len(own))
            stage[mine] = own
            task[mine] -= np.where(task[mine] < 0, 0, before)
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


def following_jobs(jobs: Sequence[Job], batch: JobBatch, attempts: AttemptColumns) -> Sequence[Job]:
    """Return jobs each of which follows the one that its driver waited for: see `jobs_before`.

    So the links are inferred. A job that was submitted before any other of its thread had ended comes when
    the log says. Jobs A (ends at 10 s), B (ends at 8 s) and C, submitted at 12 s: C follows A by 2 s.

    Parameters
    ----------
    jobs : those that are in the workload, by submission
    batch : all jobs, those that are not among them
    attempts : the attempts of all of them, one after the other
    """
    if not any(account.driver for account, _ in batch.different_accounts):
        return jobs
    owner = np.repeat(np.arange(len(batch.jobs)), batch.size)
    counts = attempts.counts
    ends = np.full(len(batch.jobs), MISSING)
    np.maximum.at(ends, owner[counts], attempts.end[counts])
    kept = np.flatnonzero(batch.is_kept)
    drivers = [batch.accounts[row].driver for row in kept.tolist()]
    submit, ended = batch.submit[kept], ends[kept]
    found = list(jobs)
    for place, before in enumerate(jobs_before(drivers, [job.pool for job in jobs], submit, ended)):
        if before != NONE:
            link = Link(jobs[before].name, in_seconds(int(submit[place] - ended[before])), inferred=True)
            found[place] = replace(jobs[place], arrival=0.0, after=(link,))
    return tuple(found)

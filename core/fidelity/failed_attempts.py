"""Jobs with the slot time of what failed: failed attempts held slots, too."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.execution_history import OUTCOMES
from core.model.stages import MAP_REDUCE, Stage
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from core.model.execution_history import RecordedRun
    from core.model.job import Job

FAILED, KILLED = (OUTCOMES.index(each) for each in ("failed", "killed"))


def with_failures(jobs: Sequence[Job], run: RecordedRun, at: NDArray[np.int64]) -> list[Job]:
    """Return jobs with the slot time of attempts that failed.

    A task that succeeded takes as much longer as its failed attempts took. Each failed or killed attempt at a
    task that never succeeded is a further task of maps or reduces; where stages are a graph, of which stage
    it was is not known, and it is left out. Killed duplicates of tasks that succeeded are left out: as tasks
    their stages would wait for them.

    Parameters
    ----------
    jobs : as the log has them
    run : the log's attempts
    at : where the run has each job, (jobs,)
    """
    lost = run.has_ended & ~run.counts & (run.kind < len(TASK_TYPES))
    lost &= (run.outcome == FAILED) | ((run.outcome == KILLED) & (run.task < 0))
    of_job: dict[int, list[int]] = {}
    for attempt in np.flatnonzero(lost).tolist():
        of_job.setdefault(int(run.job[attempt]), []).append(attempt)
    return [
        replace(job, stages=tuple(_longer(job, run, np.array(of_job[place])))) if place in of_job else job
        for job, place in zip(jobs, at.tolist(), strict=True)
    ]


def _longer(job: Job, run: RecordedRun, attempts: NDArray[np.int64]) -> Iterator[Stage]:
    """Yield the stages of a job with the time of these attempts at its tasks.

    The tasks of one type are numbered through the stages that have this type.
    """
    first = dict.fromkeys(TASK_TYPES, 0)
    for task_type, stage in zip(job.graph.task_types, job.stages, strict=True):
        mine = attempts[run.kind[attempts] == task_type]
        seconds = np.maximum(run.end - run.start, 0.0)[mine]
        task = run.task[mine] - first[task_type]
        first[task_type] += stage.count
        is_here = (run.task[mine] >= 0) & (task >= 0) & (task < stage.count)
        durations = stage.task_durations.copy()
        np.add.at(durations, task[is_here], seconds[is_here])
        further = seconds[~is_here] if job.graph is MAP_REDUCE else seconds[:0]
        if not is_here.any() and not len(further):
            yield stage
            continue
        yield Stage.of(
            stage.count + len(further),
            np.r_[durations, further],
            np.r_[stage.task_first_shuffle, np.zeros(len(further))],
            np.r_[stage.task_typical_shuffle, np.zeros(len(further))],
        )

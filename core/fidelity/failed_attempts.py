"""Jobs with the slot time of what failed: failed attempts held slots, too."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.stages import Stage
from core.model.task_types import OUTCOMES, TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.job import Job
    from core.model.recorded_run import RecordedRun

FAILED, KILLED = (OUTCOMES.index(each) for each in ("failed", "killed"))


def with_failures(jobs: Sequence[Job], run: RecordedRun, at: NDArray[np.int64]) -> list[Job]:
    """Return jobs with the slot time of attempts that failed.

    A task that succeeded takes as much longer as its failed attempts took. Each failed or killed attempt at a
    task that never succeeded is a further task of its stage. Killed duplicates of tasks that succeeded are
    left out: as tasks their stages would wait for them.

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
        replace(job, stages=_stages(job, run, np.array(of_job[place]))) if place in of_job else job
        for job, place in zip(jobs, at.tolist(), strict=True)
    ]


def _stages(job: Job, run: RecordedRun, attempts: NDArray[np.int64]) -> tuple[Stage, ...]:
    numbered = enumerate(job.stages)
    return tuple(_longer(stage, run, attempts[run.stage[attempts] == number]) for number, stage in numbered)


def _longer(stage: Stage, run: RecordedRun, attempts: NDArray[np.int64]) -> Stage:
    """Return a stage with the time of these attempts at its tasks, and at tasks that it has not."""
    if not len(attempts):
        return stage
    seconds = np.maximum(run.end - run.start, 0.0)[attempts]
    is_here = (run.task[attempts] >= 0) & (run.task[attempts] < stage.count)
    durations = stage.task_durations.copy()
    np.add.at(durations, run.task[attempts][is_here], seconds[is_here])
    further = seconds[~is_here]
    return Stage.of(
        stage.count + len(further),
        np.r_[durations, further],
        np.r_[stage.task_first_shuffle, np.zeros(len(further))],
        np.r_[stage.task_typical_shuffle, np.zeros(len(further))],
    )

"""Other jobs that the driver may have waited for: where several threads submit jobs, links are guesses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.logs.driver_threads import NONE, jobs_before
from core.model.job import Link

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.job import Job
    from core.model.recorded_run import RecordedRun


DRIVER = "driver"
"""All jobs have the same one."""


def relinked(jobs: Sequence[Job], run: RecordedRun, draw: np.random.Generator) -> tuple[Job, ...]:
    """Return jobs that follow others than a log was taken to show: any that had ended shortly before.

    Links that are no guesses stay.

    Parameters
    ----------
    jobs : of one application
    run : the log's, with all of them
    draw : draws the job that each one follows
    """
    place = {name: i for i, name in enumerate(run.jobs)}
    if not all(job.name in place for job in jobs):
        return tuple(jobs)
    at = np.array([place[job.name] for job in jobs])
    submit, ends = (
        np.round(1000 * np.nan_to_num(times[at])).astype(np.int64) for times in (run.submit, run.finish)
    )
    turn = np.argsort(submit, kind="stable")
    thinks = [1000 * link.think for job in jobs for link in job.after if link.inferred]
    usual = float(np.median(thinks)) if thinks else 0.0
    pools = [jobs[i].pool for i in turn]
    before = jobs_before([DRIVER] * len(jobs), pools, submit[turn], ends[turn], draw=draw, usual=usual)
    found = list(jobs)
    for i, other in zip(turn.tolist(), before, strict=True):
        job = jobs[i]
        if other != NONE and job.after and all(link.inferred for link in job.after):
            think = max(float(submit[i] - ends[turn[other]]) / 1000, 0.0)
            found[i] = replace(job, after=(Link(jobs[turn[other]].name, think, inferred=True),))
    return tuple(found)

"""A document as a difference to one that is on disk already: only changed jobs are written again.

Writing a million tasks takes a second; what a drop changes takes a millisecond. So the whole document lies
in one file, and what has changed since in a second one, which is an ordinary session document whose workload
holds only the changed jobs.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from core.files.session_document import Session
from core.model.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.model.workload import Job, Workload

NUMBERS_PER_ATTEMPT = 10
"""Columns of what a log recorded."""

BASE = "recovery.base"
JOBS = "recovery.jobs"
"""Layout keys of the second file: the name of the first one, and all job names in their order (JSON)."""


def changed_jobs(workload: Workload, base: Workload) -> tuple[Job, ...]:
    """Return the jobs that the base has not, or has otherwise."""
    index = base.job_index
    return tuple(
        job
        for job in workload.jobs
        # the base's own job object is the common case and needs no comparison
        if job.name not in index or (job is not (old := base.jobs[index[job.name]]) and job != old)
    )


def sample_count(jobs: tuple[Job, ...]) -> int:
    """Return how many numbers these jobs consist of: what writing them costs."""
    stages = [stage for job in jobs for stage in (job.maps, job.reduces)]
    return sum(
        len(stage.durations) + len(stage.first_shuffle) + len(stage.typical_shuffle) for stage in stages
    )


def number_count(workload: Workload) -> int:
    """Return how many numbers a whole workload consists of, with what a log recorded."""
    return sample_count(workload.jobs) + NUMBERS_PER_ATTEMPT * (
        workload.recorded.attempts if workload.recorded else 0
    )


def difference(session: Session, base: Workload, base_name: str) -> Session:
    """Return a small session from which, with the base, `merged` makes this one again."""
    workload = session.state.workload
    # a workload has at least one job: the smallest stands in when none has changed
    jobs = changed_jobs(workload, base) or (min(workload.jobs, key=lambda job: sample_count((job,))),)
    names = json.dumps([job.name for job in workload.jobs])
    # what a log recorded is never edited
    changed = replace(workload.with_jobs(jobs), recorded=None, checked_jobs=jobs)
    return Session(
        replace(session.state, workload=changed),
        {**session.layout, BASE: base_name, JOBS: names},
        session.path,
    )


def merged(small: Session, base: Workload) -> Session:
    """Put the whole session together again; InputError if the two files do not belong together."""
    changed = {job.name: job for job in small.state.workload.jobs}
    try:
        names = json.loads(small.layout[JOBS])
        jobs = [changed[name] if name in changed else base.jobs[base.job_index[name]] for name in names]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"the session's files do not belong together ({error}); discard it") from error
    workload = replace(small.state.workload.with_jobs(jobs), recorded=base.recorded, checked_jobs=tuple(jobs))
    state = replace(small.state, workload=workload)
    return Session(state, window_layout(small.layout), small.path)


def window_layout(layout: Mapping[str, str]) -> dict[str, str]:
    """Return the layout without the keys that only recovery needs."""
    return {key: value for key, value in layout.items() if key not in (BASE, JOBS)}

"""What shared scans have to do with a start or a wait, in sentences; nothing where no scan is shared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.explain.words import clock, count, listed
from core.model.job import MAP
from core.shared_scans.shared_schedule import sharing_jobs

if TYPE_CHECKING:
    from core.model.schedule import Schedule


def boarding_sentences(schedule: Schedule, job: int, time: float) -> tuple[str, ...]:
    """Say until when a job's window lasts, or who scans how many of its blocks for it.

    Parameters
    ----------
    schedule : of any policy
    job : index of the job
    time : seconds
    """
    sharing, name = schedule.sharing, schedule.workload.jobs[job].name
    if sharing is None or not sharing.shares or time < schedule.workload.columns.arrival[job]:
        return ()
    if time < sharing.boards[job]:
        return (f"{name} waits for its batching window to end, at {clock(float(sharing.boards[job]))}.",)
    asked = int(schedule.given.columns.count[job, MAP])
    drivers = _drivers(schedule, job)
    if not drivers:
        return ()
    blocks = sum(drivers.values())
    jobs = schedule.workload.jobs
    if len(drivers) == 1:
        who = f"{jobs[next(iter(drivers))].name} scans"
    else:
        who = f"{listed([f'{jobs[other].name} ({many})' for other, many in drivers.items()])} scan"
    rest = "the rest" if blocks < asked else "none"
    return (f"{who} {blocks} of its {count(asked, 'block')} for it; it scans {rest} itself.",)


def riders_sentence(schedule: Schedule, task: int) -> tuple[str, ...]:
    """Say whom a map serves beside its own job."""
    others = sharing_jobs(schedule, task)[1:]
    if not others:
        return ()
    names = [schedule.workload.jobs[job].name for job in others]
    return (f"It scans its block for {listed(names)}, too.",)


def _drivers(schedule: Schedule, job: int) -> dict[int, int]:
    """Return who scans how many blocks for a job, the first to board first."""
    sharing, columns = schedule.sharing, schedule.workload.columns
    assert sharing is not None
    before = np.flatnonzero((sharing.place < sharing.place[job]) & (sharing.group == sharing.group[job]))
    found: dict[int, int] = {}
    for other in sorted(before.tolist(), key=lambda j: int(sharing.place[j])):
        first, maps = columns.first[other, MAP], columns.count[other, MAP]
        tasks = slice(first, first + maps)
        serves = (schedule.start[tasks] >= sharing.boards[job]) & (columns.duration[tasks] > 0)
        served = int(np.sum(serves & sharing.wants(job, tasks)))
        if served:
            found[other] = served
    return found

"""When the stages of a schedule run, and which jobs one thread of a driver submitted one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.model.kept_read_only import KeptReadOnly

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule

NO_JOB = -1
"""Stands for no job."""


@dataclass(frozen=True, slots=True)
class StageSpans(KeptReadOnly):
    """From when to when each stage of a workload runs; arrays are read-only.

    Attributes
    ----------
    ready : when all stages that it waits for have ended, or its job has arrived, in s, (stages,)
    start, end : when its first task starts and its last one ends, in s; of a stage without tasks both are
        `ready`; not a number while no task has started, or while one has not ended, (stages,)
    """

    ready: NDArray[np.float64]
    start: NDArray[np.float64]
    end: NDArray[np.float64]


def stage_spans(schedule: Schedule) -> StageSpans:
    """Return when each stage of a schedule runs.

    A job that arrives at 2 s with tasks of 3 and 5 s in its first stage, on two slots, and one of 1 s in the
    next: they are ready at 2 and 7, start then, and end at 7 and 8.
    """
    stages = schedule.workload.columns.stages
    filled = np.flatnonzero(stages.count)
    start, end = np.full((2, len(stages.count)), np.nan)
    if len(filled):
        first = stages.first[filled]  # stages without tasks take no place between these
        start[filled] = np.fmin.reduceat(schedule.start, first)
        end[filled] = np.maximum.reduceat(schedule.end, first)
    for stage in _parents_first(schedule, np.flatnonzero(stages.count == 0)):
        parents = stages.parents_of(stage)
        start[stage] = end[stage] = _ready(schedule, stage, end[parents])
    ready = schedule.arrival[stages.job]
    with np.errstate(invalid="ignore"):  # of what has no end yet
        np.maximum.at(ready, stages.child, end[stages.parent])
    for column in (ready, start, end):
        column.flags.writeable = False
    return StageSpans(ready, start, end)


def _parents_first(schedule: Schedule, stages: NDArray[np.int64]) -> list[int]:
    """Return some stages so that none comes before one that it waits for: by their numbers in their jobs."""
    number = schedule.workload.columns.stages.number[stages]
    ordered: list[int] = stages[np.argsort(number, kind="stable")].tolist()
    return ordered


def _ready(schedule: Schedule, stage: int, ends: NDArray[np.float64]) -> float:
    job = schedule.workload.columns.stages.job[stage]
    return float(max(schedule.arrival[job], ends.max(initial=-np.inf)))


def followed_jobs(schedule: Schedule) -> NDArray[np.int64]:
    """Return of each job the one after whose end and think time it came, (jobs,); NO_JOB for none.

    None of those that a job follows decides if the job arrives later than all of them let it, at a time of
    its own. Of several that let it come at the same time it is the first one of the workload. Of a record it
    is the one that ended last before the job came: its driver thought as long as it did.
    """
    if schedule.record is not None and len(schedule.record.followed):
        return schedule.record.followed
    links = schedule.workload.columns.links
    followed = np.full(len(links.fixed), NO_JOB)
    came = schedule.finish[links.before] + links.think
    decides = np.flatnonzero((came >= schedule.arrival[links.follower]) & np.isfinite(came))
    for place in decides[np.argsort(-links.before[decides], kind="stable")].tolist():
        followed[links.follower[place]] = links.before[place]
    return followed


def driver_threads(schedule: Schedule) -> tuple[tuple[int, ...], ...]:
    """Return the jobs that came one after the other, as one thread of a driver submits them.

    A thread goes on with the job that came first of those that came after its last one; the others begin
    threads of their own, and so do jobs that came at a time of their own. Threads stand in the order in
    which their first jobs arrive, by index where they arrive together.

    Examples
    --------
    J2 and J3 follow J1, J3 with a longer think time, and J4 follows J3: (J1, J2), (J3, J4).
    """
    followed = followed_jobs(schedule)
    in_turn: list[int] = np.argsort(schedule.arrival, kind="stable").tolist()
    goes_on: dict[int, int] = {}
    for job in in_turn:
        goes_on.setdefault(int(followed[job]), job)
    continued = {goes_on[before] for before in goes_on if before != NO_JOB}
    threads = []
    for begin in in_turn:
        if begin not in continued:
            thread = [begin]
            while thread[-1] in goes_on:
                thread.append(goes_on[thread[-1]])
            threads.append(tuple(thread))
    return tuple(threads)

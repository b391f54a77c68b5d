"""Whether jobs of a log were submitted as earlier ones ended: then their times are results of the run.

A driver (a Spark application, a Pig or Hive script, a shell loop) submits its next job when one has ended. On
another cluster the one before would end at another time, and the next would come at another time. So what is
simulated, bounded or proved with the recorded times of submission holds only if jobs came at these times.

The rule. Let c be the most jobs that were in the system at once, and the share of the time with so many be
known. Jobs that come when they like find c of them there by chance, each with the probability of that share;
here none of the n - c later ones did, else there would have been c + 1. That is by chance with probability
``(1 - share) ** (n - c)``. The k-th of the later jobs is taken to follow the k-th end, after a time to think.

A job that follows another one in the workload is submitted when that one has ended in any run, so it counts
as a part of the job that its chain of links begins with.

Jobs follow one another where this chance is at most `MAX_CHANCE` and they think `MAX_THINK` seconds or less
on average; one driver also where it is at most `MAX_CHANCE_ALONE`, however long it thinks. A batch (all jobs
at once) has no later jobs, and those of a trace with arrivals of its own find the system at its fullest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.kept_answers import kept
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.workload import Workload

    Floats = NDArray[np.float64]

MAX_CHANCE, MAX_CHANCE_ALONE = 0.1, 0.001
MAX_THINK = 3.0
"""Seconds, on average."""
CLOCK = 1e-3
"""Seconds: logs know times to the millisecond."""
AS_SUBMITTED = "jobs as submitted"
"""In a few words, where the sentence has no room."""
ONE_AFTER_THE_OTHER = (
    "These jobs were submitted as earlier ones had ended, so the recorded times are results of that run, and "
    "nothing is proved for another one."
)


@kept(16)
def follow_one_another(workload: Workload) -> bool:
    """Return whether the jobs were submitted as earlier ones ended, by what a log recorded.

    Jobs whose arrivals have been changed since do not count: they come when somebody says. A workload of a
    log that has lost its history is judged by its arrivals, and as if each job had had the suggested cluster
    for itself; what was generated, or has no source, came when it came.
    """
    run, arrival, heads = workload.recorded, workload.columns.arrival, _heads(workload)
    if run is not None:
        place = {name: i for i, name in enumerate(run.jobs)}
        there = [(i, place[job.name]) for i, job in enumerate(workload.jobs) if job.name in place]
        own, recorded = np.array(there, np.int64).reshape(-1, 2).T
        submit = np.full(len(arrival), np.nan)
        submit[own] = np.where(
            np.abs(arrival[own] - run.submit[recorded]) <= CLOCK, run.submit[recorded], np.nan
        )
        finish = np.full(len(arrival), np.nan)
        np.fmax.at(finish, heads[own], run.finish[recorded])
        is_head = heads == np.arange(len(heads))
        return are_chained(submit[is_head], finish[is_head])
    if workload.origin is not None or not workload.source:
        return False
    finish = np.zeros(len(arrival))
    np.maximum.at(finish, heads, arrival + _least_alone(workload))
    is_head = heads == np.arange(len(heads))
    return are_chained(arrival[is_head], finish[is_head])


def _heads(workload: Workload) -> NDArray[np.int64]:
    """Return the job that each job's chain of links begins with, itself where it follows none, (jobs,)."""
    heads = np.arange(len(workload.jobs))
    links = workload.columns.links
    leads = dict(zip(links.follower.tolist(), links.before.tolist(), strict=True))
    for job in leads:
        head = job
        while head in leads:
            head = leads[head]
        heads[job] = head
    return heads


def are_chained(submit: Floats, finish: Floats) -> bool:
    """Return whether jobs follow one another by the rule of this module; times in seconds, (jobs,) each.

    Jobs whose times are not known do not count.
    """
    known = np.isfinite(submit) & np.isfinite(finish)
    submit, finish = submit[known] + CLOCK, finish[known]  # who comes as another goes comes after it
    submit, finish = np.sort(submit), np.sort(np.maximum(finish, submit + CLOCK))
    most, share = _fullest(submit, finish)
    later = len(submit) - most
    if later < 1:
        return False
    chance = (1 - share) ** later
    if most == 1 and chance <= MAX_CHANCE_ALONE:
        return True
    think = submit[most:] - finish[:later]
    return bool(chance <= MAX_CHANCE and think.mean() <= MAX_THINK)


def _fullest(submit: Floats, finish: Floats) -> tuple[int, float]:
    """Return the most jobs that are there at once, and the part of the time with so many."""
    times = np.concatenate([finish, submit])
    order = np.argsort(times, kind="stable")
    there = np.cumsum(np.repeat([-1, 1], len(submit))[order])
    seconds = np.diff(times[order], append=times.max(initial=0.0))
    most, whole = int(there.max(initial=0)), float(seconds.sum())
    return most, float(seconds[there == most].sum()) / whole if whole > 0 else 0.0


def _least_alone(workload: Workload) -> Floats:
    """Return how long each job takes at least with all slots of the suggested cluster, in s, (jobs,)."""
    columns, least = workload.columns, np.zeros(len(workload.jobs))
    for kind, slots in zip(TASK_TYPES, workload.cluster.stage_slots, strict=True):
        job, length = columns.job[columns.kind == kind], columns.duration[columns.kind == kind]
        longest = np.zeros(len(least))
        np.maximum.at(longest, job, length)
        least += np.maximum(longest, np.bincount(job, length, len(least)) / max(slots, 1))
    return least

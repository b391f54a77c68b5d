"""Quota breaches: a job runs more tasks of a kind than the policy wanted it to, a pool more than its cap.

The quotas are those that the policy's plan wrote before the run (MinEDF's wanted slots, a queue's maximum).
They are broken by a policy that hands out idle slots, by one that does not keep its own plan, and after a
fork, when more was running than the new policy wants.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from core.explain.explanation_words import amount, task_word
from core.explain.lints.finding import NO_JOB, NO_SLOT, Finding, Limits, Rule, most_costly
from core.model.partition import pools_in_use
from core.model.task_types import TASK_TYPES
from core.model.time_text import exact_clock
from core.policies.policy import SearchControl
from core.policies.resolved_policy import follow
from core.simulation.fifo_trials import pool_trials

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.model.schedule import Schedule


def quota_breaches(schedule: Schedule, limits: Limits) -> tuple[Finding, ...]:
    """Return the pools that had more slots than the policy's plan allows, the most slot-seconds first.

    Parameters
    ----------
    schedule : complete
    limits : `least_share` and `most` are used
    """
    least = limits.least_share * schedule.makespan
    wanted, caps = _planned(schedule)
    found = [*_of_jobs(schedule, wanted), *_of_pools(schedule, caps)]
    return most_costly((finding for finding in found if finding.cost >= max(least, 1e-9)), limits)


def _planned(schedule: Schedule) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the quotas that the plan wrote for the jobs, (jobs, 2), and for the pools, (pools, 2)."""
    workload, cluster = schedule.workload, schedule.cluster
    trials = partial(pool_trials, compiled=False)  # not needed: what a search has found is in the schedule
    no_effort = SearchControl(False, lambda _fraction: None, lambda: False, trials)
    followed = follow(
        schedule.choice, workload, cluster, schedule.order, schedule.partition, no_effort, schedule.plan
    )
    state = followed.first_state(workload, cluster)
    return np.asarray(state.job["wanted"]), np.asarray(state.pool["cap"])


def _of_jobs(schedule: Schedule, wanted: NDArray[np.int32]) -> Iterator[Finding]:
    stages = schedule.workload.columns.stages
    tasks_of_type = np.zeros(wanted.shape, np.int64)
    np.add.at(tasks_of_type, (stages.job, stages.task_type), stages.count)
    for job, kind in np.argwhere(tasks_of_type > wanted):
        own = stages.of_type(job, kind)
        ranges = zip(stages.first[own], stages.count[own], strict=True)
        tasks = np.concatenate([np.arange(first, first + count) for first, count in ranges])
        name = schedule.workload.jobs[job].name
        yield from _breach(schedule, tasks, int(wanted[job, kind]), int(kind), int(job), name)


def _of_pools(schedule: Schedule, caps: NDArray[np.int32]) -> Iterator[Finding]:
    columns, (names, pool_of) = schedule.workload.columns, pools_in_use(schedule.workload, schedule.partition)
    pool = pool_of[columns.job]
    for place, name in enumerate(names):
        for kind in TASK_TYPES:
            if caps[place, kind] < schedule.cluster.slots:
                tasks = np.flatnonzero((pool == place) & (columns.kind == kind))
                yield from _breach(schedule, tasks, int(caps[place, kind]), kind, NO_JOB, f"Pool {name}")


def _breach(
    schedule: Schedule, tasks: NDArray[np.integer], quota: int, kind: int, job: int, name: str
) -> Iterator[Finding]:
    """Yield a finding if these tasks ever run on more slots than a quota."""
    since = schedule.fork.time if schedule.fork is not None else 0.0
    starts, ends = schedule.start[tasks], schedule.end[tasks]
    if (lost := schedule.given_up) is not None and lost.given_up is not None:
        mine = np.isin(lost.given_up.task, tasks) & (lost.given_up.outrun == 0)
        parts = lost.extra_times  # what came to nothing held slots, too
        starts, ends = (
            np.concatenate([each, part[mine]]) for each, part in zip((starts, ends), parts, strict=True)
        )
    edges = np.concatenate([ends, starts])  # at one instant tasks end first
    order = np.argsort(edges, kind="stable")
    times = np.maximum(edges[order], since)
    running = np.cumsum(np.where(order < len(ends), -1, 1))
    lasts = np.diff(times, append=times[-1:])
    above = np.flatnonzero((running > quota) & (lasts > 0))
    if len(above) == 0:
        return
    begin, end = float(times[above[0]]), float(times[above[-1]] + lasts[above[-1]])
    cost = float(np.sum((running[above] - quota) * lasts[above]))
    most = int(running[above].max())
    sentence = (
        f"{name} runs up to {most} {task_word(schedule.workload, kind)}s between {exact_clock(begin)} and "
        f"{exact_clock(end)}; its quota is {quota}: {amount(cost)} slot-seconds above it."
    )
    yield Finding(Rule.QUOTA, begin, end, job, NO_SLOT, kind, cost, sentence)

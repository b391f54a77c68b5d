"""Open the log of an application, to be run on other clusters, with the weights of its pools.

A log names the pool of each job, not what `fairscheduler.xml` gave that pool: the weights are those with
which the recorded run comes out as it was.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.fidelity.prediction import application_of
from core.logs.open_log import open_trace
from core.model.errors import Cancelled, InputError
from core.model.pool import Pool
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.policies.spark import SparkFair, policy_of_log
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from core.fidelity.prediction import LoggedApplication
    from core.model.cluster import Cluster
    from core.model.workload import Workload

WEIGHTS = (1.0, 2.0, 3.0, 4.0)
"""Tried for each pool."""
BETTER = 0.97
"""Another weight is taken where all jobs together end so much nearer to when they really ended."""
ROUNDS = 3
"""So often each pool's weight is tried again, as what suits one depends on the others."""
MAX_POOLS, MAX_TASKS = 12, 100_000
"""Of more, no weights are sought: each trial is a simulation."""


def pools_as_recorded(
    workload: Workload,
    cluster: Cluster,
    policy: PolicyChoice,
    *,
    should_stop: Callable[[], bool] = never_stop,
) -> tuple[Pool, ...]:
    """Return the pools of a log with the weights that explain its run best; none where all are alike.

    Each job is submitted when it was, and runs on the cluster of the log.

    Parameters
    ----------
    workload : what the log has, with its recorded run
    cluster, policy : those of the log

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    run = workload.recorded
    names = sorted({job.pool for job in workload.jobs})
    if run is None or not 1 < len(names) <= MAX_POOLS or len(workload.columns.job) > MAX_TASKS:
        return ()
    place = {name: i for i, name in enumerate(run.jobs)}
    at = np.array([place[job.name] for job in workload.jobs])
    submitted = tuple(
        replace(job, arrival=max(float(run.submit[i]), 0.0), after=())
        for job, i in zip(workload.jobs, at.tolist(), strict=True)
    )
    alone = replace(workload, jobs=submitted, recorded=None)

    def seconds_off(weights: dict[str, float]) -> float:
        """Return by how much jobs end too early or too late, s, all together."""
        if should_stop():
            raise Cancelled("the search for weights was cancelled")
        pools = [Pool(name, weight=weight) for name, weight in weights.items()]
        schedule = simulate(alone.with_pools(pools), cluster, policy, should_stop=should_stop)
        return float(np.nansum(np.abs(schedule.finish - run.finish[at])))

    best = dict.fromkeys(names, 1.0)
    least = seconds_off(best)
    for _ in range(ROUNDS):
        before = best
        for other in _with_one_other(best):
            # what was found since counts, so a weight is tried beside those of now
            trial = best | other
            if trial != best and (off := seconds_off(trial)) < BETTER * least:
                best, least = trial, off
        if best == before:
            break
    is_plain = len(set(best.values())) == 1
    return () if is_plain else tuple(Pool(name, weight=weight) for name, weight in best.items())


def _with_one_other(weights: dict[str, float]) -> Iterator[dict[str, float]]:
    """Yield another weight for one pool after the other."""
    for name in weights:
        for weight in WEIGHTS:
            yield {name: weight}


def open_application(
    paths: Sequence[Path],
    *,
    progress: Callable[[float], None] = no_progress,
) -> LoggedApplication:
    """Read the log of an application.

    Raises
    ------
    InputError
        a file cannot be read or is of no known format, or the log has no times of tasks, or its slots are
        for maps or reduces alone
    """
    imported = open_trace(paths, progress=progress)
    workload, report = imported.workload, imported.report
    if workload.recorded is None or report.recorded_makespan is None:
        raise InputError(f"{workload.name}: the log does not say when tasks ran; give one that does")
    cluster = workload.cluster
    if not cluster.has_containers:
        raise InputError(
            f"{workload.name}: its tasks run on map slots and reduce slots, not on slots for any task; "
            "for such a log give 'slotscope simulate' a number of each"
        )
    policy = PolicyChoice(policy_of_log(report.scheduler))
    application = application_of(workload, policy)
    if policy.id == SparkFair.id:
        given = application.workload
        pools = pools_as_recorded(given, cluster, policy)
        application = replace(application, workload=given.with_pools(pools))
    return application

"""What figures of the papers plot beside the usual metrics: pools, last maps, releases, instants."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from core.measures.metrics import bound_of
from core.measures.release_rate import release_rates
from core.model.job import MAP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.model.partition import SlotPool
    from core.model.schedule import Schedule
    from core.study.fields import Value

BATCH_SECONDS, SMALL_BATCH = 10.0, 5
"""Maps of a job that end so shortly before its last one are its last batch; one of fewer is small."""


def possible_gain(schedule: Schedule) -> float:
    """Return 1 - lower bound / makespan: by how much any schedule could be shorter at most."""
    return 1 - bound_of(schedule) / schedule.makespan if schedule.makespan > 0 else 0.0


def small_pool_slots(schedule: Schedule) -> float:
    """Return the map slots of the smallest pool; nan without two pools."""
    pool = _small_pool(schedule)
    return math.nan if pool is None else float(pool.map_slots)


def small_pool_jobs(schedule: Schedule) -> float:
    """Return the number of jobs of the smallest pool; nan without two pools."""
    pool = _small_pool(schedule)
    return math.nan if pool is None else float(len(pool.jobs))


def _small_pool(schedule: Schedule) -> SlotPool | None:
    pools = schedule.partition.pools if schedule.partition else ()
    return min(pools, key=lambda pool: pool.map_slots) if len(pools) > 1 else None


def map_phase(schedule: Schedule) -> float:
    """Return when the last map of all jobs ends, in seconds."""
    return float(schedule.stage_end.max())


def shuffle_tail(schedule: Schedule) -> float:
    """Return how long reduces shuffle after the last map of all jobs, in seconds."""
    return float(schedule.shuffled.max() - schedule.stage_end.max())


def last_batch_largest(schedule: Schedule) -> float:
    """Return the most maps of a job that end within `BATCH_SECONDS` of its last one (004, Figure 8)."""
    return float(_last_batches(schedule).max())


def last_batch_small(schedule: Schedule) -> float:
    """Return the fraction of jobs that have fewer than `SMALL_BATCH` maps in their last batch."""
    return float((_last_batches(schedule) < SMALL_BATCH).mean())


def _last_batches(schedule: Schedule) -> NDArray[np.int64]:
    columns = schedule.workload.columns
    sizes = []
    for job in range(len(schedule.finish)):
        ends = schedule.end[(columns.job == job) & (columns.kind == MAP)]
        sizes.append(np.count_nonzero(ends > ends.max() - BATCH_SECONDS) if len(ends) else 0)
    return np.array(sizes, np.int64)


def release_rate(schedule: Schedule) -> float:
    """Return how many containers are released a second, in the mean of windows (004, Figure 7)."""
    rates = release_rates(schedule)
    return math.nan if rates is None else float(rates.real.mean())


def release_error(schedule: Schedule) -> float:
    """Return how far the predicted rate of releases is off in the mean, a second; nan if there is none."""
    rates = release_rates(schedule)
    return math.nan if rates is None else rates.mean_error


def running(kind: int, schedule: Schedule, settings: Mapping[str, Value]) -> float:
    """Return how many tasks of a kind run at the instant ``look.time``, of the pool ``look.pool`` or of all.

    nan for a pool that the workload does not have.
    """
    columns, time = schedule.workload.columns, float(settings.get("look.time", 0.0))
    chosen = (schedule.start <= time) & (time < schedule.end) & (columns.kind == kind)
    if name := settings.get("look.pool"):
        if name not in schedule.workload.pools:
            return math.nan
        chosen &= columns.pool[columns.job] == schedule.workload.pools.index(str(name))
    return float(np.count_nonzero(chosen))

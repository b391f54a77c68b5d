"""What figures of the papers plot beside the usual metrics: pools, phases, last maps, releases, instants.

Some look at one instant or one job of a schedule: a study varies ``look.time`` or ``look.job`` and so has
curves over time, or a bar for each job.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from core.measures.metrics import bound_of
from core.measures.release_rate import release_rates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.model.partition import SlotPool
    from core.model.schedule import Schedule
    from core.study.study_fields import Value

BATCH_SECONDS, SMALL_BATCH = 10.0, 5
"""Maps of a job that end so shortly before its last one are its last batch; one of fewer is small."""
WINDOW, BETA = 10.0, 0.5
"""Seconds of a window in which 004 counts releases, and the weight of the newest one in the averages."""


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


def map_only(schedule: Schedule) -> float:
    """Return how long no reduce shuffles until the last map of all ends, in seconds (004, Figure 13)."""
    return map_phase(schedule) - map_overlap(schedule)


def map_overlap(schedule: Schedule) -> float:
    """Return how long some reduce shuffles until the last map of all ends, in seconds (004, Figure 13)."""
    columns = schedule.workload.columns
    reduces = columns.stages.has_parents[columns.stage]
    order = np.argsort(schedule.start[reduces], kind="stable")
    last = map_phase(schedule)
    begins = np.minimum(schedule.start[reduces][order], last)
    ends = np.minimum(schedule.shuffled[reduces][order], last)
    covered = np.maximum.accumulate(np.concatenate([[0.0], ends]))[:-1]  # until there by those before
    return float(np.maximum(ends - np.maximum(begins, covered), 0.0).sum())


def last_batch(schedule: Schedule, settings: Mapping[str, Value]) -> float:
    """Return how many maps of job ``look.job`` end within `BATCH_SECONDS` of its last one (004, Figure 8).

    nan for a job that the workload does not have.
    """
    batches, job = _last_batches(schedule), int(settings.get("look.job", 1))
    return float(batches[job - 1]) if job <= len(batches) else math.nan


def last_batch_largest(schedule: Schedule) -> float:
    """Return the most maps of a job that end within `BATCH_SECONDS` of its last one (004, Figure 8)."""
    return float(_last_batches(schedule).max())


def last_batch_small(schedule: Schedule) -> float:
    """Return the fraction of jobs that have fewer than `SMALL_BATCH` maps in their last batch."""
    return float((_last_batches(schedule) < SMALL_BATCH).mean())


def _last_batches(schedule: Schedule) -> NDArray[np.int64]:
    columns = schedule.workload.columns
    is_map = ~columns.stages.has_parents[columns.stage]
    sizes = []
    for job in range(len(schedule.finish)):
        ends = schedule.end[(columns.job == job) & is_map]
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


def released(schedule: Schedule, settings: Mapping[str, Value]) -> float:
    """Return how many containers a second are released in the window of ``look.time`` (004, Figure 7).

    nan after the last window.
    """
    return _at_window(_released(schedule), settings)


def release_estimate(schedule: Schedule, settings: Mapping[str, Value]) -> float:
    """Return the rate that 004 section IV.A estimates for the window of ``look.time`` from those before it.

    F_e = F_o A_e / A_o: F_o and A_o are moving averages of what was released and of what was available, and
    A_e is available as the window begins. Available are containers that maps hold, and reduces whose maps
    have ended. Any schedule can be looked at so, as the paper's Figure 7 does with one of the Fair Scheduler.
    nan for the first window, which nothing is known before, and after the last one.
    """
    rates = _released(schedule)
    available = _available(schedule, WINDOW * np.arange(len(rates) + 1, dtype=np.float64))
    estimates = np.full(len(rates), math.nan)
    rate, there = rates[0], available[1]
    for place in range(1, len(rates)):
        estimates[place] = rate * available[place] / there if there > 0 else math.nan
        rate = BETA * rates[place] + (1 - BETA) * rate
        there = BETA * available[place + 1] + (1 - BETA) * there
    return _at_window(estimates, settings)


def _released(schedule: Schedule) -> NDArray[np.float64]:
    """Return the containers that are released a second in each window, (windows,)."""
    windows = max(1, math.ceil(schedule.makespan / WINDOW))
    ended = np.minimum((schedule.end / WINDOW).astype(np.int64), windows - 1)
    rates: NDArray[np.float64] = np.bincount(ended, minlength=windows) / WINDOW
    return rates


def _available(schedule: Schedule, times: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return how many containers may be released soon at each of some instants, (times,)."""
    columns = schedule.workload.columns
    waits = columns.stages.has_parents[columns.stage]
    can_end = np.where(waits, np.maximum(schedule.start, schedule.stage_end[columns.job]), schedule.start)
    begun = np.searchsorted(np.sort(can_end), times, side="right")
    counts: NDArray[np.int64] = begun - np.searchsorted(np.sort(schedule.end), times, side="right")
    return counts


def _at_window(values: NDArray[np.float64], settings: Mapping[str, Value]) -> float:
    window = int(float(settings.get("look.time", 0.0)) / WINDOW)
    return float(values[window]) if window < len(values) else math.nan


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

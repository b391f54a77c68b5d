"""The simulation experiment of 003 section 4: FLEX, BATCH and CIRCUMFLEX over 225 settings."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from core.generate.scans import draw_scans
from core.model.errors import Cancelled
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.scan_jobs import ScanJobs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.shared_scans.fluid import FluidSchedule
    from core.shared_scans.windows import ScanPolicy

THETAS = (0.0, 0.25, 0.5, 0.75, 1.0)
CORRELATIONS = (
    (1, False),
    (5, False),
    (10, False),
    (15, False),
    (20, True),
    (15, True),
    (10, True),
    (5, True),
    (1, True),
)
"""Kappa, and whether the correlation is positive: from strictly negative over random to strictly positive."""
METRIC_IDS = ("average-response", "average-stretch", "max-stretch")


INFINITY = float("inf")


@dataclass(frozen=True, slots=True)
class Setting:
    """One point of the grid: both skews, and the correlation of popularity and size (0 to 8)."""

    popularity_skew: float
    size_skew: float
    correlation: int


@dataclass(frozen=True, slots=True)
class Experiment:
    """What holds for all settings; the defaults are the paper's base case.

    Attributes
    ----------
    jobs, datasets, slots, seconds, load : see `core.generate.scans.draw_scans`
    scan_fraction : part of the work that sharing jobs share
    window : seconds of BATCH's windows
    maximum : slots that one job may use at most; the paper does not say
    repetitions : runs of every setting
    seed : of the whole experiment
    """

    jobs: int = 1000
    datasets: int = 20
    slots: float = 100.0
    seconds: float = 6000.0
    load: float = 0.9
    scan_fraction: float = 1.0
    window: float = 120.0
    maximum: float = INFINITY
    repetitions: int = 10
    seed: int = 1


@dataclass(frozen=True, eq=False)
class Ratios:
    """The results of one setting; arrays are (repetitions, metrics) unless said otherwise.

    Attributes
    ----------
    setting : where in the grid
    circumflex, batch : value of each metric, divided by FLEX's; each policy optimises that very metric
    work : work of CIRCUMFLEX and of BATCH divided by FLEX's, when average response is optimised,
        (repetitions, 2)
    concurrency : mean over the datasets of the most jobs at once: sharing with CIRCUMFLEX, in one batch
        with BATCH, (repetitions, 2)
    """

    setting: Setting
    circumflex: NDArray[np.float64]
    batch: NDArray[np.float64]
    work: NDArray[np.float64]
    concurrency: NDArray[np.float64]


def grid() -> tuple[Setting, ...]:
    """Return the paper's 225 settings."""
    return tuple(Setting(*point) for point in product(THETAS, THETAS, range(len(CORRELATIONS))))


def run_experiment(
    experiment: Experiment,
    settings: Sequence[Setting] | None = None,
    *,
    threads: int = 2,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> list[Ratios]:
    """Run settings (the whole grid by default); the results do not depend on the threads.

    Parameters
    ----------
    experiment : what holds for all
    settings : points of the grid
    threads : how many settings run at once
    progress : called with the fraction that is done
    should_stop : asked after each setting

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    points = grid() if settings is None else settings
    results: list[Ratios] = []
    pool = ThreadPoolExecutor(threads)
    try:
        futures = [pool.submit(run_setting, experiment, setting) for setting in points]
        for future in futures:
            results.append(future.result())
            if progress is not None:
                progress(len(results) / len(points))
            if should_stop is not None and should_stop():
                raise Cancelled(
                    f"the experiment was cancelled after {len(results)} of {len(points)} settings"
                )
    finally:
        pool.shutdown(wait=True, cancel_futures=True)  # after Ctrl+C, too, nothing goes on behind our back
    return results


def run_setting(experiment: Experiment, setting: Setting) -> Ratios:
    """Run all repetitions of one setting."""
    rows = [_repetition(experiment, setting, r) for r in range(experiment.repetitions)]
    circumflex, batch, work, concurrency = (np.array(column) for column in zip(*rows, strict=True))
    return Ratios(setting, circumflex, batch, work, concurrency)


def scan_jobs(experiment: Experiment, setting: Setting, repetition: int) -> ScanJobs:
    """Draw the jobs of one repetition; the seed is made of the experiment's, the setting and the number."""
    kappa, positive = CORRELATIONS[setting.correlation]
    place = [round(100 * setting.popularity_skew), round(100 * setting.size_skew), setting.correlation]
    scans = draw_scans(
        np.random.Generator(np.random.PCG64([experiment.seed, *place, repetition])),
        jobs=experiment.jobs,
        datasets=experiment.datasets,
        popularity_skew=setting.popularity_skew,
        size_skew=setting.size_skew,
        kappa=kappa,
        positive=positive,
        load=experiment.load,
        slots=experiment.slots,
        seconds=experiment.seconds,
    )
    return ScanJobs.of(
        scans.arrival,
        scans.dataset,
        scans.work[scans.dataset],
        scan_fraction=experiment.scan_fraction,
        maximum=experiment.maximum,
    )


def _repetition(
    experiment: Experiment, setting: Setting, repetition: int
) -> tuple[list[float], list[float], list[float], list[float]]:
    jobs = scan_jobs(experiment, setting, repetition)

    def run(policy: ScanPolicy, metric: str) -> FluidSchedule:
        return schedule_scans(
            jobs, experiment.slots, policy, metric, window=experiment.window, with_pieces=False
        )

    flex = [run("flex", metric) for metric in METRIC_IDS]
    circumflex = [run("circumflex", metric) for metric in METRIC_IDS]
    batch = [run("batch", metric) for metric in METRIC_IDS]
    return (
        [one.value / base.value for one, base in zip(circumflex, flex, strict=True)],
        [one.value / base.value for one, base in zip(batch, flex, strict=True)],
        [circumflex[0].work / flex[0].work, batch[0].work / flex[0].work],
        [float(most_sharing(circumflex[0]).max()), float(largest_batch(batch[0]).max())],
    )


def most_sharing(schedule: FluidSchedule) -> NDArray[np.int64]:
    """Return the most jobs that were active at once on each dataset that has jobs, (datasets,)."""
    jobs = schedule.jobs
    times = np.r_[jobs.arrival, schedule.finish]
    change = np.repeat([1, -1], len(jobs.arrival))
    dataset = np.r_[jobs.dataset, jobs.dataset]
    order = np.lexsort((change, times, dataset))  # at one instant jobs leave first
    sharing = np.cumsum(change[order])  # back at 0 after every dataset
    first = np.flatnonzero(np.r_[True, np.diff(dataset[order]) != 0])
    return np.maximum.reduceat(sharing, first)


def largest_batch(schedule: FluidSchedule) -> NDArray[np.int64]:
    """Return the most jobs that were scanned together for each dataset that has jobs, (datasets,)."""
    pairs, sizes = np.unique(
        np.stack([schedule.jobs.dataset, schedule.boarded], axis=1), axis=0, return_counts=True
    )
    first = np.flatnonzero(np.r_[True, np.diff(pairs[:, 0]) != 0])
    return np.maximum.reduceat(sizes, first)

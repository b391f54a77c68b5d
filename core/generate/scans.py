"""Poisson arrivals of jobs that scan datasets of skewed popularity and size (003 section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.generate.family import MAX_JOBS, Drawn, Family, slot_parameters
from core.model.errors import InputError
from core.model.job import Dataset, Job, scan_stage
from core.model.limits import MAX_SLOTS
from core.model.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Scans:
    """What was drawn.

    Attributes
    ----------
    arrival : seconds, ascending, (jobs,)
    dataset : which dataset each job scans, the most popular first, int32 (jobs,)
    work : slot-seconds of a scan of each dataset, (datasets,)
    """

    arrival: NDArray[np.float64]
    dataset: NDArray[np.int32]
    work: NDArray[np.float64]


def draw_scans(
    random: np.random.Generator,
    *,
    jobs: int,
    datasets: int,
    popularity_skew: float,
    size_skew: float,
    kappa: int,
    positive: bool,
    load: float,
    slots: float,
    seconds: float,
) -> Scans:
    """Draw arrivals, the dataset of each job and the size of each dataset.

    Parameters
    ----------
    random : the numbers come from here, in this order: sizes' ranks, arrivals, datasets of the jobs
    jobs, datasets : how many
    popularity_skew, size_skew : theta1 and theta2 of Zipf-like distributions: 0 uniform, 1 Zipf
    kappa, positive : how popularity and size go together, see `size_ranks`
    load : all work without sharing, as a fraction of the slots times the seconds
    slots, seconds : of the cluster, and the time in which the jobs arrive

    Raises
    ------
    InputError
        kappa is not from 1 to the number of datasets
    """
    popularity, size = zipf_like(datasets, popularity_skew), zipf_like(datasets, size_skew)
    sizes = size[size_ranks(random, datasets, kappa, positive)]
    arrival = np.cumsum(random.exponential(seconds / jobs, jobs))
    dataset = random.choice(datasets, jobs, p=popularity).astype(np.int32)
    work = sizes * (load * slots * seconds / sizes[dataset].sum())
    return Scans(arrival, dataset, work)


def zipf_like(count: int, theta: float) -> NDArray[np.float64]:
    """Return a Zipf-like distribution: the i-th value in proportion to ``1 / i ** theta``, (count,)."""
    weights = np.arange(1, count + 1, dtype=np.float64) ** -theta
    distribution: NDArray[np.float64] = weights / weights.sum()
    return distribution


def size_ranks(random: np.random.Generator, datasets: int, kappa: int, positive: bool) -> NDArray[np.int64]:
    """Return the rank by size (0 the largest) of each dataset, the most popular first, (datasets,).

    Dataset after dataset takes a random one of the kappa largest ranks that are left: in order of falling
    popularity for a positive correlation, of rising popularity for a negative one. Kappa 1 correlates
    perfectly, kappa = datasets not at all.
    """
    if not 1 <= kappa <= datasets:
        raise InputError(
            f"kappa is {kappa}; give a whole number from 1 to the number of datasets, {datasets}"
        )
    left = list(range(datasets))
    ranks = [left.pop(int(random.integers(min(kappa, len(left))))) for _ in range(datasets)]
    return np.array(ranks if positive else ranks[::-1], np.int64)


def draw_workload(random: np.random.Generator, parameters: Mapping[str, Any]) -> Drawn:
    """Draw jobs and datasets; sizes are rounded to whole blocks, arrivals to milliseconds."""
    scans = draw_scans(
        random,
        jobs=parameters["jobs"],
        datasets=parameters["datasets"],
        popularity_skew=parameters["popularity_skew"],
        size_skew=parameters["size_skew"],
        kappa=min(parameters["kappa"], parameters["datasets"]),
        positive=parameters["correlation"] == "positive",
        load=parameters["load"],
        slots=parameters["map_slots"],
        seconds=parameters["jobs"] * parameters["mean_interarrival"],
    )
    seconds = parameters["block_seconds"]
    digits = len(str(len(scans.work)))
    datasets = tuple(
        Dataset(
            f"D{d + 1:0{digits}d}", max(1, round(float(work) / seconds)), seconds, parameters["scan_fraction"]
        )
        for d, work in enumerate(scans.work)
    )
    return Drawn(_jobs(scans, datasets, parameters), datasets)


def _jobs(scans: Scans, datasets: tuple[Dataset, ...], parameters: Mapping[str, Any]) -> list[Job]:
    digits = len(str(len(scans.arrival)))
    most = parameters["max_slots"] or None
    return [
        Job(
            f"J{i + 1:0{digits}d}",
            scan_stage(datasets[d]),
            arrival=round(float(arrival), 3),
            dataset=datasets[d].name,
            min_slots=parameters["min_slots"] if most is None else min(parameters["min_slots"], most),
            max_slots=most,
        )
        for i, (arrival, d) in enumerate(zip(scans.arrival, scans.dataset, strict=True))
    ]


CIRCUMFLEX = Family(
    id="circumflex",
    title="Shared scans",
    summary="Jobs arrive at random and scan one of a few datasets, of skewed popularity and size.",
    source="Wolf et al.: CIRCUMFLEX, section 4",
    parameters=(
        Parameter("jobs", "integer", 1000, "Number of jobs.", 1, MAX_JOBS, "jobs"),
        Parameter("datasets", "integer", 20, "Number of datasets.", 1, 10_000, "datasets"),
        Parameter(
            "popularity_skew",
            "number",
            1.0,
            "Theta 1: 0 makes all datasets equally popular, 1 is Zipf's law.",
            0,
            4,
        ),
        Parameter(
            "size_skew", "number", 1.0, "Theta 2: 0 makes all datasets equally large, 1 is Zipf's law.", 0, 4
        ),
        Parameter(
            "kappa",
            "integer",
            20,
            "How loosely size follows popularity: 1 strictly, as many as there are datasets not at all.",
            1,
            10_000,
            "datasets",
        ),
        Parameter(
            "correlation",
            "choice",
            "positive",
            "Whether popular datasets are large or small.",
            choices=("positive", "negative"),
        ),
        Parameter(
            "load",
            "number",
            0.9,
            "Work without sharing, as a fraction of what the map slots can do.",
            0.01,
            10,
        ),
        Parameter(
            "mean_interarrival", "number", 6.0, "Mean time between arrivals (Poisson).", 0.001, 1e6, "s"
        ),
        Parameter(
            "block_seconds", "number", 10.0, "How long one slot takes to scan one block.", 0.001, 1e6, "s"
        ),
        Parameter(
            "scan_fraction", "number", 1.0, "Part of the work that jobs share which scan together.", 0, 1
        ),
        Parameter(
            "min_slots", "integer", 0, "Slots that each job should hold at least.", 0, MAX_SLOTS, "slots"
        ),
        Parameter(
            "max_slots",
            "integer",
            0,
            "Slots that each job may hold at most; 0 for no limit.",
            0,
            MAX_SLOTS,
            "slots",
        ),
        *slot_parameters(100, 0),
    ),
    draw=draw_workload,
)

"""What a workload family is, and the pieces that families share: parameters, scales, arrivals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.limits import MAX_SLOTS
from core.model.parameters import Parameter
from core.model.stages import Stage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.job import Dataset

MAX_JOBS = 50_000
"""Jobs of a generated workload."""

SHORTEST_MS = 1.0
"""No task is shorter than a millisecond; a draw below it is repeated."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a family drew: jobs, the datasets that they scan, and a cluster other than parameters suggest."""

    jobs: list[Job]
    datasets: tuple[Dataset, ...] = ()
    cluster: Cluster | None = None


Draw = Callable[[np.random.Generator, Mapping[str, Any]], list[Job] | Drawn]
"""Makes the jobs of a family from random numbers and checked parameters."""


@dataclass(frozen=True, slots=True)
class Family:
    """One workload family of the literature.

    Attributes
    ----------
    id : what the command line calls it
    title, summary, source : as shown
    parameters : what can be chosen
    draw : makes the jobs
    """

    id: str
    title: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...]
    draw: Draw


def slot_parameters(
    maps: int, reduces: int, of_maps: str = "", of_reduces: str = ""
) -> tuple[Parameter, ...]:
    """Return the slots of the suggested cluster, by default so many; descriptions explain what 0 means."""
    kinds = (("map", maps, of_maps), ("reduce", reduces, of_reduces))
    return tuple(
        Parameter(
            f"{kind}_slots",
            "integer",
            slots,
            f"{kind.capitalize()} slots of the suggested cluster{also}.",
            min(slots, 1),
            MAX_SLOTS,
            "slots",
        )
        for kind, slots, also in kinds
    )


def first_shuffle_share(default: float) -> Parameter:
    """Return the parameter for how long first shuffles are."""
    text = "Part of its shuffle that a reduce which started early still has to do after the last map."
    return Parameter("first_shuffle_share", "number", default, text, 0, 1)


def interarrival_parameter() -> Parameter:
    """Return the parameter for how far apart jobs arrive."""
    text = "Mean time between arrivals, which are then random (Poisson); 0 lets all jobs arrive at 0."
    return Parameter("mean_interarrival", "number", 0.0, text, 0, 1e6, "s")


def container_parameter(default: int) -> Parameter:
    """Return the parameter for the slots of a cluster on which every stage runs anywhere."""
    text = "Tasks that run at once on the suggested cluster, whatever their stage."
    return Parameter("containers", "integer", default, text, 1, MAX_SLOTS, "slots")


def container_cluster(parameters: Mapping[str, Any]) -> Cluster:
    """Return the cluster of so many containers."""
    return Cluster(0, 0, containers=parameters["containers"])


def common_parameters(
    *, map_slots: int, reduce_slots: int, jobs: int = 100, shuffle_share: float = 0.0
) -> tuple[Parameter, ...]:
    """Return the parameters of every family, with a family's own defaults."""
    return (
        Parameter("jobs", "integer", jobs, "Number of jobs.", 1, MAX_JOBS, "jobs"),
        interarrival_parameter(),
        Parameter(
            "shuffle_share",
            "number",
            shuffle_share,
            "Part of each reduce task that is its shuffle: published durations are those of whole tasks.",
            0,
            0.95,
        ),
        first_shuffle_share(0.5),
        *slot_parameters(map_slots, reduce_slots),
    )


def suggested_cluster(parameters: Mapping[str, Any]) -> Cluster:
    """Return the cluster that the parameters suggest, with Hadoop's slowstart by default."""
    slowstart = parameters.get("slowstart", Cluster().slowstart)
    return Cluster(parameters["map_slots"], parameters["reduce_slots"], slowstart)


def named_jobs(
    random: np.random.Generator, parameters: Mapping[str, Any], stages: list[tuple[Stage, Stage]]
) -> list[Job]:
    """Give maps and reduces their names, J001 and so on, and their arrivals in that order."""
    digits = len(str(len(stages)))
    times = arrivals(random, len(stages), parameters["mean_interarrival"])
    return [
        Job(f"J{i + 1:0{digits}d}", maps, reduces, arrival=arrival)
        for i, ((maps, reduces), arrival) in enumerate(zip(stages, times, strict=True))
    ]


def arrivals(random: np.random.Generator, jobs: int, gap: float) -> list[float]:
    """Return when jobs arrive, in s: the first at 0, the others with so many seconds between on average."""
    times = np.zeros(jobs)
    if gap > 0:
        times[1:] = np.cumsum(in_milliseconds(random.exponential(gap * 1000, jobs - 1)))
    return [round(float(time), 3) for time in times]


def map_stage(durations_ms: NDArray[np.float64]) -> Stage:
    """Build a map stage from one duration in milliseconds per task."""
    return Stage.of(len(durations_ms), in_milliseconds(durations_ms)) if len(durations_ms) else Stage()


def reduce_stage(durations_ms: NDArray[np.float64], parameters: Mapping[str, Any]) -> Stage:
    """Build a reduce stage from the milliseconds of whole tasks: their shuffle is split off."""
    if not len(durations_ms):
        return Stage()
    whole = np.maximum(np.round(durations_ms), SHORTEST_MS)
    typical = np.round(whole * parameters["shuffle_share"])
    first = np.round(typical * parameters["first_shuffle_share"])
    return Stage.of(len(whole), (whole - typical) / 1000, first / 1000, typical / 1000)


def in_milliseconds(times_ms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return seconds, rounded to the milliseconds that Hadoop's logs have."""
    seconds: NDArray[np.float64] = np.round(times_ms) / 1000
    return seconds


def redrawn(draw: Callable[[int], NDArray[np.float64]], size: int, floor: float) -> NDArray[np.float64]:
    """Draw `size` numbers, each again until it is at least the floor.

    Normal distributions with the published deviations often fall below zero; cutting them off at the
    floor instead would pile up tasks of no length.
    """
    values = draw(size)
    while len(low := np.flatnonzero(values < floor)):
        values[low] = draw(len(low))
    return values


def shares(count: int, weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Split a count in proportion to weights, by largest remainder (ties: the earlier one)."""
    exact = count * weights / weights.sum()
    whole: NDArray[np.int64] = np.floor(exact).astype(np.int64)
    # Rounded, so that remainders that differ only in their last bit count as ties.
    largest = np.argsort(-np.round(exact - whole, 9), kind="stable")
    whole[largest[: count - whole.sum()]] += 1
    return whole

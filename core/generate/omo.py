"""The benchmarks and sets of jobs on which OMO was measured (004 Tables 4 and 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.generate.family import (
    MAX_JOBS,
    SHORTEST_MS,
    Drawn,
    Family,
    first_shuffle_share,
    in_milliseconds,
    redrawn,
    slot_parameters,
)
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.parameters import Parameter
from core.model.stages import Stage

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class OmoBenchmark:
    """One program of the Purdue MapReduce benchmarks: the bytes it shuffles of 20 and of 10 GB input."""

    name: str
    of_20: float
    of_10: float

    def shuffled(self, gigabytes: int) -> float:
        """Return the bytes shuffled of an input; beyond 20 GB in proportion."""
        return self.of_10 if gigabytes == 10 else self.of_20 * gigabytes / 20


BENCHMARKS = (
    OmoBenchmark("TeraSort", 20e9, 10e9),
    OmoBenchmark("SequenceCount", 17.5e9, 8.8e9),
    OmoBenchmark("WordCount", 3.9e9, 2e9),
    OmoBenchmark("InvertedIndex", 3.45e9, 1.7e9),
    OmoBenchmark("HistogramMovies", 22e3, 11e3),
    OmoBenchmark("Classification", 6e6, 3e6),
)
"""004 Table 4."""

HEAVY = BENCHMARKS[:2]

SETS: dict[str, tuple[tuple[tuple[OmoBenchmark, ...], int, int], ...]] = {
    "A": ((BENCHMARKS, 1, 20), (BENCHMARKS, 1, 10)),
    "B": ((HEAVY, 4, 20), (HEAVY, 4, 10)),
    "C": ((BENCHMARKS, 2, 20),),
    "D": ((BENCHMARKS, 2, 30),),
    "E": ((BENCHMARKS, 2, 40),),
    "F": ((BENCHMARKS, 3, 20),),
    "G": ((BENCHMARKS, 4, 20),),
    "H": ((BENCHMARKS, 2, 20), (BENCHMARKS, 2, 10)),
    **{benchmark.name: (((benchmark,), 8, 20),) for benchmark in BENCHMARKS},
}
"""004 Table 5 (benchmarks, jobs of each, gigabytes of input) and section V.D.2 (eight jobs of one)."""

SLOTS_OF_SET = {"H": 80}
"""Map slots, and as many reduce slots: 2 and 2 on each of 20 nodes, of 40 nodes for Set H."""


def draw_omo(random: np.random.Generator, parameters: Mapping[str, Any]) -> Drawn:
    """Draw the jobs of a set in random order."""
    name = parameters["job_set"]
    members = [(b, gb) for group, copies, gb in SETS[name] for b in group for _ in range(copies)]
    members = [members[i] for i in random.permutation(len(members))]
    count = parameters["jobs"] or len(members)
    jobs = [_job(random, parameters, i, *members[i % len(members)]) for i in range(count)]
    usual = SLOTS_OF_SET.get(name, 40)
    slots = (parameters["map_slots"] or usual, parameters["reduce_slots"] or usual)
    return Drawn(jobs, cluster=Cluster(*slots, shuffle_model="overlap"))


def _job(
    random: np.random.Generator,
    parameters: Mapping[str, Any],
    index: int,
    benchmark: OmoBenchmark,
    gigabytes: int,
) -> Job:
    """Make a job: a map for each 250 MB of input, a reduce for each 10 GB."""
    mean = parameters["map_seconds"] * 1000
    deviation = parameters["deviation"] * mean
    maps = redrawn(lambda size: random.normal(mean, deviation, size), 4 * gigabytes, SHORTEST_MS)
    reduces, shuffled = gigabytes // 10, benchmark.shuffled(gigabytes)
    megabytes = shuffled / reduces / 1e6
    typical = megabytes / parameters["bandwidth"] * 1000
    first = typical * parameters["first_shuffle_share"]
    phase = max(megabytes / parameters["reduce_rate"] * 1000, parameters["shortest_reduce"] * 1000)
    times = in_milliseconds(np.array([phase, first, typical]))
    return Job(
        f"{index + 1:02d} {benchmark.name} {gigabytes} GB",
        Stage.of(4 * gigabytes, in_milliseconds(maps)),
        Stage.of(reduces, *times),
        arrival=round(index * parameters["mean_interarrival"], 3),
        shuffle_bytes=shuffled,
    )


OMO = Family(
    id="omo",
    title="OMO's job sets",
    summary="Benchmarks that shuffle much and little: Sets A to H, or eight jobs of one benchmark.",
    source=(
        "Yang et al.: Optimizing Internal Overlaps by Self-Adjusting Resource Allocation in Multi-Stage "
        "Computing Systems, Tables 4 and 5 (numbers of tasks and shuffled bytes; durations are not published)"
    ),
    parameters=(
        Parameter("job_set", "choice", "A", "Set of jobs, or the benchmark of eight.", choices=tuple(SETS)),
        Parameter(
            "jobs",
            "integer",
            0,
            "Number of jobs, the set over and over; 0 for it once.",
            0,
            MAX_JOBS,
            "jobs",
        ),
        Parameter("mean_interarrival", "number", 2.0, "Time between arrivals, always the same.", 0, 1e6, "s"),
        Parameter("map_seconds", "number", 60.0, "Mean time of a map over 250 MB of input.", 0.001, 1e6, "s"),
        Parameter("deviation", "number", 0.1, "Deviation of map times, as part of their mean.", 0, 1),
        Parameter(
            "bandwidth", "number", 35.0, "What one reduce receives while it shuffles.", 0.001, 1e9, "MB/s"
        ),
        first_shuffle_share(0.1),
        Parameter("reduce_rate", "number", 25.0, "What a reduce phase works through.", 0.001, 1e9, "MB/s"),
        Parameter("shortest_reduce", "number", 5.0, "No reduce phase is shorter.", 0.001, 1e6, "s"),
        *slot_parameters(0, 0, "; 0 for the paper's 40, or 80 with Set H", "; 0 likewise"),
    ),
    draw=draw_omo,
)

"""The testbed workload of the dynamic slot paper: twenty jobs of WordCount, Sort and Grep.

Numbers of tasks are published, their durations are not. Ours: a map takes time in proportion to its block, a
reduce in proportion to the input that falls on it, both with a log-normal spread. The rates were chosen so
that gains from dynamic slots are those published: Sort's for J2 in Figure 6, the others for Figure 4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.generate.family import (
    SHORTEST_MS,
    Family,
    common_parameters,
    map_stage,
    named_jobs,
    redrawn,
    reduce_stage,
)
from core.model.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.model.job import Job


@dataclass(frozen=True, slots=True)
class DhfsBenchmark:
    """A program: seconds of a map per MB of its block, of a reduce per MB of the job's input per reduce."""

    name: str
    map_rate: float
    reduce_rate: float


WORDCOUNT = DhfsBenchmark("wordcount", 0.3, 0.25)
SORT = DhfsBenchmark("sort", 0.25, 0.03)
GREP = DhfsBenchmark("grep", 0.2, 0.075)

TABLE_1 = (
    (WORDCOUNT, 10, 64, 160, 30),
    (SORT, 20, 64, 320, 200),
    (GREP, 30, 64, 480, 120),
    (WORDCOUNT, 40, 64, 640, 100),
    (SORT, 30, 64, 480, 200),
    (WORDCOUNT, 10, 128, 80, 15),
    (SORT, 20, 128, 160, 100),
    (GREP, 30, 128, 240, 80),
    (WORDCOUNT, 40, 128, 320, 50),
    (GREP, 10, 128, 80, 40),
    (WORDCOUNT, 30, 64, 480, 60),
    (SORT, 30, 64, 480, 200),
    (GREP, 20, 64, 320, 80),
    (WORDCOUNT, 20, 128, 160, 30),
    (SORT, 10, 128, 80, 60),
    (WORDCOUNT, 10, 256, 40, 20),
    (SORT, 20, 256, 80, 40),
    (GREP, 30, 256, 120, 60),
    (WORDCOUNT, 40, 256, 160, 40),
    (SORT, 10, 256, 40, 10),
)
"""Benchmark, input in GB, block in MB, maps and reduces of J1 to J20."""


def draw_dhfs(random: np.random.Generator, parameters: Mapping[str, Any]) -> list[Job]:
    """Draw the jobs in the order of the table, which is repeated; each is in the pool of its benchmark."""
    rows = [TABLE_1[i % len(TABLE_1)] for i in range(parameters["jobs"])]
    stages = []
    for benchmark, gigabytes, block, maps, reduces in rows:
        map_ms = 1000 * benchmark.map_rate * block
        reduce_ms = 1000 * benchmark.reduce_rate * gigabytes * 1024 / reduces
        stages.append(
            (
                map_stage(_spread(random, parameters["spread"], map_ms, maps)),
                reduce_stage(_spread(random, parameters["spread"], reduce_ms, reduces), parameters),
            )
        )
    jobs = named_jobs(random, parameters, stages)
    return [replace(job, pool=row[0].name) for job, row in zip(jobs, rows, strict=True)]


def _spread(random: np.random.Generator, spread: float, mean: float, count: int) -> NDArray[np.float64]:
    """Draw durations with this mean and this standard deviation relative to it."""
    sigma = np.sqrt(np.log1p(spread**2))
    return redrawn(lambda size: mean * random.lognormal(-(sigma**2) / 2, sigma, size), count, SHORTEST_MS)


DHFS = Family(
    id="dhfs",
    title="DHFS testbed",
    summary="WordCount, Sort and Grep on four sizes of input and three of blocks; each benchmark is a pool.",
    source=(
        "Tang, Lee, He: Dynamic Slot Allocation Technique for MapReduce Clusters, Table I (numbers of tasks)"
    ),
    parameters=(
        *common_parameters(map_slots=90, reduce_slots=18, jobs=len(TABLE_1)),
        Parameter(
            "spread", "number", 0.1, "Standard deviation of task durations, relative to their mean.", 0, 2
        ),
        Parameter(
            "slowstart",
            "number",
            1.0,
            "Part of a job's maps that must be complete before its reduces start; here all, as published.",
            0,
            1,
        ),
    ),
    draw=draw_dhfs,
)

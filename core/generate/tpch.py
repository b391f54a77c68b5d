"""TPC-H queries on Spark: graphs of stages, which the threads of a driver submit one after another.

Shapes, numbers of tasks and their times are those of `core.generate.tpch_queries`; each task's time is drawn
by itself, log-normally with the mean and the spread of its stage. Each query is drawn with equal chances, as
Decima's were. Ours: a thread thinks for an exponentially distributed time between two of its queries.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from core.generate.family import (
    SHORTEST_MS,
    Drawn,
    Family,
    container_cluster,
    container_parameter,
    in_milliseconds,
    redrawn,
)
from core.generate.tpch_queries import QUERIES, SIZES_GB
from core.model.job import Job, Link
from core.model.parameters import Parameter
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import default_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.generate.tpch_queries import MeasuredStage

MAX_QUERIES = 4000
"""Of the largest query with 100 GB so many have less than 20 million tasks."""
MAX_DRIVERS = 1000
MEAN_THINK = 2.0
"""Seconds; ours, as drivers of the applications in public Spark logs mostly think for one to some seconds."""
BARRIER = 1.0


def draw_tpch(random: np.random.Generator, parameters: Mapping[str, Any]) -> Drawn:
    """Draw the queries and give them to the threads in turn."""
    count, drivers = parameters["jobs"], parameters["drivers"]
    numbers = random.integers(1, len(QUERIES), count, endpoint=True)
    if parameters["query"]:
        numbers[:] = parameters["query"]
    think = in_milliseconds(random.exponential(parameters["think"] * 1000, count))
    names = _names(numbers.tolist())
    jobs = []
    for place, (name, number) in enumerate(zip(names, numbers.tolist(), strict=True)):
        before = place - drivers
        after = (Link(names[before], round(float(think[place]), 3)),) if before >= 0 else ()
        stages = tuple(_stage(random, stage, parameters["size"]) for stage in QUERIES[number - 1])
        graph = GRAPHS[number - 1]
        jobs.append(Job(name, stages=stages, graph=graph, user=f"driver {place % drivers + 1}", after=after))
    return Drawn(jobs, cluster=container_cluster(parameters))


def _names(numbers: list[int]) -> list[str]:
    """Return a name for each query: Q5, the second one Q5 (2)."""
    seen: dict[int, int] = {}
    names = []
    for number in numbers:
        seen[number] = seen.get(number, 0) + 1
        names.append(f"Q{number}" if seen[number] == 1 else f"Q{number} ({seen[number]})")
    return names


def _graph(query: tuple[MeasuredStage, ...]) -> StageGraph:
    edges = (Edge(parent, child, BARRIER) for child, stage in enumerate(query) for parent in stage.parents)
    return StageGraph(tuple(default_type(has_parents=bool(stage.parents)) for stage in query), tuple(edges))


GRAPHS = tuple(map(_graph, QUERIES))
"""Of queries 1 to 22."""


def _stage(random: np.random.Generator, measured: MeasuredStage, size: float) -> Stage:
    tasks, mean = task_count(measured, size), mean_ms(measured, size)
    middle = math.log(mean) - measured.spread**2 / 2
    drawn = redrawn(lambda some: random.lognormal(middle, measured.spread, some), tasks, SHORTEST_MS)
    return Stage.of(tasks, in_milliseconds(drawn))


def task_count(measured: MeasuredStage, size: float) -> int:
    """Return how many tasks a stage has with so many GB of data: those of a scan grow with them."""
    low, high = SIZES_GB[0], SIZES_GB[-1]
    return round(measured.fewest + (measured.most - measured.fewest) * (size - low) / (high - low))


def mean_ms(measured: MeasuredStage, size: float) -> float:
    """Return the mean of the times of a stage's tasks with so many GB of data, in ms."""
    return float(np.interp(size, SIZES_GB, measured.milliseconds))


TPCH = Family(
    id="tpch",
    title="TPC-H on Spark",
    summary="TPC-H queries as graphs of stages, submitted one after another by the threads of a driver.",
    source=(
        "Mao, Schwarzkopf, Venkatakrishnan, Meng, Alizadeh: Learning Scheduling Algorithms for Data "
        "Processing Clusters (Decima), SIGCOMM 2019: means and spreads of the Spark runs that its authors "
        "recorded (github.com/hongzimao/decima-sim)"
    ),
    parameters=(
        Parameter("jobs", "integer", 8, "Number of queries.", 1, MAX_QUERIES, "jobs"),
        Parameter(
            "drivers",
            "integer",
            1,
            "Threads of the driver, each with its own queries.",
            1,
            MAX_DRIVERS,
            "threads",
        ),
        Parameter(
            "think", "number", MEAN_THINK, "Mean time that a thread thinks between two queries.", 0, 1e6, "s"
        ),
        Parameter("size", "number", 20.0, "Data of each query.", SIZES_GB[0], SIZES_GB[-1], "GB"),
        Parameter(
            "query", "integer", 0, "The one query that all are, 1 to 22; 0 draws each.", 0, len(QUERIES)
        ),
        container_parameter(60),
    ),
    draw=draw_tpch,
)

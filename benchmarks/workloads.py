"""The workloads that every figure is measured on, from fixed seeds.

a  Facebook's mix: 100 jobs at once, about 23 000 tasks, on 256+256 slots
b  1148 jobs of about 200 maps and 100 reduces arriving at random, 345 000 tasks, on 64+64 slots
c  Facebook's mix ten times, 1000 jobs at once, 234 000 tasks, on 100+100 slots
d  3333 jobs like b, a million tasks, on 1000+1000 slots
e  600 queries, graphs of 3 to 18 stages, about 150 000 tasks, arriving at random, on 256 slots for any task
f  the same queries, each submitted by one of eight drivers 2 s after the one before

The jobs belong to four pools in turn. `PANELS` are the workloads of a paper.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from core.model.cluster import Cluster
from core.model.job import Job, Link
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload

# 000 Table 1: jobs, maps and reduces of each
FACEBOOK: tuple[tuple[int, int, int], ...] = (
    (38, 1, 0),
    (16, 2, 0),
    (14, 10, 3),
    (8, 50, 0),
    (6, 100, 0),
    (6, 200, 50),
    (4, 400, 0),
    (4, 800, 180),
    (2, 2400, 360),
    (2, 4800, 0),
)
POOLS = ("red", "green", "blue", "black")

PANELS = {
    "10a": ("Synthetic1, unimodal, 100 jobs", "synthetic1", {"jobs": 100, "bimodal": False}),
    "10b": ("Synthetic1, bimodal, 100 jobs", "synthetic1", {"jobs": 100, "bimodal": True}),
    "11a": ("Synthetic1, bimodal, 20 jobs", "synthetic1", {"jobs": 20, "bimodal": True}),
    "11b": ("Synthetic1, bimodal, 10 jobs", "synthetic1", {"jobs": 10, "bimodal": True}),
    "12a": ("Synthetic2, bimodal, 100 jobs", "synthetic2", {"jobs": 100, "bimodal": True}),
    "12b": ("Synthetic2, bimodal, 20 jobs", "synthetic2", {"jobs": 20, "bimodal": True}),
    "12c": ("Synthetic2, bimodal, 10 jobs", "synthetic2", {"jobs": 10, "bimodal": True}),
    "13a": ("Yahoo, unimodal, 100 jobs", "yahoo", {"jobs": 100, "bimodal": False}),
    "13b": ("Yahoo, bimodal, 100 jobs", "yahoo", {"jobs": 100, "bimodal": True}),
    "13c": ("Facebook, 100 jobs", "facebook", {"jobs": 100}),
}
"""Title, family and parameters of the workloads of 000, Figures 10 to 13."""


def facebook(copies: int, slots: int, seed: int = 1) -> Workload:
    """Return a and c: every job arrives at 0."""
    random = np.random.default_rng(seed)
    sizes = [(maps, reduces) for jobs, maps, reduces in FACEBOOK * copies for _ in range(jobs)]
    order = random.permutation(len(sizes))
    jobs = []
    for place, (maps, reduces) in enumerate(sizes[i] for i in order):
        whole = random.lognormal(12.375, np.sqrt(1.6262), max(reduces, 1)) / 1000
        shuffle = whole * random.uniform(0.2, 0.4, len(whole))
        map_stage = Stage.of(maps, random.lognormal(9.9511, np.sqrt(1.6764), maps) / 1000)
        reduce_stage = Stage.of(reduces, whole - shuffle, shuffle / 2, shuffle) if reduces else Stage()
        deadline = float(random.uniform(200, 8000))
        pool = POOLS[place % 4]
        jobs.append(Job(f"J{place + 1}", map_stage, reduce_stage, deadline=deadline, pool=pool))
    return Workload(f"Facebook x{copies}", tuple(jobs), Cluster(slots, slots))


def arriving(jobs: int, slots: int, seed: int = 2, load: float = 0.9) -> Workload:
    """Return b and d: six applications whose jobs arrive at random."""
    random = np.random.default_rng(seed)
    map_means, reduce_means = (30, 12, 40, 25, 60, 20), (15, 40, 10, 20, 12, 18)
    gap = 100 * 31 * 2 / slots / load
    arrival, made = 0.0, []
    for i in range(jobs):
        arrival += random.exponential(gap)
        application = random.integers(0, 6)
        maps, reduces = max(1, random.poisson(200)), max(1, random.poisson(100))
        mean = reduce_means[application]
        shuffle = 0.6 * mean * random.lognormal(0, 0.35, reduces)
        map_stage = Stage.of(maps, map_means[application] * random.lognormal(0, 0.35, maps))
        reduce_stage = Stage.of(reduces, mean * random.lognormal(0, 0.35, reduces), shuffle / 2, shuffle)
        deadline = arrival + float(random.uniform(300, 6000))
        pool = POOLS[i % 4]
        made.append(Job(f"J{i + 1}", map_stage, reduce_stage, arrival, deadline, pool))
    return Workload(f"{jobs} arriving jobs", tuple(made), Cluster(slots, slots))


def query(name: str, random: np.random.Generator, **given: Any) -> Job:
    """Return a graph as those of TPC-H: scans that joins read two by two, and few tasks at the end."""
    scans = int(random.integers(2, 8))
    counts = np.maximum(1, random.lognormal(3.2, 1.1, scans)).astype(int).tolist()
    edges, open_stages = [], list(range(scans))
    while len(open_stages) > 1:
        child = len(counts)
        edges += [Edge(parent, child, 1.0) for parent in sorted(open_stages[:2])]
        counts.append(max(1, min(counts[parent] for parent in open_stages[:2])))
        open_stages = [*open_stages[2:], child]
    for _ in range(int(random.integers(1, 4))):
        edges.append(Edge(len(counts) - 1, len(counts), 1.0))
        counts.append(max(1, counts[-1] // 4))
    types = (MAP,) * scans + (REDUCE,) * (len(counts) - scans)
    stages = tuple(
        Stage.of(count, random.uniform(1, 6) * random.lognormal(0, 0.3, count), 0.0, 0.2 * (k >= scans))
        for k, count in enumerate(counts)
    )
    return Job(name, stages=stages, graph=StageGraph(types, tuple(edges)), **given)


def queries(jobs: int, slots: int, drivers: int = 0, seed: int = 4, load: float = 0.9) -> Workload:
    """Return e and, with drivers, f."""
    random = np.random.default_rng(seed)
    made: list[Job] = []
    for i in range(jobs):
        after = (Link(made[i - drivers].name, 2.0),) if drivers and i >= drivers else ()
        made.append(query(f"Q{i + 1}", random, pool=POOLS[i % 4], after=after))
    work = sum(float(stage.task_durations.sum()) for job in made for stage in job.stages)
    if not drivers:
        arrivals = random.uniform(0, work / slots / load, jobs).tolist()
        made = [replace(job, arrival=at) for job, at in zip(made, sorted(arrivals), strict=True)]
    return Workload(f"{jobs} queries", tuple(made), Cluster(0, 0, 1.0, containers=slots))


def graph_workloads() -> dict[str, Workload]:
    """Return e and f."""
    return {"e": queries(600, 256), "f": queries(600, 256, drivers=8)}


def all_workloads() -> dict[str, Workload]:
    """Return a to d."""
    return {
        "a": facebook(1, 256),
        "b": arriving(1148, 64),
        "c": facebook(10, 100),
        "d": arriving(3333, 1000, seed=3),
    }

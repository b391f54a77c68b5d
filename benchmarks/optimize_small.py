"""Whether batches of few tasks are scheduled at their optimum: all schedules of each are searched."""

from __future__ import annotations

import time
from itertools import product
from statistics import fmean

import numpy as np

from benchmarks.markdown import percent, print_table
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.levers import LEVERS
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize.chains import load_compiled
from core.optimize.exact_starts import compiled_search
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.simulation.proofs import proof_of

INSTANCES = 90
SIZES = ((1, 6, 6), (2, 4, 3), (3, 3, 2), (4, 2, 2))
"""Jobs, and the most maps and reduces of each."""
LEVERS_BEFORE = tuple(lever for lever in LEVERS if lever != "starts")


def small(seed: int) -> None:
    """Print how many of 90 batches are proved to be at their optimum, and how long that takes."""
    load_compiled()
    compiled_search()
    rows = []
    for name, whole in product(("makespan", "mean-response"), (True, False)):
        objective = Objective.of(name)
        seconds, checks, before, proved, certified = [], [], [], 0, 0
        for nth in range(INSTANCES):
            workload, cluster = batch(seed, nth, whole=whole)
            began = time.perf_counter()
            found = optimize(workload, cluster, objective=objective, seconds=1.0)
            seconds.append(time.perf_counter() - began)
            proved += found.proved
            began = time.perf_counter()
            certified += bool(proof_of(workload, cluster, found, objective=objective))
            checks.append(time.perf_counter() - began)
            other = optimize(workload, cluster, objective=objective, steps=2000, levers=LEVERS_BEFORE)
            before.append(other.best / found.best - 1)
        longer = sum(gap > 1e-6 for gap in before)
        rows.append(
            [
                name,
                "whole seconds" if whole else "any seconds",
                f"{proved} of {INSTANCES}",
                f"{fmean(seconds):.2f}",
                f"{max(seconds):.2f}",
                f"{certified} of {INSTANCES}",
                f"{max(checks):.2f}",
                longer,
                percent(fmean(gap for gap in before if gap > 1e-6) if longer else 0.0),
            ]
        )
    columns = ["small", "times", "at optimum", "mean, s", "largest, s", "certified", "largest, s"]
    columns += ["above without starts", "by, on average"]
    print_table(f"Batches of up to 16 tasks, seed {seed}", columns, rows)


def batch(seed: int, nth: int, *, whole: bool) -> tuple[Workload, Cluster]:
    """Draw up to four jobs on one to three slots of each kind."""
    random = np.random.default_rng([seed, nth])

    def times(least: int, most: int, count: int) -> list[float]:
        drawn = random.integers(least, most + 1, count) if whole else random.uniform(least, most, count)
        return [float(each) for each in drawn]

    jobs, maps, reduces = SIZES[int(random.integers(len(SIZES)))]
    made = []
    for place in range(jobs):
        some, others = int(random.integers(1, maps + 1)), int(random.integers(0, reduces + 1))
        shuffles = times(0, 4, others), times(0, 5, others)
        stages = Stage.of(some, times(1, 6, some)), Stage.of(others, times(0, 6, others), *shuffles)
        made.append(Job(f"J{place}", stages[0], stages[1] if others else Stage()))
    map_slots, reduce_slots = random.integers(1, 4, 2).tolist()
    return Workload(f"small {nth}", tuple(made)), Cluster(map_slots, reduce_slots)

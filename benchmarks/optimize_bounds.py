"""The part `bounds` of `benchmarks.optimize`: which bounds raise what is proved, beside all others."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.markdown import print_table
from core.generate.families import generate
from core.model.cluster import Cluster
from core.optimize.bounds import GRAPH_WORDS, MAX_SET_JOBS, _alone, _busy, _held, _sets, _two_stages
from core.optimize.early_or_late import early_or_late_bound
from core.optimize.objective_bounds import bound_of_mean_response
from core.optimize.objectives import Objective
from core.optimize.stage_demands import Demands

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.workload import Workload

INSTANCES, RAISED = 500, 1e-3
FAMILIES = "facebook", "yahoo", "synthetic1", "synthetic2", "dhfs"
JOBS = 2, 3, 5, 8, 10, 14, 18, 25, 40, 70


def bounds(seed: int) -> None:
    """Print how often, and by how much at most, each bound of the makespan and of mean response is needed."""
    raised: dict[str, list[float]] = defaultdict(list)
    seconds: dict[str, float] = defaultdict(float)
    for nth in range(INSTANCES):
        workload, cluster = drawn(seed, nth)
        for values in (_of_makespan(workload, cluster, seconds), _of_response(workload, cluster, seconds)):
            for name, value in values.items():
                others = max(other for each, other in values.items() if each != name)
                raised[name].append(value / others - 1 if others > 0 else 0.0)
    rows = []
    for name, gains in raised.items():
        often = sum(gain >= RAISED for gain in gains)
        texts = f"{often}", f"{100 * max(*gains, 0):.2f}", f"{1000 * seconds[name] / len(gains):.1f}"
        rows.append([name, len(gains), *texts])
    heads = ["", "instances", f"raised by {100 * RAISED:g} %", "by at most, %", "ms of a processor each"]
    print_table(f"What each bound adds to all others, seed {seed}", heads, rows)


def drawn(seed: int, nth: int) -> tuple[Workload, Cluster]:
    """Return jobs of a family, some of which arrive one after another, and a cluster that they fill."""
    random = np.random.default_rng((seed, nth))
    family = FAMILIES[nth % len(FAMILIES)]
    jobs = int(random.choice(JOBS))
    workload = generate(family, seed=int(random.integers(1 << 30)), parameters={"jobs": jobs})
    maps, reduces = (int(each) for each in np.exp2(random.uniform(1, 8, 2)))
    cluster = Cluster(maps, reduces, shuffle_model="overlap" if random.random() < 1 / 3 else "simmr")
    if random.random() < 1 / 3:
        last = random.uniform(0, 1) * Demands.of(workload, cluster).ends.max() * jobs / 4
        times = np.sort(random.uniform(0, last, jobs))
        workload = workload.with_jobs(
            replace(job, arrival=float(when)) for job, when in zip(workload.jobs, times, strict=True)
        )
    return workload, cluster


def _of_makespan(workload: Workload, cluster: Cluster, seconds: dict[str, float]) -> dict[str, float]:
    demands = Demands.of(workload, cluster)
    found: dict[str, float] = {}

    def look(name: str, value: Callable[[], float]) -> None:
        began = time.process_time()
        found[name] = max(value(), 0.0)
        seconds[name] += time.process_time() - began

    look("one job alone", lambda: _alone(workload, cluster, demands).seconds)
    look(
        "windows",
        lambda: max(b.seconds for m in demands.machines for b in _busy(demands, m, 0.0, GRAPH_WORDS)),
    )
    look("two stages", lambda: max(each.seconds for each in _two_stages(demands)))
    if cluster.shuffle_model == "overlap":
        look("held slots", lambda: max(each.seconds for each in _held(workload, demands, 0.0, GRAPH_WORDS)))
    known = max(found.values())
    look("early or late", lambda: early_or_late_bound(demands, known).seconds)
    if len(workload.jobs) <= MAX_SET_JOBS:
        look("sets of jobs", lambda: _sets(demands).seconds)
    return found


def _of_response(workload: Workload, cluster: Cluster, seconds: dict[str, float]) -> dict[str, float]:
    objective = Objective.of("mean-response")
    began = time.process_time()
    weak = bound_of_mean_response(workload, cluster)
    between = time.process_time()
    priced = objective.priced(workload, cluster)
    seconds["shortest first"] += between - began
    seconds["prices"] += time.process_time() - between
    assert priced is not None
    return {"shortest first": weak, "prices": priced[0]}

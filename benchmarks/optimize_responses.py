"""The part `response` of `benchmarks.optimize`: what slots are worth, for responses and deadlines.

Beside what is measured stands what the first prototype of prices reached from seed 60613, and what the search
reached before it: gaps to the bound of each.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.markdown import print_table
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.levers import LEVERS
from core.optimize.bounds import lower_bound
from core.optimize.evaluate import alone_seconds, finishes
from core.optimize.levers import plan_of
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.optimize.search_columns import tasks_of, usual_after
from core.optimize.starts import row_of, starts_of_prices

if TYPE_CHECKING:
    from core.model.workload import Workload

FACEBOOK: tuple[str, dict[str, Any]] = ("facebook", {"jobs": 100})
SYNTHETIC1: tuple[str, dict[str, Any]] = ("synthetic1", {"jobs": 100, "bimodal": True})
SYNTHETIC2: tuple[str, dict[str, Any]] = ("synthetic2", {"jobs": 100, "bimodal": True})
YAHOO: tuple[str, dict[str, Any]] = ("yahoo", {"jobs": 100, "bimodal": True})
CELLS: tuple[tuple[str, tuple[str, dict[str, Any]], int, float, float, float], ...] = (
    ("Facebook, 48+48", FACEBOOK, 48, 13.0, 3.0, 1.48),
    ("Facebook, 64+64", FACEBOOK, 64, 12.5, 2.8, 0.77),
    ("Facebook, 128+128", FACEBOOK, 128, 17.1, 2.0, 0.59),
    ("Facebook, 256+256", FACEBOOK, 256, 6.5, 0.5, 0.25),
    ("Synthetic1 bimodal, 64+64", SYNTHETIC1, 64, 10.6, 3.5, 1.67),
    ("Synthetic1 bimodal, 128+128", SYNTHETIC1, 128, 11.8, 2.3, 1.03),
    ("Synthetic1 bimodal, 256+256", SYNTHETIC1, 256, 14.8, 1.4, 0.65),
    ("Synthetic1 unimodal, 100+100", ("synthetic1", {"jobs": 100, "bimodal": False}), 100, 18.9, 2.5, 1.44),
    ("Synthetic2, 64+64", SYNTHETIC2, 64, 11.0, 2.5, 1.46),
    ("Synthetic2, 128+128", SYNTHETIC2, 128, 12.4, 2.3, 1.38),
    ("Synthetic2, 256+256", SYNTHETIC2, 256, 14.6, 1.8, 0.97),
    ("Yahoo bimodal, 64+64", YAHOO, 64, 3.3, 1.5, 0.66),
    ("Yahoo bimodal, 128+128", YAHOO, 128, 4.6, 1.3, 0.73),
    ("Yahoo unimodal, 200+200", ("yahoo", {"jobs": 100, "bimodal": False}), 200, 4.8, 1.5, 0.91),
    ("Synthetic1 bimodal, 20 jobs, 64+64", ("synthetic1", {"jobs": 20, "bimodal": True}), 64, 9.6, 2.5, 1.31),
    ("Synthetic2, 20 jobs, 64+64", ("synthetic2", {"jobs": 20, "bimodal": True}), 64, 7.0, 3.2, 1.64),
)
"""Name, workload, slots of each kind; gaps in % before prices, by prices without a search, and in all."""
GOALS = ("mean-response", "weighted-response", "tardiness")


def drawn(family: str, parameters: dict[str, Any], seed: int, cluster: Cluster) -> Workload:
    """Return jobs with weights of 1 to 10, due up to half of the bound of all after what each takes alone."""
    workload = generate(family, seed=seed, parameters=parameters)
    random = np.random.default_rng(seed)
    weights = random.integers(1, 11, len(workload.jobs))
    due = alone_seconds(workload, cluster) + random.uniform(0, 0.5, len(weights)) * lower_bound(
        workload, cluster
    )
    return workload.with_jobs(
        replace(job, weight=float(weight), deadline=float(when))
        for job, weight, when in zip(workload.jobs, weights, due, strict=True)
    )


def without_a_search(workload: Workload, cluster: Cluster) -> tuple[float, float, float]:
    """Return the bound on mean response, the best plan by prices alone, and the seconds for the prices."""
    objective = Objective.of("mean-response")
    began = time.perf_counter()
    priced = objective.priced(workload, cluster)
    taken = time.perf_counter() - began
    assert priced is not None
    t = tasks_of(workload, cluster)
    usual = usual_after(t, cluster)
    about = t, usual, LEVERS, lower_bound(workload, cluster)
    starts = [start for ends in priced[1].ends for start in starts_of_prices(ends, *about)]
    plans = [plan_of(row_of(start, t, 1), workload, usual) for start in starts]
    best = min(objective.value(workload, finish) for finish in finishes(workload, cluster, plans))
    return priced[0], best, taken


def responses(seed: int, seconds: float) -> None:
    """Print the table, and below it the mean and the largest of each column."""
    rows, gaps = [], []
    for name, (family, parameters), size, before, prototype_order, prototype in CELLS:
        cluster = Cluster(size, size)
        workload = drawn(family, parameters, seed, cluster)
        bound, order, taken = without_a_search(workload, cluster)
        found = [
            optimize(workload, cluster, seconds=seconds, objective=Objective.of(goal), seed=seed).gap
            for goal in GOALS
        ]
        gaps.append(
            [before, prototype_order, prototype, 100 * (order / bound - 1), *(100 * gap for gap in found)]
        )
        texts = [f"{gap:.2f}" for gap in gaps[-1]]
        rows.append([name, *texts[:3], f"{bound:.0f}", f"{taken:.2f}", *texts[3:]])
    for name, values in (("mean", np.mean(gaps, axis=0)), ("largest", np.max(gaps, axis=0))):
        texts = [f"{value:.2f}" for value in values]
        rows.append([f"**{name}**", *texts[:3], "", "", *texts[3:]])
    heads = ["", "before, %", "prototype, no search, %", "prototype, %", "bound, s", "prices after, s"]
    heads += ["no search, %", *(f"{goal}, %" for goal in GOALS)]
    print_table(f"Responses and deadlines, seed {seed}, {seconds:g} s a search", heads, rows)

"""The parts `coming` and `kinds` of `benchmarks.optimize`: gaps where jobs arrive, and in containers.

Of mean response stands what prices that never rise prove, and what is proved with those of instants; gaps of
all goals are to the latter. A hundred jobs each; means between arrivals are such that slots are busy for nine
tenths of the time, or for half of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.markdown import print_table
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.nodes import NodeGroup, Request
from core.optimize.evaluate import alone_seconds
from core.optimize.objectives import Objective
from core.optimize.search import optimize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.workload import Workload

Cell = tuple[str, str, float, Cluster]
TYPED = Cluster(64, 64)
SHARED = Cluster(0, 0, containers=128)
NODES = Cluster(
    0, 0, nodes=(NodeGroup(16, 12288, 10),), map_request=Request(1024, 1), reduce_request=Request(2048, 1)
)
"""Of 12 maps or 6 reduces by memory, but of ten tasks by cores."""
FAMILIES = (("Facebook", "facebook", 180.0), ("Synthetic1 bimodal", "synthetic1", 2400.0))
MORE = (("Synthetic2", "synthetic2", 220.0), ("Yahoo bimodal", "yahoo", 5400.0))
COMING: tuple[Cell, ...] = tuple(
    (f"{title}, 64+64, {load}", family, gap * times, TYPED)
    for title, family, gap in (*FAMILIES, *MORE)
    for load, times in (("busy", 1.0), ("half busy", 1.8))
)
KINDS: tuple[Cell, ...] = tuple(
    (f"{title}, {what}, {when}", family, gap * coming, cluster)
    for title, family, gap in (*FAMILIES, MORE[0])
    for what, cluster in (("128 containers", SHARED), ("16 nodes", NODES))
    for when, coming in (("at once", 0.0), ("coming", 1.0))
)
"""Name, family, seconds between arrivals in the mean, and cluster."""
GOALS = ("mean-response", "weighted-response", "tardiness", "makespan")


def gaps(cells: Sequence[Cell], seed: int, effort: dict[str, Any]) -> None:
    """Print bounds and gaps, and below them their means and the largest.

    Parameters
    ----------
    effort : `seconds` or `steps` of each search
    """
    rows, found = [], []
    for name, family, gap, cluster in cells:
        given = {"jobs": 100, "mean_interarrival": gap}
        workload = _drawn(family, given, seed, cluster)
        reached = [_searched(workload, cluster, goal, seed, effort) for goal in GOALS]
        best, bound = reached[0]
        priced = Objective.of(GOALS[0]).priced(workload, cluster)
        never_rising = 0.0 if priced is None else priced[0]
        of_goals = [value / proved - 1 if proved > 0 else float(value > 0) for value, proved in reached]
        found.append(100 * np.array([best / never_rising - 1, *of_goals]))
        texts = [f"{each:.2f}" for each in found[-1]]
        rows.append([name, f"{never_rising:.0f}", f"{bound:.0f}", f"{best:.0f}", *texts])
    for name, values in (("mean", np.mean(found, axis=0)), ("largest", np.max(found, axis=0))):
        rows.append([f"**{name}**", "", "", "", *(f"{value:.2f}" for value in values)])
    heads = ["", "never rising, s", "bound, s", "best, s", "to never rising, %"]
    each = " ".join(f"{value:g} {unit}" for unit, value in effort.items())
    title = f"Gaps of goals, seed {seed}, {each} a search"
    print_table(title, [*heads, *(f"{goal}, %" for goal in GOALS)], rows)


def _drawn(family: str, given: dict[str, Any], seed: int, cluster: Cluster) -> Workload:
    """Return jobs with weights of 1 to 10, due after 1 to 1.5 times what each takes alone."""
    modes = {} if family == "facebook" else {"bimodal": True}
    workload = generate(family, seed=seed, parameters=given | modes)
    random = np.random.default_rng(seed)
    weights = random.integers(1, 11, len(workload.jobs))
    alone = alone_seconds(workload, cluster)
    due = workload.columns.arrival + alone * random.uniform(1, 1.5, len(weights))
    return workload.with_jobs(
        replace(job, weight=float(weight), deadline=float(when))
        for job, weight, when in zip(workload.jobs, weights, due, strict=True)
    )


def _searched(
    workload: Workload, cluster: Cluster, goal: str, seed: int, effort: dict[str, Any]
) -> tuple[float, float]:
    """Return the best value that is found, and what is proved."""
    found = optimize(workload, cluster, **effort, objective=Objective.of(goal), seed=seed)
    return found.best, found.bound

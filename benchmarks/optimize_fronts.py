"""The part `fronts` of `benchmarks.optimize`: how far plans between two goals are above their bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.markdown import print_table
from benchmarks.optimize_responses import FACEBOOK, SYNTHETIC1, SYNTHETIC2, drawn
from core.model.cluster import Cluster
from core.optimize.objectives import Objective
from core.simulation.best_schedule import wanted_search
from core.simulation.plan_front import DEFAULT_POINTS, search_front

if TYPE_CHECKING:
    from collections.abc import Iterable

BATCHES = (
    ("Facebook", FACEBOOK, 64),
    ("Synthetic1 bimodal", SYNTHETIC1, 64),
    ("Synthetic2", SYNTHETIC2, 128),
)
"""Name, family with its parameters, and slots of each kind."""


def fronts(seed: int, effort: dict[str, Any], goals: tuple[str, str], jobs: Iterable[int]) -> None:
    """Print for each batch how many plans its front has, and the gaps of these.

    Parameters
    ----------
    effort : `seconds` or `steps` of each search
    goals : as of `search_front`
    jobs : how many each batch has
    """
    rows = []
    for name, (family, parameters), size in BATCHES:
        for count in jobs:
            cluster = Cluster(size, size)
            workload = drawn(family, {**parameters, "jobs": count}, seed, cluster)
            wanted = wanted_search(workload, cluster, Objective(), effort=effort, seed=seed)
            gaps = [100 * point.gap for point in search_front(wanted, goals)]
            texts = f"{max(gaps):.2f}", ", ".join(f"{gap:.2f}" for gap in gaps)
            rows.append([f"{name}, {count} jobs, {size}+{size}", len(gaps), *texts])
    each = " ".join(f"{value:g} {unit}" for unit, value in effort.items())
    title = f"{' and '.join(goals)}, seed {seed}, {DEFAULT_POINTS} searches of {each}"
    print_table(title, ["", "plans", "largest gap, %", "gaps, %"], rows)

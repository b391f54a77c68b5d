"""The part `fronts` of `benchmarks.optimize`: how far plans between two goals are above their bounds."""

from __future__ import annotations

from typing import Any

from benchmarks.markdown import print_table
from benchmarks.optimize_responses import CELLS, drawn
from core.model.cluster import Cluster
from core.optimize.objectives import Objective
from core.simulation.best_schedule import wanted_search
from core.simulation.plan_front import DEFAULT_POINTS, search_front

NAMES = (
    "Facebook, 64+64",
    "Synthetic1 bimodal, 64+64",
    "Synthetic2, 128+128",
    "Synthetic1 bimodal, 20 jobs, 64+64",
)
GOALS = "makespan", "mean-response"


def fronts(seed: int, effort: dict[str, Any]) -> None:
    """Print for each cell how many plans its front has, and the gaps of these.

    Parameters
    ----------
    effort : `seconds` or `steps` of each search
    """
    rows = []
    for name, (family, parameters), size, *_ in (cell for cell in CELLS if cell[0] in NAMES):
        cluster = Cluster(size, size)
        workload = drawn(family, parameters, seed, cluster)
        wanted = wanted_search(workload, cluster, Objective(), effort=effort, seed=seed)
        gaps = [100 * point.gap for point in search_front(wanted, GOALS)]
        rows.append([name, len(gaps), f"{max(gaps):.2f}", ", ".join(f"{gap:.2f}" for gap in gaps)])
    each = " ".join(f"{value:g} {unit}" for unit, value in effort.items())
    title = f"{' and '.join(GOALS)}, seed {seed}, {DEFAULT_POINTS} searches of {each}"
    print_table(title, ["", "plans", "largest gap, %", "gaps, %"], rows)

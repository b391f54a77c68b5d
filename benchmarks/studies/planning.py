"""What it costs to plan on wrong durations, and what three or four balanced pools gain over two.

    python -m benchmarks.studies.planning [--jobs 60] [--nodes 64] [--seeds 20]

Nodes have one map and one reduce slot each; reduces start when all maps are complete. Prints Markdown.
"""

from __future__ import annotations

import argparse
from statistics import fmean
from typing import TYPE_CHECKING

from benchmarks.markdown import percent, print_table
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.estimates import DurationEstimates
from core.model.schedule import PolicyChoice
from core.optimize.bounds import lower_bound
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from core.model.workload import Workload

WORKLOADS: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("Synthetic1, unimodal", "synthetic1", {"bimodal": False}),
    ("Synthetic1, bimodal", "synthetic1", {"bimodal": True}),
    ("Facebook", "facebook", {}),
)
ERRORS = (0.1, 0.3, 0.6, 1.0)
SEARCHES_TAKE = 4
"""So many times fewer draws where pools are searched for each."""


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--jobs", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=64)
    parser.add_argument("--seeds", type=int, default=20, help="draws of the errors")
    options = parser.parse_args()
    cluster = Cluster(options.nodes, options.nodes, 1.0)
    drawn = [
        (title, generate(family, seed=1, parameters={**given, "jobs": options.jobs}))
        for title, family, given in WORKLOADS
    ]
    rows = [
        (title, policy, per, *costs(workload, cluster, policy, per, options.seeds))
        for title, workload in drawn
        for policy in ("johnson", "sjf", "balanced-pools")
        for per in ("job", "task")
    ]
    errors = (f"±{100 * error:g} %" for error in ERRORS)
    print_table("Longer makespan, mean", ("workload", "policy", "one factor per", *errors), rows)
    columns = ("workload", "one pool", "two", "three", "four", "lower bound")
    print_table("Makespan (s)", columns, [(title, *pools(workload, cluster)) for title, workload in drawn])


def makespan(workload: Workload, cluster: Cluster, choice: PolicyChoice) -> float:
    """Simulate, compiled."""
    return simulate(workload, cluster, choice, engine="compiled").makespan


def costs(workload: Workload, cluster: Cluster, policy: str, per: str, seeds: int) -> list[str]:
    """Return how much longer it takes on average for each error than with the true durations."""
    truth = makespan(workload, cluster, PolicyChoice(policy))
    draws = range(max(1, seeds // (SEARCHES_TAKE if policy == "balanced-pools" else 1)))
    guesses = ([DurationEstimates(error, per, seed) for seed in draws] for error in ERRORS)
    return [
        percent(
            fmean(makespan(workload, cluster, PolicyChoice(policy, {}, guess)) for guess in some) / truth - 1
        )
        for some in guesses
    ]


def pools(workload: Workload, cluster: Cluster) -> list[str]:
    """Return the makespans of one pool to four, and the lower bound."""
    choices = [
        PolicyChoice("johnson"),
        *(PolicyChoice("balanced-pools", {"pools": count}) for count in (2, 3, 4)),
    ]
    seconds = [makespan(workload, cluster, choice) for choice in choices]
    return [f"{value:.1f}" for value in (*seconds, lower_bound(workload, cluster))]


if __name__ == "__main__":
    main()

"""The experiment of 001 section V: MaxEDF against MinEDF, beside what the paper shows in Figures 7 and 8.

    python -m benchmarks.studies.deadlines [--runs 400] [--map-slots 64] [--reduce-slots 64]

Sums of relative deadlines exceeded, by deadline factor and mean time between arrivals; means over runs, each
with its own workload, order of arrivals and deadlines.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.progress import Progress

from benchmarks.markdown import print_table
from core.generate.deadlines import with_random_deadlines
from core.generate.families import generate
from core.measures.metrics import measure
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.simulation.fifo_trials import isolated_runtimes
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.model.workload import Workload

    Outcome = NDArray[np.float64]

FACTORS = (1.0, 1.5, 3.0)
GAPS = (1, 10, 100, 1000, 10000)
"""Mean times between arrivals, in seconds."""

FAMILIES = {
    "facebook": "Figure 8, Facebook workload",
    "dhfs": "In the place of Figure 7, 20 jobs of WordCount, Sort and Grep",
}
ESTIMATES = ("low", "mean", "up")
CHOICES = (
    PolicyChoice("edf-max"),
    *(PolicyChoice("edf-min", {"estimate": estimate}) for estimate in ESTIMATES),
    PolicyChoice("edf-min", {"work_conserving": True}),
)
COLUMNS = (
    "between arrivals",
    "MaxEDF",
    *(f"MinEDF, {estimate}" for estimate in ESTIMATES),
    *(f"{estimate} / MaxEDF" for estimate in ESTIMATES),
    "mean, work-conserving",
    "late jobs",
)


def main() -> None:
    """Run everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--map-slots", type=int, default=64)
    parser.add_argument("--reduce-slots", type=int, default=64)
    options = parser.parse_args()
    cluster = Cluster(options.map_slots, options.reduce_slots)
    found: dict[tuple[str, float, int], list[Outcome]] = {}
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("runs", total=len(FAMILIES) * len(GAPS) * options.runs)
        for family, gap, run in product(FAMILIES, GAPS, range(options.runs)):
            for factor, outcome in outcomes(family, gap, run, cluster):
                found.setdefault((family, factor, gap), []).append(outcome)
            bar.advance(task)
    for (family, title), factor in product(FAMILIES.items(), FACTORS):
        rows = [row(gap, np.mean(found[family, factor, gap], axis=0)) for gap in GAPS]
        print_table(f"{title}: deadline factor {factor:g}, {options.runs} runs", COLUMNS, rows)


def outcomes(family: str, gap: float, run: int, cluster: Cluster) -> Iterator[tuple[float, Outcome]]:
    """Yield, for each deadline factor, utility and number of late jobs under each policy, (policies, 2)."""
    workload = permuted(generate(family, seed=run, parameters={"mean_interarrival": gap}), run)
    for factor in FACTORS:
        timed = with_random_deadlines(workload, cluster, factor, run, isolated_runtimes)
        metrics = [measure(simulate(timed, cluster, choice, engine="compiled")) for choice in CHOICES]
        yield factor, np.array([(each.deadline_utility, each.late_jobs) for each in metrics])


def permuted(workload: Workload, seed: int) -> Workload:
    """Let the jobs arrive in an order of their own, every order being equally probable."""
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(workload.jobs))
    arrivals = [job.arrival for job in workload.jobs]
    return workload.with_jobs(
        replace(workload.jobs[j], arrival=arrival) for j, arrival in zip(order, arrivals, strict=True)
    )


def row(gap: float, means: Outcome) -> tuple[str, ...]:
    """Return one row: utilities, those of MinEDF relative to MaxEDF, and late jobs."""
    greedy, *sparing, conserving = means[:, 0]
    ratios = (f"{utility / greedy:.2f}" if greedy >= 0.005 else "" for utility in sparing)
    late = " / ".join(f"{count:.1f}" for count in means[:, 1])
    return f"{gap} s", f"{greedy:.2f}", *(f"{s:.2f}" for s in sparing), *ratios, f"{conserving:.2f}", late


if __name__ == "__main__":
    main()

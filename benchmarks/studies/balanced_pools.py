"""Figures 10 to 13 of 000: Johnson, its reverse and BalancedPools over the size of the cluster.

    python -m benchmarks.studies.balanced_pools [--sizes 50 100 200 ...] [--seed 1] [--panels 10a 13c ...]

Nodes have one map and one reduce slot each, as in the paper. Prints Markdown.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress

from benchmarks.studies.markdown import percent, print_table
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.planning.pool_searches import search_pools
from core.simulation.fifo_trials import pool_trials
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from core.model.workload import Workload

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
PAPER = {
    "10a": "Johnson up to 25 % under reverse, BalancedPools about as Johnson",
    "10b": "BalancedPools up to 38 % under Johnson",
    "11a": "BalancedPools 25 to 30 % under Johnson for many sizes",
    "11b": "BalancedPools 25 to 30 % under Johnson for many sizes",
    "13a": "Johnson at most about 12 % under reverse, BalancedPools 10 to 30 % under Johnson",
    "13b": "Johnson at most about 12 % under reverse, BalancedPools up to 38 % under Johnson",
    "13c": "Johnson about 2 % under reverse, BalancedPools 14 to 33 % under Johnson",
}
SIZES = (50, 100, 200, 400, 800)
COLUMNS = (
    "nodes",
    "reverse",
    "Johnson",
    "BalancedPools",
    "Johnson under reverse",
    "BalancedPools under Johnson",
    "small pool",
)


def main() -> None:
    """Search, and print a table for each panel of the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--panels", nargs="+", choices=PANELS, default=list(PANELS), metavar="PANEL")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.perf_counter()
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("searches", total=len(options.panels) * len(options.sizes))
        for panel in options.panels:
            title, family, parameters = PANELS[panel]
            workload = generate(family, seed=options.seed, parameters=parameters)
            rows = []
            for size in options.sizes:
                rows.append(row(workload, size))
                bar.advance(task)
            said = f" (paper: {PAPER[panel]})" if panel in PAPER else ""
            print_table(f"Figure {panel}: {title}{said}", COLUMNS, rows)
    print(f"\nSeed {options.seed}, {time.perf_counter() - began:.0f} s.")


def row(workload: Workload, size: int) -> tuple[str, ...]:
    """Return one row: makespans in hours, what was gained, and the smaller pool that was found."""
    cluster = Cluster(size, size)
    reverse, johnson = (
        simulate(workload, cluster, PolicyChoice(policy), engine="compiled").makespan
        for policy in ("johnson-reverse", "johnson")
    )
    search = search_pools(workload, cluster, partial(pool_trials, workload, cluster, True))
    pools = search.partition.pools
    least = min(pools, key=lambda pool: pool.map_slots)
    found = f"{least.map_slots} slots, {len(least.jobs)} jobs" if len(pools) > 1 else "none"
    balanced = search.makespan
    hours = (f"{makespan / 3600:.2f} h" for makespan in (reverse, johnson, balanced))
    return f"{size}", *hours, percent(1 - johnson / reverse), percent(1 - balanced / johnson), found


if __name__ == "__main__":
    main()

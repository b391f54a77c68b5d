"""How long BalancedPools takes to search, and whether its search misses any two pools.

    python -m benchmarks.pools [--json]                                # seconds, with nothing remembered
    python -m benchmarks.pools --all-pools --panels 11b --sizes 16 32  # every split with every size: slow

The panels are those of 000, Figures 10 to 13; nodes have one map and one reduce slot each.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.markdown import print_table
from benchmarks.workloads import PANELS, facebook
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.progress import never_stop
from core.planning.balanced_pools import balanced_pools
from core.planning.pool_cut import PoolCut, Trial
from core.planning.pool_searches import search_pools
from core.simulation.fifo_trials import PoolTrials, pool_trials

if TYPE_CHECKING:
    from core.model.partition import Partition
    from core.model.workload import Workload

REPEATS = 5
SLOTS = 256
SIZES = (16, 32, 64, 128, 256)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--all-pools", action="store_true", help="try every split with every size")
    parser.add_argument("--panels", nargs="+", choices=PANELS, default=["11a", "11b"], metavar="PANEL")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.all_pools:
        cells = product(options.panels, options.sizes)
        columns = ("figure", "workload", "nodes", "found by halving", "best of all")
        table = [_both(panel, size, options.seed) for panel, size in cells]
        print_table("Makespans of two pools", columns, table)
        return
    rows = [_search(threads) for threads in (1, 2)]
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"Facebook, 100 jobs, {SLOTS}+{SLOTS} slots, s")
    print(f"{'threads':>8}{'trials':>8}{'median':>8}{'best':>8}{'processor':>11}")
    for row in rows:
        print(
            f"{row['threads']:8}{row['trials']:8}{row['median']:8.2f}{row['best']:8.2f}{row['processor']:11.2f}"
        )


def _search(threads: int) -> dict[str, float]:
    """Return the seconds of a search by so many threads."""
    workload, cluster = facebook(1, SLOTS), Cluster(SLOTS, SLOTS)
    seconds, processor = [], []
    trials = 0
    for _ in range(REPEATS + 1):
        began, used = time.perf_counter(), time.process_time()
        simulators = [PoolTrials(workload, cluster, True) for _ in range(threads)]
        trials = len(balanced_pools(workload, cluster, simulators).trials)
        seconds.append(time.perf_counter() - began)
        processor.append(time.process_time() - used)
    # The first one loads the compiled code.
    return {
        "threads": threads,
        "trials": trials,
        "median": statistics.median(seconds[1:]),
        "best": min(seconds[1:]),
        "processor": statistics.median(processor[1:]),
    }


def _both(panel: str, size: int, seed: int) -> tuple[str, str, str, str, str]:
    """Return a row: what halving finds, and the best of every split with every size."""
    title, family, parameters = PANELS[panel]
    workload, cluster = generate(family, seed=seed, parameters=parameters), Cluster(size, size)
    found, best = (search(workload, cluster)[0] for search in (best_by_halving, best_of_all))
    return panel, title, str(size), f"{found / 3600:.2f} h", f"{best / 3600:.2f} h"


def best_by_halving(workload: Workload, cluster: Cluster) -> tuple[float, Partition]:
    """Return the makespan and the pools that BalancedPools finds."""
    found = search_pools(workload, cluster, partial(pool_trials, workload, cluster, True))
    return found.makespan, found.partition


def best_of_all(workload: Workload, cluster: Cluster) -> tuple[float, Partition]:
    """Return the best of every split with every size, and of one pool; skip what has too much work."""
    cut, simulator = PoolCut(workload, cluster), pool_trials(workload, cluster, True)[0]
    work = np.array(
        [[job.maps.task_durations.sum(), job.reduces.task_durations.sum()] for job in workload.jobs]
    )
    best = Trial((), (), (simulator(cut.johnson(cut.jobs, cut.slots), cut.slots, never_stop),))
    for split, size in product(range(1, len(cut.jobs)), range(1, cut.whole)):
        ends = []
        for jobs, slots in zip((cut.jobs[:split], cut.jobs[split:]), cut.pools((size,)), strict=True):
            if (work[jobs].sum(axis=0) / slots).max() >= best.makespan:
                break
            ends.append(simulator(cut.johnson(jobs, slots), slots, never_stop))
        else:
            best = min(best, Trial((split,), (size,), tuple(ends)), key=lambda trial: trial.makespan)
    return best.makespan, cut.partition(best)


if __name__ == "__main__":
    main()

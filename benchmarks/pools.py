"""How long BalancedPools takes to search, with nothing remembered.

python -m benchmarks.pools [--json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time

from benchmarks.workloads import facebook
from core.model.cluster import Cluster
from core.planning.balanced_pools import balanced_pools
from core.simulation.fifo_trials import PoolTrials

REPEATS = 5
SLOTS = 256


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
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


if __name__ == "__main__":
    main()

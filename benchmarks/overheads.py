"""What overheads cost: runs of clusters whose hosts ask for work, against plain runs of the same jobs.

``python -m benchmarks.overheads`` simulates two workloads with the compiled engine and prints for each how
many times as long a run takes with overheads: 3255 drawn jobs on 257 hosts and, where the real logs are
(``../shared/traces``), the 19 jobs that 1536 hosts recorded. The two take turns; of each the least counts.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.files.open_workload import open_workload
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.overheads import Overheads
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5
LOG = Path(__file__).parent.parent.parent / "shared/traces/hadoop-mapreduce/19-jobs.trace.json.gz"
SPENT = Overheads(setup=1.6, cleanup=1.6, fetch=1.8, heartbeat=3.0)


def drawn_jobs() -> Workload:
    """Return 3255 jobs of 257 hosts that are busy most of the time."""
    random = np.random.default_rng(1)
    arrival = np.cumsum(random.exponential(9.0, 3255))
    jobs = []
    for i, at in enumerate(arrival.tolist()):
        maps, reduces = int(random.lognormal(4.0, 1.2)) + 1, int(random.lognormal(2.0, 1.0))
        stages = (
            Stage.of(maps, random.gamma(2.0, 20.0, maps)),
            Stage.of(reduces, random.gamma(2.0, 15.0, max(reduces, 1)), 5.0, 8.0),
        )
        jobs.append(Job(f"J{i}", *stages, arrival=at))
    return Workload("drawn", tuple(jobs), Cluster(4 * 257, 2 * 257))


def seconds(run: Callable[[], Simulation]) -> float:
    """Return how long a run takes from its first instant to its last."""
    simulation = run()
    began = time.perf_counter()
    while not simulation.advance():
        pass
    return time.perf_counter() - began


def main() -> None:
    """Print a line for each workload, policy and heartbeat."""
    workloads = {"3255 jobs, 257 hosts": (drawn_jobs(), 257)}
    if LOG.exists():
        workloads["19-jobs, 1536 hosts"] = (open_workload(LOG).workload, 1536)
    for title, (workload, hosts) in workloads.items():
        tasks = workload.map_count + workload.reduce_count
        print(f"{title}: {tasks} tasks, {workload.cluster.map_slots} + {workload.cluster.reduce_slots} slots")
        for policy in ("fifo", "fair"):
            for heartbeat in (3.0, 0.3, 0.0):
                spent = replace(SPENT, hosts=hosts, heartbeat=heartbeat)
                least = [np.inf, np.inf]
                for _ in range(ROUNDS):
                    for i, overheads in enumerate((None, spent)):
                        cluster = replace(workload.cluster, overheads=overheads)
                        choice = PolicyChoice(policy)
                        took = seconds(lambda: Simulation(workload, cluster, choice, engine="compiled"))
                        least[i] = min(least[i], took)
                plain, beating = least
                print(
                    f"  {policy}, heartbeat {heartbeat:g} s: {beating / plain:.2f} times as long "
                    f"({beating / tasks * 1e6:.2f} against {plain / tasks * 1e6:.2f} us a task)"
                )


if __name__ == "__main__":
    main()

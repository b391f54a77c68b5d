"""Events per second on workloads a to d: compiled, interpreted and SimPy in one run.

    python -m benchmarks.engine [--quick] [--json]

Figures are medians; the events are SimMR's seven types: two per task and three per job.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from typing import TYPE_CHECKING, Any

from benchmarks.simpy_model import ClusterModel
from benchmarks.workloads import all_workloads
from core.schedule import PolicyChoice
from core.simulate import Engine, simulate

if TYPE_CHECKING:
    from core.workload import Workload

POLICIES = ("fifo", "edf-max", "johnson", "order", "sjf", "fair")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only workload a")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    for name, workload in all_workloads().items():
        if name == "a" or not options.quick:
            rows += _measure_workload(name, workload)
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'workload':10}{'what':24}{'ms':>10}{'M events/s':>12}{'x fifo':>8}{'x SimPy':>9}")
    for row in rows:
        print(
            f"{row['workload']:10}{row['what']:24}{row['ms']:10.2f}{row['events_per_second'] / 1e6:12.2f}"
            f"{row['times_fifo']:8.2f}{row['times_simpy']:9.1f}"
        )


def _measure_workload(name: str, workload: Workload) -> list[dict[str, Any]]:
    events = 2 * (workload.map_count + workload.reduce_count) + 3 * len(workload.jobs)
    simpy_seconds = _simpy(workload, 5 if name == "a" else 1)
    measured = {
        "SimPy, fifo": simpy_seconds,
        "interpreted, fifo": _engine(workload, "fifo", "interpreted", 1),
    }
    for policy in POLICIES:
        measured[f"compiled, {policy}"] = _engine(workload, policy, "compiled", 3 if name == "d" else 9)
    fifo = measured["compiled, fifo"]
    return [
        {
            "workload": name,
            "what": what,
            "ms": 1000 * seconds,
            "events_per_second": events / seconds,
            "times_fifo": seconds / fifo,
            "times_simpy": simpy_seconds / seconds,
        }
        for what, seconds in measured.items()
    ]


def _engine(workload: Workload, policy: str, engine: Engine, repeats: int) -> float:
    """Median seconds of the event loop alone: what SimPy's `run` is compared with."""
    if engine == "compiled":
        simulate(workload, workload.cluster, PolicyChoice(policy), engine=engine)  # loads compiled code
    return statistics.median(
        simulate(workload, workload.cluster, PolicyChoice(policy), engine=engine).simulate_seconds
        for _ in range(repeats)
    )


def _simpy(workload: Workload, repeats: int) -> float:
    """Median seconds of SimPy's `run` without building the model; garbage is collected as usual."""
    seconds = []
    for _ in range(repeats):
        model = ClusterModel(workload, workload.cluster)
        began = time.perf_counter()
        model.environment.run()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()

"""Events per second on workloads a to f: every policy, interpreted and, of two stages, SimPy in one run.

    python -m benchmarks.engine [--quick] [--workloads a,e,...] [--policies ID,ID,...] [--json]

Figures are medians of processor time; the events are SimMR's seven types: two per task and three per job.
The clock covers the event loop, and what a policy plans anew in between; not what it computes before the run.
Policies that find pools with slots of their own run in four of them, without the search. On graphs, e and f,
those are left out that are for maps and reduces.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.simpy_model import ClusterModel
from benchmarks.workloads import POOLS, all_workloads, graph_workloads
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice
from core.policies.registry import policies, policy_class
from core.simulation.simulate import Engine, Simulation

if TYPE_CHECKING:
    from core.model.workload import Workload

ENOUGH_SECONDS = 1.0
"""A policy is measured nine times, or as often as this allows."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only workload a")
    parser.add_argument("--workloads", help="only these")
    parser.add_argument("--policies", help="only these, and FIFO")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    ids = [policy.id for policy in policies()]
    if options.policies:
        ids = ["fifo", *(name for name in options.policies.split(",") if name != "fifo")]
    rows = []
    wanted = "a" if options.quick else options.workloads
    for name, workload in (all_workloads() | graph_workloads()).items():
        if not wanted or name in wanted.split(","):
            rows += _measure_workload(name, workload, ids)
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'workload':10}{'what':24}{'ms':>10}{'M events/s':>12}{'x fifo':>8}{'x SimPy':>9}")
    for row in rows:
        print(
            f"{row['workload']:10}{row['what']:24}{row['ms']:10.2f}{row['events_per_second'] / 1e6:12.2f}"
            f"{row['times_fifo']:8.2f}" + (f"{row['times_simpy']:9.1f}" if row["times_simpy"] else "")
        )


def _measure_workload(name: str, workload: Workload, ids: list[str]) -> list[dict[str, Any]]:
    events = 2 * (workload.map_count + workload.reduce_count) + 3 * len(workload.jobs)
    simpy_seconds = (
        _simpy(workload, 5 if name == "a" else 1) if workload.columns.stages.are_map_reduce else 0.0
    )
    measured = {"SimPy, fifo": simpy_seconds} if simpy_seconds else {}
    measured["interpreted, fifo"] = _event_loop(workload, "fifo", "interpreted")
    for policy in filter(partial(_runs, workload), ids):
        seconds = [_event_loop(workload, policy, "compiled")]  # the first time loads compiled code
        while len(seconds) < 10 and sum(seconds) < ENOUGH_SECONDS:
            seconds.append(_event_loop(workload, policy, "compiled"))
        measured[f"compiled, {policy}"] = statistics.median(seconds[1:] or seconds)
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


def _runs(workload: Workload, policy: str) -> bool:
    """Whether a policy serves jobs of such stages."""
    chosen = policy_class(policy)
    return workload.columns.stages.are_map_reduce or not (
        chosen.needs_map_reduce or hasattr(chosen, "replanner")
    )


def _event_loop(workload: Workload, policy: str, engine: Engine) -> float:
    """Processor seconds of the event loop alone: what SimPy's `run` is compared with."""
    has_pools = hasattr(policy_class(policy), "partition")
    partition = _four_pools(workload) if has_pools else None
    run = Simulation(workload, workload.cluster, PolicyChoice(policy), partition=partition, engine=engine)
    began = time.thread_time()
    while not run.advance():
        pass
    return time.thread_time() - began


def _four_pools(workload: Workload) -> Partition:
    """A quarter of the slots, and the jobs of one pool, for each pool."""
    maps, reduces = workload.cluster.stage_slots
    return Partition(
        tuple(
            SlotPool(
                name, maps // 4, reduces // 4, tuple(job.name for job in workload.jobs if job.pool == name)
            )
            for name in POOLS
        )
    )


def _simpy(workload: Workload, repeats: int) -> float:
    """Median processor seconds of SimPy's `run` without building the model; garbage is collected as usual."""
    seconds = []
    for _ in range(repeats):
        model = ClusterModel(workload, workload.cluster)
        began = time.thread_time()
        model.environment.run()
        seconds.append(time.thread_time() - began)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()

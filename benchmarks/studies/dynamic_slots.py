"""The experiments of 002 section IV: what dynamic slots gain, beside the paper's numbers.

    python -m benchmarks.studies.dynamic_slots [--seeds 20] [--spread 0.1] [--slowstart 1.0]

Table I on 90 map and 18 reduce slots (Figure 4), other splits of the 108 slots, the flow of two pools
(Figure 5) and the limits on borrowed slots (Figure 6). Means over seeds of the task durations.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.markdown import percent, print_table
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice, Schedule
from core.model.workload import MAP, REDUCE
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.workload import Workload

ONE, SEVERAL = "32 to 55 %", "44 to 68 %"
"""What the text says of Figure 4; its bars are not printed as numbers."""

CASES = {
    "J1": (0, 1, ONE),
    "J2": (1, 2, ONE),
    "J3": (2, 3, ONE),
    "J1 to J5": (0, 5, SEVERAL),
    "J1 to J10": (0, 10, SEVERAL),
    "J1 to J20": (0, 20, SEVERAL),
}
"""First job, end and published gain of the workloads of Figure 4."""

PAIRS = (
    ("dhfs-pi", "fair"),
    ("dhfs-pd", "fair"),
    ("dynamic-fifo-pi", "fifo"),
    ("dynamic-fifo-pd", "fifo"),
)
"""Policies, and what each is compared with."""

SPLITS = ((54, 54), (72, 36), (81, 27), (90, 18), (99, 9))
PERCENTAGES = (0, 20, 40, 60, 80, 100)
STEP = 10.0
"""Seconds of a step of Figure 5."""


def main() -> None:
    """Run everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--spread", type=float, default=0.1, help="of task durations, relative to their mean")
    parser.add_argument("--slowstart", type=float, default=1.0)
    options = parser.parse_args()
    parameters = {"spread": options.spread, "slowstart": options.slowstart}
    workloads = [generate("dhfs", seed=seed, parameters=parameters) for seed in range(1, options.seeds + 1)]
    for part in (figure_4, splits, figure_5, figure_6):
        part(workloads)


def run(workload: Workload, cluster: Cluster, policy: str, **parameters: Any) -> Schedule:
    """Simulate with the compiled engine."""
    return simulate(workload, cluster, PolicyChoice(policy, parameters), engine="compiled")


def shorter(workloads: Sequence[Workload], case: str, policy: str, baseline: str, cluster: Cluster) -> float:
    """Return by which fraction a policy's makespan is below the baseline's, on average."""
    first, end, _ = CASES[case]
    gains = []
    for workload in workloads:
        part = workload.with_jobs(workload.jobs[first:end])
        gains.append(1 - run(part, cluster, policy).makespan / run(part, cluster, baseline).makespan)
    return float(np.mean(gains))


def figure_4(workloads: Sequence[Workload]) -> None:
    """Print what each workload gains from dynamic slots, on the Fair Scheduler and on FIFO."""
    cluster = workloads[0].cluster
    rows = [
        (case, *(percent(shorter(workloads, case, *pair, cluster)) for pair in PAIRS), published)
        for case, (_, _, published) in CASES.items()
    ]
    columns = ("jobs", "PI-DHFS", "PD-DHFS", "PI on FIFO", "PD on FIFO", "paper (PI, PD)")
    title = f"Figure 4: shorter than typed slots, 90 map and 18 reduce slots, {len(workloads)} seeds"
    print_table(title, columns, rows)


def splits(workloads: Sequence[Workload]) -> None:
    """Print makespans of all jobs for other splits of the slots: only typed slots depend on them."""
    policies = ("fair", "dhfs-pi", "dhfs-pd")
    rows = []
    for maps, reduces in SPLITS:
        cluster = Cluster(maps, reduces, workloads[0].cluster.slowstart)
        means = [float(np.mean([run(w, cluster, policy).makespan for w in workloads])) for policy in policies]
        rows.append((f"{maps} + {reduces}", *(f"{mean:.0f} s" for mean in means)))
    print_table(
        "Section IV.B: makespan of J1 to J20 by map + reduce slots", ("slots", "Fair", "PI", "PD"), rows
    )


def figure_5(workloads: Sequence[Workload]) -> None:
    """Print how many maps and reduces of two pools run, every ten seconds."""
    workload = workloads[0].with_jobs([workloads[0].jobs[1], workloads[0].jobs[3]])
    columns = [f"{pool} {kind}" for pool in workload.pools for kind in ("maps", "reduces")]
    for policy in ("dhfs-pi", "dhfs-pd"):
        schedule = run(workload, workloads[0].cluster, policy)
        times = np.arange(STEP / 2, schedule.makespan, STEP)
        rows = [(f"{time:.0f} s", *running(schedule, time)) for time in times]
        print_table(f"Figure 5: tasks that run under {policy}, J2 and J4", ("at", *columns), rows)


def running(schedule: Schedule, time: float) -> list[int]:
    """Count the running maps and reduces of each pool."""
    columns = schedule.workload.columns
    runs = (schedule.start <= time) & (time < schedule.end)
    pool = columns.pool[columns.job]
    return [
        int((runs & (pool == p) & (columns.kind == kind)).sum())
        for p in range(len(schedule.workload.pools))
        for kind in (MAP, REDUCE)
    ]


def figure_6(workloads: Sequence[Workload]) -> None:
    """Print what J2 gains when more slots may be borrowed."""
    cases: tuple[tuple[str, Callable[[int], dict[str, int]]], ...] = (
        ("map 0 %, reduce as given", lambda part: {"pct_borrowed_map": 0, "pct_borrowed_reduce": part}),
        ("map 100 %, reduce as given", lambda part: {"pct_borrowed_map": 100, "pct_borrowed_reduce": part}),
        ("reduce 0 %, map as given", lambda part: {"pct_borrowed_map": part, "pct_borrowed_reduce": 0}),
        ("reduce 100 %, map as given", lambda part: {"pct_borrowed_map": part, "pct_borrowed_reduce": 100}),
    )
    alone = [workload.with_jobs(workload.jobs[1:2]) for workload in workloads]
    typed = [run(workload, workload.cluster, "fair").makespan for workload in alone]
    rows = []
    for title, limits in cases:
        gains = [
            np.mean(
                [
                    1 - run(workload, workload.cluster, "dhfs-pi", **limits(part)).makespan / baseline
                    for workload, baseline in zip(alone, typed, strict=True)
                ]
            )
            for part in PERCENTAGES
        ]
        rows.append((title, *(percent(float(gain)) for gain in gains)))
    columns = ("slots that may be borrowed", *(f"{part} %" for part in PERCENTAGES))
    print_table(
        "Figure 6: J2 (320 maps, 200 reduces) shorter than with nothing borrowed, PI-DHFS", columns, rows
    )
    print("\nPaper: about 29 % from borrowing more map slots.")


if __name__ == "__main__":
    main()

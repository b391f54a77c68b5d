"""The experiments of 004: what lazy starts and batch finishes gain, beside the paper's numbers.

    python -m benchmarks.studies.omo [--seeds 5] [--slowdown 1.65]

Tables 2 and 3 (slowstart), Figures 7 to 14 and Tables 6 and 7. Means over seeds of the map times and of the
order of the jobs. `--slowdown`: how many times longer maps take where four of them share a node, as under
FRESH and OMO, than where two do, as under Fair; 1 gives every policy the same tasks.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.studies.markdown import percent, print_table
from benchmarks.studies.omo_published import (
    GAINS,
    SCALES,
    SLOWSTART,
    TABLE_2,
    TABLE_3,
    TABLE_6,
    TABLE_7,
)
from core.generate.families import generate
from core.measures.metrics import bound_of
from core.measures.release_rate import release_rates
from core.model.cluster import Cluster
from core.model.nodes import NodeGroup, Request
from core.model.schedule import PolicyChoice, Schedule
from core.model.workload import MAP, Job, Stage, Workload
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SLOWSTARTS = (0.05, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Those that the paper tried for the Fair Scheduler."""

MAP_SECONDS, REDUCE_RATE = 70.0, 18.5
"""Map time with two maps on a node, and MB/s of a reduce phase: see docs/paper-004-overlap.md."""

SMALL_MAP, SMALL_REDUCE, SMALL_SHUFFLE = 12.0, 66.0, 30.0
"""Seconds of a task of the small Terasort of Tables 2 and 3."""

NODES = 20
"""Of the cluster of all sets but H; two map and two reduce slots each, or four containers."""


@dataclass(frozen=True)
class Setup:
    """One draw of a set of jobs: as typed slots run it, and as containers do."""

    typed: Workload
    shared: Workload

    def fair(self, slowstart: float) -> Schedule:
        """Return the Fair Scheduler's schedule on typed slots."""
        return run(self.typed, replace(self.typed.cluster, slowstart=slowstart), "fair")

    def best_fair(self) -> Schedule:
        """Return the shortest one over all values of slowstart."""
        return min(map(self.fair, SLOWSTARTS), key=lambda schedule: schedule.makespan)

    def fresh(self) -> Schedule:
        """Return FRESH's schedule."""
        return run(self.shared, replace(self.shared.cluster, slowstart=1.0), "fresh")

    def omo(self, slowstart: float = 0.0, **parameters: bool) -> Schedule:
        """Return OMO's schedule; its reduces start when it says so."""
        return run(self.shared, replace(self.shared.cluster, slowstart=slowstart), "omo", **parameters)

    def lazy(self) -> Schedule:
        """Return the schedule of *Lazy Start* alone."""
        return self.omo(batch_finish=False)

    def batch(self) -> Schedule:
        """Return the shortest schedule of *Batch Finish* alone over all values of slowstart."""
        return min(
            (self.omo(slowstart, lazy_start=False) for slowstart in SLOWSTARTS),
            key=lambda schedule: schedule.makespan,
        )


def main() -> None:
    """Run everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--slowdown", type=float, default=1.65)
    options = parser.parse_args()

    def setups(name: str, slowdown: float = options.slowdown) -> list[Setup]:
        return [drawn(name, seed, slowdown) for seed in range(1, options.seeds + 1)]

    slowstarts(options.slowdown)
    makespans(setups, options.slowdown)
    if options.slowdown != 1:
        makespans(lambda name: setups(name, 1.0), 1.0)
    for part in (phases, last_batches, release_prediction, yarn, large_cluster, scales):
        part(setups)


def drawn(name: str, seed: int, slowdown: float) -> Setup:
    """Draw a set of jobs twice from one seed: equal but for the time of the maps."""
    parameters = {"job_set": name, "reduce_rate": REDUCE_RATE}
    typed, shared = (
        generate("omo", seed=seed, parameters={**parameters, "map_seconds": MAP_SECONDS * factor})
        for factor in (1.0, slowdown)
    )
    return Setup(typed, shared)


def run(workload: Workload, cluster: Cluster, policy: str, **parameters: Any) -> Schedule:
    """Simulate with the compiled engine."""
    return simulate(workload, cluster, PolicyChoice(policy, parameters), engine="compiled")


def mean(values: Iterable[float]) -> float:
    """Return the mean."""
    return float(np.mean(list(values)))


# ---- Tables 2 and 3


def slowstarts(slowdown: float) -> None:
    """Print the makespan of one and of three Terasort jobs by slowstart, on typed slots and on containers."""
    rows: list[tuple[str, ...]] = []
    for title, published, share in (("typed", TABLE_2, False), ("containers", TABLE_3, True)):
        for jobs, nodes in ((1, 2), (3, 10)):
            workload = terasort(jobs, SMALL_MAP * (slowdown if share else 1))
            slots = (0, 0) if share else (2 * nodes, 2 * nodes)
            cluster = Cluster(*slots, shuffle_model="overlap", containers=4 * nodes if share else 0)
            ours = [
                run(workload, replace(cluster, slowstart=slowstart), "fair").makespan
                for slowstart in SLOWSTART
            ]
            rows.append((f"{title}, {jobs} on {nodes} nodes", *(f"{seconds:.0f} s" for seconds in ours)))
            rows.append(("paper", *(f"{seconds} s" for seconds in published[jobs])))
    print_table("Tables 2 and 3: Terasort jobs by slowstart", ("jobs", *map(str, SLOWSTART)), rows)


def terasort(jobs: int, map_seconds: float) -> Workload:
    """Return jobs of 80 maps and 4 reduces each."""
    times = np.random.default_rng(1).normal(map_seconds, 0.1 * map_seconds, (jobs, 80))
    reduces = Stage.of(4, SMALL_REDUCE, 0.1 * SMALL_SHUFFLE, SMALL_SHUFFLE)
    return Workload(
        "Terasort", tuple(Job(f"J{i + 1}", Stage.of(80, row), reduces) for i, row in enumerate(times))
    )


# ---- Figures 10 to 12


def makespans(setups: Callable[[str], list[Setup]], slowdown: float) -> None:
    """Print the makespans of every policy, and what is gained."""
    policies: dict[str, Callable[[Setup], Schedule]] = {
        "Fair, best": Setup.best_fair,
        "Fair-1": lambda setup: setup.fair(1.0),
        "FRESH": Setup.fresh,
        "Lazy Start": Setup.lazy,
        "Batch Finish": Setup.batch,
        "OMO": Setup.omo,
    }
    lengths, gains = [], []
    for name, published in GAINS.items():
        drawn_sets = setups(name)
        found = {title: [policy(setup) for setup in drawn_sets] for title, policy in policies.items()}
        length = {title: mean(s.makespan for s in schedules) for title, schedules in found.items()}
        bound = mean(map(bound_of, found["OMO"]))
        lengths.append((name, *(f"{seconds:.0f} s" for seconds in length.values()), f"{bound:.0f} s"))
        pairs = (
            *(("FRESH", "Fair-1"), ("Lazy Start", "Fair, best"), ("Lazy Start", "FRESH")),
            *(("Batch Finish", "FRESH"), ("OMO", "Fair, best"), ("OMO", "FRESH")),
        )
        ours = [percent(1 - length[one] / length[other]) for one, other in pairs]
        gains.append((name, *(f"{we} ({they})" for we, they in zip(ours, published, strict=True))))
    how = f"maps of containers {slowdown:g} times as long"
    print_table(f"Figures 10 to 12: makespans, {how}", ("jobs", *policies, "lower bound"), lengths)
    columns = ("jobs", "FRESH to Fair-1", "Lazy to best Fair", "Lazy to FRESH", "Batch to FRESH")
    print_table(f"How much shorter, {how} (paper)", (*columns, "OMO to best Fair", "OMO to FRESH"), gains)


# ---- Figures 7 to 9 and 13


def phases(setups: Callable[[str], list[Setup]]) -> None:
    """Print how long the map phase of eight Terasort jobs takes, and the shuffles after it."""
    drawn_sets = setups("TeraSort")
    cases: dict[str, Callable[[Setup], Schedule]] = {
        "Fair-1": lambda setup: setup.fair(1.0),
        "Fair-0.05": lambda setup: setup.fair(0.05),
        "FRESH": Setup.fresh,
        "OMO": Setup.omo,
    }
    found = {title: [policy(setup) for setup in drawn_sets] for title, policy in cases.items()}
    maps = {title: mean(s.stage_end.max() for s in schedules) for title, schedules in found.items()}
    rows = [
        (
            title,
            f"{maps[title]:.0f} s",
            percent(1 - maps[title] / maps["Fair-1"]),
            f"{mean(s.shuffled.max() - s.stage_end.max() for s in schedules):.0f} s",
        )
        for title, schedules in found.items()
    ]
    print_table(
        "Figure 9: eight Terasort jobs",
        ("policy", "map phase", "shorter than Fair-1", "shuffling after it"),
        rows,
    )


def last_batches(setups: Callable[[str], list[Setup]]) -> None:
    """Print how many maps of each job end within 10 s of its last one, Set A."""
    rows = []
    for title, schedules in (
        ("Fair", [setup.best_fair() for setup in setups("A")]),
        ("OMO", [setup.omo() for setup in setups("A")]),
    ):
        sizes = np.concatenate([last_batch(schedule) for schedule in schedules])
        least, median, most = np.percentile(sizes, (0, 50, 100))
        rows.append((title, f"{least:.0f}", f"{median:.0f}", f"{most:.0f}"))
    print_table(
        "Figure 8: maps in the last batch of a job, Set A", ("policy", "least", "median", "most"), rows
    )


def last_batch(schedule: Schedule) -> list[int]:
    """Return how many maps of each job end within 10 s of its last one."""
    columns = schedule.workload.columns
    ends = [schedule.end[(columns.job == j) & (columns.kind == MAP)] for j in range(len(schedule.finish))]
    return [int((job > job.max() - 10).sum()) for job in ends]


def release_prediction(setups: Callable[[str], list[Setup]]) -> None:
    """Print how well the rate at which containers are released is predicted, Set A."""
    rates = [release_rates(setup.omo()) for setup in setups("A")]
    known = [r for r in rates if r is not None]
    rows = [
        ("released, mean", mean(r.real.mean() for r in known)),
        ("released, deviation", mean(r.real.std() for r in known)),
        ("prediction off by, mean", mean(r.mean_error for r in known)),
    ]
    table = [(what, f"{rate:.2f} / s") for what, rate in rows]
    print_table("Figure 7: containers released in windows of 10 s, Set A under OMO", ("what", "rate"), table)


# ---- Tables 6 and 7, Figure 14


def yarn(setups: Callable[[str], list[Setup]]) -> None:
    """Print eight Terasort jobs on YARN's nodes of 8 cores and 40 GB, two cores a task."""
    drawn_sets = setups("TeraSort")
    rows = []
    for gigabytes, published in TABLE_6.items():
        asked = Request(1024 * gigabytes, 2)
        cluster = Cluster(
            *(0, 0, 0.05, "overlap"),
            nodes=(NodeGroup(NODES, 40 * 1024, 8),),
            map_request=asked,
            reduce_request=asked,
        )
        ours = mean(run(setup.shared, cluster, "fair").makespan for setup in drawn_sets)
        rows.append((f"YARN, {gigabytes} GB a task", f"{ours:.0f} s", f"{published} s"))
    rows.append(("OMO", f"{mean(setup.omo().makespan for setup in drawn_sets):.0f} s", "1319 s"))
    print_table("Table 6: eight Terasort jobs", ("scheduler", "ours", "paper"), rows)


def large_cluster(setups: Callable[[str], list[Setup]]) -> None:
    """Print the makespans of Set H on 40 nodes."""
    drawn_sets = setups("H")
    ours = (
        mean(setup.fair(0.05).makespan for setup in drawn_sets),
        mean(setup.fair(1.0).makespan for setup in drawn_sets),
        mean(setup.fresh().makespan for setup in drawn_sets),
        mean(setup.omo().makespan for setup in drawn_sets),
    )
    rows = [(who, f"{we:.0f} s", f"{they} s") for (who, they), we in zip(TABLE_7.items(), ours, strict=True)]
    print_table("Table 7: Set H on 40 nodes", ("scheduler", "ours", "paper"), rows)


def scales(setups: Callable[[str], list[Setup]]) -> None:
    """Print how OMO's makespan grows with the input and with the number of jobs."""
    ours = {name: mean(setup.omo().makespan for setup in setups(name)) for name in SCALES}
    rows = [
        (f"{name}: {what}", f"{ours[name]:.0f} s", f"{ours[name] / ours['C']:.2f}", published)
        for name, (what, published) in SCALES.items()
    ]
    print_table("Figure 14: OMO's makespan and that of Set C", ("set", "ours", "x Set C", "paper"), rows)


if __name__ == "__main__":
    main()

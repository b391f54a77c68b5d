"""The experiments of 004: what lazy starts and batch finishes gain, beside the paper's numbers.

    python -m benchmarks.studies.omo [--seeds 5] [--first-seed 4] [--contention 1,1,1,0.606]

Tables 2 and 3 (slowstart), Figures 7 to 14 and Tables 6 and 7; the predictions of lazy starts; and how short
Set H can be. Means over seeds of the map times and of the order of the jobs; OMO's default prediction was
chosen on seeds 1 to 3, the first one reported is 4. `--contention`: how fast each map runs beside 0, 1, 2
and 3 others on its node; 1 gives every policy the same tasks. Fair has at most two maps on a node, on typed
slots, and these run at full speed.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.markdown import percent, print_table
from benchmarks.studies.omo_published import (
    GAINS,
    SCALES,
    SLOWSTART,
    TABLE_2,
    TABLE_3,
    TABLE_6,
    TABLE_7,
)
from benchmarks.studies.omo_setup import (
    ALWAYS_SLOW,
    SLOWSTARTS,
    Curve,
    Setup,
    drawn,
    how,
    mean,
    nodes_of,
    run,
)
from core.generate.omo import SETS
from core.measures.metrics import bound_of
from core.measures.release_rate import release_rates
from core.model.cluster import Cluster
from core.model.nodes import NodeGroup, Request, parse_contention
from core.model.schedule import PolicyChoice, Schedule
from core.model.workload import MAP, Job, Stage, Workload
from core.policies.overlap import PREDICTIONS
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable

SMALL_MAP, SMALL_REDUCE, SMALL_SHUFFLE = 12.0, 66.0, 30.0
"""Seconds of a task of the small Terasort of Tables 2 and 3."""

SIMPLE = ("TeraSort", "SequenceCount", "WordCount")
"""The benchmarks of Figures 10 to 13."""


def main() -> None:
    """Run everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=4)
    parser.add_argument("--contention", type=parse_contention, default="1,1,1,0.606")
    options = parser.parse_args()
    curve: Curve = options.contention

    def setups(name: str, contention: Curve = curve) -> list[Setup]:
        first: int = options.first_seed
        return [drawn(name, seed, contention) for seed in range(first, first + options.seeds)]

    slowstarts(curve)
    makespans(setups, curve)
    if curve != (1.0,):
        makespans(lambda name: setups(name, (1.0,)), (1.0,))
    for each in dict.fromkeys((curve, ALWAYS_SLOW, (1.0,))):
        predictions(setups, each)
    parts = (fair_by_slowstart, three_containers, phases, last_batches, release_prediction)
    for part in (*parts, yarn, large_cluster, scales, heavy_first):
        part(setups)


# ---- Tables 2 and 3


def slowstarts(contention: Curve) -> None:
    """Print the makespan of one and of three Terasort jobs by slowstart, on typed slots and on containers."""
    rows: list[tuple[str, ...]] = []
    for title, published, share in (("typed", TABLE_2, False), ("containers", TABLE_3, True)):
        for jobs, nodes in ((1, 2), (3, 10)):
            typed = Cluster(2 * nodes, 2 * nodes, shuffle_model="overlap")
            containers = nodes_of(NodeGroup(nodes, 4096, 4), Request(1024, 1), 1.0, contention)
            cluster = containers if share else typed
            ours = [
                run(terasort(jobs), replace(cluster, slowstart=slowstart), "fair").makespan
                for slowstart in SLOWSTART
            ]
            off = [percent(we / they - 1) for we, they in zip(ours, published[jobs], strict=True)]
            rows.append((f"{title}, {jobs} on {nodes} nodes", *(f"{seconds:.0f} s" for seconds in ours)))
            rows.append(("paper", *(f"{seconds} s" for seconds in published[jobs])))
            rows.append(("off by", *off))
    print_table(f"Tables 2 and 3, {how(contention)}", ("jobs", *map(str, SLOWSTART)), rows)


def terasort(jobs: int) -> Workload:
    """Return jobs of 80 maps and 4 reduces each."""
    times = np.random.default_rng(1).normal(SMALL_MAP, 0.1 * SMALL_MAP, (jobs, 80))
    reduces = Stage.of(4, SMALL_REDUCE, 0.1 * SMALL_SHUFFLE, SMALL_SHUFFLE)
    return Workload(
        "Terasort", tuple(Job(f"J{i + 1}", Stage.of(80, row), reduces) for i, row in enumerate(times))
    )


# ---- Figures 10 to 12


def makespans(setups: Callable[[str], list[Setup]], contention: Curve) -> None:
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
    columns = ("jobs", *policies, "lower bound")
    print_table(f"Figures 10 to 12: makespans, {how(contention)}", columns, lengths)
    columns = ("jobs", "FRESH to Fair-1", "Lazy to best Fair", "Lazy to FRESH", "Batch to FRESH")
    columns = (*columns, "OMO to best Fair", "OMO to FRESH")
    print_table(f"How much shorter, {how(contention)} (paper)", columns, gains)


def predictions(setups: Callable[..., list[Setup]], contention: Curve) -> None:
    """Print OMO's makespan by what its lazy starts predict, and how far each is from the best, all sets."""
    rows, found = [], []
    for name in SETS:
        drawn_sets = setups(name, contention)
        ours = [mean(s.omo(prediction=each).makespan for s in drawn_sets) for each in PREDICTIONS]
        found.append(np.array(ours) / min(ours) - 1)
        others = (
            mean(s.best_fair().makespan for s in drawn_sets),
            mean(s.fresh().makespan for s in drawn_sets),
        )
        rows.append((name, *(f"{seconds:.0f} s" for seconds in (*ours, *others))))
    over = np.array(found)
    rows.append(("mean over the best", *map(percent, over.mean(axis=0)), "", ""))
    rows.append(("most over the best", *map(percent, over.max(axis=0)), "", ""))
    print_table(f"OMO by prediction, {how(contention)}", ("jobs", *PREDICTIONS, "Fair, best", "FRESH"), rows)


def fair_by_slowstart(setups: Callable[[str], list[Setup]]) -> None:
    """Print Fair's makespan by slowstart, for the sets of Figures 10 and 12."""
    rows = [
        (
            name,
            *(f"{mean(setup.fair(each).makespan for setup in setups(name)):.0f} s" for each in SLOWSTARTS),
        )
        for name in (*SIMPLE, "A", "B")
    ]
    print_table("Figure 10: Fair by slowstart", ("jobs", *map(str, SLOWSTARTS)), rows)


def three_containers(setups: Callable[[str], list[Setup]]) -> None:
    """Print what the policies need if one container of four is never used."""
    rows = []
    for name in (*SIMPLE, "Classification", "A", "B"):
        drawn_sets = [replace(setup, each=3) for setup in setups(name)]
        ours = [
            mean(each(setup).makespan for setup in drawn_sets)
            for each in (Setup.fresh, Setup.lazy, Setup.omo)
        ]
        best = mean(setup.best_fair().makespan for setup in drawn_sets)
        rows.append((name, *(f"{seconds:.0f} s" for seconds in ours), percent(1 - min(ours) / best)))
    columns = ("jobs", "FRESH", "Lazy Start", "OMO", "the best to best Fair")
    print_table("Three containers of each node in use", columns, rows)


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
            percent(1 - maps[title] / maps["FRESH"]),
            f"{mean(s.shuffled.max() - s.stage_end.max() for s in schedules):.0f} s",
        )
        for title, schedules in found.items()
    ]
    print_table(
        "Figure 9: eight Terasort jobs",
        ("policy", "map phase", "shorter than Fair-1", "than FRESH", "shuffling after it"),
        rows,
    )
    shorter = mean(
        1 - setup.fresh().stage_end.max() / setup.fair(1.0).stage_end.max()
        for name in SIMPLE
        for setup in setups(name)
    )
    print_table(
        "Figure 13: FRESH's map phase, three benchmarks", ("shorter than Fair's",), [(percent(shorter),)]
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
        rows.append(
            (title, f"{least:.0f}", f"{median:.0f}", f"{most:.0f}", percent(float(np.mean(sizes < 5))))
        )
    print_table(
        "Figure 8: maps in the last batch of a job, Set A",
        ("policy", "least", "median", "most", "below 5"),
        rows,
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
        asks = Request(1024 * gigabytes, 2)
        cluster = nodes_of(NodeGroup(20, 40 * 1024, 8), asks, 0.05, drawn_sets[0].contention)
        ours = mean(run(setup.workload, cluster, "fair").makespan for setup in drawn_sets)
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


def heavy_first(setups: Callable[..., list[Setup]]) -> None:
    """Print Set H in the order of what a reduce shuffles, most first; every map of containers is slow."""
    drawn_sets = setups("H", ALWAYS_SLOW)
    found = [
        simulate(
            setup.workload,
            setup.containers(0.05),
            PolicyChoice("order"),
            order=[job.name for job in sorted(setup.workload.jobs, key=_light)],
            engine="compiled",
        )
        for setup in drawn_sets
    ]
    rows = [
        ("heavy shuffles first", f"{mean(s.makespan for s in found):.0f} s"),
        ("lower bound", f"{mean(map(bound_of, found)):.0f} s"),
        ("OMO, full-rate", f"{mean(s.omo(prediction='full-rate').makespan for s in drawn_sets):.0f} s"),
    ]
    print_table(f"Set H, {how(ALWAYS_SLOW)}", ("order", "makespan"), rows)
    bounds = [bound_of(setup.fresh()) for setup in setups("TeraSort", ALWAYS_SLOW)]
    fresh = mean(setup.fresh().makespan for setup in setups("TeraSort", ALWAYS_SLOW))
    rows = [("lower bound", f"{mean(bounds):.0f} s"), ("FRESH", f"{fresh:.0f} s")]
    print_table(f"Eight TeraSort jobs, {how(ALWAYS_SLOW)}", ("what", "makespan"), rows)


def _light(job: Job) -> float:
    """Return less the more each reduce shuffles."""
    return -(job.shuffle_bytes or 0.0) / job.reduces.count


if __name__ == "__main__":
    main()

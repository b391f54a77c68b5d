"""How near to a proved bound the search for the best schedule comes, beside FIFO, Johnson and BalancedPools.

    python -m benchmarks.optimize [--parts papers sizes ...] [--panels 10a ...] [--sizes 16 ...] [--seconds 3]

Every number in percent is how much longer than the lower bound. The parts: `papers` has the workloads of 000
and 002, `sizes` the same from another seed on the sizes between, `pools` five jobs of two sizes,
`arrivals` a hundred jobs that arrive, `containers`, `logs` real logs as if all their jobs were there at once
(from ../shared/traces, where they are), `large` a thousand jobs, `robust` plans made on guesses, `fewest`
slots by a time, `small` batches of so few tasks that all schedules are tried, `response` mean and weighted
response and tardiness beside what a prototype reached (with `--seconds 5 --clock processor`, five minutes),
`coming` the same goals where jobs arrive, `kinds` in containers and on nodes (with `--steps`, some minutes),
`fronts` plans between makespan and mean response (with `--seconds 2`, a minute and a half), `bounds` what
each bound adds to all others on 500 drawn workloads. All of it takes
an hour; `--parts papers --panels 12c --seconds 0.5 --no-pools` some seconds.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.markdown import percent, print_table
from benchmarks.optimize_arrivals import COMING, KINDS, gaps
from benchmarks.optimize_bounds import bounds
from benchmarks.optimize_fronts import fronts
from benchmarks.optimize_responses import CLOCKS, responses
from benchmarks.optimize_small import small
from benchmarks.workloads import PANELS as PAPER_PANELS
from benchmarks.workloads import arriving
from core.files.open_workload import open_workload
from core.files.samples import load_sample
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.levers import LEVERS
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize.bounds import refined_bound
from core.optimize.evaluate import makespans
from core.optimize.fewest_slots import fewest
from core.optimize.objectives import Robust
from core.optimize.search import SHORT_SLICE, Search, optimize
from core.optimize.short_searches import ShortSearches
from core.simulation.plan_front import front_goals
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.optimize.found import Found

PANELS = {**PAPER_PANELS, "dhfs": ("DHFS (002), 20 jobs", "dhfs", {})}
SIZES = (16, 32, 64, 128, 256, 512)
SIZES_BETWEEN = (20, 40, 50, 80, 100, 112, 144, 160, 180, 200, 224, 288, 320, 400, 800)
TRACES = Path("../shared/traces")
LOGS = ("hadoop-mapreduce/19-jobs.trace.json.gz", "hadoop-mapreduce/trace_10m.json.gz")
POLICIES = ("fifo", "sjf", "fair", "johnson", "edf-max")
NEAR = 0.05
PROVED = 1e-9
DRAWS = 16


@dataclass(frozen=True)
class Wishes:
    """What is asked for on the command line."""

    panels: Sequence[str]
    sizes: Sequence[int]
    seconds: float
    seed: int
    has_pools: bool
    steps: int | None = None
    clock: str = "wall"
    front: tuple[str, str] = ("makespan", "mean-response")
    jobs: Sequence[int] = (20, 100)

    @property
    def effort(self) -> dict[str, Any]:
        """Of each search: steps where they are given."""
        return {"seconds": self.seconds} if self.steps is None else {"steps": self.steps}

    def workload(self, panel: str, seed: int | None = None) -> Workload:
        """Return the workload of a panel."""
        _, family, parameters = PANELS[panel]
        return generate(family, seed=self.seed if seed is None else seed, parameters=parameters)


class Cell(NamedTuple):
    """One workload on one cluster: seconds of the bound, and how much longer each schedule is."""

    name: str
    bound: float
    gaps: dict[str, float]
    found: Found | None

    @property
    def row(self) -> list[str]:
        """The cell as a row of a table."""
        rate = "–"
        if self.found is not None:
            rate = f"{self.found.evaluations}, {self.found.how}"
        return [self.name, f"{self.bound:.0f}", *map(_gap, self.gaps.values()), rate]


def _gap(gap: float) -> str:
    if not np.isfinite(gap):
        return "–"
    return "proved" if gap <= PROVED else f"{100 * gap:.2f}"


def measured(
    name: str, workload: Workload, cluster: Cluster, wishes: Wishes, policies: Sequence[str]
) -> Cell:
    """Return what policies and the search reach on a cluster."""
    bound = refined_bound(workload, cluster).seconds
    seconds = {policy: simulate(workload, cluster, PolicyChoice(policy)).makespan for policy in policies}
    found = None
    for title, levers in (("order only", ("order",)), ("all levers", LEVERS)):
        try:
            found = optimize(workload, cluster, seconds=wishes.seconds, seed=wishes.seed, levers=levers)
        except InputError:  # the search does not know such a cluster
            seconds[title] = float("nan")
        else:
            seconds[title] = found.best
    return Cell(name, bound, {each: makespan / bound - 1 for each, makespan in seconds.items()}, found)


def print_cells(title: str, cells: Sequence[Cell]) -> None:
    """Print cells, and below them mean and largest, how many are near the bound, and how many meet it."""
    rows = [cell.row for cell in cells]
    columns = list(cells[0].gaps)
    gaps = np.array([[cell.gaps[column] for column in columns] for cell in cells])
    if len(cells) > 1:
        for name, values in (
            ("mean", [f"{100 * value:.3f}" for value in gaps.mean(axis=0)]),
            ("largest", [f"{100 * value:.2f}" for value in gaps.max(axis=0)]),
            ("under 5 %", [percent(value) for value in (gaps < NEAR).mean(axis=0)]),
            ("proved", [percent(value) for value in (gaps <= PROVED).mean(axis=0)]),
        ):
            rows.append([f"**{name}**", "", *values, ""])
    heads = [f"{column}, %" for column in columns]
    print_table(title, ["", "bound, s", *heads, "evaluations, found by"], rows)


def papers(wishes: Wishes) -> None:
    """Print the cells of the papers' workloads."""
    policies = ("fifo", "johnson", *["balanced-pools"] * wishes.has_pools)
    cells = [
        measured(f"{PANELS[panel][0]}, {size}+{size}", workload, _cluster(workload, size), wishes, policies)
        for panel in wishes.panels
        for workload in [wishes.workload(panel)]
        for size in wishes.sizes
    ]
    print_cells(f"The papers' workloads, seed {wishes.seed}, {wishes.seconds:g} s a search", cells)


def _cluster(workload: Workload, size: int) -> Cluster:
    return Cluster(size, size, workload.cluster.slowstart)


def sizes_between(wishes: Wishes) -> None:
    """Print the same from the next seed, on the sizes between those asked for."""
    sizes = [
        size for low, high in pairwise(sorted(wishes.sizes)) for size in SIZES_BETWEEN if low < size < high
    ]
    papers(replace(wishes, sizes=sizes or SIZES_BETWEEN, seed=wishes.seed + 1, has_pools=False))


def pools(wishes: Wishes) -> None:
    """Print five jobs of two sizes: where pools are better than any list of tasks."""
    workload = load_sample("five-jobs-pools")
    policies = ("fifo", "johnson", "balanced-pools")
    cells = [measured("30+30", workload, Cluster(30, 30, slowstart=1.0), wishes, policies)]
    print_cells("Five jobs of two sizes (000 Figure 9)", cells)


def arrivals(wishes: Wishes) -> None:
    """Print windows of a hundred jobs that arrive, of b of `benchmarks.workloads`."""
    jobs = arriving(300, 64).jobs
    cells = []
    for first in range(0, 300, 100):
        window = jobs[first : first + 100]
        begin = window[0].arrival
        moved = [replace(job, arrival=job.arrival - begin, deadline=None) for job in window]
        workload = Workload(f"jobs {first + 1} to {first + 100}", tuple(moved))
        cells.append(measured(workload.name, workload, Cluster(64, 64), wishes, POLICIES))
    print_cells("A hundred jobs that arrive, 64+64", cells)


def containers(wishes: Wishes) -> None:
    """Print the papers' workloads on untyped containers."""
    cells = [
        measured(
            f"{PANELS[panel][0]}, {size} containers",
            workload,
            Cluster(0, 0, workload.cluster.slowstart, containers=size),
            wishes,
            POLICIES,
        )
        for panel in wishes.panels
        for workload in [wishes.workload(panel)]
        for size in wishes.sizes
    ]
    print_cells("On containers", cells)


def logs(wishes: Wishes) -> None:
    """Print real logs, their jobs all there at once."""
    cells = []
    for name in LOGS:
        if not (TRACES / name).exists():
            print(f"\n{TRACES / name} is not there")
            continue
        read = open_workload(TRACES / name).workload
        workload = read.with_jobs(replace(job, arrival=0.0, deadline=None) for job in read.jobs)
        for size in wishes.sizes:
            label = f"{Path(name).name}, {size}+{size}"
            cells.append(measured(label, workload, Cluster(size, size), wishes, ("fifo", "johnson")))
    if cells:
        print_cells("Real logs as a batch", cells)


def large(wishes: Wishes) -> None:
    """Print how soon a thousand Facebook jobs are within 0.01 %, and how many plans are run in a second."""
    rows = []
    for name, family, parameters, size in (
        ("Facebook, 1000 jobs", "facebook", {"jobs": 1000}, 64),
        ("Facebook, 100 jobs", "facebook", {"jobs": 100}, 64),
        ("Synthetic1, 100 jobs", "synthetic1", {"jobs": 100}, 128),
        ("Synthetic2, 20 jobs", "synthetic2", {"jobs": 20}, 32),
        ("Synthetic1, 10 jobs", "synthetic1", {"jobs": 10}, 16),
    ):
        workload = generate(family, seed=wishes.seed, parameters=parameters)
        cluster = _cluster(workload, size)
        began = time.perf_counter()
        search = Search(workload, cluster, seed=wishes.seed)
        near, slice_ = None, 8
        while time.perf_counter() - began < wishes.seconds and not search.is_over:
            began_slice = time.perf_counter()
            found = search.advance(slice_)
            slice_ *= 1 + (time.perf_counter() - began_slice < SHORT_SLICE)
            if near is None and found.gap < 1e-4:
                near = time.perf_counter() - began
        taken = time.perf_counter() - began
        found = search.found
        reached = "–" if near is None else f"{near:.2f}"
        rows.append([name, f"{size}+{size}", _gap(found.gap), reached, f"{found.evaluations / taken:.0f}"])
    print_table("How fast", ["", "slots", "gap, %", "within 0.01 % after, s", "evaluations a second"], rows)


def robust(wishes: Wishes) -> None:
    """Print plans made on guesses, run on durations that differ: mean of some draws."""
    rows = []
    for panel, size in (("10b", 128), ("13c", 64), ("12a", 128)):
        if panel not in wishes.panels:
            continue
        workload = wishes.workload(panel)
        cluster = _cluster(workload, size)
        for sigma in (0.1, 0.3):
            truths = [noisy(workload, sigma, seed) for seed in range(DRAWS)]
            bounds = [refined_bound(truth, cluster).seconds for truth in truths]
            knew = [simulate(truth, cluster, PolicyChoice("johnson")).makespan for truth in truths]
            plans = [
                optimize(workload, cluster, seconds=wishes.seconds, seed=wishes.seed, **wish).plan
                for wish in (
                    {"levers": ("order",)},
                    {"levers": LEVERS},
                    {"levers": LEVERS, "robust": Robust(8, sigma)},
                )
            ]
            reached = np.array([makespans(truth, cluster, plans) for truth in truths]).T
            gaps = [fmean(each / np.array(bounds)) - 1 for each in (knew, *reached)]
            rows.append([f"{PANELS[panel][0]}, {size}+{size}", sigma, *map(_gap, gaps)])
    columns = ["", "sigma", "Johnson that knew, %", "order only, %", "all levers, %", "robust, %"]
    print_table(f"Planned on guesses, mean of {DRAWS} draws", columns, rows)


def noisy(workload: Workload, sigma: float, seed: int) -> Workload:
    """Return the workload with all durations times factors of which the logarithm has this deviation."""
    random = np.random.default_rng(seed)

    def drawn(stage: Stage) -> Stage:
        factors = random.lognormal(0, sigma, stage.count)
        times = stage.task_durations, stage.task_first_shuffle, stage.task_typical_shuffle
        return Stage.of(stage.count, *(each * factors for each in times)) if stage.count else stage

    return workload.with_jobs(
        replace(job, stages=(drawn(job.maps), drawn(job.reduces))) for job in workload.jobs
    )


def fewest_slots(wishes: Wishes) -> None:
    """Print with how few slots Facebook's jobs can end by 20 000 s."""
    workload = wishes.workload("13c")
    began = time.perf_counter()
    searches = ShortSearches(
        lambda jobs, cluster, start: Search(jobs, cluster, start=start, seed=wishes.seed),
        seconds=wishes.seconds,
    )
    known = fewest(workload, _cluster(workload, 64), 20_000.0, "both", searches)
    print(f"\n{known.sentence} ({time.perf_counter() - began:.1f} s)")


PARTS: dict[str, Callable[[Wishes], None]] = {
    "papers": papers,
    "sizes": sizes_between,
    "pools": pools,
    "arrivals": arrivals,
    "containers": containers,
    "logs": logs,
    "large": large,
    "robust": robust,
    "fewest": fewest_slots,
    "response": lambda wishes: responses(wishes.seed, wishes.effort, wishes.clock),
    "bounds": lambda wishes: bounds(wishes.seed),
    "coming": lambda wishes: gaps(COMING, wishes.seed, wishes.effort),
    "kinds": lambda wishes: gaps(KINDS, wishes.seed, wishes.effort),
    "fronts": lambda wishes: fronts(wishes.seed, wishes.effort, wishes.front, wishes.jobs),
    "small": lambda wishes: small(wishes.seed),
}


def main() -> None:
    """Measure and print Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--panels", nargs="+", choices=PANELS, default=list(PANELS))
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each search")
    parser.add_argument(
        "--steps",
        type=int,
        help="of each search of `response`, `coming`, `kinds` and `fronts`, the same on every machine",
    )
    parser.add_argument(
        "--clock",
        choices=CLOCKS,
        default="wall",
        help="what counts the seconds of `response`: those of processors are the same on a busy machine",
    )
    parser.add_argument(
        "--front", nargs=2, default=Wishes.front, metavar="GOAL", help="the two goals of `fronts`"
    )
    parser.add_argument("--jobs", nargs="+", type=int, default=Wishes.jobs, help="of each batch of `fronts`")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--no-pools", action="store_true", help="leave out BalancedPools, which takes longest"
    )
    options = parser.parse_args()
    given = options.panels, options.sizes, options.seconds, options.seed, not options.no_pools
    wishes = Wishes(*given, options.steps, options.clock, front_goals(options.front), options.jobs)
    for part in options.parts:
        PARTS[part](wishes)


if __name__ == "__main__":
    main()

"""How far the plans of shared scans are from the best order for sums that are searched, and what they cost.

    python -m benchmarks.scan_orders                             # 300 random cases of each metric and size
    python -m benchmarks.scan_orders --sizes 8 9 --cases 1000

A case has so many jobs alone, or so many subjobs in chains of up to three, all there at time 0, with random
deadlines, weights and service levels. The best order comes from a program of its own, over all sets of
subjobs that can be served first. A case whose best order costs nothing is above it by all or nothing, so
only the others are averaged.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.markdown import print_table
from core.engine import jit
from core.shared_scans import fluid_loop, plan_columns, priority_loop
from core.shared_scans.fluid import fresh_progress
from core.shared_scans.metric import METRICS, SEARCH, Penalties, ScanMetric
from core.shared_scans.scan_jobs import ScanJobs
from core.shared_scans.windows import boarding_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.shared_scans.plan_columns import Boarding, Progress

SLOTS = 10.0
SIZES = tuple(range(2, 13))
REPEATS = 3
SUMS = tuple(metric for metric in METRICS if metric.rule == SEARCH)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--cases", type=int, default=300)
    options = parser.parse_args()
    columns = (
        "metric",
        "size",
        "alone: optimal",
        "mean above",
        "most",
        "chains: optimal",
        "mean above",
        "most",
        "µs",
    )
    rows = [row_of(metric, size, options.cases) for metric in SUMS for size in options.sizes]
    print_table("Plans of searched sums beside the best order", columns, rows)


def row_of(metric: ScanMetric, size: int, cases: int) -> Sequence[object]:
    """Return a row of the table."""
    parts, seconds = [], 0.0
    for longest in (1, 3):
        above, took = zip(*(measured(metric, size, longest, seed) for seed in range(cases)), strict=True)
        costly = [each for each in above if each is not None]
        optimal = sum(each <= 1e-9 for each in costly) + len(above) - len(costly)
        parts += [f"{optimal} of {cases}", f"{100 * np.mean(costly):.2f} %", f"{100 * max(costly):.1f} %"]
        seconds += sum(took)
    return metric.title, size, *parts, f"{1e6 * seconds / 2 / cases:.1f}"


def measured(metric: ScanMetric, size: int, longest: int, seed: int) -> tuple[float | None, float]:
    """Return by which part a plan costs more than the best, None where both cost nothing; and seconds."""
    jobs, chain = random_case(size, longest, seed)
    boarding, progress = on_board(jobs, chain, metric)
    began = time.perf_counter()
    for _ in range(REPEATS):
        progress.order[:] = np.arange(size)
        put_in_order()(boarding, progress, size, 0.0, SLOTS, SEARCH)
    took = (time.perf_counter() - began) / REPEATS
    served = progress.active[progress.order]
    finish = np.empty(size)
    finish[served] = np.cumsum(progress.work[served]) / SLOTS
    cost, least = metric.value(jobs, SLOTS, finish) * size, least_cost(jobs, chain, progress.work, metric)
    if least <= 0:
        return (None if cost <= 1e-9 else float("inf")), took
    return cost / least - 1, took


def random_case(size: int, longest: int, seed: int) -> tuple[ScanJobs, list[int]]:
    """Return jobs, and the chain of each; job by job in the order of their chains."""
    source = random.Random(f"{size} {longest} {seed}")
    chain: list[int] = []
    while len(chain) < size:
        links = min(source.randint(1, longest), size - len(chain))
        chain += [chain[-1] + 1 if chain else 0] * links
    work = [float(source.randint(1, 20)) for _ in chain]
    span = 2 * sum(work) / SLOTS * source.choice((0.1, 0.4, 0.7))
    jobs = ScanJobs.of(
        np.zeros(size),
        chain,
        work,
        weight=[source.choice((1.0, 2.0, 4.0, 8.0)) for _ in chain],
        deadline=[source.uniform(0.01, span) for _ in chain],
        steps=[
            tuple(zip(sorted(source.uniform(0.01, span) for _ in "123"), (1.0, 3.0, 9.0), strict=True))
            for _ in chain
        ],
    )
    return jobs, chain


def on_board(jobs: ScanJobs, chain: list[int], metric: ScanMetric) -> tuple[Boarding, Progress]:
    """Return the columns of a plan whose subjobs have the jobs' work."""
    boarding = boarding_of(jobs, SLOTS, metric, np.array(chain))
    progress = fresh_progress(len(chain), 0)
    for i in range(len(chain)):
        fluid_loop.board(boarding, progress, i, i)
        behind = i > 0 and chain[i] == chain[i - 1]
        progress.remaining[i] = jobs.work[i] + (progress.remaining[i - 1] if behind else 0.0)
    fluid_loop.form_subjobs(boarding, progress, len(chain))
    return boarding, progress


@jit.Kept
def put_in_order() -> jit.Kernel:
    """Return the compiled rule."""
    return jit.compiled(jit.named_by_sources(priority_loop.put_in_order, priority_loop, plan_columns))


def least_cost(jobs: ScanJobs, chain: list[int], work: NDArray[np.float64], metric: ScanMetric) -> float:
    """Return the cost of the best order: of each set served first the least, whichever of it comes last."""
    size = len(chain)
    sets = np.arange(1 << size)
    has = sets[:, None] >> np.arange(size) & 1 == 1
    ends = has @ work / SLOTS
    least = np.full(len(sets), np.inf)
    least[0] = 0.0
    costs = [costs_at(metric.penalties(jobs, SLOTS), job, ends) for job in range(size)]
    for count in range(1, size + 1):
        for job in range(size):
            before = has[:, job - 1] if job > 0 and chain[job - 1] == chain[job] else True
            chosen = np.flatnonzero((has.sum(axis=1) == count) & has[:, job] & before)
            with_job_last = least[chosen ^ (1 << job)] + costs[job][chosen]
            least[chosen] = np.minimum(least[chosen], with_job_last)
    return float(least[-1])


def costs_at(penalties: Penalties, job: int, ends: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what a job costs that ends at these times."""
    own = penalties.step_job == job
    passed = ends[:, None] > penalties.step_time[own]
    late = np.maximum(ends - penalties.due[job], penalties.floor[job])
    costs: NDArray[np.float64] = penalties.factor[job] * (late + passed @ penalties.step_cost[own])
    return costs


if __name__ == "__main__":
    main()

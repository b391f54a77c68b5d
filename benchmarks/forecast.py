"""How often the bands of forecasts hold: real logs, cut at 25, 50 and 75 % of their time.

    python -m benchmarks.forecast [--runs 100] [--policy fifo] [--record]

At each cut only what has ended by then is known, and nothing of the other durations. Counted are the ends of
jobs that are open then, of those the ones that lie inside their bands. The truth is the log itself with
`--record`, where only jobs that have come by then count; else a simulation of the log on its cluster under
one policy. The logs of ../shared/traces that have tasks are in two halves, by a hash of their names; runs of
one application are in one. What is chosen was chosen by the first half, so that the second is the figure.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.fidelity.history_schedule import recorded_schedule
from core.files.open_workload import open_workload
from core.forecast.forecast import forecast
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.policies.spark import policy_of_log
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from numpy.typing import NDArray

TRACES = Path(__file__).resolve().parents[2] / "shared" / "traces"
FOLDERS = (
    "hadoop-mapreduce",
    "hadoop-common",
    "posum",
    "spark-rapids-tools",
    "sparklens",
    "dr-elephant",
    "hops",
)
OWN_APPLICATIONS = "spark-truth"
"""Runs of applications of ours on a real Spark: against a simulation they would say nothing new."""
RUN_ON = re.compile(r"-N\d+\.eventlog\.gz\Z")
"""What the names of runs of one application differ by."""
CUTS = (0.25, 0.5, 0.75)
HALVES = ("chosen by", "**not seen**")


def main() -> None:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=100, help="draws of each forecast")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only one half: 0 for that which chose")
    parser.add_argument("--policy", help="the policy that runs (default: fifo, of a record that of the log)")
    parser.add_argument("--record", action="store_true", help="forecast what really ran, not a simulation")
    options = parser.parse_args()
    if not TRACES.is_dir():
        print(f"There are no real logs: {TRACES} is not there.")
        return
    found: dict[tuple[int, float], list[tuple[float, ...]]] = defaultdict(list)
    for folder in (*FOLDERS, *[OWN_APPLICATIONS] * options.record):
        for path in sorted((TRACES / folder).iterdir()):
            half = hashlib.sha256(RUN_ON.sub("", path.name).encode()).digest()[0] % 2
            if options.half is not None and half != options.half:
                continue
            for cut, rows in _judged(path, options.policy, options.runs, is_record=options.record).items():
                found[half, cut] += rows
    print("| logs | cut at | ends | in 50 % | in 90 % | last end in 90 % | width of 90 % |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for half, name in enumerate(HALVES):
        for cuts in (*((cut,) for cut in CUTS), CUTS):
            rows = [row for cut in cuts for row in found[half, cut]]
            named = f"{cuts[0]:.0%}" if len(cuts) == 1 else "all"
            print(f"| {name} | {named} | {_summary(np.array(rows))} |")


def _judged(
    path: Path, policy: str | None, runs: int, *, is_record: bool
) -> dict[float, list[tuple[float, ...]]]:
    """Return of each cut and open job whether its end lies in the bands, and the width of the wider one."""
    try:
        opened = open_workload(path)
        workload, choice = opened.workload, PolicyChoice(policy or "fifo")
        if is_record:
            schedule = recorded_schedule(workload)
            choice = PolicyChoice(policy or policy_of_log(opened.scheduler))
        else:
            schedule = simulate(workload, workload.cluster, choice)
    except (InputError, OSError):
        return {}  # no log, or one of jobs without tasks
    if schedule.tasks < 20:
        return {}
    judged = {}
    for cut in CUTS:
        time = cut * schedule.makespan
        try:
            found = forecast(schedule, time, policy=choice if is_record else None, runs=runs)
        except InputError:
            continue
        is_open = ~found.known.job_has_ended
        if is_record:
            is_open &= schedule.arrival <= time
        if not is_open.any():
            continue
        inside = []
        for part in (0.5, 0.9):
            low, high = found.band(part)
            inside.append(((low <= schedule.finish) & (schedule.finish <= high))[is_open])
        width = ((high - low) / (schedule.finish - time))[is_open]
        least, most = found.makespan_band(0.9)
        last = [float(least <= schedule.makespan <= most)] + [np.nan] * (int(is_open.sum()) - 1)
        judged[cut] = list(zip(*inside, last, width, strict=True))
        print(
            f"<!-- {path.parent.name}/{path.name} {cut:.0%}: {is_open.sum()} open, "
            f"{inside[0].mean():.2f} {inside[1].mean():.2f} {last[0]:.0f} {np.median(width):.2f} -->",
            flush=True,
        )
    return judged


def _summary(rows: NDArray[np.float64]) -> str:
    """Return how many ends there are, how many of them lie in the bands, and the middle of the widths."""
    if not len(rows):
        return "0 | | | |"
    half, most, last = (np.nanmean(rows[:, k]) for k in range(3))
    return f"{len(rows)} | {half:.0%} | {most:.0%} | {last:.0%} | {np.median(rows[:, 3]):.2f}"


if __name__ == "__main__":
    main()

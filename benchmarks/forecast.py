"""How often the bands of forecasts hold: real logs, cut at 25, 50 and 75 % of their time, or of their bytes.

    python -m benchmarks.forecast [--runs 100] [--policy fifo] [--record | --unfinished | --drawn]

At each cut only what has ended by then is known, and nothing of the other durations. Counted are the ends of
jobs that are open then, of those the ones that lie inside their bands. The truth is the log itself with
`--record`, where only jobs that have come by then count; else a simulation of the log on its cluster under
one policy. With `--unfinished` logs of Spark and of Hadoop are cut at parts of their bytes, as if they were
still being written; each opens with its end as now, and what the whole log then shows is the truth.

With `--drawn` the times are drawn from the very model that draws forecasts, so that bands of 50 and 90 % hold
that much unless something is counted twice; no log is needed.

The logs of ../shared/traces that have tasks are in two halves, by a hash of their names; runs of one
application are in one. What is chosen was chosen by the first half, so that the second is the figure.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import re
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from core.fidelity.history_schedule import recorded_schedule
from core.files.open_workload import open_workload
from core.forecast.forecast import forecast
from core.forecast.known import KnownColumn
from core.forecast.unknown_times import (
    MEAN_SPREAD,
    PRIOR_STAGES,
    PRIOR_TASKS,
    STAGE_SPREAD,
    TAIL,
    TASK_SPREAD,
    UnknownTimes,
    no_guesses,
)
from core.logs.open_log import open_trace
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.model.under_way import now_of
from core.policies.spark import policy_of_log
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.logs.open_log import Imported
    from core.model.schedule import Schedule

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
IS_WRITTEN_ON = (b"SparkListener", b'JOBID="', b"Avro-Json")
"""What logs say that are written while their jobs run."""
KNOWN, TASKS = (12, 12, 8, 5, 3, 1, 0, 0), 12
"""Of each stage of a night that is drawn how many tasks have ended, and how many it has."""
DRAWN_NIGHTS = 400
DEFAULT_LOG = 3.0
"""Logarithm of the seconds that a task of it takes in the middle."""
MIN_LEFT = 1e-3
"""Seconds; clocks differ, so that a job may have ended by now."""
CUTS = (0.25, 0.5, 0.75)
HALVES = ("chosen by", "**not seen**")


def main() -> None:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=100, help="draws of each forecast")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only one half: 0 for that which chose")
    parser.add_argument("--policy", help="the policy that runs (default: fifo, of a record that of the log)")
    parser.add_argument("--record", action="store_true", help="forecast what really ran, not a simulation")
    parser.add_argument("--unfinished", action="store_true", help="cut the files, and open what is left")
    parser.add_argument("--drawn", action="store_true", help="hold the model against what it draws itself")
    options = parser.parse_args()
    if options.drawn:
        _print_drawn()
        return
    if not TRACES.is_dir():
        print(f"There are no real logs: {TRACES} is not there.")
        return
    found: dict[tuple[int, float], list[tuple[float, ...]]] = defaultdict(list)
    is_real = options.record or options.unfinished
    for folder in (*FOLDERS, *[OWN_APPLICATIONS] * is_real):
        for path in sorted((TRACES / folder).iterdir()):
            half = hashlib.sha256(RUN_ON.sub("", path.name).encode()).digest()[0] % 2
            if options.half is not None and half != options.half:
                continue
            if options.unfinished:
                judged = _judged_unfinished(path, options.policy, options.runs)
            else:
                judged = _judged(path, options.policy, options.runs, is_record=options.record)
            for cut, rows in judged.items():
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


def _print_drawn() -> None:
    """Draw stages of 12 tasks, and count the sums of unknown times that lie in the bands of what is drawn."""
    print("| known of its stage | stages | in 50 % | in 90 % |")
    print("| --- | --- | --- | --- |")
    places = np.array([_places_of_truth(seed) for seed in range(DRAWN_NIGHTS)])
    for stage, known in enumerate(KNOWN):
        if known < TASKS:
            part = np.abs(places[:, stage] - 0.5)
            half, most = ((part < each / 2).mean() for each in (0.5, 0.9))
            print(f"| {known} of {TASKS} | {len(places)} | {half:.0%} | {most:.0%} |")


def _places_of_truth(seed: int) -> NDArray[np.float64]:
    """Return in which part of the draws less is left of each stage of a night than there is, (stages,)."""
    random, stages = np.random.default_rng(seed), len(KNOWN)
    between = PRIOR_STAGES * STAGE_SPREAD**2 / random.chisquare(PRIOR_STAGES)
    common = DEFAULT_LOG + MEAN_SPREAD * random.standard_normal()
    wide = np.sqrt(between * TAIL / random.chisquare(TAIL, stages))
    mean = common + wide * random.standard_normal(stages)
    spread = TASK_SPREAD * np.sqrt(PRIOR_TASKS / random.chisquare(PRIOR_TASKS, stages))
    stage = np.repeat(np.arange(stages, dtype=np.int32), TASKS)
    seconds = np.exp(mean[stage] + spread[stage] * random.standard_normal(len(stage)))
    is_known = np.arange(len(stage)) % TASKS < np.array(KNOWN)[stage]
    none = np.zeros(len(stage), bool)
    column = KnownColumn(is_known, seconds, none, np.zeros(len(stage)))
    drawn = UnknownTimes(column, stage, np.zeros(stages, np.int8), no_guesses(stages), random)

    def left(times: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(stage, np.where(is_known, 0.0, times), stages).astype(np.float64)

    places: NDArray[np.float64] = np.mean([left(drawn.draw()) < left(seconds) for _ in range(99)], axis=0)
    return places


def _judged_unfinished(path: Path, policy: str | None, runs: int) -> dict[float, list[tuple[float, ...]]]:
    """Return the same of a file that is cut; jobs that have not been submitted by then are not counted."""
    data = path.read_bytes()
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    if not any(mark in data[:20_000] for mark in IS_WRITTEN_ON):
        return {}
    judged = {}
    with suppress(InputError), TemporaryDirectory() as folder:
        whole = open_trace([path])
        truth = recorded_schedule(whole.workload)
        if truth.tasks < 20:
            return {}
        part = Path(folder) / path.name.removesuffix(".gz")
        for cut in CUTS:
            part.write_bytes(data[: int(len(data) * cut)])
            with suppress(InputError):
                rows = _of_part(open_trace([part]), whole, truth, policy, runs)
                if rows:
                    judged[cut] = rows
                    half, most = np.array(rows)[:, :2].mean(axis=0)
                    print(
                        f"<!-- {path.name} {cut:.0%}: {len(rows)} open, {half:.2f} {most:.2f} -->", flush=True
                    )
    return judged


def _of_part(
    part: Imported, whole: Imported, truth: Schedule, policy: str | None, runs: int
) -> list[tuple[float, ...]]:
    """Return of each job that is open where a part of a log ends whether its end lies in the bands."""
    now = now_of(part.workload)
    if now is None:
        return []
    choice = PolicyChoice(policy or policy_of_log(part.report.scheduler))
    found = forecast(recorded_schedule(part.workload), now, policy=choice, runs=runs)
    later = (part.report.started - whole.report.started) / 1000
    place = truth.workload.job_index
    rows: list[tuple[float, ...]] = []
    bands = [found.band(each) for each in (0.5, 0.9)]
    for j in found.open_jobs:
        name = found.known.schedule.workload.jobs[j].name
        if name in place:
            end = float(truth.finish[place[name]]) - later
            inside = [float(low[j] <= end <= high[j]) for low, high in bands]
            width = (bands[1][1][j] - bands[1][0][j]) / max(end - now, MIN_LEFT)
            rows.append((*inside, np.nan, width))
    return rows


def _summary(rows: NDArray[np.float64]) -> str:
    """Return how many ends there are, how many of them lie in the bands, and the middle of the widths."""
    if not len(rows):
        return "0 | | | |"
    half, most = (rows[:, k].mean() for k in range(2))
    known = rows[~np.isnan(rows[:, 2]), 2]
    last = f"{known.mean():.0%}" if len(known) else ""
    return f"{len(rows)} | {half:.0%} | {most:.0%} | {last} | {np.median(rows[:, 3]):.2f}"


if __name__ == "__main__":
    main()

"""What planning anew is worth where durations are guesses, by paired draws with intervals.

    python -m benchmarks.rolling [--draws 20] [--errors 0.1,0.3] [--only facebook] [--kept FILE]

Compared on the same guesses: a plan made once (with all levers that a plan from a time on has), the plan
that is best in the mean of noisy copies (robust), the policy `rolling`, which plans anew at arrivals, so
often on the way as well, and when nodes fail, and FIFO, Fair and the shortest job first by the guesses, which
need no plan. Plans are searched for the makespan, so many steps each, no clock: the same numbers on every
machine. The plan made once has as many steps as the first plan and those on the way together, so that what
planning anew wins is what it knows, not how long it searched. Plans made once know when jobs will arrive;
rolling does not. Errors are log-normal factors of mean 1, one for each job or each task; draw k has seed k,
of the errors and, in the families, of the jobs.

Printed are differences of makespans from the plan made once on the same draw, in percent of that, as mean ±
half of the 95 % interval over the draws (t distribution), and of planning anew whether it pays: "yes" if the
whole interval is below 0, "no" if a gain of half a percent lies outside it, else "?": it cannot be told.
In the second table two of eight nodes fail at a fifth of the plan's makespan, one of them is back at its
half, and a third one fails at three fifths; nobody knows before.

With --kept what has been measured is kept in a file, a line for each draw, and not measured again.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import t as student

from core.files.open_workload import open_workload
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.estimates import DurationEstimates
from core.model.node_events import NodeEvent, NodeEvents
from core.model.schedule import PolicyChoice
from core.optimize.objectives import Robust
from core.optimize.search import optimize
from core.planning.estimated_workload import estimated_workload
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.model.plan import Plan
    from core.model.workload import Workload

    Makespans = Mapping[str, float]

TRACES = Path(__file__).resolve().parents[2] / "shared" / "traces"
FAMILIES: dict[str, dict[str, int]] = {
    "facebook": {"jobs": 50, "map_slots": 64, "reduce_slots": 64},
    "synthetic1": {"jobs": 50},
    "synthetic2": {"jobs": 50},
}
LOGS = {
    "hadoop-mapreduce/19-jobs.trace.json.gz": Cluster(400, 400),
    "posum/jobs_history.jsonl": None,
    "swim/FB-2009_samples_24_times_1hr_0_first50jobs.tsv": Cluster(2, 2),
}
"""Real logs, and a cluster where on the suggested one a single job would decide, or none would wait."""
FIRST_JOBS = 25
"""So many jobs of a log are taken, those that come first."""
LEVERS = ("order", "slowstart", "tasks", "across")
FAMILY_STEPS, LOG_STEPS, PLANS = 200, 100, 4
"""Steps of the search for each plan: up to 20 jobs are there at once in the logs, and 50 in the families."""
ROBUST_STEPS, ROBUST_DRAWS = 40, 5
"""From the plan made once on, each on eight copies; of so many draws, since that takes longest."""
ONCE, ROBUST, SECONDS = "plan once", "robust", "CPU s"
OFTEN = f"and {PLANS} times"
CALM = {"at arrivals": ("arrivals", 0), OFTEN: ("arrivals", PLANS)}
FAILING = {"at arrivals": ("arrivals", 0), "and at failures": ("both", 0)}
ONLINE = {"FIFO": "fifo", "Fair": "fair", "shortest first": "sjf"}
NODES = 8
HAPPEN = NodeEvent(0.2, 1), NodeEvent(0.2, 2), NodeEvent(0.5, 1, "returns"), NodeEvent(0.6, 5)
"""What happens; times are parts of the makespan of the plan made once."""
WORTH_IT = 0.5
"""Percent: a smaller gain is none."""


def main() -> None:
    """Measure and print two tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--draws", type=int, default=20, help="of each row")
    parser.add_argument("--errors", default="0.1,0.3", help="standard deviations of the factors")
    parser.add_argument("--only", default="", help="a part of the names of what is measured")
    parser.add_argument("--kept", type=Path, help="a file of what has been measured")
    options = parser.parse_args()
    lines = options.kept.read_text().splitlines() if options.kept and options.kept.is_file() else []
    measured: dict[tuple[str, str, float, int], tuple[Makespans, Makespans]] = {
        tuple(key): tuple(values) for key, values in map(json.loads, lines)
    }
    names = [name for name in FAMILIES if options.only in name]
    names += [name for name in LOGS if options.only in name and (TRACES / name).is_file()]
    errors = [float(error) for error in options.errors.split(",")]
    rows = [(name, per, error) for name in names for per in ("job", "task") for error in errors]
    for seed in range(1, options.draws + 1):
        for row in rows:
            if (*row, seed) not in measured:
                measured[*row, seed] = values = _measured(*row, seed)
                if options.kept:
                    with options.kept.open("a") as file:
                        print(json.dumps([[*row, seed], values]), file=file)
    seeds = range(1, options.draws + 1)
    for table in (0, 1):
        _print_table({row: [measured[*row, seed][table] for seed in seeds] for row in rows})


def _drawn(name: str, seed: int) -> tuple[Workload, Cluster]:
    if name in FAMILIES:
        workload = generate(name, seed=seed, parameters=FAMILIES[name])
        return workload, workload.cluster
    workload = open_workload(TRACES / name).workload
    workload = workload.with_jobs(workload.jobs[:FIRST_JOBS])
    return workload, LOGS[name] or workload.cluster


def _measured(name: str, per: str, error: float, seed: int) -> tuple[Makespans, Makespans]:
    """Return the makespans of a draw by name, in seconds: where nothing happens, and where nodes fail."""
    workload, cluster = _drawn(name, seed)
    estimates = DurationEstimates(error, per, seed)
    told = estimated_workload(workload, estimates)
    steps = FAMILY_STEPS if name in FAMILIES else LOG_STEPS
    once = optimize(told, cluster, steps=steps * (1 + PLANS), levers=LEVERS)
    plans = {ONCE: once.plan}
    if seed <= ROBUST_DRAWS:
        guesses = Robust(sigma=error, per=per)
        robust = optimize(told, cluster, steps=ROBUST_STEPS, levers=LEVERS, robust=guesses, start=once.plan)
        plans[ROBUST] = robust.plan
    happen = tuple(replace(event, time=event.time * once.best) for event in HAPPEN)
    failing = replace(cluster, events=NodeEvents(NODES, happen))
    given = estimates, plans, steps, once.best
    return (
        _compared(workload, cluster, CALM, *given),
        _compared(workload, failing, FAILING, *given),
    )


def _compared(
    workload: Workload,
    cluster: Cluster,
    anew: Mapping[str, tuple[str, int]],
    estimates: DurationEstimates,
    plans: Mapping[str, Plan],
    steps: int,
    planned: float,
) -> Makespans:
    """Return makespans by name, s, and for how long a processor was busy with the last way to plan anew.

    Parameters
    ----------
    anew : at what plans are made anew, and how often besides, by name
    plans : made before the run, by name
    steps : of the search for each new plan
    planned : the makespan of the plan made once by what it believes, s
    """

    def run(policy: str, plan: Plan | None = None, **parameters: str | float) -> float:
        choice = PolicyChoice(policy, parameters, estimates)
        schedule = simulate(workload, cluster, choice, plan=plan, engine="compiled")
        return round(schedule.makespan, 3)

    found = {name: run("critical", plan) for name, plan in plans.items()}
    levers, took = ",".join(LEVERS), 0.0
    for name, (at, times) in anew.items():
        begun = time.process_time()
        every = planned / times if times else 0.0
        found[name] = run("rolling", at=at, every=every, steps=steps, levers=levers)
        took = time.process_time() - begun
    return {**found, **{name: run(policy) for name, policy in ONLINE.items()}, SECONDS: round(took, 2)}


def _print_table(found: Mapping[tuple[str, str, float], list[Makespans]]) -> None:
    names = [name for name in next(iter(found.values()))[0] if name not in (ONCE, SECONDS)]
    names.sort(key=(ROBUST, *FAILING, *CALM, *ONLINE).index)
    anew = [name for name in names if name not in (ROBUST, *ONLINE)]
    print(f"| jobs | error | draws | {' | '.join(names)} | {SECONDS} | pays |")
    print("| --- " * (len(names) + 5) + "|")
    for (name, per, error), draws in found.items():
        each = {
            way: _interval(np.array([100 * draw[way] / draw[ONCE] - 100 for draw in draws if way in draw]))
            for way in names
        }
        cells = [f"{mean:+.1f} ± {half:.1f}" for mean, half in each.values()]
        took = float(np.mean([draw[SECONDS] for draw in draws]))
        jobs = name.rpartition("/")[2].partition(".")[0]
        says = ", ".join(_pays(*each[way]) for way in anew)
        about = f"{jobs} | {error:.0%} per {per} | {len(draws)}"
        print(f"| {about} | {' | '.join(cells)} | {took:.1f} | {says} |")


def _interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean, and half of its 95 % interval; infinity for a single draw."""
    if len(values) < 2:
        return float(values.mean()), np.inf
    half = student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean()), float(half)


def _pays(mean: float, half: float) -> str:
    if mean + half < 0:
        return "yes"
    return "no" if mean - half > -WORTH_IT else "?"


if __name__ == "__main__":
    main()

"""What planning anew is worth where durations are guesses: one table of plans and online policies.

    python -m benchmarks.rolling [--seeds 5] [--jobs 20] [--errors 0.1,0.3] [--only facebook] [--failures]

Compared on the same guesses: a plan made once (with all levers that a plan from a time on has), the plan
that is best in the mean of noisy copies (robust), the policy `rolling`, which plans anew at arrivals, ten
times on the way, and at both, and FIFO, Fair and the shortest job first by the guesses, which need no plan.
Plans are searched for the makespan, so many steps each, no clock: the same numbers on every machine. Plans
made once know when jobs will arrive; rolling does not. Errors are log-normal factors of mean 1, one for each
job or each task, with another seed each time; jobs of the families are drawn anew, too. Printed are makespans
in percent of that of the plan made once, as mean ± half of the 95 % interval over the seeds (t distribution).
With --failures two of eight nodes fail at a fifth of the plan's makespan, one of them is back at its half,
and a third one fails at three fifths; nobody knows before, and `rolling` plans anew then, too.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
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

    from core.model.parameters import ParameterValue
    from core.model.plan import Plan
    from core.model.workload import Workload

TRACES = Path(__file__).resolve().parents[2] / "shared" / "traces"
FAMILIES = ("facebook", "synthetic1", "synthetic2")
LOGS = {
    "hadoop-mapreduce/19-jobs.trace.json.gz": Cluster(400, 400),
    "posum/jobs_history.jsonl": None,
    "swim/FB-2009_samples_24_times_1hr_0_first50jobs.tsv": None,
}
"""Real logs, and another cluster than the suggested one, on which nothing would have to wait."""
LEVERS = ("order", "slowstart", "tasks", "across")
STEPS, PLANS = 200, 10
ANEW = {"at arrivals": ("arrivals", 0), "at failures": ("failures", 0), "ten times": ("times", PLANS)}
ALL = {"all": ("both", PLANS)}
ONLINE = {"FIFO": "fifo", "Fair": "fair", "shortest first": "sjf"}
TOOK = "of a run, s"
NODES = 8
HAPPEN = NodeEvent(0.2, 1), NodeEvent(0.2, 2), NodeEvent(0.5, 1, "returns"), NodeEvent(0.6, 5)
"""What happens; times are parts of the makespan of the plan made once."""


def main() -> None:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5, help="draws of each row")
    parser.add_argument("--jobs", type=int, default=20, help="of the families")
    parser.add_argument("--errors", default="0.1,0.3", help="standard deviations of the factors")
    parser.add_argument("--only", default="", help="a part of the names of what is measured")
    parser.add_argument("--failures", action="store_true", help="nodes fail")
    options = parser.parse_args()
    errors = [float(error) for error in options.errors.split(",")]
    found: dict[tuple[str, str, float], list[dict[str, float]]] = defaultdict(list)
    for seed in range(1, options.seeds + 1):
        for name in (*FAMILIES, *LOGS):
            if options.only not in name or (name in LOGS and not (TRACES / name).is_file()):
                continue
            workload, cluster = _drawn(name, seed, options.jobs)
            for per in ("job", "task"):
                for error in errors:
                    row = _compared(workload, cluster, DurationEstimates(error, per, seed), options.failures)
                    found[name, per, error].append(row)
                    print(f"<!-- {name} {per} {error} {seed}: {row} -->", flush=True)
    _print_table(found)


def _drawn(name: str, seed: int, jobs: int) -> tuple[Workload, Cluster]:
    if name in FAMILIES:
        workload = generate(name, seed=seed, parameters={"jobs": jobs})
        return workload, workload.cluster
    workload = open_workload(TRACES / name).workload
    return workload, LOGS[name] or workload.cluster


def _compared(
    workload: Workload, cluster: Cluster, estimates: DurationEstimates, fails: bool
) -> dict[str, float]:
    """Return the makespans, in seconds, by name, and how long it took to plan anew at all times."""
    told = estimated_workload(workload, estimates)
    once = optimize(told, cluster, steps=STEPS, levers=LEVERS)
    guesses = Robust(sigma=estimates.error, per=estimates.per)
    robust = optimize(told, cluster, steps=STEPS, levers=LEVERS, robust=guesses)
    if fails:
        happen = tuple(replace(event, time=event.time * once.best) for event in HAPPEN)
        cluster = replace(cluster, events=NodeEvents(NODES, happen))

    def run(policy: str, plan: Plan | None = None, **parameters: ParameterValue) -> float:
        choice = PolicyChoice(policy, parameters, estimates)
        return round(simulate(workload, cluster, choice, plan=plan).makespan, 3)

    found = {"plan once": run("critical", once.plan), "robust": run("critical", robust.plan)}
    for name, (at, plans) in (ANEW | ALL).items():
        if fails or at != "failures":
            every, begun = once.best / plans if plans else 0.0, time.monotonic()
            found[name] = run("rolling", None, at=at, every=every, steps=STEPS, levers=",".join(LEVERS))
            took = time.monotonic() - begun
    return {**found, **{name: run(policy) for name, policy in ONLINE.items()}, TOOK: round(took, 1)}


def _print_table(found: Mapping[tuple[str, str, float], list[dict[str, float]]]) -> None:
    names = [name for name in next(iter(found.values()))[0] if name not in ("plan once", TOOK)]
    print(f"| jobs | error | {' | '.join(names)} | {TOOK} |")
    print("| --- " * (len(names) + 3) + "|")
    for (name, per, error), rows in found.items():
        once = np.array([row["plan once"] for row in rows])
        cells = [_interval(100 * np.array([row[each] for row in rows]) / once) for each in names]
        jobs = name.rpartition("/")[2].partition(".")[0]
        took = np.median([row[TOOK] for row in rows])
        print(f"| {jobs} | {error:.0%} per {per} | {' | '.join(cells)} | {took:.0f} |")


def _interval(values: np.ndarray) -> str:
    """Return mean ± half of the 95 % interval, in percent."""
    if len(values) < 2:
        return f"{values.mean():.1f}"
    half = student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():.1f} ± {half:.1f}"


if __name__ == "__main__":
    main()

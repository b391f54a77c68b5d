"""Digests of schedules that version 0.2.0 made, before jobs were graphs: MapReduce stays bit for bit.

    python -m tests.core.engine.golden_schedules

writes them with the code that it finds. What is committed was written by this file in a clone of version
0.2.0 (commit e601cde2), so that it is not made by the code that it judges; it is never written anew.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.files.samples import load_sample
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.errors import InputError, StalledError
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from core.model.workload import Workload

GOLDEN = Path(__file__).with_suffix(".json")
COLUMNS = ("slot", "sequence", "start", "shuffled", "end", "stage_end", "finish", "rank")
SAMPLES = (
    "dynamic-slots",
    "facebook",
    "five-jobs",
    "five-jobs-pools",
    "overlap-waves",
    "overlapping-scans",
    "ten-scans",
    "three-pools",
    "two-jobs-fair",
    "two-jobs-order",
    "wikitrends",
    "wordcount",
)
FAMILIES = ("facebook", "yahoo", "synthetic1", "synthetic2", "dhfs", "omo", "circumflex")
SEED, JOBS = 7, 8
MANY_TASKS = 2000
"""Of a workload with more the slots are not varied, and pools are not searched."""
FEW_STEPS = {"optimized": {"steps": 4}}
POLICIES = (
    *(
        "fifo",
        "order",
        "sjf",
        "longest-task",
        "johnson",
        "johnson-reverse",
        "by-hand",
        "optimized",
        "critical",
    ),
    *("balanced-pools", "edf-max", "edf-min", "fair", "capacity", "dynamic-priority", "dhfs-pi", "dhfs-pd"),
    *("dynamic-fifo-pi", "dynamic-fifo-pd", "fresh", "omo", "flex", "circumflex", "batch", "ako"),
)


def workloads() -> dict[str, Workload]:
    """Return the samples, and a few jobs of every family of version 0.2.0, by name."""
    found = {name: load_sample(name) for name in SAMPLES}
    for family in FAMILIES:
        found[f"family {family}"] = _first_jobs(generate(family, seed=SEED))
    return found


def _first_jobs(workload: Workload) -> Workload:
    jobs = workload.jobs[:JOBS]
    return workload.with_jobs(jobs)


def clusters(workload: Workload) -> dict[str, Cluster]:
    """Return the suggested cluster and, for few tasks, three others, by name."""
    given = workload.cluster
    if workload.map_count + workload.reduce_count > MANY_TASKS:
        return {"as given": given}
    return {
        "as given": given,
        "overlap": Cluster(7, 5, 0.05, "overlap"),
        "slowstart 0.5": Cluster(7, 5, 0.5),
        "containers": Cluster(0, 0, 0.3, containers=9),
    }


def digest(workload: Workload, cluster: Cluster, policy: str, engine: Any) -> str:
    """Return the digest of every column of a schedule, or what was said instead of one."""
    choice = PolicyChoice(policy, FEW_STEPS.get(policy, {}))
    try:
        schedule = simulate(workload, cluster, choice, engine=engine)
    except StalledError:
        return "stalled"
    except InputError:
        return "refused"
    seen = hashlib.sha256()
    for name in COLUMNS:
        seen.update(getattr(schedule, name).tobytes())
    return seen.hexdigest()[:16]


def is_judged(workload: Workload, policy: str) -> bool:
    """Whether a policy takes no minutes for a workload."""
    return policy != "balanced-pools" or workload.map_count + workload.reduce_count <= MANY_TASKS


def digests(name: str, workload: Workload, engine: Any) -> dict[str, dict[str, str]]:
    """Return the digests of a workload, by cluster and policy."""
    return {
        cluster_name: {
            policy: digest(workload, cluster, policy, engine)
            for policy in POLICIES
            if is_judged(workload, policy)
        }
        for cluster_name, cluster in clusters(workload).items()
    }


def main() -> None:
    """Write the digests."""
    found = {}
    for name, workload in workloads().items():
        found[name] = digests(name, workload, "interpreted")
    GOLDEN.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""What `slotscope simulate` takes for ten thousand jobs at once, under every policy, in processor seconds.

    python -m benchmarks.many_jobs [--jobs N] [--policies ID,ID,...] [--limit SECONDS]

Each command runs in a process of its own, first with nothing compiled, then with what that has compiled.
Seconds are of all its threads, in its own code; what takes longer than the limit is killed.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.workloads import POOLS
from core.files.workload_writing import write_workload
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.registry import policies

SLOTS = 64, 32


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--policies", help="only these")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds of the processor")
    options = parser.parse_args()
    ids = options.policies.split(",") if options.policies else [policy.id for policy in policies()]
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "jobs.json"
        write_workload(small_jobs(options.jobs), document)
        print(f"{'policy':18}{'nothing compiled':>18}{'again':>10}  what it says")
        for policy in ids:
            cache = Path(folder) / policy
            cache.mkdir()
            cold, said = _command(document, policy, cache, options.limit)
            warm, _ = _command(document, policy, cache, options.limit)
            print(f"{policy:18}{cold:>18}{warm:>10}  {said}", flush=True)


def small_jobs(jobs: int, seed: int = 7) -> Workload:
    """Return jobs of three maps and a reduce that all arrive at once."""
    random = np.random.default_rng(seed)
    made = [
        Job(
            f"J{i + 1}",
            Stage.of(3, random.lognormal(2.5, 0.5, 3)),
            Stage.of(1, random.lognormal(2.0, 0.5, 1), 1.0, 2.0),
            deadline=float(random.uniform(200, 8000)),
            pool=POOLS[i % 4],
        )
        for i in range(jobs)
    ]
    return Workload(f"{jobs} small jobs", tuple(made), Cluster(*SLOTS))


def _command(document: Path, policy: str, cache: Path, limit: float) -> tuple[str, str]:
    """Return the processor seconds of a command, and the notes that it writes."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit)))

    command = [sys.executable, "-m", "explorer", "simulate", str(document), "--policy", policy]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, preexec_fn=limited)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    notes = "; ".join(line for line in ended.stderr.splitlines() if "note" in line or "error" in line)
    return f"{used:.1f}" if ended.returncode >= 0 else f"over {limit:.0f}", notes


if __name__ == "__main__":
    main()

"""What users' policy files cost: counted loops, endless ones, an edit until its schedule, their process.

python -m benchmarks.own_policies
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from benchmarks.workloads import all_workloads
from core.files.resources import resource_path
from core.files.samples import load_sample
from core.model.errors import PolicyFault
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.user_files import modules
from core.policies.user_files.policy_file import load_policy, load_policy_file
from core.policies.user_files.policy_process import load_apart
from core.policies.user_files.source import read_policy_file
from core.simulation.simulate import Engine, simulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.workload import Workload
    from core.policies.policy import Policy
    from core.policies.user_files.source import PolicySource

    Load = Callable[[PolicySource], type[Policy]]

REPEATS = 40
HEAD = "from core.policies.policy import Policy\n\n\nclass Mine(Policy):\n"
ENDLESS_HOOK = "    def key(job):\n        while job.rank >= 0:\n            pass\n        return 0\n"
ENDLESS = {
    "hook, compiled": ENDLESS_HOOK,
    "hook, interpreted": ENDLESS_HOOK,
    "plan": "    def plan():\n        while True:\n            pass\n",
    "file": "    while True:\n        pass\n",
}


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine.py"
        _print_loops(all_workloads()["a"])
        for where, text in ENDLESS.items():
            path.write_text(HEAD + text, encoding="utf-8")
            print(f"endless loop in {where}: told after {_until_told(path, where):.2f} s")
        for where, load in LOADS.items():
            print(f"saved edit until its schedule (five jobs, compiled), {where}: {_edits(path, load):.2f} s")
            print(f"facebook under the example with loops, {where}: {_runs(load):.1f} ms")


def _print_loops(workload: Workload) -> None:
    """Compare the example with loops in its decisions with itself, uncounted; in turns, best of many."""
    path = resource_path("policies", "pool_turns.py")
    register_policy("counted", load_policy_file(path))
    with patch.object(modules, "with_loop_budget", lambda tree: tree):
        register_policy("uncounted", load_policy_file(path))
    seconds: dict[str, list[float]] = {"counted": [], "uncounted": []}
    for _ in range(REPEATS):
        for name, measured in seconds.items():
            began = time.thread_time()
            simulate(workload, workload.cluster, PolicyChoice(name), engine="compiled")
            measured.append(time.thread_time() - began)
    counted, uncounted = (min(measured) for measured in seconds.values())
    ratio = counted / uncounted
    print(f"{path.name} on a: {1000 * counted:.2f} ms, {ratio:.2f} times as long as with uncounted loops")


def _until_told(path: Path, where: str) -> float:
    workload = load_sample("five-jobs")
    engine: Engine = "compiled" if "compiled" in where else "interpreted"
    began = time.perf_counter()
    try:
        register_policy("measured", load_policy_file(path))
        simulate(workload, workload.cluster, PolicyChoice("measured"), engine=engine)
    except PolicyFault:
        return time.perf_counter() - began
    raise AssertionError("an endless loop came to an end")


LOADS = {"in this process": load_policy, "in its own": load_apart}


def _runs(load: Load) -> float:
    """Return the milliseconds of a run as a drag asks for it, from and to the window's process."""
    workload = load_sample("facebook")
    register_policy("measured", load(read_policy_file(resource_path("policies", "pool_turns.py"))))
    milliseconds = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        simulate(workload, workload.cluster, PolicyChoice("measured"), engine="compiled")
        milliseconds.append(1000 * (time.perf_counter() - began))
    return min(milliseconds)


def _edits(path: Path, load: Load) -> float:
    workload = load_sample("five-jobs")
    seconds = []
    for number in range(5):
        path.write_text(
            f"{HEAD}    def key(job): return {time.time() + number} * job.rank\n", encoding="utf-8"
        )
        began = time.perf_counter()
        register_policy("measured", load(read_policy_file(path)))
        simulate(workload, workload.cluster, PolicyChoice("measured"), engine="compiled")
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()

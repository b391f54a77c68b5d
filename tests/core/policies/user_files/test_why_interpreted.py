"""What cannot be compiled runs interpreted, and the reason is a sentence with the user's line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.policies.composing.kernel import kernels
from core.policies.own_policies import register_policy
from core.policies.user_files.policy_file import load_policy_file
from core.policies.user_files.why_interpreted import KNOWN_REASONS
from core.simulation import simulate as run_module
from core.simulation.simulate import Engine, simulate
from tests.builders import make_job, make_workload

if TYPE_CHECKING:
    from pathlib import Path

    from core.engine.variants import RunKind
    from core.model.schedule import Schedule
    from core.policies.policy import Policy

HEAD = """import functools
import numpy as np
from core.policies.policy import Policy
SIZES = {0: 1.0, 1: 2.0}
def size(n):
    return SIZES[n]
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)
def key_of(n):
    def key(job):
        return job.rank + n
    return key
class Mine(Policy):
"""
FIRST = HEAD.count("\n") + 1


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("def key(job):\n        return max([job.rank, 2])", f"line {FIRST + 1} makes a list"),
        ("def key(job):\n        return sorted((job.rank, 2))[0]", f"line {FIRST + 1} calls sorted"),
        ("def key(job): return len(f'{job.rank}')", f"line {FIRST} makes a text"),
        ("def key(job): return sum(n for n in (1, job.rank))", f"line {FIRST} calls sum"),
        (
            "def key(job):\n        try:\n            return 1 / job.running[0]\n"
            "        except ZeroDivisionError:\n            return 0.0",
            f"line {FIRST + 3} catches an exception",
        ),
        ("def key(kind): return SIZES[kind]", f"line {FIRST} reads SIZES, a dict"),
        ("def key(kind): return size(kind)", "line 6 reads SIZES, a dict"),
        ("def key(job): return factorial(job.rank)", "line 8 lets factorial call itself"),
        ("key = key_of(3)", "line 10 makes a function inside a function"),
    ],
)
def test_the_reason_names_the_line(tmp_path: Path, body: str, reason: str) -> None:
    schedule, compiled = (simulated(tmp_path, body, engine) for engine in ("interpreted", "compiled"))
    assert schedule.interpreted_because == ""
    assert compiled.interpreted_because == f"{reason}, which cannot be compiled"
    assert compiled.start.tobytes() == schedule.start.tobytes()


def test_what_only_the_compiler_understands_is_quoted(tmp_path: Path) -> None:
    body = "def key(kind):\n        x = 1 if kind == 0 else 'a'\n        return 1.0 if x == 1 else 0.0"
    reason = simulated(tmp_path, body, "compiled").interpreted_because
    assert reason.startswith(f"line {FIRST + 1} cannot be compiled: Cannot unify")
    assert "\x1b" not in reason


def simulated(folder: Path, body: str, engine: Engine) -> Schedule:
    path = folder / "mine.py"
    path.write_text(f"{HEAD}    {body}\n", encoding="utf-8")
    register_policy("own", load_policy_file(path))
    workload = make_workload(make_job("J1", (3, 1.0)), make_job("J2", (2, 1.0)))
    return simulate(workload, Cluster(2, 0), PolicyChoice("own"), engine=engine)


def test_what_could_not_be_compiled_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every turn of a parameter would wait for the compiler."""
    KNOWN_REASONS.clear()
    first = simulated(tmp_path, "def key(kind): return SIZES[kind]", "compiled")
    tried: list[bool] = []

    def noted(policy: type[Policy], compile_it: bool, kind: RunKind) -> Any:
        tried.append(compile_it)
        return kernels(policy, compile_it, kind)

    monkeypatch.setattr(run_module, "kernels", noted)
    policy = next(iter(KNOWN_REASONS))
    register_policy("mine", policy)
    again = simulate(first.workload, first.cluster, PolicyChoice("mine"), engine="compiled")
    assert tried == [False]
    assert again.interpreted_because == first.interpreted_because

"""Slips in policy files: each has its sentence, its line and the values there, compiled or not."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from core.model.cluster import Cluster
from core.model.errors import PolicyFault
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.user_files.policy_file import load_policy_file
from core.simulation.simulate import Engine, simulate
from tests.builders import make_job, make_workload

WORKLOAD = make_workload(make_job("J1", (4, 2.0), (2, 3.0)), make_job("J2", (3, 1.0), (5, 1.0)))
HEAD = """from core.policies.policy import MAP, Parameter, Policy
import math


class Mine(Policy):
    parameters = (Parameter('largest_share', 'number', 0.5, 'x'),)

"""
FIRST = HEAD.count("\n") + 1

SLIPS = [
    re.fullmatch(r"(.*)\n>> line (\d+): (.*)\n>>( .*)?", slip, re.DOTALL)
    for slip in Path(__file__).with_name("policy_slips.txt").read_text().strip().split("\n\n")
]
"""The lines of a hook; which of them is blamed, from 0, and the sentence; the values."""

COMPILED = [
    "def key(job):\n    return job.rank, job.deadline - job.deadline",
    "def admits(job):\n    if job.rank == 0:\n        return True",
    "def choose(slot):\n    return 2.5",
]
"""Slips that compiled code has to see; with the others there is none."""


def fault(folder: Path, body: str, engine: Engine) -> PolicyFault:
    path = folder / "mine.py"
    path.write_text(HEAD + "".join(f"    {line}\n" for line in body.split("\n")), encoding="utf-8")
    try:
        register_policy("mine", load_policy_file(path))
        simulate(WORKLOAD, Cluster(2, 2, slowstart=0.5), PolicyChoice("mine"), engine=engine)
    except PolicyFault as error:
        return error
    raise AssertionError(body)


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip[1])
def test_each_slip_has_its_sentence(tmp_path: Path, slip: re.Match[str]) -> None:
    error = fault(tmp_path, slip[1], "interpreted")
    assert error.sentence == slip[3]
    assert error.place is not None
    assert error.place.line == FIRST + int(slip[2])
    assert (error.run.values_text if error.run else "") == (slip[4] or "").strip()


@pytest.mark.parametrize("body", COMPILED)
def test_compiled_code_says_the_same(tmp_path: Path, body: str) -> None:
    one, other = (fault(tmp_path, body, engine) for engine in ("interpreted", "compiled"))
    assert one.run is not None
    assert other.run is not None
    assert (one.sentence, one.place, one.run.values) == (other.sentence, other.place, other.run.values)
    assert one.run.schedule.sequence.tolist() == other.run.schedule.sequence.tolist()


def test_a_run_that_fails_tells_how_far_it_came(tmp_path: Path) -> None:
    """J2 may not start before J1's maps are done: at 4 s, where a map of J1's reduces runs."""
    run = fault(tmp_path, "def admits(job):\n    if job.rank == 0:\n        return True", "interpreted").run
    assert run is not None
    schedule = run.schedule
    assert (run.time, run.hook) == (4.0, "admits")
    assert schedule.sequence.tolist() == [0, 1, 2, 3, 4, 5]
    assert schedule.end[:6].tolist() == [2.0, 2.0, 4.0, 4.0, 7.0, 7.0]
    assert all(math.isnan(time) for time in (*schedule.start[6:], *schedule.end[6:]))
    assert schedule.slot[6:].max() == -1
    assert schedule.makespan == 4.0


def test_infinite_keys_and_yes_or_no_are_numbers(tmp_path: Path) -> None:
    for body in (
        "def key(job): return math.inf if job.rank else -math.inf",
        "def key(job): return job.rank == 1",
    ):
        path = tmp_path / "mine.py"
        path.write_text(f"{HEAD}    {body}\n", encoding="utf-8")
        register_policy("mine", load_policy_file(path))
        assert simulate(WORKLOAD, Cluster(2, 2), PolicyChoice("mine"), engine="interpreted").is_whole

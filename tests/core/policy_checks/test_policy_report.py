"""Each faulty policy is found out by its check and by no other; sound ones pass all."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pytest

from core.model.errors import Cancelled, UnknownName
from core.model.schedule import PolicyChoice
from core.policies import registry
from core.policies.user_files.policy_file import example_files
from core.policies.user_files.policy_process import register_file
from core.policy_checks import policy_report as module
from core.policy_checks.evidence import CHECK_IDS, CheckResult, CheckVerdict
from core.policy_checks.policy_report import policy_report
from tests.core.policy_checks.faulty_policies import FAULTY
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

QUICK = tuple(check for check in CHECK_IDS if check != "compiled")
RUNS = 6


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask policies in this process, where the faulty ones are known."""

    def call(function: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any], *_: object) -> Any:
        return function(*given, **named)

    monkeypatch.setattr(module, "call_apart", call)
    monkeypatch.setattr(module, "fresh_process", nullcontext)
    monkeypatch.setattr(registry, "POLICIES", (*registry.POLICIES, *FAULTY))


def results(policy: str, checks: tuple[str, ...] = QUICK, runs: int = RUNS) -> dict[str, CheckResult]:
    report = policy_report(PolicyChoice(policy), runs=runs, checks=checks)
    assert [result.check.id for result in report.results] == list(checks)
    return {result.check.id: result for result in report.results}


def found(all_results: dict[str, CheckResult]) -> list[str]:
    return [name for name, result in all_results.items() if result.verdict is CheckVerdict.FOUND]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("policy", [policy.id for policy in FAULTY if policy.id != "compiled"])
def test_a_fault_is_found_by_its_check_alone(policy: str) -> None:
    checks = QUICK if policy == "cost" else QUICK[:-1]  # to count takes longer than all others
    assert found(results(policy, checks)) == [policy.partition("-")[0]]


@pytest.mark.usefixtures("here")
def test_compiled_code_that_differs_is_found() -> None:
    checks = ("errors", "compiled")
    assert found(results("compiled", checks, runs=4)) == ["compiled"]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("policy", ["fifo", "fair"])
def test_sound_policies_pass_every_check(policy: str) -> None:
    judged = results(policy)
    assert {result.verdict for result in judged.values()} == {CheckVerdict.PASSED}
    assert judged["errors"].sentence == "12 random workloads ran to their ends."


@pytest.mark.usefixtures("here")
def test_shortest_job_first_starves_long_jobs() -> None:
    judged = results("sjf", ("starvation", "idle"))
    assert found(judged) == ["starvation"]
    evidence = judged["starvation"].evidence
    assert "gets no slot, while 9 tasks of jobs that came later start" in evidence.sentence
    assert evidence.why[0] == "W has more tasks than the others."
    assert evidence.why[1] == (
        "If 20 jobs come after it, 40 tasks pass over it; if 40 come, 80 do; if 160 come, 320 do; "
        "if 640 come, 1280 do."
    )
    assert evidence.workload.cluster.slots == 1


@pytest.mark.usefixtures("here")
def test_a_searching_policy_is_not_judged_by_what_it_cannot_know() -> None:
    judged = results("balanced-pools", ("errors", "starvation", "cost"), runs=30)
    assert judged["errors"].verdict is CheckVerdict.PASSED
    assert {judged[name].verdict for name in ("starvation", "cost")} == {CheckVerdict.NOT_JUDGED}
    assert judged["starvation"].sentence == ("It plans all jobs before the run, also those that are to come.")


@pytest.mark.usefixtures("here")
def test_smallest_workloads() -> None:
    """The fewest jobs and tasks that show it, on the fewest slots."""

    def sizes(policy: str) -> tuple[int, int, int]:
        evidence = results(policy, (policy.partition("-")[0],))[policy.partition("-")[0]].evidence
        jobs = evidence.workload.jobs
        return len(jobs), sum(job.task_count for job in jobs), evidence.workload.cluster.slots

    assert sizes("errors") == (1, 3, 3)  # two run, and the third is asked about
    assert sizes("numbers") == (1, 1, 1)
    assert sizes("idle") == (1, 2, 2)
    assert sizes("names") == (2, 2, 1)


@pytest.mark.usefixtures("here")
def test_it_can_be_stopped_and_says_how_far_it_is() -> None:
    fractions: list[float] = []
    report = policy_report(PolicyChoice("fifo"), runs=3, checks=("errors",), progress=fractions.append)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert report.found == 0
    with pytest.raises(Cancelled):
        policy_report(PolicyChoice("fifo"), should_stop=lambda: True)
    with pytest.raises(UnknownName, match="did you mean 'errors'"):
        policy_report(PolicyChoice("fifo"), checks=("error",))


def test_the_manual_says_what_each_policy_gets() -> None:
    page = (ROOT / "docs" / "how-to" / "debug-a-policy.md").read_text(encoding="utf-8")
    table = page.partition("**What our own policies get**")[2].partition("The shared-scan policies")[0]
    known = [policy.id for policy in registry.POLICIES] + [path.name for path in example_files()]
    assert [name for name in known if f"`{name}`" not in table] == []


def test_a_file_is_checked_in_its_process(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts hash otherwise in each process; and a policy that ends its process is found out."""
    path = tmp_path / "sets.py"
    path.write_text(
        "import os\nfrom core.policies.policy import Policy, Parameter\n"
        "FIRST = hash('a text') % 1000003\n"
        "class Sets(Policy):\n"
        "    parameters = (Parameter('leaves', 'boolean', False, 'End the process.'),)\n"
        "    def order(workload, leaves):\n"
        "        if leaves: os._exit(3)\n"
        "        print('I was asked')\n"
        "        jobs = sorted(range(len(workload.jobs)), key=lambda i: workload.jobs[i].arrival)\n"
        "        return jobs[FIRST % len(jobs):] + jobs[:FIRST % len(jobs)]\n"
    )
    monkeypatch.setattr(module, "TRIALS_OF_A_CRASH", 1)
    policy = register_file(path).id
    report = policy_report(PolicyChoice(policy), runs=3, checks=("errors", "repeat"))
    assert [result.verdict for result in report.results] == [CheckVerdict.PASSED, CheckVerdict.FOUND]
    assert "I was asked" not in "".join(capfd.readouterr())  # hundreds of times
    assert "another schedule in another process" in report.results[1].sentence
    report = policy_report(PolicyChoice(policy, {"leaves": True}), runs=1, checks=("errors",))
    assert "ended its process" in report.results[0].sentence
    assert f"{path}:7" in report.results[0].evidence.why


HRRN = """from core.policies.policy import Policy


class Hrrn(Policy):
    def plan(jobs, workload):
        for j, job in enumerate(workload.jobs):
            jobs["memo"][j, 0] = sum(job.maps.durations) + sum(job.reduces.durations)

    def key(job, kind, cluster):
        return kind, -AGEING * (cluster.now - job.arrival) / job.memo[0] - 1.0, job.tasks[kind]


AGEING = {}
"""


@pytest.mark.parametrize(
    ("ageing", "verdict"),
    [
        ("1.0", CheckVerdict.PASSED),  # W waits for 600 tasks, and is served while jobs keep coming
        (
            "0.0",
            CheckVerdict.NOT_JUDGED,
        ),  # it reads the time, and a run cannot show that it makes nothing of it
    ],
)
def test_a_job_that_is_served_late_does_not_starve(
    tmp_path: Path, ageing: str, verdict: CheckVerdict
) -> None:
    path = tmp_path / "hrrn.py"
    path.write_text(HRRN.format(ageing))
    policy = register_file(path).id
    (result,) = policy_report(PolicyChoice(policy), checks=("starvation",)).results
    assert result.verdict is verdict
    assert ("640 jobs had come" in result.sentence) == (verdict is CheckVerdict.NOT_JUDGED)


MEMORIES = {
    "SEEN": ("SEEN = [0]\n", "SEEN[0] += 1"),
    "Keeps.count": ("", "Keeps.count = getattr(Keeps, 'count', 0) + 1"),
    "TURNS": ("import itertools\nTURNS = itertools.count()\n", "next(TURNS)"),
    "CALLS": ("CALLS = 0\n", "global CALLS; CALLS += 1"),
    "OF": ("class Box:\n    n = 0\nOF = Box()\n", "OF.n += 1"),
    "TABLE": ("import numpy as np\nTABLE = np.zeros(3)\n", "TABLE[1] += 1"),
    "a default of noted": ("def noted(of=[]):\n    of.append(1)\n", "noted()"),
    "": ("import math\nTWO = [1, 2]\n", "math.sqrt(TWO[0])"),
    "helper": ("from helper import count\n", "count()"),
}


@pytest.mark.parametrize("name", MEMORIES)
def test_what_is_remembered_outside_of_the_memo_is_found(tmp_path: Path, name: str) -> None:
    head, line = MEMORIES[name]
    (tmp_path / "helper.py").write_text("N = []\ndef count():\n    N.append(1)\n")
    path = tmp_path / "keeps.py"
    path.write_text(
        f"from core.policies.policy import Policy\n{head}\nclass Keeps(Policy):\n"
        f"    def key(job):\n        {line}\n        return job.rank\n"
    )
    policy = register_file(path).id
    (result,) = policy_report(PolicyChoice(policy), runs=2, checks=("memory",)).results
    assert result.verdict is (CheckVerdict.FOUND if name else CheckVerdict.PASSED)
    if name:
        assert f"After the run {name.replace('helper', 'N')} holds something else" in result.sentence


def test_the_memo_is_no_memory_outside_of_it() -> None:
    policy = register_file(next(path for path in example_files() if path.name == "pool_turns.py")).id
    (result,) = policy_report(PolicyChoice(policy), runs=3, checks=("memory",)).results
    assert result.verdict is CheckVerdict.PASSED

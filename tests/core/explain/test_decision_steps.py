"""Lines of a decision, worked out by hand from the text of a policy file and the rows it reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.explain.decision_steps import collapsed, decision_steps
from core.explain.decisions import decision_reason
from core.explain.replay import Replay
from core.files.samples import load_sample
from core.model.schedule import PolicyChoice
from core.policies.user_files.policy_process import register_file
from core.simulation.simulate import simulate
from explorer.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.schedule import Schedule

FILE = '''from core.policies.policy import Policy


def left(job, kind):
    waits = job.tasks[kind] - job.started[kind]
    return waits


class FewestLeft(Policy):
    """The job with the fewest tasks left goes first; the last job of all waits."""

    def key(job, kind):
        few = left(job, kind)
        if few > 28:
            return 1, few / 2
        return 0, few
'''


@pytest.fixture
def schedule(tmp_path: Path) -> Schedule:
    (tmp_path / "fewest.py").write_text(FILE)
    workload = load_sample("five-jobs")
    choice = PolicyChoice(register_file(tmp_path / "fewest.py").id)
    return simulate(workload, workload.cluster, choice)


def test_lines_are_those_that_ran(schedule: Schedule) -> None:
    """Three maps of J1 run: 27 are left, so its key takes the short way; all others have 30 left."""
    calls = decision_steps(Replay(schedule).before_start(3))
    keys = [call for call in calls if call.hook == "key"]
    names = [schedule.workload.jobs[call.job].name for call in keys]
    assert sorted(names) == ["J1", "J2", "J3", "J4", "J5"]
    first, second = keys[0], keys[1]
    assert (names[0], first.answer, second.answer) == ("J1", "0, 27", "1, 15")
    assert [(step.function, step.depth, step.line) for step in first.steps] == [
        ("key", 0, 13),
        ("left", 1, 5),
        ("left", 1, 6),
        ("key", 0, 14),
        ("key", 0, 16),
    ]
    assert [step.line for step in second.steps] == [13, 5, 6, 14, 15]
    assert first.steps[1].code == "waits = job.tasks[kind] - job.started[kind]"
    assert dict(first.steps[1].values) == {
        "job": "J1",
        "kind": "map",
        "job.tasks[kind]": "30",
        "job.started[kind]": "3",
    }
    assert dict(first.steps[3].values)["few"] == "27"


def test_what_ran_is_what_was_decided(schedule: Schedule) -> None:
    replay = Replay(schedule)
    for start in (0, 40, 150, 280):
        place = replay.before_start(start)
        reason, calls = decision_reason(place), decision_steps(place)
        assert reason is not None
        keys = {(call.job, call.kind): call.answer for call in calls if call.hook == "key"}
        told = {(c.job, c.kind): ", ".join(f"{each:.10g}" for each in c.key) for c in reason.candidates}
        assert keys == told


def test_equal_candidates_are_one(schedule: Schedule) -> None:
    calls = decision_steps(Replay(schedule).before_start(3))
    groups = collapsed(calls)
    assert [len(group.jobs) for group in groups] == [1, 4]
    assert groups[1].calls[0].answer == "1, 15"


def test_built_in_policies_have_lines_too() -> None:
    workload = load_sample("five-jobs")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fair"))
    calls = decision_steps(Replay(schedule).before_start(10))
    assert {call.hook for call in calls} == {"key", "pool_key"}
    assert all("return" in call.steps[-1].code for call in calls)


def test_an_order_alone_has_none() -> None:
    workload = load_sample("five-jobs")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    assert decision_steps(Replay(schedule).before_start(10)) == ()


def test_a_long_loop_is_cut_and_counted(tmp_path: Path) -> None:
    loop = FILE.replace(
        "        few = left(job, kind)\n",
        "        few = 0\n        for _ in range(900):\n            few += 1\n",
    )
    (tmp_path / "loop.py").write_text(loop)
    workload = load_sample("five-jobs")
    schedule = simulate(workload, workload.cluster, PolicyChoice(register_file(tmp_path / "loop.py").id))
    call = decision_steps(Replay(schedule).before_start(0))[0]
    assert len(call.steps) == 400
    assert call.left_out == 1 + 900 + 901 + 2 - 400


def test_the_command_steps_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "fewest.py").write_text(FILE)
    words = [
        "explain",
        "five-jobs",
        "--policy",
        f"file:{tmp_path / 'fewest.py'}",
        "--task",
        "J1.map.4",
        "--lines",
    ]
    assert run(words) == 0
    printed = capsys.readouterr().out
    assert "  13: few = left(job, kind)" in printed
    assert "key answers 0, 27" in printed
    assert "J2, J3, J4 and J5, for maps:" in printed
    assert run([*words, "--json"]) == 0
    lines = json.loads(capsys.readouterr().out)["lines"]
    assert (lines[0]["job"], lines[0]["hook"], lines[0]["answer"]) == ("J1", "key", "0, 27")
    assert lines[0]["steps"][1]["values"]["job.started[kind]"] == "3"
    assert run(["explain", "five-jobs", "--lines"]) == 2

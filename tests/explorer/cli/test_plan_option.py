"""Plans on the command line: replayed, compared, explained, and refused with a sentence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.files.plan_document import write_plan
from core.model.levers import JobPlan, StagePlan
from core.model.plan import Plan
from explorer.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path

PLAN = Plan((JobPlan("J2", StagePlan(6.0)), JobPlan("J1", StagePlan(9.0))))


@pytest.fixture
def path(tmp_path: Path) -> str:
    write_plan(PLAN, tmp_path / "best.plan.json")
    return str(tmp_path / "best.plan.json")


def test_a_plan_is_replayed(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(("simulate", "two-jobs-order", "--plan", path, "--json")) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["makespan"] == 24  # as in the order J2, J1
    assert answer["policy"]["id"] == "critical"
    assert [job["name"] for job in answer["policy"]["plan"]["jobs"]] == ["J2", "J1"]
    assert answer["policy"]["plan"]["jobs"][0]["maps"] == {"due": 6.0}


def test_a_plan_is_compared_with_policies(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ("compare", "two-jobs-order", "--policies", "fifo,critical", "--plan", path, "--json")
    assert run(chosen) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [(each["policy"], each["makespan"]) for each in answer["rows"]] == [
        ("fifo", 42),
        ("critical", 24),
    ]


def test_a_start_is_explained_by_the_plan(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(("explain", "two-jobs-order", "--plan", path, "--task", "J2.map.1")) == 0
    assert "due at 0:06 by the plan, the 1st of 2 jobs" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("simulate", "five-jobs", "--order", "J1"), "--plan and --order both say who goes first"),
        (
            ("compare", "five-jobs", "--policies", "fifo"),
            "--plan needs the policy 'critical' among --policies",
        ),
        (("simulate", "facebook"), "plan: jobs[0].name is 'J2'; there is no such job"),
    ],
)
def test_what_does_not_fit_is_a_sentence(
    path: str, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    assert run((*arguments, "--plan", path)) == 2
    assert sentence in capsys.readouterr().err

"""`--estimates`: policies plan on guesses, and every command says so."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.files.workload_writing import write_workload
from core.model.workload import Workload
from tests.builders import FIVE_JOBS, two_stage_workload
from tests.explorer.cli.test_command_line import error_of, json_of, output_of, words_of

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

FIVE = ("five-jobs", "--estimates")
GUESS = {"error": 0.6, "per": "job", "seed": 3}


def test_simulate_plans_on_them_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json_of(capsys, "simulate", *FIVE, "error=0.6, seed=3", "--policy", "sjf")
    assert answer["policy"] == {"id": "sjf", "parameters": {}, "planned_on": GUESS}
    assert answer["estimated"] != json_of(capsys, "simulate", "five-jobs", "--policy", "sjf")["estimated"]
    shown = output_of(capsys, "simulate", *FIVE, "error=0.6,seed=3", "--policy", "sjf")
    assert "sjf: planned on estimates ±60 % (one factor per job, seed 3)" in shown


def test_compare_tells_them_to_those_that_plan(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("compare", *FIVE, "error=0.6,per=task", "--policies", "fifo,johnson,sjf")
    rows = json_of(capsys, *asked)["rows"]
    assert [row.get("planned_on") for row in rows] == [None, *[GUESS | {"per": "task", "seed": 1}] * 2]
    text = words_of(capsys, *asked)
    assert "johnson, sjf: planned on estimates ±60 % (one factor per task, seed 1)" in text
    assert "1 min 18 s (Max), of the true durations" in text
    assert "true durations" not in output_of(capsys, "compare", "five-jobs", "--policies", "fifo,johnson")


def test_explain_says_what_was_planned_on(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("explain", *FIVE, "error=0.6,seed=3", "--policy", "johnson")
    assert json_of(capsys, *asked)["planned_on"] == GUESS
    assert "johnson: planned on estimates ±60 %" in output_of(capsys, *asked)


def test_exported_schedules_record_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "trace.json"
    output_of(capsys, "export", *FIVE, "error=0.6,seed=3", "--policies", "johnson", "--out", str(out))
    assert json.loads(out.read_text())["otherData"]["planned_on"] == GUESS


def test_a_report_says_how_to_get_the_same_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, qapp: object
) -> None:
    out = tmp_path / "report.html"
    output_of(capsys, "export", *FIVE, "error=0.6,seed=3", "--policies", "fifo,johnson", "--out", str(out))
    text = out.read_text(encoding="utf-8")
    assert ">Johnson on estimates ±60 %<" in text
    assert "planned on estimates ±60 % (one factor per job, seed 3)" in text


def test_an_earlier_run_stands_for_the_jobs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """On Monday maps took what reduces take today, and the other way round: that turns Johnson's order."""
    monday = two_stage_workload([(reduces, maps) for maps, reduces in FIVE_JOBS])
    write_workload(Workload("Monday", monday.jobs), tmp_path / "monday.workload.json")
    asked = ("simulate", *FIVE, f"profile={tmp_path}/monday.workload.json", "--policy", "johnson")
    answer = json_of(capsys, *asked)
    profile = answer["policy"]["planned_on"]["profile"]
    assert (profile["name"], profile["jobs"], len(profile["digest"])) == ("Monday", 5, 64)
    assert answer["jobs"] == json_of(capsys, "simulate", "five-jobs", "--policy", "johnson-reverse")["jobs"]
    assert "johnson: planned on profile Monday" in output_of(capsys, *asked)


def test_jobs_that_the_earlier_run_lacks_are_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monday = two_stage_workload(FIVE_JOBS[:3])
    write_workload(Workload("Monday", monday.jobs), tmp_path / "monday.workload.json")
    asked = ("simulate", *FIVE, f"profile={tmp_path}/monday.workload.json", "--policy", "johnson")
    told = words_of(capsys, *asked)
    assert (
        "planned on profile Monday; the profile has no J4, J5, which were planned on true durations" in told
    )
    asked = (*asked[:-3], f"{asked[-3]},error=0.3", *asked[-2:])
    assert "no J4, J5, which were planned on estimates ±30 %" in words_of(capsys, *asked)


def test_mistakes_are_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    for text, sentence in (
        ("errr=0.3", "unknown part of estimates 'errr'; did you mean 'error'?"),
        ("error=9", "estimates: parameter error is '9'; give a number from 0.0 to 3.0"),
        ("profile=overlapping-scans", "no job of Overlapping scans has the name of a job of Five jobs"),
    ):
        assert sentence in error_of(capsys, "simulate", *FIVE, text, "--policy", "johnson")
    refused = error_of(capsys, "simulate", *FIVE, "error=0.3", "--policy", "fifo")
    assert "--estimates: fifo plans on no durations, so leave the estimates out" in refused

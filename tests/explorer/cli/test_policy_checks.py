"""`slotscope test-policy`: its verdicts, exit codes, files and scoreboard."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest

from core.files.samples import load_sample
from core.policies.orders import Fifo, Johnson
from core.policy_checks import policy_report, scoreboard
from explorer.cli.run import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask policies of ours in this process; a file is asked in its own."""

    def call(function: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any], *_: object) -> Any:
        return function(*given, **named)

    monkeypatch.setattr(policy_report, "call_apart", call)
    monkeypatch.setattr(scoreboard, "call_apart", call)
    monkeypatch.setattr(scoreboard, "AT_ONCE", 1)  # what runs here discards prints for all threads


def test_exit_codes_tell_what_was_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--runs", "3", "--checks", "errors,starvation"]
    assert run(["test-policy", "fifo", *few]) == 0
    assert "6 random workloads ran to their ends" in " ".join(capsys.readouterr().out.split())
    found = tmp_path / "found"
    assert run(["test-policy", "sjf", *few, "--out", str(found)]) == 3
    said = capsys.readouterr().out
    assert f"slotscope {found / 'starvation.slotscope'}".replace(" ", "") in "".join(said.split())
    assert sorted(path.name for path in found.iterdir()) == [
        "starvation.slotscope",
        "starvation.workload.json",
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nobody"], "unknown policy 'nobody'"),
        (["fifo", "--runs", "0"], "--runs is 0"),
        (["fifo", "--seed", "-1"], "--seed is -1"),
        (["fifo", "--checks", "errorz"], "did you mean 'errors'"),
        (["none.py"], "cannot be read"),
        (["fifo", "-p", "x=1", "--runs", "1"], "unknown parameter of policy fifo"),
    ],
)
def test_bad_input_is_a_sentence(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test-policy", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_json_and_the_scoreboard(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(scoreboard, "sample_workloads", lambda: (load_sample("five-jobs"),))
    monkeypatch.setattr(scoreboard, "POLICIES", (Fifo, Johnson))
    table = tmp_path / "scores.csv"
    words = ["test-policy", "fifo", "--runs", "1", "--checks", "errors", "--json", "--csv", str(table)]
    assert run(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["policy"], told["seed"], told["checks"][0]["verdict"]) == ("fifo", 1, "passed")
    assert [row["policy"] for row in told["scoreboard"]] == ["johnson", "fifo"]
    with table.open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["policy"], float(row["rank"])) for row in rows] == [("johnson", 1.0), ("fifo", 2.0)]
    assert run(["test-policy", "fifo", "--runs", "1", "--checks", "errors", "--scoreboard"]) == 0
    assert "fifo ◂" in capsys.readouterr().out

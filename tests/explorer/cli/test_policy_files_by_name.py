"""`file:mine.py` where the id of a policy may stand: the same as with `--policy-file`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from core.files.resources import resource_path
from explorer.cli.run import run
from tests.paths import DATA

if TYPE_CHECKING:
    from pathlib import Path

MINE = f"file:{resource_path('policies', 'smallest_first.py')}"
MAKESPAN = 80.0
"""Of that policy on the sample five-jobs, where FIFO takes 74 s."""


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert run([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_file_stands_among_policies(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "compare", "five-jobs", "--policies", f"fifo,{MINE}")["rows"]
    assert [(row["policy"], row["makespan"]) for row in rows] == [
        ("fifo", 74.0),
        ("smallest-first", MAKESPAN),
    ]


@pytest.mark.parametrize("command", ["simulate", "sensitivity"])
def test_a_file_is_the_policy(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert answer(capsys, command, "five-jobs", "--policy", MINE)["makespan"] == MAKESPAN


def test_two_files_of_one_name_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "five-jobs", "--policies", f"{MINE},{MINE}"]) == 2
    assert "another policy is called smallest-first, too" in capsys.readouterr().err


def test_without_the_word_no_file_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("raise SystemExit(3)\n")
    assert run(["simulate", "five-jobs", "--policy", str(path)]) == 2
    assert "has not been run" in capsys.readouterr().err


def test_fidelity_judges_a_file_as_what_does_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from core.policies.policy import Policy\n\n\n"
        'class InTurn(Policy):\n    """As FIFO, by a key of its own."""\n\n'
        "    def key(job):\n        return job.rank\n"
    )
    log = str(DATA / "jobtracker-0.20.log")
    own, fifo = (answer(capsys, "fidelity", log, "--policy", each) for each in (f"file:{path}", "fifo"))
    assert [each for each in own if own[each] != fifo[each]] in ([], ["policy"])
    assert "mean_error" in json.dumps(own)

"""`slotscope rank`: its tables, its line of Markdown, and what it says of files that are not there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.policies.registry import policies
from core.policy_checks import ranking
from explorer.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path

OWN = '''"""A policy."""
from core.policies.policy import Policy


class Mine(Policy):
    """The job that came last goes first."""

    id = "mine"

    def key(job, kind):
        return -job.rank
'''


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "ranked_policies", lambda: ("fifo", "sjf", "omo"))


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    return str(path)


def test_the_table_says_where_ones_own_stands(mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", mine, "--draws", "2", "--costs"]) == 0
    said = capsys.readouterr()
    assert "List 1 · 8 workloads, 2 draws of each" in said.out
    assert "mine ◂" in said.out
    assert "never the same twice" in " ".join(said.out.split())
    assert "left out, since --data FOLDER has no such files: FB-2009" in " ".join(said.err.split())


def test_markdown_is_one_line_of_ones_own_or_all(mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", mine, "--draws", "1", "--markdown"]) == 0
    line = capsys.readouterr().out
    assert line.startswith("| mine | ")
    assert line.count("\n") == 1
    assert run(["rank", "--draws", "1", "--markdown"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2 + 3


def test_json_has_all_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", "--draws", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["version"], document["decisions"]) == (1, {})
    rows = document["tables"][0]["rows"]
    assert {row["policy"] for row in rows} == {"fifo", "sjf", "omo"}
    assert rows[0]["figures"]["makespan"]["low"] is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--draws", "99"], "draws is 99; give a whole number from 1 to 10"),
        (["-p", "x=1"], "-p sets a parameter of your own policy; give its file, too"),
        (["--data", "/no/such/folder"], "--data /no/such/folder: there is no such folder"),
        (["nowhere.py"], "nowhere.py"),
        (["fifo"], "fifo"),
    ],
)
def test_what_is_wrong_is_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", *words]) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_the_policies_in_the_table_are_known() -> None:
    assert {"fifo", "sjf", "omo"} <= {policy.id for policy in policies()}

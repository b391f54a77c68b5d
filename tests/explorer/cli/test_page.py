"""`slotscope page` writes one file, and refuses what does not fit on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.cli.run import run
from tests.unpacked_page import facts_of

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_page_holds_the_policies_in_their_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "night.html"
    assert run(["page", "five-jobs", "--policies", "fifo,johnson", "--out", str(path)]) == 0
    assert capsys.readouterr().out.split() == ["Page", "written", "to", str(path)]
    runs = facts_of(path.read_text())["runs"]
    assert [each["title"] for each in runs] == ["FIFO", "Johnson"]
    assert [each["makespan"] for each in runs] == [74.0, 47.0]


def test_too_many_policies_are_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many = ",".join(["fifo"] * 13)
    assert run(["page", "five-jobs", "--policies", many, "--out", str(tmp_path / "x.html")]) == 2
    assert "a page holds at most 12" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []

"""`slotscope export` writes every format, and refuses what does not fit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from explorer.command_line.run import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("what", "begins"),
    [
        ("tasks", "job,kind,index"),
        ("jobs", "job,pool,user"),
        ("paje", "%EventDef"),
        ("chrome", '{"traceEvents"'),
    ],
)
def test_one_schedule_is_written(what: str, begins: str, tmp_path: Path) -> None:
    path = tmp_path / "out"
    assert run(["export", "five-jobs", "--policies", "johnson", "--format", what, "--out", str(path)]) == 0
    assert path.read_text().startswith(begins)


def test_a_report_compares_policies_and_holds_its_picture(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    assert (
        run(["export", "five-jobs", "--policies", "fifo,johnson", "--format", "html", "--out", str(path)])
        == 0
    )
    text = path.read_text()
    assert "data:image/png;base64," in text
    assert "47" in text
    assert "Johnson" in text


def test_one_file_holds_one_schedule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "out")
    assert run(["export", "five-jobs", "--policies", "fifo,fair", "--format", "chrome", "--out", path]) == 2
    assert "the format chrome holds one" in capsys.readouterr().err


def test_the_trace_is_json(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    run(["export", "two-jobs-order", "--policies", "fifo", "--format", "chrome", "--out", str(path)])
    events = json.loads(path.read_text())["traceEvents"]
    assert sum(event["ph"] == "X" for event in events) == 120

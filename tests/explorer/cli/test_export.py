"""`slotscope export` writes every format, and refuses what does not fit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from explorer.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("what", "begins"),
    [
        ("tasks", "job,kind,index"),
        ("jobs", "job,pool,user"),
        ("paje", "%EventDef"),
        ("perfetto", '{"traceEvents"'),
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
    assert text.count("data:image/png;base64,") == 2  # for light and for dark pages
    assert "47" in text
    assert "Johnson" in text


@pytest.mark.parametrize(
    ("what", "name", "rows"), [("tasks", "t.parquet", 300), ("jobs", "j.PARQUET", 5), ("parquet", "any", 300)]
)
def test_tables_are_written_as_parquet(what: str, name: str, rows: int, tmp_path: Path) -> None:
    options = ["--policies", "fifo", "--format", what, "--out", str(tmp_path / name)]
    assert run(["export", "five-jobs", *options]) == 0
    assert len(pd.read_parquet(tmp_path / name)) == rows


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("t.csv", b"job,kind,index"),
        ("t.parquet", b"PAR1"),
        ("t.json", b'{"traceEvents"'),
        ("t.json.gz", b"\x1f\x8b"),
        ("t.paje", b"%EventDef"),
        ("t.html", b"<!doctype html>"),
    ],
)
def test_without_a_format_the_ending_decides(name: str, begins: bytes, tmp_path: Path) -> None:
    assert run(["export", "five-jobs", "--policies", "fifo", "--out", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_an_ending_that_says_nothing_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "five-jobs", "--policies", "fifo", "--out", str(tmp_path / "t.xyz")]) == 2
    assert "ends in none of .csv, .parquet, .json, .paje, .html; name the format" in capsys.readouterr().err


@pytest.mark.parametrize(("what", "rows"), [("tasks", 600), ("jobs", 10)])
def test_a_table_of_several_policies_says_which(what: str, rows: int, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    options = ["--policies", "fifo,johnson", "--format", what, "--out", str(path)]
    assert run(["export", "five-jobs", *options]) == 0
    table = pd.read_csv(path)
    assert len(table) == rows
    assert table.columns[0] == "scenario"
    assert table.groupby("scenario")["end"].max().to_dict() == {"FIFO": 74, "Johnson": 47}


def test_the_trace_is_json(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    run(["export", "two-jobs-order", "--policies", "fifo", "--format", "chrome", "--out", str(path)])
    events = json.loads(path.read_text())["traceEvents"]
    assert sum(event["ph"] == "X" for event in events) == 120

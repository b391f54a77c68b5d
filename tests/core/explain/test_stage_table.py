"""The table of stages: for files, and as text for a spreadsheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.explain.stage_table import stages_as_text, write_stages
from core.model.cluster import Cluster
from core.model.errors import InputError
from tests.core.explain.test_stage_path import diamond, run

if TYPE_CHECKING:
    from pathlib import Path

SCHEDULE = run(diamond("=J1", 1, 4, 7, 2), cluster=Cluster(0, 0, 1.0, containers=1))
"""On one slot: 1 s, then 4 s, then 7 s that wait for it, then 2 s."""
LINES = (
    ("job", "stage", "tasks", "waits_for", "ready", "start", "end", "on_path"),
    ("'=J1", "0", "1", "", "0.0", "0.0", "1.0", "1"),
    ("'=J1", "1", "1", "0", "1.0", "1.0", "5.0", "0"),
    ("'=J1", "2", "1", "0", "1.0", "5.0", "12.0", "1"),
    ("'=J1", "3", "1", "1 2", "12.0", "12.0", "14.0", "1"),
)


def test_as_text_it_goes_into_a_spreadsheet() -> None:
    assert stages_as_text(SCHEDULE) == "".join("\t".join(line) + "\n" for line in LINES)


def test_it_is_written_as_csv_or_parquet(tmp_path: Path) -> None:
    write_stages([("FIFO", SCHEDULE)], tmp_path / "stages.csv")
    lines = (tmp_path / "stages.csv").read_text().splitlines()
    assert [tuple(line.split(",")) for line in lines] == list(LINES)
    write_stages([("FIFO", SCHEDULE), ("again", SCHEDULE)], tmp_path / "both.parquet")
    import pandas

    table = pandas.read_parquet(tmp_path / "both.parquet")
    assert table["scenario"].tolist() == ["FIFO"] * 4 + ["again"] * 4
    assert table["job"].unique().tolist() == ["=J1"]
    assert table["end"].tolist() == [1.0, 5.0, 12.0, 14.0] * 2


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        write_stages([("FIFO", SCHEDULE)], tmp_path / "none" / "stages.csv")

"""`slotscope scans` on whole datasets and on sets of blocks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from core.files.workload_writing import write_workload
from core.model.cluster import Cluster
from core.model.job import Dataset, Job, scan_stage
from core.model.workload import Workload
from explorer.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["scans", *arguments, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_four_policies_on_whole_datasets(capsys: pytest.CaptureFixture[str]) -> None:
    told = asked(capsys, "ten-scans", "--window", "24")
    rows = {row["policy"]: row for row in told["rows"]}
    assert list(rows) == ["flex", "circumflex", "batch", "ako"]
    assert rows["circumflex"]["value"] < rows["flex"]["value"]
    assert rows["batch"]["waited"] > 0
    assert run(["scans", "ten-scans", "--metric", "max-stretch"]) == 0
    assert "maximum stretch" in capsys.readouterr().out


def test_sets_of_blocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    month = Dataset("month", 30, 1.0)
    sets = {"day": ((26, 27),), "week": ((20, 27),), "month": ()}
    jobs = tuple(Job(name, scan_stage(month, b), dataset="month", blocks=b) for name, b in sets.items())
    path = tmp_path / "w.workload.json"
    write_workload(Workload("w", jobs, Cluster(1, 0), datasets=(month,)), path)
    flex, circumflex, batch, ako = asked(capsys, str(path), "--window", "10")["rows"]
    assert [row["work"] for row in (flex, circumflex, batch, ako)] == [38, 30, 30, 30]
    assert [row["waited"] for row in (flex, circumflex, batch)] == [0, 0, 30]
    assert circumflex["max_stretch"] == 1
    assert run(["scans", str(path), "--metric", "average-response"]) == 2
    assert "over sets of blocks only the largest" in capsys.readouterr().err


def test_all_metrics_are_listed_with_the_rule_that_optimises_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scans", "ten-scans", "--metrics"]) == 0
    told = capsys.readouterr().out
    assert "18 of 18 can be optimised here" in told
    rules = {
        line.split()[0]: line.split()[1] for line in told.splitlines() if line.count("-") and line.split()
    }
    assert rules["tardy-jobs"] == "search"
    assert rules["weighted-response"] == "Smith's"
    assert rules["max-stretch"] == "dynamic"
    assert rules["average-response"] == "this"
    assert run(["scans", "overlapping-scans", "--metrics"]) == 0
    assert "9 of 18 can be optimised here" in capsys.readouterr().out


def test_the_load_and_the_costs_of_slas_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    waited = [asked(capsys, "ten-scans", "--load", load)["rows"][3]["waited"] for load in ("0.9", "0.3")]
    assert waited[1] > waited[0], "AKO's windows are longer for less load"
    told = asked(capsys, "ten-scans", "--metric", "max-sla", "--service-levels", "30:2")
    assert told["rows"][0]["value"] == 2


def test_the_usual_window_fits_the_workload(capsys: pytest.CaptureFixture[str]) -> None:
    rows = asked(capsys, "ten-scans")["rows"]
    assert rows == asked(capsys, "ten-scans", "--window", "24")["rows"], "a quarter of 96 s"
    assert round(100 * (rows[2]["value"] / rows[0]["value"] - 1), 1) == -12.8


def test_without_datasets_it_says_what_to_try(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scans", "five-jobs"]) == 2
    assert "try the sample ten-scans" in capsys.readouterr().err

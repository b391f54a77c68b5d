"""`slotscope fidelity`: one log, several, a folder; what is said, and the same as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.files.workload_writing import write_workload
from core.model.overheads import overheads_from_text
from explorer.cli.run import run
from tests.core.fidelity.test_fidelity import TRUE, recorded_workload
from tests.paths import DATA

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def logs(tmp_path: Path) -> list[str]:
    """Return the documents of three logs of one cluster, the last one with two jobs."""
    paths = []
    for seed, jobs in ((3, 8), (4, 6), (5, 2)):
        path = tmp_path / f"log{seed}.workload.json"
        write_workload(recorded_workload(seed, jobs, name=f"log{seed}"), path)
        paths.append(str(path))
    return paths


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["fidelity", *arguments]) == 0
    return capsys.readouterr().out


def test_one_log_alone_proves_nothing(logs, capsys):
    text = " ".join(printed(capsys, logs[0]).split())
    assert "* Overheads of this log" in text
    assert not {"mumak", "simmr", "phases"} & set(text.split())
    assert "* read from this log itself: not a proof" in text
    assert "Jobs are" in text
    assert ", without overheads." in text
    assert "that is not a proof. Other logs" in text
    given = text.partition("--overheads ")[2].partition(" ")[0]
    assert overheads_from_text(given) == TRUE
    assert "More than 25 % off (tasks and their shuffles): J" in text


def test_other_logs_lend_their_overheads_to_the_headline(logs, capsys):
    answer = json.loads(printed(capsys, logs[0], "--overheads-of", *logs[1:], "--json"))
    assert answer["version"] == 4
    assert answer["draws"] == {"count": 20, "seed": 1}
    (log,) = answer["logs"]
    assert (log["headline"], log["overheads_of"]) == ("others' overheads", ["log4"]), "not of two jobs"
    models = {model["model"]: model for model in log["models"]}
    assert list(models) == ["mumak", "simmr", log["headline"], "own fit"]
    low, high = models[log["headline"]]["over_draws"]["mean_error"]
    assert 0 < low < high < 0.1
    assert models[log["headline"]]["mean_error"] < high
    held = models[log["headline"]]["jobs_in_range"]
    assert answer["in_range"] == {"jobs": held, "of": 8}
    assert answer["mean_error_by_jobs"] == answer["mean_error"]
    assert models["own fit"]["over_draws"] is None
    assert [model["read_from_this_log"] for model in log["models"]] == [False, False, False, True]
    assert models["simmr"]["overheads"] is None
    assert log["offered"] == models[log["headline"]]["overheads"]
    assert "Only 2 jobs" in printed(capsys, logs[2], "--overheads-of", logs[0])


def test_several_logs_are_judged_by_one_another(logs, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = printed(capsys, *logs)
    assert text.startswith("3 logs, each with overheads of the others: mean job errors in %")
    assert max(map(len, text.splitlines()[:12])) <= 80
    rows = [line.split() for line in text.splitlines()]
    (row,) = (row for row in rows if row[:2] == ["log5", "2*"])
    assert float(row[2]) > 20
    assert float(row[3]) < 10
    assert row[5:7] == ["of", "2"]
    (row,) = (row for row in rows if row[:4] == ["mean", "of", "the", "jobs"])
    assert row[7:9] == ["of", "16"]
    assert "* fewer than 5 jobs" in text
    assert "overheads of this log" in text
    assert "(20 draws, seed 1)" in " ".join(text.split())


def test_names_of_logs_are_never_folded_beside_what_is_read_from_them(logs, tmp_path, capsys, monkeypatch):
    """A name of 23 letters once stood in a column of three, one under another."""
    monkeypatch.setenv("COLUMNS", "80")
    path = tmp_path / "long.workload.json"
    write_workload(recorded_workload(6, 5, name="compression_case4_trace"), path)
    lines = printed(capsys, *logs, str(path)).splitlines()
    assert sum(line.startswith("compression_case4_trace ") for line in lines) == 2
    assert max(map(len, lines)) <= 80


def test_what_is_no_log_is_left_out_of_several_and_named(logs, capsys):
    text = printed(capsys, *logs[:2], "five-jobs")
    assert "Left out: Five jobs does not say what really ran" in " ".join(text.split())
    assert run(["fidelity", logs[0], "--overheads-of", logs[0]]) == 2
    assert f"{logs[0]}: it has jobs of {logs[0]}, and each job counts once" in capsys.readouterr().err


def test_a_folder_of_logs_of_several_jobs_is_several_logs(tmp_path, capsys):
    """The small logs have too few tasks to say anything; that they are told apart is looked at."""
    for name in ("rumen-2009.json", "jobtracker-0.20.log"):
        (tmp_path / name).write_bytes((DATA / name).read_bytes())
    answer = json.loads(printed(capsys, str(tmp_path), "--json"))
    assert [log["log"] for log in answer["logs"]] == ["jobtracker-0.20", "rumen-2009"]

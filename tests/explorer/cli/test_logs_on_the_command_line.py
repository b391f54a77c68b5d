"""Logs on the command line: importing them, and what really ran beside what a policy makes of it."""

from __future__ import annotations

import json

import pytest

from core.files.workload_document import read_workload
from explorer.cli.run import run
from tests.paths import DATA

LOG = str(DATA / "jobtracker-0.20.log")


def error_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_import_writes_a_document_and_prints_the_report(capsys, tmp_path):
    out = str(tmp_path / "log.workload.json")
    assert run(["import", LOG, str(DATA / "spark.log"), "--out", out]) == 0
    text = capsys.readouterr().out
    assert "JobTracker history and Spark event log" in text
    assert "damaged places" in text
    workload = read_workload(out)
    assert len(workload.jobs) == 5
    assert workload.recorded is not None


def test_import_takes_the_numbers_that_a_log_does_not_have(capsys, tmp_path):
    out = str(tmp_path / "swim.workload.json")
    arguments = [
        "import",
        str(DATA / "swim.tsv"),
        "-p",
        "map_size=64",
        "-p",
        "scale=2",
        "--out",
        out,
        "--json",
    ]
    assert run(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert any("64 MiB of input" in text for text in report["assumptions"])
    assert read_workload(out).jobs[1].maps.count == 12


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["import", str(DATA / "swim.tsv"), "-p", "map_rte=1"], "did you mean 'map_rate'"),
        (["import", LOG, "-p", "map_rate=1"], "unknown parameter of JobTracker history 'map_rate'"),
        (["import", str(DATA / "README.md")], "not of a known format; it looks like text"),
        (["import", "/nowhere"], "there is no such file or folder"),
    ],
)
def test_what_cannot_be_imported_leaves_no_file(capsys, tmp_path, arguments, sentence):
    out = tmp_path / "x.workload.json"
    assert sentence in error_of(capsys, *arguments, "--out", str(out))
    assert not out.exists()


def test_what_really_ran_is_the_baseline_of_a_comparison(capsys, tmp_path):
    assert run(["compare", LOG, "--recorded", "--policies", "fifo", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["baseline"] == "recorded"
    assert [row["policy"] for row in answer["rows"]] == ["recorded", "fifo"]
    assert answer["rows"][0]["makespan"] == pytest.approx(20.5)
    assert answer["rows"][1]["change"] == pytest.approx(15 / 20.5 - 1)


def test_rows_without_overheads_say_so_beside_what_really_ran(capsys):
    assert run(["compare", LOG, "--recorded", "--policies", "fifo,fair"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "fifo, no overheads" in text
    assert "fair, no overheads" in text
    assert "recorded, no" not in text
    assert "no overheads: what really ran spent time on launches, setups, cleanups and heartbeats" in text
    both = ["compare", LOG, "--policies", "fifo", "--json"]
    given = [*both, "--recorded", "--overheads", "heartbeat=3,hosts=2"]
    for arguments, lacks in (
        (both, [False]),
        ([*both, "--recorded"], [False, True]),
        (given, [False, False]),
    ):
        assert run(arguments) == 0
        assert [row["lacks_overheads"] for row in json.loads(capsys.readouterr().out)["rows"]] == lacks


def test_a_saved_log_still_knows_what_really_ran(capsys, tmp_path):
    out = str(tmp_path / "log.workload.json")
    assert run(["import", LOG, "--out", out]) == 0
    capsys.readouterr()
    assert run(["compare", out, "--recorded", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["makespan"] == pytest.approx(20.5)


def test_what_really_ran_can_be_drawn(qapp, tmp_path):
    path = tmp_path / "run.svg"
    assert run(["render", LOG, "--recorded", "--policies", "fifo", "--out", str(path)]) == 0
    assert path.stat().st_size > 1000


def test_without_a_recorded_run_there_is_a_sentence(capsys):
    assert "--recorded needs a log that has tasks" in error_of(capsys, "compare", "five-jobs", "--recorded")
    assert "--policies is empty" in error_of(capsys, "render", "five-jobs", "--out", "x.png")


def test_without_policies_the_best_stand_beside_what_the_log_ran_under(capsys):
    assert run(["compare", "five-jobs", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert rows[0]["policy"] == "fifo"
    assert len(rows) == 4
    assert run(["compare", LOG, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["policy"] for row in rows[:2]] == ["recorded", "fifo"]

"""``--columns``: which column is what in a table of tasks, for every command that opens logs."""

from __future__ import annotations

import json
import shlex

import pytest

from core.files.workload_document import read_workload
from explorer.cli.run import build_parser, run
from tests.paths import DATA

TABLE = str(DATA / "mapped" / "spans.jsonl")
COLUMNS = "job=app,start=begin_ms,duration=took,kind=role,host=host,unit=ms,duration_unit=clock"


def test_every_command_that_opens_logs_takes_columns():
    _, commands = build_parser()
    help_of = {name: command.format_help() for name, command in commands.choices.items()}
    taking = {name for name, text in help_of.items() if "--columns" in text}
    opening = {name for name, text in help_of.items() if "a log" in text.partition("options:")[0]}
    assert len(opening) > 12
    assert opening | {"generate", "import", "verify"} == taking, "verify opens what a front was searched for"


def test_a_table_is_refused_with_what_can_be_typed(capsys, tmp_path):
    assert run(["simulate", TABLE]) == 2
    said = capsys.readouterr().err
    assert "with the columns app, begin_ms, took, host, role, ok." in said
    words = shlex.split(said.partition("are needed): ")[2])
    assert words == ["--columns", COLUMNS]
    out = str(tmp_path / "log.workload.json")
    assert run(["import", TABLE, *words, "--out", out]) == 0
    assert COLUMNS in "".join(capsys.readouterr().out.split())
    workload = read_workload(out)
    assert [job.name for job in workload.jobs] == ["etl", "web"]
    assert COLUMNS in workload.description


def test_columns_of_a_table_are_named_for_a_run(capsys):
    assert run(["compare", TABLE, "--columns", COLUMNS, "--policies", "fifo", "--recorded", "--json"]) == 0
    recorded = json.loads(capsys.readouterr().out)["rows"][0]
    assert recorded["makespan"] == pytest.approx(77)  # 65 s from 12 s on


def test_a_comparison_with_the_record_tells_both_clusters(capsys):
    log = str(DATA / "alibaba-instances.csv")
    assert run(["compare", log, "--policies", "fifo", "--recorded"]) == 0
    title, *rows = capsys.readouterr().out.splitlines()
    assert title.startswith("alibaba-instances · 3 containers (recorded: 7 containers, as many as each ")
    assert not any(" -0.0" in row for row in rows)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            [TABLE, "--columns", "job=nobody,start=begin_ms"],
            "job is to be 'nobody', and there is no such column",
        ),
        ([TABLE, "--columns", "jobs=app"], "unknown meaning 'jobs'; did you mean 'job'?"),
        (["five-jobs", "--columns", COLUMNS], "five-jobs: there is no such file"),
        ([str(DATA / "spark.log"), "--columns", COLUMNS], "unknown parameter of Spark event log 'columns'"),
    ],
)
def test_columns_that_do_not_fit_are_told(capsys, arguments, sentence):
    assert run(["simulate", *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_the_library_takes_a_table(capsys, tmp_path):
    library = ["--library", str(tmp_path / "library")]
    assert run(["library", "import", TABLE, "--columns", COLUMNS, *library]) == 0
    assert "2 jobs" in capsys.readouterr().out

"""`slotscope study`: run, killed and run again, shown, listed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from core.study.results import StudyResults
from tests.core.study.study_examples import DOCUMENT
from tests.explorer.cli.test_command_line import error_of, json_of, output_of
from tests.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def study(tmp_path: Path) -> str:
    """Return the file of the small study."""
    path = tmp_path / "small.study.json"
    path.write_text(json.dumps(DOCUMENT))
    return str(path)


def test_a_study_is_run_once_and_shown(study, tmp_path, capsys):
    out = str(tmp_path / "out")
    said = output_of(capsys, "study", "run", study, "--out", out, "--workers", "1")
    assert said.startswith("12 simulations in ")
    again = json_of(capsys, "study", "run", study, "--out", out, "--workers", "1")
    assert (again["done"], again["kept"], again["failed"]) == (12, 12, 0)
    shown = output_of(capsys, "study", "show", out)
    assert "12 of 12 simulations (6 cells x 2 repetitions)" in shown
    assert "johnson, johnson-reverse" in shown
    told = json_of(capsys, "study", "show", out)
    frame = StudyResults.open(out).frame()
    assert told["measures"]["makespan"]["mean"] == pytest.approx(frame["makespan"].mean())
    assert told["study"]["name"] == DOCUMENT["name"]


def test_a_study_that_is_not_there_or_is_given_as_a_workload_is_a_sentence(study, tmp_path, capsys):
    gone = str(tmp_path / "gone.study.json")
    assert f"there is no file '{gone}'" in error_of(
        capsys, "study", "run", gone, "--out", str(tmp_path / "out")
    )
    near = error_of(capsys, "study", "run", "003-figur-5", "--out", str(tmp_path / "out"))
    assert "did you mean '003-figure-5'?" in near
    for command in (("plan", study, "--by", "1h"), ("sensitivity", study)):
        assert "looks like a Slotscope study; run it as a study" in error_of(capsys, *command)


def test_failed_cells_are_listed_with_their_sentence_and_seed(study, tmp_path, capsys):
    axes = [{"name": "maps", "fields": ["cluster.map_slots"], "values": [0, 4]}]
    (tmp_path / "small.study.json").write_text(json.dumps(DOCUMENT | {"axes": axes}))
    out = str(tmp_path / "out")
    command = ["study", "run", study, "--out", out, "--workers", "1"]
    ran = output_of(capsys, *command)
    assert "2 failed" in ran
    assert "the same command with --retry runs them again" in ran
    assert json_of(capsys, *command)["kept"] == 4
    assert json_of(capsys, *command, "--retry")["kept"] == 2
    shown = output_of(capsys, "study", "show", out)
    assert "2 failed" in shown
    assert "map slot" in shown
    failed = json_of(capsys, "study", "show", out)["failed_rows"]
    assert [(row["maps"], row["seed"]) for row in failed] == [(0, 1), (0, 2)]


STOPS = """
import os, signal, sys
from core.study import result_folder
from explorer.cli.run import run

write = result_folder.PartsFolder._write

def write_and_stop(self, table):
    write(self, table)
    os.kill(os.getpid(), signal.SIGSTOP)

if __name__ == "__main__":
    result_folder.FLUSH_SECONDS, result_folder.PartsFolder._write = 0.0, write_and_stop
    run(sys.argv[1:])
"""
"""A run that waits to be killed when its first rows are on the disk."""


def test_a_run_killed_in_its_middle_goes_on_to_the_rows_of_an_undisturbed_one(study, tmp_path, capsys):
    document = DOCUMENT | {"repetitions": 60}
    (tmp_path / "small.study.json").write_text(json.dumps(document))
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    command = [sys.executable, "-c", STOPS, "study", "run", study, "--out", str(killed), "--workers", "1"]
    process = subprocess.Popen(command, cwd=ROOT)
    os.waitpid(process.pid, os.WUNTRACED)
    process.kill()
    process.wait()
    kept = StudyResults.open(killed).row_count
    assert 0 < kept < 360
    resumed = json_of(capsys, "study", "run", study, "--out", str(killed), "--workers", "1")
    assert (resumed["kept"], resumed["done"], resumed["failed"]) == (kept, 360, 0)
    output_of(capsys, "study", "run", study, "--out", str(whole), "--workers", "1")
    assert StudyResults.open(killed).table().equals(StudyResults.open(whole).table())


def test_what_is_wrong_is_a_sentence(study, tmp_path, capsys):
    out = str(tmp_path / "out")
    assert "unknown study file or preset 'nights'" in error_of(capsys, "study", "run", "nights", "--out", out)
    assert "from 0 to 19" in error_of(capsys, "study", "run", study, "--out", out, "--nice", "20")
    there = ("--dask", "tcp://127.0.0.1:1", "--nice", "3")
    assert "beside the address of others" in error_of(capsys, "study", "run", study, "--out", out, *there)
    assert "give at least 1" in error_of(capsys, "study", "run", study, "--out", out, "--workers", "0")
    assert "has no results of a study" in error_of(capsys, "study", "show", str(tmp_path))
    (tmp_path / "small.study.json").write_text(json.dumps(DOCUMENT | {"measures": ["makspan"]}))
    assert "did you mean 'makespan'?" in error_of(capsys, "study", "run", study, "--out", out)


def test_presets_are_listed(capsys):
    listed = json_of(capsys, "study", "list")
    assert all(each["rows"] >= 1 for each in listed)
    assert "simulations" in output_of(capsys, "study", "list")

"""What `--out -` and `--csv -` write, and that nothing else comes with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from explorer.cli.run import run


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
@pytest.mark.parametrize(
    ("command", "begins"),
    [
        ("simulate five-jobs --csv", b"job,kind,index,slot"),
        ("export five-jobs --policies fifo --format jobs --out", b"job,pool,user"),
        ("export five-jobs --policies fifo --format parquet --out", b"PAR1"),
        ("export five-jobs --policies fifo --format chrome --out", b"{"),
        ("export five-jobs --policies fifo --format paje --out", b"%EventDef"),
        ("export five-jobs --policies fifo,johnson --format html --out", b"<!doctype html>"),
        ("render five-jobs --policies fifo --size 400x300 --format png --out", b"\x89PNG"),
        ("render five-jobs --policies fifo --size 400x300 --format svg --out", b"<?xml"),
        ("page five-jobs --policies fifo,johnson --out", b"<!doctype html>"),
        ("generate facebook --jobs 3 --out", b"{"),
        ("deadlines five-jobs --factor 2 --out", b"{"),
    ],
)
def test_data_are_all_of_standard_output(command, begins, name, capfdbinary):
    assert run([*command.split(), name]) == 0
    data, said = capfdbinary.readouterr()
    assert data[: len(begins)].lower() == begins.lower()
    assert not data.rstrip().endswith(name.encode())
    assert name.encode() in said or b"makespan" in said
    if begins == b"{":
        json.loads(data)


def test_two_things_cannot_both_go_to_standard_output(capfd):
    assert run(["simulate", "five-jobs", "--json", "--csv", "-"]) == 2
    out, said = capfd.readouterr()
    assert not out
    assert "--json and --csv - both write to standard output" in said


def test_json_goes_beside_a_file(tmp_path, capfd):
    assert run(["simulate", "five-jobs", "--json", "--csv", str(tmp_path / "tasks.csv")]) == 0
    assert json.loads(capfd.readouterr().out)["makespan"] == 74


@pytest.mark.parametrize("command", ["render five-jobs --out", "export five-jobs --out"])
def test_standard_output_has_no_ending_that_names_a_format(command, capfd):
    assert run([*command.split(), "-"]) == 2
    assert "name the" in capfd.readouterr().err


@pytest.mark.parametrize(
    "command",
    ["simulate five-jobs --csv", "generate facebook --out", "export five-jobs --format jobs --out"],
)
def test_a_pipe_of_a_name_is_refused_before_anything_is_computed(command, tmp_path, capfd, monkeypatch):
    monkeypatch.setattr("explorer.cli.requests.RunOptions.single_run", None)  # would fail differently
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    assert run([*command.split(), str(pipe)]) == 2
    assert "it is a named pipe and no file" in capfd.readouterr().err
    assert pipe.is_fifo()


def test_a_reader_that_leaves_early_is_no_failure():
    code = "import sys; from explorer.cli.run import run; sys.exit(run(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "generate", "facebook", "--jobs", "2000", "--out", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (1, b"")

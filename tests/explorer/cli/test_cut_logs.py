"""That something is missing of a log is said by every command that takes one, beside its output and in it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.files.samples import load_sample
from core.files.workload_writing import write_workload
from core.model.cut_logs import CUT_LOG
from explorer.cli.run import COMMANDS, run
from tests.core.study.study_examples import DOCUMENT
from tests.paths import DATA

WHOLE = "The log is not whole"
"""How the sentence begins."""
CUT = f"{WHOLE}, so neither is what follows from it: night.log: what follows is lost."
BRIEF = ["--steps", "1"]

TAKES = {
    "simulate": ["LOG"],
    "compare": ["LOG", "--policies", "fifo,johnson"],
    "explain": ["LOG"],
    "optimize": ["LOG", *BRIEF],
    "fewest": ["LOG", "--until", "100000", *BRIEF],
    "split": ["LOG", "--total", "4", *BRIEF],
    "latest": ["LOG", "--job", "J1", "--until", "100000", *BRIEF],
    "halve": ["LOG", *BRIEF],
    "plan": ["LOG", "--by", "100000"],
    "sensitivity": ["LOG"],
    "what-if": ["LOG"],
    "forecast": ["LOG", "--at", "50%", "--runs", "19"],
    "submit": ["two-jobs-order", "--at", "50%", "--job", "LOG", "--runs", "19"],
    "fidelity": ["SPARK"],
    "predict": ["SPARK", "--slots", "4"],
    "executors": ["SPARK"],
    "scans": ["SCANS"],
    "fit": ["LOG", "--job", "J1"],
    "profile": ["LOG", "--policy", "fifo"],
    "library import": ["LOG", "--library", "OUT/library"],
    "import": ["SPARK", "--out", "OUT/night.workload.json"],
}
"""Commands that print JSON, with a log of which something is missing."""
WRITES = {
    "page": (["LOG", "--policies", "fifo"], "page.html"),
    "export": (["LOG", "--policies", "fifo", "--format", "html"], "report.html"),
    "render": (["LOG", "--policies", "fifo"], "chart.svg"),
    "deadlines": (["LOG", "--factor", "2"], "late.workload.json"),
    "scale": (["LOG", "--factor", "2"], "more.workload.json"),
    "generate": (["fitted", "--from", "LOG", "--job", "J1"], "drawn.workload.json"),
}
"""Commands that write a file, and its name."""
STUDIES = ("study run", "study show", "study compare", "study figure", "study page")
NO_LOG = (
    *("verify", "study figures", "study list", "policies", "samples", "rank", "test-policy", "bench"),
    *(
        "lesson list",
        "lesson show",
        "lesson check",
        "lesson pack",
        "lesson slides",
        "lesson worksheet",
        "lesson page",
    ),
    *("library list", "library show", "library compare", "library workload"),
    *("library delete", "library restore", "library empty-trash"),
)
"""Commands that open no log, and those of lessons, whose workloads are examples."""


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """Return what stands for words in the options: logs of which something is missing."""
    folder = tmp_path_factory.mktemp("cut")
    lines = (DATA / "spark.log").read_bytes().splitlines(keepends=True)
    (folder / "night.log").write_bytes(b"".join(lines[:30]))
    found = {"SPARK": str(folder / "night.log"), "OUT": str(folder)}
    for word, sample in (("LOG", "two-jobs-order"), ("SCANS", "ten-scans")):
        found[word] = str(folder / f"{sample}.workload.json")
        write_workload(replace(load_sample(sample), cut=CUT), Path(found[word]))
    return found


def typed(words, given):
    for word, value in given.items():
        words = [each.replace(word, value) for each in words]
    return words


def test_every_command_is_walked_over():
    walked = [*TAKES, *WRITES, *STUDIES, *NO_LOG]
    assert sorted(walked) == sorted(command.name for command in COMMANDS)


@pytest.mark.parametrize("name", TAKES)
def test_commands_say_it_beside_their_output_and_in_json(capsys, given, name):
    words = [*name.split(), *typed(TAKES[name], given)]
    assert run([*words, "--json"]) == 0
    printed = capsys.readouterr()
    assert WHOLE in json.dumps(json.loads(printed.out))
    if name not in ("fidelity", "import"):  # they print it themselves
        assert json.loads(printed.out)["cut"].startswith(WHOLE)
        assert printed.err.count(f"note: {WHOLE}") == 1
    assert run(words) == 0
    printed = capsys.readouterr()
    assert WHOLE in " ".join((printed.out + printed.err).split())


def test_a_whole_log_has_nothing_to_say(capsys):
    for words in (["simulate", "two-jobs-order"], ["sensitivity", str(DATA / "machine.swf")]):
        assert run([*words, "--json"]) == 0
        printed = capsys.readouterr()
        assert json.loads(printed.out)["cut"] is None
        assert WHOLE not in printed.err
    assert run(["policies", "--json"]) == 0
    assert run(["lesson", "show", "waves", "--json"]) == 0
    assert "cut" not in json.loads(capsys.readouterr().out.partition("\n]\n")[2])


@pytest.mark.parametrize("name", WRITES)
def test_files_say_it(capsys, given, tmp_path, qapp, name):
    words, file = WRITES[name]
    out = tmp_path / file
    assert run([*name.split(), *typed(words, given), "--out", str(out)]) == 0
    assert f"note: {WHOLE}" in capsys.readouterr().err
    assert (CUT_LOG if file.endswith(".svg") else CUT) in out.read_text()


def test_studies_say_it_when_they_run_and_of_their_results(capsys, given, tmp_path):
    study, out = tmp_path / "night.study.json", str(tmp_path / "out")
    axes = [{"name": "policy", "fields": ["policy.id"], "values": ["fifo", "johnson"]}]
    base = {"workload": {"file": given["LOG"]}, "estimates": {"error": 0.3}}
    figures = [{"title": "Makespan", "kind": "bars", "x": "policy", "y": "makespan"}]
    head = {key: DOCUMENT[key] for key in ("format", "version")}
    document = head | {
        "name": "Night",
        "base": base,
        "axes": axes,
        "measures": ["makespan"],
        "repetitions": 2,
        "seeds": ["estimates.seed"],
    }
    study.write_text(json.dumps(document | {"figures": figures}))
    for words in (
        ["study", "run", str(study), "--out", out, "--workers", "1"],
        ["study", "show", out],
        ["study", "compare", out],
    ):
        assert run([*words, "--json"]) == 0
        printed = capsys.readouterr()
        assert json.loads(printed.out)["cut"] == CUT
        assert printed.err.count(WHOLE) == 1
    assert run(["study", "figure", out, "--figure", "1"]) == 0
    assert WHOLE in capsys.readouterr().err
    page = tmp_path / "study.html"
    assert run(["study", "page", out, "--out", str(page)]) == 0
    assert CUT in page.read_text()

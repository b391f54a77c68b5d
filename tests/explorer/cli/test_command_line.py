"""The command line is a contract: scripts rely on its output and exit codes."""

from __future__ import annotations

import csv
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.engine import compile_cache
from core.files.resources import resource_path
from core.files.samples import load_sample
from core.model.schedule import PolicyChoice
from core.model.visible_text import visible
from core.policies.user_files.policy_process import PROCESSES, register_file
from core.simulation import engine_selection
from core.simulation import simulate as front
from explorer.cli import screen
from explorer.cli.run import run
from tests.paths import ROOT


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(arguments) == 0
    return capsys.readouterr().out


def words_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the output as if every sentence stood in one line."""
    return " ".join(output_of(capsys, *arguments).split())


def json_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    return json.loads(output_of(capsys, *arguments, "--json"))


def error_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    begins = ("slotscope: error: ", "slotscope: note: The log is not whole")
    assert all(line.startswith(begins) for line in captured.err.splitlines())
    return captured.err


def test_simulate_prints_the_promised_object(capsys):
    answer = json_of(capsys, "simulate", "five-jobs", "--policy", "johnson")
    assert answer["makespan"] == 47
    assert answer["lower_bound"] == 47
    assert answer["estimated"] == 47
    assert answer["policy"] == {"id": "johnson", "parameters": {"estimate": "printed"}}
    assert answer["workload"] == {"name": "Five jobs", "jobs": 5, "maps": 150, "reduces": 150}
    assert answer["cut"] is None
    assert answer["cluster"] == {
        "map_slots": 30,
        "reduce_slots": 30,
        "slowstart": 1.0,
        "shuffle_model": "simmr",
    }
    assert answer["events"] == 2 * 300 + 3 * 5
    assert answer["simulate_seconds"] > 0
    assert "tasks" not in answer
    assert answer["jobs"][1] == {
        "name": "J2",
        "arrival": 0,
        "start": 0,
        "map_end": 1,
        "end": 5,
        "deadline": None,
    }


def test_tasks_are_listed_with_slots_counted_over_both_kinds(capsys):
    tasks = json_of(capsys, "simulate", "five-jobs", "--policy", "johnson", "--tasks")["tasks"]
    assert len(tasks) == 300
    assert tasks[0] == {
        "job": "J1",
        "kind": "map",
        "index": 0,
        "slot": 0,
        "start": 3,
        "shuffle_end": 3,
        "end": 7,
    }
    reduces = [task for task in tasks if task["kind"] == "reduce"]
    assert {task["slot"] for task in reduces} == set(range(30, 60))
    assert [task["index"] for task in reduces[:30]] == list(range(30))


@pytest.mark.parametrize(
    ("sample", "options", "makespan"),
    [
        ("two-jobs-order", ["--policy", "order", "--order", "J1,J2"], 42),
        ("two-jobs-order", ["--order", "J2,J1"], 24),
        ("two-jobs-order", ["--policy", "order", "-p", "order=J2,J1"], 24),
        ("two-jobs-fair", ["--policy", "fifo"], 30),
        ("two-jobs-fair", ["--policy", "fair"], 40),
        ("five-jobs", ["--policy", "johnson-reverse"], 78),
        ("five-jobs-pools", ["--policy", "johnson"], 47),
        ("overlap-waves", ["--policy", "fair"], 6),
        ("dynamic-slots", ["--policy", "fair"], 62),
        ("dynamic-slots", ["--policy", "dhfs-pi"], 17),
    ],
)
def test_golden_numbers_of_the_papers(capsys, sample, options, makespan):
    assert json_of(capsys, "simulate", sample, *options)["makespan"] == makespan


def test_options_change_the_cluster(capsys):
    answer = json_of(
        capsys,
        "simulate",
        "five-jobs",
        "--map-slots",
        "60",
        "--reduce-slots",
        "15",
        "--slowstart",
        "0.5",
        "--shuffle",
        "overlap",
    )
    assert answer["cluster"] == {
        "map_slots": 60,
        "reduce_slots": 15,
        "slowstart": 0.5,
        "shuffle_model": "overlap",
    }
    containers = json_of(capsys, "simulate", "five-jobs", "--containers", "60")
    assert containers["cluster"]["containers"] == 60


def test_maps_slow_one_another_on_nodes(capsys):
    nodes = ("simulate", "five-jobs", "--nodes", "15x4GB,4")
    fast = json_of(capsys, *nodes)
    slow = json_of(capsys, *nodes, "--contention", "0.5")
    assert slow["cluster"]["contention"] == [0.5]
    assert slow["makespan"] > fast["makespan"]
    assert json_of(capsys, *nodes, "--contention", "1,1")["makespan"] == fast["makespan"]
    mild = json_of(capsys, *nodes, "--contention", "1,1,1,1,0.5")
    slower = json_of(capsys, *nodes, "--contention", "1,1,1,1,0.5", "--reduce-load", "1.5")
    assert slower["cluster"]["reduce_load"] == 1.5
    assert slower["makespan"] > mild["makespan"]


@pytest.mark.parametrize("which", [("three-pools",), ("five-jobs", "--containers", "60")])
def test_no_estimate_is_told_of_later_arrivals_or_of_containers(capsys, which):
    policies = ("--policies", "johnson,edf-max")
    answer = json_of(capsys, "compare", *which, *policies)
    assert answer["estimates"] is None
    assert [row["estimated"] for row in answer["rows"]] == [None, None]
    assert "Estimated" not in output_of(capsys, "compare", *which, *policies)
    assert json_of(capsys, "simulate", *which, "--policy", "johnson")["estimated"] is None


def test_the_upper_bound_asks_for_more_slots(capsys):
    """Of three pools, whose jobs all have deadlines; unless something else is asked for it is taken."""
    makespans = [
        json_of(capsys, "simulate", "three-pools", "--policy", "edf-min", *choice)["makespan"]
        for choice in ((), ("-p", "estimate=mean"), ("-p", "estimate=up"), ("-p", "estimate=low"))
    ]
    assert makespans[0] == makespans[2]
    assert makespans[2] < makespans[1] < makespans[3]


def test_compare_has_the_baseline_first(capsys):
    answer = json_of(capsys, "compare", "five-jobs", "--policies", "fifo,johnson,fair")
    assert answer["baseline"] == "fifo"
    assert answer["estimates"] == {"min": 47, "max": 78}
    assert [row["policy"] for row in answer["rows"]] == ["fifo", "johnson", "fair"]
    fifo, johnson, fair = answer["rows"]
    assert fifo["change"] == 0
    assert math.isclose(johnson["change"], 47 / 74 - 1)
    assert math.isclose(johnson["gap"], 0, abs_tol=1e-12)
    assert fair["estimated"] is None
    assert {"lower_bound", "mean_response", "mean_stretch", "map_utilisation", "late_jobs"} <= fifo.keys()


def test_compare_takes_an_order_for_the_policy_order(capsys):
    answer = json_of(capsys, "compare", "two-jobs-order", "--policies", "fifo,order", "--order", "J2,J1")
    assert [row["makespan"] for row in answer["rows"]] == [42, 24]


def test_tables_name_every_job_as_plain_text(capsys, tmp_path):
    path = tmp_path / "markup.workload.json"
    job = {"name": "[red]<b>J1</b>[/red]", "maps": {"count": 1, "durations": 2}}
    document = {"format": "slotscope-workload", "version": 1, "name": "[bold]x", "jobs": [job]}
    path.write_text(json.dumps(document))
    printed = output_of(capsys, "simulate", str(path))
    assert "[red]<b>J1</b>[/red]" in printed
    assert "[bold]x" in printed


def test_csv_holds_every_task(capsys, tmp_path):
    path = tmp_path / "tasks.csv"
    output_of(capsys, "simulate", "two-jobs-order", "--csv", str(path))
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert len(rows) == 120
    assert rows[0]["job"] == "J1"


def test_policies_and_samples_are_listed(capsys, monkeypatch):
    policies = json.loads(output_of(capsys, "policies", "--json"))
    known = [policy["id"] for policy in policies]
    assert known[:2] == ["fifo", "order"]
    assert {"sjf", "johnson", "johnson-reverse", "balanced-pools", "edf-max", "edf-min", "fair"} <= set(known)
    assert set(policies[1]["parameters"][0]) >= {"name", "type", "default", "min", "max", "unit", "help"}
    monkeypatch.setenv("COLUMNS", "2000")
    text = output_of(capsys, "policies")
    for policy in policies:
        for parameter in policy["parameters"]:
            assert all(choice in text for choice in parameter.get("choices", ()))
    samples = json.loads(output_of(capsys, "samples", "--json"))
    text = output_of(capsys, "samples")
    assert all(sample["name"] in text and sample["look"] in text for sample in samples)
    pools = next(sample for sample in samples if sample["name"] == "five-jobs-pools")
    assert pools["scenarios"] == [
        {"policy": "johnson", "makespan": 47},
        {"policy": "balanced-pools", "makespan": 40},
    ]


def test_generate_writes_a_document_that_simulates(capsys, tmp_path):
    path = tmp_path / "made.workload.json"
    text = output_of(capsys, "generate", "synthetic1", "--seed", "7", "--jobs", "5", "--out", str(path))
    assert "5 jobs" in text
    first = json_of(capsys, "simulate", str(path))
    output_of(capsys, "generate", "synthetic1", "--seed", "7", "--jobs", "5", "--out", str(path))
    again = json_of(capsys, "simulate", str(path))
    assert first["makespan"] == again["makespan"] > 0


def test_deadlines_are_drawn_with_a_workload_or_for_one(capsys, tmp_path):
    made, timed, plain = (str(tmp_path / f"{name}.workload.json") for name in ("made", "timed", "plain"))
    common = ("--seed", "7", "--jobs", "5")
    output_of(capsys, "generate", "synthetic1", *common, "--deadline-factor", "1.5", "--out", made)
    output_of(capsys, "generate", "synthetic1", *common, "--out", plain)
    text = output_of(capsys, "deadlines", plain, "--factor", "1.5", "--seed", "7", "--out", timed)
    assert "5 jobs with deadlines, seed 7" in text
    first, second = (json_of(capsys, "simulate", path)["jobs"] for path in (made, timed))
    assert [job["deadline"] for job in first] == [job["deadline"] for job in second]
    assert all(job["deadline"] > 0 for job in first)
    few = ("--map-slots", "3", "--reduce-slots", "2")
    output_of(capsys, "deadlines", plain, "--factor", "1.5", "--seed", "7", *few, "--out", timed)
    longer = json_of(capsys, "simulate", timed)["jobs"]
    assert all(one["deadline"] > other["deadline"] for one, other in zip(longer, first, strict=True))
    refused = ("--factor", "0.5", "--out", timed)
    assert "the deadline factor is 0.5; give a number from 1" in error_of(
        capsys, "deadlines", plain, *refused
    )


def test_a_policy_file_runs(capsys, tmp_path):
    path = tmp_path / "last.py"
    path.write_text(
        "from core.policies.policy import Policy\n"
        "class LastFirst(Policy):\n"
        '    """Serve the last job first."""\n'
        "    def key(job, kind): return -job.rank\n"
    )
    answer = json_of(capsys, "simulate", "two-jobs-order", "--policy-file", str(path))
    assert answer["policy"]["id"] == "last-first"
    assert answer["makespan"] == 24


@pytest.mark.parametrize("arguments", [["--safe"], ["--safe", "five-jobs"], ["five-jobs", "--safe"]])
def test_a_safe_start_is_of_the_window(capsys, monkeypatch, arguments):
    opened = []
    monkeypatch.setattr(
        "explorer.cli.run._open_window", lambda words, *, safe: opened.append((words, safe)) or 0
    )
    assert run(arguments) == 0
    assert run([word for word in arguments if word != "--safe"]) == 0
    files = [word for word in arguments if word != "--safe"]
    assert opened == [(files, True), (files, False)]
    error = error_of(capsys, "--safe", "simulate", "five-jobs")
    assert "--safe is for the window, which 'simulate' does not open" in error


@pytest.fixture
def fresh_processes():
    """Policy processes that begin in this test and end with it: what they import from stays here."""
    PROCESSES.close()
    yield
    PROCESSES.close()


def test_files_that_run_with_a_policy_file_are_named(capsys, tmp_path, monkeypatch, fresh_processes):
    path, helper, elsewhere = tmp_path / "last.py", tmp_path / "helper.py", tmp_path / "elsewhere"
    path.write_text(
        "from core.policies.policy import Policy\nfrom helper import sign\n"
        "class LastFirst(Policy):\n    def key(job): return sign(job.rank)\n"
    )
    elsewhere.mkdir()
    (elsewhere / "helper.py").write_text("raise SystemExit\n")
    monkeypatch.syspath_prepend(str(elsewhere))
    monkeypatch.chdir(elsewhere)
    command = ("simulate", "two-jobs-order", "--policy-file", str(path))
    error = error_of(capsys, *command)
    assert error.startswith(
        f"slotscope: error: {path}:2: imports helper, which was not agreed to: {elsewhere}"
    )
    helper.write_text("def sign(number): return -number\n")
    assert run([*command, "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["makespan"] == 24
    assert captured.err == f"slotscope: note: {path} runs with {helper}\n"


def test_the_template_is_the_beginning_of_a_policy(capsys, tmp_path):
    assert "class MyPolicy(Policy):" in output_of(capsys, "policies", "--template")
    path = tmp_path / "longest_first.py"
    path.write_text(output_of(capsys, "policies", "--template", "longest-first"))
    answer = json_of(capsys, "compare", "five-jobs", "--policies", "fifo", "--policy-file", str(path))
    assert [row["policy"] for row in answer["rows"]] == ["fifo", "longest-first"]
    assert "a policy cannot be called '3rd'" in error_of(capsys, "policies", "--template", "3rd")


@pytest.mark.parametrize(
    ("body", "line", "sentence"),
    [
        (
            "def key(job): return 1 / job.rank",
            3,
            "policy mine raised ZeroDivisionError at 0:00: division by zero",
        ),
        ("def key(job) return 1", 3, "expected ':' (SyntaxError)"),
        ("def admits(): return False", 0, "policy mine stalled at 0:00: no task can end. Waiting: J1 (map)"),
    ],
)
def test_an_error_in_a_policy_file_is_the_users_with_its_line(capsys, tmp_path, body, line, sentence):
    path = tmp_path / "mine.py"
    path.write_text(f"from core.policies.policy import Policy\nclass Mine(Policy):\n    {body}\n")
    error = error_of(capsys, "simulate", "two-jobs-order", "--policy-file", str(path))
    place = f"{path}:{line}" if line else path
    assert error.startswith(f"slotscope: error: {place}: {sentence}")
    assert (body in error) == bool(line)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["simulate", "five-jobs", "--policy", "jonson"], "did you mean 'johnson'?"),
        (["simulate", "five-job"], "did you mean 'five-jobs'?"),
        (["simulate", "five-jobs", "--map-slots", "1000000"], "1000000"),
        (["simulate", "five-jobs", "--map-slots", "0"], "no map slot"),
        (["simulate", "five-jobs", "--slowstart", "nan"], "slowstart"),
        (["simulate", "five-jobs", "--order", "J1,J9"], "J9"),
        (["simulate", "five-jobs", "--order", "J1,J1"], "twice"),
        (["simulate", "five-jobs", "-p", "weight=3"], "weight"),
        (["simulate", "five-jobs", "-p", "weight"], "name=value"),
        (["simulate", "five-jobs", "--containers", "4", "--map-slots", "3"], "--containers"),
        (["simulate", "five-jobs", "--shuffle", "magic"], "magic"),
        (["simulate", "five-jobs", "--contention", "1,0.5"], "give --nodes"),
        (
            ["simulate", "five-jobs", "--nodes", "4x4GB,4", "--contention", "1,x"],
            "give the speed of a map alone",
        ),
        (["simulate", "five-jobs", "--nodes", "4x4GB,4", "--contention", "2"], "contention[0]"),
        (["simulate"], "required"),
        (["compare", "five-jobs", "--policies", ","], "empty"),
        (["compare", "five-jobs", "--policies", "fifo", "--order", "J1"], "--order"),
        (["render", "five-jobs", "--policies", "fifo", "--out", "x.bmp"], "png"),
        (["render", "five-jobs", "--policies", "fifo", "--out", "x.png", "--size", "wide"], "--size"),
        (["generate", "facebok", "--out", "x.json"], "did you mean 'facebook'?"),
        (["import", "/nowhere/at/all", "--out", "x.json"], "/nowhere/at/all"),
        (["frobnicate"], "frobnicate"),
        (["five-jobs", "--helb"], "unknown option '--helb'; did you mean --help?"),
        (["--safer", "five-jobs"], "unknown option '--safer'"),
        (["simulate", "five-jobs", "--policie=fifo"], "unknown option '--policie'; did you mean --policy?"),
        (["simulate", "five-jobs", "six"], "'six' is one word too many (see 'slotscope simulate --help')"),
        (["simulate", "five-jobs", "-p", "x=1"], "unknown parameter of policy fifo 'x'; it has none"),
        (
            ["simulate", "five-jobs", "--policy", "flex", "-p", "metrc=1"],
            "did you mean 'metric'? Known are metric, service_levels",
        ),
        (["simulate", "five-jobs", "--order", "J1\nJ2"], "write J2,J1 in one line"),
        (["simulate", "five-jobs", "--nodes", "1" * 5000], "give nodes as number x memory, cores"),
        (["scans", "ten-scans", "--window", "1e40"], "window is 1e+40"),
        (["scans", "ten-scans", "--load", "nan"], "load is nan"),
        (["library", "list", "--library", "n" * 300], "file name too long"),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_code_2(capsys, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    assert sentence in error_of(capsys, *arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("body", ["key = int", "order = len", "partition = str", "admits = print"])
def test_a_hook_that_is_no_function_of_python_is_refused_with_its_place(capsys, tmp_path, body):
    path = tmp_path / "mine.py"
    path.write_text(f"from core.policies.policy import Policy\nclass Mine(Policy):\n    {body}\n")
    error = error_of(capsys, "simulate", "two-jobs-order", "--policy-file", str(path))
    assert f"{path}:3: policy mine: {body.split()[0]} is " in error
    assert f"give a function: def {body.split()[0]}(...)" in error


def test_a_partition_that_is_none_is_told_with_its_line(capsys, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from core.policies.policy import Policy\nclass Mine(Policy):\n    def partition(): return 5\n"
    )
    error = error_of(capsys, "simulate", "two-jobs-order", "--policy-file", str(path))
    assert f"{path}:3: policy mine: partition returned 5; return a Partition" in error


def test_what_no_library_can_keep_is_refused(capsys):
    assert "no file can keep" in error_of(capsys, "library", "list", "--application", "\ud800")


def test_files_with_an_option_that_asks_for_help_get_help(capsys):
    with pytest.raises(SystemExit) as left:
        run(["five-jobs", "--help"])
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith("usage: slotscope")


@pytest.mark.parametrize("columns", ["0", "1", "-3", "many", "9" * 30])
def test_no_width_of_a_terminal_takes_the_words_away(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    answer = output_of(capsys, "compare", "five-jobs", "--policies", "fifo")
    assert "makespan" in answer
    assert "1 min 14 s" in answer
    with pytest.raises(SystemExit):
        run(["compare", "--help"])
    assert "a workload document" in capsys.readouterr().out


def test_sentences_are_wrapped_between_words_as_wide_as_the_screen(capsys, monkeypatch):
    text = output_of(capsys, "explain", "five-jobs", "--policy", "fifo")
    assert "The slots waited for were held by J3 (30 s), J4 (28 s), J1 (4 s) and J2 (1 s)." in text
    assert max(map(len, text.splitlines())) <= 80
    assert "a reduce slot idles\n28 s (no task is ready), on average." in text
    monkeypatch.setenv("COLUMNS", "200")
    assert "(no task is ready), on average." in output_of(capsys, "explain", "five-jobs", "--policy", "fifo")


def test_a_wrapped_line_stays_indented_and_no_word_is_cut(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    path = f"/{'long/' * 10}name-of-a-file"
    screen.print_line(f"first line\n  1. the second one is written to\n  {path} and goes on after it")
    assert capsys.readouterr().out.splitlines() == [
        "first line",
        "  1. the second one is written to",
        f"  {path}",
        "  and goes on after it",
    ]


EVIL = "\x1b]0;owned\x07[red]J\x9b31m\u202e"
SHOWN = r"\x1b]0;owned\x07[red]J\x9b31m\u202e"


def test_no_name_reaches_the_terminal_but_as_letters(capsys, monkeypatch, tmp_path):
    """Neither of a file, nor in an error, a table, a line or a note."""
    monkeypatch.chdir(tmp_path)
    assert f"unknown command or file '{SHOWN}'" in error_of(capsys, EVIL)
    Path(EVIL).write_text("no workload")
    assert SHOWN in error_of(capsys, "simulate", EVIL)
    screen.print_table(EVIL, (">a", "b"), [(1.0, EVIL)], EVIL)
    screen.print_line(f"{EVIL}\n{EVIL}")
    screen.print_note(EVIL)
    captured = capsys.readouterr()
    assert captured.out.replace("\n", "").count(SHOWN) == 5
    assert captured.err == f"slotscope: note: {SHOWN}\n"
    assert visible(said := captured.out + captured.err, "\n") == said


def test_json_has_the_names_themselves_and_no_control_characters(capsys):
    screen.print_json({EVIL: [EVIL, "\ud800"]})
    text = capsys.readouterr().out
    assert json.loads(text) == {EVIL: [EVIL, "\ud800"]}
    assert visible(text, "\n") == text


def test_a_terminal_of_few_letters_is_no_obstacle():
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "explorer", "simulate", "five-jobs"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, check=True, timeout=60)
    assert b"fifo" in done.stdout


def test_all_problems_of_a_file_come_at_once(capsys, tmp_path):
    path = tmp_path / "bad.workload.json"
    jobs = [
        {"name": "J1", "maps": {"count": 2, "durations": -1}},
        {"name": "J1", "maps": {"count": 1, "durations": 1}, "colour": "red"},
    ]
    path.write_text(json.dumps({"format": "slotscope-workload", "version": 1, "name": "x", "jobs": jobs}))
    text = error_of(capsys, "simulate", str(path))
    assert len(text.splitlines()) >= 2
    assert "jobs[0].maps.durations" in text
    assert "colour" in text


def test_core_commands_do_not_import_qt():
    code = (
        "import sys; from explorer.cli.run import run\n"
        "for words in (['simulate', 'five-jobs'], ['compare', 'five-jobs', '--policies', 'fifo,fair'],\n"
        "              ['policies'], ['samples']):\n"
        "    assert run(words) == 0\n"
        "assert not [m for m in sys.modules if m.startswith(('PySide6', 'pyqtgraph', 'shiboken6'))]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60)


def test_help_and_lists_load_no_engine():
    code = (
        "import contextlib, sys; from explorer.cli.run import run\n"
        "with contextlib.suppress(SystemExit):\n"
        "    run(['--help'])\n"
        "assert 'numpy' not in sys.modules\n"
        "for words in (['policies'], ['samples']):\n"
        "    assert run(words) == 0\n"
        "assert not [m for m in sys.modules if m.startswith(('numba', 'pandas', 'scipy', 'core.logs'))]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60)


def test_render_needs_no_display(tmp_path):
    """One process draws all kinds of pictures: to begin one takes longer than to draw."""
    code = """
import sys
from explorer.cli.run import run

draw = ["render", "five-jobs", "--policies", "fifo,johnson", "--size", "800x600", "--out"]
sys.exit(max(run([*draw, path]) for path in sys.argv[1:]))
"""
    heads = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF"}
    paths = {ending: tmp_path / f"picture.{ending}" for ending in heads}
    subprocess.run(
        [sys.executable, "-c", code, *map(str, paths.values())],
        check=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        cwd=ROOT,
        timeout=120,
    )
    for ending, head in heads.items():
        assert head in paths[ending].read_bytes()[:2000], ending


def test_render_draws_rows_by_pool(tmp_path):
    pictures = []
    for rows in ("slot", "pool"):
        path = tmp_path / f"{rows}.png"
        words = ["render", "three-pools", "--policies", "fair", "--out", str(path), "--size", "700x400"]
        assert run([*words, "--rows", rows]) == 0
        pictures.append(path.read_bytes())
    assert pictures[0] != pictures[1]


def test_pools_are_told(capsys):
    """Of BalancedPools one sees which pools it found, as a table and as JSON."""
    told = json.loads(
        output_of(capsys, "simulate", "five-jobs-pools", "--policy", "balanced-pools", "--json")
    )
    assert told["makespan"] == 40
    assert told["policy"]["pools"] == [
        {"name": "Small jobs", "map_slots": 20, "reduce_slots": 20, "makespan": 40.0, "jobs": ["J4", "J3"]},
        {
            "name": "Large jobs",
            "map_slots": 10,
            "reduce_slots": 10,
            "makespan": 39.0,
            "jobs": ["J2", "J5", "J1"],
        },
    ]
    table = output_of(capsys, "simulate", "five-jobs-pools", "--policy", "balanced-pools")
    assert "Small jobs         20            20     2      40 s" in table


SORTING = '''from core.policies.policy import Policy


class Sorting(Policy):
    """Look at the two kinds of task in order."""

    def key(job):
        return sorted((job.tasks[0], job.tasks[1]))[0]
'''


def test_picks_that_fit_no_job_are_said_beside_the_output(capsys):
    picks = "picks=J2.map.1-30, J9.map.1"
    assert run(("simulate", "two-jobs-order", "--policy", "by-hand", "-p", picks, "--json")) == 0
    captured = capsys.readouterr()
    assert "passed over: 'J9.map.1'; tasks that were not picked follow as FIFO has them." in captured.err
    assert json.loads(captured.out)["makespan"] == 24


def test_why_a_policy_ran_interpreted_is_said_beside_the_output(capsys, tmp_path):
    """Compiled code has to be wanted for that: for a few tasks nobody waits for a compiler."""
    path = tmp_path / "sorting.py"
    path.write_text(SORTING, encoding="utf-8")
    example = register_file(resource_path("policies", "smallest_first.py"))
    choice, workload = PolicyChoice(example.id), load_sample("five-jobs")
    front.simulate(workload, workload.cluster, choice, engine="compiled")
    reason = "line 8 calls sorted, which cannot be compiled"
    for command in (("simulate",), ("compare", "--policies", "fifo")):
        assert run((*command, "five-jobs", "--policy-file", str(path), "--json")) == 0
        captured = capsys.readouterr()
        assert captured.err == f"slotscope: note: sorting ran interpreted: {reason}\n"
        answer = json.loads(captured.out)
        said = [row["interpreted_because"] for row in answer.get("rows", [answer])]
        assert said == ([None, reason] if command[0] == "compare" else [reason])


def test_code_that_was_damaged_on_the_disk_is_told_once_on_stderr(capsys, monkeypatch):
    monkeypatch.setattr(compile_cache, "_damaged", [Path("a"), Path("b")])
    assert run(["simulate", "five-jobs", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["makespan"] == 74
    assert captured.err == "slotscope: note: 2 files of compiled code were damaged, and made anew\n"
    assert run(["simulate", "five-jobs", "--json"]) == 0
    assert capsys.readouterr().err == ""


def test_what_is_compiled_is_said_beside_the_output(capsys, monkeypatch):
    simulate = front.simulate

    def compiles(*run, on_compiling, **options):
        on_compiling(7.6)
        return simulate(*run, **options)

    monkeypatch.setattr(front, "simulate", compiles)
    assert run(("simulate", "five-jobs", "--policy", "sjf", "--json")) == 0
    assert capsys.readouterr().err == "slotscope: note: compiling sjf for 5 jobs (about 8 s)\n"


def test_a_long_search_for_pools_is_said_before_it_begins(capsys, monkeypatch):
    monkeypatch.setattr(engine_selection, "TRIAL_OF_TASK", 0.1)
    assert run(("simulate", "five-jobs", "--policy", "balanced-pools", "--json")) == 0
    said = "slotscope: note: searching pools for 5 jobs (about 15 min of a processor; Ctrl+C stops it)\n"
    assert capsys.readouterr().err == said

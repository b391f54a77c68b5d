"""`slotscope optimize` and the questions asked backwards: what they print, and that it is so."""

from __future__ import annotations

import json
import re
import signal

import pytest

from core.files.plan_document import plan_from_json, read_plan
from core.files.samples import load_sample
from core.files.session_document import read_session
from core.model.cluster import Cluster
from core.model.levers import JobPlan, StagePlan
from core.model.plan import Plan
from core.optimize import chains
from core.optimize.evaluate import makespans
from core.optimize.lever_worths import LeverWorth, order_worth_text
from core.optimize.objectives import Objective
from core.optimize.wrong_results import failures_folder
from explorer.cli.optimize import _print_plan
from explorer.cli.run import run
from explorer.cli.searching import load_search, until_interrupted
from explorer.optimize.compiling import ON_COMMAND_LINE
from tests.explorer.cli.test_command_line import error_of, json_of, output_of, words_of

FEW = ("--steps", "40")


def test_that_a_search_is_compiled_first_is_said_before_it_begins(capsys, monkeypatch):
    said = []
    monkeypatch.setattr(chains, "load_compiled", lambda *_: said.append(capsys.readouterr().err))
    for is_there, note in ((False, f"slotscope: note: {ON_COMMAND_LINE}\n"), (True, "")):
        monkeypatch.setattr(chains, "is_compiled", lambda is_there=is_there: is_there)
        load_search()
        assert said.pop() == note
        assert capsys.readouterr().err == ""
    assert "begins after that" in ON_COMMAND_LINE


def test_optimize_prints_the_promised_object(capsys, tmp_path):
    out = tmp_path / "best.plan.json"
    answer = json_of(capsys, "optimize", "five-jobs-pools", *FEW, "--out", str(out))
    assert list(answer) == [
        "objective",
        "start",
        "best",
        "bound",
        "gap",
        "proved",
        "why_not_proved",
        "evaluations",
        "seconds",
        "levers",
        "slot_prices",
        "plan",
        "cut",
    ]
    workload = load_sample("five-jobs-pools")
    plan = plan_from_json(answer["plan"], "answer")
    assert read_plan(out) == plan
    assert makespans(workload, workload.cluster, [plan]) == [answer["best"]]
    assert answer["bound"] <= answer["best"] <= answer["start"]
    assert answer["gap"] == answer["best"] / answer["bound"] - 1
    levers = ["order", "slowstart", "tasks", "across", "pools", "starts"]
    assert [each["lever"] for each in answer["levers"]] == levers
    assert answer["levers"][-1] == {"lever": "starts", "best": answer["best"], "gap": answer["gap"]}
    again = json_of(capsys, "optimize", "five-jobs-pools", *FEW)
    assert again | {"seconds": 0} == answer | {"seconds": 0}


def test_a_workload_without_a_name_has_a_heading_and_its_bound_a_premise(capsys, tmp_path):
    path = tmp_path / "nameless.json"
    stage = '{"count": 3, "durations": 6}'
    path.write_text(
        '{"format": "slotscope-workload", "version": 1, "cluster": {"map_slots": 2, "reduce_slots": 2}, '
        f'"jobs": [{{"name": "A", "maps": {stage}}}, {{"name": "B", "maps": {stage}, "reduces": {stage}}}]}}'
    )
    text = words_of(capsys, "optimize", str(path), *FEW)
    assert text.startswith("2 map + 2 reduce slots")
    assert "s without lending slots:" in text or "optimal without lending slots" in text


def test_optimal_is_said(capsys):
    text = words_of(capsys, "optimize", "five-jobs", *FEW)
    assert "47 s: optimal without lending slots, proved" in text
    assert "All orders" not in text


def test_what_is_below_its_bound_is_a_failure_of_ours(capsys, monkeypatch):
    monkeypatch.setattr(Objective, "bound", lambda *_: 1e6)
    assert run(["optimize", "five-jobs", *FEW]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "slotscope: error: a failure of ours: a schedule of " in captured.err
    [kept] = failures_folder().iterdir()
    assert str(kept) in captured.err
    assert read_session(kept).state.workload == load_sample("five-jobs")


def test_that_no_order_is_better_is_said(capsys):
    text = output_of(capsys, "optimize", "five-jobs-pools", *FEW, "--levers", "order,slowstart")
    assert "All orders were tried, and none is better; another lever may be." in text
    assert "all orders tried" in text
    worths = (LeverWorth("order", 41.0, 0.1, True), LeverWorth("pools", 40.0, 0.09, False))
    assert order_worth_text(worths) == "All orders were tried, and none is better; another lever is."


def test_before_the_search_is_the_order_to_start_from(capsys):
    given = ("optimize", "five-jobs", *FEW, "--start", "J5,J4,J3,J2,J1")
    plan = Plan.of_order(["J5", "J4", "J3", "J2", "J1"])
    workload = load_sample("five-jobs")
    assert json_of(capsys, *given)["start"] == makespans(workload, workload.cluster, [plan])[0]
    assert "before the search" in output_of(capsys, *given)
    text = output_of(capsys, *given[:-2])
    assert "best without a search" in text
    assert "before the search" not in text


def test_an_order_begins_the_search_and_jobs_are_kept_in_turn(capsys, tmp_path):
    out = tmp_path / "best.plan.json"
    given = ("--start", "J5,J4,J3,J2,J1", "--before", "J3:J2", "--levers", "order", "--out", str(out))
    output_of(capsys, "optimize", "five-jobs", *FEW, *given)
    dues = {job.name: job.maps.due for job in read_plan(out).jobs}
    assert dues["J3"] <= dues["J2"]
    assert output_of(capsys, "optimize", "five-jobs", "--steps", "1", "--start", str(out), "--pin", "J3")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--levers", "ordr"), "did you mean 'order'"),
        (("--levers", ","), "--levers is empty"),
        (("--objective", "makespn"), "did you mean 'makespan'"),
        (("--pin", "J9"), "'J9'"),
        (("--start", "J1,J9"), "'J9'"),
        (("--before", "J1"), "give two jobs as A:B"),
        (("--before", "J1:J9"), "'J9'"),
        (("--steps", "3", "--seconds", "2"), "give one of them"),
        (("--steps", "0"), "give at least 1"),
        (("--seconds", "0"), "give a number above 0"),
        (("--objective", "late-jobs"), "no job of Five jobs has a deadline"),
        (
            ("--before", "J1:J2", "--before", "J2:J1"),
            "'J1' is to go before 'J2', and 'J2' is to go before 'J1'; no",
        ),
        (("--before", "J1:J1"), "'J1' is to go before 'J1'; no order can be so"),
        (("--seconds", "9999", "--out", "/nowhere/best.plan.json"), "the folder '/nowhere' does not exist"),
        (("--robust", "9"), "--robust is 9; give a number from 0 to 3"),
        (("--robust-per", "task"), "--robust-per says how durations are wrong; give --robust 0.3, too"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(capsys, options, reason):
    assert reason in error_of(capsys, "optimize", "five-jobs", *options)


def test_ctrl_c_ends_the_search_and_twice_the_command():
    with until_interrupted() as should_stop:
        assert not should_stop()
        signal.raise_signal(signal.SIGINT)
        assert should_stop()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_fewest_slots(capsys):
    answer = json_of(capsys, "fewest", "five-jobs", "--until", "50", *FEW)
    assert (answer["too_few"], answer["enough"], answer["proved"]) == (29, 30, True)
    assert answer["makespan"] <= 50
    plan = plan_from_json(answer["plan"], "answer")
    assert makespans(load_sample("five-jobs"), Cluster(30, 30, 1.0), [plan]) == [answer["makespan"]]
    text = output_of(capsys, "fewest", "five-jobs", "--until", "50", *FEW, "--vary", "maps")
    assert "map slots" in text
    assert "--until" in error_of(capsys, "fewest", "five-jobs")
    assert "the fewest nodes cannot be asked" in error_of(
        capsys, "fewest", "five-jobs", "--until", "50", "--vary", "nodes"
    )


def test_best_split(capsys):
    answer = json_of(capsys, "split", "five-jobs", "--total", "60", *FEW)
    best = answer["best"]
    assert best["map_slots"] + best["reduce_slots"] == 60
    assert best["makespan"] == 47
    assert answer["others_gain"] == 0
    text = words_of(capsys, "split", "five-jobs", "--total", "60", *FEW)
    assert "on no other split can a schedule end sooner" in text


def test_latest_arrival(capsys):
    given = ("latest", "five-jobs", "--job", "J3", "--until", "55", *FEW)
    answer = json_of(capsys, *given)
    assert 0 < answer["latest"] <= answer["too_late"]
    assert "J3 may arrive at 0:" in output_of(capsys, *given)
    assert "say which one with --job" in error_of(capsys, "latest", "five-jobs", "--until", "55")


def test_halving(capsys):
    answer = json_of(capsys, "halve", "five-jobs", *FEW)
    assert answer["makespan"] == 47
    assert all(0 <= job["gain"] <= job["most_gain"] for job in answer["jobs"])
    assert "Halving J4 helps most, 3 s of 47 s" in output_of(capsys, "halve", "five-jobs", *FEW)


def test_plans_for_guesses_are_told_without_a_gap(capsys):
    text = output_of(capsys, "optimize", "five-jobs", "--robust", "0.3", "--steps", "20")
    assert "makespan, mean" in text
    assert "on 100 noisy copies" in text
    assert "47 s with the durations as told" in text
    assert "above the bound" not in text
    assert "best without a search" not in text


def test_a_proof_that_nothing_is_below_0_has_no_gap(capsys):
    text = output_of(capsys, "optimize", "three-pools", "--objective", "tardiness", "--steps", "20")
    assert re.search(r"\+ pools +0 s +proved", text)


def test_the_table_of_a_plan_shows_caps_where_there_are_some(capsys):
    _print_plan(Plan((JobPlan("A", StagePlan(1.0, "longest"), StagePlan(cap=3)),)), load_sample("five-jobs"))
    heads = capsys.readouterr().out.splitlines()[1]
    assert [head for head in ("maps at most", "reduces at most") if head in heads] == ["reduces at most"]


def test_a_front_is_printed_and_written_by_the_ending_of_its_file(capsys, tmp_path):
    asked = ("optimize", "five-jobs-pools", "--front", "makespan,mean-response", "--points", "2", *FEW)
    table, document = tmp_path / "front.csv", tmp_path / "front.json"
    words = words_of(capsys, *asked, "--out", str(table))
    assert f"Front written to {table}" in words
    front = json_of(capsys, *asked, "--out", str(document))
    written = json.loads(document.read_text())
    for one, other in zip(written["points"], front["points"], strict=True):
        assert other.items() <= one.items(), "the file has the schedules and the proofs besides"
    head, *rows = table.read_text().splitlines()
    assert head.startswith("makespan,mean-response,")
    values = [[float(number) for number in row.split(",")[:2]] for row in rows]
    assert values == [list(point["values"].values()) for point in front["points"]]
    workload = load_sample("five-jobs-pools")
    plans = [plan_from_json(point["plan"], "front") for point in front["points"]]
    assert makespans(workload, workload.cluster, plans).tolist() == [makespan for makespan, _ in values]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--points", "4"), "--points says how many points a front has"),
        (("--front", "makespan,stretch", "--out", "front.png"), "a front ends in .csv, .json or .json.gz"),
        (("--front", "makespan,stretch", "--objective", "stretch"), "leave out --objective"),
        (("--front", "makespan,stretch", "--certificate", "f.json"), "--certificate is of one plan"),
        (("--front", "makespan"), "a front is of two goals"),
    ],
)
def test_what_does_not_go_with_a_front_is_refused(capsys, options, sentence):
    assert sentence in error_of(capsys, "optimize", "five-jobs", *options)

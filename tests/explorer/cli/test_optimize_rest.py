"""`slotscope optimize --from`: what it prints, and the session that it writes."""

from __future__ import annotations

import numpy as np

from core.files.samples import load_sample
from core.files.session_document import read_session
from core.model.schedule import PolicyChoice
from core.simulation.fork import simulate_fork
from core.simulation.simulate import simulate
from tests.explorer.cli.test_command_line import error_of, json_of, words_of

FEW = ("--steps", "40")


def test_the_object_is_that_of_the_session(capsys, tmp_path):
    out = tmp_path / "rest.session.json"
    answer = json_of(capsys, "optimize", "facebook", "--from", "600", *FEW, "--out", str(out))
    assert list(answer) == [
        "objective",
        "from",
        "before",
        "best",
        "bound",
        "gap",
        "why_no_bound",
        "evaluations",
        "plan",
        "cut",
    ]
    assert answer["bound"] <= answer["best"] < answer["before"]
    state = read_session(out).state
    old, new = state.scenarios
    before = simulate(state.workload, state.cluster, old.choice)
    assert new.fork is not None
    after = simulate_fork(state.workload, state.cluster, new.choice, new.fork, plan=new.plan)
    assert (before.makespan, after.makespan) == (answer["before"], answer["best"])
    fixed = before.start < 600
    assert fixed.any()
    assert np.array_equal(before.start[fixed], after.start[fixed])
    assert np.array_equal(before.slot[fixed], after.slot[fixed])


def test_the_policy_before_the_time_is_named(capsys):
    workload = load_sample("five-jobs")
    fair = simulate(workload, workload.cluster, PolicyChoice("fair")).makespan
    answer = json_of(capsys, "optimize", "five-jobs", "--from", "30", "--policy", "fair", *FEW)
    assert answer["before"] == fair


def test_it_says_in_a_table_what_is_fixed(capsys):
    words = words_of(capsys, "optimize", "five-jobs", "--from", "60", *FEW)
    assert "270 of 300 tasks, which start before 1:00" in words
    assert "Nothing better was found than to go on as before." in words


def test_what_does_not_fit_is_refused(capsys):
    assert "leave it or --from out" in error_of(capsys, "optimize", "five-jobs", "--from", "9", "--pin", "J1")
    assert "give a time with --from" in error_of(capsys, "optimize", "five-jobs", "--policy", "fair")
    assert "--from: '-5' is no time" in error_of(capsys, "optimize", "five-jobs", "--from", "-5", *FEW)
    assert "nothing is left" in error_of(capsys, "optimize", "five-jobs", "--from", "2h")

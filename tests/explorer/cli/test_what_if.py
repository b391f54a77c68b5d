"""`slotscope what-if`: the table, the JSON, and what is refused."""

from __future__ import annotations

import json

import pytest

from explorer.cli.run import run
from tests.written_application import AFTER, DIAMOND, write_application


def test_each_change_has_a_row(capsys):
    assert run(["what-if", "five-jobs", "--change", "slots=2", "--change", "task-times=0.5"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "executors or slots × 2 40 s −45.9 % 36 s" in lines
    assert "task times × 0.5 37 s −50.0 % 24 s" in lines
    assert lines[-1] == "Bounds without lending slots."


def test_json_has_the_scenario_as_it_is_first(capsys):
    assert run(["what-if", "five-jobs", "--policy", "johnson", "--change", "slots=2", "--json"]) == 0
    now, twice = json.loads(capsys.readouterr().out)["runs"]
    assert (now["title"], now["makespan"], now["lower_bound"]) == ("", 47.0, 47.0)
    assert (twice["title"], twice["value"]) == ("executors or slots", "× 2")
    assert twice["lower_bound"] <= twice["makespan"] < 47


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("slots=two", "'two' is no number; give one such as slots=2"),
        ("slot=2", "slots"),
        ("slots=0", "slots is 0; give a number from 0.001 to 1000"),
    ],
)
def test_wrong_changes_are_refused(change, sentence, capsys):
    assert run(["what-if", "five-jobs", "--change", change]) == 2
    assert sentence in capsys.readouterr().err


def test_a_log_is_run_under_the_policy_that_it_names(capsys, tmp_path):
    log = str(write_application(tmp_path / "app", (DIAMOND, AFTER), cores=(1, 1)))
    assert run(["what-if", log, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["policy"] == "spark-fifo"

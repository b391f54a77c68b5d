"""A run that fails on the command line: its sentence, its line and its values, for people and as JSON."""

from __future__ import annotations

import json

from explorer.cli.run import run

TEXT = """from core.policies.policy import Policy


class Mine(Policy):
    def key(job, kind):
        return 1 / (job.rank - 1) if job.started[1] else job.rank
"""
SENTENCE = "policy mine raised ZeroDivisionError at 0:09: division by zero (looking at J2)"


def test_a_run_that_fails_prints_the_values_and_json_has_them(capsys, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(TEXT, encoding="utf-8")
    assert run(["simulate", "five-jobs", "--policy-file", str(path)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [
        f"slotscope: error: {path}:6: {SENTENCE}",
        "slotscope: error:     return 1 / (job.rank - 1) if job.started[1] else job.rank",
        "slotscope: error: there: job J2, kind reduce, job.started[1] 1, job.rank 1",
    ]
    assert run(["simulate", "five-jobs", "--policy-file", str(path), "--json"]) == 2
    assert json.loads(capsys.readouterr().out) == {
        "version": 1,
        "cut": None,
        "error": {
            "sentence": SENTENCE,
            "file": str(path),
            "line": 6,
            "code": "return 1 / (job.rank - 1) if job.started[1] else job.rank",
            "time": 9.0,
            "hook": "key",
            "values": {"job": "J2", "kind": "reduce", "job.started[1]": "1", "job.rank": "1"},
            "tasks_started": 121,
        },
    }

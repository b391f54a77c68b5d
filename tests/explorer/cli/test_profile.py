"""`slotscope profile`: a table, sentences and JSON."""

from __future__ import annotations

import json

import pytest

from explorer.cli.run import run


def test_a_table_and_sentences(capsys):
    assert run(["profile", "five-jobs", "--policy", "fair", "--no-compiling"]) == 0
    told = capsys.readouterr().out
    assert "300 decisions" in told
    for part in ("key", "pool_key", "before the run", "the simulator", "in all"):
        assert part in told
    assert "key was called" in told


def test_json_has_every_number(capsys):
    assert run(["profile", "five-jobs", "--policy", "fair", "--no-compiling", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["decisions"] == 300
    assert sum(told["shares"].values()) == pytest.approx(1)
    assert {hook["name"] for hook in told["hooks"]} == {"key", "pool_key"}
    assert told["compiled_seconds"] is None

"""`slotscope predict` and `executors` on a log of an application."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.fidelity.open_application import open_application
from explorer.cli.run import run
from tests.written_application import AFTER, DIAMOND, write_application


@pytest.fixture
def log(tmp_path: Path) -> str:
    return str(write_application(tmp_path / "nightly", (DIAMOND, AFTER), cores=(1, 1)))


def test_the_keys_of_a_prediction(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["predict", log, "--executors", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == [
        "slots",
        "recorded_seconds",
        "recorded_slots",
        "predicted_seconds",
        "low_seconds",
        "high_seconds",
        "bound_seconds",
        "why",
        "not_known",
        "cut",
    ]
    assert (found["slots"], found["recorded_slots"], found["predicted_seconds"]) == (4, 2, 16.0)


def test_a_prediction_in_words(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["predict", log, "--slots", "1"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith("nightly took 18 s on 2 slots. On 1 it takes about 27 s (26 s to 28 s).")
    assert "1 slot is busy for 25 s with the tasks alone" in text
    assert "map" not in text


@pytest.mark.parametrize("words", [[], ["--slots", "2", "--executors", "2"]])
def test_one_of_slots_and_executors(log: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["predict", log, *words]) == 2
    assert "give --slots, how many tasks run at once, or --executors, one of both" in capsys.readouterr().err


def test_a_log_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["predict", "nowhere", "--slots", "2"]) == 2
    assert "nowhere: there is no such file" in capsys.readouterr().err


def test_executors_and_what_they_cost(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["executors", log, "--price", "3600", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["slots_per_executor"], found["large_enough"]) == (1, 4)
    first = found["sizes"][0]
    assert (first["executors"], first["predicted_seconds"], first["cost"]) == (1, 27.0, pytest.approx(27.0))


def test_the_table_of_executors(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["executors", log]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "4 executors are enough: the application takes 16 s" in text


def test_slots_have_one_column_where_executors_are_not_known(
    log: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = open_application([Path(log)])
    unknown = replace(known, slots_per_executor=0)
    monkeypatch.setattr("core.fidelity.open_application.open_application", lambda *_a, **_k: unknown)
    assert run(["executors", log]) == 0
    heads = capsys.readouterr().out.splitlines()[1].split()
    assert heads == ["slots", "time", "from", "to", "slot", "hours"]


@pytest.mark.parametrize("price", ["-1", "inf", "nan"])
def test_a_price_is_a_number_of_0_or_more(log: str, price: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["executors", log, f"--price={price}"]) == 2
    assert "a price is 0 or more" in capsys.readouterr().err

"""Servers on the command line: `slotscope import http://HOST:18080`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.files.workload_document import read_workload
from explorer.cli.run import run
from tests.core.servers.recorded_server import serving
from tests.core.servers.spark_answers import night
from tests.explorer.cli.test_command_line import error_of, words_of
from tests.paths import DATA

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.core.servers.recorded_server import Recorded


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Recorded]:
    with serving(night(tmp_path)) as recorded:
        yield recorded


def test_a_server_becomes_a_document(server, capsys, tmp_path):
    out = tmp_path / "night.workload.json"
    assert run(["import", server.url, "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert "3 kept" in printed.out
    assert [job.arrival for job in read_workload(out).jobs] == [0.0, 3600.0, 7200.0]
    assert list(tmp_path.glob("**/*.zip")) == []
    assert server.tokens == [None] * len(server.asked)


def test_only_what_is_new_is_fetched(server, capsys, tmp_path):
    keep, out = tmp_path / "keep", str(tmp_path / "n.workload.json")
    words = ["import", server.url, "--keep", str(keep), "--limit", "2", "--out", out]
    assert run(words) == 0
    printed = capsys.readouterr().err
    assert "2 logs fetched, 0 were in" in printed
    assert "1 earlier applications are left out" in printed
    assert run(words) == 0
    assert "0 logs fetched, 2 were in" in capsys.readouterr().err


def test_the_list_is_printed_and_nothing_is_fetched(server, capsys):
    words = words_of(capsys, "import", server.url, "--list", "--state", "completed")
    assert "Spark History Server: 2 applications" in words
    assert "app-2 attempt 1" in words
    assert "2023-11-14 23:13:20" in words
    assert (
        run(["import", server.url, "--list", "--json", "--from", "2023-11-14T23:00", "--to", "2023-11-15"])
        == 0
    )
    answer = json.loads(capsys.readouterr().out)
    assert [each["id"] for each in answer["applications"]] == ["app-2"]
    assert answer["applications"][0] | {"server": ""} == {
        "id": "app-2",
        "attempt": "1",
        "name": "nightly app-2",
        "user": "bob",
        "queue": "",
        "kind": "Spark",
        "started_ms": 1_700_003_600_000,
        "ended_ms": 1_700_003_620_000,
        "server": "",
    }
    assert not any(path.endswith("/logs") for path in server.asked)


def test_a_token_of_the_environment_is_sent(server, monkeypatch, tmp_path):
    monkeypatch.setenv("SLOTSCOPE_TOKEN", "ours")
    out = tmp_path / "n.workload.json"
    assert run(["import", server.url, "--app", "app-1", "--out", str(out)]) == 0
    assert set(server.tokens) == {"Bearer ours"}
    assert "ours" not in out.read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--out", "x.json", "--name", "weekly"], "it lists no application that is wanted"),
        (["--out", "x.json", "--from", "monday"], "give a date like 2026-11-28"),
        (["--out", "x.json", "--limit", "0"], "a limit of applications is at least 1"),
        (["--out", "x.json", "--ask-token"], "needs a terminal to type at; set SLOTSCOPE_TOKEN instead"),
        (["other.log", "--out", "x.json"], "give logs or addresses of servers, not both"),
    ],
)
def test_what_cannot_be(server, capsys, tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    assert sentence in " ".join(error_of(capsys, "import", server.url, *words).split())
    assert not (tmp_path / "x.json").exists()


def test_without_a_document_the_report_says_where_it_could_go(server, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for source in (server.url, str(DATA / "jobtracker-0.20.log")):
        assert run(["import", source]) == 0
        said = capsys.readouterr().out
        assert "Nothing is written; --out night.workload.json keeps the workload" in said
        assert "jobs" in said
    assert not list(tmp_path.iterdir())


def test_a_token_is_typed_unseen(server, monkeypatch, tmp_path):
    prompts: list[str] = []

    def typed(prompt: str) -> str:
        prompts.append(prompt)
        return "typed-token"

    monkeypatch.setattr("getpass.getpass", typed)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    out = tmp_path / "n.workload.json"
    assert run(["import", server.url, "--app", "app-1", "--ask-token", "--out", str(out)]) == 0
    assert prompts == [f"Token for {server.url}: "]
    assert set(server.tokens) == {"Bearer typed-token"}

"""`slotscope study page`: results of a study as one file, as many schedules inside as are asked for."""

from __future__ import annotations

import json

import pytest

from core.study.executors import InThisProcess
from core.study.run_study import run_study
from tests.core.charts.study.study_pages import pictures_of
from tests.core.study.study_examples import DOCUMENT, small_study
from tests.explorer.cli.test_command_line import error_of, output_of
from tests.unpacked_page import facts_of


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study") / "results"
    run_study(small_study(), folder, InThisProcess())
    return folder


def written(results, tmp_path, capsys, *more):
    """Return the page that the command writes, and what it prints."""
    path = tmp_path / "study.html"
    said = output_of(capsys, "study", "page", str(results), "--out", str(path), *more)
    return path.read_text("utf-8"), " ".join(said.split())


def test_it_writes_the_page_and_says_what_is_in_it(results, tmp_path, capsys):
    text, said = written(results, tmp_path, capsys)
    assert len(facts_of(text)["schedules"]) == 3
    pictures = pictures_of(text)["pictures"]
    assert f"{len(pictures)} pictures, schedules of 3 of 3 places, {len(text) / 1e6:.2f} MB" in said


def test_as_many_places_as_asked_have_schedules(results, tmp_path, capsys):
    text, _ = written(results, tmp_path, capsys, "--places", "1")
    assert len(facts_of(text)["schedules"]) == 1
    text, _ = written(results, tmp_path, capsys, "--places", "0")
    assert facts_of(text)["schedules"] == []
    assert facts_of(text)["whyNone"] == "The page was written without schedules."
    text, said = written(results, tmp_path, capsys, "--mb", "0.01")
    assert facts_of(text)["schedules"] == []
    assert "schedules of 0 of 3 places" in said


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--places", "-1"), "give a whole number from 0 on"),
        (("--mb", "0"), "give a number above 0"),
        (("--mb", "nan"), "give a number above 0"),
    ],
)
def test_bad_limits_are_a_sentence(results, tmp_path, capsys, more, words):
    path = str(tmp_path / "x.html")
    assert words in error_of(capsys, "study", "page", str(results), "--out", path, *more)
    assert not (tmp_path / "x.html").exists()


def test_policy_files_run_only_where_they_are_trusted(tmp_path, capsys):
    """Without it the page says why it has no schedules; with it the file's own schedule is inside."""
    mine = output_of(capsys, "policies", "--template", "last-first")
    (tmp_path / "mine.py").write_text(mine)
    axes = [
        DOCUMENT["axes"][0],
        {"name": "policy", "fields": ["policy.id"], "values": ["fifo", "file:mine.py"]},
    ]
    (tmp_path / "own.study.json").write_text(json.dumps(DOCUMENT | {"axes": axes}))
    folder = tmp_path / "results"
    own = str(tmp_path / "own.study.json")
    output_of(capsys, "study", "run", own, "--out", str(folder), "--workers", "1", "--trust-policies")
    text, _ = written(folder, tmp_path, capsys)
    assert facts_of(text)["schedules"] == []
    assert "not agreed to" in facts_of(text)["whyNone"]
    text, _ = written(folder, tmp_path, capsys, "--trust-policies")
    assert len(facts_of(text)["schedules"]) == 3

"""`slotscope library` on a library of the test's own, and on the user's."""

from __future__ import annotations

from pathlib import Path
from typing import get_type_hints

import pytest
from PySide6.QtCore import QCoreApplication, QStandardPaths

from core.files.workload_document import read_workload
from core.trace_database.connection import default_library
from core.trace_database.trace_database import Arrivals
from explorer.cli.library import WorkloadOfJobsCommand
from explorer.cli.run import run
from tests.explorer.cli.test_command_line import error_of, json_of, output_of
from tests.paths import DATA

RUMEN = str(DATA / "rumen-2011.json")


@pytest.fixture
def filled(capsys) -> None:
    """Have two logs in the user's library."""
    output_of(capsys, "library", "import", RUMEN, str(DATA / "swim.tsv"))


def ids(capsys, *filters: str) -> list[str]:
    return [str(job["id"]) for job in json_of(capsys, "library", "list", *filters)["jobs"]]


def test_the_user_s_library_lies_with_the_other_data(qapp):
    name = QCoreApplication.applicationName()
    QCoreApplication.setApplicationName("slotscope")
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    QCoreApplication.setApplicationName(name)
    assert default_library().parent == Path(folder)


def test_import_says_what_it_did(capsys):
    first = output_of(capsys, "library", "import", RUMEN)
    assert first.startswith("rumen-2011: ")
    assert "added" in first
    assert "nothing new" in output_of(capsys, "library", "import", RUMEN)
    answer = json_of(capsys, "library", "import", RUMEN, "five-jobs")
    assert answer["library"] == str(default_library())
    assert [(log["log"], log["added"]) for log in answer["imported"]] == [(RUMEN, 0), ("five-jobs", 5)]


def test_one_bad_log_does_not_keep_the_others_out(capsys, tmp_path):
    bad = tmp_path / "notes.txt"
    bad.write_text("nothing of interest\n")
    assert run(["library", "import", str(bad), "five-jobs"]) == 2
    captured = capsys.readouterr()
    assert "notes.txt: not of a known format" in captured.err
    assert captured.out == "Five jobs: 5 jobs added\n"
    assert json_of(capsys, "library", "list")["total"] == 5


def test_what_a_log_does_not_say_can_be_set(capsys):
    swim = str(DATA / "swim.tsv")
    output_of(capsys, "library", "import", swim)
    output_of(capsys, "library", "import", swim, "-p", "map_rate=1")
    jobs = json_of(capsys, "library", "list", "--sort", "work", "--descending")["jobs"]
    assert jobs[0]["name"] == jobs[1]["name"]
    assert jobs[0]["map_seconds"] > jobs[1]["map_seconds"]
    assert jobs[0]["id"] > jobs[1]["id"]


@pytest.mark.usefixtures("filled")
def test_list_filters_sorts_and_pages(capsys):
    every = json_of(capsys, "library", "list", "--sort", "tasks", "--descending")
    sizes = [job["tasks"] for job in every["jobs"]]
    assert sizes == sorted(sizes, reverse=True)
    assert every["total"] == len(sizes) > 4
    middle = sorted(sizes)[len(sizes) // 2]
    assert len(ids(capsys, "--min-tasks", str(middle))) == sum(size >= middle for size in sizes)
    assert len(ids(capsys, "--max-tasks", str(middle))) == sum(size <= middle for size in sizes)
    dated = [job for job in every["jobs"] if job["date"]]
    day = dated[0]["date"][:10]
    assert len(ids(capsys, "--since", day, "--until", day)) == sum(job["date"][:10] == day for job in dated)
    user = dated[0]["user"]
    assert len(ids(capsys, "--user", user.upper())) == sum(job["user"] == user for job in every["jobs"])
    assert ids(capsys, "--name", dated[0]["name"].upper()) == [str(dated[0]["id"])]
    assert ids(capsys, "--limit", "2", "--offset", "1") == ids(capsys)[1:3]


@pytest.mark.usefixtures("filled")
def test_list_for_people(capsys):
    text = output_of(capsys, "library", "list", "--limit", "1")
    assert f"1 of {len(ids(capsys))} jobs" in text
    assert "library import LOG" not in text


def test_an_empty_library_says_what_to_do(capsys):
    text = " ".join(output_of(capsys, "library", "list").split())
    assert "no jobs yet; 'slotscope library import LOG' adds some" in text
    assert "the trash is empty" in output_of(capsys, "library", "list", "--trash")


@pytest.mark.usefixtures("filled")
def test_a_search_without_matches_says_so(capsys):
    assert "none match the filters" in output_of(capsys, "library", "list", "--name", "nothing like it")
    assert "the trash is empty" in output_of(capsys, "library", "list", "--trash")


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("width", [50, 80, 200])
def test_names_are_whole_whatever_the_width(capsys, monkeypatch, width):
    names = [job["name"] for job in json_of(capsys, "library", "list")["jobs"]]
    monkeypatch.setenv("COLUMNS", str(width))
    text = output_of(capsys, "library", "list")
    assert all(name in text for name in names)
    assert all(len(line) <= width for line in text.splitlines())
    assert ("a wider terminal shows" in text) == (width < 200)


@pytest.mark.usefixtures("filled")
def test_show(capsys):
    (first, *_) = ids(capsys)
    answer = json_of(capsys, "library", "show", first)
    assert answer["phases"]["map"]["samples"] >= 1
    assert answer["name"] in output_of(capsys, "library", "show", first)


@pytest.mark.usefixtures("filled")
def test_compare(capsys):
    first, second, *_ = ids(capsys, "--sort", "tasks", "--descending")
    answer = json_of(capsys, "library", "compare", first, second, first)
    matrix = answer["divergence"]["map"]
    assert [matrix[i][i] for i in range(3)] == [0, 0, 0]
    assert matrix[0][2] == 0
    assert matrix[0][1] == matrix[1][0] > 0
    assert [str(run["id"]) for run in answer["runs"]] == [first, second, first]
    text = output_of(capsys, "library", "compare", first, second)
    assert f"{first} and {second}" in text
    assert "two or more" in error_of(capsys, "library", "compare", first)


@pytest.mark.usefixtures("filled")
def test_workload(capsys, tmp_path):
    out = tmp_path / "taken.workload.json"
    first, second, *_ = ids(capsys)
    output_of(capsys, "library", "workload", second, first, "--out", str(out))
    workload = read_workload(out)
    shown = [json_of(capsys, "library", "show", one) for one in (second, first)]
    assert [job.name for job in workload.jobs] == [one["name"] for one in shown]
    assert "no job 9999" in error_of(capsys, "library", "workload", "9999", "--out", str(out))


@pytest.mark.usefixtures("filled")
def test_delete_restore_and_empty_the_trash(capsys):
    first, second, third, *others = ids(capsys)
    assert output_of(capsys, "library", "delete", first, second).startswith("2 jobs moved to the trash")
    assert ids(capsys) == [third, *others]
    assert ids(capsys, "--trash") == [first, second]
    assert output_of(capsys, "library", "restore", second) == "1 job taken back from the trash\n"
    assert output_of(capsys, "library", "empty-trash") == "1 job forgotten for ever\n"
    assert ids(capsys) == [second, third, *others]
    assert f"no job {first};" in error_of(capsys, "library", "restore", first)


def test_list_the_runs_of_an_application(capsys):
    output_of(capsys, "library", "import", str(DATA / "jobtracker-0.20.log"))
    every = json_of(capsys, "library", "list")["jobs"]
    application = every[0]["application"]
    runs = ids(capsys, "--application", application)
    assert runs == [str(job["id"]) for job in every if job["application"] == application]
    assert ids(capsys, "--application", application[:-1]) == []


def test_a_library_elsewhere(capsys, tmp_path):
    path = str(tmp_path / "mine.sqlite")
    assert "there is no trace library" in error_of(capsys, "library", "list", "--library", path)
    output_of(capsys, "library", "import", "five-jobs", "--library", path)
    assert json_of(capsys, "library", "list", "--library", path)["total"] == 5
    assert not default_library().exists()


def test_a_log_is_not_taken_for_a_library(capsys):
    said = error_of(capsys, "library", "import", "five-jobs", "--library", RUMEN)
    assert "is not a trace library" in said


def test_the_choices_are_those_of_the_library() -> None:
    assert get_type_hints(WorkloadOfJobsCommand)["arrivals"] == Arrivals

"""Several logs in a folder or an archive, each a workload of its own; and those that are parts of one."""

from __future__ import annotations

import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from core.logs.logs_apart import open_logs
from core.model.errors import Cancelled, InputError
from tests.paths import DATA

if TYPE_CHECKING:
    from pathlib import Path

SEVERAL_JOBS = ("rumen-2009.json", "jobtracker-0.20.log")
ONE_JOB = ("jhist-0.23.jhist", "jhist-2.7.jhist")


def folder_of(tmp_path: Path, names: tuple[str, ...]) -> Path:
    folder = tmp_path / "night"
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes((DATA / name).read_bytes())
    (folder / "notes.txt").write_text("no log at all")
    return folder


def test_files_of_several_jobs_are_logs_of_their_own(tmp_path: Path) -> None:
    seen: list[float] = []
    logs = open_logs(folder_of(tmp_path, (*SEVERAL_JOBS, ONE_JOB[0])), progress=seen.append)
    assert [log.name for _, log in logs] == ["jhist-0.23", "jobtracker-0.20", "rumen-2009"]
    assert [len(log.jobs) > 1 for _, log in logs] == [False, True, True]
    assert {path for path, _ in logs} == {
        str(tmp_path / "night" / name) for name in (*SEVERAL_JOBS, ONE_JOB[0])
    }
    assert seen == sorted(seen)


@pytest.mark.parametrize("ending", [".tgz", ".zip"])
def test_members_of_an_archive_are_logs_of_their_own(tmp_path: Path, ending: str) -> None:
    folder, path = folder_of(tmp_path, SEVERAL_JOBS), tmp_path / f"logs{ending}"
    if ending == ".tgz":
        with tarfile.open(path, "w:gz") as tar:
            tar.add(folder, "night")
    else:
        with zipfile.ZipFile(path, "w") as packed:
            for name in SEVERAL_JOBS:
                packed.write(folder / name, f"night/{name}")
    logs = sorted(open_logs(path), key=lambda each: each[1].name)
    assert [log.name for _, log in logs] == ["jobtracker-0.20", "rumen-2009"]
    assert [where for where, _ in logs] == [f"{path}: night/{name}" for name in sorted(SEVERAL_JOBS)]


@pytest.mark.parametrize(
    "names",
    [
        ONE_JOB,
        ("history-server-jobs.jsonl", "history-server-tasks.jsonl"),
        ("alibaba-tasks.csv", "alibaba-instances.csv"),
    ],
)
def test_files_of_one_job_or_that_need_one_another_are_one_log(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    ((path, log),) = open_logs(folder_of(tmp_path, names))
    assert path == str(tmp_path / "night")
    assert log.name == "night"
    assert len(log.jobs) > 1


def test_a_file_is_one_log() -> None:
    ((_, log),) = open_logs(DATA / SEVERAL_JOBS[0])
    assert log.name == "rumen-2009"


def test_nothing_to_read_and_stopping(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        open_logs(folder_of(tmp_path, ()))
    with pytest.raises(Cancelled):
        open_logs(tmp_path / "night", should_stop=lambda: True)

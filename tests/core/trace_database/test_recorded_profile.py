"""Jobs are found as they ran before: in the library, in a log, in another workload."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.files.workload_document import read_workload
from core.files.workload_writing import write_workload
from core.logs.open_log import open_trace
from core.model.errors import InputError
from core.model.workload import Workload
from core.trace_database import recorded_profile as module
from core.trace_database.recorded_profile import earlier_runs, recorded_profile
from core.trace_database.trace_database import import_into
from tests.builders import make_job, make_workload

if TYPE_CHECKING:
    from pathlib import Path

    from core.trace_database.trace_database import Library

NOW = make_workload(make_job("J1", (4, 1.0)), make_job("J2", (2, 1.0), (1, 2.0)), make_job("J3", (1, 1.0)))


def written(folder: Path, name: str, seconds: float) -> str:
    """Write two jobs that took so long; return the path."""
    ran = make_job("J2", (3, seconds), (2, 5.0), shuffle_bytes=7.0, deadline=90.0)
    jobs = (ran, make_job("J9", (1, 1.0)))
    write_workload(Workload(name, jobs), folder / f"{name}.workload.json")
    return str(folder / f"{name}.workload.json")


def test_another_workload_gives_the_jobs_of_the_same_name_and_nothing_but_their_tasks(tmp_path: Path) -> None:
    profile = recorded_profile(NOW, written(tmp_path, "Monday", 8.0))
    assert profile.name == "Monday"
    assert profile.jobs == (make_job("J2", (3, 8.0), (2, 5.0), shuffle_bytes=7.0),)


def test_the_library_gives_what_was_imported_last(
    tmp_path: Path, path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("Monday", 8.0), ("Tuesday", 9.0)):
        import_into(library, written(tmp_path, name, seconds))
    (job,) = recorded_profile(NOW, str(path)).jobs
    assert (job.name, job.maps.durations.tolist()) == ("J2", [9.0])
    monkeypatch.setattr(module, "default_library", lambda: path)
    assert recorded_profile(NOW, "library").jobs == (job,)


def test_a_log_knows_its_jobs_by_title_and_application(path: Path, library: Library, logs: Path) -> None:
    """The hand-written log calls its jobs by their titles, too."""
    import_into(library, str(logs / "jobtracker-0.20.log"))
    template = next(template for template in library.search() if template.title)
    for name in (template.name, template.title):
        (job,) = recorded_profile(make_workload(make_job(name, (1, 1.0))), str(path)).jobs
        assert job.maps == library.jobs([template.id])[0].maps


def test_nothing_found_is_said(tmp_path: Path, path: Path, library: Library) -> None:
    import_into(library, written(tmp_path, "Monday", 8.0))
    other = make_workload(make_job("X", (1, 1.0)))
    for source, named in ((str(path), "the trace library"), (written(tmp_path, "Monday", 8.0), "Monday")):
        with pytest.raises(InputError, match=f"no job of {named} has the name of a job of test"):
            recorded_profile(other, source)
    with pytest.raises(InputError):
        recorded_profile(other, str(tmp_path / "nothing"))


def test_earlier_runs_are_those_of_other_logs_alone(
    tmp_path: Path, path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Monday is the night itself: it has J2 as it is here. Tuesday ran other tasks under its name."""
    monkeypatch.setattr(module, "default_library", lambda: path)
    monday = written(tmp_path, "Monday", 8.0)
    night = read_workload(monday)
    import_into(library, monday)
    assert earlier_runs(night) is None
    import_into(library, written(tmp_path, "Tuesday", 9.0))
    found = earlier_runs(night)
    assert found is not None
    assert dict(found.logs) == {"J2": "Tuesday"}  # J9 has the same tasks there
    assert found.jobs.jobs[0].maps.durations.tolist() == [9.0]


def test_a_log_is_no_earlier_run_of_itself(
    path: Path, library: Library, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "default_library", lambda: path)
    import_into(library, str(logs / "jobtracker-0.20.log"))
    night = open_trace([logs / "jobtracker-0.20.log"]).workload
    assert earlier_runs(night) is None
    renamed = replace(
        night, jobs=tuple(replace(job, name=f"{job.name}x") for job in night.jobs), recorded=None
    )
    assert earlier_runs(renamed) is None  # other names, and no titles


def test_without_a_library_nothing_ran_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "default_library", lambda: tmp_path / "none")
    assert earlier_runs(NOW) is None
    assert not (tmp_path / "none").exists()
    (tmp_path / "none").write_text("no library")
    assert earlier_runs(NOW) is None

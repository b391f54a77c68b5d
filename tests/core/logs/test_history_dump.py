"""History-server dumps: jobs and tasks lie in two files that need each other."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from core.logs.open_log import Imported, open_trace
from core.model.task_types import MAP

if TYPE_CHECKING:
    from pathlib import Path

JOBS = "history-server-jobs.jsonl"
TASKS = "history-server-tasks.jsonl"


@pytest.fixture
def dump(data: Path) -> Imported:
    return open_trace([data / JOBS, data / TASKS])


def test_phases_are_durations(dump):
    first = dump.workload.jobs[0]
    assert first.maps.durations == pytest.approx([4, 6])
    assert first.reduces.first_shuffle == pytest.approx([2.5])  # 8 + 4 + 0.5 s, the maps ended at 10 s
    assert first.reduces.typical_shuffle == pytest.approx([2.25])
    assert first.reduces.durations == pytest.approx([1.5, 2.75])


def test_jobs_keep_what_the_dump_says_of_them(dump):
    first, second = dump.workload.jobs
    assert (first.name, first.user, first.pool) == ("job_1459999999999_0001", "judy", "default")
    assert (second.pool, second.arrival) == ("batch", 5)
    assert dump.report.recorded_makespan == pytest.approx(20)


def test_a_task_of_which_no_attempt_succeeded_is_left_out(dump):
    assert dump.report.tasks[MAP].left_out == {"never ended": 1}
    assert "map tasks listed but not declared" in [note.what for note in dump.report.notes]


@pytest.mark.parametrize("name", [JOBS, TASKS])
def test_the_file_that_is_missing_is_found_beside_the_one_that_was_named(data, dump, name):
    alone = open_trace([data / name])
    assert alone.workload.jobs == dump.workload.jobs
    assert set(alone.report.files) == {JOBS, TASKS}


def test_the_order_of_the_files_does_not_matter(data, dump):
    other = open_trace([data / TASKS, data / JOBS])
    assert other.workload.jobs == dump.workload.jobs
    assert other.report.files == (TASKS, JOBS)


def test_tasks_alone_say_what_is_missing(tmp_path, data):
    shutil.copy(data / TASKS, tmp_path)
    report = open_trace([tmp_path / TASKS]).report
    places = [problem.where for problem in report.damage]
    assert places == [f"{TASKS}, job_1459999999999_000{n}" for n in (1, 2)]
    assert report.missing == {"submit times (launch or first start taken)": 2}


def test_both_kinds_of_lines_may_stand_in_one_file(tmp_path, data, dump):
    (tmp_path / "log").write_text((data / TASKS).read_text() + (data / JOBS).read_text())
    assert open_trace([tmp_path / "log"]).workload.jobs == dump.workload.jobs


def test_lines_that_are_repeated_or_strange_are_named(tmp_path, data):
    lines = ((data / JOBS).read_text() + (data / TASKS).read_text()).splitlines()
    strange = [json.dumps({"_id": "x"}), '{"_id": "task_1"', lines[0], lines[3]]
    (tmp_path / "log").write_text("\n".join(lines + strange))
    damage = open_trace([tmp_path / "log"]).report.damage
    assert [problem.where for problem in damage] == [f"log, line {n}" for n in (9, 10, 11, 12)]
    assert "listed a second time" in damage[-1].rule


def test_a_neighbour_with_other_jobs_is_left_alone(tmp_path, data, dump):
    shutil.copy(data / JOBS, tmp_path)
    shutil.copy(data / TASKS, tmp_path)
    other = (data / TASKS).read_text().replace("1459999999999", "1459999999998")
    (tmp_path / "other-tasks.jsonl").write_text(other)
    alone = open_trace([tmp_path / JOBS])
    assert alone.workload.jobs == dump.workload.jobs
    assert alone.report.files == (JOBS, TASKS)

"""JobTracker histories: formulas and pitfalls on hand-written logs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from core.logs.open_log import Imported, open_trace
from core.logs.tracker_history import EndOfPart, TrackerRecord, records
from core.model.errors import Problem, TraceError
from core.model.task_types import MAP

if TYPE_CHECKING:
    from pathlib import Path

LATE = "jobtracker-0.20.log"
EARLY = "jobtracker-0.18.txt"


@pytest.fixture
def late(data: Path) -> Imported:
    return open_trace([data / LATE])


def opened(path: Path, text: str) -> Imported:
    path.write_text(text)
    return open_trace([path])


def test_attempts_are_merged_and_the_successful_one_counts(late):
    assert late.workload.jobs[0].maps.durations == pytest.approx([4, 7])
    assert late.report.tasks[MAP].attempts == {"succeeded": 3, "failed": 1, "killed": 1, "unfinished": 1}


def test_phases_of_reduces(late):
    reduces = late.workload.jobs[0].reduces
    assert reduces.first_shuffle == pytest.approx([1.5])  # 11.5 s, the maps ended at 10 s
    assert reduces.typical_shuffle == pytest.approx([1.75])
    assert reduces.durations == pytest.approx([2.5, 2.25])


def test_jobs_of_one_file_lie_behind_one_another(late):
    first, second = late.workload.jobs
    assert (first.name, first.user, first.pool) == ("job_200908110000_0001", "gina", "default")
    assert (second.name, second.user, second.pool) == ("job_200908110000_0002", "hugo", "research")
    assert second.arrival == pytest.approx(4)
    assert late.report.other_tasks == {"SETUP": 1, "CLEANUP": 1}


def test_a_log_that_stops_early_keeps_what_had_ended_and_says_so(late):
    assert late.workload.jobs[1].maps.durations == pytest.approx([2])
    assert late.report.tasks[MAP].left_out == {"never ended": 1}
    (problem,) = late.report.damage
    assert problem.where == "jobtracker-0.20.log, job_200908110000_0002"
    assert "ends before this job does" in problem.rule


def test_machines_are_named_by_records_of_both_kinds(late):
    recorded = late.workload.recorded
    assert recorded.hosts == ("h2.example.com", "h1.example.com")
    assert recorded.host[-1] == 0  # an attempt of which only the TaskTracker is known


def test_hadoop_0_18_has_no_dots_and_old_ids(data):
    imported = open_trace([data / EARLY])
    (job,) = imported.workload.jobs
    assert (job.name, job.user) == ("job_200801010101_0042", "iris")
    assert job.maps.durations == pytest.approx([2.5])
    assert job.reduces.first_shuffle == pytest.approx([1.5])
    assert job.reduces.durations == pytest.approx([1])
    assert imported.report.is_clean
    assert imported.report.recorded_makespan == pytest.approx(6.5)


def test_values_may_hold_line_ends_and_escaped_quotes(data):
    found = list(records([(data / LATE).read_bytes()]))
    fields = [each.fields for each in found if isinstance(each, TrackerRecord)]
    assert any("\tat org" in each.get("ERROR", "") for each in fields)
    assert any(each.get("JOBNAME") == r"word \"count\" a\=b" for each in fields)
    assert sum(isinstance(each, EndOfPart) for each in found) == 4
    assert not any(isinstance(each, Problem) for each in found)


@pytest.mark.parametrize("size", [1, 7, 100])
def test_the_borders_of_chunks_do_not_matter(data, size):
    content = (data / LATE).read_bytes()
    chunks = [content[i : i + size] for i in range(0, len(content), size)]
    assert list(records(chunks)) == list(records([content]))


def test_a_damaged_record_is_named_and_left_out(tmp_path, data):
    text = (data / EARLY).read_text()
    lines = text.splitlines()
    lines[4] = lines[4][:-5]  # the map's end
    lines.insert(2, "noise")
    imported = opened(tmp_path / "log", "\n".join(lines))
    assert imported.report.tasks[MAP].left_out == {"never ended": 1}
    assert [problem.where for problem in imported.report.damage] == ["log, line 3", "log, line 6"]
    assert imported.workload.jobs[0].reduces.typical_shuffle == pytest.approx([3])  # there is no map stage


def test_a_record_of_another_job_becomes_a_job_of_its_own(tmp_path, data):
    text = (data / EARLY).read_text() + 'Job JOBID="job_200801010101_0043" JOB_PRIORITY="HIGH"\n'
    imported = opened(tmp_path / "log", text)
    assert imported.report.jobs_left_out == (("job_200801010101_0043", "no usable task (none is listed)"),)
    assert imported.report.damage == ()


def test_records_without_ids_are_named(tmp_path, data):
    text = (data / EARLY).read_text() + 'Task TASKID="x" TASK_TYPE="MAP"\nMapAttempt TASK_TYPE="MAP"\n'
    imported = opened(tmp_path / "log", text)
    assert [problem.where for problem in imported.report.damage] == ["log, line 9", "log, line 10"]


def test_a_log_of_one_cut_record_is_a_damaged_history(tmp_path):
    with pytest.raises(TraceError, match="JobTracker history, but no job could be read: log, line 1"):
        opened(tmp_path / "log", 'Job JOBID="job_1" SUBMIT_TI')


def test_quotes_that_never_close_do_not_take_long(tmp_path, data):
    line = 'MapAttempt TASK_TYPE="MAP" ERROR="' + "x" * 80
    text = (data / EARLY).read_text() + line + ('\n\\" . ' * 200 + '"') * 2000 + '\n"" .' * 50_000
    begun = time.thread_time()
    imported = opened(tmp_path / "log", text)
    assert time.thread_time() - begun < 10
    assert imported.workload.jobs[0].maps.count == 1
    assert imported.report.damage_count > 1

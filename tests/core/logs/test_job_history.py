"""MRv2 job histories: formulas and pitfalls on hand-written logs."""

from __future__ import annotations

import gzip
import json
import re
from typing import TYPE_CHECKING

import pytest

from core.logs.open_log import Imported, open_trace
from core.model.errors import TraceError
from core.model.task_types import MAP, REDUCE

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.job import Job

LATE = "jhist-2.7.jhist"
EARLY = "jhist-0.23.jhist"


@pytest.fixture
def late(data: Path) -> Imported:
    return open_trace([data / LATE])


@pytest.fixture
def early(data: Path) -> Imported:
    return open_trace([data / EARLY])


def only(imported: Imported) -> Job:
    (job,) = imported.workload.jobs
    return job


def notes(imported: Imported) -> dict[str, int]:
    return {note.what: note.count for note in imported.report.notes}


def test_attempts_are_merged_and_the_successful_one_counts(late):
    assert only(late).maps.durations == pytest.approx([4, 3, 3.5])
    assert late.report.tasks[MAP].attempts == {"succeeded": 3, "failed": 1, "killed": 1}


def test_phases_of_reduces(late):
    reduces = only(late).reduces
    assert reduces.first_shuffle == pytest.approx([2.5])  # 12.5 s, the maps ended at 10 s
    assert reduces.typical_shuffle == pytest.approx([2.25])
    assert reduces.durations == pytest.approx([2.5, 0.75])


def test_later_events_correct_earlier_ones(late):
    job = only(late)
    assert (job.name, job.user, job.pool) == ("job_1400000000000_0001", "erin", "nightly")
    assert late.report.started == 1_400_000_000_000
    assert late.report.recorded_makespan == pytest.approx(15.5)
    assert late.report.is_clean


def test_optional_values_may_be_wrapped(tmp_path, data, late):
    text = (data / LATE).read_text()
    text = re.sub(r'"(finishTime|submitTime|startTime)":(\d+)', r'"\1":{"long":\2}', text)
    text = re.sub(r'"(userName|status|hostname)":("[^"]*")', r'"\1":{"string":\2}', text)
    (tmp_path / "log").write_text(text)
    wrapped = open_trace([tmp_path / "log"])
    assert wrapped.workload.jobs == late.workload.jobs
    assert wrapped.workload.recorded == late.workload.recorded


def test_licence_blanks_and_counts_that_differ(early):
    job = only(early)
    assert (job.maps.count, job.reduces.count) == (1, 2)
    assert job.reduces.typical_shuffle == pytest.approx([1.1, 1.0])
    assert early.report.tasks[REDUCE].left_out == {"never ran": 1}
    assert notes(early)["reduce tasks listed but not declared"] == 2
    assert notes(early)["ended as KILLED"] == 1


def test_two_histories_become_one_workload(data):
    both = open_trace([data / LATE, data / EARLY])
    assert [job.arrival for job in both.workload.jobs] == [0, 100_000_000]


def test_a_history_without_its_header_is_known_by_its_events(tmp_path, data):
    lines = (data / LATE).read_text().splitlines()[2:]
    (tmp_path / "log").write_text("\n".join(lines))
    assert only(open_trace([tmp_path / "log"])).maps.count == 3


def test_a_cut_history_keeps_what_had_ended_and_says_so(tmp_path, data):
    text = (data / LATE).read_text()
    cut = text[: text.index('"shuffleFinishTime":1400000013000')]
    (tmp_path / "log").write_bytes(gzip.compress(cut.encode()))
    imported = open_trace([tmp_path / "log"])
    assert (only(imported).maps.count, only(imported).reduces.count) == (3, 1)
    assert imported.report.tasks[REDUCE].left_out == {"never ended": 1}
    first, second = imported.report.damage
    assert re.match(r"log, line \d+", first.where)
    assert "cut short" in first.rule
    assert second.where == "log, job_1400000000000_0001"
    assert "ends before this job does" in second.rule
    assert not imported.report.is_clean


def test_damaged_and_strange_events_are_named_and_left_out(tmp_path, data):
    lines = (data / EARLY).read_text().splitlines()
    lines[6] = lines[6].replace('"event":', '"event"')
    lines.insert(7, json.dumps({"type": "MAP_ATTEMPT_STARTED", "event": {"x": {"attemptId": 7}}}))
    lines.insert(8, json.dumps({"type": "JOB_INITED", "event": []}))
    lines.insert(9, "17")
    (tmp_path / "log").write_text("\n".join(lines))
    imported = open_trace([tmp_path / "log"])
    assert only(imported).maps.count == 1
    assert [problem.where for problem in imported.report.damage] == [f"log, line {n}" for n in (7, 8, 9, 10)]


def test_a_history_of_nothing_but_failures_says_why_there_is_nothing(tmp_path, data):
    text = (data / LATE).read_text().replace('"SUCCEEDED"', '"FAILED"')
    (tmp_path / "log").write_text(text)
    with pytest.raises(TraceError, match=r"no usable task \(5 failed\)"):
        open_trace([tmp_path / "log"])


def test_a_header_without_events_is_a_damaged_history(tmp_path):
    (tmp_path / "log").write_text("Avro-Json\n")
    with pytest.raises(TraceError, match=r"MRv2 job history .* holds no job"):
        open_trace([tmp_path / "log"])

"""Jobs of the YARN load simulator."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.logs.open_log import Imported, open_trace
from core.model.errors import TraceError, UnknownFormat

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def log(data: Path) -> Imported:
    return open_trace([data / "sls.json"])


def test_containers_are_maps_and_reduces_by_type_or_priority(log):
    first, second = log.workload.jobs
    assert first.maps.durations == pytest.approx([3, 5])
    assert first.reduces.durations == pytest.approx([3, 5.5])  # the maps ended at 6 s
    assert (second.maps.count, second.reduces.count) == (1, 0)
    assert log.report.other_tasks == {"am": 1}


def test_jobs_keep_what_the_log_says_of_them(log):
    assert [(job.name, job.user, job.pool, job.arrival) for job in log.workload.jobs] == [
        ("job_1", "kim", "q1", 0),
        ("job_2", "kim", "q2", 7),
    ]
    assert log.report.recorded_makespan == pytest.approx(15)
    assert log.report.peaks == (2, 1)


def test_shuffles_that_the_log_does_not_know_are_counted(log):
    assert log.report.missing == {"shuffle ends (taken as 0 s of shuffle)": 2}
    assert any("knows nothing of shuffles" in text for text in log.report.assumptions)


def test_damaged_jobs_are_left_out(tmp_path, data):
    text = (data / "sls.json").read_text().replace('"job.end.ms": 15000', '"job.end.ms": ')
    (tmp_path / "log").write_text(text + '{"job.tasks": [7, {}]} {"other": 1}')
    imported = open_trace([tmp_path / "log"])
    assert [job.name for job in imported.workload.jobs] == ["job_2"]
    assert imported.report.damage_count == 2
    assert [note.count for note in imported.report.notes if "unreadable" in note.what] == [1]


def test_tasks_given_by_a_count_did_not_run(tmp_path):
    job = {"am.type": "mapreduce", "job.id": "job_9", "job.tasks": [{"count": 50, "duration.ms": 10}]}
    (tmp_path / "log").write_text(json.dumps(job))
    with pytest.raises(TraceError, match=r"'job_9'; its tasks are given by a count"):
        open_trace([tmp_path / "log"])


@pytest.mark.parametrize(
    ("content", "looks"),
    [
        ({"rack": "r1", "nodes": [{"node": "n1"}]}, "the nodes of the YARN load simulator"),
        ({"num_jobs": 3, "workloads": [{"job_classes": []}]}, "draws random jobs from"),
        ({"_id": "job_1", "propertyMap": {"a": "b"}}, "configurations of jobs"),
    ],
)
def test_what_lies_beside_such_logs_is_named(tmp_path, content, looks):
    (tmp_path / "file").write_text(json.dumps(content, indent=1))
    with pytest.raises(UnknownFormat, match=looks):
        open_trace([tmp_path / "file"])

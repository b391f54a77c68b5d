"""SWIM workloads: tasks and durations come from a model of bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.logs import byte_source
from core.logs.open_log import Imported, open_trace
from core.logs.swim import MIB, PARAMETERS, tasks_of_bytes
from core.model.cluster import Cluster
from core.model.errors import InputError, TraceError, UnknownName
from core.model.task_types import MAP

if TYPE_CHECKING:
    from pathlib import Path

DEFAULTS = {parameter.name: parameter.default for parameter in PARAMETERS}


@pytest.fixture
def log(data: Path) -> Imported:
    return open_trace([data / "swim.tsv"])


def opened(path: Path, text: str, **parameters: object) -> Imported:
    path.write_text(text)
    return open_trace([path], parameters=parameters)


def test_a_job_by_hand(log):
    job = log.workload.jobs[1]  # 384 MiB in, 1024 MiB shuffled, 512 MiB out
    assert job.maps.count == 3
    assert job.maps.durations == pytest.approx([2 + 128 / 10 + 1024 / 3 / 20], abs=0.001)
    assert job.reduces.count == 2  # 1.5 rounds to the even number
    assert job.reduces.typical_shuffle == pytest.approx([512 / 20])
    assert job.reduces.first_shuffle == pytest.approx([512 / 20 / 2])
    assert job.reduces.durations == pytest.approx([2 + 512 / 10 + 256 / 20])


def test_a_job_that_shuffles_nothing_has_maps_that_write(log):
    job = log.workload.jobs[2]
    assert (job.maps.count, job.reduces.count) == (2, 0)
    assert job.maps.durations == pytest.approx([2 + 64 / 10 + 2.5 / 20], abs=0.001)


def test_a_job_without_bytes_has_one_map(log):
    job = log.workload.jobs[0]
    assert (job.maps.count, job.reduces.count) == (1, 0)
    assert job.maps.durations == pytest.approx([2])


def test_jobs_of_one_second_keep_their_order(log):
    assert [job.name for job in log.workload.jobs] == ["job0", "job1", "job2", "job3", "job4"]
    assert [job.arrival for job in log.workload.jobs] == [0, 0, 60, 75, 75]


def test_the_numbers_can_be_changed(data):
    changed = open_trace([data / "swim.tsv"], parameters={"map_size": "64", "overlap": 0, "scale": 2})
    job = changed.workload.jobs[1]
    assert job.maps.count == 12
    assert job.reduces.first_shuffle == job.reduces.typical_shuffle


def test_the_assumptions_stand_in_the_report_and_in_the_workload(data):
    imported = open_trace([data / "swim.tsv"], parameters={"map_rate": 12.5})
    for text in (imported.report.to_text(), imported.workload.description):
        assert "12.5 MiB/s" in " ".join(text.split())
    assert "model" in imported.workload.description


def test_wrong_parameters_are_refused_with_a_sentence(data):
    with pytest.raises(UnknownName, match="of SWIM workload 'mapsize'; did you mean 'map_size'"):
        open_trace([data / "swim.tsv"], parameters={"mapsize": 3})
    with pytest.raises(InputError, match=r"parameter map_rate is 0; give a number from 0\.001"):
        open_trace([data / "swim.tsv"], parameters={"map_rate": 0})


def test_the_suggested_cluster_is_half_busy(log):
    work = [0.0, 0.0]
    for job in log.workload.jobs:
        work[0] += float(job.maps.task_durations.sum())
        work[1] += float((job.reduces.task_durations + job.reduces.task_typical_shuffle).sum())
    slots = [int(np.ceil(each / 75 / 0.5)) for each in work]
    assert log.workload.cluster == Cluster(*slots)  # type: ignore[arg-type]
    assert "busy for half" in log.report.cluster_reason
    assert log.report.recorded_makespan is None


def test_damaged_rows_are_named_and_left_out(tmp_path, data):
    lines = (data / "swim.tsv").read_text().splitlines()
    lines[1:1] = [
        "job9\t5",
        "",
        f"job9\t5\t5\t{10**25}\t0\t0",
        f"job9\t{10**16}\t0\t1\t1\t1",
        "job9\t1\t1\t-1\t0\t0",
    ]
    imported = opened(tmp_path / "log", "\r\n".join(lines))
    assert len(imported.workload.jobs) == 5
    assert [problem.where for problem in imported.report.damage] == [f"log, line {n}" for n in (2, 4, 5, 6)]


def test_rows_taken_together_and_one_by_one_are_told_alike(tmp_path, monkeypatch):
    rows = ["a b\t9\t0\t1\t0\t0", "c\\.d\t7\t0\t0\t5\t1", "bad", "e\t7\t0\t1\t1", f"f\t1\t1\t{10**17}\t0\t0"]
    rows += ["a b\t7\t0\t1\t0\t0", "", "é\t8\t0\t1\t0\t0\tin"]
    together = opened(tmp_path / "log", "\n".join(rows))
    assert [(job.name, job.arrival) for job in together.workload.jobs] == [
        ("c.d", 0),
        ("a b", 0),
        ("é", 1),
        ("a b (2)", 2),
    ]
    assert [problem.where for problem in together.report.damage] == [
        "log, line 3",
        "log, line 4",
        "log, line 5",
    ]
    assert together.report.repeated_names == 1
    monkeypatch.setattr(byte_source, "LINES_AT_ONCE", 1)
    one_by_one = opened(tmp_path / "log", "\n".join(rows))
    assert (one_by_one.workload, one_by_one.report) == (together.workload, together.report)


def test_a_file_of_blank_lines_at_its_end_has_its_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(byte_source, "LINES_AT_ONCE", 2)
    rows = "a\t1\t1\t5\t0\t0\n\n\t\n \n\nb\t2\t1\t999999999999999\t0\t0\n\n\n"
    imported = opened(tmp_path / "log", rows)
    assert [(job.name, job.arrival) for job in imported.workload.jobs] == [("a", 0), ("b", 1)]
    assert imported.workload.jobs[1].maps.count == -(-999999999999999 // (128 << 20))
    assert imported.report.damage == ()


def test_equal_stages_of_many_jobs_are_one_object(tmp_path):
    jobs = opened(
        tmp_path / "log", "".join(f"j{i}\t{i}\t1\t{i % 2}\t{i % 3}\t9\n" for i in range(60))
    ).workload.jobs
    assert len({id(job.maps) for job in jobs}) == len({job.maps for job in jobs}) == 1
    assert len({id(job.reduces) for job in jobs}) == len({job.reduces for job in jobs}) == 2
    for stage in (jobs[0].maps, jobs[1].reduces):
        with pytest.raises(ValueError, match="read-only"):
            stage.durations[0] = 1


def test_jobs_with_tasks_and_such_of_bytes_become_one_workload(tmp_path, data):
    """When tasks ran is known of a part of the jobs only, so nothing is shown as recorded."""
    for name in ("swim.tsv", "sls.json"):
        (tmp_path / name).write_bytes((data / name).read_bytes())
    alone = [open_trace([tmp_path / name]) for name in ("swim.tsv", "sls.json")]
    both = open_trace([tmp_path])
    assert both.report.jobs_kept == sum(each.report.jobs_kept for each in alone)
    assert both.report.tasks[MAP].kept == sum(each.report.tasks[MAP].kept for each in alone)
    assert alone[1].workload.recorded is not None
    assert both.workload.recorded is None
    assert both.report.recorded_makespan is None
    assert any(each.startswith("Nothing is shown as recorded") for each in both.report.assumptions)
    assert [job.arrival for job in both.workload.jobs] == sorted(job.arrival for job in both.workload.jobs)


def test_a_job_of_too_many_tasks_is_left_out_with_the_remedy(tmp_path):
    imported = opened(tmp_path / "log", f"a\t1\t1\t{10**17}\t0\t0\nb\t2\t1\t0\t0\t0\n")
    assert [job.name for job in imported.workload.jobs] == ["b"]
    (problem,) = imported.report.damage
    assert "raise map_size" in problem.rule
    larger = opened(tmp_path / "log", f"a\t1\t1\t{10**17}\t0\t0\nb\t2\t1\t0\t0\t0\n", map_size=10_000)
    assert larger.report.jobs_kept == 2


def test_too_many_tasks_in_all_are_refused(tmp_path):
    rows = "".join(f"job{i}\t{i}\t1\t{2 * 10**15}\t0\t0\n" for i in range(3))
    with pytest.raises(InputError, match="2000000 jobs and 20000000 tasks fit"):
        opened(tmp_path / "log", rows)


def test_a_table_of_other_numbers_is_no_swim_workload(tmp_path):
    with pytest.raises(InputError, match="a table separated by tabs"):
        opened(tmp_path / "log", "a\tb\tc\td\te\tf\n" * 3)
    with pytest.raises(TraceError, match=r"SWIM workload, but no job could be read: .*line 1"):
        opened(tmp_path / "log", f"a\t1\t1\t{10**30}\t0\t0\n")


@given(
    st.lists(st.tuples(*[st.integers(0, 10**15)] * 3), min_size=1, max_size=20),
    st.fixed_dictionaries({p.name: st.floats(max(p.min, 1e-3), min(p.max, 1e3)) for p in PARAMETERS}),  # type: ignore[type-var]
)
def test_all_bytes_are_worked_through_at_the_given_rates(rows, values):
    rates = values | {"overlap": values["overlap"]}
    job_bytes = np.array(rows, float)
    tasks = tasks_of_bytes(job_bytes, rates)
    read, shuffled, _ = job_bytes.T * rates["scale"] / MIB
    assert (tasks.maps * rates["map_size"] >= read * (1 - 1e-9)).all()
    assert ((tasks.reduces > 0) == (shuffled > 0)).all()
    assert (tasks.first_shuffle <= tasks.typical_shuffle).all()
    assert tasks.reduces * tasks.typical_shuffle * rates["shuffle_rate"] == pytest.approx(
        shuffled, rel=1e-6, abs=0.001 * (1 + tasks.reduces.max()) * rates["shuffle_rate"]
    )
    least = rates["task_time"] + read / tasks.maps / rates["map_rate"]
    assert (tasks.map_duration >= least * (1 - 1e-9) - 0.001).all()
    assert (tasks.reduce_duration >= rates["task_time"] - 0.001).all()

"""Rumen traces: formulas and pitfalls on hand-written logs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from core.logs.open_log import Imported, open_trace
from core.model.cluster import Cluster
from core.model.errors import TraceError
from core.model.task_types import MAP, REDUCE
from tests.core.logs.collected_logs import notes_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.job import Job


@pytest.fixture
def early(data: Path) -> Imported:
    return open_trace([data / "rumen-2009.json"])


@pytest.fixture
def late(data: Path) -> Imported:
    return open_trace([data / "rumen-2011.json"])


def job(imported: Imported, number: int) -> Job:
    return next(job for job in imported.workload.jobs if job.name.endswith(f"_{number:04d}"))


def notes(imported: Imported, number: int) -> dict[str, int]:
    return {n.what: n.count for n in notes_of(imported.report, f"job_200801010000_{number:04d}")}


def test_durations_come_from_the_first_successful_attempt_in_the_order_of_task_numbers(early):
    assert job(early, 1).maps.durations == pytest.approx([4, 6, 5])


def test_the_sort_is_counted_with_the_shuffle(early):
    reduces = job(early, 1).reduces
    assert reduces.durations == pytest.approx([2, 1, 3.5])
    assert reduces.first_shuffle == pytest.approx([3, 0])  # the second is clamped from -0.5
    assert reduces.typical_shuffle == pytest.approx([3.5])


def test_a_first_shuffle_before_the_map_stage_ends_is_clamped_and_counted(early):
    (clamped,) = (v for k, v in early.report.clamped.items() if k.startswith("first shuffles"))
    assert (clamped.count, clamped.seconds, clamped.worst) == pytest.approx((1, -0.5, -0.5))
    assert any("first shuffles" in what and n == 1 for what, n in notes(early, 1).items())


def test_tasks_without_a_usable_attempt_are_left_out_with_the_reason(early):
    assert early.report.tasks[MAP].kept == 5
    assert early.report.tasks[MAP].left_out == {
        "never ran": 1,
        "failed": 1,
        "killed": 1,
        "succeeded without start or end time": 1,
    }
    assert job(early, 2).maps.durations == pytest.approx([10])
    assert notes(early, 2)["map tasks left out: killed"] == 1


def test_attempts_are_counted_by_result(early):
    assert early.report.tasks[MAP].attempts == {"succeeded": 6, "failed": 2, "killed": 3}
    assert early.report.tasks[REDUCE].attempts == {"succeeded": 6}


def test_missing_times_are_counted_by_kind(early):
    counts = {kind.split(" (")[0]: count for kind, count in early.report.missing.items()}
    assert counts == {
        "starts of attempts": 2,
        "ends of attempts": 1,
        "submit times": 1,
        "sort ends": 1,
        "shuffle ends": 1,
    }


def test_a_job_without_tasks_is_left_out_and_time_0_is_the_first_job_kept(early):
    assert early.report.jobs_left_out == (("job_200801010000_0003", "no usable task (none is listed)"),)
    assert [job.arrival for job in early.workload.jobs] == pytest.approx([0, 2, 5])
    assert early.report.started == 1_200_000_000_000
    assert early.report.recorded_makespan == pytest.approx(40)


def test_a_missing_submit_time_is_taken_from_the_launch(early):
    assert job(early, 4).arrival == pytest.approx(5)
    assert notes(early, 4)["missing: submit times (launch or first start taken)"] == 1


def test_declared_and_listed_counts_that_differ_are_noted(early):
    assert notes(early, 2)["reduce tasks declared but not listed"] == 2
    assert notes(early, 3)["map tasks declared but not listed"] == 1
    assert not any("declared" in what for what in notes(early, 1))


def test_setup_and_cleanup_are_left_out_and_counted(early):
    assert early.report.other_tasks == {"SETUP": 2, "CLEANUP": 1}


def test_a_job_without_first_wave_uses_its_typical_samples_and_says_so(early):
    reduces = job(early, 4).reduces
    assert reduces.typical_shuffle == pytest.approx([3, 0, 6.5])
    assert reduces.first_shuffle == pytest.approx([3, 0, 6.5])
    assert reduces.durations == pytest.approx([5, 4, 0])  # the last one's sort ends after its reduce
    assert notes(early, 4)["typical shuffle samples serve as first ones (no first wave of reduces)"] == 3


def test_a_job_that_failed_keeps_its_good_tasks_and_says_so(early):
    assert notes(early, 2)["ended as FAILED"] == 1


def test_clocks_that_differ_are_noted(early):
    assert notes(early, 2)["tasks start before their job was submitted (clocks differ)"] == 1


def test_without_configuration_the_observed_peaks_are_suggested(early):
    # 3.5 s on, five map attempts run, a speculative one among them; later all reduces of the last job
    assert early.report.peaks == (5, 3)
    assert early.workload.cluster == Cluster(5, 3, 0.05)
    assert "does not hold the configuration" in early.report.cluster_reason


def test_with_configuration_slots_and_slow_start_come_from_it(late):
    assert late.workload.cluster == Cluster(4, 2, 0.5)
    assert "2 map slots on each of 2 hosts" in late.report.cluster_reason


def test_names_lose_their_escapes_and_missing_ones_get_defaults(late, early):
    first, second = late.workload.jobs
    assert (first.name, first.user, first.pool) == ("job_201101010000_0007", "e=ve", "research.daily")
    assert (second.name, second.user, second.pool) == ("job_201101010000_0008", "frank", "default")
    assert job(early, 2).user == ""


def test_keys_may_come_in_any_order(late):
    first, second = late.workload.jobs
    assert first.maps.durations == pytest.approx([2, 2.25, 2.5, 2.75])
    assert first.reduces.first_shuffle == pytest.approx([1.5])
    assert first.reduces.typical_shuffle == pytest.approx([2])
    assert first.reduces.durations == pytest.approx([2.75, 1.5])
    assert (second.arrival, second.reduces.count) == (pytest.approx(1.5), 0)


def test_a_log_without_oddities_is_clean(late, early):
    assert late.report.is_clean
    assert not early.report.is_clean


def one_job(**changes: Any) -> dict[str, Any]:
    attempt = {"result": "SUCCESS", "startTime": 1000, "finishTime": 3000, "hostName": "/r/h"}
    task = {"taskID": "task_1_m_000000", "taskType": "MAP", "attempts": [attempt]}
    return {"jobID": "job_1", "submitTime": 500, "mapTasks": [task], "reduceTasks": []} | changes


def write(path: Path, *jobs: object) -> list[Path]:
    path.write_text("\n".join(json.dumps(job) for job in jobs))
    return [path]


def test_repeated_ids_become_unique_and_are_counted(tmp_path):
    jobs = [one_job(), one_job(), one_job(jobID="job_1 (2)"), one_job(), one_job(jobID=None)]
    imported = open_trace(write(tmp_path / "log", *jobs))
    names = [job.name for job in imported.workload.jobs]
    assert names == ["job_1", "job_1 (3)", "job_1 (2)", "job_1 (4)", "job without a name"]
    assert imported.report.repeated_names == 2


def test_values_of_the_wrong_type_are_counted_not_fatal(tmp_path):
    bad = one_job(
        user=7,
        queue=["q"],
        outcome={},
        totalMaps="two",
        mapTasks=[None, {"attempts": 3}, {"attempts": ["x"]}, *one_job()["mapTasks"]],
        reduceTasks="none",
        otherTasks=[5, {}],
        jobProperties=[1],
    )
    imported = open_trace(write(tmp_path / "log", bad, 17, {"other": 1}))
    assert imported.workload.jobs[0].maps.count == 1
    assert [note.count for note in imported.report.notes if "unreadable" in note.what] == [4]
    assert [problem.where for problem in imported.report.damage] == ["log, line 2", "log, line 3"]


def test_times_that_run_backwards_become_0(tmp_path):
    tasks = one_job()["mapTasks"]
    tasks[0]["attempts"][0]["finishTime"] = 400
    imported = open_trace(write(tmp_path / "log", one_job(mapTasks=tasks)))
    assert imported.workload.jobs[0].maps.durations == pytest.approx([0])
    assert imported.report.clamped["tasks that end before they start"].count == 1
    assert imported.workload.cluster.map_slots == 1


def test_a_log_without_a_usable_job_says_which_and_why(tmp_path):
    with pytest.raises(TraceError, match=r"log: Rumen job trace, .* job_1 has no usable task"):
        open_trace(write(tmp_path / "log", one_job(mapTasks=[])))


@pytest.mark.parametrize(
    ("properties", "cluster", "reason"),
    [
        ({"map.memory.mb": 2048}, Cluster(1, 2, 0.05), "of which every task takes 2"),
        ({"map.memory.mb": 8192}, Cluster(1, 0, 0.05), "does not explain"),
        ({"tasktracker.reduce.tasks.maximum": "many"}, Cluster(1, 0, 0.05), "does not hold"),
        ({"job.reduce.slowstart.completedmaps": "0.8"}, Cluster(2, 2, 0.8), "0.8 as configured"),
        ({"job.reduce.slowstart.completedmaps": "8"}, Cluster(2, 2, 0.05), "does not say"),
    ],
)
@pytest.mark.parametrize("has_reduces", [True, False])
def test_slots_follow_the_configuration_unless_the_log_contradicts_it(
    tmp_path, properties, cluster, reason, has_reduces
):
    known = {"cluster.mapmemory.mb": 1024, "map.memory.mb": 1024}
    known |= {"tasktracker.map.tasks.maximum": 2, "tasktracker.reduce.tasks.maximum": "2"} | properties
    job_properties = {f"mapreduce.{name}": value for name, value in known.items()}
    (task,) = one_job()["mapTasks"]
    reduces = [task | {"taskID": "task_1_r_000000", "taskType": "REDUCE"}] * has_reduces
    imported = open_trace(write(tmp_path / "log", one_job(jobProperties=job_properties, reduceTasks=reduces)))
    found = imported.workload.cluster
    assert found == replace(cluster, reduce_slots=max(cluster.reduce_slots, int(has_reduces)))
    is_of_slowstart = "slowstart" in next(iter(properties))
    assert (reason in imported.report.cluster_reason) == (has_reduces or not is_of_slowstart)
    assert ("Slow start" in imported.report.cluster_reason) == has_reduces


def test_jobs_with_different_configurations_fall_back_to_the_peaks(tmp_path):
    slots = {"mapreduce.tasktracker.map.tasks.maximum": 9, "mapreduce.tasktracker.reduce.tasks.maximum": 9}
    jobs = [one_job(jobProperties=slots), one_job(jobID="job_2")]
    imported = open_trace(write(tmp_path / "log", *jobs))
    assert imported.workload.cluster == Cluster(2, 0, 0.05)
    assert "configurations differ" in imported.report.cluster_reason

"""Real logs against numbers computed by somebody else's script; one skip where they are absent."""

from __future__ import annotations

import json
import re
import tracemalloc
from functools import cache
from os.path import basename
from typing import Any

import pytest

from core.fidelity.history_schedule import history_schedule
from core.logs.open_log import open_trace
from core.logs.report import ReportSeverity
from core.model.errors import TraceError, UnknownFormat
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP, REDUCE
from core.simulation.simulate import simulate
from tests.core.logs.collected_logs import CONFIGURED, FAILED, REAL, SPARK, SWIM, TRACKER, imported, notes_of
from tests.paths import TRACES

if not TRACES.is_dir():
    pytest.skip("real logs are no part of the project: ../shared/traces is absent", allow_module_level=True)

each_log = pytest.mark.parametrize("log", REAL, ids=basename)


@cache
def facts(log: str) -> dict[str, Any]:
    everything: dict[str, Any] = json.loads((TRACES / "facts.json").read_text())
    return everything[log]


def total(values: dict[str, float] | None) -> float:
    """Return a fact's sum in seconds, 0 where the job has none of it."""
    return values["sum"] / 1000 if values else 0.0


@each_log
def test_jobs_tasks_and_attempts(log):
    report, known = imported(log).report, facts(log)["facts"]
    empty = {job["id"] for job in facts(log)["jobs"] if not job.get("map_ms") and not job.get("reduce_ok")}
    assert report.jobs_kept == known["jobs"] - len(empty)
    assert {name for name, _ in report.jobs_left_out} == empty
    assert report.tasks[MAP].kept == known["maps_ok"]
    assert report.tasks[REDUCE].kept == known["reduces_ok"]
    for count, attempts in ((report.tasks[MAP], "map_attempts"), (report.tasks[REDUCE], "reduce_attempts")):
        words = {"SUCCESS": "succeeded", "SUCCEEDED": "succeeded", "FAILED": "failed", "KILLED": "killed"}
        assert count.attempts == {words[result]: n for result, n in known[attempts].items()}
    assert report.peaks == (known["peak_maps"], known["peak_reduces"])
    assert report.damage == ()


@each_log
def test_every_job_has_the_known_sums(log):
    by_id = {job["id"]: job for job in facts(log)["jobs"]}
    first_submit = min(by_id[job.name]["submit"] for job in imported(log).workload.jobs)
    for job in imported(log).workload.jobs:
        known = by_id[job.name]
        assert job.arrival == pytest.approx((known["submit"] - first_submit) / 1000)
        assert sum(job.maps.durations) == pytest.approx(total(known["map_ms"]))
        assert sum(job.reduces.durations) == pytest.approx(total(known["reduce_phase_ms"]))
        assert job.maps.count == (known["map_ms"] or {"n": 0})["n"]
        assert job.reduces.count == known["reduce_with_phases"]
        check_shuffles(log, job, known)


def check_shuffles(log, job, known):
    first, typical = known["first_shuffle_plus_sort_nonoverlap_ms"], known["typical_shuffle_plus_sort_ms"]
    if typical:
        assert len(job.reduces.typical_shuffle) == typical["n"]
        assert sum(job.reduces.typical_shuffle) == pytest.approx(total(typical))
    if first:
        assert len(job.reduces.first_shuffle) == first["n"]
        # what is clamped to 0 is missing in the known sum
        assert sum(job.reduces.first_shuffle) >= max(0.0, total(first) - 1e-6)
        if first["min"] >= 0:
            assert sum(job.reduces.first_shuffle) == pytest.approx(total(first))
    says = [note.what for note in notes_of(imported(log).report, job.name)]
    assert any("serve as typical" in what for what in says) == bool(first and not typical)
    assert any("serve as first" in what for what in says) == bool(typical and not first)


@each_log
def test_first_shuffles_have_the_known_sum_before_clamping(log):
    workload, report = imported(log).workload, imported(log).report
    known = facts(log)["facts"]
    has_first = {j["id"] for j in facts(log)["jobs"] if j.get("first_shuffle_plus_sort_nonoverlap_ms")}
    kept = sum(sum(job.reduces.first_shuffle) for job in workload.jobs if job.name in has_first)
    clamped = [each for kind, each in report.clamped.items() if kind.startswith("first shuffles")]
    below = sum(each.seconds for each in clamped)
    assert kept + below == pytest.approx(known["sum_first_shuffle_plus_sort_nonoverlap_ms"] / 1000)
    # a sort after the shuffle can only lift a shuffle above 0
    assert sum(each.count for each in clamped) <= known["first_shuffle_negative"]


@each_log
def test_the_recorded_run_is_a_schedule_of_the_known_makespan(log):
    workload, known = imported(log).workload, facts(log)["facts"]
    schedule, report = history_schedule(workload, workload.recorded), imported(log).report  # type: ignore[arg-type]
    packed = schedule.record
    assert schedule.makespan >= report.recorded_makespan - 1e-9  # type: ignore[operator]
    if not known["attempt_after_job_finish"]:
        assert schedule.makespan == pytest.approx(report.recorded_makespan)
    attempts = sum(report.tasks[MAP].attempts.values()) + sum(report.tasks[REDUCE].attempts.values())
    others = int((workload.recorded.kind > 1).sum())
    assert schedule.tasks + len(packed.extra) + packed.not_placed == attempts + others
    assert schedule.cluster.map_slots >= known["peak_maps"]
    assert schedule.cluster.reduce_slots >= known["peak_reduces"]
    if any(name in log for name in CONFIGURED) and "cpu_emul" not in log:
        assert schedule.cluster == workload.cluster


def test_19_jobs_in_numbers():
    report = imported(REAL[0]).report
    assert (report.jobs_kept, [name[-4:] for name, _ in report.jobs_left_out]) == (18, ["0018"])
    assert sum(report.tasks[MAP].left_out.values()) == 8573 - 5650
    assert sum(report.tasks[REDUCE].left_out.values()) == 3256 - 2754
    (clamped,) = report.clamped.values()
    assert clamped.count == 108
    assert clamped.worst == pytest.approx(-407, abs=1)
    early = [note.count for note in report.notes if "before their job was submitted" in note.what]
    assert sum(early) == 31
    assert ("reduce tasks declared but not listed", 1) in [
        (note.what, note.count) for note in notes_of(report, "job_200904211745_0018")
    ]


def test_the_import_is_small():
    tracemalloc.start()
    open_trace([TRACES / REAL[0]])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10 * 11_509_915


@pytest.mark.parametrize("name", ["19-jobs.topology.json.gz", "job-tracker-logs-topology-output"])
def test_a_topology_is_not_a_log(name):
    with pytest.raises(UnknownFormat, match="a Rumen cluster topology"):
        open_trace([TRACES / "hadoop-mapreduce" / name])


def test_a_history_and_the_rumen_trace_made_from_it_agree():
    text, rumen = imported(TRACKER[0]), imported("hadoop-mapreduce/job-tracker-logs-trace-output.gz")
    assert text.workload.jobs == rumen.workload.jobs
    assert text.report.peaks == rumen.report.peaks
    assert text.report.notes == rumen.report.notes


@pytest.mark.parametrize("log", SWIM)
def test_bytes_become_tasks(log):
    known, workload = facts(log)["facts"], imported(log).workload
    assert len(workload.jobs) == known["jobs"]
    assert [job.name for job in workload.jobs] == [f"job{i}" for i in range(known["jobs"])]
    assert workload.jobs[-1].arrival == known["last_submit_s"] - known["first_submit_s"]
    assert sum(job.reduces.count == 0 for job in workload.jobs) == known["map_only_shuffle0"]
    least = known["sum_map_input"] / (128 << 20)
    assert least <= workload.map_count <= least + known["jobs"]
    assert imported(log).report.is_clean


@pytest.mark.parametrize("log", SPARK)
def test_stages_become_maps_and_reduces(log):
    known, workload = facts(log)["facts"], imported(log).workload
    assert len(workload.jobs) == known["jobs"]
    assert workload.map_count + workload.reduce_count == known["tasks"]
    columns = workload.columns
    waited = float(columns.typical_shuffle.sum())
    assert float(columns.duration.sum()) + waited == pytest.approx(known["sum_task_ms"] / 1000)
    assert waited == pytest.approx(known["sum_fetch_wait_ms"] / 1000)
    makespan = known["last_job_end"] - known["first_job_submit"]
    assert imported(log).report.recorded_makespan == pytest.approx(makespan / 1000)
    problems = [row for row in imported(log).report.rows() if row.severity is ReportSeverity.PROBLEM]
    assert [row.where for row in problems] == ["not in the model"][: len(problems)]


@pytest.mark.parametrize("log", FAILED)
def test_a_job_of_which_nothing_succeeded_is_no_workload(log):
    assert facts(log)["facts"]["maps_ok"] == 0
    with pytest.raises(TraceError, match=rf"{facts(log)['jobs'][0]['id']} has no usable task \(. failed"):
        open_trace([TRACES / log])


def test_no_other_file_is_taken_for_a_log():
    logs = {TRACES / log for log in [*REAL, *FAILED, *SWIM, *SPARK]} | {*TRACES.glob("spark-truth/*.gz")}
    for path in sorted(TRACES.glob("*/*")):
        if path not in logs and path.name != "tasks_history.jsonl" and path.parent.name != "licenses":
            with pytest.raises(UnknownFormat, match="looks like"):
                open_trace([path])


def test_the_whole_folder_comes_in_as_one_workload():
    whole = open_trace([TRACES / "hadoop-mapreduce"])
    apart = [imported(log) for log in REAL if log.startswith("hadoop-mapreduce/")]
    assert len(whole.workload.jobs) == sum(len(each.workload.jobs) for each in apart)
    assert whole.report.repeated_names >= 2  # two logs hold some of the same jobs
    assert any(re.search("topology", looks) for _, looks in whole.report.files_left_out)


@pytest.mark.parametrize(("log", "least", "most"), [("trace_5m", 0.02, 0.05), ("19-jobs.trace", 0.02, 0.06)])
def test_a_plain_replay_is_a_little_shorter_than_what_was_recorded(log, least, most):
    """Set-up and clean-up tasks and waits for heartbeats are not replayed, so it cannot be longer."""
    log = f"hadoop-mapreduce/{log}.json.gz"
    workload, recorded = imported(log).workload, imported(log).report.recorded_makespan
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    assert recorded == pytest.approx(facts(log)["facts"]["makespan_ms"] / 1000)
    assert least < 1 - schedule.makespan / recorded < most  # type: ignore[operator]

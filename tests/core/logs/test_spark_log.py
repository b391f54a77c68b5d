"""Spark event logs: stages as maps and reduces, on a hand-written log."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from core.logs.logged_job import ENDS_EARLY
from core.logs.open_log import Imported, open_trace
from core.logs.report import ReportSeverity
from core.logs.spark_application import NO_END_TIME, NO_JOB_OF_STAGES, NO_START_OF_JOB
from core.logs.spark_log import READER
from core.model.cluster import Cluster
from core.model.errors import TraceError
from core.model.slot_times import SlotTime
from core.model.task_types import MAP
from tests.core.logs.collected_logs import notes_of
from tests.core.logs.test_archives import zip_of
from tests.core.logs.typed_tasks import counts_of, durations_of
from tests.gzipped import gzip_of
from tests.written_application import AFTER, DIAMOND, STARTED, SparkJob, SparkStage, write_application

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.job import Job

LOG = "spark.log"
NAMES = [
    f"job {job}: stage {stage} (application_1499999999999_0001)" for job, stage in ((0, 1), (1, 4), (2, 5))
]


@pytest.fixture
def log(data: Path) -> Imported:
    return open_trace([data / LOG])


def job(imported: Imported, number: int) -> Job:
    return imported.workload.jobs[imported.workload.job_index[NAMES[number]]]


def notes(imported: Imported, number: int) -> dict[str, int]:
    return {note.what: note.count for note in notes_of(imported.report, NAMES[number])}


def test_a_stage_that_reads_a_shuffle_holds_reduces_every_other_maps(log):
    assert durations_of(job(log, 0), MAP) == pytest.approx([2, 3, 3.5])
    assert counts_of(job(log, 0)) == [3, 2]
    assert log.report.tasks[MAP].attempts == {"succeeded": 5, "failed": 1, "killed": 1}


def test_the_shuffle_is_what_a_task_waited_for(log):
    _, reduces = job(log, 0).stages
    assert reduces.typical_shuffle == pytest.approx([0.5, 0.25])
    assert reduces.durations == pytest.approx([1.5, 2.75])


def test_a_stage_belongs_to_the_first_job_that_lists_it(log):
    assert counts_of(job(log, 1)) == [1, 2]
    assert [job(log, 1).graph.parents(stage) for stage in range(3)] == [(), (0,), (1,)]
    assert not any("declared" in what for what in notes(log, 1))
    assert "ended as JobFailed" in notes(log, 1)


def test_names_and_pools(log):
    assert [each.user for each in log.workload.jobs] == ["lea"] * 3
    assert [each.pool for each in log.workload.jobs] == ["quick", "default", "default"]
    assert log.workload.recorded.submit.tolist() == [0, 9, 14]


def test_each_job_follows_the_one_before_after_what_the_driver_thought(log):
    """From the end of the last task: job 0 ends at 8.1 s and job 1 at 13.3 s, by their tasks."""
    thinks = [[(link.job, link.think, link.inferred) for link in each.after] for each in log.workload.jobs]
    first, second, _ = (each.name for each in log.workload.jobs)
    assert thinks == [[], [(first, pytest.approx(0.9), True)], [(second, pytest.approx(0.7), True)]]


def test_a_log_that_stops_early_says_so(log):
    assert notes(log, 2)["map tasks declared but not listed"] == 1
    (problem,) = log.report.damage
    assert problem.where == f"{LOG}, {NAMES[2]}"


def test_a_log_that_knows_no_completion_times_says_that(tmp_path, data, log):
    """As Spark 1.2 writes it; the third job has no end at all in this log."""
    lines = [json.loads(line) for line in (data / LOG).read_text().splitlines()]
    for line in lines:
        if line["Event"] == "SparkListenerJobEnd":
            del line["Completion Time"]
    (tmp_path / LOG).write_text("\n".join(map(json.dumps, lines)))
    old = open_trace([tmp_path / LOG])
    assert [problem.rule for problem in old.report.damage] == [NO_END_TIME, NO_END_TIME, ENDS_EARLY]
    assert [counts_of(each) for each in old.workload.jobs] == [counts_of(each) for each in log.workload.jobs]


def test_the_cluster_has_the_cores_of_the_executors(log):
    """Executor 2 went at 8.3 s, and 3 came at 8.4 s: there were never 6 cores."""
    times = SlotTime(2, 0, 8.3), SlotTime(2, 8.4)
    assert log.workload.cluster == Cluster(0, 0, 1.0, containers=2, slot_times=times, slots_per_executor=2)
    why = "There were at most 4 cores of executors at once; some came or went while jobs ran."
    assert log.report.cluster_reason == why
    assert "2 slots and 4 containers that come and go, 2 of them at once" in log.report.to_text()


def test_an_executor_that_is_replaced_goes_before_it_is_reported_gone(tmp_path):
    """At most two executors: the first one is gone when the third comes at 20 s, not at 30 s."""
    events = [
        {"Event": "SparkListenerExecutorAdded", "Timestamp": STARTED + 1000 * at, "Executor ID": name}
        | {"Executor Info": {"Host": name, "Total Cores": 2}}
        for name, at in (("b", 0), ("c", 20))
    ]
    gone = {"Event": "SparkListenerExecutorRemoved", "Timestamp": STARTED + 30_000, "Executor ID": "0"}
    job = SparkJob(0.0, 40.0, (SparkStage(0, (), ((0.0, 20.0), (0.0, 40.0))),))
    most = {"spark.dynamicAllocation.maxExecutors": "2"}
    log = write_application(tmp_path / "app", [job], (2,), most, [*events, gone])
    times = SlotTime(2, 0, 20), SlotTime(2, 20)
    imported = open_trace([log]).workload.cluster
    assert (imported.containers, imported.slot_times) == (2, times)


def test_hosts_have_the_cores_of_their_executors(log, tmp_path, data):
    """Where the host of an executor is another one than that of its tasks, nothing is known of any."""
    run = log.workload.recorded
    hosts = ("h1.example.com", "h2.example.com", "h3.example.com")
    assert (run.hosts, run.host_slots.tolist()) == (hosts, [2, 2, 2])
    text = (data / LOG).read_text().replace("h1.example.com", "elsewhere", 1)
    (tmp_path / "log").write_text(text)
    run = open_trace([tmp_path / "log"]).workload.recorded
    assert (run.hosts, run.host_slots) == (hosts, None)


def test_cores_that_do_not_explain_the_tasks_are_not_believed(tmp_path, data):
    text = (data / LOG).read_text().replace('"Total Cores":2', '"Total Cores":1')
    (tmp_path / "log").write_text(text)
    imported = open_trace([tmp_path / "log"])
    assert imported.workload.cluster.containers == 4
    assert "2 cores of executors do not explain them" in imported.report.cluster_reason


@pytest.mark.parametrize("line", [3, 12, 20, 33])
def test_a_log_rolled_over_several_files_is_one(tmp_path, data, log, line):
    lines = (data / LOG).read_text().splitlines(keepends=True)
    (tmp_path / "events_1_x").write_text("".join(lines[:line]))
    (tmp_path / "events_2_x").write_text("".join(lines[line:]))
    rolled = open_trace([tmp_path])
    assert rolled.workload.jobs == log.workload.jobs
    assert rolled.report.tasks[MAP].attempts == log.report.tasks[MAP].attempts


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (("events_1_a-1", "events_2_a-1", "events_3_a-1"), None),
        (("events_2_a-1.zstd", "events_3_a-1.zstd"), "part 1 of 3 of the log of a-1 is missing"),
        (("events_1_a-1", "events_5_a-1"), "parts 2, 3, 4 of 5 of the log of a-1 are missing"),
        (
            ("events_1_a-1", "events_20_a-1"),
            "parts 2, 3, 4, 5, 6 and 13 more of 20 of the log of a-1 are missing",
        ),
        (("events_3_a-1.zstd.compact", "events_4_a-1.zstd"), None),
        (("events_3_a-1.compact", "events_5_a-1"), "part 4 of 5 of the log of a-1 is missing"),
        (("events_1_a-1", "events_1_b-2", "events_3_b-2"), "part 2 of 3 of the log of b-2 is missing"),
        (("night/events_2_a-1",), "part 1 of 2 of the log of a-1 is missing"),
        (("tasks", "events_2"), None),
    ],
)
def test_parts_that_are_missing_are_said(parts, sentence):
    assert READER.lacks_parts is not None
    found = list(READER.lacks_parts([f"x.zip: {part}" if "/" in part else part for part in parts]))
    assert [each.partition(";")[0] for each in found] == ([sentence] if sentence else [])


def test_half_a_rolled_log_is_a_problem_of_its_import(tmp_path, data):
    lines = (data / LOG).read_text().splitlines(keepends=True)
    (tmp_path / "events_2_app-1").write_text("".join(lines[20:30]))
    (tmp_path / "events_3_app-1").write_text("".join(lines[30:]))
    rows = open_trace([tmp_path]).report.rows()
    (row,) = (row for row in rows if row.what.startswith("part 1 of 3 of the log of app-1 is missing"))
    assert row.severity is ReportSeverity.PROBLEM


def test_parts_that_are_packed_twice_are_one_log(tmp_path, data, log):
    lines = (data / LOG).read_bytes().splitlines(keepends=True)
    for number, part in ((1, lines[:12]), (2, lines[12:])):
        name = f"events_{number}_app-1"
        (tmp_path / f"{name}.zip.gz").write_bytes(gzip_of(zip_of({name: gzip_of(b"".join(part))})))
    rolled = open_trace([tmp_path])
    assert rolled.workload.jobs == log.workload.jobs
    assert rolled.report.damage_count == log.report.damage_count


@pytest.mark.parametrize("first_event", ["LogStart", "ApplicationStart"])
def test_applications_behind_one_another_are_kept_apart(tmp_path, data, log, first_event):
    text = (data / LOG).read_text()
    lines = text.splitlines(keepends=True)
    begins = next(i for i, line in enumerate(lines) if first_event in line)
    other = "".join(lines[begins:]).replace(
        "application_1499999999999_0001", "application_1499999999999_0002"
    )
    (tmp_path / "log").write_text(text + other)
    imported = open_trace([tmp_path / "log"])
    assert len(imported.workload.jobs) == 6
    assert imported.report.repeated_names == 0
    assert imported.report.tasks[MAP].kept == 2 * log.report.tasks[MAP].kept


@pytest.mark.parametrize("lost", ["LogStart", "ApplicationStart", "(?:Log|Application)Start"])
def test_a_file_behind_an_application_that_ended_is_another_one(tmp_path, data, log, lost):
    lines = (data / LOG).read_text().splitlines(keepends=True)
    end = '{"Event":"SparkListenerApplicationEnd","Timestamp":1500000017000}\n'
    other = [line for line in lines if not re.search(lost, line)]
    (tmp_path / "a").write_text("".join([*lines, end]))
    (tmp_path / "b").write_text("".join(other).replace("_0001", "_0002"))
    both = open_trace([tmp_path])
    assert len(both.workload.jobs) == 6
    assert both.report.tasks[MAP].kept == 2 * log.report.tasks[MAP].kept


def test_tasks_of_no_known_job_are_counted(tmp_path, data):
    lines = [line for line in (data / LOG).read_text().splitlines() if '"Job ID":1,"Sub' not in line]
    (tmp_path / "log").write_text("\n".join(lines))
    damage = open_trace([tmp_path / "log"]).report.damage
    assert any("the log does not have its start" in problem.rule for problem in damage)


def test_strange_lines_are_named_and_left_out(tmp_path, data):
    strange = ['{"Event": 7}', "17", '{"Event":"SparkListenerTaskEnd","Stage ID":"x"}', "{"]
    lines = (data / LOG).read_text().splitlines()
    (tmp_path / "log").write_text("\n".join(lines[:5] + strange + lines[5:]))
    imported = open_trace([tmp_path / "log"])
    assert [problem.where for problem in imported.report.damage[:4]] == [
        f"log, line {n}" for n in (6, 7, 8, 9)
    ]
    assert len(imported.workload.jobs) == 3


def test_a_log_without_jobs_is_a_damaged_log(tmp_path):
    (tmp_path / "log").write_text('{"Event":"SparkListenerLogStart","Spark Version":"1.5.1"}\n')
    with pytest.raises(TraceError, match=r"Spark event log, but no job could be read: it holds no job"):
        open_trace([tmp_path / "log"])


def test_parts_of_a_rolled_log_are_read_as_they_were_written_whatever_their_names_say(data, log, tmp_path):
    """The last part has the shortest name, which comes first by name: jobs would end before they begin."""
    lines = (data / LOG).read_bytes().splitlines(keepends=True)
    third = len(lines) // 3
    parts = {"eventlog-2024-01-02--09": lines[:third], "eventlog-2024-01-02--10": lines[third : 2 * third]}
    for name, part in (parts | {"eventlog": lines[2 * third :]}).items():
        (tmp_path / name).write_bytes(b"".join(part))
    rolled = open_trace([tmp_path])
    assert rolled.report.damage_count == log.report.damage_count
    assert rolled.workload.jobs == log.workload.jobs


def test_a_part_whose_first_time_is_thousands_of_digits_began_with_its_next_one():
    lines = [f'{{"Event":"SparkListenerJobStart","Timestamp":{time}}}' for time in (5000 * "1", 10**12)]
    assert READER.part_began is not None
    assert READER.part_began("\n".join(lines).encode()) == 10**12


def test_a_long_line_without_a_time_is_searched_once():
    """A search for a whole line with a time in it begins anew at each byte: that took an hour here."""
    began = READER.part_began
    assert began is not None
    line = b'{"Event":"SparkListenerJobEnd","x":"' + b"a" * 250_000
    assert began(line + b'"}\n{"Timestamp":1700000000000,"Finish Time":1700000000005}') == 1700000000005
    assert began(line) == float("inf")


def damage_of(tmp_path, *fields):
    """Return what is wrong with these events behind those of a whole application, each as a sentence."""
    log = write_application(tmp_path / "app", [DIAMOND], more=fields)
    return [str(problem) for problem in open_trace([log]).report.damage]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ({"Event": "SparkListenerJobStart"}, "it has no Job ID"),
        ({"Event": "SparkListenerJobStart", "Job ID": "x"}, "its Job ID is 'x', not a whole number from 0"),
        ({"Event": "SparkListenerJobEnd"}, "it has no Job ID"),
        ({"Event": "SparkListenerJobEnd", "Job ID": -1}, "its Job ID is -1, not a whole number from 0"),
        ({"Event": "SparkListenerStageSubmitted"}, "it has no Stage ID"),
        ({"Event": "SparkListenerStageCompleted", "Stage Info": {"Stage ID": None}}, "its Stage ID is null"),
        ({"Event": "SparkListenerTaskEnd", "Task Info": {}}, "it has no Stage ID"),
        ({"Event": "SparkListenerTaskEnd", "Stage ID": 0}, "it has no Index"),
        (
            {"Event": "SparkListenerTaskEnd", "Stage ID": 0, "Task Info": {"Partition ID": "p"}},
            "its Partition ID is 'p', not a whole number from 0",
        ),
    ],
    ids=str,
)
def test_an_event_that_is_left_out_is_so_for_the_reason_that_is_given(tmp_path, event, sentence):
    (problem,) = damage_of(tmp_path, event)
    assert problem.startswith(f"app, line 18 is an event {event['Event']}; ")
    assert sentence in problem
    assert problem.endswith("it is left out")


def ended_job(number, end):
    return {"Event": "SparkListenerJobEnd", "Job ID": number, "Completion Time": STARTED + round(1000 * end)}


def lost_task(stage, begin, end):
    info = {"Index": 0, "Launch Time": STARTED + 1000 * begin, "Finish Time": STARTED + 1000 * end}
    reason = {"Reason": "Success"}
    return {"Event": "SparkListenerTaskEnd", "Stage ID": stage, "Task Info": info, "Task End Reason": reason}


def test_a_job_of_which_the_end_alone_is_there_keeps_the_stages_that_ran_before_it(tmp_path):
    """Stage 7 ended before job 3 did; 8 later, before job 4; 9 and 10 after both are of no known job."""
    tasks = [lost_task(stage, begin, begin + 2) for stage, begin in ((7, 14), (8, 20), (9, 30), (10, 40))]
    submitted = {"Event": "SparkListenerStageSubmitted", "Stage Info": {"Stage ID": 10, "Parent IDs": [9]}}
    fields = (*tasks, submitted, ended_job(4, 22.0), ended_job(3, 17.0))
    log = write_application(tmp_path / "app", [DIAMOND], more=fields)
    imported = open_trace([log])
    jobs = {job.name: [stage.count for stage in job.stages] for job in imported.workload.jobs}
    assert jobs == {
        "job 0 (app)": [2, 2, 2, 1],
        "job 3 (app)": [1],
        "job 4 (app)": [1],
        "stages 9, 10 (app)": [1, 1],
    }
    assert {(problem.where, problem.rule) for problem in imported.report.damage} == {
        ("app, job 3 (app)", NO_START_OF_JOB),
        ("app, job 4 (app)", NO_START_OF_JOB),
        ("app, stages 9, 10 (app)", NO_JOB_OF_STAGES),
    }


def test_a_task_whose_output_is_lost_counts_where_it_is_run_again(tmp_path):
    first, again = lost_task(4, 14, 18), lost_task(4, 18, 24)
    lost = first | {"Task End Reason": {"Reason": "Resubmitted"}}
    log = write_application(tmp_path / "app", [DIAMOND, AFTER], more=(lost, again))
    workload = open_trace([log]).workload
    assert workload.jobs[1].stages[0].durations.tolist() == [6]
    assert workload.recorded.outcome.tolist()[-2:] == [1, 0]


def test_jobs_are_called_by_their_query_their_description_or_the_line_of_the_program(data, tmp_path):
    start = next(line for line in (data / LOG).read_text().splitlines() if '"Job ID":2,"Sub' in line)
    job = json.loads(start)
    query = {
        "Event": "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart",
        "executionId": 5,
        "description": "select a,\n  b from t",
    }
    job["Properties"] = {"spark.sql.execution.id": "5", "spark.job.description": "nightly"}
    text = (data / LOG).read_text().replace(start, json.dumps(query) + "\n" + json.dumps(job))
    (tmp_path / "log").write_text(text)
    names = [each.name.partition(" (app")[0] for each in open_trace([tmp_path / "log"]).workload.jobs]
    assert names == ["job 0: stage 1", "job 1: stage 4", "job 2: select a,   b from t"]
    job["Properties"] = {"spark.job.description": "nightly"}
    (tmp_path / "log").write_text((data / LOG).read_text().replace(start, json.dumps(job)))
    assert open_trace([tmp_path / "log"]).workload.jobs[2].name.startswith("job 2: nightly (")
    job["Properties"] = {"spark.job.description": "Listing leaf files for 24 paths:<br/>gs://one, ..."}
    (tmp_path / "log").write_text((data / LOG).read_text().replace(start, json.dumps(job)))
    name = open_trace([tmp_path / "log"]).workload.jobs[2].name
    assert name.startswith("job 2: Listing leaf files for 24 paths: gs://one, ...")


def test_tasks_of_a_resource_profile_take_its_cpus(tmp_path):
    """One executor of 8 cores whose tasks take 4, beside one of 2 cores whose tasks take one: 2 + 2 slots."""
    profile = {"Resource Profile Id": 1, "Task Resource Requests": {"cpus": {"Amount": 4.0}}}
    added = {
        "Event": "SparkListenerExecutorAdded",
        "Timestamp": STARTED,
        "Executor ID": "big",
        "Executor Info": {"Total Cores": 8, "Resource Profile Id": 1},
    }
    more = ({"Event": "SparkListenerResourceProfileAdded"} | profile, added)
    cluster = open_trace([write_application(tmp_path / "app", [DIAMOND], more=more)]).workload.cluster
    assert (cluster.containers, cluster.slot_times, cluster.slots_per_executor) == (4, (), 2)

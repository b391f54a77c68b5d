"""Logs that end before their jobs do: what runs then and what has not begun, worked out by hand."""

from __future__ import annotations

import pytest

from core.fidelity.history_schedule import recorded_schedule
from core.files.workload_document import workload_from_json
from core.files.workload_writing import workload_to_json
from core.forecast.forecast import forecast
from core.logs.open_log import open_trace
from core.logs.spark_stages import SparkStage, stages_to_come
from core.model.errors import DocumentError, InputError
from core.model.execution_history import FIRST, SECOND
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP, REDUCE
from core.model.under_way import now_of
from tests.core.files.test_packed_values import there_and_back
from tests.paths import DATA

REDUCE_STARTS = b'Task TASKID="task_200908110000_0001_r_000001"'


@pytest.fixture
def opened(tmp_path):
    """Return what opens the part of a log that comes before a text; all of it for none."""

    def open_part(name, before=b"", *, count=0):
        whole = (DATA / name).read_bytes()
        path = tmp_path / name
        lines = whole.splitlines(keepends=True)
        path.write_bytes(whole[: whole.index(before)] if before else b"".join(lines[: count or None]))
        return open_trace([path])

    return open_part


def under_way(imported):
    return imported.workload.recorded.under_way


def test_a_tracker_history_that_ends_while_reduces_wait(opened):
    """The second reduce is declared and has not started; the last time is the first one's end."""
    found = opened("jobtracker-0.20.log", REDUCE_STARTS)
    open_ = under_way(found)
    assert (open_.now, open_.open_jobs.tolist(), open_.running.tolist()) == (14.0, [0], [])
    assert (open_.job.tolist(), open_.stage.tolist(), open_.tasks.tolist()) == ([0], [1], [1])
    assert found.report.unfinished == "0 of 1 job ended by 0:14, 0 tasks run, 1 has not begun"
    assert "unfinished         0 of 1 job ended" in found.report.to_text()


def test_an_attempt_without_an_end_runs(opened):
    """Its job is the second one; the first one has ended at 20.5 s, the last time of the log."""
    found = opened("jobtracker-0.20.log")
    open_, run = under_way(found), found.workload.recorded
    assert (open_.now, open_.open_jobs.tolist(), open_.waiting) == (20.5, [1], 0)
    assert run.start[open_.running].tolist() == [9.0]
    assert run.task[open_.running].tolist() == [-1]
    assert found.report.unfinished == "1 of 2 jobs ended by 0:20, 1 task runs, 0 have not begun"


def test_a_second_copy_of_a_task_that_has_ended_does_not_run(opened):
    """Map 1 has succeeded, and its other copy has no end yet: nothing more is to come of it."""
    found = opened(
        "jobtracker-0.20.log",
        b'MapAttempt TASK_TYPE="MAP" TASKID="task_200908110000_0001_m_000001" '
        b'TASK_ATTEMPT_ID="attempt_200908110000_0001_m_000001_1" TASK_STATUS',
    )
    open_ = under_way(found)
    assert len(open_.running) == 0
    assert (open_.stage.tolist(), open_.tasks.tolist()) == ([1], [2])


def test_a_job_history_that_ends_early(opened):
    """Map 0 has ended, of map 2 two copies run, the second reduce is declared and has not started."""
    found = opened("jhist-2.7.jhist", count=40)
    open_, run = under_way(found), found.workload.recorded
    assert run.start[open_.running].tolist() == [6.0, 3.5, 7.5]
    assert run.kind[open_.running].tolist() == [MAP, MAP, REDUCE]
    assert (open_.now, open_.stage.tolist(), open_.tasks.tolist()) == (7.5, [REDUCE], [1])
    assert found.report.peaks == (3, 1)  # what runs counts


def test_stages_of_spark_that_have_not_been_submitted(opened):
    """Of stage 0 one task has ended, one has failed and is tried again, one waits; stage 1 reads it."""
    found = opened("spark.log", count=12)
    open_ = under_way(found)
    assert (open_.stage.tolist(), open_.tasks.tolist()) == ([0, 1], [1, 2])
    assert found.workload.recorded.start[open_.running].tolist() == [2.0]
    assert found.report.unfinished == "0 of 1 job ended by 0:02.5, 1 task runs, 3 have not begun"


def test_a_dag_of_tez_that_ends_early(opened):
    """Of vertex 0 one task has ended and one runs since 5 s, its other attempt was killed; vertex 1 is over.

    Of vertices 2 and 3, which read them, no task has begun of the 4 and 1 that they announce.
    """
    found = opened("tez-history.txt", count=26)
    open_ = under_way(found)
    assert (open_.now, open_.tasks.tolist()) == (12.1, [4, 1])
    assert found.workload.recorded.start[open_.running].tolist() == [5.0]
    assert recorded_schedule(found.workload).as_if_whole.tasks == 8


def test_what_is_skipped_does_not_wait():
    """Stage 1 has not run, and stage 2, which reads it, has; stage 3 reads what is being written."""
    none = frozenset[int]()
    stages = {
        1: SparkStage(none, 4),
        2: SparkStage(frozenset({1}), 4, has_run=True, submitted=5),
        3: SparkStage(frozenset({2}), 2),
        4: SparkStage(frozenset({3}), 2),
        5: SparkStage(none, 9),
    }
    assert stages_to_come(stages) == {3, 4}
    assert stages_to_come({1: SparkStage(none, 4), 2: SparkStage(frozenset({1}), 4)}) == {1, 2}


@pytest.mark.parametrize(
    ("name", "count", "owner"),
    [
        ("jobtracker-0.20.log", 41, ("research", "hugo")),
        ("spark.log", 28, ("default", "lea")),
        ("tez-history.txt", 43, ("etl", "lea")),
    ],
)
def test_a_job_of_which_nothing_has_ended_keeps_pool_and_user(opened, name, count, owner):
    """It is no job of the workload, only of what goes on; a document keeps whose it is, too."""
    workload = opened(name, count=count).workload
    back = workload_from_json(workload_to_json(workload), "w")
    for each in (workload, back):
        whole = recorded_schedule(each).as_if_whole.workload
        new = [job for job in whole.jobs if job.name not in each.job_index]
        assert [(job.pool, job.user) for job in new] == [owner]


def test_a_whole_log_is_not_under_way(opened):
    found = opened("jhist-2.7.jhist")
    assert under_way(found) is None
    assert now_of(found.workload) is None
    assert found.report.unfinished == ""


# ---- what becomes of it


def test_a_forecast_begins_where_the_log_ends(opened):
    workload = opened("jobtracker-0.20.log").workload
    record = recorded_schedule(workload)
    found = forecast(record, 20.5, policy=PolicyChoice("fifo"), runs=20)
    assert found.known.running == 1
    assert found.open_jobs == [1]
    assert (found.finish[:, 1] >= 20.5).all()
    assert (found.finish[:, 0] == 20.5).all()
    with pytest.raises(InputError, match="the log ends at 0:20"):
        forecast(record, 21.0, runs=19)


def test_both_attempts_that_run_at_a_task_hold_their_slots(opened):
    """Map 2 runs since 3.5 s, and in a second attempt since 6.5 s; maps 1 and 2 and a reduce have started."""
    workload = opened("jhist-2.7.jhist", count=40).workload
    run, record = workload.recorded, recorded_schedule(workload)
    assert [each.tolist() for each in run.running_beside] == [[4], [3]]
    assert (record.record.count("running"), record.record.not_placed) == (4, 0)
    found = forecast(record, 7.5, runs=19)
    (copy,) = found.known.copies or ()
    assert found.known.schedule.start[copy.task] == 3.5
    assert (copy.start, found.known.running) == (6.5, 3)
    assert copy.slot not in found.known.schedule.slot.tolist()
    history = found.likely.given_up.given_up
    assert history.task.tolist() == [copy.task]
    assert history.outrun[0] in (FIRST, SECOND)


def test_what_has_no_end_before_any_task_runs_is_beside_none(opened):
    """The second copy of a task that has ended is none of a task that runs."""
    found = opened(
        "jobtracker-0.20.log",
        b'MapAttempt TASK_TYPE="MAP" TASKID="task_200908110000_0001_m_000001" '
        b'TASK_ATTEMPT_ID="attempt_200908110000_0001_m_000001_1" TASK_STATUS',
    )
    assert [len(each) for each in found.workload.recorded.running_beside] == [0, 0]


def test_a_forecast_has_the_tasks_that_have_not_begun(opened):
    record = recorded_schedule(opened("spark.log", count=12).workload)
    found = forecast(record, 2.5, runs=20)
    assert found.likely.tasks == 5
    assert found.likely.start.min() == pytest.approx(0.5)  # time 0 is the submission, at 1.0 s
    assert (found.finish > 2.5).all()


@pytest.mark.parametrize(
    ("name", "count"), [("jobtracker-0.20.log", 0), ("spark.log", 12), ("jhist-2.7.jhist", 40)]
)
def test_a_document_keeps_what_is_under_way(opened, name, count):
    workload = opened(name, count=count).workload
    again = workload_from_json(workload_to_json(workload), name)
    assert again.recorded == workload.recorded
    assert again.recorded.under_way == workload.recorded.under_way
    assert there_and_back(workload)[0].recorded == workload.recorded


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("job", [0, 0], "lists of the same length"),
        ("open_jobs", [7], "indices into jobs"),
        ("open_jobs", [], "only jobs that have not ended"),
        ("stage", [2], "numbers of stages that the job has"),
        ("running", [99], "indices into attempts"),
        ("running", [0, 0], "have no end"),
        ("now", -1, "now"),
        ("pools", ["a", "b", "c"], "pools and users have a text for each of open_jobs"),
        ("tasks", [30_000_000], "tasks"),
    ],
)
def test_a_document_that_says_otherwise_is_refused(opened, key, value, sentence):
    document = workload_to_json(opened("jhist-2.7.jhist", count=40).workload)
    document["recorded"]["under_way"][key] = value
    with pytest.raises(DocumentError, match=sentence):
        workload_from_json(document, "x")

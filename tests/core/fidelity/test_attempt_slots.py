"""Attempts on slots: what ends late by its report has left its slot to the next one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.fidelity.attempt_slots import LATE_REPORT, slots_of_attempts
from core.fidelity.history_schedule import history_schedule, recorded_schedule
from core.forecast.forecast import forecast
from core.forecast.known import KnownRun
from core.forecast.record import record_of, record_until
from core.logs.open_log import open_trace
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.recorded_run import RecordedRun, Unfinished
from core.model.slot_times import SlotTime
from core.model.stages import Stage
from core.model.workload import Workload
from tests.paths import TRACES
from tests.written_application import SparkJob, SparkStage, write_application

if TYPE_CHECKING:
    from pathlib import Path

TWO = Cluster(0, 0, containers=2)


def run_of(times: list[tuple[float, float]], hosts: tuple[int, ...] = ()) -> RecordedRun:
    """Return maps of one job that ran at these times, on these hosts, or all on one."""
    count, zero = len(times), np.zeros(1)
    start, end = np.array(times).T
    where = np.array(hosts or [0] * count, np.int32)
    nan = np.full(count, np.nan)
    return RecordedRun(
        jobs=("J",),
        titles=("J",),
        hosts=tuple(f"h{host + 1}" for host in range(int(where.max()) + 1)),
        submit=zero,
        launch=zero,
        finish=np.array([end.max()]),
        job=np.zeros(count, np.int32),
        kind=np.zeros(count, np.int8),
        task=np.arange(count, dtype=np.int32),
        counts=np.ones(count, bool),
        outcome=np.zeros(count, np.int8),
        host=where,
        start=start.copy(),
        shuffle_end=nan,
        sort_end=nan,
        end=end.copy(),
    )


LATE = [(0.0, 10.0), (0.0, 20.0), (9.97, 30.0)]


def test_what_is_reported_late_has_held_its_slot_until_the_next_one_started() -> None:
    found = slots_of_attempts(run_of(LATE), TWO)
    assert found.slot.tolist() == [0, 1, 0]
    assert found.until.tolist() == [9.97, 20.0, 30.0]
    assert len(found.slot_host) == 2


@pytest.mark.parametrize(
    "third",
    [
        (10.0 - 1.5 * LATE_REPORT, 30.0),  # too early for a late report
        (0.0, 30.0),  # none has started before it
    ],
)
def test_more_tasks_than_slots_have_rows_of_their_own(third: tuple[float, float]) -> None:
    found = slots_of_attempts(run_of([*LATE[:2], third]), TWO)
    assert found.slot.tolist() == [0, 1, 2]
    assert found.until.tolist() == [10.0, 20.0, 30.0]


def test_one_that_fits_on_no_slot_leaves_all_as_the_log_has_them() -> None:
    """The slots are then not known, so that nothing is said of those that would fit either."""
    found = slots_of_attempts(run_of([*LATE, (15.0, 16.0)]), TWO)
    assert found.until.tolist() == [10.0, 20.0, 30.0, 16.0]


def test_each_host_has_its_part_and_slots_that_come_and_go_count_at_once() -> None:
    run = run_of([*LATE, (0.0, 5.0)], (0, 0, 0, 1))
    assert slots_of_attempts(run, Cluster(0, 0, containers=4)).slot.tolist() == [0, 1, 0, 2]
    assert slots_of_attempts(run, Cluster(0, 0, containers=3)).slot.tolist() == [0, 1, 2, 3]
    times = SlotTime(1, 0.0, 12.0), SlotTime(1, 12.0)
    comes_and_goes = Cluster(0, 0, containers=1, slot_times=times)
    assert slots_of_attempts(run_of(LATE), comes_and_goes).slot.tolist() == [0, 1, 0]


def test_an_executor_that_ran_nothing_has_its_rows_and_hides_no_late_report(tmp_path: Path) -> None:
    """Two executors of two cores: on the one a third task starts 11 ms before the first is known to end."""
    job = SparkJob(0.0, 40.0, (SparkStage(0, (), ((0.0, 10.0), (0.0, 20.0), (9.989, 30.0))),))
    workload = open_trace([write_application(tmp_path / "app", [job], (2, 2))]).workload
    record = recorded_schedule(workload)
    assert record.cluster.containers == workload.cluster.containers == 4
    assert [record.record.host_of_slot(slot) for slot in range(4)] == ["h0", "h0", "h1", "h1"]
    assert record.slot.tolist() == [0, 1, 0]
    assert record.record.late_by(0) == pytest.approx(0.011)


def test_a_host_that_ran_more_than_its_slots_takes_no_rows_from_others() -> None:
    run = run_of([*LATE, (0.0, 5.0), (0.0, 9.0)], (0, 0, 0, 1, 1))
    run = replace(run, host_slots=np.array([2, 1], np.int32))
    found = slots_of_attempts(run, TWO)
    assert found.slot.tolist() == [0, 1, 0, 2, 3]
    assert found.slot_host.tolist() == [0, 0, 1, 1]


def test_two_that_start_together_take_the_slots_of_two_that_end_late() -> None:
    """The first of them ends before the second of the others does, and makes no place for its twin."""
    times = [(0.0, 10.02), (0.0, 10.06), (10.0, 10.04), (10.0, 11.0)]
    found = slots_of_attempts(run_of(times), TWO)
    assert found.slot.tolist() == [0, 1, 0, 1]
    assert found.until.tolist() == [10.0, 10.0, 10.04, 11.0]


def workload_of(run: RecordedRun, cluster: Cluster = TWO) -> Workload:
    tasks = Stage(run.attempts, run.end - run.start)
    return Workload("w", (Job("J", stages=(tasks, Stage())),), cluster, recorded=run)


def test_a_record_has_the_end_of_the_slot_and_the_job_that_of_the_report() -> None:
    run = run_of([*LATE[:2], (9.97, 9.98)])
    schedule = history_schedule(workload_of(run), run)
    assert schedule.cluster.containers == 2
    assert schedule.end.tolist() == [9.97, 20.0, 9.98]
    assert schedule.finish.tolist() == [20.0]
    assert schedule.workload.columns.duration.tolist() == pytest.approx([9.97, 20.0, 0.01])
    assert [schedule.record.late_by(attempt) for attempt in range(3)] == pytest.approx([0.03, 0.0, 0.0])
    early = run_of([(0.0, 5.0), (0.0, 10.0), (4.98, 10.0)])
    assert history_schedule(workload_of(early), early).record.late_by(0) == pytest.approx(0.02)


def test_of_three_that_run_on_two_slots_the_first_has_ended() -> None:
    """The log ends at 20 s, and a third task has started just before: one has made place for it."""
    nan = float("nan")
    run = run_of([(0.0, nan), (3.0, nan), (19.99, nan), (0.0, 1.0)])
    run = replace(
        run,
        finish=np.array([nan]),
        counts=np.array([False, False, False, True]),
        task=np.array([-1, -1, -1, 0], np.int32),
        under_way=Unfinished(
            20.0,
            np.zeros(1, np.int32),
            np.array([0, 1, 2]),
            np.zeros(1, np.int32),
            np.zeros(1, np.int32),
            np.array([5], np.int32),
        ),
    )
    workload = Workload("w", (Job("J", stages=(Stage.of(1, 1.0), Stage())),), TWO, recorded=run)
    record = history_schedule(workload, run)
    known = KnownRun(record_until(record_of(record, 20.0), 20.0), 20.0)
    assert known.running == 2
    assert sorted(known.schedule.end[known.has_ended].tolist()) == [1.0, 19.99]
    found = forecast(record, 20.0, runs=19)
    running = (found.likely.start[:, None] <= found.likely.start) & (
        found.likely.start < found.likely.end[:, None]
    )
    assert running.sum(axis=0).max() == 2


def test_a_forecast_starts_no_more_tasks_than_the_cluster_has_slots() -> None:
    """Two hosts ran two tasks at once, at different times; of the cluster is known that it ran three."""
    times = [(begin, begin + 10.0) for begin in (0.0, 20.0, 40.0) for _ in range(3)]
    run = run_of(times, (0, 0, 1, 0, 1, 1, 0, 1, 1))
    record = history_schedule(workload_of(run, Cluster(3, 0)), run)
    assert record.cluster.map_slots == 4
    likely = forecast(record, 12.0, runs=19).likely
    begun = likely.start[likely.start >= 12.0]
    assert len(begun) == 6
    assert max(int(((likely.start <= time) & (time < likely.end)).sum()) for time in begun) == 3


@pytest.mark.skipif(not TRACES.is_dir(), reason="needs real logs in ../shared/traces")
@pytest.mark.parametrize(
    ("name", "cores"), [("fifo4-N16", 16), ("iterate-N4", 4), ("sqlfix-N8", 8), ("cpus2-N4", 2)]
)
def test_real_applications_lie_on_the_cores_of_their_executors(name: str, cores: int) -> None:
    """They seem to run up to half as many tasks more than that at once, for at most 81 ms."""
    workload = open_trace([TRACES / "spark-truth" / f"{name}.eventlog.gz"]).workload
    record = recorded_schedule(workload)
    assert record.cluster.containers == cores
    late = [record.record.late_by(attempt) for attempt in range(workload.recorded.attempts)]
    assert 0.0 < max(late) < LATE_REPORT
    order = np.lexsort((record.start, record.slot))
    same = np.diff(record.slot[order]) == 0
    assert (record.start[order][1:] >= record.end[order][:-1])[same].all()

"""What a replay takes from its own log: tasks, what failed of them, each job's setup and cleanup."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.fidelity.log_replays import LogReplays, Work, submitted_log
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.overheads import Overheads
from core.model.recorded_run import RecordedRun
from core.model.stages import Stage
from core.model.task_types import CLEANUP, MAP, OUTCOMES, REDUCE, SETUP, Result
from core.model.workload import Workload

Row = tuple[int, int, int, Result, float]
"""Job, kind, number of the task (-1 for one that never succeeded), how it ended, seconds."""

ROWS: list[Row] = [
    (0, SETUP, -1, "succeeded", 1.5),
    (0, MAP, 0, "failed", 2.0),
    (0, MAP, 0, "failed", 3.0),
    (0, MAP, 0, "succeeded", 4.0),
    (0, MAP, 1, "succeeded", 4.0),
    (0, MAP, 1, "killed", 30.0),
    (0, REDUCE, 0, "succeeded", 6.0),
    (0, CLEANUP, -1, "failed", 9.0),
    (0, CLEANUP, -1, "succeeded", 2.5),
    (1, MAP, 0, "succeeded", 4.0),
    (1, REDUCE, -1, "failed", 7.0),
    (1, REDUCE, -1, "killed", 8.0),
]


def logged(rows: list[Row]) -> Workload:
    """Return a log of two jobs; its attempts all began at 10 s."""
    job, kind, task, outcome, seconds = map(list, zip(*rows, strict=True))
    count = len(rows)
    nothing = np.full(count, np.nan)
    run = RecordedRun(
        jobs=("J0", "J1"),
        titles=("", ""),
        hosts=("h0",),
        submit=np.array([0.0, 1.0]),
        launch=np.array([1.0, 2.0]),
        finish=np.array([40.0, 40.0]),
        job=np.array(job, np.int32),
        kind=np.array(kind, np.int8),
        task=np.array(task, np.int32),
        counts=np.array([row[2] >= 0 and row[3] == "succeeded" for row in rows]),
        outcome=np.array([OUTCOMES.index(each) for each in outcome], np.int8),
        host=np.zeros(count, np.int32),
        start=np.full(count, 10.0),
        shuffle_end=nothing,
        sort_end=nothing.copy(),
        end=10.0 + np.array(seconds),
    )
    jobs = (
        Job("J0", Stage.of(2, 4.0), Stage.of(1, 4.0, 1.0, 2.0)),
        Job("J1", Stage.of(1, 4.0), arrival=1.0),
    )
    return Workload("log", jobs, Cluster(4, 4), recorded=run)


def test_failed_attempts_lengthen_their_tasks_or_are_tasks() -> None:
    log = submitted_log(logged(ROWS))
    first, second = log.with_failures.jobs
    assert first.maps == Stage.of(
        2, [9.0, 4.0], [0.0, 0.0], [0.0, 0.0]
    )  # a killed duplicate counts for nothing
    assert first.reduces == log.workload.jobs[0].reduces
    assert second.maps == log.workload.jobs[1].maps
    # reduces that never succeeded are none of the workload, and held slots
    assert log.workload.jobs[1].reduces.count == 0
    assert second.reduces.task_durations.tolist() == [7.0, 8.0]
    assert second.reduces.task_typical_shuffle.tolist() == [0.0, 0.0]
    sound = submitted_log(logged([row for row in ROWS if row[3] == "succeeded"]))
    assert sound.with_failures is sound.workload


def test_plain_replays_leave_failures_out() -> None:
    replays = LogReplays(logged(ROWS), "fifo", Work())
    assert replays.replay().simulated.tolist() == [10.0, 4.0]
    # two maps of 9 and 4 s, then a reduce that had begun: a shuffle of 1 s and 4 s; and 7 and 8 s after 4 s
    none = replace(Overheads(), hosts=1, maps_per_heartbeat=4, reduces_per_heartbeat=4)
    without_setup = LogReplays(
        logged([row for row in ROWS if row[1] not in (SETUP, CLEANUP)]), "fifo", Work()
    )
    assert without_setup.replay(none).simulated.tolist() == [14.0, 12.0]


def test_each_job_has_its_own_setup_and_cleanup() -> None:
    """Job 0 has those that succeeded, job 1 has none in the log: those of the overheads."""
    log = submitted_log(logged(ROWS))
    assert log.setup.tolist() == [1.5, pytest.approx(np.nan, nan_ok=True)]
    assert log.cleanup.tolist() == [2.5, pytest.approx(np.nan, nan_ok=True)]
    sound = LogReplays(logged([row for row in ROWS if row[3] == "succeeded"]), "fifo", Work())
    assert sound.replay(Overheads(setup=20.0, cleanup=10.0)).simulated.tolist() == [14.0, 34.0]

"""How runs end: few slots for long, worked out by hand and counted instant by instant."""

from __future__ import annotations

import numpy as np
import pytest

from core.explain.run_tail import FEW_SLOTS, tail_of
from core.fidelity.history_schedule import history_schedule
from core.logs.open_log import open_trace
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import EMPTY, Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.core.measures.test_stage_spans import random_schedules
from tests.paths import TRACES, real_logs


def run(*jobs: Job, slots: int) -> Schedule:
    return simulate(Workload("test", jobs), Cluster(slots, 1), PolicyChoice("fifo"), engine="interpreted")


def test_one_task_outlasts_the_others() -> None:
    tail = tail_of(run(Job("J1", Stage.of(3, [2, 3, 9]), EMPTY), Job("J2", Stage.of(1, 4.0), EMPTY), slots=4))
    assert (tail.begin, tail.end, tail.seconds) == (4.0, 9.0, 5.0)
    assert (tail.most, tail.slots, tail.jobs) == (1, 5, (0,))


def test_two_slots_for_longer_stand_out_more_than_one() -> None:
    """Of 401 slots up to 4 are few: one from 90 s on, two from 40 s on, and 300 before 30 s."""
    tail = tail_of(
        run(Job("J1", Stage.of(300, 30.0), EMPTY), Job("J2", Stage.of(2, [90, 100]), EMPTY), slots=400)
    )
    assert (tail.begin, tail.end, tail.most, tail.jobs) == (30.0, 100.0, 2, (1,))


def test_jobs_of_it_are_named_by_their_ends() -> None:
    jobs = (
        Job("J1", Stage.of(1, 50), EMPTY),
        Job("J2", Stage.of(1, 60), EMPTY),
        Job("J3", Stage.of(200, 5), EMPTY),
    )
    assert tail_of(run(*jobs, slots=300)).jobs == (1, 0)


def counted(schedule: Schedule, at: float) -> int:
    record = schedule.record
    held = int(np.count_nonzero((schedule.start <= at) & (schedule.end > at)))
    if record is None:
        return held
    start, end = record.run.start[record.extra], record.run.end[record.extra]
    return held + int(np.count_nonzero((start <= at) & (end > at)))


def is_right(schedule: Schedule) -> None:
    tail = tail_of(schedule)
    assert tail.most <= max(int(FEW_SLOTS * schedule.cluster.slots), 1)
    if tail.begin == tail.end:
        return
    edges = np.unique(np.r_[schedule.start, schedule.end])
    inside = edges[(edges >= tail.begin) & (edges < tail.end)]
    counts = [counted(schedule, float(at)) for at in inside]
    assert max(counts) == tail.most
    before = edges[edges < tail.begin]
    assert not len(before) or counted(schedule, float(before[-1])) > tail.most
    runs_then = np.unique(schedule.workload.columns.job[schedule.end > tail.begin])
    assert sorted(tail.jobs) == runs_then.tolist()


def test_any_schedule() -> None:
    for schedule in random_schedules(3, 40):
        is_right(schedule)


@pytest.mark.parametrize("name", real_logs("hadoop-mapreduce/19-jobs.trace.json.gz"))
def test_a_real_log_of_19_jobs(name) -> None:
    workload = open_trace([TRACES / name]).workload
    assert workload.recorded is not None
    is_right(history_schedule(workload, workload.recorded))

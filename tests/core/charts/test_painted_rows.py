from __future__ import annotations

import numpy as np
import pytest

from core.charts.painted_rows import painted_rows
from core.charts.schedule_rows import schedule_rows
from core.fidelity.history_schedule import history_schedule
from core.logs.open_log import open_trace
from core.measures.job_classes import ClassedBy, job_classes
from core.measures.task_classes import classes_by
from core.model.execution_history import LOOKS
from tests.core.charts.chart_builders import make_schedule
from tests.paths import DATA


@pytest.fixture(scope="module")
def record():
    workload = open_trace([DATA / "jobtracker-0.20.log"]).workload
    assert workload.recorded is not None
    return schedule_rows(history_schedule(workload, workload.recorded))


def test_tasks_are_of_their_jobs_where_classes_are_those_of_jobs():
    rows = schedule_rows(make_schedule(jobs=3))
    painted = painted_rows(rows, job_classes(rows.schedule.workload))
    assert painted.columns is rows.columns
    assert (painted.owners, painted.classes, painted.jobs) == (3, 1, 3)
    assert painted_rows(rows, None) is painted


def test_tasks_are_of_their_jobs_and_classes_where_classes_are_those_of_tasks():
    rows = schedule_rows(make_schedule(jobs=3))
    classes = classes_by(rows.schedule.workload, ClassedBy.STAGE)
    painted = painted_rows(rows, classes)
    group, kind = painted.columns.code >> 1, rows.columns.code & 1
    assert np.array_equal(group // 2, rows.columns.code >> 1)
    assert np.array_equal(group % 2, kind)
    assert np.array_equal(painted.columns.stage_end[group], rows.columns.stage_end[group // 2])
    assert painted_rows(rows, classes) is painted
    assert painted_rows(rows, None) is not painted


def test_attempts_that_are_no_tasks_lie_among_the_tasks_by_their_starts(record):
    painted = painted_rows(record, None)
    extras = len(record.schedule.record.extra)
    assert extras > 0
    tasks = sum(int(pool.offsets[-1] - pool.offsets[0]) for pool in painted.pools)
    whole = sum(int(pool.offsets[-1] - pool.offsets[0]) for pool in painted.pools_with_attempts)
    assert whole == tasks + extras
    for pool in painted.pools_with_attempts:
        for first, last in zip(pool.offsets[:-1], pool.offsets[1:], strict=True):
            assert (np.diff(pool.start[first:last]) >= 0).all()
        assert (pool.code >> 1 < painted.groups).all()
        assert len(pool.stage_end) == painted.groups


def test_simulated_schedules_have_no_attempts():
    painted = painted_rows(schedule_rows(make_schedule(jobs=2)), None)
    assert painted.pools_with_attempts is painted.pools


def test_groups_of_a_job_are_its_tasks_and_all_its_attempts(record):
    painted = painted_rows(record, classes_by(record.schedule.workload, ClassedBy.STAGE))
    job = np.array([0])
    groups = painted.groups_of(job, job).tolist()
    assert groups[:2] == [0, 1]
    assert len(groups) == 2 + len(LOOKS)
    failed = painted.groups_of_look(0).tolist()
    assert set(failed) & set(groups) == {groups[2]}
    assert len(failed) == painted.jobs + 1

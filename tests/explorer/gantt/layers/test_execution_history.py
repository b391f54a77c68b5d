"""Failed, killed and service attempts of a record: which are in view, and which would cover one another."""

from __future__ import annotations

import numpy as np
import pytest

from core.fidelity.history_schedule import history_schedule
from core.logs.open_log import open_trace
from core.model.execution_history import LOOKS, SERVICE
from explorer.gantt.geometry.row_layout import RowLayout
from explorer.gantt.geometry.schedule_rows import ScheduleRows, schedule_rows
from explorer.gantt.geometry.tasks_in_view import Hit
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.gantt.layers.execution_history import HistoryLayer, distinct_parts, extra_at, history_parts
from tests.paths import DATA

LOG = DATA / "jobtracker-0.20.log"


@pytest.fixture
def rows() -> ScheduleRows:
    workload = open_trace([LOG]).workload
    return schedule_rows(history_schedule(workload, workload.recorded))  # type: ignore[arg-type]


def test_attempts_in_view_have_pixels_and_jobs(rows):
    parts = history_parts(rows, TimeScale(0.0, 25.0, 250))
    assert [LOOKS[look] for look in parts.look] == [SERVICE, "killed", "failed", SERVICE]
    assert parts.slot.tolist() == [0, 1, 2, 2]
    assert set(parts.job.tolist()) == {0}
    record = rows.schedule.record
    begin = record.run.start[record.extra]
    assert parts.start.tolist() == begin.tolist()
    assert (parts.end > parts.start).all()


def test_what_is_out_of_view_is_left_out(rows):
    # the failed attempt ends before the cleanup begins at 19 s
    parts = history_parts(rows, TimeScale(18.5, 2.0, 100))
    assert [LOOKS[look] for look in parts.look] == [SERVICE]
    assert parts.end.min() >= 18.5
    assert parts.start.max() < 20.5


def test_simulated_schedules_have_none(rows):
    from dataclasses import replace

    plain = schedule_rows(replace(rows.schedule, record=None))
    assert len(history_parts(plain, TimeScale(0.0, 25.0, 250)).slot) == 0
    assert extra_at(plain, Hit(-1, 0, 0, 1), 0.0, 25.0) == -1
    assert HistoryLayer().signs(plain) == ()
    assert [sign.text for sign in HistoryLayer().signs(rows)] == ["failed", "killed", SERVICE]


def test_only_rows_thinner_than_a_pixel_share_their_marks(rows):
    parts = history_parts(rows, TimeScale(0.0, 25.0, 250))
    twice = parts._make(np.concatenate([column, column]) for column in parts)  # type: ignore[arg-type, call-arg]
    tall = RowLayout.of(rows.pools, 400)
    thin = RowLayout.of(rows.pools, 3)
    assert thin.row_height < 1
    scale = TimeScale(0.0, 25.0, 250)
    assert len(distinct_parts(twice, tall, scale).slot) == 8
    assert distinct_parts(twice, thin, scale).extra.tolist() == parts.extra.tolist()


def test_the_attempt_under_the_pointer_is_found_beside_tasks(rows):
    failed = rows.schedule.record.looks.index("failed")
    assert extra_at(rows, Hit(-1, 2, 0, 1), 3.5, 3.6) == failed
    assert extra_at(rows, Hit(0, 2, 1, 1), 3.5, 3.6) == -1, "a task is there"
    assert extra_at(rows, Hit(-1, 2, 0, 1), 15.0, 15.1) == -1

"""Which deadlines are shown, and which parts of rows lie after them, against a plain search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.charts.schedule_rows import schedule_rows
from core.measures.job_ends import lateness
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.gantt.layers import deadlines as module
from explorer.gantt.layers.deadlines import (
    FEW_DEADLINES,
    MAX_DEADLINES,
    late_parts,
    late_places,
    shown_deadlines,
)
from tests.core.charts.chart_builders import make_schedule, make_workload


def rows_with_deadlines(jobs=5, slots=6, seed=1, factor=1.0):
    """Rows of a schedule whose jobs, but each fourth, have a deadline around their end."""
    workload = make_workload(jobs, slots, seed)
    finish = make_schedule(workload).finish
    random = np.random.default_rng(seed)
    deadlines = finish * factor * random.uniform(0.4, 1.4, jobs)
    changed = [
        replace(job, deadline=None if i % 4 == 3 else float(deadlines[i]))
        for i, job in enumerate(workload.jobs)
    ]
    return schedule_rows(make_schedule(workload.with_jobs(changed)))


def whole(rows, width=800):
    return TimeScale(0.0, rows.schedule.makespan, width)


def after_deadline(rows, scale, selected=-1):
    """Seconds after the deadline, by slot and job, task by task."""
    found = {}
    columns, deadline = rows.columns, rows.schedule.workload.columns.deadline
    for slot in range(len(columns.offsets) - 1):
        for place in range(columns.offsets[slot], columns.offsets[slot + 1]):
            job = int(columns.code[place]) >> 1
            begin = max(columns.start[place], deadline[job], scale.start)
            seconds = min(columns.end[place], scale.end) - begin
            if seconds > 0 and selected in (-1, job):
                found[slot, job] = found.get((slot, job), 0.0) + seconds
    return found


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("selected", [-1, 0, 2])
def test_parts_cover_what_is_after_the_deadlines(seed, selected):
    rows = rows_with_deadlines(seed=seed)
    makespan = rows.schedule.makespan
    for scale in (whole(rows), TimeScale(0.4 * makespan, 0.3 * makespan, 700)):
        found = {}
        parts = late_parts(rows, scale, selected)
        for slot, job, begin, end in zip(*parts, strict=True):
            seconds = min(end, scale.end) - max(begin, scale.start)
            found[slot, job] = found.get((slot, job), 0.0) + seconds
        expected = after_deadline(rows, scale, selected)
        assert found.keys() == expected.keys()
        pixel = 1 / scale.pixels_per_second  # the left border lies on a whole one
        gaps = 2.0 * 40 * pixel  # tasks at most two pixels apart are one part
        assert all(expected[key] - pixel <= found[key] <= expected[key] + gaps for key in expected)


def test_tasks_side_by_side_are_one_part():
    job = Job("J1", Stage.of(10, 1.0), deadline=2.5)
    rows = schedule_rows(make_schedule(Workload("one", (job,), Cluster(1, 0))))
    parts = late_parts(rows, TimeScale(0.0, 10.0, 100))
    assert [column.tolist() for column in parts] == [[0], [0], [2.5], [10.0]]


def test_without_deadlines_nothing_is_late():
    rows = schedule_rows(make_schedule())
    assert len(late_places(rows)) == 0
    assert len(late_parts(rows, whole(rows)).slot) == 0
    assert shown_deadlines(rows, whole(rows)) == []


def test_a_job_that_meets_its_deadline_has_no_late_part():
    job = Job("J1", Stage.of(1, 4.0), deadline=4.0)
    rows = schedule_rows(make_schedule(Workload("one", (job,), Cluster(1, 0))))
    assert len(late_parts(rows, whole(rows)).slot) == 0
    assert [deadline.is_missed for deadline in shown_deadlines(rows, whole(rows))] == [False]


def test_too_many_parts_are_left_out(monkeypatch):
    rows = rows_with_deadlines(factor=0.2)
    assert len(late_parts(rows, whole(rows)).slot) > 3
    monkeypatch.setattr(module, "MAX_LATE_PARTS", 3)
    assert len(late_parts(rows, whole(rows)).slot) == 0
    monkeypatch.setattr(module, "MAX_LATE_TASKS", 3)
    assert len(late_parts(rows, whole(rows)).slot) == 0


def test_few_deadlines_are_all_shown_the_latest_last():
    rows = rows_with_deadlines(factor=0.6)
    shown = shown_deadlines(rows, whole(rows))
    late = lateness(rows.schedule)
    assert {deadline.job for deadline in shown} == {0, 1, 2, 4}
    assert [deadline.late for deadline in shown] == sorted(late[np.isfinite(late)])
    for deadline in shown:
        assert deadline.seconds == rows.schedule.workload.jobs[deadline.job].deadline
        assert deadline.finish == rows.schedule.finish[deadline.job]
        assert deadline.is_missed == (deadline.finish > deadline.seconds)


def test_of_many_only_missed_ones_are_shown_and_the_latest_of_them():
    rows = rows_with_deadlines(jobs=FEW_DEADLINES * 2)
    late = lateness(rows.schedule)
    shown = shown_deadlines(rows, whole(rows, 2000))
    assert {deadline.job for deadline in shown} == set(np.flatnonzero(late > 0).tolist())
    rows = rows_with_deadlines(jobs=MAX_DEADLINES * 2, factor=0.1)
    shown = shown_deadlines(rows, whole(rows))
    assert [deadline.job for deadline in shown] == np.argsort(lateness(rows.schedule))[
        -MAX_DEADLINES:
    ].tolist()


def test_the_selected_job_alone_has_its_deadline_shown():
    rows = rows_with_deadlines(jobs=FEW_DEADLINES * 2, factor=0.6)
    assert [deadline.job for deadline in shown_deadlines(rows, whole(rows), selected=4)] == [4]
    assert shown_deadlines(rows, whole(rows), selected=3) == []  # it has none


def test_deadlines_out_of_view_are_not_shown():
    rows = rows_with_deadlines(factor=0.6)
    deadline = rows.schedule.workload.columns.deadline
    scale = TimeScale(float(deadline[0]) - 0.5, 1.0, 300)
    assert {shown.job for shown in shown_deadlines(rows, scale)} == set(
        np.flatnonzero(np.abs(deadline - deadline[0]) <= 0.5).tolist()
    )

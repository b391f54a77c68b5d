"""Reduces that OMO held back and maps that it pulled forward: marked in the rows, legend, card and words."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts.schedule_rows import schedule_rows
from core.explain.overlap_marks import overlap_marks
from core.explain.task_reason import task_reason
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry import tasks_in_view as overlap_parts
from explorer.gantt.geometry.row_layout import RowLayout
from explorer.gantt.geometry.tasks_in_view import marked_tasks
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.legend import Legend
from explorer.gantt.layers.task_facts import task_facts
from explorer.gantt.layers.task_marks import HELD_SIGNS, PULLED_SIGNS, held_places, pulled_places
from explorer.widgets.theme import theme
from tests.builders import make_job, make_workload
from tests.core.charts.chart_builders import job_by_job


def omo_schedule(containers=16):
    """Four jobs, some of whose reduces are held and some of whose maps are pulled forward."""
    numbers = [(30, 4, 8, 12, 0), (24, 3, 6, 9, 6), (20, 5, 8, 5, 10), (12, 3, 4, 14, 20)]
    jobs = [
        make_job(f"J{i}", (maps, seconds), (reduces, 4.0, 2.0, shuffle), arrival=float(arrival))
        for i, (maps, seconds, reduces, shuffle, arrival) in enumerate(numbers)
    ]
    cluster = Cluster(0, 0, 0.05, "overlap", containers=containers)
    return simulate(make_workload(*jobs), cluster, PolicyChoice("omo", {"window": 2.0}), engine="interpreted")


@pytest.fixture(scope="module")
def schedule():
    found = omo_schedule()
    marks = overlap_marks(found)
    assert marks.is_held.any()
    assert marks.is_pulled.any()
    return found


@pytest.fixture
def view(qtbot, schedule):
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    view.resize(1200, 520)
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule)
    view.show()
    return view


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("height", [520, 240])
def test_only_held_and_pulled_tasks_have_marks(view, schedule, monkeypatch, dark, height):
    """In tall rows and in low ones: the pictures with and without marks differ where a marked task begins."""
    view.set_theme(theme(dark))
    view.resize(1200, height)
    marked = view.grab().toImage()
    monkeypatch.setattr("explorer.gantt.geometry.tasks_in_view.MAX_LOOKED_AT", 0)
    view.scene.invalidate()
    plain = view.grab().toImage()
    frame, marks = view.frame(), overlap_marks(schedule)
    changed = []
    for task in range(schedule.tasks):
        top, bottom = frame.row(int(schedule.slot[task]))
        left = round(frame.x(float(schedule.start[task])))
        area = [(x, y) for x in range(left, left + 14) for y in range(top, bottom)]
        changed.append(any(marked.pixel(x, y) != plain.pixel(x, y) for x, y in area))
    assert changed == (marks.is_held | marks.is_pulled).tolist()


def test_marks_are_of_the_tasks_that_begin_in_view(schedule):
    rows = schedule_rows(schedule)
    layout = RowLayout.of(rows.pools, 400)
    places = np.sort(np.concatenate([held_places(rows), pulled_places(rows)]))
    for scale in (TimeScale(0.0, schedule.makespan, 900), TimeScale(20.0, 8.0, 900)):
        found = marked_tasks(rows, places, layout, scale)
        start = rows.columns.start[places]
        expected = places[(start >= scale.start) & (start < scale.start + scale.span)]
        assert found.place.tolist() == expected.tolist()
        assert found.row.tolist() == schedule.slot[rows.task[expected]].tolist()
        assert len(expected) > 3


def test_marks_below_the_view_and_of_other_jobs_are_left_out(schedule):
    rows = schedule_rows(schedule)
    scale = TimeScale(0.0, schedule.makespan, 900)
    zoomed = RowLayout.of(rows.pools, 160).zoomed(6.0, 0.0)
    found = marked_tasks(rows, held_places(rows), zoomed, scale)
    assert 0 < len(found.row) < len(held_places(rows))
    assert all(zoomed.slot_span(int(row))[0] < 160 for row in found.row)
    held = int(rows.columns.code[held_places(rows)[-1]]) >> 1
    of_one = marked_tasks(rows, held_places(rows), RowLayout.of(rows.pools, 400), scale, selected=held)
    assert len(of_one.place) > 0
    assert {int(rows.columns.code[place]) >> 1 for place in of_one.place} == {held}


def test_too_many_marks_are_left_out(schedule, monkeypatch):
    monkeypatch.setattr(overlap_parts, "MAX_MARKS", 2)
    rows = schedule_rows(schedule)
    scale = TimeScale(0.0, schedule.makespan, 900)
    assert len(marked_tasks(rows, held_places(rows), RowLayout.of(rows.pools, 400), scale).row) == 0


def test_the_card_says_how_long_a_reduce_was_held_and_that_a_map_was_pulled(schedule):
    rows, marks = schedule_rows(schedule), overlap_marks(schedule)
    held, pulled = int(held_places(rows)[0]), int(pulled_places(rows)[0])
    facts = task_facts(rows, held)
    assert facts.held == schedule.start[rows.task[held]] - marks.held_since[facts.job] > 0
    assert "held back" in dict(facts.lines())
    assert facts.note() == "held back by lazy start"
    assert task_facts(rows, pulled).note() == "pulled forward by batch finish"
    neither = int(np.flatnonzero(~marks.is_moved[rows.task])[0])
    assert "held back" not in dict(task_facts(rows, neither).lines())
    assert task_facts(rows, neither).note() == ""


def test_the_reason_of_a_task_tells_it(schedule):
    marks = overlap_marks(schedule)
    held = " ".join(task_reason(schedule, int(np.flatnonzero(marks.is_held)[0])).why_then)
    assert "Lazy start held it back from" in held
    pulled = " ".join(task_reason(schedule, int(np.flatnonzero(marks.is_pulled)[0])).why_then)
    assert "Batch finish pulled it forward" in pulled
    neither = int(np.flatnonzero(~marks.is_moved)[0])
    assert "forward" not in " ".join(task_reason(schedule, neither).why_then)


def test_the_legend_explains_marks_where_there_are_some(qtbot, schedule):
    rows = schedule_rows(schedule)
    assert set(HELD_SIGNS + PULLED_SIGNS) < set(legend_signs([rows]))
    legend = Legend(theme(False))
    qtbot.addWidget(legend)
    legend.show_jobs(["a"], job_by_job(1), [rows])
    assert "held (lazy start), pulled (batch finish)" in legend.accessibleDescription()
    legend.resize(1300, 30)
    with_signs = legend.grab().toImage()
    legend.show_jobs(["a"], job_by_job(1))
    assert legend.grab().toImage() != with_signs

"""Charts whose rows belong to the pools that share the slots: bands, lines that name them, hits, marks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from core.charts.schedule_rows import schedule_rows
from core.explain.critical_path import critical_path
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.pool import Pool as PoolSettings
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.row_layout import (
    HEADER_HEIGHT,
    INNER_GAP,
    LOW_HEADER,
    RowLayout,
)
from explorer.gantt.geometry.strip_height import LOW_STRIP, STRIP_AIR
from explorer.gantt.layers.row_bands import header_facts
from explorer.gantt.layers.task_facts import task_facts
from explorer.widgets.theme import theme
from tests.builders import make_job, make_workload


@pytest.fixture(scope="module")
def schedule():
    """Three pools that lend map slots to reduces and the other way round."""
    workload = load_sample("three-pools")
    found = simulate(workload, workload.cluster, PolicyChoice("dhfs-pd"), engine="interpreted")
    assert found.is_borrowed.any()
    return found


@pytest.fixture
def rows(schedule):
    return schedule_rows(schedule, by_pool=True)


@pytest.fixture
def view(qtbot, schedule):
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    view.resize(1100, 620)
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule, by_pool=True)
    view.show()
    return view


def middle_of(view, task):
    """The pixel in the middle of a task."""
    frame, schedule = view.frame(), view.content.rows.schedule
    top, bottom = frame.row(int(view.content.rows.row[task]))
    return QPoint(round(frame.x((schedule.start[task] + schedule.end[task]) / 2)), (top + bottom) // 2)


def test_bands_of_a_pool_stand_together(rows):
    names = [rows.groups[pool.group].name for pool in rows.pools]
    assert names == ["pipeline", "pipeline", "analysts", "analysts", "reports"]
    assert [pool.own for pool in rows.pools] == [MAP, REDUCE, MAP, REDUCE, MAP]
    assert all(pool.is_packed for pool in rows.pools)


def test_every_task_is_found_in_its_row(view, schedule):
    """What lies under the middle of each task that is wide enough is that task, with its real slot."""
    rows, columns = view.content.rows, schedule.workload.columns
    for task in range(0, schedule.tasks, 3):
        place = view._hit(QPointF(middle_of(view, task))).place
        assert rows.task[place] == task
        assert rows.place_of(task) == place
        facts = task_facts(rows, place)
        assert facts.slot_name == schedule.cluster.slot_name(int(schedule.slot[task]))
        assert facts.pool == schedule.workload.jobs[int(columns.job[task])].pool


def test_clicking_a_task_asks_for_it(view, schedule):
    asked = []
    view.job_clicked.connect(lambda job: asked.append((job, view.clicked_task)))
    task = int(np.flatnonzero(schedule.is_borrowed)[0])
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle_of(view, task))
    assert asked == [(int(schedule.workload.columns.job[task]), task)]


@pytest.mark.parametrize("dark", [False, True])
def test_borrowed_slots_are_drawn_as_borrowed(view, schedule, dark):
    colours = theme(dark)
    view.set_theme(colours)
    view.resize(1100, 900)
    image, frame, rows = view.grab().toImage(), view.frame(), view.content.rows
    assert frame.layout.row_height > 12
    marked = []
    tasks = [task for task in range(schedule.tasks) if schedule.start[task] > 1]
    for task in tasks:
        _, bottom = frame.row(int(rows.row[task]))
        x = round(frame.x(float(schedule.start[task]))) + 3
        marked.append(image.pixel(x, bottom - 3) == colours.text.rgb())
    assert marked == schedule.is_borrowed[tasks].tolist()


def test_a_line_above_each_pool_says_what_it_holds(rows):
    bands = [pool for pool in rows.pools if pool.group == rows.pools[0].group]
    assert header_facts(rows, bands)[0] == "up to 8 map slots and 4 reduce slots at once"
    single = schedule_rows(
        simulate(make_workload(make_job("J", (2, 1.0))), Cluster(0, 0, containers=1), PolicyChoice("fair")),
        by_pool=True,
    )
    assert header_facts(single, list(single.pools)) == [
        "up to 1 slot at once",
        "1 job",
        "done at 0:02",
    ]


def test_rows_of_one_pool_lie_close_and_only_the_first_have_a_line(rows):
    layout = RowLayout.of(rows.pools, 700)
    spans = [layout.pool_spans[index] for index in range(len(rows.pools))]
    gaps = [top - bottom for (_, bottom), (top, _) in pairwise(spans)]
    line = HEADER_HEIGHT + LOW_STRIP + STRIP_AIR
    assert spans[0][0] == line
    assert gaps == [INNER_GAP, line, INNER_GAP, line]
    assert spans[-1][1] == 700
    assert layout.content_height == pytest.approx(700)


def test_of_many_pools_the_names_lie_upon_the_rows():
    jobs = [make_job(f"J{i}", (4, 1.0), pool=f"P{i}") for i in range(20)]
    schedule = simulate(make_workload(*jobs), Cluster(8, 0), PolicyChoice("fair"), engine="interpreted")
    pools = schedule_rows(schedule, by_pool=True).pools
    low = RowLayout.of(pools, 300)
    assert (low.head, low.gap) == (LOW_HEADER, LOW_HEADER)
    assert low.resized(1200).head == HEADER_HEIGHT + LOW_STRIP + STRIP_AIR
    assert low.resized(1200).resized(300).head == LOW_HEADER


def test_rows_of_very_many_pools_have_most_of_the_height():
    jobs = [make_job(f"J{i}", (2, 1.0), pool=f"P{i}") for i in range(300)]
    schedule = simulate(make_workload(*jobs), Cluster(8, 0), PolicyChoice("fifo"), engine="interpreted")
    low = RowLayout.of(schedule_rows(schedule, by_pool=True).pools, 60)
    assert low.content_height == pytest.approx(60)
    assert low.spaces_above[-1] <= 24
    assert low.resized(6000).resized(60) == low
    assert low.resized(15_000).head == HEADER_HEIGHT + LOW_STRIP + STRIP_AIR


@pytest.mark.parametrize("y", [40.0, 180.0, 300.0, 480.0])
def test_zooming_keeps_what_is_under_the_pointer(rows, y):
    layout = RowLayout.of(rows.pools, 560)
    before = layout.slots_at(y)
    assert before
    for _ in range(4):
        layout = layout.zoomed(1.3, y)
        assert layout.slots_at(y) == before


def test_nobody_can_drag_the_edge_of_what_a_pool_happens_to_hold(view, schedule):
    assert {view.frame().layout.edge_at(y) for y in range(view.height())} == {-1}
    containers = Cluster(0, 0, containers=6)
    on_containers = simulate(schedule.workload, containers, PolicyChoice("fair"), engine="interpreted")
    view.set_schedule(on_containers, by_pool=True)
    assert {view.frame().layout.edge_at(y) for y in range(view.height())} == {-1}


def test_the_time_cursor_marks_the_row_of_a_slot(rows, schedule):
    for task in range(0, schedule.tasks, 7):
        time = float(schedule.start[task] + schedule.end[task]) / 2
        assert rows.row_at(int(schedule.slot[task]), time) == rows.row[task]
    assert rows.row_at(-1, 0.0) == -1
    assert rows.row_at(int(schedule.slot[0]), schedule.makespan + 1) == -1
    by_slot = schedule_rows(schedule)
    assert [by_slot.row_at(slot, 5.0) for slot in range(3)] == [0, 1, 2]


def test_the_chain_runs_through_the_rows_of_its_tasks(view, schedule):
    before = view.grab().toImage()
    view.set_critical_path(schedule, critical_path(schedule))
    after, frame = view.grab().toImage(), view.frame()
    last = int(np.argmax(schedule.end))
    top, bottom = frame.row(int(view.content.rows.row[last]))
    x = round(frame.x(float(schedule.end[last]))) - 6
    assert any(before.pixel(x, y) != after.pixel(x, y) for y in range(top, bottom))


def test_the_title_says_that_rows_are_pools(view, schedule):
    by_pool = view.grab().toImage()
    view.set_schedule(schedule)
    assert view.content.rows.by_pool is None
    assert view.grab().toImage() != by_pool
    view.set_schedule(schedule, by_pool=True)
    assert view.grab().toImage() == by_pool


def test_pools_with_slots_of_their_own_keep_them(qtbot):
    workload = load_sample("five-jobs-pools")
    choice = PolicyChoice("balanced-pools")
    schedule = simulate(workload, workload.cluster, choice, engine="interpreted")
    assert schedule_rows(schedule, by_pool=True).pools == schedule_rows(schedule).pools


def test_pools_without_jobs_have_no_rows():
    workload = Workload("w", (make_job("J", (2, 1.0), pool="A"),), pool_settings=(PoolSettings("B"),))
    rows = schedule_rows(simulate(workload, Cluster(2, 1), PolicyChoice("fair")), by_pool=True)
    assert [rows.groups[pool.group].name for pool in rows.pools] == ["A"]

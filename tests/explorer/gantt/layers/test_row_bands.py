"""Pools of a partition in the chart: bands of rows, lines that name them, edges between them."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont

from core.charts.painted_rows import painted_rows
from core.charts.schedule_rows import bands_of, schedule_rows
from core.model.cluster import Cluster
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeAxis, TimeRange
from explorer.gantt.chart_scene import ChartScene
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.geometry.chart_frame import BAND_LEFT, BAND_WIDTH
from explorer.gantt.geometry.row_layout import (
    HEADER_HEIGHT,
    INNER_GAP,
    TALLEST_ROW,
    RowLayout,
    tallest,
)
from explorer.gantt.geometry.strip_height import LOW_STRIP, STRIP_AIR
from explorer.gantt.layers.row_bands import has_slot_names, header_facts, header_rect
from explorer.gantt.layers.task_facts import task_facts
from explorer.widgets.theme import theme
from tests.builders import FIVE_JOBS, two_stage_workload
from tests.core.charts.chart_builders import make_schedule

CLUSTER = Cluster(30, 30, 1.0)
PARTITION = Partition(
    (SlotPool("Small", 20, 20, ("J4", "J3")), SlotPool("Large", 10, 10, ("J2", "J5", "J1")))
)
GROUPED = bands_of(CLUSTER, PARTITION)
LINE = HEADER_HEIGHT + LOW_STRIP + STRIP_AIR


def pooled_schedule(partition=PARTITION):
    workload = two_stage_workload(FIVE_JOBS, (30, 30, 20, 20, 30))
    return simulate(workload, CLUSTER, PolicyChoice("fifo"), partition=partition, engine="interpreted")


def test_rows_are_grouped_by_kind_then_by_pool():
    """Rows keep the numbers that their slots have everywhere."""
    assert [(p.name, p.first_slot, p.slots, p.group, p.first_number) for p in GROUPED] == [
        ("MAP", 0, 20, 0, 1),
        ("MAP", 20, 10, 1, 21),
        ("REDUCE", 30, 20, 0, 1),
        ("REDUCE", 50, 10, 1, 21),
    ]


def test_pools_without_slots_of_a_kind_have_no_band():
    partition = Partition((SlotPool("A", 0, 5), SlotPool("B", 3, 1), SlotPool("C", 0, 0)))
    shown = [(p.name, p.first_slot, p.slots, p.group) for p in bands_of(Cluster(3, 6), partition)]
    assert shown == [("MAP", 0, 3, 1), ("REDUCE", 3, 5, 0), ("REDUCE", 8, 1, 1)]


def test_above_each_pool_there_is_room_for_its_name():
    layout = RowLayout.of(GROUPED, 600 + 4 * LINE)
    assert layout.row_height == 10
    assert [layout.pool_spans[i] for i in range(4)] == [
        (LINE, 200 + LINE),
        (200 + 2 * LINE, 300 + 2 * LINE),
        (300 + 3 * LINE, 500 + 3 * LINE),
        (500 + 4 * LINE, 600 + 4 * LINE),
    ]
    assert layout.content_height == layout.height
    assert tallest(GROUPED) == 60 * TALLEST_ROW + 4 * LINE
    ungrouped = RowLayout.of(bands_of(CLUSTER), 600 + LOW_STRIP + 1 + LOW_STRIP + INNER_GAP)
    assert (ungrouped.head, ungrouped.row_height) == (LOW_STRIP + 1, 10)


@pytest.mark.parametrize("y", [30.0, 250.0, 330.0, 600.0])
def test_zooming_keeps_what_is_under_the_pointer(y):
    layout = RowLayout.of(GROUPED, 668)
    before = layout.slots_at(y)
    for _ in range(4):
        layout = layout.zoomed(1.3, y)
        assert layout.slots_at(y) == before


def test_only_between_pools_of_one_kind_is_there_an_edge():
    layout = RowLayout.of(GROUPED, 600 + 4 * LINE)
    found = {layout.edge_at(y) for y in range(layout.height)}
    assert found == {-1, 0, 2}
    assert {layout.edge_at(200 + LINE + y) for y in range(LINE)} == {0}
    assert layout.edge_at(199 + LINE) == layout.edge_at(200 + 2 * LINE) == -1
    assert {RowLayout.of(bands_of(CLUSTER), 600).edge_at(y) for y in range(600)} == {-1}


def test_what_is_in_view_stays_while_pools_change_their_size():
    layout = RowLayout.of(GROUPED, 300).zoomed(4.0, 200.0)
    other = Partition((SlotPool("Small", 21, 20), SlotPool("Large", 9, 10)))
    moved = layout.with_pools(bands_of(CLUSTER, other))
    assert (moved.zoom, moved.scroll) == (layout.zoom, layout.scroll)
    assert moved.pools[0].slots == 21
    assert layout.with_pools(bands_of(CLUSTER)) == RowLayout.of(bands_of(CLUSTER), 300)


def test_rows_of_a_schedule_follow_its_pools():
    rows = schedule_rows(pooled_schedule())
    assert rows.pools == GROUPED
    assert rows.is_grouped
    assert [len(columns.shortest) for columns in painted_rows(rows, None).pools] == [20, 10, 20, 10]
    plain = schedule_rows(make_schedule())
    assert not plain.is_grouped
    assert rows.fits(plain)
    assert not rows.is_alike(plain)


def test_what_is_said_about_a_pool():
    schedule = pooled_schedule()
    rows = schedule_rows(schedule)
    facts = [header_facts(rows, [pool]) for pool in GROUPED[1:4]]
    assert facts == [
        ["10 map slots", "3 jobs", "maps end at 0:21"],
        ["20 reduce slots", "2 jobs", "done at 0:40"],
        ["10 reduce slots", "3 jobs", "done at 0:39"],
    ]
    empty = Partition((SlotPool("All", 29, 29, PARTITION.jobs), SlotPool("New", 1, 1)))
    schedule = pooled_schedule(empty)
    assert header_facts(schedule_rows(schedule), [bands_of(CLUSTER, empty)[1]]) == [
        "1 map slot",
        "no jobs",
    ]


def test_a_task_tells_its_pool():
    rows = schedule_rows(pooled_schedule())
    facts = task_facts(rows, 0)
    assert facts.job_name == "J4"
    assert ("pool", "Small") in facts.lines()
    assert "pool" not in dict(task_facts(schedule_rows(make_schedule()), 0).lines())


@pytest.mark.parametrize("dark", [False, True])
def test_names_and_ends_are_painted(qtbot, dark):
    """In the line above a pool there is ink at the left; where the pool ends a line goes through its rows."""
    colours = theme(dark)
    view = GanttView(TimeAxis(), colours)
    qtbot.addWidget(view)
    view.resize(900, 500)
    schedule = pooled_schedule()
    view.axis.set_extent(0.0, 47.0)
    view.set_schedule(schedule)
    view.show()
    image = view.grab().toImage()
    frame = view.frame()
    for index in range(4):
        header = header_rect(frame, index)
        strip = {image.pixel(x, header.center().y()) for x in range(header.left(), header.left() + 200)}
        assert len(strip) > 4, index
    rect = frame.pool_rects[1]
    x = round(frame.x(39.0))
    column = {image.pixel(x, y) for y in range(rect.top(), rect.bottom())}
    assert colours.text.rgb() in column


def test_waves_of_a_job_are_drawn_in_its_own_pool_only(qtbot):
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    view.resize(900, 500)
    schedule = pooled_schedule()
    view.axis.set_extent(0.0, 47.0)
    view.set_schedule(schedule)
    view.show()
    before = view.grab().toImage()
    view.change(selected_job=0)  # J1, in the pool of large jobs: from 9 s on
    after = view.grab().toImage()
    frame = view.frame()
    x = round(frame.x(9.0))
    other, own = frame.pool_rects[0], frame.pool_rects[1]

    def ink(image, rect):
        return [image.pixel(x, y) == theme(False).text.rgb() for y in range(rect.top(), rect.bottom())]

    assert sum(ink(after, own)) > sum(ink(before, own))
    assert sum(ink(after, other)) == sum(ink(before, other)) == 0


@pytest.mark.parametrize(
    ("slots", "height", "is_named"),
    [(10, 160, True), (30, 160, False), (30, 181, True), (3000, 180, False), (3000, 500, True)],
)
def test_slots_are_named_where_each_has_room_and_some_in_high_lanes(slots, height, is_named):
    layout = RowLayout(bands_of(Cluster(slots, 0)), height)
    assert has_slot_names(layout, 0) is is_named


@pytest.mark.parametrize("slots", [300, 5000])
def test_no_name_of_a_slot_lies_upon_the_name_of_its_lane(qapp, slots):
    """The pixels right of the lane's own band are empty."""
    rows = schedule_rows(make_schedule(jobs=1, slots=slots))
    scene = ChartScene(theme(False), QFont(), ChartContent(rows=rows), in_stack=True)
    scene.resize(600, 900)
    frame = scene.frame(TimeRange(0.0, 10.0), TimeRange(0.0, 10.0))
    image, lane = scene.still(frame).toImage(), frame.pool_rects[0]
    beside = BAND_LEFT + BAND_WIDTH + 1
    column = {image.pixelColor(beside, y).name() for y in range(lane.top(), lane.bottom())}
    assert len(column) == 1


def test_pools_keep_their_strips_of_use_beside_an_older_schedule(qapp):
    """An older schedule has its strips where plain rows have those of use; pools have no room for it."""
    pooled, plain = schedule_rows(pooled_schedule()), schedule_rows(make_schedule())
    assert ChartContent(pooled, ghost=pooled).strip_ghost is None
    assert ChartContent(plain, ghost=plain).strip_ghost is plain
    assert ChartContent(plain, ghost=pooled).strip_ghost is None
    assert ChartContent(plain).strip_ghost is None

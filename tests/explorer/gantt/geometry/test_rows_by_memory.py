"""Charts of nodes whose tasks differ in memory: heights, hits, names, steps by key, and exported shapes."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QPointF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest

from core.charts.schedule_rows import schedule_rows
from core.model.cluster import Cluster
from core.model.nodes import NodeGroup, Request
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeAxis
from explorer.gantt.chart_export import encoded
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.chart_content import ChartContent, Pointer
from explorer.gantt.geometry.row_layout import RowLayout
from explorer.gantt.geometry.tasks_in_view import hit, marked_tasks
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.gantt.layers.pointers import target_of
from explorer.gantt.layers.row_bands import _band_texts
from explorer.gantt.layers.run_end import _rows_after
from explorer.gantt.layers.title_and_axis import remarks
from explorer.gantt.stage import Style
from explorer.widgets.theme import theme
from tests.builders import make_job, make_workload

GB = 1024
LEFT = 100
NODE = Cluster(
    0, 0, 0.05, nodes=(NodeGroup(1, 8 * GB, 8),), map_request=Request(4 * GB), reduce_request=Request(GB)
)
"""Its rows 0 to 3 run the map of J1 until 10 s, the others one of J2 until 1 s and then four reduces."""


@pytest.fixture(scope="module")
def schedule():
    workload = make_workload(make_job("J1", (1, 10.0)), make_job("J2", (1, 1.0), (4, 20.0)))
    return simulate(workload, NODE, PolicyChoice("fifo"), engine="interpreted")


@pytest.fixture
def rows(schedule):
    return schedule_rows(schedule)


@pytest.fixture
def view(qtbot, schedule):
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule)
    view.show()
    return view


def middle_of(view, row, seconds):
    top, bottom = view.frame().row(row)
    return QPointF(view.frame().x(seconds), (top + bottom) / 2)


def test_rows_are_the_memory_of_their_node(rows):
    (band,) = rows.pools
    assert (band.name, band.slots, band.memory_mb) == ("NODE 1", 8, 8 * GB)
    assert _band_texts(band)[0] == "NODE 1 · 8GB"
    assert not rows.are_slots
    assert remarks(ChartContent(rows=rows)) == "a row: 1GB"


def test_every_row_of_a_task_is_hit_as_that_task_which_is_counted_once(rows):
    scale = TimeScale(0.0, 20.0, 400)
    tall, low = RowLayout(rows.pools, 160, gap=0), RowLayout(rows.pools, 2, gap=0)
    for row in range(8):
        found = hit(rows.columns, tall, scale, 10.0, 20.0 * row + 10)
        assert rows.task[found.place] == (0 if row < 4 else 1)
        assert found.tasks == 1
    assert [hit(rows.columns, low, scale, 10.0, y).tasks for y in (0.5, 1.5)] == [1, 1]
    assert hit(rows.columns, low, scale, 200.0, 1.5).tasks == 4


def test_a_mark_stands_once_over_all_rows_of_a_task(rows):
    layout, scale = RowLayout.of(rows.pools, 400), TimeScale(0.0, 21.0, 800)
    found = marked_tasks(rows, np.arange(len(rows.task)), layout, scale)
    assert list(zip(found.row.tolist(), found.last.tolist(), strict=True)) == [
        (0, 3),
        (4, 7),
        (4, 4),
        (5, 5),
        (6, 6),
        (7, 7),
    ]


def test_what_runs_last_holds_all_of_its_rows(rows):
    assert _rows_after(rows, 0.5).tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert _rows_after(rows, 10.5).tolist() == [4, 5, 6, 7]


def test_a_map_is_as_high_as_four_reduces_in_the_picture(view, rows):
    """Down the middle of both the pixels change colour at the same lines, and nowhere inside the map."""
    frame, image = view.frame(), view.grab().toImage()
    top, bottom = frame.row(0, 3)
    assert frame.row(4, 7)[1] - frame.row(4)[0] == pytest.approx(bottom - top, abs=1)
    ratio = image.devicePixelRatio()
    x = round(frame.x(9.0) * ratio)
    inside = {image.pixel(x, round(y * ratio)) for y in range(top + 1, bottom - 3)}
    assert len(inside) == 1
    below = {image.pixel(x, round(y * ratio)) for y in range(bottom + 1, frame.row(7)[1] - 3)}
    assert len(below) > 1


def test_pointing_and_clicking_at_any_of_its_rows_means_the_task(view, qtbot):
    clicked = []
    view.job_clicked.connect(clicked.append)
    for row, seconds in ((2, 5.0), (6, 5.0)):
        place = middle_of(view, row, seconds).toPoint()
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert clicked == [0, 1]


def test_a_free_row_stands_for_a_free_slot(view, qtbot, schedule):
    with qtbot.waitSignal(view.slot_clicked) as clicked:
        place = middle_of(view, 1, 15.0).toPoint()
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    slot = clicked.args[0]
    tasks = np.flatnonzero(schedule.slot == slot)
    assert not ((schedule.start[tasks] <= 15.0) & (schedule.end[tasks] > 15.0)).any()


def test_keys_go_from_task_to_task_not_from_row_to_row(view, rows):
    view.steps.go_to(0)
    view.steps.across(1)
    assert rows.task[view.steps.place] != 0
    view.steps.across(-1)
    assert rows.task[view.steps.place] == 0


def test_labels_point_at_all_rows_of_a_task(view, rows):
    frame = view.frame()
    found = target_of(frame, rows, Pointer("here", task=0))
    top, bottom = frame.row(0, 3)
    assert (found.top(), found.bottom()) == (top, bottom - 1)


def drawn(rows, suffix):
    """Return a chart that was exported, as an image of two pixels for one."""
    content, style = ChartContent(rows=rows), Style(theme(False), size=(700, 400))
    data = encoded([content], suffix, style)
    image = QImage(1400, 800, QImage.Format.Format_RGB32)
    if suffix == ".svg":
        with QPainter(image) as painter:
            QSvgRenderer(QByteArray(data)).render(painter)
        return image
    return QImage.fromData(data).scaled(image.size())


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_exports_draw_maps_in_one_piece_as_high_as_four_reduces(rows, suffix):
    """In the column of pixels at 0.5 s both maps are half of the rows each."""
    image = drawn(rows, suffix)
    both = [image.pixel(x, y) for x in (LEFT + 30,) for y in range(800)]
    runs = sorted(len(list(run)) for colour, run in groupby(both) if colour & 0xFFFFFF != 0xFFFFFF)
    assert runs[-1] == pytest.approx(runs[-2], abs=6)
    assert runs[-2] > 150

"""Dragging in pools: edges resize them, jobs change places and pools, Escape restores."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from core.model.partition import Partition, SlotPool
from core.model.partition_edits import with_pool
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP
from core.model.time_text import clock_text, signed_duration
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers.row_bands import header_rect
from explorer.widgets.theme import theme
from tests.builders import FIVE_JOBS, two_stage_workload

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
WORKLOAD = two_stage_workload(FIVE_JOBS, (30, 30, 20, 20, 30))
CLUSTER = Cluster(30, 30, 1.0)
SMALL = SlotPool("Small", 20, 20, ("J4", "J3"))
PARTITION = Partition((SMALL, SlotPool("Large", 10, 10, ("J2", "J5", "J1"))))


def scheduled(partition):
    return simulate(WORKLOAD, CLUSTER, PolicyChoice("fifo"), partition=partition, engine="interpreted")


class Listener:
    """Plays the window: simulates each previewed partition."""

    def __init__(self, view):
        self.previews, self.drops, self.cancels = [], [], 0
        self.view = view
        view.pools.previewed.connect(self.preview)
        view.pools.dropped.connect(lambda partition, text: self.drops.append((partition, text)))
        view.drag_cancelled.connect(self.cancel)

    def preview(self, partition):
        self.previews.append(partition)
        self.view.set_schedule(scheduled(partition))

    def cancel(self):
        self.cancels += 1


@pytest.fixture
def view(qtbot):
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    view.resize(900, 760)
    view.axis.set_extent(0.0, 60.0)
    view.set_schedule(scheduled(PARTITION))
    view.set_order([job.name for job in WORKLOAD.jobs])
    view.show()
    return view


@pytest.fixture
def heard(view):
    return Listener(view)


def edge(view, index):
    """A point on the line above the pool of rows `index`."""
    return header_rect(view.frame(), index).center()


def drag(view, start, end, modifier=NONE):
    QTest.mousePress(view, LEFT, modifier, start)
    for part in range(1, 9):
        QTest.mouseMove(view, start + (end - start) * part / 8)


def rows_down(view, rows):
    return QPoint(0, round(rows * view.frame().layout.row_height))


def slots(partition):
    return [pool.slots for pool in partition.pools]


@pytest.mark.parametrize("index", [1, 3])
def test_an_edge_moves_slots_of_both_kinds(view, heard, index):
    """Whichever of the two edges is dragged."""
    start = edge(view, index)
    end = start + rows_down(view, -4)
    drag(view, start, end)
    assert slots(heard.previews[-1]) == [(16, 16), (14, 14)]
    assert len(heard.previews) == len(set(heard.previews)) >= 3
    assert heard.drops == []
    QTest.mouseRelease(view, LEFT, NONE, end)
    assert heard.drops == [(heard.previews[-1], "Resize Small to 16 + 16 slots")]
    assert heard.cancels == 0


def test_the_edge_follows_the_pointer(view, heard):
    """Rows keep their height while pools change, so the edge stays under the pointer."""
    start = edge(view, 1)
    end = start + rows_down(view, 5)
    drag(view, start, end)
    assert abs(edge(view, 1).y() - end.y()) <= view.frame().layout.row_height / 2 + 1


def test_with_shift_only_one_kind_moves(view, heard):
    start = edge(view, 3)
    drag(view, start, start + rows_down(view, 4), SHIFT)
    assert slots(heard.previews[-1]) == [(20, 24), (10, 6)]


def test_what_the_pools_need_stays_with_them(view, heard):
    start = edge(view, 1)
    drag(view, start, start + QPoint(0, 5000))
    assert slots(heard.previews[-1]) == [(29, 29), (1, 1)]


def test_an_edge_stops_at_the_last_row_of_a_pool_and_says_so(view, heard):
    """Even of a pool without jobs: without rows there would be no edge to drag back."""
    partition = Partition(
        (SlotPool("Small", 20, 20, (*SMALL.jobs, "J2", "J5", "J1")), SlotPool("Idle", 10, 10))
    )
    view.set_schedule(scheduled(partition))
    start = edge(view, 1)
    drag(view, start, start + rows_down(view, 9))
    assert "keeps" not in view._drag.text()
    QTest.mouseMove(view, start + rows_down(view, 15))
    assert slots(heard.previews[-1]) == [(29, 29), (1, 1)]
    assert "Idle keeps 1 map slot" in view._drag.text()
    QTest.keyClick(view, Qt.Key.Key_Escape)


def test_the_other_kind_moves_in_proportion(view, heard):
    cluster = Cluster(30, 10, 1.0)
    partition = Partition((SlotPool("A", 15, 5, SMALL.jobs), SlotPool("B", 15, 5, ("J2", "J5", "J1"))))
    choice = PolicyChoice("fifo")
    view.set_schedule(simulate(WORKLOAD, cluster, choice, partition=partition, engine="interpreted"))
    view.pools.previewed.disconnect()
    previews = []
    view.pools.previewed.connect(previews.append)
    start = edge(view, 1)
    drag(view, start, start + rows_down(view, 6))
    assert slots(previews[-1]) == [(21, 7), (9, 3)]


def test_escape_restores_the_pools(view, heard):
    before = view.content.rows
    start = edge(view, 1)
    drag(view, start, start + rows_down(view, 4))
    assert view.content.rows is not before
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.content.rows is before
    assert heard.cancels == 1
    QTest.mouseRelease(view, LEFT, NONE, start)
    assert heard.drops == []


def test_an_edge_dropped_where_it_was_changes_nothing(view, heard):
    start = edge(view, 1)
    drag(view, start, start + rows_down(view, 4))
    drag_back = start + QPoint(30, 0)
    QTest.mouseMove(view, drag_back)
    QTest.mouseRelease(view, LEFT, NONE, drag_back)
    assert (heard.drops, heard.cancels) == ([], 1)
    assert slots(view.content.rows.schedule.partition) == slots(PARTITION)


def test_a_click_on_an_edge_is_no_drag(view, heard):
    QTest.mouseClick(view, LEFT, NONE, edge(view, 1))
    assert (heard.previews, heard.drops, heard.cancels) == ([], [], 0)


def test_the_line_above_the_first_pool_is_no_edge(view, heard):
    for index in (0, 2):
        start = edge(view, index)
        drag(view, start, start + QPoint(0, 60))
        QTest.mouseRelease(view, LEFT, NONE, start)
    assert heard.previews == []


def test_the_middle_button_pans_even_there(view, heard):
    start = edge(view, 1)
    QTest.mousePress(view, MIDDLE, NONE, start)
    QTest.mouseMove(view, start + QPoint(-80, 0))
    QTest.mouseRelease(view, MIDDLE, NONE, start)
    assert heard.previews == []


def test_the_pointer_shows_where_edges_are(view):
    view.mouseMoveEvent(moved(edge(view, 1)))
    assert view.cursor().shape() == Qt.CursorShape.SplitVCursor
    view.mouseMoveEvent(moved(edge(view, 2)))
    assert view.cursor().shape() == Qt.CursorShape.OpenHandCursor


def moved(point):
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent

    nobody = Qt.MouseButton.NoButton
    position = QPointF(point)
    return QMouseEvent(QEvent.Type.MouseMove, position, position, nobody, nobody, NONE)


def test_the_text_tells_sizes_and_makespan(view, heard):
    start = edge(view, 1)
    drag(view, start, start + rows_down(view, -10))
    text = view._drag.text()
    assert text.startswith("Small 10 + 10 slots · Large 20 + 20 slots: ")
    assert text.endswith(" %")


def test_zoomed_rows_stay_in_view_while_an_edge_moves(view, heard):
    view.look.zoom_rows(6, float(edge(view, 1).y()))
    layout = view.frame().layout
    start = edge(view, 1)
    drag(view, start, start + rows_down(view, 2))
    assert slots(heard.previews[-1])[0] == (22, 22)
    assert (view.frame().layout.zoom, view.frame().layout.scroll) == (layout.zoom, layout.scroll)


# ---- jobs


def block(view, job, kind=MAP):
    """A point on a job's block."""
    frame, schedule = view.frame(), view.content.rows.schedule
    columns = schedule.workload.columns
    task = int(columns.first[WORKLOAD.job_index[job], kind]) + 3
    middle = (schedule.start[task] + schedule.end[task]) / 2
    top, bottom = frame.row(int(schedule.slot[task]))
    return QPoint(round(frame.x(float(middle))), (top + bottom) // 2)


def jobs(partition):
    return [" ".join(pool.jobs) for pool in partition.pools]


def test_a_job_goes_to_another_place_in_its_pool(view, heard):
    start = block(view, "J1")
    end = QPoint(round(view.frame().x(0.0)), start.y())
    drag(view, start, end, SHIFT)
    assert jobs(heard.previews[-1]) == ["J4 J3", "J1 J2 J5"]
    QTest.mouseRelease(view, LEFT, NONE, end)
    assert heard.drops == [(heard.previews[-1], "Move J1 before J2")]


def test_a_job_goes_into_the_pool_under_the_pointer(view, heard):
    start = block(view, "J1")
    target = view.frame().pool_rects[0]
    for seconds, expected in ((0.0, "J1 J4 J3"), (6.5, "J4 J1 J3"), (55.0, "J4 J3 J1")):
        drag(view, start, QPoint(round(view.frame().x(seconds)), target.center().y()), SHIFT)
        assert jobs(heard.previews[-1]) == [expected, "J2 J5"]
        QTest.keyClick(view, Qt.Key.Key_Escape)
        QTest.mouseRelease(view, LEFT, NONE, start)
    assert heard.drops == []


def test_into_a_pool_by_its_reduce_rows(view, heard):
    start = block(view, "J1")
    end = QPoint(round(view.frame().x(55.0)), view.frame().pool_rects[2].center().y())
    drag(view, start, end, SHIFT)
    QTest.mouseRelease(view, LEFT, NONE, end)
    assert jobs(heard.drops[0][0]) == ["J4 J3 J1", "J2 J5"]
    assert heard.drops[0][1] == "Move J1 to Small"
    assert view.content.ghost is None


def test_a_drag_into_another_pool_says_when_both_pools_end(view, heard):
    start = block(view, "J1")
    drag(view, start, QPoint(start.x(), view.frame().pool_rects[0].center().y()), SHIFT)
    before, after = (scheduled(each).pool_finish for each in (PARTITION, heard.previews[-1]))
    assert after[0] > before[0]
    assert after[1] < before[1]
    sooner, later = (signed_duration(float(after[pool] - before[pool])) for pool in (1, 0))
    ends = [clock_text(float(after[pool])) for pool in (1, 0)]
    assert view._drag.text().endswith(f"; Large ends at {ends[0]} ({sooner}), Small at {ends[1]} ({later})")
    drag(view, start, block(view, "J2"))
    assert "ends at" not in view._drag.text(), "in its own pool there is one end"


def test_into_an_empty_pool(view, heard):
    partition = with_pool(PARTITION, WORKLOAD, "New")
    view.set_schedule(scheduled(partition))
    start = block(view, "J4")
    drag(view, start, QPoint(start.x(), view.frame().pool_rects[2].center().y()), SHIFT)
    assert jobs(heard.previews[-1]) == ["J3", "J2 J5 J1", "J4"]


def test_a_pool_without_slots_for_the_job_refuses_it(view, heard):
    partition = Partition((SlotPool("All", 30, 28, PARTITION.jobs), SlotPool("Reduces", 0, 2)))
    view.set_schedule(scheduled(partition))
    start = block(view, "J1")
    drag(view, start, QPoint(start.x(), view.frame().pool_rects[2].center().y()), SHIFT)
    assert "pool 'Reduces' no map slot" in view._drag.text()
    assert heard.previews[-1] == partition  # others came on the way, in the reduce rows of its own pool
    QTest.mouseRelease(view, LEFT, NONE, start)
    assert heard.drops == []


def test_escape_restores_a_dragged_job(view, heard):
    before = view.content.rows
    start = block(view, "J1")
    drag(view, start, QPoint(start.x(), view.frame().pool_rects[0].center().y()), SHIFT)
    assert view.content.rows is not before
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.content.rows is before
    QTest.mouseRelease(view, LEFT, NONE, start)
    assert heard.drops == []


def test_a_click_upon_a_block_selects_its_job(view, heard):
    clicked = []
    view.job_clicked.connect(clicked.append)
    QTest.mouseClick(view, LEFT, NONE, block(view, "J4"))
    assert clicked == [3]
    assert heard.previews == []


def test_a_job_where_it_was_stays(view, heard):
    start = block(view, "J3")
    drag(view, start, start + QPoint(14, 0), SHIFT)
    assert view._drag.text() == "J3 stays where it is: 40 s"
    QTest.mouseRelease(view, LEFT, NONE, start)
    assert (heard.previews, heard.drops) == ([], [])

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.model.task_types import MAP, REDUCE
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.gestures.keys import KEY_BINDINGS, binding_of
from explorer.gantt.layers.task_rows import TaskRowsLayer
from explorer.gantt.raster import row_picture
from explorer.gantt.raster.row_picture import paint_columns
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule, make_workload
from tests.explorer.gantt.chart_builders import wheel_event

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
WORKLOAD = make_workload(jobs=5, slots=6)
NAMES = tuple(job.name for job in WORKLOAD.jobs)


@pytest.fixture
def schedule():
    return make_schedule(WORKLOAD)


@pytest.fixture
def axis(schedule):
    axis = TimeAxis()
    axis.set_extent(0.0, schedule.makespan)
    axis.fit()
    return axis


@pytest.fixture
def view(qtbot, schedule, axis):
    return shown(qtbot, schedule, axis)


def shown(qtbot, schedule, axis):
    view = GanttView(axis, theme(False))
    view.set_schedule(schedule)
    view.set_order(NAMES)
    view.resize(900, 600)
    qtbot.addWidget(view)
    view.show()
    qtbot.waitExposed(view)
    return view


def on_task(view, job, kind=MAP, number=0):
    """A point in the middle of a task."""
    schedule = view.content.rows.schedule
    task = int(schedule.workload.columns.first[job, kind]) + number
    frame = view.frame()
    top, bottom = frame.row(int(schedule.slot[task]))
    return QPoint(int(frame.x((schedule.start[task] + schedule.end[task]) / 2)), (top + bottom) // 2)


def wheel(view, point, steps=1, modifier=NONE):
    QApplication.sendEvent(view, wheel_event(view, point, steps, modifier))


# ---- looking around


def test_the_wheel_zooms_at_the_pointer(view, axis):
    point = view.frame().places.plot.center()
    before, span = view.time_at(point.x()), axis.range.span
    wheel(view, point, 3)
    assert axis.range.span == pytest.approx(span * 0.85**3)
    assert view.time_at(point.x()) == pytest.approx(before, abs=axis.range.span / 800)


def test_with_ctrl_the_wheel_zooms_with_shift_it_moves_in_time_with_both_rows_grow(view, axis):
    point = view.frame().places.plot.center()
    height, shown_range = view.scene.layout.row_height, axis.range
    wheel(view, point, 2, CTRL | SHIFT)
    assert view.scene.layout.row_height > height * 1.3
    assert axis.range == shown_range
    wheel(view, point, 1, CTRL)
    assert axis.range.span == pytest.approx(shown_range.span * 0.85)
    axis.zoom(0.5, 20.0)
    start = axis.t0
    wheel(view, point, -1, SHIFT)
    assert axis.t0 > start


def test_linked_charts_show_the_same_time(qtbot, view, axis, schedule):
    other = shown(qtbot, schedule, axis)
    wheel(view, view.frame().places.plot.center(), 2)
    assert other.frame().scale.start == view.frame().scale.start == axis.t0


@pytest.mark.parametrize("button", [LEFT, MIDDLE])
def test_dragging_moves_the_view_by_what_the_pointer_moves(qtbot, view, axis, button):
    axis.zoom(0.4, 20.0)
    plot = view.frame().places.plot
    start = plot.center()
    time = view.time_at(start.x())
    QTest.mousePress(view, button, NONE, start)
    for step in (10, 20, 30):
        QTest.mouseMove(view, start + QPoint(step, 0))
    QTest.mouseRelease(view, button, NONE, start + QPoint(30, 0))
    assert view.time_at(start.x() + 30) == pytest.approx(time, abs=axis.range.span / 400)


def test_escape_takes_a_pan_back(view, axis):
    axis.zoom(0.4, 20.0)
    before = axis.t0
    start = view.frame().places.plot.center()
    QTest.mousePress(view, MIDDLE, NONE, start)
    QTest.mouseMove(view, start + QPoint(50, 0))
    assert axis.t0 != before
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert axis.t0 == pytest.approx(before)


def test_double_click_zooms_to_a_job_and_beside_it_to_everything(view, axis, schedule):
    QTest.mouseDClick(view, LEFT, NONE, on_task(view, 2))
    assert axis.t0 < schedule.job_start[2] < schedule.finish[2] < axis.t1
    assert axis.range.span < 1.2 * (schedule.finish[2] - schedule.job_start[2])
    QTest.mouseDClick(view, LEFT, NONE, QPoint(2, 2))
    assert axis.is_fitted


@pytest.mark.parametrize(
    ("keys", "check"),
    [
        ([Qt.Key.Key_Plus], lambda axis, before: axis.range.span < before.span),
        ([Qt.Key.Key_Minus], lambda axis, before: axis.range.span > before.span),
        ([Qt.Key.Key_F], lambda axis, before: axis.is_fitted),
        ([Qt.Key.Key_0], lambda axis, before: axis.is_fitted),
        ([Qt.Key.Key_Home], lambda axis, before: axis.is_fitted),
        ([Qt.Key.Key_F, Qt.Key.Key_Backspace], lambda axis, before: axis.range == before),
    ],
)
def test_keys_look_around(view, axis, keys, check):
    axis.zoom(0.4, 20.0)
    before = axis.range
    for key in keys:
        QTest.keyClick(view, key)
    assert check(axis, before)


def test_shift_and_arrows_move_in_time(view, axis):
    axis.zoom(0.4, 20.0)
    before = axis.range
    QTest.keyClick(view, Qt.Key.Key_Right, SHIFT)
    assert axis.t0 > before.start
    QTest.keyClick(view, Qt.Key.Key_Left, SHIFT)
    QTest.keyClick(view, Qt.Key.Key_Left, SHIFT)
    assert axis.t0 < before.start


def test_alt_and_arrows_walk_through_the_history_of_views(view, axis):
    first = axis.range
    QTest.keyClick(view, Qt.Key.Key_Plus)
    second = axis.range
    QTest.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert axis.range == first
    QTest.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert axis.range == second


def test_z_zooms_to_the_selected_job(view, axis, schedule):
    view.change(selected_job=1)
    QTest.keyClick(view, Qt.Key.Key_Z)
    assert axis.range.span < 1.2 * (schedule.finish[1] - schedule.job_start[1])


def test_keys_with_ctrl_are_for_the_window():
    """Where nothing is left to undo, Ctrl+Z comes to the chart: it must not zoom, nor Ctrl+C collapse."""
    for key in {key for binding in KEY_BINDINGS for key in binding.keys}:
        press = QKeyEvent(QKeyEvent.Type.KeyPress, key, Qt.KeyboardModifier.ControlModifier)
        assert binding_of(press) is None, key


def test_every_key_binding_can_be_called_and_is_explained(view):
    for binding in KEY_BINDINGS:
        binding.call(view)
    assert all(binding.text and binding.does for binding in KEY_BINDINGS)


# ---- asking


def test_a_click_asks_for_the_job_and_the_view_decides_nothing(qtbot, view):
    with qtbot.waitSignal(view.job_clicked) as clicked:
        QTest.mouseClick(view, LEFT, NONE, on_task(view, 3))
    assert clicked.args == [3]
    assert view.content.selected_job == -1


def test_a_click_beside_everything_asks_for_no_job(qtbot, view):
    gap = QPoint(300, view.frame().pool_rects[0].bottom() + 6)
    with qtbot.waitSignal(view.job_clicked) as clicked:
        QTest.mouseClick(view, LEFT, NONE, gap)
    assert clicked.args == [-1]


def test_n_and_p_ask_for_the_next_job_of_the_order(qtbot, view):
    view.set_order(["J3", "J1", "J2", "J5", "J4"])
    asked = []
    view.job_clicked.connect(asked.append)
    QTest.keyClick(view, Qt.Key.Key_N)
    view.change(selected_job=3)
    QTest.keyClick(view, Qt.Key.Key_N)
    QTest.keyClick(view, Qt.Key.Key_P)
    view.change(selected_job=2)
    QTest.keyClick(view, Qt.Key.Key_P)
    assert asked == [2, 2, 4, 3]


def test_hovering_tells_the_facts_and_moves_the_crosshair_of_all_charts(qtbot, view, axis, schedule):
    other = shown(qtbot, schedule, axis)
    told = []
    view.task_hovered.connect(told.append)
    point = on_task(view, 1, REDUCE, 2)
    QTest.mouseMove(view, point)
    qtbot.waitUntil(lambda: axis.cursor is not None)
    facts = told[-1]
    assert (facts.job_name, facts.kind, facts.number) == ("J2", REDUCE, 3)
    assert facts.start <= axis.cursor < facts.end
    assert other.axis.cursor == axis.cursor
    view.leaveEvent(None)
    assert axis.cursor is None
    assert told[-1] is None


def test_a_menu_is_asked_for_upon_a_job(qtbot, view):
    point = on_task(view, 2)
    QTest.mouseMove(view, point)
    assert view._overlays().pointer is not None
    with qtbot.waitSignal(view.context_requested) as asked:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, view.mapToGlobal(point))
        QApplication.sendEvent(view, event)
    assert asked.args == [view.mapToGlobal(point), 2]
    assert view._overlays().pointer is None  # no card stays under the menu


# ---- dragging a block


class Listener:
    """Plays the window: simulates each previewed order."""

    def __init__(self, view):
        self.previews, self.drops, self.cancels = [], [], 0
        self.view = view
        view.order_previewed.connect(self.preview)
        view.order_dropped.connect(self.drops.append)
        view.drag_cancelled.connect(self.cancel)

    def preview(self, order):
        self.previews.append(order)
        self.view.set_schedule(make_schedule(WORKLOAD, "order", order=order))

    def cancel(self):
        self.cancels += 1


def start_drag(view, job, to_x):
    start = on_task(view, job)
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.ShiftModifier, start)
    for part in range(1, 9):
        QTest.mouseMove(view, QPoint(start.x() + (to_x - start.x()) * part // 8, start.y()))
    return QPoint(to_x, start.y())


def test_dragging_a_block_previews_every_place_and_drops_once(view, schedule):
    heard = Listener(view)
    end = start_drag(view, 3, int(view.frame().x(0.0)))
    assert heard.previews[-1] == ("J4", "J1", "J2", "J3", "J5")
    assert len(heard.previews) == len(set(heard.previews)) >= 2
    assert view.content.ghost.schedule is schedule
    assert heard.drops == []
    QTest.mouseRelease(view, LEFT, NONE, end)
    assert heard.drops == [("J4", "J1", "J2", "J3", "J5")]
    assert heard.cancels == 0
    assert view.content.ghost is None


def test_after_a_drop_the_time_line_and_the_card_are_those_of_the_pointer(view, axis):
    Listener(view)
    start = on_task(view, 3)
    QTest.mouseMove(view, start)
    end = start_drag(view, 3, int(view.frame().x(1.0)))
    assert axis.cursor is None
    assert view.facts is None
    QTest.mouseRelease(view, LEFT, NONE, end)
    assert axis.cursor == view.time_at(end.x())
    assert view.facts is not None
    assert view.facts.start <= axis.cursor < view.facts.end


def test_the_text_at_the_pointer_says_what_a_drop_would_do(view):
    heard = Listener(view)
    start_drag(view, 3, int(view.frame().x(0.0)))
    text = view._drag.text()
    assert heard.previews
    assert text.startswith("before J1, to the front: ")
    assert text.endswith(" %")


def test_before_a_preview_is_there_the_text_waits(view):
    start_drag(view, 3, int(view.frame().x(0.0)))
    assert view._drag.text() == "before J1, to the front: …"
    assert view._drag.drop_time() == pytest.approx(0.0)


def test_escape_gives_up_a_drag_and_restores_the_schedule(view, schedule):
    heard = Listener(view)
    end = start_drag(view, 3, int(view.frame().x(0.0)))
    assert view.content.rows.schedule is not schedule
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert heard.cancels == 1
    assert view.content.rows.schedule is schedule
    assert view.content.ghost is None
    QTest.mouseRelease(view, LEFT, NONE, end)
    assert heard.drops == []


def test_dropping_a_block_where_it_was_changes_nothing(view, schedule):
    heard = Listener(view)
    away = start_drag(view, 3, int(view.frame().x(0.0)))
    start = on_task(view, 3)
    home = QPoint(int(view.frame().x((schedule.job_start[3] + schedule.stage_end[3]) / 2)), away.y())
    QTest.mouseMove(view, home)
    QTest.mouseRelease(view, LEFT, NONE, home)
    assert start
    assert heard.drops == []
    assert heard.cancels == 1
    assert view.content.rows.schedule is schedule


def test_a_press_that_hardly_moves_is_a_click(view):
    heard = Listener(view)
    clicked = []
    view.job_clicked.connect(clicked.append)
    start = on_task(view, 3)
    QTest.mousePress(view, LEFT, NONE, start)
    QTest.mouseMove(view, start + QPoint(1, 1))
    QTest.mouseRelease(view, LEFT, NONE, start + QPoint(1, 1))
    assert clicked == [3]
    assert (heard.previews, heard.drops, heard.cancels) == ([], [], 0)


def test_without_an_order_blocks_pan_and_still_select(view, axis):
    view.set_order([])
    axis.zoom(0.6, 20.0)
    before = axis.t0
    start = on_task(view, 2)
    QTest.mousePress(view, LEFT, NONE, start)
    QTest.mouseMove(view, start + QPoint(-40, 0))
    QTest.mouseRelease(view, LEFT, NONE, start + QPoint(-40, 0))
    assert axis.t0 > before
    clicked = []
    view.job_clicked.connect(clicked.append)
    QTest.mouseClick(view, LEFT, NONE, on_task(view, 2))
    assert clicked == [2]


# ---- what it shows


def test_setting_the_same_schedule_again_sorts_nothing_again(view, schedule):
    rows = view.content.rows
    view.set_ghost(schedule)
    assert view.content.ghost is rows
    view.set_schedule(schedule)
    assert view.content.rows is rows


def test_a_ghost_of_other_jobs_is_not_shown(view):
    view.set_ghost(make_schedule(make_workload(jobs=3)))
    assert view.content.ghost is None
    view.set_ghost(make_schedule(WORKLOAD, "johnson"))
    assert view.content.ghost is not None
    view.set_schedule(make_schedule(make_workload(jobs=3)))
    assert view.content.ghost is None


def test_moving_the_crosshair_paints_no_rows(qtbot, view, axis):
    view.repaint()
    picture = next(each.picture for each in view.scene.layers if isinstance(each, TaskRowsLayer))
    picture.painted_columns = -1
    axis.set_cursor(12.0)
    view.repaint()
    assert picture.painted_columns == -1


def test_an_empty_chart_says_why_and_ignores_the_mouse(qtbot, axis):
    view = GanttView(axis, theme(True))
    qtbot.addWidget(view)
    view.resize(500, 300)
    view.change(empty_text="Nothing scheduled yet: add a job")
    view.show()
    QTest.mouseClick(view, LEFT, NONE, QPoint(200, 150))
    QTest.mouseDClick(view, LEFT, NONE, QPoint(200, 150))
    QTest.mouseMove(view, QPoint(210, 150))
    for binding in KEY_BINDINGS:
        QTest.keyClick(view, binding.keys[0], binding.modifier)
    wheel(view, QPoint(200, 150))
    assert axis.cursor is None
    assert view.accessibleDescription() == "Nothing scheduled yet: add a job"


def test_screen_readers_hear_the_title_and_the_makespan(view):
    view.change(title="FIFO")
    view.change(comparison="−12.3 % vs Johnson")
    assert view.accessibleName() == "Gantt chart FIFO"
    assert "5 jobs, makespan" in view.accessibleDescription()
    assert "−12.3 % vs Johnson" in view.accessibleDescription()


@pytest.mark.parametrize("came", [Qt.FocusReason.TabFocusReason, Qt.FocusReason.MouseFocusReason])
def test_a_popup_gives_the_ring_back_as_it_was(view, came):
    view.setFocus(came)
    before = view.grab().toImage()
    for kind in (QFocusEvent.Type.FocusOut, QFocusEvent.Type.FocusIn):
        QApplication.sendEvent(view, QFocusEvent(kind, Qt.FocusReason.PopupFocusReason))
    assert view.grab().toImage() == before


def test_the_ring_of_focus_comes_by_keyboard_only(view):
    view.setFocus(Qt.FocusReason.MouseFocusReason)
    view.clearFocus()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    with_ring = view.grab().toImage()
    view.clearFocus()
    assert view.grab().toImage() != with_ring


@pytest.mark.parametrize("size", [(240, 140), (320, 90), (90, 500), (1600, 900)])
@pytest.mark.parametrize("compact", [False, True])
def test_any_size_can_be_painted(view, size, compact):
    view.change(compact=compact)
    view.change(
        title="A very long title that does not fit into a small chart at all",
        comparison="+123.4 % vs another very long title",
        estimates=(("Johnson, least", 30.0), ("Johnson, most", 45.0)),
        lower_bound=28.0,
    )
    view.change(selected_job=1)
    view.resize(*size)
    assert view.grab().toImage().size() == view.size()


def picture(view):
    return view.grab(view.rect()).toImage()


def test_very_many_tasks_are_painted_in_a_thread_and_look_the_same(qtbot, schedule, axis, monkeypatch):
    at_once = picture(shown(qtbot, schedule, axis))
    threads = []

    def noted(*arguments):
        threads.append(threading.current_thread())
        paint_columns(*arguments)

    monkeypatch.setattr(row_picture, "MANY_TASKS", 10)
    monkeypatch.setattr(row_picture, "paint_columns", noted)
    view = shown(qtbot, schedule, axis)
    qtbot.waitUntil(lambda: picture(view) == at_once)
    assert threads
    assert threading.main_thread() not in threads


def test_what_was_shown_stands_in_for_very_many_tasks_until_they_are_painted(qtbot, view, monkeypatch):
    monkeypatch.setattr(row_picture, "MANY_TASKS", 10)
    corner = QPoint(round(view.frame().x(0.0)) + 2, view.frame().row(0)[0] + 2)
    rect = QRect(corner, QSize(5, 5))
    before = view.grab(rect).toImage()
    view.change(selected_job=2)
    assert view.grab(rect).toImage() == before
    qtbot.waitUntil(lambda: view.grab(rect).toImage() != before)
    assert not view.scene.layers.later

"""Which hand acts: looking never edits, and the pointer and the card say it before the press."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.document.time_axis import TimeAxis, TimeCursor
from explorer.gantt.gantt_view import GanttView
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule, make_workload

LEFT, MIDDLE, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
Shape = Qt.CursorShape
WORKLOAD = make_workload(jobs=5, slots=6)


@pytest.fixture
def view(qtbot):
    schedule = make_schedule(WORKLOAD)
    axis = TimeAxis()
    axis.set_extent(0.0, schedule.makespan)
    axis.fit()
    axis.zoom(0.5, 20.0)
    view = GanttView(axis, theme(False))
    cursor = TimeCursor(view)
    cursor.set_end(schedule.makespan)
    view.set_time_cursor(cursor)
    view.set_schedule(schedule)
    view.set_order([job.name for job in WORKLOAD.jobs])
    view.resize(900, 600)
    qtbot.addWidget(view)
    view.show()
    return view


@pytest.fixture
def heard(view):
    heard = []
    view.order_previewed.connect(heard.append)
    view.order_dropped.connect(heard.append)
    return heard


def on_block(view, job):
    """A pixel upon a map of a job that is in view."""
    for x in range(view.frame().places.plot.left() + 20, view.width(), 3):
        for y in range(view.frame().pool_rects[0].top(), view.frame().pool_rects[0].bottom(), 4):
            if view.job_at(QPointF(x, y)) == job:
                return QPoint(x, y)
    raise AssertionError(f"job {job} is not in view")


def drag(view, start, by, button=LEFT, modifier=NONE):
    QTest.mousePress(view, button, modifier, start)
    shapes = {view.cursor().shape()}
    for part in range(1, 9):
        QTest.mouseMove(view, start + by * part / 8)
        shapes.add(view.cursor().shape())
    QTest.mouseRelease(view, button, modifier, start + by)
    return shapes


def point_at(view, place, modifier=NONE):
    at, nobody = QPointF(place), Qt.MouseButton.NoButton
    global_at = QPointF(view.mapToGlobal(place))
    view.mouseMoveEvent(QMouseEvent(QEvent.Type.MouseMove, at, global_at, nobody, nobody, modifier))
    return view.cursor().shape()


def test_dragging_a_block_pans_and_edits_nothing(view, heard):
    time = view.time_at(300)
    assert drag(view, on_block(view, 1), QPoint(60, 0)) == {Shape.ClosedHandCursor}
    assert view.time_at(360) == pytest.approx(time, abs=0.2)
    assert heard == []


def test_a_selected_job_is_moved(view, heard):
    view.change(selected_job=1)
    before = view.axis.t0
    shapes = drag(view, on_block(view, 1), QPoint(500, 0))
    assert len(heard) >= 2
    assert heard[-1] == heard[-2]
    assert shapes == {Shape.DragMoveCursor}
    assert view.axis.t0 == before


def test_beside_a_selected_job_others_pan(view, heard):
    view.change(selected_job=1)
    before = view.axis.t0
    drag(view, on_block(view, 2), QPoint(-60, 0))
    assert heard == []
    assert view.axis.t0 > before


def test_with_shift_any_job_is_moved(view, heard):
    drag(view, on_block(view, 2), QPoint(-500, 0), modifier=SHIFT)
    assert heard


def test_the_middle_button_pans_whatever_is_selected_and_selects_nothing(view, heard):
    view.change(selected_job=1)
    clicked = []
    view.job_clicked.connect(clicked.append)
    view.slot_clicked.connect(clicked.append)
    before, cursor = view.axis.t0, view.cursor_line.cursor
    for place in (on_block(view, 1), view.frame().places.axis.center()):
        drag(view, place, QPoint(-40, 0), MIDDLE, SHIFT)
        assert view.axis.t0 > before
        before = view.axis.t0
        QTest.mouseClick(view, MIDDLE, NONE, place)
    assert (heard, clicked, cursor.seconds) == ([], [], None)


def test_a_job_that_cannot_be_moved_pans_even_with_shift(view, heard):
    view.set_order([])
    view.change(selected_job=1)
    before = view.axis.t0
    drag(view, on_block(view, 1), QPoint(-60, 0), modifier=SHIFT)
    assert heard == []
    assert view.axis.t0 > before


def test_the_pointer_shows_the_hand_before_the_press(view):
    one, other = on_block(view, 1), on_block(view, 2)
    view.change(selected_job=1)
    assert point_at(view, one) == Shape.SizeAllCursor
    assert point_at(view, other) == Shape.OpenHandCursor
    assert point_at(view, other, SHIFT) == Shape.SizeAllCursor
    view.set_order([])
    assert point_at(view, one, SHIFT) == Shape.OpenHandCursor


def test_shift_changes_the_hand_without_a_move(view):
    point_at(view, on_block(view, 2))
    QTest.keyPress(view, Qt.Key.Key_Shift)
    assert view.cursor().shape() == Shape.SizeAllCursor
    QTest.keyRelease(view, Qt.Key.Key_Shift)
    assert view.cursor().shape() == Shape.OpenHandCursor


def test_after_the_drag_the_pointer_says_what_comes_next(view):
    drag(view, on_block(view, 1), QPoint(10, 0))
    assert view.cursor().shape() == Shape.OpenHandCursor


def test_the_card_says_what_a_drag_would_do(view):
    view.change(selected_job=1)
    said = []
    for job, modifier in ((1, NONE), (2, NONE), (2, SHIFT)):
        point_at(view, on_block(view, job), modifier)
        said.append(view._overlays().hand)
    assert said == [
        "drag: move J2",
        "drag: pan · select it or hold Shift to move J3",
        "drag: move J3",
    ]
    view.set_order([])
    point_at(view, on_block(view, 2))
    assert view._overlays().hand == "drag: pan"


def test_a_card_with_the_hand_is_higher(view):
    point_at(view, on_block(view, 2))
    with_hand = view.grab().toImage()
    view.hands.words = lambda _grip: ""
    assert view.grab().toImage() != with_hand


@pytest.mark.parametrize("button", [LEFT, MIDDLE, RIGHT])
def test_a_press_is_told_and_hovering_is_not(view, button):
    pressed = []
    view.pressed.connect(lambda: pressed.append(True))
    point_at(view, on_block(view, 2))
    assert pressed == []
    QTest.mousePress(view, button, NONE, on_block(view, 2))
    QTest.mouseRelease(view, button, NONE, on_block(view, 2))
    assert pressed == [True]


@pytest.mark.parametrize(
    ("key", "modifier"), [(Qt.Key.Key_Escape, NONE), (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)]
)
def test_escape_and_undo_take_a_drag_back_and_nothing_else(view, heard, key, modifier):
    """Before the window's own shortcuts: what the mouse is doing is the last thing done."""
    cancelled = []
    view.drag_cancelled.connect(lambda: cancelled.append(True))
    start, shown = on_block(view, 2), view.axis.range
    QTest.mousePress(view, LEFT, SHIFT, start)
    QTest.mouseMove(view, start + QPoint(-500, 0))
    override = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifier)
    override.ignore()
    QApplication.sendEvent(view, override)
    assert override.isAccepted()
    QTest.keyClick(view, key, modifier)
    QTest.mouseRelease(view, LEFT, NONE, start + QPoint(-500, 0))
    assert len(heard) == 1
    assert cancelled == [True]
    assert view.axis.range == shown
    override.ignore()
    QApplication.sendEvent(view, override)
    assert not override.isAccepted()


def test_what_the_pointer_would_hold_is_forgotten_with_the_jobs(view):
    """The pointer rests on a job that an edit then deletes."""
    last = len(WORKLOAD.jobs) - 1
    point_at(view, on_block(view, last))
    assert WORKLOAD.jobs[last].name in view.hands.words(view._grip)
    view.set_schedule(make_schedule(WORKLOAD.with_jobs(WORKLOAD.jobs[:1])))
    assert view.hands.words(view._grip) == ""
    view.grab()

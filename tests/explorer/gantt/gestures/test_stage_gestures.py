"""Stages above the rows under the mouse and by key: described, selected, scrolled, folded away."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.gestures.stage_gestures import is_above, stage_at
from explorer.widgets.theme import theme
from tests.explorer.gantt.chart_builders import wheel_event
from tests.explorer.gantt.geometry.test_stage_bands import rows_of, tree
from tests.explorer.gantt.layers.test_stage_bands import TWO

LEFT, NONE, SHIFT = (
    Qt.MouseButton.LeftButton,
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
TREE = rows_of(tree("Q1"), tree("Q2"), tree("Q3"), tree("Q4")).schedule
"""Four jobs at once, in four bands of three rows: what waits for what is in `TREE` of the bands' test."""


def make_view(qtbot, schedule, size=(900, 500)):
    axis = TimeAxis()
    axis.set_extent(0.0, schedule.makespan)
    axis.fit()
    view = GanttView(axis, theme(False))
    qtbot.addWidget(view)
    view.resize(*size)
    view.set_schedule(schedule)
    view.show()
    view.setFocus()
    return view


@pytest.fixture
def view(qtbot):
    return make_view(qtbot, TWO.schedule)


def place_of(view, stage):
    """The middle of a stage's box."""
    frame = view.frame()
    bands = frame.bands
    box = int(bands.bands.box_of[stage])
    middle = (bands.bands.boxes.start[box] + bands.bands.boxes.end[box]) / 2
    y = frame.places.bands.top() + int(bands.box_tops[box]) + bands.box // 2
    return QPoint(round(frame.x(middle)), y)


def test_the_stage_under_a_pixel_is_found(view):
    frame = view.frame()
    for stage in range(6):
        assert stage_at(frame, QPointF(place_of(view, stage))) == stage
    assert stage_at(frame, QPointF(frame.x(40.0), place_of(view, 0).y())) == -1
    assert stage_at(frame, QPointF(frame.x(5.0), frame.places.plot.center().y())) == -1
    assert is_above(frame, QPointF(5.0, frame.places.bands.center().y()))
    assert not is_above(frame, QPointF(5.0, frame.places.plot.center().y()))


def test_the_pointer_has_it_described(view):
    QTest.mouseMove(view, place_of(view, 1))
    assert view.facts.title == "Q1 · stage 1"
    assert view.axis.cursor == pytest.approx(15.0, abs=0.2)
    QTest.mouseMove(view, QPoint(round(view.frame().x(40.0)), view.frame().places.path.center().y()))
    assert view.facts.title == "the driver thinks before Q2"
    QTest.mouseMove(view, QPoint(round(view.frame().x(40.0)), place_of(view, 0).y()))
    assert view.facts is None


def test_a_click_selects(view):
    clicked, cleared = [], []
    view.stage_clicked.connect(clicked.append)
    view.slot_clicked.connect(lambda *slot: cleared.append(slot))
    QTest.mouseClick(view, LEFT, NONE, place_of(view, 4))
    QTest.mouseClick(view, LEFT, NONE, QPoint(round(view.frame().x(40.0)), place_of(view, 0).y()))
    assert (clicked, cleared) == ([4, -1], [])


def test_a_drag_pans(view):
    clicked = []
    view.stage_clicked.connect(clicked.append)
    view.axis.zoom(0.5, 20.0)
    before, start = view.axis.t0, place_of(view, 1)
    QTest.mousePress(view, LEFT, NONE, start)
    QTest.mouseMove(view, start - QPoint(60, 0))
    QTest.mouseRelease(view, LEFT, NONE, start - QPoint(60, 0))
    assert view.axis.t0 > before
    assert clicked == []


def test_the_name_of_the_path_folds(view):
    asked = []
    view.stages_folded.connect(lambda: asked.append(True))
    place = view.frame().fold_rect.center()
    QTest.mouseClick(view, LEFT, NONE, place)
    assert asked == [True]
    QTest.mousePress(view, LEFT, NONE, place)
    QTest.mouseMove(view, place + QPoint(200, 0))
    QTest.mouseRelease(view, LEFT, NONE, place + QPoint(200, 0))
    assert asked == [True]


def test_the_wheel_scrolls_the_bands_and_then_what_is_around(qtbot):
    view = make_view(qtbot, TREE, (900, 300))
    most = view.scene.bands.most_scroll
    assert most > 48
    place, rows = view.frame().places.bands.center(), view.scene.layout.scroll
    QApplication.sendEvent(view, wheel_event(view, place, -1))
    assert view.scene.bands.scroll == 48
    for _ in range(10):
        QApplication.sendEvent(view, wheel_event(view, place, -1))
    assert view.scene.bands.scroll == most
    QApplication.sendEvent(view, wheel_event(view, place, 30))
    assert view.scene.bands.scroll == 0
    assert view.scene.layout.scroll >= rows


def test_a_drag_scrolls_the_bands(qtbot):
    view = make_view(qtbot, TREE, (900, 300))
    start = view.frame().places.bands.center()
    QTest.mousePress(view, LEFT, NONE, start)
    QTest.mouseMove(view, start - QPoint(0, 30))
    QTest.mouseRelease(view, LEFT, NONE, start - QPoint(0, 30))
    assert view.scene.bands.scroll == 30


def walked(view, keys):
    """The stages that a chart selects by these keys, while what it asks for is done."""
    seen = []

    def select(stage):
        seen.append(stage)
        view.change(selected_job=0, selected_stage=stage)

    view.stage_clicked.connect(select)
    for key, modifier in keys:
        QTest.keyClick(view, key, modifier)
    return seen


def test_keys_walk_in_time_and_along_what_waits(qtbot):
    view = make_view(qtbot, TREE, (900, 700))
    s, w = Qt.Key.Key_S, Qt.Key.Key_W
    assert walked(view, [(s, NONE)]) == [0]
    assert walked(make_view(qtbot, TREE), [(s, SHIFT)]) == [19]
    # the stage that waits for 0 is 3, for that is 4; and 4 waited for 3 longest, that for 0
    steps = [(s, NONE), (w, SHIFT), (w, SHIFT), (w, SHIFT), (w, NONE), (w, NONE), (w, NONE)]
    assert walked(make_view(qtbot, TREE), steps) == [0, 3, 4, 3, 0]


def test_keys_bring_it_into_view(qtbot):
    view = make_view(qtbot, TREE, (900, 300))
    last = walked(view, [(Qt.Key.Key_S, SHIFT)])[-1]
    bands = view.scene.bands
    top = bands.box_tops[bands.bands.box_of[last]]
    assert 0 <= top <= bands.height - bands.box
    assert bands.scroll > 0


def test_screen_readers_are_told(view, monkeypatch):
    sentences = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: sentences.append(event.message()))
    QTest.keyClick(view, Qt.Key.Key_S)
    assert sentences[-1].startswith("Q1 · stage 0, tasks 2, first start 0:00, last end 0:10, lasts 10 s")
    assert "On the path to the end: stages run 1 min 00 s, driver 20 s" in view.accessibleDescription()

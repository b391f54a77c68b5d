"""Time travel as people do it: drag the cursor along the axis, play, step, and use the keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest

from explorer.document.time_axis import TimeAxis, TimeCursor
from explorer.explain.player import Player
from explorer.session.settings import WindowSettings
from tests.core.charts.chart_builders import make_schedule
from tests.explorer.window_fixtures import block_point

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def pinned(window):
    return window.charts.stack.axes[0]


def on_axis(axis, seconds: float) -> QPoint:
    frame = axis.frame()
    return QPoint(round(frame.x(seconds)), frame.places.axis.center().y())


# ---- dragging


@pytest.mark.only_looks
def test_dragging_along_an_axis_moves_the_cursor_of_all_charts(window):
    first, second = window.charts.views.values()
    cursor = window.view_state.time_cursor
    axis = pinned(window)
    QTest.mousePress(axis, LEFT, NONE, on_axis(axis, 10.0))
    assert cursor.seconds == pytest.approx(10.0, abs=0.2)
    for seconds in (12.0, 20.0, 31.0):
        QTest.mouseMove(axis, on_axis(axis, seconds))
    QTest.mouseRelease(axis, LEFT, NONE, on_axis(axis, 31.0))
    assert cursor.seconds == pytest.approx(31.0, abs=0.2)
    assert first.cursor_line.cursor is second.cursor_line.cursor is cursor
    assert window.editor.undo_stack.count() == 0
    assert window.view_state.selected_job is None


@pytest.mark.only_looks
def test_a_drag_stops_at_events_and_with_alt_anywhere(window):
    axis, cursor = pinned(window), window.view_state.time_cursor
    near, far = on_axis(axis, 35.0) + QPoint(5, 0), on_axis(axis, 22.0)
    QTest.mousePress(axis, LEFT, NONE, near)
    assert cursor.seconds == 35.0
    QTest.mouseMove(axis, far)
    assert cursor.seconds == pytest.approx(22.0, abs=0.2)  # nothing happens near it
    QTest.mouseRelease(axis, LEFT, NONE, far)
    alt = Qt.KeyboardModifier.AltModifier
    QTest.mousePress(axis, LEFT, alt, near)
    assert cursor.seconds > 35.1
    QTest.mouseRelease(axis, LEFT, alt, near)


@pytest.mark.only_looks
def test_the_card_hides_while_keys_or_playing_move_the_time(window, qtbot):
    view, cursor = window.charts.active_view, window.view_state.time_cursor
    place = block_point(view, 2)
    QTest.mouseMove(view, QPoint(1, 1))  # where another test left the pointer it would not move
    QTest.mouseMove(view, place)
    with_card = view._overlays()
    assert with_card.facts is not None
    assert with_card.pointer is not None
    cursor.show_at(12.0)
    assert view._overlays().pointer is None
    QTest.mouseMove(view, place + QPoint(1, 0))
    assert view._overlays().pointer is not None
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view._overlays().pointer is None


@pytest.mark.only_looks
def test_dragging_beyond_the_border_stays_in_view(window):
    axis = pinned(window)
    cursor = window.view_state.time_cursor
    QTest.mousePress(axis, LEFT, NONE, on_axis(axis, 10.0))
    QTest.mouseMove(axis, QPoint(0, on_axis(axis, 0).y()))
    assert cursor.seconds == 0.0
    QTest.mouseMove(axis, QPoint(axis.width(), on_axis(axis, 0).y()))
    QTest.mouseRelease(axis, LEFT, NONE, QPoint(axis.width(), on_axis(axis, 0).y()))
    assert cursor.seconds == pytest.approx(74.0, abs=0.2)


@pytest.mark.only_looks
def test_escape_gives_a_drag_of_the_cursor_up(window, qtbot):
    axis = pinned(window)
    cursor = window.view_state.time_cursor
    cursor.show_at(5.0, decision=2)
    QTest.mousePress(axis, LEFT, NONE, on_axis(axis, 30.0))
    qtbot.keyClick(axis, Qt.Key.Key_Escape)
    assert (cursor.seconds, cursor.decision) == (5.0, 2)
    QTest.mouseRelease(axis, LEFT, NONE, on_axis(axis, 30.0))
    cursor.hide()
    QTest.mousePress(axis, LEFT, NONE, on_axis(axis, 30.0))
    qtbot.keyClick(axis, Qt.Key.Key_Escape)
    assert not cursor.is_shown
    QTest.mouseRelease(axis, LEFT, NONE, on_axis(axis, 30.0))


@pytest.mark.only_looks
def test_the_axis_shows_that_it_can_be_grabbed(window):
    axis = pinned(window)
    QTest.mouseMove(axis, on_axis(axis, 30.0))
    assert axis.cursor().shape() is Qt.CursorShape.SplitHCursor
    QTest.mouseMove(axis, axis.frame().places.overview.center())
    assert axis.cursor().shape() is Qt.CursorShape.CrossCursor


@pytest.mark.only_looks
def test_a_press_in_the_overview_moves_the_view(window):
    axis, shown = pinned(window), window.axis
    shown.zoom(0.2, 0.0)
    before, middle = shown.range, axis.frame().places.overview.center()
    QTest.mousePress(axis, LEFT, NONE, middle)
    assert shown.t0 + shown.range.span / 2 == pytest.approx(shown.full_range.span / 2, rel=0.02)
    QTest.mouseMove(axis, middle + QPoint(40, 0))
    assert shown.t0 + shown.range.span / 2 > shown.full_range.span / 2 * 1.02
    QTest.keyClick(axis, Qt.Key.Key_Escape)
    assert shown.t0 == pytest.approx(before.start)
    QTest.mouseRelease(axis, LEFT, NONE, middle)
    assert not window.view_state.time_cursor.is_shown


# ---- painting


@pytest.mark.only_looks
def test_the_line_is_where_the_time_is_and_leaves_nothing_behind(window, qtbot):
    view, cursor = window.charts.active_view, window.view_state.time_cursor
    empty = view.grab().toImage()
    cursor.show_at(20.0)
    shown = view.grab().toImage()
    blue = window.charts.theme.cursor.rgb()
    plot = view.frame().places.plot
    columns = [x for x in range(plot.left(), plot.right()) if shown.pixel(x, plot.center().y()) == blue]
    assert columns
    assert max(abs(x - view.frame().x(20.0)) for x in columns) <= 2
    cursor.hide()
    assert view.grab().toImage() == empty


@pytest.mark.only_looks
def test_moving_the_cursor_paints_a_strip_and_not_the_chart(window, qtbot):
    view, cursor = window.charts.active_view, window.view_state.time_cursor
    cursor.show_at(20.0)
    qtbot.waitUntil(lambda: not view.visibleRegion().isEmpty())
    view.repaint()
    painted: list[QRect] = []
    paint = view.paintEvent

    def spy(event):
        painted.extend(event.region())
        paint(event)

    view.paintEvent = spy
    still = view.scene.still(view.frame()).cacheKey()
    cursor.show_at(40.0)
    qtbot.waitUntil(lambda: bool(painted))
    assert sum(rect.width() * rect.height() for rect in painted) < 0.1 * view.width() * view.height()
    middle = view.frame().places.plot.center().y()
    for seconds in (20.0, 40.0):  # where it was, and where it is
        assert any(rect.contains(round(view.frame().x(seconds)), middle) for rect in painted)
    assert view.scene.still(view.frame()).cacheKey() == still


# ---- stepping


@pytest.mark.only_looks
def test_actions_step_through_events_and_decisions_of_the_active_scenario(window):
    cursor, actions = window.view_state.time_cursor, window.actions_by_id
    actions["next_event"].trigger()
    assert cursor.seconds == 0.0
    actions["next_event"].trigger()
    assert (cursor.seconds, cursor.decision) == (0.0, 30)  # the same instant, after its decisions
    actions["next_event"].trigger()
    assert (cursor.seconds, cursor.decision) == (4.0, 0)
    actions["next_decision"].trigger()
    assert (cursor.seconds, cursor.decision) == (4.0, 1)
    actions["previous_decision"].trigger()
    actions["previous_decision"].trigger()
    assert (cursor.seconds, cursor.decision) == (0.0, 29)
    window.view_state.activate_scenario(2)
    for expected in ((0.0, 30), (1.0, 0), (1.0, 60), (3.0, 0)):
        actions["next_event"].trigger()
        assert (cursor.seconds, cursor.decision) == expected
    for expected in ((1.0, 60), (1.0, 0), (0.0, 30), (0.0, 0), (0.0, 0)):
        actions["previous_event"].trigger()
        assert (cursor.seconds, cursor.decision) == expected
    actions["to_end"].trigger()
    assert cursor.seconds == 47.0
    actions["next_event"].trigger()
    assert cursor.seconds == 47.0
    actions["previous_event"].trigger()
    assert cursor.seconds == 43.0
    actions["to_start"].trigger()
    assert cursor.seconds == 0.0
    actions["hide_cursor"].trigger()
    assert not cursor.is_shown


@pytest.mark.only_looks
@pytest.mark.parametrize(
    ("key", "modifier", "place"),
    [
        (Qt.Key.Key_Period, NONE, (4.0, 60)),
        (Qt.Key.Key_Comma, NONE, (0.0, 30)),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier, (4.0, 1)),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier, (0.0, 29)),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier, (4.0, 60)),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier, (0.0, 0)),
        (Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier, (74.0, 0)),
    ],
)
def test_keys_in_a_chart_move_the_cursor(window, qtbot, key, modifier, place):
    cursor = window.view_state.time_cursor
    window.charts.active_view.setFocus()
    cursor.show_at(4.0)
    qtbot.keyClick(window.charts.active_view, key, modifier)
    assert (cursor.seconds, cursor.decision) == place


@pytest.mark.only_looks
def test_the_bar_says_where_the_cursor_is(window):
    cursor, label = window.view_state.time_cursor, window.why.time_bar.place
    assert label.text() == ""
    cursor.show_at(4.0, decision=1)
    assert label.text() == "at 0:04, before decision 2 of 60"
    cursor.show_at(4.0)
    assert label.text() == "at 0:04, before 60 decisions"
    cursor.show_at(4.0, decision=60)
    assert label.text() == "at 0:04, after 60 decisions"
    cursor.show_at(3.0)
    assert label.text() == "at 0:03"


# ---- playing


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def played(qapp):
    """A player over a schedule of its own, with a clock that stands still until told."""
    schedule = make_schedule(jobs=3)
    axis, cursor, clock = TimeAxis(), TimeCursor(), Clock()
    axis.set_extent(0.0, schedule.makespan)
    cursor.set_end(schedule.makespan)
    player = Player(cursor, axis, lambda: schedule, clock=clock)
    yield player, cursor, axis, clock
    player.pause()


def test_playing_crosses_the_view_in_the_chosen_time_whatever_the_frames(played, qtbot):
    player, cursor, axis, clock = played
    player.set_sweep(10)
    player.play()
    assert cursor.seconds == 0.0
    clock.now = 2.5
    qtbot.waitUntil(lambda: cursor.seconds > 0)
    assert cursor.seconds == pytest.approx(axis.range.span / 4)
    axis.zoom(0.5, cursor.seconds)
    clock.now = 3.5
    before = cursor.seconds
    qtbot.waitUntil(lambda: cursor.seconds > before)
    assert cursor.seconds - before == pytest.approx(axis.range.span / 10)


def test_playing_pages_on_and_stops_at_the_end(played, qtbot):
    player, cursor, axis, clock = played
    axis.show_span(0.0, cursor.end / 10)
    player.play()
    clock.now = player.sweep * 2.0
    qtbot.waitUntil(lambda: cursor.seconds > 0)
    assert axis.t0 < cursor.seconds < axis.t1
    clock.now = player.sweep * 100.0
    qtbot.waitUntil(lambda: not player.is_playing)
    assert cursor.seconds == cursor.end
    player.play()
    assert cursor.seconds == 0.0


def test_stepping_and_hiding_end_playing(played):
    player, cursor, _, _ = played
    player.play()
    player.step_event(1)
    assert not player.is_playing
    player.play()
    cursor.hide()
    assert not player.is_playing


@pytest.mark.only_looks
def test_space_plays_and_pauses_and_the_bar_shows_it(window, qtbot):
    view, player = window.charts.active_view, window.why.player
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert player.is_playing
    qtbot.waitUntil(lambda: window.view_state.time_cursor.seconds > 0.1)
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert not player.is_playing


def test_the_speed_is_remembered(window, tmp_path):
    window.why.time_bar.speeds.actions()[0].trigger()
    assert window.why.player.sweep == 5
    assert WindowSettings(tmp_path / "settings.ini").sweep == 5


def test_a_window_closes_while_it_plays(window, qtbot):
    window.why.player.play()
    window.editor.undo_stack.setClean()
    window.close()
    assert not window.why.player.is_playing

"""Presenting: one window for a room, the other one as it was; keys, captions, pointer, and text that fits."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from explorer.gantt.stage import ChartsStage, Style
from explorer.widgets.painted_text import caption_height, paint_caption, paint_page
from explorer.widgets.theme import theme
from explorer.window.frame.layout import layout_of
from explorer.window.lessons.presenter_keys import KEYS

pytestmark = pytest.mark.only_looks


@pytest.fixture
def presenter(window, qtbot):
    assert window.runner.wait_until_idle()
    window.view_state.time_cursor.hide()
    window.view_state.activate_scenario(1)
    window.actions_by_id["present"].trigger()
    shown = window.lessons.presenter
    shown.resize(1280, 720)
    qtbot.waitUntil(shown.isVisible)
    qtbot.waitUntil(lambda: shown.caption() is not None and bool(shown._captions_of(schedule_of(window))))
    yield shown
    shown.leave()


def schedule_of(window):
    return window.runner.outcome(window.view_state.active_scenario).schedule


def press(presenter, *keys):
    for key in keys:
        QTest.keyClick(presenter, key)


def test_f5_presents_and_everything_is_as_it_was_afterwards(window, qtbot, presenter):
    assert window.actions_by_id["present"].shortcut().toString() == "F5"
    before = layout_of(window), window.font(), (window.axis.t0, window.axis.t1)
    assert presenter.isFullScreen() or presenter.isVisible()
    press(presenter, Qt.Key.Key_Plus)
    window.axis.zoom(0.5, 10)
    press(presenter, Qt.Key.Key_Space)
    assert window.why.player.is_playing
    press(presenter, Qt.Key.Key_Escape)
    assert not presenter.isVisible()
    assert not window.why.player.is_playing
    assert (layout_of(window), window.font(), (window.axis.t0, window.axis.t1)) == before


def test_a_caption_says_what_has_just_happened(window, presenter):
    assert presenter.caption() == ""
    press(presenter, Qt.Key.Key_Home, *[Qt.Key.Key_PageDown] * 2)
    assert window.view_state.time_cursor.seconds == 5
    assert presenter.caption() == "0:05 · FIFO: J2's last map ends: its reduces may start. J3 starts."
    press(presenter, Qt.Key.Key_PageUp)
    assert presenter.caption().startswith("0:04 · FIFO: J1's last map ends")
    press(presenter, Qt.Key.Key_End)
    assert presenter.caption().endswith("the makespan is 1 min 14 s.")


def test_captions_follow_the_active_scenario(window, qtbot, presenter):
    press(presenter, Qt.Key.Key_End, Qt.Key.Key_Tab)
    assert window.view_state.active_scenario == 2
    qtbot.waitUntil(lambda: " · Johnson: " in presenter.caption())


def test_a_caption_is_gone_when_it_is_no_news_any_more(window, presenter):
    cursor, span = window.view_state.time_cursor, window.axis.range.span
    cursor.show_at(13.0)
    assert presenter.caption() == "0:13 · FIFO: J2 is done."
    cursor.show_at(13.0 + 0.1 * span)
    assert presenter.caption() == "0:13 · FIFO: J2 is done."
    cursor.show_at(13.0 + 0.2 * span)
    assert presenter.caption() == ""


def test_what_is_veiled_is_not_told(window, presenter):
    press(presenter, Qt.Key.Key_End)
    window.view_state.veil.hide_from(12.0)
    try:
        assert presenter.caption() == ""
    finally:
        window.view_state.veil.lift()
    assert presenter.caption()


def test_keys_change_text_and_pace(window, presenter):
    sweep = window.why.player.sweep
    press(presenter, *[Qt.Key.Key_Plus] * 5)
    assert presenter.text == 2.5
    press(presenter, *[Qt.Key.Key_Minus] * 9)
    assert presenter.text == 1.5
    press(presenter, Qt.Key.Key_Up)
    assert window.why.player.sweep < sweep
    assert f"in {window.why.player.sweep} s" in presenter.help.text
    press(presenter, Qt.Key.Key_Down)
    assert window.why.player.sweep == sweep


def test_the_help_strip_tells_every_key_and_is_gone_when_one_leaves(presenter):
    press(presenter, Qt.Key.Key_H)
    told = presenter.help.text.split("   ·   ")  # no line ends between a key and what it does
    assert told == [f"{key.text}  {key.does}".replace(" ", "\N{NO-BREAK SPACE}") for key in KEYS.values()]
    press(presenter, Qt.Key.Key_Escape)
    assert presenter.help.text == ""


def test_help_covers_neither_question_nor_chart_and_makes_room_for_what_happens(presenter):
    presenter.help.stop()
    step, charts, foot = presenter._places()
    press(presenter, Qt.Key.Key_Home)
    before = presenter.grab().toImage()
    press(presenter, Qt.Key.Key_H)
    after = presenter.grab().toImage()
    above = step.united(charts)
    assert after.copy(above) == before.copy(above)
    assert after.copy(foot) != before.copy(foot)
    press(presenter, Qt.Key.Key_Right)
    assert presenter.help.text == ""


def test_events_and_decisions_are_stepped_through(window, presenter):
    cursor = window.view_state.time_cursor
    press(presenter, Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert cursor.seconds == 4
    QTest.keyClick(presenter, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert (cursor.seconds, cursor.decision) == (4, 1)


def test_a_click_lets_a_job_stand_out_and_a_drag_moves_the_time(window, presenter):
    stage = presenter.stage
    found = next(
        point
        for y in range(100, 300, 10)
        for x in range(60, 1000, 20)
        if (pointed := stage.at(point := QPointF(x, y))) and pointed.job == 2
    )
    QTest.mouseClick(presenter, Qt.MouseButton.LeftButton, pos=found.toPoint())
    assert window.view_state.selected_job == "J3"
    QTest.mouseClick(presenter, Qt.MouseButton.LeftButton, pos=found.toPoint())
    assert window.view_state.selected_job is None
    QTest.mousePress(presenter, Qt.MouseButton.LeftButton, pos=found.toPoint())
    QTest.mouseMove(presenter, found.toPoint() + QPoint(60, 0))
    QTest.mouseRelease(presenter, Qt.MouseButton.LeftButton, pos=found.toPoint() + QPoint(60, 0))
    seconds = stage.at(found + QPointF(60, 0)).seconds
    assert window.view_state.time_cursor.seconds == pytest.approx(seconds)
    assert window.view_state.selected_job is None


def test_the_pointer_has_a_ring(presenter):
    QTest.mouseMove(presenter.windowHandle(), QPoint(640, 300))
    ring = presenter.grab().toImage().pixelColor(640 + 26, 300)
    accent = presenter.stage.style.theme.accent
    assert abs(ring.red() - accent.red()) + abs(ring.green() - accent.green()) < 30


def test_one_chart_alone_and_those_that_fit(window, presenter):
    assert len(presenter.stage.charts) == 2
    press(presenter, Qt.Key.Key_A)
    assert [chart.title for chart in presenter.stage.charts] == ["FIFO"]
    press(presenter, Qt.Key.Key_Tab)
    assert [chart.title for chart in presenter.stage.charts] == ["Johnson"]
    press(presenter, Qt.Key.Key_A)


def test_nothing_is_drawn_anew_while_time_runs(window, presenter):
    still = presenter.stage.still
    window.view_state.time_cursor.show_at(7.0)
    presenter.grab()
    assert presenter.stage.still is still
    window.axis.zoom(0.5, 10)
    assert presenter.stage.still is not still


def test_the_future_is_covered(window, presenter):
    contents = window.charts.contents()[:1]
    stage = ChartsStage(contents, Style(theme(False), (600, 300), 1.0))
    later = stage.still.copy()
    with QPainter(later) as painter:
        stage.paint_instant(painter, 20.0)
    changed = [
        x for x in range(600) if any(later.pixel(x, y) != stage.still.pixel(x, y) for y in range(90, 130, 3))
    ]
    first = stage.at(QPointF(changed[0], 100))
    assert first.seconds == pytest.approx(20, abs=0.5)


@pytest.mark.parametrize("size", [1.0, 1.75, 2.5])
def test_long_texts_shrink_and_stay_inside(qapp, size):
    colours = theme(False)
    low = caption_height(size)
    image = QImage(1280, low + 40, QImage.Format.Format_RGB32)
    image.fill(colours.window)
    with QPainter(image) as painter:
        paint_caption(painter, QRect(0, 20, 1280, low), colours, size, "all map slots are free " * 6)
    window = colours.window.rgb()
    assert all(
        image.pixel(x, y) == window for x in range(1280) for y in (*range(20), *range(low + 20, low + 40))
    )
    page = QImage(400, 600, QImage.Format.Format_RGB32)
    page.fill(colours.window)
    with QPainter(page) as painter:
        paint_page(painter, QRect(0, 0, 400, 500), colours, size, "# Waves\n\n" + "thirteen maps " * 25)
    assert all(page.pixel(x, y) == window for x in range(400) for y in range(500, 600))

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from explorer.widgets.sentence_bar import LINE_HEIGHT, TWO_LINES_BELOW, TWO_LINES_HEIGHT
from explorer.widgets.theme import application_palette, theme
from explorer.widgets.tool_row import HEIGHT
from explorer.window.frame.top_bar import MIN_FOR_LONG_SEARCH, MIN_FOR_MENUS, MIN_FOR_WORDS
from explorer.window.window_menus import MENUS

LEFT = Qt.MouseButton.LeftButton


pytestmark = pytest.mark.only_edits


@pytest.fixture
def window(window_edited):
    window_edited.resize(1366, 768)
    return window_edited


def parts(bar):
    shown = [bar.menu_bar, bar.menu_button, bar.search, *bar.tools.values()]
    return [part for part in shown if part.isVisible()]


@pytest.mark.parametrize("width", [640, 780, 1000, 1199, 1200, 1366, 1500, 1920])
def test_it_is_one_row_in_which_nothing_lies_on_another(window, width):
    window.resize(width, 700)
    QApplication.processEvents()
    bar = window.top_bar
    assert bar.height() == HEIGHT == 34
    assert window.charts.mapTo(window, window.charts.rect().topLeft()).y() <= HEIGHT + (
        LINE_HEIGHT if width >= TWO_LINES_BELOW else TWO_LINES_HEIGHT
    )
    boxes = [part.geometry() for part in parts(bar)]
    assert all(box.top() >= 0 and box.bottom() < HEIGHT for box in boxes)
    assert all(one.right() < other.left() for one, other in pairwise(boxes))
    assert boxes[-1].right() < width
    assert bar.menu_bar.isVisible() == (width >= MIN_FOR_MENUS)
    assert bar.menu_button.isVisible() == (width < MIN_FOR_MENUS)
    assert bar.search.width() == (
        320 if width >= MIN_FOR_LONG_SEARCH else 230 if width >= MIN_FOR_WORDS else 150
    )


def test_the_menus_are_there_in_any_width(window):
    titles = [action.text() for action in window.menuBar().actions()]
    assert titles == list(MENUS)
    window.resize(1000, 700)
    assert [action.text() for action in window.menuBar().actions()] == titles
    assert [action.text() for action in window.top_bar.menu_button.menu().actions()] == titles
    assert window.menuBar() is window.top_bar.menu_bar


@pytest.mark.parametrize("width", [1000, 1366])
def test_alt_and_a_letter_open_a_menu(window, qtbot, width):
    window.resize(width, 700)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for action in (each for each in window.menuBar().actions() if each.isVisible()):
        menu = action.menu()
        letter = action.text()[action.text().index("&") + 1]
        QTest.keyClick(window.charts.active_view, letter, Qt.KeyboardModifier.AltModifier)
        qtbot.waitUntil(menu.isVisible)
        popup = QApplication.activePopupWidget()
        assert isinstance(popup, QMenu)
        assert popup.y() >= window.top_bar.height() - 12
        menu.close()
        qtbot.waitUntil(lambda menu=menu: not menu.isVisible())


def test_a_tool_is_its_action(window):
    tool, action = window.top_bar.tools["comparison"], window.actions_by_id["comparison"]
    for is_open in (True, False):
        QTest.mouseClick(tool, LEFT)
        assert action.isChecked() == tool.isChecked() == is_open
    action.setEnabled(False)
    assert not tool.isEnabled()


def test_the_play_button_shows_what_it_would_do(window):
    button = window.why.time_bar.buttons["play"]
    before = button.grab().toImage()
    QTest.mouseClick(button, LEFT)
    assert window.why.player.is_playing
    assert button.grab().toImage() != before
    QTest.mouseClick(button, LEFT)
    assert not window.why.player.is_playing
    speed = next(a for a in window.actions_by_id["play"].associatedObjects() if isinstance(a, QMenu))
    assert window.why.speeds in [action.menu() for action in speed.actions()]


def test_it_takes_the_colours_of_the_theme(window, qapp):
    before = qapp.palette()
    for dark in (False, True):
        colours = theme(dark)
        qapp.setPalette(application_palette(colours))
        window.set_theme(colours)
        QApplication.processEvents()
        picture = window.top_bar.grab().toImage()
        middle = window.top_bar.tools["comparison"].geometry().left() - 2
        assert picture.pixelColor(middle, 5) == colours.surface
        assert picture.pixelColor(window.menuBar().geometry().left() + 2, 3) == colours.surface
        assert picture.pixelColor(300, HEIGHT - 1) == colours.line
    qapp.setPalette(before)

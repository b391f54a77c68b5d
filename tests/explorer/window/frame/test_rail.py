from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.window.frame.layout import arrange, layout_of
from explorer.window.frame.rail import WIDTH
from tests.explorer.window_fixtures import open_window

LEFT = Qt.MouseButton.LeftButton


def settle():
    """Let what is laid out in the next rounds of the event loop be laid out."""
    for _ in range(4):
        QApplication.processEvents()


@pytest.fixture
def window(qtbot, tmp_path):
    return open_window(qtbot, tmp_path)


def sized(window, width):
    window.resize(width, 760)
    settle()


@pytest.mark.parametrize(("width", "is_open"), [(1000, False), (1366, False), (1399, False), (1400, True)])
def test_the_width_of_the_window_decides_at_first(window, width, is_open):
    sized(window, width)
    assert window.side_dock.isVisible() is is_open
    assert window.rail.width() == WIDTH == 36
    assert window.actions_by_id["side_bar"].isChecked() is is_open


def test_a_click_slides_the_side_bar_out_and_pushes_the_charts(window):
    sized(window, 1366)
    before = window.charts.width()
    QTest.mouseClick(window.rail.buttons["pools"], LEFT)
    settle()
    assert window.side_dock.isVisible()
    assert window.side_dock.bar.sections["pools"].is_open
    assert window.rail.buttons["pools"].isChecked()
    assert before - window.charts.width() == pytest.approx(220, abs=8)
    QTest.mouseClick(window.rail.buttons["pools"], LEFT)
    settle()
    assert not window.side_dock.isVisible()
    assert not window.rail.buttons["pools"].isChecked()
    assert window.charts.width() == before


def test_what_the_user_chose_stays_and_is_remembered(window, qtbot, tmp_path):
    sized(window, 1366)
    window.actions_by_id["side_bar"].trigger()
    sized(window, 1000)
    assert window.side_dock.isVisible()
    other = open_window(qtbot, tmp_path / "other")
    arrange(other, layout_of(window))
    sized(other, 1000)
    assert other.side_dock.isVisible()


def test_its_signs_are_named_and_do_what_menus_do(window):
    sized(window, 1366)
    for button in (*window.rail.buttons.values(), window.rail.settings_button):
        assert button.toolTip()
        assert button.accessibleName()
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    QTest.mouseClick(window.rail.buttons["comparison"], LEFT)
    assert window.comparison_page.is_in_front
    titles = [action.text() for action in window.rail.settings_menu.actions()]
    assert "&Theme" in titles


@pytest.mark.parametrize("are_open", [False, True])
def test_headings_are_whole_however_narrow_the_side_bar_is(window, are_open):
    sized(window, 1000)
    window.actions_by_id["side_bar"].trigger()
    sections = window.side_dock.bar.sections.values()
    for section in sections:
        section.open(are_open)
    window.resizeDocks([window.side_dock], [10], Qt.Orientation.Horizontal)
    settle()
    for section in sections:
        header = section.header
        assert header.width() >= header.sizeHint().width(), header.text()
        if are_open:
            assert section.area.width() >= section.area.widget().minimumSizeHint().width(), header.text()

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.session.settings import WindowSettings
from explorer.widgets.details import DEFAULT_HEIGHT, DEFAULT_WIDTH
from tests.explorer.window_fixtures import open_window

LEFT = Qt.MouseButton.LeftButton


def settle():
    """Let what is laid out in the next rounds of the event loop be laid out."""
    for _ in range(4):
        QApplication.processEvents()


@pytest.fixture
def window(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path)
    sized(window, 1366, 768)
    return window


def sized(window, width, height):
    window.resize(width, height)
    settle()


def click_tab(window, name):
    tabs = window.details.tabs
    place = next(i for i in range(tabs.count()) if tabs.tabData(i) == name)
    QTest.mouseClick(tabs, LEFT, pos=tabs.tabRect(place).center())


def box(window, part):
    return QRect(part.mapTo(window, QPoint()), part.size())


@pytest.mark.parametrize(("width", "is_below"), [(1000, True), (1199, True), (1200, False), (1920, False)])
def test_it_opens_at_the_right_of_a_wide_window_and_below_in_a_narrow_one(window, width, is_below):
    sized(window, width, 760)
    window.actions_by_id["details"].trigger()
    settle()
    details = window.details
    assert details.is_below is is_below
    length = details.height() if is_below else details.width()
    assert length == pytest.approx(DEFAULT_HEIGHT if is_below else DEFAULT_WIDTH, abs=2)
    assert not box(window, details).intersects(box(window, window.centre))
    for header in (window.headers.header(1), window.headers.header(2)):
        assert not box(window, details).intersects(box(window, header))


def test_pages_are_one_click_from_one_another(window):
    QTest.mouseClick(window.top_bar.tools["details"], LEFT)
    assert window.inspector_page.is_in_front
    for name in ("why", "optimise", "questions", "inspector"):
        click_tab(window, name)
        assert window.details.pages[name].is_in_front
        assert window.details.pages[name].part.isVisible()
    assert window.actions_by_id["optimize"].isChecked()
    QTest.mouseClick(window.top_bar.tools["details"], LEFT)
    assert window.details.isHidden()
    assert not any(page.is_open for page in window.details.pages.values())
    assert not any(window.actions_by_id[name].isChecked() for name in ("why_task", "details", "optimize"))


def test_the_fixed_pages_have_room_for_their_tabs_and_others_bring_theirs(window):
    window.actions_by_id["details"].trigger()
    settle()
    tabs = window.details.tabs
    assert [tabs.tabText(i) for i in range(tabs.count())] == ["Inspector", "Why", "Optimise", "Questions"]
    assert all(tabs.rect().contains(tabs.tabRect(i)) for i in range(tabs.count()))
    click_tab(window, "why")
    QTest.mouseClick(window.why.why_panel.findings_button, LEFT)
    assert window.why.findings_page.is_in_front
    assert window.actions_by_id["findings"].isChecked()
    settle()
    place = tabs.currentIndex()
    assert tabs.tabText(place).startswith("Findings")
    assert tabs.rect().contains(tabs.tabRect(place))


def test_asking_brings_a_page_and_asking_again_closes_it(window):
    window.actions_by_id["comparison"].trigger()
    assert window.comparison_page.is_in_front
    window.actions_by_id["why_task"].trigger()
    assert window.why.why_page.is_in_front
    assert window.comparison_page.is_open
    window.actions_by_id["comparison"].trigger()
    assert window.comparison_page.is_in_front
    window.actions_by_id["comparison"].trigger()
    assert not window.comparison_page.is_open
    assert window.why.why_page.is_in_front
    window.actions_by_id["why_task"].trigger()
    assert window.details.isHidden()


def test_comparing_costs_no_more_room_than_details(window):
    window.actions_by_id["details"].trigger()
    settle()
    before = window.charts.size()
    window.actions_by_id["comparison"].trigger()
    settle()
    assert window.charts.size() == before


def test_selecting_shows_numbers_there_and_nothing_over_the_charts(window, qtbot):
    window.actions_by_id["details"].trigger()
    window.view_state.select_job("J4")
    qtbot.waitUntil(lambda: bool(window.inspector.sections))
    assert window.inspector.sections[0].title == "Job J4"
    assert box(window, window.details).contains(box(window, window.inspector))


def test_the_side_and_the_length_are_remembered(window, tmp_path):
    window.actions_by_id["details"].trigger()
    window.details.choose_side("below")
    settle()
    assert window.details.is_below
    assert not window.details.isHidden()
    assert WindowSettings(tmp_path / "settings.ini").details_side == "below"
    window.resizeDocks([window.details], [240], Qt.Orientation.Vertical)
    settle()
    high = window.details.height()
    assert high > DEFAULT_HEIGHT + 20
    for _ in range(2):
        window.actions_by_id["details"].trigger()
        settle()
    assert window.details.height() == pytest.approx(high, abs=2)
    sized(window, 1900, 768)
    assert window.details.is_below

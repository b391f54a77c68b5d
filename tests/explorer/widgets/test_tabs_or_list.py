"""Titles of pages: tabs where they have room, a list where they have not."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from explorer.widgets.tabs_or_list import TabsOrList

TITLES = ("Makespan", "Metrics", "Ends", "Slots in use")


@pytest.fixture
def pages(qtbot):
    pages = TabsOrList("Comparison", beside=QPushButton("Export"))
    qtbot.addWidget(pages)
    for title in TITLES:
        pages.add(QLabel(title), title, f"All about {title}")
    pages.resize(900, 300)
    with qtbot.waitExposed(pages):
        pages.show()
    return pages


def test_titles_are_tabs_or_a_list_and_the_page_stays(qtbot, pages):
    beside = pages.findChild(QPushButton)
    pages.tabs.setCurrentIndex(2)
    for width, is_list in ((900, False), (200, True), (900, False), (200, True)):
        pages.resize(width, 300)
        qtbot.wait(10)
        assert pages.is_list == is_list
        assert pages.chooser.isVisible() == is_list
        assert pages.tabs.tabBar().isVisible() != is_list
        assert beside.isVisible()
        assert pages.rect().contains(
            beside.geometry().translated(
                beside.parentWidget().mapTo(pages, beside.parentWidget().rect().topLeft())
            )
        )
        assert pages.chooser.currentText() == pages.tabs.currentWidget().text() == "Ends"


def test_a_title_of_the_list_shows_its_page(pages):
    pages.resize(200, 300)
    pages.chooser.setFocus()
    QTest.keyClick(pages.chooser, Qt.Key.Key_Down)
    assert pages.tabs.currentWidget().text() == "Metrics"
    pages.tabs.setCurrentIndex(3)
    assert pages.chooser.currentText() == "Slots in use"


def test_a_page_that_is_put_in_place_of_another_keeps_its_title(pages):
    pages.resize(200, 300)
    pages.take(1)
    pages.put(1, QLabel("new"), "Metrics", "tip")
    assert [pages.chooser.itemText(place) for place in range(4)] == list(TITLES)
    pages.chooser.setCurrentIndex(1)
    pages.chooser.activated.emit(1)
    assert pages.tabs.currentWidget().text() == "new"


def test_tab_leaves_the_list_to_what_stands_beside_it(pages):
    """It went to the tabs, which are hidden then, so that the keyboard never came further."""
    pages.resize(200, 300)
    pages.chooser.setFocus()
    QTest.keyClick(pages.chooser, Qt.Key.Key_Tab)
    assert pages.findChild(QPushButton).hasFocus()
    pages.resize(900, 300)
    pages.tabs.setFocus(Qt.FocusReason.TabFocusReason)
    assert pages.tabs.tabBar().hasFocus()

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from core.measures.job_classes import ClassedBy
from explorer.gantt.layers.colour_menu import ColourMenu, ColourOffer
from explorer.widgets.theme import theme

OFFERS = [
    ColourOffer(ClassedBy.JOB, "Job", "9 largest of 18", [0xFF0000, 0x00FF00]),
    ColourOffer(ClassedBy.USER, "User", "all alike", []),
    ColourOffer(ClassedBy.SIZE, "Size of the job", "5 classes", [0x0000FF, 0x00FFFF]),
]


@pytest.fixture
def menu(qtbot):
    owner = QWidget()
    qtbot.addWidget(owner)
    owner.resize(400, 400)
    owner.show()
    menu = ColourMenu(owner, OFFERS, ClassedBy.JOB, theme(False))
    menu.show_above(QPoint(20, 380))
    qtbot.waitUntil(menu.isVisible)
    yield menu
    if isValid(menu):  # else it was closed, and is gone
        menu.close()


def test_what_there_is_is_checked_offered_or_grey(menu):
    assert [row.text() for row in menu.rows] == ["Job", "User", "Size of the job"]
    assert [row.isChecked() for row in menu.rows] == [True, False, False]
    assert [row.isEnabled() for row in menu.rows] == [True, False, True]
    assert menu.rows[1].accessibleDescription() == "all alike"
    image = menu.rows[0].grab().toImage()
    colours = {image.pixel(x, y) & 0xFFFFFF for x in range(image.width()) for y in range(image.height())}
    assert {0xFF0000, 0x00FF00} <= colours


def test_it_stands_above_its_button(menu):
    assert menu.geometry().bottom() < 384
    assert menu.width() == 304


def test_a_click_chooses_and_closes(qtbot, menu):
    with qtbot.waitSignal(menu.chosen) as chosen:
        QTest.mouseClick(menu.rows[2], Qt.MouseButton.LeftButton)
    assert chosen.args == ["size"]
    qtbot.waitUntil(lambda: not isValid(menu))


def test_keys_skip_what_is_grey(qtbot, menu):
    menu.rows[0].setFocus()
    QTest.keyClick(menu.rows[0], Qt.Key.Key_Down)
    assert menu.focusWidget() is menu.rows[2]
    with qtbot.waitSignal(menu.chosen) as chosen:
        QTest.keyClick(menu.rows[2], Qt.Key.Key_Return)
    assert chosen.args == ["size"]

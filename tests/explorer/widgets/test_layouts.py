"""What the first sizes of windows have in common."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

import explorer
from explorer.widgets.layouts import FRAME, column, resize_on_screen, scrolled


def test_a_window_is_not_larger_than_its_screen(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    resize_on_screen(window, 4000, 300)
    assert window.size() == QSize(window.screen().availableSize().width() - FRAME.width(), 300)
    resize_on_screen(window, 200, 4000)
    assert window.size() == QSize(200, window.screen().availableSize().height() - FRAME.height())


def test_what_gets_the_keyboard_from_outside_is_scrolled_into_view(shown):
    """Tab from below came to the first tab of the pools, which was out of view."""
    fields, outside = [QLineEdit() for _ in range(30)], QLineEdit()
    inside, window = QWidget(), QWidget()
    column(*fields, parent=inside)
    area = scrolled(inside)
    column((area, 1), outside, parent=window)
    window.resize(200, 200)
    shown(window)
    outside.setFocus()
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    QTest.keyClick(outside, Qt.Key.Key_Tab)
    assert fields[0].hasFocus()
    assert not fields[0].visibleRegion().isEmpty()


def test_every_window_begins_so():
    sources = Path(explorer.__file__).parent.rglob("*.py")
    assert [
        path.name for path in sources if re.search(r"self\.resize\(\d+\D*, \d+\)", path.read_text())
    ] == []

"""What the first sizes of windows have in common."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

import explorer
from explorer.widgets.layouts import FRAME, resize_on_screen


def test_a_window_is_not_larger_than_its_screen(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    resize_on_screen(window, 4000, 300)
    assert window.size() == QSize(window.screen().availableSize().width() - FRAME.width(), 300)
    resize_on_screen(window, 200, 4000)
    assert window.size() == QSize(200, window.screen().availableSize().height() - FRAME.height())


def test_every_window_begins_so():
    sources = Path(explorer.__file__).parent.rglob("*.py")
    assert [
        path.name for path in sources if re.search(r"self\.resize\(\d+\D*, \d+\)", path.read_text())
    ] == []

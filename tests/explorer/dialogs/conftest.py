"""What the tests of the dialogs share: showing a widget so that keys reach it."""

from __future__ import annotations

import pytest


@pytest.fixture
def shown(qtbot):
    """Show a widget so that keys reach it: without a window manager nothing gets the focus by itself."""

    def show(widget):
        qtbot.addWidget(widget)
        with qtbot.waitExposed(widget):
            widget.show()
        widget.activateWindow()
        qtbot.waitUntil(widget.isActiveWindow)
        return widget

    return show

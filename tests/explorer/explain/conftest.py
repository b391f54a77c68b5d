"""What the tests of explanations share: a window whose five jobs are simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.explorer.window_fixtures import open_window

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from explorer.window.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    return open_window(qtbot, tmp_path)

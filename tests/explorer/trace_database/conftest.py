"""A window of the trace library with a document, and a library filled from small logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from core.trace_database.connection import default_library
from core.trace_database.trace_database import Library, import_into
from explorer.trace_database.library_window import LibraryWindow
from tests.paths import DATA

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from explorer.document.editor import Editor

LOGS = ("rumen-2011.json", "jobtracker-0.20.log", "swim.tsv")


@pytest.fixture
def filled() -> Path:
    """Have some logs in the user's library."""
    path = default_library()
    with Library.open(path) as library:
        for name in LOGS:
            import_into(library, DATA / name)
    return path


def make_window(qtbot: QtBot, editor: Editor) -> Iterator[LibraryWindow]:
    """Show a library window, and end it properly."""
    owner = QWidget()
    qtbot.addWidget(owner)
    window = LibraryWindow(editor, owner)
    window.show()
    qtbot.waitUntil(lambda: window._found is not None or window.messages.message is not None)
    yield window
    window.stop()


@pytest.fixture
def empty(qtbot: QtBot, editor: Editor) -> Iterator[LibraryWindow]:
    """Return a window of an empty library."""
    yield from make_window(qtbot, editor)


@pytest.fixture
def window(qtbot: QtBot, editor: Editor, filled: Path) -> Iterator[LibraryWindow]:
    """Return a window of a filled library."""
    assert filled.exists()
    yield from make_window(qtbot, editor)

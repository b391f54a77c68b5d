"""The window's own look at the library: pages of rows, and whether somebody else has changed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.model.errors import SlotscopeError
from core.trace_database.trace_database import Library

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from core.trace_database.template import Template

LOOK_EVERY_MS = 1000


class LibraryReader(QObject):
    """Keeps one connection while the window is open.

    Signals
    -------
    changed : another window, worker or program has changed the library
    """

    changed = Signal()

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._library: Library | None = None
        self._version = 0
        self._timer = QTimer(self, interval=LOOK_EVERY_MS)
        self._timer.timeout.connect(self.look)

    def open(self) -> None:
        """Open the library, which a worker opened just now, and watch it; SlotscopeError if it cannot be."""
        if self._library is None:
            self._library = Library.open(self._path, create=False)
            self._version = self._library.data_version
        self._timer.start()

    def close(self) -> None:
        """Let go of the file."""
        self._timer.stop()
        if self._library is not None:
            self._library.close()
            self._library = None

    def look(self) -> None:
        """Say so if the library has changed since the last look."""
        if self._library is None:
            return
        try:
            version = self._library.data_version
        except SlotscopeError:  # whoever searches next is told what is wrong
            version = -1
        if version != self._version:
            self._version = version
            self.changed.emit()

    def read(self, ids: Sequence[int]) -> dict[int, Template]:
        """Return templates by id, as far as they are there."""
        return {} if self._library is None else self._library.listed(ids)

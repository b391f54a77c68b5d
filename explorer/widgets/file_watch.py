"""Reports when files change, also when others of the same name replace them; it opens none of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Iterable


SETTLE_MS = 60
"""Editors write in several steps; what they leave after so long is looked at."""


class FileWatch(QObject):
    """Watches files by path; a file that is replaced by another one of the same name is watched on.

    Signals
    -------
    touched : something may have happened to the file at this path
    """

    touched = Signal(str)

    def __init__(self, parent: QObject | None = None, settle_ms: int = SETTLE_MS) -> None:
        super().__init__(parent)
        self._paths: set[str] = set()
        self._pending: set[str] = set()
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(lambda path: self._note({path}))
        self._watcher.directoryChanged.connect(self._on_folder_changed)
        self._timer = QTimer(self, singleShot=True, interval=settle_ms)
        self._timer.timeout.connect(self._notify)

    def watch(self, path: str) -> None:
        """Watch a file; it need not be there yet."""
        self._paths.add(path)
        self._hold()

    def watch_only(self, paths: Iterable[str]) -> None:
        """Watch these files, and none of those before."""
        self.close()
        self._paths.update(paths)
        self._hold()

    def close(self) -> None:
        """Watch nothing any more."""
        self._timer.stop()
        self._pending.clear()
        self._paths.clear()
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if watched:
            self._watcher.removePaths(watched)

    def _hold(self) -> None:
        """Watch the files that are there, and their folders: a replaced file is another one to the system."""
        wanted = self._paths | {os.path.dirname(path) for path in self._paths}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        missing = [path for path in wanted - watched if os.path.exists(path)]
        if missing:
            self._watcher.addPaths(missing)

    def _on_folder_changed(self, folder: str) -> None:
        self._note({path for path in self._paths if os.path.dirname(path) == folder})

    def _note(self, paths: set[str]) -> None:
        self._pending |= paths
        if not self._timer.isActive():  # in a busy folder a timer that starts anew would never end
            self._timer.start()

    def _notify(self) -> None:
        paths, self._pending = self._pending, set()
        self._hold()
        for path in sorted(paths):
            self.touched.emit(path)

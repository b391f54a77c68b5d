"""Starts that did not come through: each leaves a file behind, and after two of them the next one is safe.

A start has come through when its window closes, or when it has been in use for some seconds after its
simulations came back: whatever ends the process then is no fault of the start.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, QTimer, Signal

from core.files.private_files import make_private_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_FAILED = 2
"""Starts in a row that may fail before one is safe."""
ENDING = ".start"


def starts_folder() -> Path:
    """Return the folder of marks, in the application's state."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.StateLocation)) / "starts"


class Start:
    """One start: its mark is locked while the process lives, so that a second window is no failed start.

    Attributes
    ----------
    has_failed_before : whether so many starts before this one did not come through that it should be safe
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = starts_folder() if folder is None else folder
        self._path = self._folder / f"{os.getpid()}-{secrets.token_hex(3)}{ENDING}"
        self._mark: IO[str] | None = None
        self.has_failed_before = len(list(self._left_behind())) >= MAX_FAILED

    def begin(self) -> None:
        """Leave the mark; where none can be written, no start is known to have failed."""
        with suppress(OSError):
            make_private_folder(self._folder)
            hidden = self._path.with_suffix(".new")  # nobody sees it before it is locked
            self._mark = hidden.open("w")
            fcntl.flock(self._mark, fcntl.LOCK_EX)
            hidden.rename(self._path)

    def come_through(self) -> None:
        """Take the mark away, and those of earlier starts: after a safe start all but one."""
        if self._mark is not None:
            for path in [*sorted(self._left_behind())[self.has_failed_before :], self._path]:
                path.unlink(missing_ok=True)
            self._mark.close()
            self._mark = None

    def _left_behind(self) -> Iterator[Path]:
        """Yield the marks of processes that are gone."""
        for path in self._folder.glob(f"*{ENDING}"):
            with suppress(OSError), path.open() as mark:  # another window may just have taken it away
                fcntl.flock(mark, fcntl.LOCK_SH | fcntl.LOCK_NB)
                yield path


QUIET_TICKS = 10
TICK_MS = 500


class InUse(QObject):
    """Reports when the window has been in use for some seconds with nothing under way.

    Signals
    -------
    reached : that is so
    """

    reached = Signal()

    def __init__(self, is_busy: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._is_busy, self._quiet = is_busy, 0
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._on_tick)

    def start(self) -> None:
        """Begin to look."""
        self._timer.start()

    def stop(self) -> None:
        """Look no longer."""
        self._timer.stop()

    def begin_anew(self) -> None:
        """Wait for the whole time once more: something else is shown."""
        self._quiet = 0

    def _on_tick(self) -> None:
        self._quiet = 0 if self._is_busy() else self._quiet + 1
        if self._quiet == QUIET_TICKS:
            self.stop()
            self.reached.emit()

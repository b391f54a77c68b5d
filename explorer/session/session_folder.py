"""The folder of one window's session: the whole document, what has changed since, and a lock."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QStandardPaths

from core.files.atomic import replace_file
from core.files.session_document import Session, read_session, session_to_bytes
from core.model.errors import InputError
from explorer.session.changed_jobs import BASE, merged

if TYPE_CHECKING:
    from core.model.workload import Workload

EDITS = "edits.slotscope"
LOCK = "lock"
TRIES = 5


def sessions_folder() -> Path:
    """Return the folder of all windows' sessions, in the application's data."""
    data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(data) / "sessions"


class SessionFolder:
    """Files of one session. A window holds the lock while it lives; the system frees it when it dies.

    At every moment the folder holds a session that can be read: files are replaced in one step, and the
    file of edits names the base it belongs to, which stays until another one is named.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = QLockFile(str(path / LOCK))
        # never stale by age: a window may stay open for weeks; a process that is gone is noticed anyway
        self._lock.setStaleLockTime(0)
        self._bases = 0

    @classmethod
    def for_new_window(cls, sessions: Path) -> SessionFolder:
        """Name a folder that no other window has; `create` makes it."""
        return cls(sessions / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{secrets.token_hex(3)}")

    def create(self) -> None:
        """Make and lock the folder; InputError if that is impossible."""
        for _ in range(TRIES):  # another window may just be clearing away what looks abandoned
            try:
                self.path.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise InputError(f"cannot keep a session in '{self.path}': {reason}") from error
            if self.lock():
                return
        raise InputError(f"cannot keep a session in '{self.path}': it cannot be locked")

    def lock(self) -> bool:
        """Take the lock; False if a living window has it."""
        return self._lock.isLocked() or self._lock.tryLock(0)

    def unlock(self) -> None:
        """Give the lock back."""
        self._lock.unlock()

    @property
    def has_edits(self) -> bool:
        """Whether there is something to recover."""
        return (self.path / EDITS).exists()

    @property
    def edited_at(self) -> float:
        """When the last edit was written, in seconds since 1970."""
        return (self.path / EDITS).stat().st_mtime

    def next_base(self) -> str:
        """Return the name of the next base, never used before."""
        self._bases += 1
        return f"document-{self._bases}.slotscope"

    def write_base(self, session: Session, name: str) -> None:
        """Write the whole document; may take a second and may be called in a thread."""
        replace_file(self.path / name, session_to_bytes(session))

    def write_edits(self, small: Session) -> None:
        """Write what has changed since the base that it names; milliseconds."""
        # not durable: the file outlives a killed process, and waiting for the disk would stop the window
        replace_file(self.path / EDITS, session_to_bytes(small), durable=False)

    def keep_only_base(self, name: str) -> None:
        """Remove bases that are not named any more."""
        for base in self.path.glob("document-*.slotscope"):
            if base.name != name:
                base.unlink(missing_ok=True)

    def forget_edits(self) -> None:
        """Say that there is nothing to recover."""
        (self.path / EDITS).unlink(missing_ok=True)

    def read_edits(self) -> Session:
        """Read the small file alone: enough to tell what session it is."""
        return read_session(self.path / EDITS)

    def read(self) -> Session:
        """Read the whole session; InputError says what is wrong with it."""
        small = self.read_edits()
        return merged(small, self._read_base(small.layout.get(BASE, "")))

    def _read_base(self, name: str) -> Workload:
        if Path(name).name != name or not name:
            raise InputError(f"the session names '{name}' as its document, which is not one of its files")
        return read_session(self.path / name).state.workload

    def remove(self) -> None:
        """Remove the folder and give the lock back, which goes last."""
        with contextlib.suppress(OSError):
            for file in self.path.iterdir():
                if file.name != LOCK:
                    file.unlink(missing_ok=True)
        self.unlock()
        with contextlib.suppress(OSError):
            self.path.rmdir()

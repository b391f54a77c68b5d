"""The folder of one window's session: its journal and a lock; what is in it is offered after a crash."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QStandardPaths

from core.files.atomic import lock_file
from core.files.journal import History, ReadJournal, last_record, read_journal
from core.files.private_files import make_private_folder
from core.files.session_document import Session, read_session
from core.model.errors import InputError

if TYPE_CHECKING:
    from core.model.document_state import DocumentState

JOURNAL = "edits.journal"
EDITS_0_1 = "edits.slotscope"
"""In its place in version 0.1: what differed from a whole document in another file."""
LOCK = "lock"
TRIES, PAUSE_S = 50, 0.02
"""How often a new folder is locked, and the pause between: another window may just look what is in it."""


def sessions_folder() -> Path:
    """Return the folder of all windows' sessions, in the application's data."""
    return _data_folder() / "sessions"


def unpacked_folder() -> Path:
    """Return the folder of policy files that came inside sessions, in the application's data."""
    return _data_folder() / "policies"


def drafts_folder() -> Path:
    """Return the folder of texts that were not saved in the editor pane, in the application's data."""
    return _data_folder() / "drafts"


def trusted_folder() -> Path:
    """Return the folder of the policy files that ran last, as they were, in the application's data."""
    return _data_folder() / "trusted"


def studies_folder() -> Path:
    """Return the folder of the results of studies that were run in the window, in the application's data."""
    return _data_folder() / "studies"


def _data_folder() -> Path:
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation))


class SessionFolder:
    """Files of one session. A window holds the lock while it lives; the system frees it when it dies."""

    def __init__(self, path: Path) -> None:
        self.path, self.journal = path, path / JOURNAL
        self._lock: int | None = None

    @classmethod
    def for_new_window(cls, sessions: Path) -> SessionFolder:
        """Name a folder that no other window has; `create` makes it."""
        return cls(sessions / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{secrets.token_hex(3)}")

    def create(self) -> None:
        """Make and lock the folder unless it is; InputError if a second of tries does not do it."""
        reason = "it cannot be locked"
        for _ in range(TRIES):
            try:
                make_private_folder(self.path.parent)
                make_private_folder(self.path)
            except FileNotFoundError as error:  # another window just cleared away what looked abandoned
                reason = _reason_of(error)
            except OSError as error:
                reason = _reason_of(error)
                break
            if self.lock():
                return
            time.sleep(PAUSE_S)
        raise InputError(f"cannot keep a session in '{self.path}': {reason}")

    def lock(self) -> bool:
        """Take the lock; False if a living window has it."""
        if self._lock is not None and (self.path / LOCK).exists():
            return True
        self.unlock()
        with contextlib.suppress(OSError):
            self._lock = lock_file(self.path / LOCK)
        return self._lock is not None

    def unlock(self) -> None:
        """Give the lock back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def forget(self) -> None:
        """Mark that there is nothing to recover."""
        self.journal.unlink(missing_ok=True)

    def read(self) -> ReadJournal:
        """Read the whole session; raises InputError with what is wrong with it."""
        if self.journal.exists():
            return read_journal(self.journal)
        small = read_session(self.path / EDITS_0_1)
        about = {"layout": window_layout(small), "path": small.path}
        return ReadJournal(History(_merged_0_1(small, self.path)), about)

    def last_record(self) -> dict[str, Any]:
        """Return the description of the session, which takes no long reading; InputError as `read`."""
        if self.journal.exists():
            return last_record(self.journal)
        small = read_session(self.path / EDITS_0_1)
        return {"name": small.state.workload.name, "path": small.path, "modified": True}

    @property
    def edited_at(self) -> float | None:
        """When the last edit was written, in seconds since 1970; None if there never was one."""
        for name in (JOURNAL, EDITS_0_1):
            with contextlib.suppress(OSError):
                return (self.path / name).stat().st_mtime
        return None

    def remove(self) -> None:
        """Remove the folder and give the lock back, which goes last."""
        with contextlib.suppress(OSError):
            for file in self.path.iterdir():
                if file.name != LOCK:
                    file.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # systems that lock what is open remove it below
            (self.path / LOCK).unlink(missing_ok=True)
        self.unlock()
        with contextlib.suppress(OSError):
            (self.path / LOCK).unlink(missing_ok=True)
            self.path.rmdir()


def _reason_of(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


BASE_0_1 = "recovery.base"
JOBS_0_1 = "recovery.jobs"
"""Layout keys of version 0.1: the file of the whole document, and all job names in their order (JSON)."""


def _merged_0_1(small: Session, folder: Path) -> DocumentState:
    """Put a session of version 0.1 together again; InputError if its two files do not belong together."""
    name = small.layout.get(BASE_0_1, "")
    if Path(name).name != name or not name:
        raise InputError(f"the session names '{name}' as its document, which is not one of its files")
    base = read_session(folder / name).state.workload
    changed = {job.name: job for job in small.state.workload.jobs}
    try:
        names = json.loads(small.layout[JOBS_0_1])
        jobs = [changed[name] if name in changed else base.jobs[base.job_index[name]] for name in names]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"the session's files do not belong together ({error}); discard it") from error
    workload = replace(small.state.workload.with_jobs(jobs), recorded=base.recorded, checked_jobs=tuple(jobs))
    return replace(small.state, workload=workload)


def window_layout(session: Session) -> dict[str, str]:
    """Return a session's layout without the keys that only recovery needed in version 0.1."""
    return {key: value for key, value in session.layout.items() if key not in (BASE_0_1, JOBS_0_1)}


class Recoverable:
    """One session that was not ended cleanly.

    Attributes
    ----------
    title : name of its workload, or of its folder if it cannot be read
    path : the file the document belonged to, or None
    edited_at : when its last edit was written, in seconds since 1970
    edits : how many steps of undo it is away from its file, or None where that is not known
    """

    def __init__(self, folder: SessionFolder, edited_at: float, about: dict[str, Any]) -> None:
        self._folder, self.edited_at = folder, edited_at
        self.title: str = about.get("name", folder.path.name)
        self.path: str | None = about.get("path")
        self.edits: int | None = about.get("edits")

    def restore(self) -> ReadJournal:
        """Take the session over and read it; it stays on disk until `discard`.

        Raises InputError if another window has taken it, or if its files cannot be read.
        """
        if not self._folder.lock():
            raise InputError(f"another window has just taken the session '{self.title}'")
        try:
            return self._folder.read()
        except InputError:
            self._folder.unlock()
            raise

    def release(self) -> None:
        """Leave the session for another time."""
        self._folder.unlock()

    def discard(self) -> None:
        """Remove the session: it lives on in a window, or is not wanted."""
        if self._folder.lock():
            self._folder.remove()


def recoverable_sessions(sessions: Path | None = None) -> tuple[Recoverable, ...]:
    """Return the sessions whose windows are gone, newest first; clear away those with nothing in them."""
    root = sessions_folder() if sessions is None else sessions
    folders = [SessionFolder(path) for path in root.iterdir() if path.is_dir()] if root.is_dir() else []
    found = []
    for folder in folders:
        if not folder.lock():
            continue  # its window lives
        at = folder.edited_at
        about: dict[str, Any] = {"modified": False}
        if at is not None:
            try:
                about = folder.last_record()
            except InputError:
                about = {}  # restoring will say what is wrong
        if at is not None and about.get("modified", True):
            found.append(Recoverable(folder, at, about))
            folder.unlock()
        else:
            folder.remove()
    return tuple(sorted(found, key=lambda session: session.edited_at, reverse=True))

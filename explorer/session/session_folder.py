"""The folder of one window's session: a document, what has changed since, a lock; offered after a crash.

Writing a million tasks takes a second; what a drop changes takes a millisecond. So the whole document lies in
one file, and what has changed since in a second one, which is an ordinary session document whose workload
holds only the changed jobs.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLockFile, QStandardPaths

from core.files.atomic import replace_file
from core.files.session_document import Session, read_session, session_to_bytes
from core.model.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.model.workload import Job, Workload


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


NUMBERS_PER_ATTEMPT = 10
"""Columns of what a log recorded."""

BASE = "recovery.base"
JOBS = "recovery.jobs"
"""Layout keys of the second file: the name of the first one, and all job names in their order (JSON)."""


def changed_jobs(workload: Workload, base: Workload) -> tuple[Job, ...]:
    """Return the jobs that the base has not, or has otherwise."""
    index = base.job_index
    return tuple(
        job
        for job in workload.jobs
        # the base's own job object is the common case and needs no comparison
        if job.name not in index or (job is not (old := base.jobs[index[job.name]]) and job != old)
    )


def sample_count(jobs: tuple[Job, ...]) -> int:
    """Return how many numbers these jobs consist of: what writing them costs."""
    stages = [stage for job in jobs for stage in (job.maps, job.reduces)]
    return sum(
        len(stage.durations) + len(stage.first_shuffle) + len(stage.typical_shuffle) for stage in stages
    )


def number_count(workload: Workload) -> int:
    """Return how many numbers a whole workload consists of, with what a log recorded."""
    return sample_count(workload.jobs) + NUMBERS_PER_ATTEMPT * (
        workload.recorded.attempts if workload.recorded else 0
    )


def difference(session: Session, base: Workload, base_name: str) -> Session:
    """Return a small session from which, with the base, `merged` makes this one again."""
    workload = session.state.workload
    # a workload has at least one job: the smallest stands in when none has changed
    jobs = changed_jobs(workload, base) or (min(workload.jobs, key=lambda job: sample_count((job,))),)
    names = json.dumps([job.name for job in workload.jobs])
    # what a log recorded is never edited
    changed = replace(workload.with_jobs(jobs), recorded=None, checked_jobs=jobs)
    return Session(
        replace(session.state, workload=changed),
        {**session.layout, BASE: base_name, JOBS: names},
        session.path,
    )


def merged(small: Session, base: Workload) -> Session:
    """Put the whole session together again; InputError if the two files do not belong together."""
    changed = {job.name: job for job in small.state.workload.jobs}
    try:
        names = json.loads(small.layout[JOBS])
        jobs = [changed[name] if name in changed else base.jobs[base.job_index[name]] for name in names]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"the session's files do not belong together ({error}); discard it") from error
    workload = replace(small.state.workload.with_jobs(jobs), recorded=base.recorded, checked_jobs=tuple(jobs))
    state = replace(small.state, workload=workload)
    return Session(state, window_layout(small.layout), small.path)


def window_layout(layout: Mapping[str, Any]) -> dict[str, Any]:
    """Return the layout without the keys that only recovery needs."""
    return {key: value for key, value in layout.items() if key not in (BASE, JOBS)}


class Recoverable:
    """One session that was not ended cleanly.

    Attributes
    ----------
    title : name of its workload, or of its folder if it cannot be read
    edited_at : when its last edit was written, in seconds since 1970
    path : the file the document belonged to, or None
    """

    def __init__(self, folder: SessionFolder) -> None:
        self._folder = folder
        self.edited_at = folder.edited_at
        self.title, self.path = _description(folder)

    def restore(self) -> Session:
        """Take the session over and read it; it stays on disk until `discard`.

        Raises InputError if another window has taken it, or if its files cannot be read.
        """
        if not self._folder.lock():
            raise InputError(f"another window has just taken the session '{self.title}'")
        return self._folder.read()

    def release(self) -> None:
        """Leave the session for another time."""
        self._folder.unlock()

    def discard(self) -> None:
        """Remove the session: it lives on in a window, or nobody wants it."""
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
        if folder.has_edits:
            found.append(Recoverable(folder))
            folder.unlock()
        else:
            folder.remove()
    return tuple(sorted(found, key=lambda session: session.edited_at, reverse=True))


def _description(folder: SessionFolder) -> tuple[str, str | None]:
    try:
        small = folder.read_edits()
    except InputError:
        return folder.path.name, None  # restoring will say what is wrong
    return small.state.workload.name, small.path

"""What a killed window left behind, offered back at the next start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import InputError
from explorer.session.session_folder import SessionFolder, sessions_folder

if TYPE_CHECKING:
    from pathlib import Path

    from core.files.session_document import Session


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

"""How a file was when it was read or written, to see later whether another program has changed it."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass

from core.files.json_text import read_head
from core.model.errors import InputError

MAX_COMPARED = 64 * 2**20
"""Bytes up to which contents are compared; larger files are compared by size and times."""

Status = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FileMark:
    """What differs between two states of a file.

    Attributes
    ----------
    status : its identity, size and times, which are looked up without reading it
    digest : hash of its content; empty of a large file
    """

    status: Status
    digest: bytes = b""

    def has_content_of(self, other: FileMark) -> bool:
        """Whether both mark the same content, perhaps written at two times."""
        return self.digest == other.digest if self.digest and other.digest else self.status == other.status


def status_of(path: str | os.PathLike[str]) -> Status:
    """Return identity, size and times of a file; empty if there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def mark_of(path: str | os.PathLike[str]) -> FileMark | None:
    """Read a file, which takes time, and return how it is; None if there is no regular file."""
    status = status_of(path)  # before its content: a change in between is seen later
    try:
        data = read_head(path, MAX_COMPARED + 1)
    except InputError:
        return None
    return written_mark(status, data)


def written_mark(status: Status, data: bytes) -> FileMark:
    """Return the mark of a file of this status and content."""
    return FileMark(status, hashlib.sha256(data).digest() if len(data) <= MAX_COMPARED else b"")

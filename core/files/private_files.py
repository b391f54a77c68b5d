"""Folders and files that only their user may read: names of jobs, users and files stand in them."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FOLDER_MODE, FILE_MODE = 0o700, 0o600


def make_private_folder(folder: Path) -> None:
    """Make a folder, and those above it, for this user alone; OSError where that is impossible.

    One of this user's that is there already is closed to others.
    """
    for parent in reversed((folder, *folder.parents)):
        parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
    _close(folder, FOLDER_MODE)


def make_private_file(path: Path) -> None:
    """Make an empty file for this user alone, or close this user's to others; OSError if that fails."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
    _close(path, FILE_MODE)


def _close(path: Path, mode: int) -> None:
    with contextlib.suppress(PermissionError):  # somebody else's: it stays as its owner has it
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            path.chmod(mode)

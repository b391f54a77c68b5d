"""A folder for what an import has to write; one that a killed process left is removed by the next import."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

try:
    import fcntl
except ImportError:  # a system without locks of this kind: nothing is removed there
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = "slotscope-import-"
LOCK = ".lock"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Give an empty folder, which is removed at the end, and remove those of processes that have died."""
    _remove_left()
    with ExitStack() as stack:
        while True:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=PREFIX)))
            if _holds(folder, stack):
                break
        yield folder


def _holds(folder: Path, stack: ExitStack) -> bool:
    """Lock a new folder until a stack is closed; return False if another process took it away.

    Between the lock file's making and its lock, the folder looks like one whose process has died.
    """
    try:
        held = stack.enter_context((folder / LOCK).open("w"))
    except FileNotFoundError:
        return False
    return fcntl is None or (_is_locked_by_us(held) and (folder / LOCK).exists())


def _is_locked_by_us(file: IO[str]) -> bool:
    """Lock a file until it is closed, if no other process has; return whether it is locked now."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove_left() -> None:
    """Remove the user's folders whose process has ended; one that was made just now has no lock yet."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if folder.stat().st_uid != os.getuid() or folder.is_symlink():
                continue
            with (folder / LOCK).open("r+") as lock:
                if _is_locked_by_us(lock):
                    shutil.rmtree(folder, ignore_errors=True)

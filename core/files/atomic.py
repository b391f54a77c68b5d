"""Write files: a reader sees the old content or the new one, never a part; long writing can be watched."""

from __future__ import annotations

import contextlib
import gzip
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from core.model.errors import Cancelled, InputError
from core.model.progress import never_stop, tell_nobody

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


def replace_file(path: str | os.PathLike[str], data: bytes, *, durable: bool = True) -> None:
    """Put `data` into a file in one step, keeping the permissions of a file that is there.

    Parameters
    ----------
    path, data : the file and its new content
    durable : wait until the disk has it (10 to 100 ms); without, it outlives the process, but perhaps not
        a power failure

    Raises
    ------
    InputError
        the folder or the file cannot be written
    """
    try:
        # A link stays a link: the file that it points to is replaced.
        target = Path(path).resolve()
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        _replace(target, data, durable)
    except (OSError, ValueError, RuntimeError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"cannot write '{path}': {reason}; choose another file name") from error


def packed_for(path: str | os.PathLike[str], data: bytes) -> bytes:
    """Compress data for a file whose name ends in .gz; equal data give equal bytes."""
    if not os.fspath(path).endswith(".gz"):
        return data
    return gzip.compress(data, compresslevel=6, mtime=0)


def _replace(target: Path, data: bytes, durable: bool) -> None:
    temporary = target.with_name(f".{secrets.token_hex(8)}.slotscope-part")
    try:
        descriptor = os.open(
            temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666
        )
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if durable:
        _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name durable where the system lets a folder be synchronised."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


Thing = TypeVar("Thing")
STEP = 2048
"""Things between two reports."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Whom to tell how far a piece of work is, and whom to ask whether it should go on.

    Attributes
    ----------
    progress : told the fraction done
    should_stop : whether the user gave up
    """

    progress: Callable[[float], None] = tell_nobody
    should_stop: Callable[[], bool] = never_stop

    def over(self, things: Sequence[Thing], begin: float = 0.0, end: float = 1.0) -> Iterator[Thing]:
        """Yield each thing, as the part of the work from one fraction to another; may raise Cancelled."""
        for place, thing in enumerate(things):
            if place % STEP == 0:
                self.check(begin + (end - begin) * place / len(things))
            yield thing

    def check(self, fraction: float) -> None:
        """Tell how much is done; raise Cancelled if nobody wants the rest."""
        if self.should_stop():
            raise Cancelled
        self.progress(fraction)


UNWATCHED = Watch()

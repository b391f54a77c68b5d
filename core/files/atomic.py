"""Write files: a reader sees the old content or the new one, never a part; long writing can be watched.

Some names mean what this process has open already, such as "-" for standard output: data are written there.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from core.files.resources import is_original
from core.model.errors import Cancelled, InputError
from core.model.progress import never_stop, no_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

STREAMS = {"-": 1, "/dev/stdout": 1, "/dev/fd/1": 1, "/dev/stderr": 2, "/dev/fd/2": 2}
"""Names of what is open already, and its descriptor."""
KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
NO_TEXT = re.compile(rb"[^\t\n\r\x20-\xff]")


def replace_file(
    path: str | os.PathLike[str],
    data: bytes,
    *,
    durable: bool = True,
    before_replacing: Callable[[], object] = lambda: None,
) -> None:
    """Put `data` into a file in one step, keeping the permissions of a file that is there.

    Parameters
    ----------
    path, data : the file, or one of `STREAMS`, and its new content
    durable : wait until the disk has it (10 to 100 ms); without, it outlives the process, but perhaps not
        a power failure
    before_replacing : called when all is written but the new name; what it raises leaves the old file

    Raises
    ------
    InputError
        the folder or the file cannot be written, what has this name is no file, or it comes with Slotscope
    BrokenPipeError
        the stream has no reader any more
    """
    check_target(path)
    try:
        if os.fspath(path) in STREAMS:
            _write_to(STREAMS[os.fspath(path)], data)
        else:
            # A link stays a link: the file that it points to is replaced.
            _replace(Path(path).resolve(), data, durable, before_replacing)
    except BrokenPipeError:
        raise
    except (OSError, ValueError, RuntimeError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"cannot write '{path}': {reason}; choose another file name") from error


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise InputError if what has this name, or what its link points to, is no file, or one of ours."""
    if os.fspath(path) in STREAMS:
        return
    if is_original(path):
        raise InputError(
            f"cannot write '{path}': what comes with Slotscope stays as it is; choose a folder of your own"
        )
    try:
        kind = stat.S_IFMT(os.stat(path).st_mode)
    except (OSError, ValueError):
        return  # nothing is there, or it is found out when writing
    if kind != stat.S_IFREG:
        is_what = KINDS.get(kind, "something else")
        raise InputError(f"cannot write '{path}': it is {is_what} and no file; choose another file name")


def _write_to(descriptor: int, data: bytes) -> None:
    if os.isatty(descriptor) and NO_TEXT.search(data):
        raise OSError(0, "these data are no text for a terminal")
    with open(descriptor, "wb", closefd=False) as stream:
        stream.write(data)


def _replace(target: Path, data: bytes, durable: bool, before_replacing: Callable[[], object]) -> None:
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
        before_replacing()
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if durable:
        sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
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
GZIP, PACKED_AT_ONCE = 31, 1 << 20
"""What zlib calls that format, with the largest window; bytes between two reports."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What to call with the progress of a piece of work, and to see whether it should go on.

    Attributes
    ----------
    progress : called with the fraction done
    should_stop : whether the user gave up
    """

    progress: Callable[[float], None] = no_progress
    should_stop: Callable[[], bool] = never_stop

    def over(
        self, things: Sequence[Thing], begin: float = 0.0, end: float = 1.0, step: int = STEP
    ) -> Iterator[Thing]:
        """Yield each thing, as the part of the work from one fraction to another; may raise Cancelled."""
        for place, thing in enumerate(things):
            if place % step == 0:
                self.check(begin + (end - begin) * place / len(things))
            yield thing

    def part(self, begin: float, end: float) -> Watch:
        """Return a watch over the part of the work from one fraction to another."""
        return Watch(lambda fraction: self.progress(begin + (end - begin) * fraction), self.should_stop)

    def check(self, fraction: float) -> None:
        """Report how much is done; raise Cancelled if the rest is not wanted."""
        if self.should_stop():
            raise Cancelled
        self.progress(fraction)


UNWATCHED = Watch()


def packed_for(path: str | os.PathLike[str], data: bytes, watch: Watch = UNWATCHED) -> bytes:
    """Compress data for a file whose name ends in .gz; equal data give equal bytes."""
    if not os.fspath(path).endswith(".gz"):
        return data
    packer = zlib.compressobj(6, zlib.DEFLATED, GZIP)
    parts = range(0, len(data), PACKED_AT_ONCE)
    return (
        b"".join([packer.compress(data[i : i + PACKED_AT_ONCE]) for i in watch.over(parts, step=1)])
        + packer.flush()
    )


def lock_file(path: Path) -> int:
    """Return the descriptor of a locked file; OSError if another process has the lock.

    The system keeps it for the open file, and so frees it at the death of the process: no process id is
    written down, which later might be another's. Windows of version 0.1 take the same lock.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.stat(path)  # raises where whoever had the lock has just removed the folder
    except OSError:
        os.close(descriptor)
        raise
    return descriptor

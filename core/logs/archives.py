"""Archives of logs, tar (packed or not) and zip: their members become files that are read like any others."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from functools import partial
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING

from core.logs.byte_source import ByteSource
from core.logs.log_files import MOST_FILES, LogFile
from core.logs.logged_job import one_line
from core.logs.packing import PieceStream
from core.model.errors import Cancelled, Problem
from core.model.limits import MOST_LOG_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from core.logs.log_files import ShouldStop

TAR_MARK, TAR_PLACE = b"ustar", 257
ZIP_MAGIC = b"PK\x03\x04"
PIECE = 1 << 20
DAMAGED = "the archive is damaged or locked ({}); what follows is lost"
_DAMAGE = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What a damaged archive, an unknown way of packing, or a password, raise."""


def is_archive(head: bytes) -> bool:
    """Whether a file that begins like this (unpacked) is an archive of files."""
    return head.startswith(ZIP_MAGIC) or head[TAR_PLACE : TAR_PLACE + len(TAR_MARK)] == TAR_MARK


def members(file: LogFile, head: bytes, folder: Path, should_stop: ShouldStop) -> Iterator[LogFile | Problem]:
    """Write the members of an archive to a folder and yield them, named as in "night.tgz: logs/job_1".

    Links, devices and hidden files are passed over. No member chooses where it is written. The last thing
    yielded is what is wrong with the archive, if anything; a member that is cut comes as far as it goes.

    Parameters
    ----------
    file, head : the archive, and how it begins
    folder : an empty one, for the members

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    opened = _zip_members if head.startswith(ZIP_MAGIC) else _tar_members
    folders: dict[PurePosixPath, Path] = {}
    left = MOST_LOG_BYTES
    try:
        for number, (name, open_member) in enumerate(opened(file, should_stop)):
            if number == MOST_FILES:
                yield Problem("", "", f"holds more than {MOST_FILES} files; the rest is left out")
                return
            inside = folders.setdefault(name.parent, folder / str(len(folders)))
            inside.mkdir(exist_ok=True, parents=True)
            path = inside / f"{number:05d}"
            problem = _write(open_member, path, left, should_stop)
            size = path.stat().st_size
            if size:
                yield LogFile(path, False, size, one_line(f"{file.path.name}: {name}"))
            if problem:
                yield problem
                return
            left -= size
    except _DAMAGE as damage:
        yield Problem("", "", DAMAGED.format(damage))


def _write(
    open_member: Callable[[], IO[bytes]], path: Path, most: int, should_stop: ShouldStop
) -> Problem | None:
    """Write a member to a file, as far as it can be read; return what is wrong with it."""
    try:
        with path.open("wb") as written, open_member() as member:
            while piece := member.read(PIECE):
                if should_stop():
                    raise Cancelled("the import was stopped")
                most -= written.write(piece)
                if most < 0:
                    rule = f"logs are read up to {MOST_LOG_BYTES // 2**30} GiB unpacked; the rest is left out"
                    return Problem("", "", rule)
    except _DAMAGE as damage:
        return Problem("", "", DAMAGED.format(damage))
    return None


def _tar_members(
    file: LogFile, should_stop: ShouldStop
) -> Iterator[tuple[PurePosixPath, Callable[[], IO[bytes]]]]:
    pieces = PieceStream(ByteSource(file.path, should_stop=should_stop).chunks())
    with tarfile.open(fileobj=pieces, mode="r|") as archive:
        for member in archive:
            name = PurePosixPath(member.name)
            if member.isfile() and not _is_hidden(name):
                yield name, partial(_member_of, archive, member)


def _member_of(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    opened = archive.extractfile(member)
    assert opened is not None, "it is a file"
    return opened


def _zip_members(
    file: LogFile, _should_stop: ShouldStop
) -> Iterator[tuple[PurePosixPath, Callable[[], IO[bytes]]]]:
    with zipfile.ZipFile(file.path) as archive:
        for member in archive.infolist():
            name = PurePosixPath(member.filename)
            if not member.is_dir() and not _is_hidden(name):
                yield name, partial(archive.open, member)


def _is_hidden(name: PurePosixPath) -> bool:
    return any(part.startswith(".") and part not in (".", "..") for part in name.parts)

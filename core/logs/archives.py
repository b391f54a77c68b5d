"""Archives of logs, tar (packed or not) and zip: their members become files that are read like any others."""

from __future__ import annotations

import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from typing_extensions import override

from core.logs.byte_source import PACKED_BYTES, BadMember, ByteSource
from core.logs.compression import PieceStream
from core.logs.log_files import MAX_FILES, LogFile
from core.logs.logged_job import one_line
from core.logs.reader import HEAD_BYTES
from core.model.errors import Cancelled, Problem
from core.model.input_budget import OverBudget, UnpackingBudget
from core.model.limits import (
    FREE_UNPACKED_LOG_BYTES,
    MAX_LOG_BYTES,
    MAX_MEMBER_NAME_BYTES,
    MAX_SPOOLED_BYTES,
)

if TYPE_CHECKING:
    from core.logs.log_files import ShouldStop

IsLog = Callable[[bytes], object]
"""Whether a file that begins like this (unpacked) is to be read."""

TAR_MARK, TAR_PLACE = b"ustar", 257
ZIP_MAGIC = b"PK\x03\x04"
ZIP_HEAD_BYTES = 30
"""Of a zip before each member, without its name."""
PIECE = 1 << 20
DAMAGED = "the archive is damaged or locked ({}); what follows is lost"
DAMAGED_MEMBER = "it is damaged or locked ({}); the rest of it is lost"
_DAMAGE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)
"""What a damaged archive, an unknown way of packing, an impossible place, or a password, raise."""
_EXTRA_HEADS = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)


class _Member(NamedTuple):
    """A file in an archive: its name, its size in bytes by the archive's own account, and what opens it."""

    name: PurePosixPath
    size: int
    opened: Callable[[], IO[bytes]]


def is_archive(head: bytes) -> bool:
    """Whether a file that begins like this (unpacked) is an archive of files."""
    return head.startswith(ZIP_MAGIC) or head[TAR_PLACE : TAR_PLACE + len(TAR_MARK)] == TAR_MARK


def members(
    file: LogFile, head: bytes, folder: Path, is_log: IsLog, should_stop: ShouldStop
) -> Iterator[LogFile | Problem]:
    """Yield the members of an archive as files, named as in "night.tgz: logs/job_1".

    Those of an archive within another one are "all.zip: night.tgz: logs/job_1".

    They are read where they lie. Only of a packed tar, which can be read but once, the logs are written to a
    folder; of its other members the beginning is kept. Links, devices and hidden files are passed over. The
    last thing yielded is what is wrong with the archive, if anything; a member that is cut comes as far as
    it goes.

    Parameters
    ----------
    file, head : the archive, and how it begins
    folder : for what has to be written
    is_log : which members will be read

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    is_zip = head.startswith(ZIP_MAGIC)
    folders: dict[PurePosixPath, Path] = {}
    try:
        if file.opened is not None:
            file, damage = _unpacked(file, folder, should_stop)
            if damage is not None:
                yield Problem("", "", damage.rule)
        inside = (_zip_members if is_zip else _tar_members)(file, _Spool(folder, is_log, should_stop))
        for number, member in enumerate(inside):
            if number == MAX_FILES:
                yield Problem("", "", f"holds more than {MAX_FILES} files; the rest is left out")
                return
            if should_stop():
                raise Cancelled("the import was stopped")
            place = folders.setdefault(member.name.parent, file.path / str(len(folders))) / f"{number:05d}"
            name = one_line(f"{file.name}: {member.name}")
            if member.size:
                yield LogFile(place, False, member.size, name, member.opened)
    except OverBudget as problem:
        yield Problem("", "", f"{problem}; the rest is left out")
    except _DAMAGE as damage:
        yield Problem("", "", DAMAGED.format(damage))


def _unpacked(member: LogFile, folder: Path, should_stop: ShouldStop) -> tuple[LogFile, Problem | None]:
    """Return an archive that is a member of another one, written to a folder, and what is lost of it."""
    source = ByteSource(member.path, opened=member.opened, should_stop=should_stop)
    path = _Spool(folder, bool, should_stop).written(source, "member")
    return LogFile(path, False, path.stat().st_size, member.name), source.damage


# ---- zip


def _zip_members(file: LogFile, spool: _Spool) -> Iterator[_Member]:
    is_plain = _first_bytes(file.path).startswith(ZIP_MAGIC)
    archive = zipfile.ZipFile(file.path if is_plain else spool.unpacked(file.path))
    entries = archive.infolist()
    _refuse_shared_bytes(entries)
    for entry in entries:
        name = PurePosixPath(entry.filename)
        if entry.filename and not entry.is_dir() and not _is_hidden(name):  # is_dir fails without a name
            yield _Member(name, entry.file_size, partial(_opened, _ZipMember, archive, entry))


def _refuse_shared_bytes(entries: list[zipfile.ZipInfo]) -> None:
    """Raise BadZipFile where members lie over one another: so a few bytes would be read again and again."""
    end = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < end:
            raise zipfile.BadZipFile("members overlap")
        end = entry.header_offset + ZIP_HEAD_BYTES + entry.compress_size


class _ZipMember(io.RawIOBase):
    """A member of a zip as a file that is read once; BadMember where it cannot be read on."""

    def __init__(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
        self._packed_bytes = entry.compress_size
        self._budget = UnpackingBudget(MAX_LOG_BYTES, FREE_UNPACKED_LOG_BYTES)
        try:
            self._member = archive.open(entry)
        except _DAMAGE as damage:
            raise BadMember(DAMAGED_MEMBER.format(damage)) from damage

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with what comes next."""
        try:
            piece = self._member.read(len(buffer))
            self._budget.take(len(piece), self._packed_bytes)
        except OverBudget as problem:
            raise BadMember(f"{problem}; what follows is left out") from problem
        except _DAMAGE as damage:
            raise BadMember(DAMAGED_MEMBER.format(damage)) from damage
        buffer[: len(piece)] = piece
        return len(piece)

    @override
    def close(self) -> None:
        self._member.close()
        super().close()


# ---- tar


class _TarInfo(tarfile.TarInfo):
    """A head of a tar, which may not be so long that it fills the memory."""

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type in _EXTRA_HEADS and self.size > MAX_MEMBER_NAME_BYTES:
            raise OverBudget(f"a name of {self.size} bytes; {MAX_MEMBER_NAME_BYTES} are the most")
        return super()._proc_member(archive)  # type: ignore[misc,no-any-return]


def _tar_members(file: LogFile, spool: _Spool) -> Iterator[_Member]:
    source = ByteSource(file.path, should_stop=spool.should_stop)
    try:
        yield from _members_of_tar(source, spool, file.path)
    except _DAMAGE as damage:  # of the packing, if there is some: the tar only ends too early then
        raise tarfile.ReadError(source.damage.rule) if source.damage else damage from damage
    if source.damage:
        raise tarfile.ReadError(source.damage.rule)


def _members_of_tar(source: ByteSource, spool: _Spool, path: Path) -> Iterator[_Member]:
    is_plain = is_archive(_first_bytes(path))
    with tarfile.open(fileobj=PieceStream(source.chunks()), mode="r|", tarinfo=_TarInfo) as archive:
        for member in archive:
            name = PurePosixPath(member.name)
            if not member.isfile() or _is_hidden(name):
                continue
            if member.issparse():
                raise OverBudget(f"{one_line(str(name))} is a sparse file, most of which is not there")
            if is_plain:
                yield _Member(
                    name, member.size, partial(_opened, _Part, path, member.offset_data, member.size)
                )
                continue
            content = archive.extractfile(member)
            assert content is not None, "it is a file"
            opened, damage = spool.keep(content)
            yield _Member(name, member.size, opened)
            if damage is not None:
                raise damage


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as opened:
        return opened.read(2 * TAR_PLACE)


class _Part(io.RawIOBase):
    """The bytes of a file from `begin` on, `size` of them, as a file of their own."""

    def __init__(self, path: Path, begin: int, size: int) -> None:
        self._file, self._left = path.open("rb"), size
        self._file.seek(begin)

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with what comes next."""
        piece = self._file.read(min(len(buffer), self._left))
        self._left -= len(piece)
        buffer[: len(piece)] = piece
        return len(piece)

    @override
    def close(self) -> None:
        self._file.close()
        super().close()


class _Spool:
    """Writes the logs among the members of a packed tar, or a packed zip, to a folder."""

    def __init__(self, folder: Path, is_log: IsLog, should_stop: ShouldStop) -> None:
        self._folder, self._is_log, self.should_stop = folder, is_log, should_stop
        self._written, self._count = 0, 0

    def unpacked(self, path: Path) -> Path:
        """Return where a packed zip lies unpacked: its account of its members is at its end."""
        source = ByteSource(path, should_stop=self.should_stop)
        whole = self.written(source, "unpacked.zip")
        if source.damage:
            raise zipfile.BadZipFile(source.damage.rule)
        return whole

    def written(self, source: ByteSource, name: str) -> Path:
        """Return where a file lies unpacked, as far as it can be read."""
        whole = self._folder / name
        with whole.open("wb") as written:
            for piece in source.chunks():
                self._write(written, piece)
        return whole

    def _write(self, written: IO[bytes], piece: bytes) -> None:
        if self.should_stop():
            raise Cancelled("the import was stopped")
        self._written += written.write(piece)
        if self._written > MAX_SPOOLED_BYTES:
            most = f"more than {MAX_SPOOLED_BYTES // 2**30} GiB of logs"
            raise OverBudget(f"{most}; unpack it and open its folder")

    def keep(self, content: IO[bytes]) -> tuple[Callable[[], IO[bytes]], Exception | None]:
        """Return what opens a member again, and what kept the rest of it from being read, if anything did."""
        begin, damage = _read_some(content, HEAD_BYTES)
        whole = partial(io.BytesIO, begin)
        if not self._is_log(ByteSource(Path(), opened=whole).head(HEAD_BYTES)):
            return whole, damage
        path = self._folder / f"{self._count:05d}"
        self._count += 1
        with path.open("wb") as written:
            piece = begin
            while piece:
                try:
                    self._write(written, piece)
                except OverBudget as problem:
                    return partial(_opened, io.FileIO, path), damage or problem
                piece, damage = (b"", damage) if damage else _read_some(content, PIECE)
        return partial(_opened, io.FileIO, path), damage


def _read_some(content: IO[bytes], size: int) -> tuple[bytes, Exception | None]:
    """Return up to `size` bytes, fewer at the end or before damage, and the damage."""
    parts = bytearray()
    try:
        while len(parts) < size and (piece := content.read(size - len(parts))):
            parts += piece
    except _DAMAGE as damage:
        return bytes(parts), damage
    return bytes(parts), None


def _opened(raw: Callable[..., io.RawIOBase], *given: object) -> IO[bytes]:
    return io.BufferedReader(raw(*given), PACKED_BYTES)


def _is_hidden(name: PurePosixPath) -> bool:
    return any(part.startswith(".") and part not in (".", "..") for part in name.parts)

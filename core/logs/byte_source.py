"""The bytes of a log file, unpacked where needed, with progress by packed size and a way to stop."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from core.model.errors import Cancelled, InputError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

GZIP_MAGIC = b"\x1f\x8b"
PACKED_BYTES = 1 << 16
UNPACKED_BYTES = 1 << 20
"""Most that one step of unpacking gives, so that a tiny file cannot fill the memory at once."""
AS_GZIP = 31
"""zlib's window setting for data in a gzip envelope."""


class ByteSource:
    """One file of a log.

    Attributes
    ----------
    path : the file
    damage : what is wrong with its packing; None as long as `head` or `chunks` met nothing
    """

    def __init__(
        self,
        path: Path,
        *,
        on_read: Callable[[int], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self.path = path
        self.damage: Problem | None = None
        self._on_read = on_read
        self._should_stop = should_stop

    def head(self, size: int) -> bytes:
        """Return up to `size` unpacked bytes from the beginning, without counting them as progress."""
        quiet = ByteSource(self.path)
        head = b""
        for chunk in quiet.chunks():
            head += chunk
            if len(head) >= size:
                break
        self.damage = quiet.damage
        return head[:size]

    def chunks(self) -> Iterator[bytes]:
        """Yield the unpacked bytes; where the packing is damaged, end early and set `damage`.

        Raises
        ------
        InputError
            the file cannot be read
        Cancelled
            `should_stop` said so
        """
        packed = self._packed()
        first = next(packed, b"")
        if first.startswith(GZIP_MAGIC):
            yield from self._unpacked(first, packed)
        else:
            yield first
            yield from packed

    def _packed(self) -> Iterator[bytes]:
        try:
            with self.path.open("rb") as file:
                while chunk := file.read(PACKED_BYTES):
                    self._count(len(chunk))
                    yield chunk
        except OSError as problem:
            raise InputError(f"{self.path}: cannot be read ({problem.strerror or problem})") from problem

    def _count(self, size: int) -> None:
        if self._should_stop is not None and self._should_stop():
            raise Cancelled(f"import of {self.path.name} stopped")
        if self._on_read is not None:
            self._on_read(size)

    def _unpacked(self, first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
        unpacker = _Unpacker()
        try:
            yield from unpacker.feed(first)
            for chunk in rest:
                yield from unpacker.feed(chunk)
        except zlib.error as problem:
            reason = str(problem).split(": ")[-1]
            self.damage = Problem("gzip", "", f"the packed data is damaged ({reason}); what follows is lost")
        else:
            if not unpacker.is_complete:
                self.damage = Problem("gzip", "", "the packed data ends early; what follows is lost")


class _Unpacker:
    """Unpacks gzip piece by piece; several members one after the other count as one file."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(AS_GZIP)

    @property
    def is_complete(self) -> bool:
        return self._member.eof

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._member.eof:
                data = data.lstrip(b"\0")  # tapes and block devices pad with zeros
                if not data:
                    return
                self._member = zlib.decompressobj(AS_GZIP)
            before = self._member.copy()
            try:
                # one step is bounded; what it did not get to comes round again
                unpacked = self._member.decompress(data, UNPACKED_BYTES)
            except zlib.error:
                yield b"".join(_up_to_damage(before, data))
                raise
            yield unpacked
            data = self._member.unused_data if self._member.eof else self._member.unconsumed_tail


def _up_to_damage(member: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    """Yield what can be unpacked before the damaged byte; zlib throws it away when it meets damage."""
    for i in range(len(data)):
        try:
            yield member.decompress(data[i : i + 1])
        except zlib.error:
            return

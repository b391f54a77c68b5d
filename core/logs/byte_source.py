"""The bytes of a log file, unpacked where needed, and its lines; no line can fill the memory."""

from __future__ import annotations

import zlib
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from core.model.errors import Cancelled, InputError, Problem
from core.model.limits import MOST_LOG_BYTES
from core.model.progress import never_stop, tell_nobody

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path


Found = TypeVar("Found")

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
        on_read: Callable[[int], None] = tell_nobody,
        should_stop: Callable[[], bool] = never_stop,
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
                    if self._should_stop():
                        raise Cancelled(f"import of {self.path.name} stopped")
                    self._on_read(len(chunk))
                    yield chunk
        except OSError as problem:
            raise InputError(f"{self.path}: cannot be read ({problem.strerror or problem})") from problem

    def _unpacked(self, first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
        """Unpack gzip piece by piece; several members one after the other count as one file."""
        member = zlib.decompressobj(AS_GZIP)
        left = MOST_LOG_BYTES
        for data in chain([first], rest):
            while data:
                if member.eof:
                    data = data.lstrip(b"\0")  # tapes and block devices pad with zeros
                    if not data:
                        break
                    member = zlib.decompressobj(AS_GZIP)
                before = member.copy()
                try:
                    # one step is bounded; what it did not get to comes round again
                    unpacked = member.decompress(data, UNPACKED_BYTES)
                except zlib.error as problem:
                    yield b"".join(_up_to_damage(before, data))
                    rule = (
                        f"the packed data is damaged ({str(problem).split(': ')[-1]}); what follows is lost"
                    )
                    self.damage = Problem("gzip", "", rule)
                    return
                yield unpacked
                left -= len(unpacked)
                if left < 0:
                    most = MOST_LOG_BYTES // 2**30
                    rule = f"a log is read up to {most} GiB unpacked; what follows is left out"
                    self.damage = Problem("gzip", "", rule)
                    return
                data = member.unused_data if member.eof else member.unconsumed_tail
        if not member.eof:
            self.damage = Problem("gzip", "", "the packed data ends early; what follows is lost")


def _up_to_damage(member: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    """Yield what can be unpacked before the damaged byte; zlib throws it away when it meets damage."""
    for i in range(len(data)):
        try:
            yield member.decompress(data[i : i + 1])
        except zlib.error:
            return


MOST_DAMAGED = 1000
"""Damaged places after which the rest of a file is given up, so that noise ends soon."""
LONGEST_LINE = 1 << 26
"""Bytes; a longer line is left out."""


class Line(NamedTuple):
    """One line without its end.

    Attributes
    ----------
    number : counted from 1
    data : its bytes
    is_whole : whether a line end came behind it; the last line of a file may have none
    """

    number: int
    data: bytes
    is_whole: bool = True

    @property
    def text(self) -> str:
        """The line as text; bytes that are no UTF-8 are kept as lone surrogates."""
        return self.data.decode("utf-8", "surrogateescape")


def text_lines(chunks: Iterable[bytes]) -> Iterator[Line | Problem]:
    """Yield the lines of a file, and a `Problem` in the place of each that is longer than `LONGEST_LINE`."""
    number = 1
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        held.append(first)
        size += len(first)
        if others:
            yield _line(number, held, size)
            for data in others[:-1]:
                number += 1
                yield Line(number, data.removesuffix(b"\r"))
            number += 1
            held, size = [others[-1]], len(others[-1])
        elif size > LONGEST_LINE:
            held.clear()
    if size:
        line = _line(number, held, size)
        yield line._replace(is_whole=False) if isinstance(line, Line) else line


def _line(number: int, held: list[bytes], size: int) -> Line | Problem:
    if size > LONGEST_LINE:
        rule = f"longer than {LONGEST_LINE} bytes; it is left out"
        return Problem(f"line {number}", f"{size} bytes", rule)
    return Line(number, b"".join(held).removesuffix(b"\r"))


def until_noise(found: Iterable[Found | Problem]) -> Iterator[Found | Problem]:
    """Yield what is found in a file until `MOST_DAMAGED` places of it are damaged; then say so and end."""
    damaged = 0
    for each in found:
        yield each
        damaged += isinstance(each, Problem)
        if damaged == MOST_DAMAGED:
            yield Problem("", "", f"{MOST_DAMAGED} places are damaged; the rest is left out")
            return

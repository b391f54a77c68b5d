"""Rows of a table that take several lines, as a text in quotes holds line breaks: put into one line each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_CELL = 4000
"""No cell with line breaks is longer, in bytes: a quote that nothing closes takes no other row with it."""
MAX_HELD = 1 << 20
"""A line without an end is not kept longer than so many bytes."""
_QUOTED = re.compile(rb'(?:(?<=[,;\t|\n])|\A)"(?:[^"]|""){0,%d}"(?=[,;\t|\r\n]|\Z)' % MAX_CELL)
_BREAKS = re.compile(rb"[ \t]*[\r\n]+[ \t]*")
_SEPARATOR_LINE = re.compile(rb'\A(?:\xef\xbb\xbf)?"?sep=[,;\t|]"?(?=\r?\n)')
"""What spreadsheets write above a table to say what is between its cells."""


def rows_in_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a table with each row in one line, and empty lines behind those that had more."""
    held, is_first = b"", True
    for chunk in chunks:
        data = held + (_SEPARATOR_LINE.sub(b"", chunk) if is_first else chunk)
        place = _last_row_end(data) if b'"' in data else data.rfind(b"\n") + 1
        if len(data) - place > MAX_HELD:
            place = len(data)
        held, is_first = data[place:], False
        yield in_lines(data[:place])
    yield in_lines(held)


def in_lines(data: bytes) -> bytes:
    """Return whole rows with each in one line; numbers of lines stay what they are."""
    data = _SEPARATOR_LINE.sub(b"", data)
    if not _may_be_open(data):
        return data
    parts: list[bytes] = []
    at, owed = 0, 0
    for found in _QUOTED.finditer(data):
        if breaks := found[0].count(b"\n"):
            piece, owed = _with_empty_lines(data[at : found.start()], owed)
            parts += [piece, _BREAKS.sub(b" ", found[0])]
            at, owed = found.end(), owed + breaks
    piece, _ = _with_empty_lines(data[at:], owed)
    return b"".join([*parts, piece])


def _may_be_open(data: bytes) -> bool:
    """Whether a line has a quote that is closed in another one."""
    return b'"' in data and any(line.count(b'"') % 2 for line in data.split(b"\n"))


def _with_empty_lines(piece: bytes, owed: int) -> tuple[bytes, int]:
    """Return a piece with so many empty lines behind its first one, and how many are still to come."""
    end = piece.find(b"\n") + 1
    return (piece[:end] + b"\n" * owed + piece[end:], 0) if owed and end else (piece, owed)


def _last_row_end(data: bytes) -> int:
    """Return behind which byte no row that is open may lie: so much is kept for what follows."""
    last = data.rfind(b"\n") + 1
    if not _may_be_open(data[:last]):
        return last
    place = data.rfind(b"\n", 0, max(len(data) - 2 * MAX_CELL, 0)) + 1
    for found in reversed(list(_QUOTED.finditer(data))):
        if found.start() < place < found.end():
            place = data.rfind(b"\n", 0, found.start()) + 1
    return place

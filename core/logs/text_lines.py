"""The lines of a file, read piece by piece; a line without end cannot fill the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from core.model.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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

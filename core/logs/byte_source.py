"""The bytes of a log file, unpacked where needed, and its lines; no line can fill the memory."""

from __future__ import annotations

import math
from itertools import chain, compress
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, NamedTuple, TypeVar

from core.logs.compression import packing_of
from core.model.errors import Cancelled, InputError, Problem, shorten
from core.model.input_budget import ImportBudget, OverBudget, UnpackingBudget
from core.model.limits import FREE_UNPACKED_LOG_BYTES, MAX_LOG_BYTES
from core.model.progress import never_stop, no_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from core.logs.compression import Packing


class BadMember(Exception):
    """A member of an archive cannot be read on: damaged, locked or too large, by the message."""


Found = TypeVar("Found")

PACKED_BYTES = 1 << 16
MAX_LAYERS = 2
"""So many times a file may be packed; one that is packed more often is left as it is then."""


class ByteSource:
    """One file of a log.

    Attributes
    ----------
    path : the file; of a member of an archive its place there, which nothing opens
    name : its name without those of folders and archives
    damage : what is wrong with its packing; None as long as `head` or `chunks` met nothing
    """

    def __init__(
        self,
        path: Path,
        *,
        opened: Callable[[], IO[bytes]] | None = None,
        on_read: Callable[[int], None] = no_progress,
        should_stop: Callable[[], bool] = never_stop,
        budget: ImportBudget | None = None,
        name: str = "",
    ) -> None:
        self.path, self.name = path, PurePosixPath(name).name or path.name
        self.damage: Problem | None = None
        self._opened = opened
        self._packed_bytes = 0
        self._on_read = on_read
        self._should_stop = should_stop
        self._budget = budget or ImportBudget(math.inf)

    def head(self, size: int) -> bytes:
        """Return up to `size` unpacked bytes from the beginning, without counting them as progress."""
        quiet = ByteSource(self.path, opened=self._opened)
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
        for piece in self._layers(self._packed()):
            try:
                self._budget.take(piece)
            except OverBudget as problem:
                self.damage = Problem("", "", f"{problem}; what follows is left out")
                return
            yield piece

    def _packed(self) -> Iterator[bytes]:
        try:
            with self.path.open("rb") if self._opened is None else self._opened() as file:
                while chunk := file.read(PACKED_BYTES):
                    if self._should_stop():
                        raise Cancelled(f"import of {self.path.name} stopped")
                    self._packed_bytes += len(chunk)
                    self._on_read(len(chunk))
                    yield chunk
        except BadMember as problem:
            self.damage = Problem("", "", str(problem))
        except OSError as problem:
            raise InputError(f"{self.path}: cannot be read ({problem.strerror or problem})") from problem

    def _layers(self, pieces: Iterator[bytes], layers: int = MAX_LAYERS) -> Iterator[bytes]:
        """Unpack what is packed, and what is then packed once more."""
        first = next((piece for piece in pieces if piece), b"")
        packing = packing_of(first)
        pieces = chain([first], pieces)
        if packing is None or not layers:
            return pieces
        return self._layers(self._unpacked(packing, pieces), layers - 1)

    def _unpacked(self, packing: Packing, packed: Iterator[bytes]) -> Iterator[bytes]:
        """Unpack as much as a log may have; a little file may hold a lot."""
        budget = UnpackingBudget(MAX_LOG_BYTES, FREE_UNPACKED_LOG_BYTES)
        for piece in packing.unpack(packed):
            if isinstance(piece, Problem):
                self.damage = self.damage or piece
                return
            try:
                budget.take(len(piece), self._packed_bytes)
            except OverBudget as problem:
                self.damage = Problem(packing.name, "", f"{problem}; what follows is left out")
                return
            yield piece


MAX_DAMAGED = 1000
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


class Lines(NamedTuple):
    """Some lines of a file without their ends.

    Attributes
    ----------
    numbers : of each, counted from 1
    data : their bytes
    """

    numbers: Sequence[int]
    data: Sequence[bytes]

    def at(self, some: slice) -> Lines:
        """Return the lines at these places."""
        return Lines(self.numbers[some], self.data[some])

    def where(self, is_wanted: Callable[[bytes], object]) -> Lines:
        """Return the lines of which something is true."""
        wanted = [bool(is_wanted(line)) for line in self.data]
        if all(wanted):
            return self
        return Lines(list(compress(self.numbers, wanted)), list(compress(self.data, wanted)))

    @property
    def texts(self) -> list[str]:
        """The lines as text; bytes that are no UTF-8 are kept as lone surrogates."""
        return b"\n".join(self.data).decode("utf-8", "surrogateescape").split("\n")


def text_lines(chunks: Iterable[bytes], number: int = 1) -> Iterator[Line | Problem]:
    """Yield the lines of a file, and a `Problem` in the place of each that is longer than `LONGEST_LINE`.

    `number` is that of the first line.
    """
    for lines in _lines(chunks, number):
        if isinstance(lines, Lines):
            yield from map(Line, *lines)
        else:
            yield lines


def _lines(chunks: Iterable[bytes], number: int = 1) -> Iterator[Lines | Line | Problem]:
    """Yield the lines of a file, those of one chunk together; a last one without an end as `Line`.

    `number` is that of the first line.
    """
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        held.append(first)
        size += len(first)
        if others:
            yield _line(number, held, size)
            last = others.pop()
            if b"\r" in chunk:
                others = [data.removesuffix(b"\r") for data in others]
            yield Lines(range(number + 1, number + 1 + len(others)), others)
            number += len(others) + 1
            held, size = [last], len(last)
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


LINES_AT_ONCE = 1 << 12


def line_batches(chunks: Iterable[bytes], number: int = 1) -> Iterator[Lines | Problem]:
    """Yield the lines of a file that are not blank, many at once, and a `Problem` for each long one.

    `number` is that of the first line.
    """
    for lines in _lines(chunks, number):
        if isinstance(lines, Problem):
            yield lines
            continue
        found = Lines([lines.number], [lines.data]) if isinstance(lines, Line) else lines
        found = found.where(bytes.strip)
        for begin in range(0, len(found.data), LINES_AT_ONCE):
            yield found.at(slice(begin, begin + LINES_AT_ONCE))


BLOCK_BYTES = 1 << 19
"""Of whole lines, which may be parsed at once."""


class LineBlock(NamedTuple):
    """Neighbouring lines of a file.

    Attributes
    ----------
    number : of the first one, counted from 1
    data : their bytes; whole lines, but for the last one of the file, which may have no end
    rest : what follows in the file where `data` has a line without an end that is very long
    """

    number: int
    data: bytes
    rest: Iterable[bytes] = ()

    def batches(self) -> Iterator[Lines | Problem]:
        """Yield the lines that are not blank, many at once, and a `Problem` for each long one."""
        return line_batches(chain([self.data], self.rest), self.number)


def line_blocks(chunks: Iterable[bytes]) -> Iterator[LineBlock]:
    """Yield the lines of a file in blocks of about `BLOCK_BYTES`, from a very long line on all at once."""
    number, size = 1, 0
    held: list[bytes] = []
    pieces = iter(chunks)
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        end = piece.rfind(b"\n") + 1 if size >= BLOCK_BYTES else 0
        if end:
            held[-1] = piece[:end]
            data = b"".join(held)
            yield LineBlock(number, data)
            number += data.count(b"\n")
            held = [piece[end:]]
            size = len(held[0])
        elif size > LONGEST_LINE:
            yield LineBlock(number, b"".join(held), pieces)
            return
    if size:
        yield LineBlock(number, b"".join(held))


def taken_in_blocks(
    blocks: Iterable[LineBlock],
    take_block: Callable[[bytes], bool],
    take: Callable[[Lines], Iterable[Found] | str],
    wanted: Callable[[Iterator[Lines | Problem]], Iterator[Lines | Problem]] = iter,
) -> Iterator[Found | Problem]:
    """Yield what is found in the lines of a file, and a `Problem` for each line that is refused.

    Parameters
    ----------
    blocks : its lines
    take_block : takes all lines of a block, in which nothing more is found, or none and returns False
    take : takes lines of such a block, as in `taken`
    wanted : which of its lines `take` is given
    """
    for block in blocks:
        if block.rest or not take_block(block.data):
            yield from taken(wanted(block.batches()), take)


def taken(
    batches: Iterable[Lines | Problem], take: Callable[[Lines], Iterable[Found] | str]
) -> Iterator[Found | Problem]:
    """Yield what `take` finds in lines, and a `Problem` for each line that it refuses.

    Parameters
    ----------
    batches : as `line_batches` gives them; their problems are passed on
    take : takes all lines, or none and returns what is wrong with one of them
    """
    for lines in batches:
        if isinstance(lines, Problem):
            yield lines
        elif lines.data:
            yield from _taken(lines, take)


def _taken(lines: Lines, take: Callable[[Lines], Iterable[Found] | str]) -> Iterator[Found | Problem]:
    found = take(lines)
    half = len(lines.data) // 2
    if not isinstance(found, str):
        yield from found
    elif half:  # the halves show which it is
        yield from _taken(lines.at(slice(half)), take)
        yield from _taken(lines.at(slice(half, None)), take)
    else:
        yield Problem(f"line {lines.numbers[0]}", shorten(lines.texts[0][:60]), found)


def until_noise(found: Iterable[Found | Problem]) -> Iterator[Found | Problem]:
    """Yield what is found in a file until `MAX_DAMAGED` places of it are damaged; then report and end."""
    damaged = 0
    for each in found:
        yield each
        damaged += isinstance(each, Problem)
        if damaged == MAX_DAMAGED:
            yield Problem("", "", f"{MAX_DAMAGED} places are damaged; the rest is left out")
            return

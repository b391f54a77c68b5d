"""The records of a JobTracker history: ``Type KEY="value" KEY="value" .``, also over several lines.

A record ends where its quotes do, at the end of a line: the stack trace in an ``ERROR`` holds line ends.
Hadoop 0.18 writes no dot behind it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from core.logs.json_stream import MOST_DAMAGED
from core.logs.text_lines import Line, text_lines
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BEGINNING = re.compile(
    rb'(?:Meta VERSION|Job JOBID|Task TASKID|Task TASK_TYPE|(?:Map|Reduce)Attempt TASK(?:_TYPE|ID))="'
)
"""How a record begins, at the beginning of a line."""
PART = re.compile(rb"[\x0c$]*!!FILE=[^\r\n]*!!")
"""The line before each of several logs in one file."""
LONGEST_RECORD = 1 << 24
"""Bytes; a record whose quotes are still open then is given up."""

_QUOTES = re.compile(rb'\\.|(")', re.DOTALL)
_FIELD = re.compile(r' ([A-Z_]+)="([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_ENDS = re.compile(r" *\.? *")


class TrackerRecord(NamedTuple):
    """One record: the line it begins on, its type, and its values as they stand, with their escapes."""

    line: int
    type: str
    fields: dict[str, str]


class EndOfPart(NamedTuple):
    """The end of one log in the file."""


def records(chunks: Iterable[bytes]) -> Iterator[TrackerRecord | EndOfPart | Problem]:
    """Yield every record, a `Problem` in the place of each that is damaged, and the end of each log."""
    damaged = 0
    for answer in _answers(chunks):
        yield answer
        damaged += isinstance(answer, Problem)
        if damaged == MOST_DAMAGED:
            yield Problem("", "", f"{MOST_DAMAGED} places are damaged; the rest is left out")
            yield EndOfPart()
            return


def _answers(chunks: Iterable[bytes]) -> Iterator[TrackerRecord | EndOfPart | Problem]:
    open_record = _OpenRecord()
    is_foreign = False  # in a part that is a configuration
    for line in text_lines(chunks):
        if isinstance(line, Problem):
            yield from open_record.close()
            yield line
        elif BEGINNING.match(line.data):
            yield from open_record.close()
            is_foreign = False
            yield from open_record.begin(line)
        elif PART.match(line.data):
            yield from open_record.close()
            yield EndOfPart()
            is_foreign = False
        elif open_record.is_open:
            yield from open_record.go_on(line)
        else:
            is_foreign |= line.data.lstrip().startswith(b"<")
            if line.data.strip() and not is_foreign:
                yield _damage(line.number, line.text, "not a record of a job, task or attempt")
    yield from open_record.close()
    yield EndOfPart()


class _OpenRecord:
    """A record whose last line has perhaps not come yet."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._size = 0
        self._number = 0
        self.is_open = False

    def begin(self, line: Line) -> Iterator[TrackerRecord | Problem]:
        """Take the first line; a record that ends on it is yielded."""
        self._number = line.number
        yield from self.go_on(line)

    def go_on(self, line: Line) -> Iterator[TrackerRecord | Problem]:
        """Take another line; a record that ends on it is yielded."""
        self._lines.append(line.data)
        self._size += len(line.data)
        quotes = sum(map(bool, _QUOTES.findall(line.data)))
        self.is_open ^= quotes % 2 == 1
        if not self.is_open or self._size > LONGEST_RECORD:
            yield from self.close()

    def close(self) -> Iterator[TrackerRecord | Problem]:
        """Yield what was taken as a record, or as damage if it is none."""
        if self._lines:
            text = b"\n".join(self._lines).decode("utf-8", "surrogateescape")
            yield _record(self._number, text)
        self._lines.clear()
        self._size, self.is_open = 0, False


def _record(number: int, text: str) -> TrackerRecord | Problem:
    kind, _, _ = text.partition(" ")
    position = len(kind)
    fields = {}
    while found := _FIELD.match(text, position):
        fields[found.group(1)] = found.group(2)
        position = found.end()
    if _ENDS.fullmatch(text, position):
        return TrackerRecord(number, kind, fields)
    return _damage(number, text, f"damaged or cut short behind its character {position}")


def _damage(number: int, text: str, reason: str) -> Problem:
    return Problem(f"line {number}", shorten(text[:60]), f"{reason}; it is left out")

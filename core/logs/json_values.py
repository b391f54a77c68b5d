"""Decode the JSON values of a file: one after the other over many lines each, or one object on each line.

What does not decode is answered with a `Problem`. Of values over many lines, the buffer holds little more
than the largest. A damaged one is reported by line and byte, and decoding goes on at the next place where a
top-level object can begin.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from core.logs.byte_source import MAX_DAMAGED, Line, text_lines, until_noise
from core.model.errors import Problem, shorten
from core.model.json_pieces import PIECE, TooMuch, cuts_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


Fields = dict[str, Any]  # a JSON object: its values may be anything, also what the format forbids

LARGEST_VALUE = 1 << 28
"""Characters; one value that is longer is given up."""
DEEPEST = 1 << 30
"""Levels of lists and objects that are counted; the parser itself gives up long before."""
LONGEST_TOKEN = 12
"""An error this close to the buffer's end may be a token cut in two (``-Infinity``, ``\\ud83d``)."""

_BLANK = re.compile(r"[\s\ufeff]*")
# in an array or object a comma or colon comes before a brace, so these begin a top-level object;
# one blank at most, because deeper ones are indented
_NEXT_OBJECT = re.compile(r"(?:\n[ \t]?|\}\s*)(?=\{)")
_DECODER = json.JSONDecoder()


class Decoded(NamedTuple):
    """One top-level value and the line it begins on, counted from 1."""

    line: int
    value: Any  # whatever JSON holds


class _Failure(NamedTuple):
    """Why a value did not decode: the reason, and where in the buffer it was noticed."""

    reason: str
    position: int
    is_open: bool


def decode_values(chunks: Iterable[bytes]) -> Iterator[Decoded | Problem]:
    """Yield every top-level value, and a `Problem` for each place that does not decode."""
    buffer = _Buffer(chunks)
    damaged = 0
    while buffer.skip_blank():
        answer = buffer.decode()
        if isinstance(answer, Decoded):
            yield answer
            continue
        damaged += 1
        yield buffer.problem(answer)
        if answer.is_open:
            return
        if damaged == MAX_DAMAGED:
            yield Problem(
                f"line {buffer.line}", "", f"{MAX_DAMAGED} places are damaged; the rest is left out"
            )
            return
        buffer.skip_to_next_object(answer.position)


class _Buffer:
    """Text read and not yet decoded, and how many lines and bytes lie before it."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._text = ""
        self._position = 0
        self._cut = b""
        self._bytes_before = 0
        self._has_ended = False
        self.line = 1

    def skip_blank(self) -> bool:
        """Go to the next thing that is not blank; False at the end of the file."""
        while True:
            blank = _BLANK.match(self._text, self._position)
            self._advance(blank.end() if blank else self._position)
            if self._position < len(self._text):
                return True
            if not self._grow():
                return False

    def decode(self) -> Decoded | _Failure:
        """Decode the value that begins here and go behind it; on failure stay."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._position)
            except (ValueError, RecursionError) as error:
                failure = self._failure(error)
            else:
                decoded = Decoded(self.line, value)
                self._advance(end)
                return decoded
            if self._has_ended or not failure.is_open:
                return failure
            if not self._grow() and not self._has_ended:
                reason = f"an object is longer than {LARGEST_VALUE} characters"
                return failure._replace(reason=reason)
            try:
                if len(self._text) > PIECE:
                    cuts_in(self._text.encode("utf-8", "surrogateescape"), DEEPEST)
            except TooMuch as error:
                return failure._replace(reason=str(error))

    def problem(self, failure: _Failure) -> Problem:
        """Report where the value that begins here fails."""
        line = self.line + self._text.count("\n", self._position, failure.position)
        byte = self._bytes_before + _size(self._text[: failure.position])
        found = "" if failure.is_open else shorten(self._text[failure.position : failure.position + 20])
        rule = f"{failure.reason}; the object that begins on line {self.line} is left out"
        return Problem(f"line {line}, byte {byte}", found, rule)

    def skip_to_next_object(self, position: int) -> None:
        """Go to the next place from `position` on where a top-level object can begin, or to the end."""
        # the error may have been noticed at the very brace that begins the next object
        self._advance(max(self._position + 1, position - 2))
        while not (found := _NEXT_OBJECT.search(self._text, self._position)):
            self._advance(max(self._position, len(self._text) - LONGEST_TOKEN))
            if not self._grow():
                self._advance(len(self._text))
                return
        self._advance(found.end())

    def _failure(self, error: Exception) -> _Failure:
        if not isinstance(error, json.JSONDecodeError):
            reason = "too deeply nested" if isinstance(error, RecursionError) else "a number is too long"
            return _Failure(reason, self._position, is_open=False)
        if self._has_ended:
            is_open = not self._text[error.pos :].strip()
        else:
            is_open = error.pos >= len(self._text) - LONGEST_TOKEN
        is_open |= error.msg.startswith("Unterminated string")
        reason = "the file ends inside an object" if is_open else f"not JSON ({error.msg})"
        return _Failure(reason, error.pos, is_open)

    def _advance(self, position: int) -> None:
        self.line += self._text.count("\n", self._position, position)
        self._position = position

    def _grow(self) -> bool:
        """Read until the text not yet decoded is twice as long; False if there is no more.

        Doubling keeps the cost of decoding a long value again and again in proportion to its length.
        """
        self._bytes_before += _size(self._text[: self._position])
        rest = self._text[self._position :]
        parts, size = [rest], len(rest)
        while size <= 2 * len(rest) and not self._has_ended and size < LARGEST_VALUE:
            parts.append(self._next_text())
            size += len(parts[-1])
        self._text, self._position = "".join(parts), 0
        return size > len(rest)

    def _next_text(self) -> str:
        chunk = next(self._chunks, None)
        self._has_ended = chunk is None
        data = self._cut + (chunk or b"")
        # a character of several bytes may lie across the border of two chunks
        whole = len(data) if self._has_ended else _whole_characters(data)
        self._cut = data[whole:]
        return data[:whole].decode("utf-8", "surrogateescape")


def _whole_characters(data: bytes) -> int:
    """Return the length of `data` without the beginning of a last character that is cut."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:
            needed = 2 + (byte >= 0xE0) + (byte >= 0xF0)
            return len(data) - back if back < needed else len(data)
        if byte < 0x80:
            break
    return len(data)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def decode_lines(
    chunks: Iterable[bytes], is_wanted: Callable[[bytes], bool] | None = None
) -> Iterator[Decoded | Problem]:
    """Yield the object of every line that is not blank.

    Parameters
    ----------
    chunks : the bytes of a file
    is_wanted : whether a line, not decoded yet, is of use; any other is passed over, but for a last one
        without an end, which may be cut
    """

    def decoded() -> Iterator[Decoded | Problem]:
        for line in text_lines(chunks):
            if isinstance(line, Problem):
                yield line
                continue
            data = line.data.strip(b" \t\xef\xbb\xbf")
            if data and (is_wanted is None or not line.is_whole or is_wanted(data)):
                yield _decode(line, data)

    return until_noise(decoded())


def objects_in(value: object) -> list[Fields]:
    """Return the objects of a list; whatever else is in it, or no list at all, gives nothing."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def fields_of(value: object) -> Fields:
    """Return an object, also one that is written as text; whatever else there is gives an empty one."""
    if isinstance(value, str) and value[:1] == "{":
        decoded = _decode(Line(0, b""), value.encode("utf-8", "surrogatepass"))
        value = decoded.value if isinstance(decoded, Decoded) else None
    return value if isinstance(value, dict) else {}


def _decode(line: Line, data: bytes) -> Decoded | Problem:
    try:
        if len(data) > PIECE:
            cuts_in(data, DEEPEST)
        value = json.loads(data.decode("utf-8", "surrogateescape"))
    except RecursionError:
        reason = "too deeply nested"
    except json.JSONDecodeError as error:
        ends = (not line.is_whole and error.pos >= len(data) - 1) or error.msg.startswith("Unterminated")
        reason = "the record is cut short" if ends else f"not JSON ({error.msg})"
    except TooMuch as error:
        reason = str(error)
    except ValueError:
        reason = "a number is too long"
    else:
        if isinstance(value, dict):
            return Decoded(line.number, value)
        reason = "not a JSON object"
    return Problem(f"line {line.number}", shorten(line.text[:30]), f"{reason}; the line is left out")

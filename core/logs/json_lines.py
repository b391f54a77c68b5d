"""Decode files with one JSON object on each line; lines that do not decode are answered with a `Problem`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from core.logs.json_stream import MOST_DAMAGED, Decoded
from core.logs.text_lines import Line, text_lines
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Fields = dict[str, Any]  # a JSON object: its values may be anything, also what the format forbids


def decode_lines(
    chunks: Iterable[bytes], is_wanted: Callable[[bytes], bool] | None = None
) -> Iterator[Decoded | Problem]:
    """Yield the object of every line that is not blank.

    Parameters
    ----------
    chunks : the bytes of a file
    is_wanted : asked of each line before it is decoded; a line that is not wanted is passed over
    """
    damaged = 0
    for line in text_lines(chunks):
        if isinstance(line, Line):
            data = line.data.strip(b" \t\xef\xbb\xbf")
            if not data or (is_wanted is not None and not is_wanted(data)):
                continue
            decoded = _decode(line, data)
        else:
            decoded = line
        yield decoded
        damaged += isinstance(decoded, Problem)
        if damaged == MOST_DAMAGED:
            yield Problem("", "", f"{MOST_DAMAGED} places are damaged; the rest is left out")
            return


def objects_in(value: object) -> list[Fields]:
    """Return the objects of a list; whatever else is in it, or no list at all, gives nothing."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _decode(line: Line, data: bytes) -> Decoded | Problem:
    try:
        value = json.loads(data.decode("utf-8", "surrogateescape"))
    except RecursionError:
        reason = "too deeply nested"
    except json.JSONDecodeError as error:
        ends = (not line.is_whole and error.pos >= len(data) - 1) or error.msg.startswith("Unterminated")
        reason = "the record is cut short" if ends else f"not JSON ({error.msg})"
    except ValueError:
        reason = "a number is too long"
    else:
        if isinstance(value, dict):
            return Decoded(line.number, value)
        reason = "not a JSON object"
    return Problem(f"line {line.number}", shorten(line.text[:30]), f"{reason}; the line is left out")

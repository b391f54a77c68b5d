"""Changes of a file that leave more of it in order than changed bytes do: words, lines, values of JSON."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

TOKEN = re.compile(rb"[\w.-]+")
STRANGE_TOKENS = (
    b"",
    b"0",
    b"-1",
    b"1e400",
    b"9" * 30,
    b"9" * 5000,
    b"nan",
    b"-0.0",
    b"true",
    b"null",
    b"1e18",
    b"4294967296",
    b'"',
    b"\\",
    b"\0",
    b"\xff",
    b"\t",
    b"\n",
    b"\r",
    b"," * 9,
    b"[" * 90,
    b"x" * 3000,
    b"\xe2\x80\xae",
    b"\xed\xa0\x80",
)
STRANGE_VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    0.5,
    1e308,
    -1e308,
    10**18,
    10**400,
    2**63,
    2**31,
    5e-324,
    "",
    "\ud800",
    "x" * 3000,
    "nan",
    "1",
    "\0",
    "../../x",
    [],
    [[]],
    {},
    [None],
    {"a": 1},
)


def changed(data: bytes, random: Random) -> bytes:
    """Return a file with some words, lines or values of it changed."""
    ways: list[Callable[[bytes, Random], bytes]] = [_words, _words, _lines, _values, _values]
    return random.choice(ways)(data, random)


def _words(data: bytes, random: Random) -> bytes:
    tokens = list(TOKEN.finditer(data))
    if not tokens:
        return data
    chosen = {token.start(): token for token in random.choices(tokens, k=random.randint(1, 4))}
    for start in sorted(chosen, reverse=True):
        new = random.choice(STRANGE_TOKENS) if random.random() < 0.5 else random.choice(tokens)[0]
        data = data[:start] + new + data[chosen[start].end() :]
    return data


def _lines(data: bytes, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    for _ in range(random.randint(1, 3)):
        begin = random.randrange(len(lines))
        end = min(len(lines), begin + random.randint(1, 4))
        piece = lines[begin:end] * random.choice((0, 1, 2, 5))
        if random.random() < 0.5:
            lines[begin:end] = piece
        else:
            place = random.randint(0, len(lines))
            lines[place:place] = piece
        lines = lines or [b"\n"]
    return b"".join(lines)


def _values(data: bytes, random: Random) -> bytes:
    """Change values of a JSON document, or of one of its lines."""
    begin, end, document = _json_in(data, random)
    places = list(_places(document))
    if not places:
        return _words(data, random)
    for _ in range(random.randint(1, 3)):
        holder, key = random.choice(places)
        if random.random() < 0.2:
            _forget(holder, key)
        elif not isinstance(holder, list) or key < len(holder):
            other, of = random.choice(places)
            new = random.choice(STRANGE_VALUES)
            if random.random() < 0.5 and not (isinstance(other, list) and of >= len(other)):
                new = other.get(of) if isinstance(other, dict) else other[of]
            holder[key] = new
    try:
        return data[:begin] + json.dumps(document).encode() + data[end:]
    except (ValueError, RecursionError):  # a value that was put into itself
        return data


def _forget(holder: Any, key: Any) -> None:
    if isinstance(holder, dict):
        holder.pop(key, None)
    elif key < len(holder):
        del holder[key]


def _json_in(data: bytes, random: Random) -> tuple[int, int, Any]:
    """Return where JSON is in a file, and what it says; None where there is none."""
    spans = [(0, len(data))]
    begins = [0, *(found.end() for found in re.finditer(rb"\n", data))]
    for begin in random.choices(begins, k=3):
        brace = data.find(b"{", begin)
        end = data.find(b"\n", brace)
        if brace >= 0:
            spans.append((brace, len(data) if end < 0 else end))
    for begin, end in spans:
        try:
            return begin, end, json.loads(data[begin:end].rstrip(b"\1"))
        except (ValueError, RecursionError):
            continue
    return 0, 0, None


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every value inside another as what holds it and its key or place there."""
    stack = [value]
    while stack:
        holder = stack.pop()
        keys = holder if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
        for key in keys:
            yield holder, key
            stack.append(holder[key])

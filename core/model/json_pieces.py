"""Large JSON: what it would cost is counted before anything is built, and it is built a piece at a time.

Counting looks at brackets, quotes and commas only, some 200 MB a second. The parser of Python holds its lock
until it is done, 2 seconds for 100 MiB; between pieces whoever else waits for the lock, the window above all,
has its turn. A piece ends at a comma; it becomes JSON by itself with the brackets that are open there.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.model.limits import MAX_DEPTH, MAX_LISTS, MAX_TEXTS, MAX_VALUES
from core.model.number_text import grouped
from core.model.progress import no_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Pairs = Callable[[list[tuple[str, Any]]], dict[str, Any]]
    Check = Callable[[float], None]

PIECE = 1 << 18
"""Bytes that are parsed without a pause, in some 3 ms; what is shorter is taken whole."""
COUNTED = 0.3
"""Part of the time that counting takes, before anything is built."""

QUOTE, LIST, OBJECT, END, COMMA, COLON = range(1, 7)
_KINDS = np.zeros(256, np.uint8)
_KINDS[np.frombuffer(b'"[{]},:', np.uint8)] = (QUOTE, LIST, OBJECT, END, END, COMMA, COLON)
_STEPS = np.array([0, 0, 1, 1, -1, 0, 0], np.int64)
_ESCAPED = re.compile(rb"\\.", re.DOTALL)

_GOES_ON = "\0"
"""Key of an object's value that an earlier piece has begun; a document that has it is no document."""
_BEGIN = {LIST: b"[", OBJECT: b'{"\\u0000":'}
_END = {LIST: b"]", OBJECT: b"}"}


class TooMuch(ValueError):
    """JSON that would take too much memory or time: at which byte, what there is, and what is allowed.

    Attributes
    ----------
    byte : where that was noticed
    found, rule : what there is, and at most how much of it there may be
    """

    def __init__(self, byte: int, found: str, rule: str) -> None:
        super().__init__(f"{found}; {rule}")
        self.byte, self.found, self.rule = byte, found, rule


class Cut(NamedTuple):
    """A place between two pieces.

    Attributes
    ----------
    byte : where the comma stands
    is_open : the lists and objects that are open there, the outermost first
    """

    byte: int
    is_open: tuple[int, ...]


def cuts_in(data: bytes, deepest: int = MAX_DEPTH, check: Check = no_progress) -> list[Cut]:
    """Return where JSON may be cut, about each `PIECE` bytes; `check` gets the fraction that is looked at.

    Raises
    ------
    TooMuch
        it is nested too deeply, or has too many values, lists and objects, or texts
    """
    outline = _Outline(deepest)
    begin = 0
    while begin < len(data):
        end = min(begin + PIECE, len(data))
        end += (end - begin - len(data[begin:end].rstrip(b"\\"))) % 2  # an escape stays whole
        outline.take(data[begin:end], begin)
        check(end / len(data))
        begin = end
    return outline.cuts


class _Outline:
    """Brackets, quotes and commas of JSON, block by block."""

    def __init__(self, deepest: int) -> None:
        self._deepest = deepest
        self.cuts: list[Cut] = []
        self._depth, self._is_inside_text = 0, False
        self._open = [0] * (MAX_DEPTH + 1)
        self._counts = np.zeros(len(_STEPS), np.int64)

    def take(self, block: bytes, begin: int) -> None:
        """Look at the next block, which begins at a byte of the whole."""
        if b"\\" in block:
            block = _ESCAPED.sub(b"  ", block)
        kinds = _KINDS[np.frombuffer(block, np.uint8)]
        at = np.flatnonzero(kinds)
        kinds = kinds[at]
        is_quote = kinds == QUOTE
        is_inside = (np.cumsum(is_quote) + self._is_inside_text) % 2 == 1
        self._is_inside_text = bool(is_inside[-1]) if len(at) else self._is_inside_text
        self._counts[QUOTE] += np.count_nonzero(is_quote)
        at, kinds = at[~is_quote & ~is_inside], kinds[~is_quote & ~is_inside]
        self._counts += np.bincount(kinds, minlength=len(_STEPS))
        depth = self._depth + np.cumsum(_STEPS[kinds])
        self._check(begin, int(depth.max(initial=0)))
        commas = np.flatnonzero(kinds == COMMA)
        if len(commas) and 1 <= depth[commas[-1]] <= MAX_DEPTH and depth.min() >= 0:
            last = commas[-1]
            self._note_open(kinds[:last], depth[:last])
            self.cuts.append(Cut(begin + int(at[last]), tuple(self._open[1 : depth[last] + 1])))
        self._note_open(kinds, depth)
        self._depth = int(depth[-1]) if len(depth) else self._depth

    def _note_open(self, kinds: NDArray[np.uint8], depth: NDArray[np.int64]) -> None:
        begins = np.flatnonzero((kinds == LIST) | (kinds == OBJECT))
        for level in range(1, min(MAX_DEPTH, int(depth[begins].max(initial=0))) + 1):
            of_level = begins[depth[begins] == level]
            if len(of_level):
                self._open[level] = int(kinds[of_level[-1]])

    def _check(self, byte: int, depth: int) -> None:
        counts = self._counts
        lists = int(counts[LIST] + counts[OBJECT])
        for found, most, what in (
            (depth, self._deepest, "levels of lists and objects inside one another"),
            (lists, MAX_LISTS, "lists and objects"),
            (int(counts[COMMA]) + lists, MAX_VALUES, "values"),
            (int(counts[QUOTE] // 2 - counts[COLON]), MAX_TEXTS, "texts"),
        ):
            if found > most:
                raise TooMuch(
                    byte, f"{grouped(found)} {what} or more", f"there may be {grouped(most)} at most"
                )


def loads(data: bytes, pairs: Pairs | None = None, check: Check = no_progress) -> Any:  # JSON is any value
    """Return the JSON value in UTF-8 text, giving the lock back now and then.

    `check` gets the fraction that is done after each piece; what it raises ends the reading.

    Raises
    ------
    TooMuch
        as `cuts_in` says
    ValueError
        it is no JSON, has NaN or Infinity, or a key stands twice; where, the parser of the whole can tell
    """
    if len(data) <= PIECE:
        return _decode(data, pairs)
    root: Any = None
    is_open: tuple[int, ...] = ()
    spine: list[Any] = []
    begin = 0
    cuts = cuts_in(data, check=lambda looked_at: check(COUNTED * looked_at))
    for cut in (*cuts, Cut(len(data), ())):
        before = b"".join(map(_BEGIN.__getitem__, is_open)) + b"0" * bool(is_open)
        after = b"".join(map(_END.__getitem__, reversed(cut.is_open)))
        text = data[begin : cut.byte]
        if cut.is_open and text.rstrip(b" \t\r\n").endswith((b"[", b"{")):
            raise ValueError("a comma follows on no value")
        piece = _decode(before + text + after, pairs)
        root = _joined(spine, piece) if spine else piece
        spine = _spine(root, len(cut.is_open))
        begin, is_open = cut.byte, cut.is_open
        check(COUNTED + (1.0 - COUNTED) * begin / len(data))
    return root


def _decode(data: bytes, pairs: Pairs | None) -> Any:
    return json.loads(str(data, "utf-8"), object_pairs_hook=pairs, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number that JSON knows")


def _joined(spine: Sequence[Any], piece: Any) -> Any:
    """Add to each list and object that was open what a piece has behind the value that was begun in it."""
    for container in spine:
        if isinstance(container, list):
            piece, rest = piece[0], piece
            del rest[0]
            container.extend(rest)
        else:
            piece, rest = piece.pop(_GOES_ON), piece
            if container.keys() & rest.keys():
                raise ValueError("a key stands there twice")
            container.update(rest)
    return spine[0]


def _spine(root: Any, depth: int) -> list[Any]:
    """Return the lists and objects that are open at the end, the outermost first."""
    spine = [root] if depth else []
    while len(spine) < depth:
        last = spine[-1]
        spine.append(last[-1] if isinstance(last, list) else next(reversed(last.values())))
    return spine

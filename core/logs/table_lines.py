"""The lines of a table as cells: between commas, semicolons, tabs or bars, or a JSON object on each line."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from core.logs.broken_rows import in_lines
from core.logs.column_map import place_of
from core.logs.logged_job import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

OBJECTS = "{"
"""Stands for the delimiter where each line is a JSON object."""
DELIMITERS = {
    ",": "commas",
    ";": "semicolons",
    "\t": "tabs",
    "|": "bars",
    OBJECTS: "lines of JSON",
}
_SEPARATORS = tuple(each for each in DELIMITERS if each != OBJECTS)
_LONGEST = 1 << 16
"""Characters of a header; what follows is ignored."""
FEWEST_COLUMNS = 3
"""Columns of a table of tasks: job, start, end."""
_LOOKED_AT = 20
"""Rows of which most must be as wide as the header before a file is taken for a table."""
MAX_ROW = 1 << 20
"""Characters of a row."""
NUMBER_OR_DATE = re.compile(r"[+-]?\d[\d.,:/T Z+-]*(?:[eE][+-]?\d+)?\Z")


class TableShape(NamedTuple):
    """How a table is written.

    Attributes
    ----------
    delimiter : between cells, `OBJECTS` for lines of JSON
    names : of the columns, one line each; the keys of JSON objects
    """

    delimiter: str
    names: tuple[str, ...]

    @property
    def title(self) -> str:
        """What such a file looks like."""
        if self.delimiter == OBJECTS:
            return "lines of JSON"
        return f"a table separated by {DELIMITERS[self.delimiter]}"

    @property
    def digest(self) -> str:
        """Stands for the names of the columns: another table with these has it, too."""
        names = sorted(self.names) if self.delimiter == OBJECTS else self.names
        return hashlib.sha256("\n".join(names).encode("utf-8", "replace")).hexdigest()[:32]

    def cells(self, line: str) -> list[str] | None:
        """Return the cells of a line without blanks around them; None if it cannot be taken apart."""
        if self.delimiter == OBJECTS:
            fields = _object(line)
            return None if fields is None else [_cell(fields.get(name)) for name in self.names]
        return cells_of(line, self.delimiter)


def cells_of(line: str, delimiter: str) -> list[str] | None:
    """Return the cells of a line without blanks around them; None if its quotes do not fit."""
    if '"' not in line:
        return [cell.strip() for cell in line.split(delimiter)]
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, strict=True), [])]
    except csv.Error:
        return None


def shape_of(line: str, wanted: Collection[str] = ()) -> TableShape:
    """Return how a table is written that begins with this line.

    Parameters
    ----------
    line : its header, or its first object
    wanted : names that are looked for; the delimiter that gives most of them is the right one
    """
    line = line.strip("\r\n")
    fields = _object(line) if line.lstrip().startswith("{") else None
    if fields is not None:
        names = tuple(fields)
        later = [name for name in dict.fromkeys(wanted) if place_of(name, names) is None]
        return TableShape(OBJECTS, (*names, *later))
    shapes = [TableShape(each, _names(line[:_LONGEST], each)) for each in _SEPARATORS]
    return max(shapes, key=lambda shape: (len({*shape.names}.intersection(wanted)), len(shape.names)))


def looks_like_table(head: bytes) -> TableShape | None:
    """Return how a table is written of which this is the beginning; None if it does not look like one.

    A table has a header of at least three names, none of which is a number, and rows as wide as it.
    """
    first, *rows = head_lines(head, _LOOKED_AT + 1) or [""]
    if "\0" in first:  # binary data, or text in UTF-16
        return None
    shape = shape_of(first)
    if shape.delimiter == OBJECTS:
        flat = {key: value for line in (first, *rows) for key, value in (_object(line) or {}).items()}
        shape = TableShape(OBJECTS, tuple(flat))
        if any(isinstance(value, dict | list) for value in flat.values()):
            return None
        fits = [_object(line) is not None for line in rows]
    else:
        fits = [len(shape.cells(line) or ()) == len(shape.names) for line in rows]
        if (
            any(NUMBER_OR_DATE.match(name) for name in shape.names)
            or sum(not name for name in shape.names) > 1
        ):
            return None
    is_table = len(shape.names) >= FEWEST_COLUMNS and bool(rows) and 2 * sum(fits) > len(fits)
    return shape if is_table else None


def head_lines(head: bytes, most: int) -> list[str]:
    """Return the first lines of a file that have anything in them."""
    text = in_lines(head).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return list(islice((line.rstrip("\r") for line in text.split("\n") if line.strip()), most))


def head_rows(
    head: bytes, wanted: Collection[str] = (), most: int = 200
) -> tuple[TableShape, list[list[str]]]:
    """Return how a table is written that begins so, and its first rows that are as wide as its header."""
    lines = head_lines(head, most + 1) or [""]
    shape = shape_of(lines[0], wanted)
    if shape.delimiter == OBJECTS:
        shape = looks_like_table(head) or shape_of(lines[0])
    rows = map(shape.cells, lines if shape.delimiter == OBJECTS else lines[1:])
    return shape, [cells for cells in rows if cells is not None and len(cells) == len(shape.names)]


def _names(line: str, delimiter: str) -> tuple[str, ...]:
    return tuple(map(one_line, cells_of(line, delimiter) or []))


def _object(line: str) -> dict[str, object] | None:
    """Return an object's values by its keys, each one clean line; None if the line is none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return {_key(key): each for key, each in value.items()} if isinstance(value, dict) else None


_key = lru_cache(maxsize=1 << 10)(one_line)  # the same ones come on every line


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    try:
        return json.dumps(value)
    except (ValueError, RecursionError):
        return ""


def columns_of(shape: TableShape, texts: Sequence[str]) -> list[Sequence[str]] | str:
    """Return the cells of lines by column; a text with what is wrong if one does not fit."""
    if max(map(len, texts), default=0) > MAX_ROW:
        return f"it is longer than {MAX_ROW} characters"  # each of its cells would be a text of its own
    width, delimiter = len(shape.names), shape.delimiter
    together = delimiter.join(texts)
    if delimiter == OBJECTS or '"' in together or {text.count(delimiter) for text in texts} != {width - 1}:
        rows = [shape.cells(text) for text in texts]
        for cells in rows:
            if cells is None:
                return "it is no JSON object" if delimiter == OBJECTS else "its quotes do not fit"
            if len(cells) != width:
                return f"it has {len(cells)} cells and the header {width}"
        return list(zip(*rows, strict=True))
    cells = list(map(str.strip, together.split(delimiter)))
    return [cells[place::width] for place in range(width)]

"""Rows of a table parsed many at once, by pyarrow, where nothing about them is odd.

Whatever is odd about some rows (a quote, a cell too many, a text that is no number) is left to who reads them
one by one: they know the rules, and what to say of a row that breaks one.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from core.logs.attempt_columns import MISSING

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)
_BLANKS = b" \t\r\x0b\x0c"
_LAST_CONTROL, _NEWLINE = 32, 10
CONTROLS = (b"\0", b"\xef\xbb\xbf")
"""What pyarrow may take for something else than who reads rows one by one: ends, a mark of UTF-8."""
_ODD = (b'"', *CONTROLS)
_UNKNOWN_TIMES = ("Unknown", "None")


def numbers_between_blanks(data: bytes, width: int) -> NDArray[np.float64] | None:
    """Return the numbers of whole lines, (width, lines); None where a line is anything but `width` numbers.

    Parameters
    ----------
    data : lines, in which numbers stand apart by blanks; empty ones do not count
    """
    single = _between_single_blanks(data)
    parsed = None if single is None else _parsed(single, " ", width, (), range(width))
    if parsed is None:
        return None
    if not parsed.num_rows:
        return np.zeros((width, 0))
    numbers = np.array([_values(column.chunk(0), np.float64) for column in parsed.columns])
    return numbers if np.isfinite(numbers).all() else None


def _between_single_blanks(data: bytes) -> Any | None:  # Any: a buffer
    """Return lines with one space between words and none around them; None if there are other controls."""
    text = np.frombuffer(data, np.uint8)
    is_word = text > _LAST_CONTROL
    controls = text[~is_word]
    if not np.isin(controls, np.frombuffer(_BLANKS + b"\n", np.uint8)).all():
        return None
    is_end = text == _NEWLINE
    kept = is_word | is_end
    kept[1:] |= is_word[:-1]  # the first blank behind a word
    text = text[kept]
    is_blank = (text <= _LAST_CONTROL) & (text != _NEWLINE)
    kept = ~is_blank
    kept[:-1] |= text[1:] != _NEWLINE
    return np.where(is_blank, np.uint8(_LAST_CONTROL), text)[kept]


class CodedCells(NamedTuple):
    """The cells of a column: which of some different texts each is, int32 (rows,)."""

    which: NDArray[np.int32]
    texts: list[str]


class PlainCells:
    """Rows of a table by column.

    Attributes
    ----------
    count : how many rows there are
    """

    def __init__(self, table: Any) -> None:
        self.count: int = table.num_rows
        self._table = table

    def coded(self, place: int) -> CodedCells:
        """Return the cells of a column of texts without blanks around them."""
        cells = self._table.column(str(place)).chunk(0)
        return CodedCells(
            _values(cells.indices, np.int32), list(map(str.strip, cells.dictionary.to_pylist()))
        )

    def texts(self, place: int) -> list[str]:
        """Return the cells of a column of texts without blanks around them, one by one."""
        which, texts = self.coded(place)
        return list(map(texts.__getitem__, which.tolist()))

    def numbers(self, place: int) -> NDArray[np.float64] | None:
        """Return a column of numbers, nan for empty cells; None where another one is not finite."""
        cells = self._table.column(str(place)).chunk(0)
        numbers, is_given = _values(cells, np.float64), _is_given(cells)
        if is_given is not None:
            return np.where(is_given, numbers, np.nan) if np.isfinite(numbers[is_given]).all() else None
        return numbers if np.isfinite(numbers).all() else None

    def times(self, place: int) -> NDArray[np.int64]:
        """Return a column of times, ms since 1970; `MISSING` where none is known."""
        cells = self._table.column(str(place)).chunk(0)
        times, is_given = 1000 * _values(cells, np.int64), _is_given(cells)
        return times if is_given is None else np.where(is_given, times, MISSING)


def _is_given(cells: Any) -> NDArray[np.bool_] | None:
    """Return which cells have a value; None where all have one."""
    if not cells.null_count:
        return None
    bits = np.frombuffer(cells.buffers()[0], np.uint8)
    return np.unpackbits(bits, bitorder="little")[: len(cells)].astype(np.bool_)


def _values(cells: Any, dtype: type[Number]) -> NDArray[Number]:
    """Return the values of an array of pyarrow; its own `to_numpy` loads pandas, which takes 50 MB."""
    return np.frombuffer(cells.buffers()[1], dtype, len(cells), cells.offset * np.dtype(dtype).itemsize)


def cells_between(
    data: bytes,
    delimiter: str,
    width: int,
    texts: Collection[int],
    numbers: Collection[int],
    times: Collection[int] = (),
    odd: Collection[bytes] = _ODD,
) -> PlainCells | None:
    """Return the cells of whole lines; None where something about them is odd.

    Parameters
    ----------
    data : lines; empty ones do not count
    width : how many cells each line has
    texts, numbers, times : places of the columns that are needed; times are such as 2024-05-31T23:59:59
    odd : what is odd wherever it stands, by default quotes as well
    """
    has_odd_ends = data.count(b"\r") != data.count(b"\r\n")
    if width < 2 or has_odd_ends or any(sign in data for sign in odd):
        return None
    table = _parsed(data, delimiter, width, texts, numbers, times)
    return None if table is None else PlainCells(table)


def _parsed(
    data: Any,  # Any: a buffer
    delimiter: str,
    width: int,
    texts: Collection[int],
    numbers: Collection[int],
    times: Collection[int] = (),
) -> Any | None:  # Any: a table of pyarrow
    """Return these columns of rows as one chunk: texts by number, numbers and times, null for an empty cell.

    None where a row is not as wide, or has no number where one belongs.
    """
    import pyarrow as pa  # takes 30 MB and a tenth of a second, and most logs are no tables
    from pyarrow import csv

    names = list(map(str, range(width)))
    types = {
        **{names[place]: pa.dictionary(pa.int32(), pa.string()) for place in texts},
        **{names[place]: pa.float64() for place in numbers},
        **{names[place]: pa.timestamp("s") for place in times},
    }
    nothing = ["", *(_UNKNOWN_TIMES if times else ())]
    with suppress(pa.ArrowInvalid):
        return csv.read_csv(
            pa.BufferReader(pa.py_buffer(data)),
            csv.ReadOptions(use_threads=False, column_names=names, block_size=len(data) + 1),
            csv.ParseOptions(delimiter=delimiter, quote_char=False, double_quote=False),
            csv.ConvertOptions(column_types=types, include_columns=list(types), null_values=nothing),
            memory_pool=pa.system_memory_pool(),
        )
    return None

"""Rows of a table parsed many at once, by pyarrow, where nothing about them is odd.

Whatever is odd about some rows (a quote, a cell too many, a text that is no number) is left to who reads them
one by one: they know the rules, and what to say of a row that breaks one.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

_BLANKS = b" \t\r\x0b\x0c"
_LAST_CONTROL, _NEWLINE = 32, 10


def numbers_between_blanks(data: bytes, width: int) -> NDArray[np.float64] | None:
    """Return the numbers of whole lines, (width, lines); None where a line is anything but `width` numbers.

    Parameters
    ----------
    data : lines, in which numbers stand apart by blanks; empty ones do not count
    """
    single = _between_single_blanks(data)
    parsed = None if single is None else _parsed(single, " ", width, range(width))
    if parsed is None:
        return None
    numbers = np.array([column.to_numpy() for column in parsed.columns])
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


def _parsed(data: Any, delimiter: str, width: int, numbers: Collection[int]) -> Any | None:
    """Return rows as a table of pyarrow: numbers in these columns, texts by their different values in others.

    None where a row is not as wide, or has no number where one belongs.
    """
    import pyarrow as pa  # takes 30 MB and a tenth of a second, and most logs are no tables
    from pyarrow import csv

    names = list(map(str, range(width)))
    text = pa.dictionary(pa.int32(), pa.string())
    types = {name: pa.float64() if place in numbers else text for place, name in enumerate(names)}
    with suppress(pa.ArrowInvalid):
        return csv.read_csv(
            pa.BufferReader(pa.py_buffer(data)),
            csv.ReadOptions(use_threads=False, column_names=names, block_size=len(data) + 1),
            csv.ParseOptions(delimiter=delimiter, quote_char=False, double_quote=False),
            csv.ConvertOptions(
                column_types=types, null_values=[], strings_can_be_null=False, true_values=[], false_values=[]
            ),
            memory_pool=pa.system_memory_pool(),
        )
    return None

"""Texts in cells of a table for spreadsheets, which take one that begins with = + - or @ for a formula.

Such a text gets an apostrophe before it, as spreadsheets expect; numbers stay numbers.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMULA = re.compile(r"'*[=+\-@\t\r]")
NUMBER = re.compile(r"[+-]?([\d.,]+([eE][+-]?\d+)?\s?[%\w]*)?")
"""With a unit, if it has one: "-32.4 %"."""


def cell_of(text: str) -> str:
    """Return what a cell holds for a text; `text_of` gives the text back."""
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text


def text_of(cell: str) -> str:
    """Return the text that a cell holds."""
    return cell[1:] if cell[:1] == "'" and FORMULA.match(cell) else cell


def table_text(rows: Iterable[Iterable[object]], separator: str = ",") -> str:
    """Return rows as CSV, a line for each; None is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerows([cell_of(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return text.getvalue()

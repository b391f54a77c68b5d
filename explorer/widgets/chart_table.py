"""The numbers behind a chart, as text for the clipboard and as a CSV file."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.files.atomic import replace_file

if TYPE_CHECKING:
    import os

Cell = str | float | int | None


@dataclass(frozen=True, slots=True)
class ChartTable:
    """Headings and rows; numbers unrounded, None where there is no value."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def to_text(self) -> str:
        """Return the table separated by tabs, as spreadsheets paste it."""
        return self._written("\t")

    def write_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a CSV file; InputError if that cannot be done."""
        replace_file(path, self._written(",").encode())

    def _written(self, separator: str) -> str:
        text = io.StringIO()
        writer = csv.writer(text, delimiter=separator, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows([_cell(value) for value in row] for row in self.rows)
        return text.getvalue()


def _cell(value: Cell) -> Cell:
    return "" if value is None or (isinstance(value, float) and math.isnan(value)) else value

"""Tables in Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table: ``table(["key"], [["F1"]])`` is three lines."""
    lines = [columns, ["---"] * len(columns), *([_cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines)


def _cell(value: object) -> str:
    """Return a value as a cell: on one line, with no sign that Markdown would read."""
    return re.sub(r"\s+", " ", str(value)).strip().replace("|", r"\|")


def code(text: str) -> str:
    """Return a text as code, nothing for none."""
    return f"`{text}`" if text else ""


def from_docstring(text: str) -> str:
    """Return a text of a docstring in Markdown: ``name`` and `name` are code in both."""
    return re.sub(r"``(.+?)``", r"`\1`", text)

"""What the commands print with: tables, JSON, and progress for work that takes longer than half a second."""

from __future__ import annotations

import json
import math
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from core.model.progress import tell_nobody

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SHOW_PROGRESS_AFTER = 0.5
"""Seconds of work before a progress bar appears."""


def print_json(value: object) -> None:
    """Print JSON; what is not a number (nan, infinity) becomes null."""
    sys.stdout.write(json.dumps(_finite(value), ensure_ascii=False, indent=1) + "\n")


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def picked(value: object, names: str) -> dict[str, Any]:
    """Return some attributes of an object by their names, for JSON: ``picked(pool, "name map_slots")``."""
    return {name: getattr(value, name) for name in names.split()}


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], note: str = "") -> None:
    """Print a table; columns whose title starts with '>' are set to the right, floats are `seconds`."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(title),
        title_justify="left",
        caption=Text(note) if note else None,
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        collapse_padding=True,
        pad_edge=False,
        show_edge=False,
    )
    table.caption_justify = "left"
    for column in columns:
        right = column.startswith(">")
        table.add_column(
            Text(column.removeprefix(">")), justify="right" if right else "left", overflow="fold"
        )
    for row in rows:
        # Text: a job's name is never read as markup
        table.add_row(*(Text(seconds(cell) if isinstance(cell, float) else str(cell)) for cell in row))
    Console().print(table)


def more_text(count: int, what: str = "more") -> str:
    """Say how much a table leaves out; nothing if it has all."""
    return f"{count} {what}; --json lists all" if count > 0 else ""


def print_line(text: str) -> None:
    """Print one line as it is."""
    sys.stdout.write(text + "\n")


def print_note(text: str) -> None:
    """Print one line beside the output proper, which may be read by a program: on stderr."""
    sys.stderr.write(f"slotscope: note: {text}\n")


@contextmanager
def progress(description: str) -> Iterator[Callable[[float], None]]:
    """Show a progress bar on stderr, where that is a terminal, once the work has taken half a second."""
    if not sys.stderr.isatty():
        yield tell_nobody
        return
    import time

    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(description, total=1.0)
    began = time.monotonic()

    def show(fraction: float) -> None:
        if time.monotonic() - began > SHOW_PROGRESS_AFTER:
            bar.start()
        bar.update(task, completed=fraction)

    try:
        yield show
    finally:
        bar.stop()


def seconds(value: float) -> str:
    """Write seconds for a table: two decimals, thousands apart."""
    return "–" if not math.isfinite(value) else f"{value:,.2f}"


def percent(value: float, *, signed: bool = False) -> str:
    """Write a fraction as percent."""
    return "–" if not math.isfinite(value) else f"{100 * value:{'+' if signed else ''}.1f} %"

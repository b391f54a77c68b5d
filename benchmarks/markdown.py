"""Tables as the benchmarks print them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a title and a table in Markdown."""
    print(f"\n{title}\n")
    print(f"| {' | '.join(columns)} |")
    print(f"|{' --- |' * len(columns)}")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |")


def percent(fraction: float) -> str:
    """Write a fraction as a percentage."""
    return f"{round(100 * fraction, 1) + 0.0:.1f} %"  # + 0.0: no minus before a zero

"""What `slotscope study figure` prints: the numbers of a figure, and verdicts on what was published."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from core.study.verdicts import verdicts_of
from explorer.cli.screen import print_line, print_table

if TYPE_CHECKING:
    from core.study.figure_data import FigureData

MANY = 100.0
"""From here on a number is written with one digit after the point."""


def print_numbers(data: FigureData) -> None:
    """Print every point of a figure in a line of its own, with what was published beside it."""
    points = [
        (_place(data, x), curve.name, *(number_text(value, data.y_unit) for value in (y, low, high)), "")
        for curve in data.curves
        for x, y, low, high in zip(curve.xs, curve.ys, curve.low, curve.high, strict=True)
        if math.isfinite(y)
    ]
    marks = {
        (_place(data, x), curve.name): _range(low, high, data.y_unit)
        for curve in data.published
        for x, low, high in zip(curve.xs, curve.low, curve.high, strict=True)
    }
    rows = [(*row[:-1], marks.get((row[0], row[1]), "")) for row in points]
    ends = (">from", ">to") if data.figure.interval else (">least", ">most")
    columns = (data.x_title, data.along, f">{data.y_unit or 'mean'}", *ends, ">published")
    kept = [i for i in range(len(columns)) if any(row[i] for row in rows)]
    heading = ", ".join(filter(None, (data.figure.title, data.figure.source)))
    print_table(heading, [columns[i] for i in kept], [[row[i] for i in kept] for row in rows])
    if data.figure.interval and data.spread:
        print_line(f"From and to: {data.spread}")
    for each in data.ranges:
        name = f"{each.name}: " if each.name else ""
        print_line(f"Published: {name}{_range(each.least, each.most, data.y_unit)} ({each.note})")


def print_verdicts(data: FigureData) -> None:
    """Print what is known of the published numbers of a figure that do not come out here."""
    for verdict in verdicts_of(data.figure.source):
        print_line(f"{verdict.where}: published {verdict.published}. {verdict.sentence}")
        print_line(f"    {verdict.command}")


def _place(data: FigureData, x: float) -> str:
    return data.labels[int(x)] if data.labels else f"{x:g}"


def number_text(value: float, unit: str) -> str:
    """Write a number of a table: three digits, or one after the point; empty where there is none."""
    if not math.isfinite(value):
        return ""
    if unit == "%":
        return f"{value:.1f}"
    return f"{value:.1f}" if abs(value) >= MANY else f"{value:#.3g}"


def _range(low: float, high: float, unit: str) -> str:
    if low == high:
        return f"{low:g}"
    if math.isinf(low):
        return f"up to {high:g} {unit}".rstrip()
    if math.isinf(high):
        return f"{low:g} {unit} or more".replace("  ", " ")
    return f"{low:g} to {high:g}"

"""The figures that are compared: their headings, units, what is better, and how they are written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.model.time_text import MINUS, duration_text
from explorer.widgets.export import ChartTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from explorer.comparison.results import Result

Value = float | None


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a result.

    Attributes
    ----------
    heading, unit : of the column in a file; the unit is empty for plain numbers
    help : what it means
    better : -1 if less is better, 1 if more is, 0 if neither
    read : returns the number
    write : returns it as text with its unit
    """

    heading: str
    unit: str
    help: str
    better: int
    read: Callable[[Result], Value]
    write: Callable[[float], str]

    def text(self, result: Result) -> str:
        """Return what a table shows."""
        value = self.read(result)
        return "–" if value is None or math.isnan(value) else self.write(value)


def best(figure: Figure, results: Sequence[Result]) -> set[int]:
    """Return the places of the best results; none if all are equal or nothing is better."""
    values = [figure.read(result) for result in results]
    known = [value for value in values if value is not None and not math.isnan(value)]
    if not figure.better or len(known) < 2 or min(known) == max(known):
        return set()
    goal = max(known) if figure.better > 0 else min(known)
    return {place for place, value in enumerate(values) if value == goal}


def percent(value: float) -> str:
    """Write a fraction as a percentage."""
    return f"{value * 100:.1f} %"


def signed_percent(value: float) -> str:
    """Write a relative change as a percentage with its sign."""
    if abs(value) < 0.0005:
        return "±0 %"
    return f"{MINUS if value < 0 else '+'}{abs(value) * 100:.1f} %"


def plain(value: float) -> str:
    """Write a number with about three digits."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}".replace(",", " ")


def _change(result: Result) -> Value:
    return None if result.is_baseline else result.change


FIGURES = (
    Figure(
        "makespan",
        "s",
        "When the last job is done, from time 0",
        -1,
        lambda r: r.metrics.makespan,
        duration_text,
    ),
    Figure("change", "", "Change of the makespan against the baseline", 0, _change, signed_percent),
    Figure(
        "lower bound",
        "s",
        "No schedule of any policy is shorter (where slots are lent or scans shared: of any that does so)",
        0,
        lambda r: r.metrics.lower_bound,
        duration_text,
    ),
    Figure(
        "gap", "", "How far the makespan lies above the lower bound", -1, lambda r: r.metrics.gap, percent
    ),
    Figure(
        "mean response",
        "s",
        "Mean time from a job's arrival to its end",
        -1,
        lambda r: r.metrics.mean_response,
        duration_text,
    ),
    Figure(
        "mean stretch",
        "",
        "Mean of a job's response divided by its time alone on the empty cluster",
        -1,
        lambda r: r.metrics.mean_stretch,
        plain,
    ),
    Figure(
        "map utilisation",
        "",
        "Part of the map slots' time in use until the makespan",
        1,
        lambda r: r.metrics.map_utilisation,
        percent,
    ),
    Figure(
        "reduce utilisation",
        "",
        "Part of the reduce slots' time in use until the makespan",
        1,
        lambda r: r.metrics.reduce_utilisation,
        percent,
    ),
    Figure(
        "late jobs",
        "jobs",
        "Jobs that end after their deadline",
        -1,
        lambda r: float(r.metrics.late_jobs),
        plain,
    ),
    Figure(
        "deadline utility",
        "",
        "Sum over late jobs of (T − D) / D: T is the time from a job's arrival to its end, D the time from "
        "its arrival to its deadline; 0 when nobody is late",
        -1,
        lambda r: r.metrics.deadline_utility,
        plain,
    ),
)


def figures_table(results: Sequence[Result]) -> ChartTable:
    """Return all figures of all results, unrounded."""
    heads = [f"{figure.heading} ({figure.unit})" if figure.unit else figure.heading for figure in FIGURES]
    rows = [(result.title, *(figure.read(result) for figure in FIGURES)) for result in results]
    return ChartTable(("scenario", *heads), tuple(rows))

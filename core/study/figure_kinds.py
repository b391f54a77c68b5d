"""The kinds of figures of a study, as one table: documents, their checks and whoever draws read it.

How a kind is painted stands in `explorer.study.figure_marks`, in a table with the same names.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FigureKind:
    """One kind of figure.

    Attributes
    ----------
    name : as documents have it
    by_size : numbers of x lie by their size; else every x has a place of its own, with its label
    rows_along : y is a second axis, whose points are rows, and z the measure
    stacks : the measures are parts of a whole, which stand upon one another
    is_drawn : whether figures of documents can be drawn
    """

    name: str
    by_size: bool = False
    rows_along: bool = False
    stacks: bool = False
    is_drawn: bool = True


_KINDS = (
    FigureKind("lines", by_size=True),
    FigureKind("bars"),
    FigureKind("stacked-bars", stacks=True),
    FigureKind("heat-map", rows_along=True),
    *(FigureKind(name, is_drawn=False) for name in ("cdf", "pareto", "regret", "table")),
)
KINDS: dict[str, FigureKind] = {kind.name: kind for kind in _KINDS}
"""By name, in the order of the schema."""

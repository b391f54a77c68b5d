"""The kinds of figures of a study, as one table: documents, their checks and the study window read it.

How a kind is painted stands in `core.charts.study.picture_data`, in a table with the same names.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FigureKind:
    """One kind of figure.

    Attributes
    ----------
    name : as documents have it
    title, tip : of the picture that the study window offers of any study; empty if it offers none
    needs : what is chosen for that picture: "measure"; "other", the measure of y, where each mark is a cell;
        "x" and "y", axes; "by", the axis whose points are told apart; "of", which is compared with their best
    by_size : numbers of x lie by their size; else every x has a place of its own, with its label
    rows_along : y is a second axis, whose points are rows, and z the measure
    stacks : the measures are parts of a whole, which stand upon one another
    is_drawn : whether figures of documents can be drawn
    """

    name: str
    title: str = ""
    tip: str = ""
    needs: tuple[str, ...] = ()
    by_size: bool = False
    rows_along: bool = False
    stacks: bool = False
    is_drawn: bool = True

    @property
    def compares(self) -> bool:
        """Whether the points of an axis are compared, which the picture cannot do without."""
        return "of" in self.needs

    @property
    def is_of_cells(self) -> bool:
        """Whether each mark of the picture is a cell, and lies on no axis of the study."""
        return "other" in self.needs

    def fits(self, axes: int, measures: int) -> bool:
        """Whether a study of so many axes and measures has what the picture needs."""
        return axes >= len({"x", "y", "of"} & {*self.needs}) and measures >= 1 + self.is_of_cells


_KINDS = (
    FigureKind(
        "lines",
        "Lines",
        "A measure along an axis, with its spread from the least to the most of the seeds",
        ("measure", "x", "by"),
        by_size=True,
    ),
    FigureKind("bars"),
    FigureKind("stacked-bars", stacks=True),
    FigureKind("heat-map", "Heat map", "A measure over two axes", ("measure", "x", "y"), rows_along=True),
    FigureKind(
        "regret",
        "Best policy",
        "Which policy is best over two axes, and how much worse each other one is there",
        ("measure", "x", "y", "by", "of"),
        is_drawn=False,
    ),
    FigureKind(
        "cdf",
        "Distribution",
        "Which part of the runs has at most so much of a measure",
        ("measure", "by"),
        is_drawn=False,
    ),
    FigureKind(
        "pareto",
        "Two measures",
        "Each cell by two measures, and those that no other beats in both",
        ("measure", "other", "by"),
        is_drawn=False,
    ),
    FigureKind("table", is_drawn=False),
)
KINDS: dict[str, FigureKind] = {kind.name: kind for kind in _KINDS}
"""By name, in the order of the schema."""
PICTURES = {name: kind for name, kind in KINDS.items() if kind.title}
"""Those that the study window offers."""

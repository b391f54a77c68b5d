"""A study as a frozen value: what is varied, how often each combination runs, and what is measured.

A study varies axes of a base. One combination of points on the axes is a cell; each cell runs once for every
repetition, with seeds of its own. A row of the results is one cell and repetition.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

from core.study.figure_kinds import KINDS, FigureKind
from core.study.study_fields import Value, typed_value, value_text

MAX_ROWS = 10_000_000
"""Cells times repetitions of one study."""
MAX_GRID = 10**15
"""Cells of a grid that a sample is taken from."""
MAX_AXES, MAX_POINTS = 50, 100_000
"""Axes of a study, and points of one."""
LARGEST_FIRST_SEED = 2**52
"""Seeds of all repetitions stay below what every program that reads JSON keeps."""

DesignKind = Literal["grid", "list", "sample"]
Scale = Literal["linear", "log"]
SCALES: tuple[str, ...] = get_args(Scale)
RelativeKind = Literal["less-than", "more-than", "ratio", "difference"]
RelativeOf = Literal["each", "means"]

Changes = tuple[tuple[str, Value], ...]
"""Fields and their values."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One point of an axis: what it is called, and the fields that it sets."""

    label: str
    changes: Changes


@dataclass(frozen=True, slots=True)
class Span:
    """So many numbers between two, in equal steps, or in equal ratios where the scale is "log"."""

    start: float
    end: float
    count: int
    scale: Scale = "linear"

    def numbers(self) -> tuple[float, ...]:
        """Return the numbers, both ends among them."""
        steps = [step / max(self.count - 1, 1) for step in range(self.count)]
        if self.scale == "log":
            ratio = self.end / self.start
            return tuple(_short(self.start * ratio**step) for step in steps)
        return tuple(_short(self.start + (self.end - self.start) * step) for step in steps)


def _short(number: float) -> float:
    """Return 0.1 for 0.1 + 2e-17: what a range means, not how its steps are rounded."""
    return float(f"{number:.12g}")


@dataclass(frozen=True)
class Axis:
    """What is varied: fields that get each of some values, or settings of several fields at once.

    Attributes
    ----------
    name : as figures and results call it
    fields : all get the same value; empty where there are settings
    values, span, settings : one of the three is given
    unit : of the values, "node"; empty for that of the first field
    """

    name: str
    fields: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    span: Span | None = None
    settings: tuple[Setting, ...] = ()
    unit: str = ""

    @cached_property
    def points(self) -> tuple[Setting, ...]:
        """The points in their order; values are of their fields' types."""
        if self.settings:
            return tuple(
                Setting(s.label, tuple((name, typed_value(name, value)) for name, value in s.changes))
                for s in self.settings
            )
        given = self.values if self.span is None else self.span.numbers()
        rows = [tuple((name, typed_value(name, value)) for name in self.fields) for value in given]
        if self.span is not None:  # whole numbers of a range may come twice
            rows = list(dict.fromkeys(rows))
        return tuple(Setting(value_text(row[0][1]), row) for row in rows)

    @cached_property
    def numbers(self) -> tuple[float, ...] | None:
        """The points as numbers, for an axis of a plot; None where they have labels."""
        if self.settings:
            return None
        values = [point.changes[0][1] for point in self.points]
        if any(isinstance(value, bool | str) for value in values):
            return None
        return tuple(float(value) for value in values)

    @cached_property
    def column(self) -> tuple[Value, ...]:
        """What the column of this axis has in the results at each point: a number, or a label."""
        return tuple(point.label if self.numbers is None else point.changes[0][1] for point in self.points)

    @property
    def sets(self) -> tuple[str, ...]:
        """The fields that some point of it sets."""
        return tuple(dict.fromkeys(name for point in self.points for name, _ in point.changes))

    def position(self, value: Value) -> int | None:
        """Return which point has this value or label; None if none has."""
        for place, point in enumerate(self.points):
            if value == point.label or (not self.settings and _equal(value, point.changes[0][1])):
                return place
        return None


def _equal(one: Value, other: Value) -> bool:
    return isinstance(one, bool) == isinstance(other, bool) and one == other


@dataclass(frozen=True, slots=True)
class Design:
    """Which cells of the grid there are: all, those of a list, or a seeded sample without repetition.

    Attributes
    ----------
    cells : of a list, the place on each axis of every cell
    count, seed : of a sample
    """

    kind: DesignKind = "grid"
    cells: tuple[tuple[int, ...], ...] = ()
    count: int = 0
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Relative:
    """What is plotted instead of y: y compared with y at certain points of some axes.

    "less-than" is 1 - y / y there, "more-than" y / y there - 1, both in percent; "ratio" is y / y there, and
    "difference" y - y there.

    Attributes
    ----------
    at : axes, each with the value or label of its point
    of : "each" compares repetition by repetition, "means" the means over all repetitions
    """

    kind: RelativeKind
    at: tuple[tuple[str, Value], ...]
    of: RelativeOf = "each"


@dataclass(frozen=True, slots=True)
class Published:
    """A paper's claim about one curve.

    Attributes
    ----------
    name : of the curve
    points : (x, y) or (x, least, most), as far as the paper names an x
    note : how they were read
    least, most : what it says of the curve without naming an x, such as "up to 25 %"; None is open
    """

    name: str
    points: tuple[tuple[Value, ...], ...] = ()
    note: str = ""
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True)
class StudyFigure:
    """One picture of the results.

    Attributes
    ----------
    title, source : what it shows, and which figure of which paper that is
    kind : one of `core.study.figure_kinds.KINDS`
    x, y, z, by : names of axes or measures; `by` makes one curve for each of its points
    also : more measures on the axis of y: times, percents or counts as it; each has curves of its own, or is
        a part of a stack
    where : axes that are held, each with the values that are shown
    relative : what is plotted instead of y, or None
    best_over : axes of which each cell shows the best point (the smallest y, or the largest where more is
        better)
    band : the axis whose points make the band of a curve, about their median; empty for the repetitions
    interval : in percent: the band is the interval of the mean that a bootstrap gives, instead of the least
        to the most of the repetitions; 0 for none
    interval_seed : of the resamples of that bootstrap
    published : what it is held against
    """

    title: str
    kind: str = "lines"
    source: str = ""
    x: str = ""
    y: str = ""
    z: str = ""
    by: str = ""
    where: tuple[tuple[str, tuple[Value, ...]], ...] = ()
    relative: Relative | None = None
    best_over: tuple[str, ...] = ()
    band: str = ""
    published: tuple[Published, ...] = ()
    also: tuple[str, ...] = ()
    interval: float = 0.0
    interval_seed: int = 1

    @property
    def drawn_as(self) -> FigureKind:
        """How it is drawn."""
        return KINDS[self.kind]

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that it shows."""
        return (self.z,) if self.drawn_as.rows_along else (self.y, *self.also)


@dataclass(frozen=True)
class Study:
    """The question of a study: a base, what varies, how often it runs, and what is measured.

    Attributes
    ----------
    name, description, source : plain text
    base : fields that all cells share; an axis may set one of them again
    axes, design : the cells
    repetitions, first_seed : each cell runs so often, with the seeds first_seed, first_seed + 1, ...
    seeds : the fields that the repetition's seed is written to
    measures : names of `core.study.measures.MEASURES`
    figures : pictures of the results
    folder : where the files that it names lie; no part of what it asks
    """

    name: str
    base: Changes
    axes: tuple[Axis, ...] = ()
    measures: tuple[str, ...] = ("makespan",)
    design: Design = Design()
    repetitions: int = 1
    first_seed: int = 1
    seeds: tuple[str, ...] = ()
    figures: tuple[StudyFigure, ...] = ()
    description: str = ""
    source: str = ""
    folder: str = field(default="", compare=False)

    @cached_property
    def grid_count(self) -> int:
        """Combinations of all points of all axes."""
        return math.prod(len(axis.points) for axis in self.axes)

    @property
    def cell_count(self) -> int:
        """Cells; they are numbered from 0."""
        counts = {"grid": self.grid_count, "list": len(self.design.cells), "sample": self.design.count}
        return counts[self.design.kind]

    @property
    def row_count(self) -> int:
        """Simulations: cells times repetitions."""
        return self.cell_count * self.repetitions

    def axis(self, name: str) -> Axis:
        """Return the axis of this name; KeyError if there is none."""
        for axis in self.axes:
            if axis.name == name:
                return axis
        raise KeyError(name)


def values_of(study: Study, name: str) -> set[Value]:
    """Return every value that some cell of a study may have in a field."""
    found = {value for field, value in study.base if field == name}
    for axis in study.axes:
        found |= {value for each in axis.settings for field, value in each.changes if field == name}
        if name in axis.fields:
            found |= set(axis.values)
    return found

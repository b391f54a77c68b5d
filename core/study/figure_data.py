"""What a figure of a study plots: curves with their spread, computed from the rows of its results.

First `where`, then the best point over the axes of `best_over`, then the comparison of `relative`; what is
left beside x and the curves is averaged.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.model.number_text import grouped
from core.study.bootstrap import RESAMPLES, interval_of_mean
from core.study.figure_kinds import KINDS
from core.study.measures import MEASURES
from core.study.study_fields import meanings, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from core.study.study import Axis, Study, StudyFigure
    from core.study.study_fields import Value

REPETITION = "repetition"
PER_CENT = "%"
MAX_TITLE = 60
"""Letters; longer titles of several measures stand in the legend only."""
RELATIVE_WORDS = {
    "less-than": "{}: less than at {}",
    "more-than": "{}: more than at {}",
    "ratio": "{}: divided by that at {}",
    "difference": "{}: difference to {}",
}


@dataclass(frozen=True)
class PlottedCurve:
    """One curve, or the bars of one colour.

    Attributes
    ----------
    name : in the legend; empty for the only one
    xs : numbers, or places among the labels of the axis
    ys : the means, (points,)
    low, high : ends of the spread over the repetitions, (points,)
    note : of a published one: how it was read
    by, measure : of which point of the axis `by` it is, and of which measure of the figure, by their places
    counts : of ours: of how many repetitions, or points of the band's axis, each mean is, (points,)
    """

    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    note: str = ""
    by: int = 0
    measure: int = 0
    counts: tuple[int, ...] = ()


@dataclass(frozen=True)
class PublishedRange:
    """A paper's claim about a curve without an x: from `least` to `most`; an infinite end is open."""

    name: str
    least: float
    most: float
    note: str = ""


@dataclass(frozen=True)
class FigureData:
    """What is drawn.

    Attributes
    ----------
    figure : the description
    labels : of the places of the x axis; empty where it has numbers
    is_ordered : whether x has an order, so that a line may lead from one place to the next
    x_title, x_unit, y_title, y_unit : of the axes
    spread : what low and high of our curves are; empty where they have none
    curves, published, ranges : ours, and what they are held against, where and of the whole curve
    """

    figure: StudyFigure
    labels: tuple[str, ...]
    is_ordered: bool
    x_title: str
    x_unit: str
    y_title: str
    y_unit: str
    spread: str
    curves: tuple[PlottedCurve, ...]
    published: tuple[PlottedCurve, ...]
    ranges: tuple[PublishedRange, ...]

    @property
    def along(self) -> str:
        """The axis whose points the curves are, or the rows of a map; empty where there is none."""
        return self.figure.y if self.figure.drawn_as.rows_along else self.figure.by

    def beside(self, name: str, x: float) -> tuple[float, float, float] | None:
        """Return our mean beside a published point, and the ends of its spread; None where we have none."""
        for curve in self.curves:
            if curve.name == name and x in curve.xs:
                place = curve.xs.index(x)
                return curve.ys[place], curve.low[place], curve.high[place]
        return None

    def reach(self, name: str) -> tuple[float, float] | None:
        """Return the least and the most of our means along a curve; None where we have none."""
        known = [y for curve in self.curves if curve.name == name for y in curve.ys if math.isfinite(y)]
        return (min(known), max(known)) if known else None


def figure_data(study: Study, figure: StudyFigure, frame: pd.DataFrame) -> FigureData:
    """Return the curves of a figure; of a heat map its rows as curves, from below.

    Parameters
    ----------
    study : what was run
    figure : one of its figures
    frame : rows of its results, with a column for each axis and measure, as `Results.frame` gives them

    Raises
    ------
    InputError
        a figure of this kind is not drawn from a document
    """
    kind = figure.drawn_as
    if not kind.is_drawn:
        drawn = ", ".join(each.name for each in KINDS.values() if each.is_drawn)
        raise InputError(
            f"figure '{figure.title}' is of the kind {kind.name}, which no figure of a document is drawn as; "
            f"give one of {drawn}, or choose the picture in the study window"
        )
    axis, numbers = study.axis(figure.x), numbers_of(study, figure)
    labels = () if numbers is not None else tuple(point.label for point in axis.points)
    published = [each for each in figure.published if each.points]
    ranges = [each for each in figure.published if each.least is not None or each.most is not None]
    return FigureData(
        figure,
        labels,
        not labels or _grow(labels),
        axis.name,
        axis.unit or next((field.unit for name in axis.fields[:1] for field in meanings(name)), ""),
        _y_title(figure),
        y_unit(figure),
        _spread(study, figure, frame),
        tuple(_curves(study, figure, frame)),
        tuple(_published(each.name, each.points, each.note, axis, numbers) for each in published),
        tuple(
            PublishedRange(each.name, _end(each.least, -math.inf), _end(each.most, math.inf), each.note)
            for each in ranges
        ),
    )


def _end(given: float | None, left_open: float) -> float:
    return left_open if given is None else float(given)


def numbers_of(study: Study, figure: StudyFigure) -> tuple[float, ...] | None:
    """Return the numbers by which points of x lie in a figure; None where each has a place with its label."""
    return study.axis(figure.x).numbers if figure.drawn_as.by_size else None


def _grow(labels: Sequence[str]) -> bool:
    """Whether labels are growing numbers, which a line may join: 0 to 8, but no policies."""
    try:
        numbers = [float(label) for label in labels]
    except ValueError:
        return False
    return all(one < other for one, other in pairwise(numbers))


def _curves(study: Study, figure: StudyFigure, frame: pd.DataFrame) -> Iterator[PlottedCurve]:
    """Yield the curves: for each measure those of all points of `by`."""
    kind, axis = figure.drawn_as, study.axis(figure.x)
    if kind.rows_along:
        figure = replace(figure, by=figure.y)
    by, numbers = study.axis(figure.by) if figure.by else None, numbers_of(study, figure)
    names = [point.label for point in by.points] if by else [""]
    shown = by.column if by else ("",)
    measures = figure.measures
    for place, measure in enumerate(measures):
        one = replace(figure, y=measure, also=())
        rows = plotted_rows(study, one, frame)
        title = MEASURES[measure].title if len(measures) > 1 else ""
        for at, (name, value) in enumerate(zip(names, shown, strict=True)):
            mine = rows[rows[by.name] == value] if by else rows
            if len(mine):
                called = ": ".join(filter(None, (name, title)))
                curve = _curve(called, axis, mine, one, numbers)
                yield replace(curve, by=at, measure=place)


def _y_title(figure: StudyFigure) -> str:
    """Return the title of y: the measures, or what they count where that is long or they are parts."""
    title, relative = ", ".join(MEASURES[name].title for name in figure.measures), figure.relative
    if figure.drawn_as.stacks or len(title) > MAX_TITLE:
        unit = y_unit(figure)
        title = {"s": "time", PER_CENT: "part"}.get(unit, MEASURES[figure.y].title)
    if relative is None:
        return title
    there = " and ".join(_point_text(*point) for point in relative.at)
    return RELATIVE_WORDS[relative.kind].format(title, there)


def _spread(study: Study, figure: StudyFigure, frame: pd.DataFrame) -> str:
    """Return what the ends of the spread are."""
    if figure.band:
        held = dict(figure.where).get(figure.band, study.axis(figure.band).points)
        return f"least to most over {len(held)} points of {figure.band}, about the median"
    seeds = int(frame[REPETITION][frame["error"].isna()].nunique())
    if figure.interval and seeds > 1:
        drawn = f"bootstrap, {grouped(RESAMPLES)} resamples, seed {figure.interval_seed}"
        of = "mean" if figure.relative is None else "mean comparison"
        return f"{figure.interval:g} % interval of the {of}, {seeds} seeds ({drawn})"
    if seeds < 2 or (figure.relative is not None and figure.relative.of == "means"):
        return ""
    return f"least to most of {seeds} seeds"


def _point_text(axis: str, value: Value) -> str:
    """Name a point of an axis: its label, or the axis with a number."""
    return value if isinstance(value, str) else f"{axis} {value_text(value)}"


def y_unit(figure: StudyFigure) -> str:
    """Return the unit of what is plotted."""
    if figure.relative is None or figure.relative.kind == "difference":
        units = {MEASURES[measure].unit for measure in figure.measures}
        return units.pop() if len(units) == 1 else ""
    return "" if figure.relative.kind == "ratio" else PER_CENT


def plotted_rows(study: Study, figure: StudyFigure, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that a figure shows, with its y as it is plotted; percents are of a hundred.

    Rows that failed are left out.
    """
    compared = {name for name, _ in figure.relative.at} if figure.relative else set()
    axes = [axis.name for axis in study.axes]
    rows = frame[[*axes, REPETITION, figure.y]][frame["error"].isna()]
    for name, values in figure.where:
        if name not in compared:
            rows = _held(rows, study.axis(name), values)
    if figure.best_over:
        axes = [name for name in axes if name not in figure.best_over]
        best = "max" if MEASURES[figure.y].better == "more" else "min"
        rows = rows.groupby([*axes, REPETITION], sort=False, observed=True)[figure.y].agg(best).reset_index()
    if figure.relative is not None:
        rows = _compared(study, figure, rows, axes)
    elif MEASURES[figure.y].unit == PER_CENT:
        rows = rows.assign(**{figure.y: 100 * rows[figure.y]})
    for name, values in figure.where:
        if name in compared:
            rows = _held(rows, study.axis(name), values)
    return rows


def _held(rows: pd.DataFrame, axis: Axis, values: Sequence[Value]) -> pd.DataFrame:
    return rows[rows[axis.name].isin([_shown(axis, value) for value in values])]


def _shown(axis: Axis, value: Value) -> Value:
    place = axis.position(value)
    assert place is not None, f"'{value}' is no point of the axis '{axis.name}'"
    return axis.column[place]


def _compared(study: Study, figure: StudyFigure, rows: pd.DataFrame, axes: list[str]) -> pd.DataFrame:
    """Return the rows with y compared with y there, in the same repetition or of the means."""
    relative, y = figure.relative, figure.y
    assert relative is not None
    keys = [*axes, REPETITION]
    if relative.of == "means":
        keys = axes
        rows = rows.groupby(axes, sort=False, observed=True)[y].mean().reset_index()
    there = rows
    for name, value in relative.at:
        there = there[there[name] == _shown(study.axis(name), value)]
    left = [key for key in keys if key not in {name for name, _ in relative.at}]
    if left:
        both = rows.merge(there[[*left, y]], on=left, suffixes=("", " there"))
        base = both.pop(f"{y} there")
    else:
        both = rows.assign(there=there[y].iloc[0] if len(there) else float("nan"))
        base = both.pop("there")
    if relative.kind == "difference":
        both[y] = both[y] - base
    else:
        ratio = (both[y] / base).replace([np.inf, -np.inf], np.nan)  # beside nothing there is no ratio
        both[y] = {"less-than": 100 * (1 - ratio), "more-than": 100 * (ratio - 1)}.get(relative.kind, ratio)
    if relative.of == "means":
        both[REPETITION] = 0
    return both


def _curve(
    name: str, axis: Axis, rows: pd.DataFrame, figure: StudyFigure, numbers: tuple[float, ...] | None
) -> PlottedCurve:
    """Return the means by x; the spread is that of the repetitions, or of the points of the band's axis."""
    over = figure.band or REPETITION
    means = rows.groupby([axis.name, over], sort=True, observed=True)[figure.y].mean()
    by_value: dict[Value, list[float]] = {}
    for value, mean in zip(means.index.get_level_values(0), means.to_numpy(), strict=True):
        by_value.setdefault(value, []).append(mean)
    points, counts = [], []
    for place, value in enumerate(axis.column):
        if value not in by_value:
            continue
        each = np.array(by_value[value], np.float64)
        middle = float(np.median(each)) if figure.band else float(each.mean())
        x = float(numbers[place]) if numbers is not None else float(place)
        points.append((x, middle, *_ends(each, figure)))
        counts.append(len(each))
    xs, ys, low, high = zip(*points, strict=True) if points else ((), (), (), ())
    return PlottedCurve(name, xs, ys, low, high, counts=tuple(counts))


def _ends(each: NDArray[np.float64], figure: StudyFigure) -> tuple[float, float]:
    """Return the ends of the spread of one point; of a comparison, `each` compares runs on the same draw."""
    if not figure.interval:
        return float(each.min()), float(each.max())
    known = each[np.isfinite(each)]
    low, high = interval_of_mean(known, figure.interval, figure.interval_seed)
    return (low, high) if math.isfinite(low) else (float(each.mean()),) * 2


def _published(
    name: str, points: Sequence[tuple[Value, ...]], note: str, axis: Axis, numbers: tuple[float, ...] | None
) -> PlottedCurve:
    """Return published points: one number, or the least and the most."""
    xs, low, high = [], [], []
    for x, *values in points:
        if numbers is None:
            place = axis.position(x)
            assert place is not None, f"published: '{x}' is no point of the axis '{axis.name}'"
            xs.append(float(place))
        else:
            xs.append(float(x))
        low.append(float(values[0]))
        high.append(float(values[-1]))
    middles = [(least + most) / 2 for least, most in zip(low, high, strict=True)]
    return PlottedCurve(name, tuple(xs), tuple(middles), tuple(low), tuple(high), note)

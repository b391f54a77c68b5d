"""What a figure of a study plots: curves with their spread, computed from the rows of its results.

First `where`, then the best point over the axes of `best_over`, then the comparison of `relative`; what is
left beside x and the curves is averaged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.study.fields import meanings, value_text
from core.study.measures import MEASURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from core.study.fields import Value
    from core.study.study import Axis, Study, StudyFigure

DRAWN = ("lines", "bars", "heat-map")
REPETITION = "repetition"
PER_CENT = "%"
RELATIVE_WORDS = {
    "less-than": "{}: less than at {}",
    "more-than": "{}: more than at {}",
    "ratio": "{}: divided by that at {}",
    "difference": "{}: difference to {}",
}


@dataclass(frozen=True)
class PlottedCurve:
    """One curve, or one group of bars.

    Attributes
    ----------
    name : in the legend; empty for the only one
    xs : numbers, or places among the labels of the axis
    ys : the means, (points,)
    low, high : ends of the spread over the repetitions, (points,)
    note : of a published one: how it was read
    """

    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    note: str = ""


@dataclass(frozen=True)
class FigureData:
    """What is drawn.

    Attributes
    ----------
    figure : the description
    labels : of the places of the x axis; empty where it has numbers
    x_title, x_unit, y_title, y_unit : of the axes
    curves, published : ours, and what they are held against
    """

    figure: StudyFigure
    labels: tuple[str, ...]
    x_title: str
    x_unit: str
    y_title: str
    y_unit: str
    curves: tuple[PlottedCurve, ...]
    published: tuple[PlottedCurve, ...]

    def beside(self, name: str, x: float) -> tuple[float, float, float] | None:
        """Return our mean beside a published point, and the ends of its spread; None where we have none."""
        for curve in self.curves:
            if curve.name == name and x in curve.xs:
                place = curve.xs.index(x)
                return curve.ys[place], curve.low[place], curve.high[place]
        return None


def figure_data(study: Study, figure: StudyFigure, frame: pd.DataFrame) -> FigureData:
    """Return the curves of a figure with lines or bars; of a heat map its rows as curves, from below.

    Parameters
    ----------
    study : what was run
    figure : one of its figures
    frame : rows of its results, with a column for each axis and measure, as `Results.frame` gives them

    Raises
    ------
    InputError
        the figure is of a kind that has no curves
    """
    if figure.kind not in DRAWN:
        raise InputError(
            f"figure '{figure.title}' is of the kind {figure.kind}, which the study window draws; here the "
            f"kinds are {', '.join(DRAWN)}"
        )
    if figure.kind == "heat-map":
        figure = replace(figure, y=figure.z, by=figure.y)
    rows = plotted_rows(study, figure, frame)
    axis, by = study.axis(figure.x), study.axis(figure.by) if figure.by else None
    numbers = axis.numbers if figure.kind == "lines" else None
    labels = () if numbers is not None else tuple(point.label for point in axis.points)
    names = [point.label for point in by.points] if by else [""]
    shown = shown_values(by) if by else ("",)
    curves = []
    for name, value in zip(names, shown, strict=True):
        mine = rows[rows[by.name] == value] if by else rows
        if len(mine):
            curves.append(_curve(name, axis, mine, figure, numbers))
    y = MEASURES[figure.y]
    relative = figure.relative
    there = " and ".join(_point_text(*point) for point in relative.at) if relative else ""
    return FigureData(
        figure,
        labels,
        axis.name,
        axis.unit or (meanings(axis.fields[0])[0].unit if axis.fields else ""),
        RELATIVE_WORDS[relative.kind].format(y.title, there) if relative else y.title,
        y_unit(figure),
        tuple(curves),
        tuple(_published(each.name, each.points, each.note, axis, numbers) for each in figure.published),
    )


def _point_text(axis: str, value: Value) -> str:
    """Name a point of an axis: its label, or the axis with a number."""
    return value if isinstance(value, str) else f"{axis} {value_text(value)}"


def y_unit(figure: StudyFigure) -> str:
    """Return the unit of what is plotted."""
    if figure.relative is None or figure.relative.kind == "difference":
        return MEASURES[figure.y].unit
    return "" if figure.relative.kind == "ratio" else PER_CENT


def shown_values(axis: Axis) -> tuple[Value, ...]:
    """Return what the results have in the column of an axis at each of its points."""
    return axis.numbers if axis.numbers is not None else tuple(point.label for point in axis.points)


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
    return shown_values(axis)[place]


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
    places = shown_values(axis)
    points = []
    for place, value in enumerate(places):
        mine = rows[rows[axis.name] == value]
        if not len(mine):
            continue
        each = mine.groupby(over, sort=True, observed=True)[figure.y].mean().to_numpy(np.float64)
        middle = float(np.median(each)) if figure.band else float(each.mean())
        x = float(numbers[place]) if numbers is not None else float(place)
        points.append((x, middle, float(each.min()), float(each.max())))
    xs, ys, low, high = zip(*points, strict=True) if points else ((), (), (), ())
    return PlottedCurve(name, xs, ys, low, high)


def _published(
    name: str, points: Sequence[tuple[Value, ...]], note: str, axis: Axis, numbers: tuple[float, ...] | None
) -> PlottedCurve:
    """Return published points: one number, or the least and the most that was said."""
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

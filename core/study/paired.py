"""Points of an axis compared with one of them draw by draw, on the same jobs, with intervals of the mean."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError, UnknownName
from core.study.bootstrap import interval_of_mean
from core.study.figure_data import REPETITION, plotted_rows
from core.study.measures import MEASURES
from core.study.study import Relative, StudyFigure

if TYPE_CHECKING:
    import pandas as pd

    from core.study.study import Axis, RelativeKind, Study

DEFAULT_INTERVAL = 95.0


@dataclass(frozen=True)
class Comparison:
    """What is compared.

    Attributes
    ----------
    measure : its name
    axis : whose points are compared; empty for that of the policies
    to : value or label of the point that the others are compared with; empty for the first
    along : the axis of the table's rows, and of x; empty for the first other one
    kind : "difference", or "more-than" and "less-than" in percent, or "ratio"
    interval : in percent
    seed : of the resamples
    """

    measure: str
    axis: str = ""
    to: str = ""
    along: str = ""
    kind: RelativeKind = "more-than"
    interval: float = DEFAULT_INTERVAL
    seed: int = 1


@dataclass(frozen=True)
class PairedRow:
    """One point compared with another one, over all draws that both have.

    Attributes
    ----------
    along : label of the place on the axis of rows; empty where there is no other axis
    name : label of the point
    draws : repetitions that both have
    mean, there : means of the measure, of this point and of the one that it is compared with
    change, low, high : mean of the comparisons of single draws, and the interval about it
    better, worse : draws in which this point is the better one, and the worse one
    """

    along: str
    name: str
    draws: int
    mean: float
    there: float
    change: float
    low: float
    high: float
    better: int
    worse: int


def paired_figure(study: Study, wanted: Comparison) -> StudyFigure:
    """Return the figure of a comparison, with a title, for any study that has the axes.

    Raises
    ------
    InputError
        there is no such measure, axis or point, or each cell ran once
    """
    if wanted.measure not in study.measures:
        raise UnknownName("measure of this study", wanted.measure, study.measures)
    if study.repetitions < 2:
        raise InputError(
            f"{study.name or 'the study'} runs each cell once, and an interval is of several draws; run it "
            "with repetitions"
        )
    axis = _compared_axis(study, wanted)
    place = _place(axis, wanted.to)
    others = [each.name for each in study.axes if each is not axis]
    if wanted.along and wanted.along not in others:
        raise UnknownName("other axis of this study", wanted.along, others)
    along = wanted.along or next(iter(others), "")
    column = axis.column[place]
    figure = StudyFigure(
        f"{MEASURES[wanted.measure].title[:1].upper()}{MEASURES[wanted.measure].title[1:]} compared with "
        f"{axis.points[place].label}",
        "bars" if not along or study.axis(along).numbers is None else "lines",
        x=along or axis.name,
        y=wanted.measure,
        by=axis.name if along else "",
        where=((axis.name, tuple(v for i, v in enumerate(axis.column) if i != place)),),
        relative=Relative(wanted.kind, ((axis.name, column),)),
        interval=wanted.interval,
        interval_seed=wanted.seed,
    )
    if len(axis.points) < 2:
        raise InputError(f"{axis.name} has one point; there is nothing to compare it with")
    return figure


def _compared_axis(study: Study, wanted: Comparison) -> Axis:
    names = [axis.name for axis in study.axes]
    if wanted.axis:
        if wanted.axis not in names:
            raise UnknownName("axis of this study", wanted.axis, names)
        return study.axis(wanted.axis)
    axis = next((each for each in study.axes if "policy.id" in each.sets), None)
    if axis is None:
        raise InputError(f"no axis of this study varies the policy; compare one of {', '.join(names)}")
    return axis


def _place(axis: Axis, to: str) -> int:
    """Return the place of the point that others are compared with; numbers may be written as on the axis."""
    labels = [point.label for point in axis.points]
    if not to:
        return 0
    if to not in labels:
        raise UnknownName(f"point of {axis.name}", to, labels)
    return labels.index(to)


def paired_rows(study: Study, frame: pd.DataFrame, figure: StudyFigure) -> tuple[PairedRow, ...]:
    """Return the rows of the table of a figure of `paired_figure`, in the order of the axes.

    Parameters
    ----------
    frame : rows of the study's results, as `StudyResults.frame` gives them
    """
    assert figure.relative is not None
    name, at = figure.relative.at[0]
    axis, along = study.axis(name), study.axis(figure.x) if figure.by else None
    keys = [name, *([along.name] if along else []), REPETITION]
    compared = _by_draw(plotted_rows(study, figure, frame), keys, figure.y)
    plain = _by_draw(plotted_rows(study, replace(figure, relative=None, where=()), frame), keys, figure.y)
    rows = []
    for x in along.column if along else ("",):
        for point, value in zip(axis.points, axis.column, strict=True):
            here = (value, x) if along else (value,)
            there = (at, x) if along else (at,)
            if value != at and here in compared and there in plain:
                label = along.points[along.column.index(x)].label if along else ""
                row = _row(label, point.label, compared[here], plain[here], plain[there], figure)
                rows += [row] if row.draws else []
    return tuple(rows)


Draws = dict[int, float]


def _by_draw(rows: pd.DataFrame, keys: list[str], y: str) -> dict[tuple[object, ...], Draws]:
    """Return y by draw, averaged over what is no key, for each place."""
    found: dict[tuple[object, ...], Draws] = {}
    means = rows.groupby(keys, sort=False, observed=True)[y].mean()
    for key, value in zip(means.index.to_list(), means.tolist(), strict=True):
        if np.isfinite(value):
            found.setdefault(key[:-1], {})[int(key[-1])] = value
    return found


def _row(along: str, name: str, compared: Draws, here: Draws, there: Draws, figure: StudyFigure) -> PairedRow:
    draws = sorted(compared.keys() & here.keys() & there.keys())
    changes, mine, theirs = (
        np.array([of[draw] for draw in draws], np.float64) for of in (compared, here, there)
    )
    less = MEASURES[figure.y].better != "more"
    ahead = theirs - mine if less else mine - theirs
    low, high = interval_of_mean(changes, figure.interval, figure.interval_seed)
    mean, other, change = (float(of.mean()) if len(of) else float("nan") for of in (mine, theirs, changes))
    better, worse = int((ahead > 0).sum()), int((ahead < 0).sum())
    return PairedRow(along, name, len(draws), mean, other, change, low, high, better, worse)

"""What a figure of a study comes to, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.charts.study.answer_words import answer_of_curves, answer_of_field, course_clause
from core.study.pictures import is_less_better, regret

if TYPE_CHECKING:
    from core.explain.run_summary import Clause
    from core.study.figure_data import FigureData


def answer_of_figure(data: FigureData) -> tuple[Clause, ...]:
    """Return what a figure comes to; nothing where it compares, stacks or has several measures."""
    figure = data.figure
    if figure.relative is not None or figure.drawn_as.stacks or len(figure.measures) > 1:
        return ()
    xs = sorted({x for curve in data.curves for x in curve.xs})
    known = [dict(zip(curve.xs, curve.ys, strict=True)) for curve in data.curves]
    values = np.array([[each.get(x, np.nan) for x in xs] for each in known], np.float64)
    labels = [data.labels[int(x)] if data.labels else f"{x:g}" for x in xs]
    names, measure = [curve.name for curve in data.curves], figure.measures[0]
    if figure.drawn_as.rows_along:
        return answer_of_field(
            measure, values, lambda row, k: f"{data.x_title} {labels[k]}, {data.along} {names[row]}"
        )
    if len(names) == 1:
        course = course_clause(measure, values[0], data.x_title, labels, has_order=data.is_ordered)
        return () if course is None else (course,)
    lost = regret(values.T, less_is_better=is_less_better(measure))
    return answer_of_curves(measure, values.T, lost, names, data.x_title, labels, has_order=data.is_ordered)

"""From the rows of a study to what its pictures draw: curves, fields and dots with their descriptions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.charts.study.answer_words import (
    answer_of_curves,
    answer_of_distribution,
    answer_of_field,
    answer_of_figure,
    answer_of_front,
    behind_clause,
    best_clause,
    course_clause,
    plain,
    strong,
)
from core.charts.study.marks import Curve, Dot, MapField, Mark, scale_ends
from core.charts.study.picture_choice import FIGURE
from core.charts.study.values import Along, along, value_text
from core.explain.run_summary import sentence_of
from core.study.answers import regret, unbeaten, which_best
from core.study.figure_data import figure_data, numbers_of
from core.study.figure_kinds import PICTURES
from core.study.measures import MEASURES, is_less_better
from core.study.pictures import PERCENT, PLACE, PictureRows
from core.study.point_names import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from core.charts.study.picture_choice import PictureChoice
    from core.explain.run_summary import Clause
    from core.study.figure_data import FigureData
    from core.study.study import Study, StudyFigure

    Title = tuple[str, str]

MAX_DOTS, MAX_STEPS = 4000, 2000
"""Of one picture, and of one curve of a distribution: more are not told apart."""


@dataclass(frozen=True)
class PictureData:
    """What a picture draws; only what its kind needs is there.

    Attributes
    ----------
    choice : which picture it is
    x, y : the axes
    curves, fields, dots : what is drawn
    groups : names of the colours of dots, by their places
    bests : names of what can be best, of a map of the best
    spread : what the bands of curves are
    ends, most : texts of the smallest and the largest colour of a map, and the number of the largest
    is_turned : whether the smallest of a map is the lightest, as it is the best
    answer : what it comes to, in clauses: which policy is best where, and the measure there
    runs : rows that it is made of
    opened : by the places of a mark on the axes of the picture (x, y, by): the cell that a click opens,
        its places on all axes
    figure : one of the study's own
    """

    choice: PictureChoice
    x: Along | Title = ("", "")
    y: Along | Title = ("", "")
    curves: tuple[Curve, ...] = ()
    fields: tuple[tuple[MapField, ...], ...] = ()
    dots: tuple[Dot, ...] = ()
    groups: tuple[tuple[int, str], ...] = ()
    bests: tuple[str, ...] = ()
    spread: str = ""
    ends: Title = ("", "")
    is_turned: bool = False
    most: float | None = None
    answer: tuple[Clause, ...] = ()
    runs: int = 0
    opened: Mapping[tuple[int, ...], tuple[int, ...]] = field(default_factory=dict)
    figure: FigureData | None = None

    @property
    def sentence(self) -> str:
        """The answer as text."""
        return sentence_of(self.answer)


def picture_data(study: Study, frame: pd.DataFrame, choice: PictureChoice) -> PictureData:
    """Return what a picture draws of the rows that there are by now; failed ones are left out."""
    if choice.kind == FIGURE:
        return _figure(study, frame, choice)
    source, make = _Source(study, frame, choice), PAINTED[choice.kind].make
    assert make is not None
    return replace(make(source), opened=source.opened)


def _figure(study: Study, frame: pd.DataFrame, choice: PictureChoice) -> PictureData:
    """Return a figure of the study with what was published."""
    shown = study.figures[choice.figure]
    runs = int(frame["error"].isna().sum())
    if not runs:
        return PictureData(choice)
    data = figure_data(study, shown, frame)
    answer = (strong(shown.title), *([plain(shown.source)] if shown.source else []), *answer_of_figure(data))
    return PictureData(choice, figure=data, answer=answer, runs=runs)


class _Source(PictureRows):
    """Rows of a picture, with the words for places and values."""

    def __init__(self, study: Study, frame: pd.DataFrame, choice: PictureChoice) -> None:
        super().__init__(study, frame, filter(None, (choice.measure, choice.other)), choice.where)
        self.study, self.choice = study, choice

    @property
    def measure(self) -> Title:
        """Title and unit of what is shown."""
        return measure_title(self.choice.measure)

    @property
    def opened(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        """For the places of each mark on the axes of the picture: the first cell that is in it."""
        return first_cells(self, shown_axes(self.choice))

    @property
    def less_is_better(self) -> bool:
        """Whether less of the measure is better."""
        return is_less_better(self.choice.measure)

    def text(self, value: float) -> str:
        """Write a value of the measure."""
        return value_text(value, self.measure[1])

    def along(self, name: str) -> Along:
        """Return an axis of the study along one of the plot."""
        axis = self.axes[name]
        values: Sequence[object] = axis.numbers or self.names(name)
        return along(axis.name[:1].upper() + axis.name[1:], values, axis.unit)

    def names(self, name: str) -> list[str]:
        """Return what users read for the points of an axis; one empty name where there is no axis."""
        return [name_of(self.axes[name], i) for i in range(len(self.axes[name].points))] if name else [""]


def first_cells(rows: PictureRows, names: Sequence[str]) -> dict[tuple[int, ...], tuple[int, ...]]:
    """Return the first cell at the places on some axes, by its places on all axes; of no axes nothing."""
    shown = [f"{PLACE}{name}" for name in names]
    if not shown:
        return {}
    firsts = rows.rows.sort_values("cell").drop_duplicates(shown)
    cells = firsts[[f"{PLACE}{name}" for name in rows.axes]].to_numpy(np.int64)
    return dict(zip(map(tuple, firsts[shown].to_numpy().tolist()), map(tuple, cells.tolist()), strict=True))


def shown_axes(choice: PictureChoice) -> tuple[str, ...]:
    """Return the axes that the marks of a picture lie on; of two measures each mark is a cell."""
    kind = PICTURES.get(choice.kind)
    if kind is None or kind.is_of_cells:
        return ()
    named = {"x": choice.x, "y": choice.y, "by": choice.by}
    return tuple(axis for name, axis in named.items() if name in kind.needs and axis)


def measure_title(name: str) -> Title:
    """Return title and unit of a measure, as axes of plots have them."""
    measure = MEASURES[name]
    return measure.title[:1].upper() + measure.title[1:], measure.unit


# ---- curves


def _lines(source: _Source) -> PictureData:
    choice, bottom = source.choice, source.along(source.choice.x)
    spread = source.spread(choice.measure, *filter(None, (choice.x, choice.by)))
    curves = []
    for place, name in enumerate(source.names(choice.by)):
        known = {}
        for key, row in zip(spread.index.to_list(), spread.to_numpy(np.float64), strict=True):
            at, of = key if choice.by else (key, 0)
            if of == place:
                known[at] = row
        if known:
            curves.append(_curve(source, bottom, place, name, known))
    seeds = int(spread["count"].max()) if len(spread) else 0
    return PictureData(
        choice,
        bottom,
        source.measure,
        tuple(curves),
        spread=f"least to most of {seeds} seeds" if seeds > 1 else "",
        answer=_answer_of_lines(source, bottom),
        runs=len(source.rows),
    )


def _answer_of_lines(source: _Source, bottom: Along) -> tuple[Clause, ...]:
    choice, has_order = source.choice, bottom.scale != "words"
    if not choice.by:
        values = source.table(choice.measure, choice.x)
        course = course_clause(choice.measure, values, choice.x, bottom.labels, has_order=has_order)
        return () if course is None else (course,)
    values = source.table(choice.measure, choice.x, choice.by)
    lost = regret(values, less_is_better=source.less_is_better)
    names = source.names(choice.by)
    return answer_of_curves(choice.measure, values, lost, names, choice.x, bottom.labels, has_order=has_order)


def _curve(
    source: _Source, bottom: Along, place: int, name: str, known: Mapping[int, NDArray[np.float64]]
) -> Curve:
    choice = source.choice
    numbers = np.full((3, len(bottom.places)), np.nan)
    texts = [""] * len(bottom.places)
    abouts: list[dict[str, int] | None] = [None] * len(bottom.places)
    counts = [0] * len(bottom.places)
    for at, (mean, low, high, count) in known.items():
        numbers[:, at], counts[at] = (mean, low, high), int(count)
        seeds = f"\n{source.text(low)} to {source.text(high)} over {count:.0f} seeds" if count > 1 else ""
        where = f"{choice.x} {bottom.labels[at]}"
        heading = f"{name}, {where}" if name else where
        texts[at] = f"{heading}\n{source.measure[0]} {source.text(mean)}{seeds}"
        abouts[at] = {choice.x: at} | ({choice.by: place} if choice.by else {})
    band = (numbers[1], numbers[2]) if (numbers[2] > numbers[1]).any() else None
    name = name or source.measure[0]
    mark: Mark = "points" if bottom.scale == "words" else "line"
    return Curve(name, bottom.places, numbers[0], band, texts, abouts, place, mark=mark, counts=counts)


def _distribution(source: _Source) -> PictureData:
    choice = source.choice
    curves, middles = [], []
    for place, name in enumerate(source.names(choice.by)):
        rows = source.rows
        if choice.by:
            rows = rows[rows[f"{PLACE}{choice.by}"] == place]
        values = np.sort(rows[choice.measure].dropna().to_numpy(np.float64))
        if len(values):
            middles.append((name, float(values[(len(values) - 1) // 2])))
            parts = 100 * np.arange(1, len(values) + 1) / len(values)
            some = np.unique(np.linspace(0, len(values) - 1, MAX_STEPS).astype(np.int64))
            values, parts = values[some], parts[some]
            whose = f"{name}: " if name else ""
            texts = [
                f"{whose}{part:.3g} % of the runs\nhave at most {source.text(value)}"
                for value, part in zip(values.tolist(), parts.tolist(), strict=True)
            ]
            label = name or source.measure[0]
            curves.append(Curve(label, values, parts, None, texts, [None] * len(some), place, mark="steps"))
    answer = answer_of_distribution(choice.measure, middles)
    return PictureData(
        choice, source.measure, ("Runs", PERCENT), tuple(curves), answer=answer, runs=len(source.rows)
    )


# ---- maps


def _heat_map(source: _Source) -> PictureData:
    choice = source.choice
    x, y = source.along(choice.x), source.along(choice.y)
    values = source.table(choice.measure, choice.y, choice.x)

    def field(row: int, column: int) -> MapField:
        value = float(values[row, column])
        if not np.isfinite(value):
            return MapField(value, "", "", None)
        where = f"{choice.x} {x.labels[column]}, {choice.y} {y.labels[row]}"
        note = source.text(value)
        about = {choice.x: column, choice.y: row}
        return MapField(value, note, f"{where}\n{source.measure[0]} {note}", about)

    fields = tuple(tuple(field(row, k) for k in range(values.shape[1])) for row in range(values.shape[0]))
    title, unit = source.measure
    better = MEASURES[choice.measure].better
    ends = scale_ends(title, values.ravel().tolist(), unit, better)
    answer = answer_of_field(
        choice.measure, values, lambda row, k: f"{choice.x} {x.labels[k]}, {choice.y} {y.labels[row]}"
    )
    return PictureData(
        choice,
        x,
        y,
        fields=fields,
        ends=ends,
        is_turned=better == "less",
        answer=answer,
        runs=len(source.rows),
    )


def _best_map(source: _Source) -> PictureData:
    choice = source.choice
    x, y, names = source.along(choice.x), source.along(choice.y), source.names(choice.by)
    values = source.table(choice.measure, choice.y, choice.x, choice.by)
    lost = regret(values, less_is_better=source.less_is_better)
    labels = [point.label for point in source.axes[choice.by].points]
    of = labels.index(choice.of) if choice.of in labels else -1

    def field(row: int, column: int) -> MapField:
        here = lost[row, column]
        if not np.isfinite(here).all():
            return MapField(float("nan"), "", "", None)
        order = np.argsort(here, kind="stable").tolist()
        lines = [f"{choice.x} {x.labels[column]}, {choice.y} {y.labels[row]}"]
        for k in order:
            worse = f", {100 * here[k]:.2g} % worse" if here[k] else ""
            lines.append(f"{names[k]}: {source.text(float(values[row, column, k]))}{worse}")
        about = {choice.x: column, choice.y: row, choice.by: order[0] if of < 0 else of}
        value = float(here[of] if of >= 0 else here[order[1]] if len(order) > 1 else 0.0)
        note = f"{100 * value:.2g} %" if of >= 0 else names[order[0]]
        return MapField(value, note, "\n".join(lines), about, order[0])

    fields = tuple(tuple(field(row, k) for k in range(lost.shape[1])) for row in range(lost.shape[0]))
    known = lost[..., of][np.isfinite(lost[..., of])] if of >= 0 else np.zeros(0)
    most = float(known.max()) if len(known) else None
    return PictureData(
        choice,
        x,
        y,
        fields=fields,
        bests=() if of >= 0 else tuple(names),
        ends=(f"{names[of]}: as good as the best", f"{100 * (most or 0):.3g} % worse"),
        most=most if of >= 0 else None,
        answer=_answer_of_bests(source, values, lost, x, y),
        runs=len(source.rows),
    )


def _answer_of_bests(
    source: _Source, values: NDArray[np.float64], lost: NDArray[np.float64], x: Along, y: Along
) -> tuple[Clause, ...]:
    """Return which one to take, and which one is farthest behind it; arrays are (y, x, compared)."""
    best = which_best(lost.swapaxes(0, 1))
    if best is None:
        return ()
    choice, names = source.choice, source.names(source.choice.by)
    first = best_clause(best, names, choice.x, x.labels, has_order=x.scale != "words")
    behind = behind_clause(
        choice.measure,
        values,
        names,
        lambda cell: f"{choice.x} {x.labels[cell[1]]}, {choice.y} {y.labels[cell[0]]}",
    )
    return (first,) if behind is None else (first, behind)


# ---- two measures


def _front(source: _Source) -> PictureData:
    choice = source.choice
    other, two = measure_title(choice.other), (choice.measure, choice.other)
    places, points = source.cells(two)
    best = unbeaten(points * [1 if is_less_better(name) else -1 for name in two])
    shown = np.union1d(np.linspace(0, len(points) - 1, MAX_DOTS).astype(np.int64), np.flatnonzero(best))
    names, axes = source.names(choice.by), list(source.axes)
    by = axes.index(choice.by) if choice.by else -1
    dots = []
    for i in shown.tolist() if len(points) else []:
        group = int(places[i, by]) if by >= 0 else 0
        at = ", ".join(
            f"{name} {name_of(source.axes[name], int(places[i, k]))}" for k, name in enumerate(axes)
        )
        x, y = points[i].tolist()
        values = f"{source.measure[0]} {source.text(x)}\n{other[0]} {value_text(y, other[1])}"
        about = dict(zip(axes, places[i].tolist(), strict=True))
        dots.append(Dot(x, y, group, f"{at}\n{values}", about, bool(best[i])))
    groups = [(k, name or "cells") for k, name in enumerate(names) if any(dot.group == k for dot in dots)]
    front = points[best][np.argsort(points[best][:, 0], kind="stable")].tolist() if len(points) else []
    answer = answer_of_front(
        (MEASURES[choice.measure].title, MEASURES[choice.other].title),
        [(source.text(a), value_text(b, other[1])) for a, b in front],
        len(points),
    )
    return PictureData(
        choice,
        source.measure,
        other,
        dots=tuple(dots),
        groups=tuple(groups),
        answer=answer,
        runs=len(source.rows),
    )


# ---- the kinds


class Painted(NamedTuple):
    """How a kind of figure is painted.

    Attributes
    ----------
    plot : "curves", "map" or "front"
    mark : of curves
    make : what the picture of the study window draws, of rows; None where it offers none
    """

    plot: str
    mark: Mark = "line"
    make: Callable[[_Source], PictureData] | None = None


PAINTED: dict[str, Painted] = {
    "lines": Painted("curves", make=_lines),
    "bars": Painted("curves", "bars"),
    "stacked-bars": Painted("curves", "bars"),
    "heat-map": Painted("map", make=_heat_map),
    "regret": Painted("map", make=_best_map),
    "cdf": Painted("curves", "steps", _distribution),
    "pareto": Painted("front", make=_front),
}
"""By name, as `core.study.figure_kinds.KINDS` has them."""


# ---- what a click opens


def places_in_figure(study: Study, figure: StudyFigure, curve: int, x: float) -> dict[str, int]:
    """Return the places on the axes of a point of a figure: of its curve, by its place, at x."""
    numbers = numbers_of(study, figure)
    along = figure.y if figure.drawn_as.rows_along else figure.by
    held = {name: study.axis(name).position(values[0]) or 0 for name, values in figure.where}
    here = {figure.x: int(x) if numbers is None else numbers.index(x)}
    return held | here | ({along: curve} if along else {})


def clicked_cell(
    study: Study, frame: pd.DataFrame, choice: PictureChoice, fixed: Mapping[str, int]
) -> tuple[int, ...]:
    """Return the cell that was clicked, by its place on every axis: its schedule is opened, and no other."""
    return _Source(study, frame, choice).position(dict(choice.where) | dict(fixed))

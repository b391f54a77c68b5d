"""From the rows of a study to what its pictures draw: curves, fields and dots with what is said of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from core.study.measures import MEASURES
from explorer.study.axis_row import name_of
from explorer.study.curves_plot import Curve, Dot
from explorer.study.map_plot import MapField
from explorer.study.picture_choice import CDF, FRONT, LINES, MAP, REGRET, policy_axis
from explorer.study.study_plot import Along, along, value_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from core.study.study import Axis, Study
    from explorer.study.picture_choice import PictureChoice

    Title = tuple[str, str]

PERCENT = "%"
MOST_DOTS, MOST_STEPS = 4000, 2000
"""Of one picture, and of one curve of a distribution: more are not told apart."""
NEAR = 0.01
"""So little worse than the best counts as good as the best."""
PLACE = "place of "


class Picked(NamedTuple):
    """Cells whose schedules a click opens, each by its place on every axis; the first is the one clicked."""

    positions: tuple[tuple[int, ...], ...]


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
    ends, most : texts of the smallest and the largest colour of a map, and the number of the largest
    sentence : which policy is best where, or nothing
    runs : rows that it is made of
    """

    choice: PictureChoice
    x: Along | Title = ("", "")
    y: Along | Title = ("", "")
    curves: tuple[Curve, ...] = ()
    fields: tuple[tuple[MapField, ...], ...] = ()
    dots: tuple[Dot, ...] = ()
    groups: tuple[tuple[int, str], ...] = ()
    bests: tuple[str, ...] = ()
    ends: Title = ("", "")
    most: float | None = None
    sentence: str = ""
    runs: int = 0


def picture_data(study: Study, frame: pd.DataFrame, choice: PictureChoice) -> PictureData:
    """Return what a picture draws of the rows that there are by now; failed ones are left out."""
    source = _Source(study, frame, choice)
    makers = {LINES: _lines, MAP: _heat_map, REGRET: _best_map, CDF: _distribution, FRONT: _front}
    return makers[choice.kind](source)


class _Source:
    """Rows with the place of each on every axis, and the words for places and values."""

    def __init__(self, study: Study, frame: pd.DataFrame, choice: PictureChoice) -> None:
        self.study, self.choice = study, choice
        self.axes = {axis.name: axis for axis in study.axes}
        good = frame[frame["error"].isna()]
        columns = {f"{PLACE}{axis.name}": _places(axis, good[axis.name]) for axis in study.axes}
        values = {name: _shown(name, good[name]) for name in (choice.measure, choice.other) if name}
        kept = {"cell": good["cell"], "repetition": good["repetition"]}
        rows = pd.DataFrame(kept | columns | values)
        for name, place in choice.where:
            rows = rows[rows[f"{PLACE}{name}"] == place]
        self.rows = rows

    @property
    def measure(self) -> Title:
        """Title and unit of what is shown."""
        return measure_title(self.choice.measure)

    @property
    def is_less_better(self) -> bool:
        """Whether less of the measure is better."""
        return MEASURES[self.choice.measure].better != "more"

    def text(self, value: float) -> str:
        """Write a value of the measure."""
        return value_text(value, self.measure[1])

    def along(self, name: str) -> Along:
        """Return an axis of the study along one of the plot."""
        axis = self.axes[name]
        values: Sequence[object] = axis.numbers or [name_of(axis, i) for i in range(len(axis.points))]
        return along(axis.name[:1].upper() + axis.name[1:], values, axis.unit)

    def names(self, name: str) -> list[str]:
        """Return what users read for the points of an axis; one empty name where there is no axis."""
        return [name_of(self.axes[name], i) for i in range(len(self.axes[name].points))] if name else [""]

    def spread(self, *names: str) -> pd.DataFrame:
        """Return mean, smallest and largest over the repetitions, by places on axes; others are averaged."""
        keys = [f"{PLACE}{name}" for name in names if name]
        mean = self.rows.groupby([*keys, "repetition"], sort=True)[self.choice.measure].mean()
        if not keys:
            return mean.agg(["mean", "min", "max", "count"]).to_frame().T
        return mean.groupby(level=keys).agg(["mean", "min", "max", "count"])

    def table(self, *names: str) -> NDArray[np.float64]:
        """Return the means as an array with a dimension for each axis, nan where nothing is known."""
        found = np.full([len(self.axes[name].points) for name in names], np.nan)
        spread = self.spread(*names)
        index = spread.index.to_frame().to_numpy(np.int64)
        found[tuple(index.T)] = spread["mean"].to_numpy(np.float64)
        return found

    def position(self, fixed: Mapping[str, int]) -> tuple[int, ...]:
        """Return a cell with these places; on axes that are averaged it has those of the first such row."""
        rows = self.rows
        for name, place in fixed.items():
            rows = rows[rows[f"{PLACE}{name}"] == place]
        held = dict(self.choice.where) | dict(fixed)
        first = rows.iloc[0] if len(rows) else None
        return tuple(
            int(held[name]) if name in held else int(first[f"{PLACE}{name}"]) if first is not None else 0
            for name in self.axes
        )


def measure_title(name: str) -> Title:
    """Return title and unit of a measure, as axes of plots have them."""
    measure = MEASURES[name]
    return measure.title[:1].upper() + measure.title[1:], measure.unit


def _places(axis: Axis, column: pd.Series) -> NDArray[np.int64]:
    """Return at which point of its axis each row is."""
    known = list(axis.numbers) if axis.numbers is not None else [point.label for point in axis.points]
    return pd.Index(known).get_indexer(pd.Index(column)).astype(np.int64)


def _shown(name: str, values: pd.Series) -> pd.Series:
    return values * 100 if MEASURES[name].unit == PERCENT else values


# ---- curves


def _lines(source: _Source) -> PictureData:
    choice, bottom = source.choice, source.along(source.choice.x)
    spread = source.spread(choice.x, choice.by)
    curves = []
    for place, name in enumerate(source.names(choice.by)):
        known = {}
        for key, row in zip(spread.index.to_list(), spread.to_numpy(np.float64), strict=True):
            at, of = key if choice.by else (key, 0)
            if of == place:
                known[at] = row
        if known:
            curves.append(_curve(source, bottom, place, name, known))
    mean = source.table(choice.x, choice.by) if choice.by else None
    sentence = "" if mean is None else which_best(source, mean[:, None, :])
    return PictureData(
        choice, bottom, source.measure, tuple(curves), sentence=sentence, runs=len(source.rows)
    )


def _curve(
    source: _Source, bottom: Along, place: int, name: str, known: Mapping[int, NDArray[np.float64]]
) -> Curve:
    choice = source.choice
    numbers = np.full((3, len(bottom.places)), np.nan)
    texts = [""] * len(bottom.places)
    abouts: list[dict[str, int] | None] = [None] * len(bottom.places)
    for at, (mean, low, high, count) in known.items():
        numbers[:, at] = mean, low, high
        seeds = f"\n{source.text(low)} to {source.text(high)} over {count:.0f} seeds" if count > 1 else ""
        where = f"{choice.x} {bottom.labels[at]}"
        heading = f"{name}, {where}" if name else where
        texts[at] = f"{heading}\n{source.measure[0]} {source.text(mean)}{seeds}"
        abouts[at] = {choice.x: at} | ({choice.by: place} if choice.by else {})
    band = (numbers[1], numbers[2]) if (numbers[2] > numbers[1]).any() else None
    name = name or source.measure[0]
    return Curve(name, bottom.places, numbers[0], band, texts, abouts, place)


def _distribution(source: _Source) -> PictureData:
    choice = source.choice
    curves = []
    for place, name in enumerate(source.names(choice.by)):
        rows = source.rows
        if choice.by:
            rows = rows[rows[f"{PLACE}{choice.by}"] == place]
        values = np.sort(rows[choice.measure].dropna().to_numpy(np.float64))
        if len(values):
            parts = 100 * np.arange(1, len(values) + 1) / len(values)
            some = np.unique(np.linspace(0, len(values) - 1, MOST_STEPS).astype(np.int64))
            values, parts = values[some], parts[some]
            who = f"{name}: " if name else ""
            texts = [
                f"{who}{part:.3g} % of the runs\nhave at most {source.text(value)}"
                for value, part in zip(values.tolist(), parts.tolist(), strict=True)
            ]
            label = name or source.measure[0]
            curves.append(Curve(label, values, parts, None, texts, [None] * len(some), place, has_steps=True))
    return PictureData(choice, source.measure, ("Runs", PERCENT), tuple(curves), runs=len(source.rows))


# ---- maps


def _heat_map(source: _Source) -> PictureData:
    choice = source.choice
    x, y = source.along(choice.x), source.along(choice.y)
    values = source.table(choice.y, choice.x)

    def field(row: int, column: int) -> MapField:
        value = float(values[row, column])
        if not np.isfinite(value):
            return MapField(value, "", "", None)
        where = f"{choice.x} {x.labels[column]}, {choice.y} {y.labels[row]}"
        note = source.text(value)
        about = {choice.x: column, choice.y: row}
        return MapField(value, note, f"{where}\n{source.measure[0]} {note}", about)

    fields = tuple(tuple(field(row, k) for k in range(values.shape[1])) for row in range(values.shape[0]))
    known = values[np.isfinite(values)]
    ends = (source.text(float(known.min())), source.text(float(known.max()))) if len(known) else ("", "")
    title = source.measure[0]
    return PictureData(
        choice, x, y, fields=fields, ends=(f"{title} {ends[0]}", ends[1]), runs=len(source.rows)
    )


def losses(values: NDArray[np.float64], *, is_less_better: bool) -> NDArray[np.float64]:
    """Return by which part each value along the last dimension is worse than the best of its cell.

    A cell is known where all of its values are; nan elsewhere.
    """
    best = values.min(-1, keepdims=True) if is_less_better else values.max(-1, keepdims=True)
    apart = np.abs(values - best)
    with np.errstate(divide="ignore", invalid="ignore"):
        lost = np.where(apart == 0, 0.0, apart / np.abs(best))
    known: NDArray[np.float64] = np.where(np.isfinite(values).all(-1, keepdims=True), lost, np.nan)
    return known


def _best_map(source: _Source) -> PictureData:
    choice = source.choice
    x, y, names = source.along(choice.x), source.along(choice.y), source.names(choice.by)
    values = source.table(choice.y, choice.x, choice.by)
    lost = losses(values, is_less_better=source.is_less_better)
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
        sentence=which_best(source, values.swapaxes(0, 1)),
        runs=len(source.rows),
    )


def which_best(source: _Source, values: NDArray[np.float64]) -> str:
    """Say which one is best or nearly so most often, and from where on another one is.

    `values` are means by x, other axis, and what is compared, (x, y, compared).
    """
    choice = source.choice
    lost = losses(values, is_less_better=source.is_less_better)
    known = np.asarray(np.isfinite(lost).all(-1), np.bool_)
    if values.shape[-1] < 2 or not known.any():
        return ""
    names, bottom = source.names(choice.by), source.along(choice.x)
    is_good = np.where(lost[known] <= NEAR, 1.0, 0.0)
    good: NDArray[np.float64] = is_good.mean(0)
    most = int(good.argmax())
    cells = int(known.sum())
    text = f"{names[most]} is best or within {100 * NEAR:g} % in {100 * good[most]:.0f} % of {cells} cells"
    if good[most] == 1:
        return f"{names[most]} is best or within {100 * NEAR:g} % everywhere."
    winner = [_winner(lost[i][known[i]]) for i in range(len(lost))]
    last = next((i for i in range(len(winner), 0, -1) if winner[i - 1] != winner[-1]), 0)
    if source.axes[choice.x].numbers is not None and 0 < last < len(winner) and winner[-1] not in (most, -1):
        return f"{text}; from {choice.x} {bottom.labels[last]} on {names[winner[-1]]} is."
    return f"{text}."


def _winner(lost: NDArray[np.float64]) -> int:
    """Return which one is good in most cells, -1 where nothing is known."""
    return int((lost <= NEAR).sum(0).argmax()) if len(lost) else -1


# ---- two measures


def _front(source: _Source) -> PictureData:
    choice = source.choice
    other = measure_title(choice.other)
    keys = [f"{PLACE}{name}" for name in source.axes]
    two = list(dict.fromkeys((choice.measure, choice.other)))
    means = source.rows.groupby(["cell", *keys])[two].mean().dropna().reset_index()
    points = means[[choice.measure, choice.other]].to_numpy(np.float64)
    best = _unbeaten(
        points * [1 if MEASURES[n].better != "more" else -1 for n in (choice.measure, choice.other)]
    )
    shown = np.union1d(np.linspace(0, len(points) - 1, MOST_DOTS).astype(np.int64), np.flatnonzero(best))
    places = means[keys].to_numpy(np.int64)
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
    return PictureData(
        choice, source.measure, other, dots=tuple(dots), groups=tuple(groups), runs=len(source.rows)
    )


def _unbeaten(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which points no other one beats in both numbers, where less is better, (points,)."""
    order = np.lexsort((points[:, 1], points[:, 0]))
    least = np.concatenate([[np.inf], np.minimum.accumulate(points[order, 1])[:-1]])
    found = np.zeros(len(points), bool)
    found[order] = points[order, 1] < least
    return found


# ---- what a click opens


def picked(study: Study, frame: pd.DataFrame, choice: PictureChoice, fixed: Mapping[str, int]) -> Picked:
    """Return the cell that was clicked and, where policies are varied, the best other one beside it."""
    source = _Source(study, frame, choice)
    here = source.position(fixed)
    axis = policy_axis(study)
    if axis is None or len(axis.points) < 2:
        return Picked((here,))
    place = list(source.axes).index(axis.name)
    others = {name: here[i] for i, name in enumerate(source.axes) if name != axis.name}
    rows = source.rows
    for name, at in others.items():
        rows = rows[rows[f"{PLACE}{name}"] == at]
    means = rows.groupby(f"{PLACE}{axis.name}")[choice.measure].mean().drop(here[place], errors="ignore")
    if not len(means):
        return Picked((here,))
    numbers = means.to_numpy(np.float64)
    best = int(means.index[int(numbers.argmin() if source.is_less_better else numbers.argmax())])
    return Picked((here, (*here[:place], best, *here[place + 1 :])))

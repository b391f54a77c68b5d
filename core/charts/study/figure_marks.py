"""What the figures of a study are painted by: curves with marks, names and texts, and ranges of papers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from core.charts.study.marks import Claim, Curve, MapField, Mark
from core.charts.study.picture_data import PAINTED
from core.charts.study.values import Along, along, value_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.study.figure_data import FigureData, PlottedCurve, PublishedRange

About = Callable[[int, float], object]
Cell = str | float | None
GROUP = 0.8
"""How much of the room of a place its marks take."""
GAP = 0.08
"""How much of the room of a bar lies between it and the next."""
PUBLISHED = "published"


class FigureMarks:
    """The curves of a figure as marks; `about` has what a click on a point opens, by its `by` and x."""

    def __init__(self, data: FigureData, about: About) -> None:
        self.data, self.about = data, about
        self.bottom = self._along()
        mark = PAINTED[data.figure.kind].mark
        self.mark: Mark = "points" if mark == "line" and not data.is_ordered else mark

    def _along(self) -> Along:
        data = self.data
        if data.labels:
            return along(data.x_title, data.labels, data.x_unit)
        return along(data.x_title, self._xs, data.x_unit)

    @property
    def _xs(self) -> list[float]:
        return sorted({x for curve in (*self.data.curves, *self.data.published) for x in curve.xs})

    def curves(self) -> list[Curve]:
        """Return ours, and what was published over them."""
        data = self.data
        published = [numbers for numbers in data.published if self._place(numbers.name) is not None]
        return [*map(self._ours, range(len(data.curves))), *map(self._published, published)]

    def claims(self) -> list[Claim]:
        """Return what was published of whole curves."""
        found = []
        for stated in self.data.ranges:
            if (place := self._place(stated.name)) is not None:
                name = self._name(stated.name, is_published=True)
                text = f"{name}: {range_text(stated, self.data.y_unit)}"
                found.append(Claim(text, stated.least, stated.most, self._colour(self.data.curves[place])))
        return found

    def _place(self, name: str) -> int | None:
        return next((i for i, curve in enumerate(self.data.curves) if curve.name == name), None)

    def _ours(self, place: int) -> Curve:
        numbers = self.data.curves[place]
        ys, low, high = (np.array(each) for each in (numbers.ys, numbers.low, numbers.high))
        stacks = self.data.figure.drawn_as.stacks
        width, xs = self._room(place, numbers)
        return Curve(
            self._name(numbers.name, is_published=False),
            xs,
            ys,
            (low, high) if (high > low).any() and not stacks else None,
            self._texts(numbers, is_published=False),
            [self.about(numbers.by, x) for x in numbers.xs],
            self._colour(numbers),
            mark=self.mark,
            dash=numbers.measure if self.data.figure.by else 0,
            width=width if self.mark == "bars" else 0.0,
            base=self._base(place) if stacks else None,
            counts=numbers.counts,
        )

    def _published(self, numbers: PlottedCurve) -> Curve:
        place = self._place(numbers.name)
        assert place is not None
        ours = self.data.curves[place]
        ys, low, high = (np.array(each) for each in (numbers.ys, numbers.low, numbers.high))
        is_range = bool((high > low).any())
        joined = self.mark == "line" and set(ours.xs) <= set(numbers.xs)
        width, xs = self._room(place, numbers)
        return Curve(
            PUBLISHED if self.mark == "bars" else self._name(numbers.name, is_published=True),
            xs,
            ys,
            (low, high) if is_range else None,
            self._texts(numbers, is_published=True),
            [None] * len(numbers.xs),
            self._colour(ours),
            is_published=True,
            mark="boxes" if is_range else "line" if joined else "points",
            width=width if is_range else 0.0,
            on_bars=self.mark == "bars",
        )

    def _colour(self, numbers: PlottedCurve) -> int:
        return numbers.by if self.data.figure.by else numbers.measure

    def _room(self, place: int, numbers: PlottedCurve) -> tuple[float, NDArray[np.float64]]:
        """Return the width of a bar, and where points stand: side by side where x has no order."""
        data = self.data
        if not data.labels:
            places = self.bottom.places[np.searchsorted(self._xs, numbers.xs)]
            return 0.02 * float(np.ptp(self.bottom.places) or 1.0), places
        xs = np.array(numbers.xs)
        if data.figure.drawn_as.stacks or self.mark == "line":
            return GROUP, xs
        count = max(len(data.curves), 1)
        each = GROUP / count
        return each * (1 - GAP), xs + (place - (count - 1) / 2) * each

    def _base(self, place: int) -> NDArray[np.float64]:
        """Return what the bars of a part stand on: those of the parts before."""
        found = dict.fromkeys(self.data.curves[place].xs, 0.0)
        for before in self.data.curves[:place]:
            for x, y in zip(before.xs, before.ys, strict=True):
                if x in found:
                    found[x] += y
        return np.array(list(found.values()))

    # ---- words

    def _texts(self, numbers: PlottedCurve, *, is_published: bool) -> list[str]:
        name, unit = self._name(numbers.name, is_published=is_published), self.data.y_unit
        points = zip(numbers.xs, numbers.ys, numbers.low, numbers.high, strict=True)
        found = []
        for x, y, low, high in points:
            text = value_text(y, unit)
            if high > low:
                span = f"{value_text(low, unit)} to {value_text(high, unit)}"
                text = span if is_published else f"{text}\n{span}"
            found.append(f"{self.place_text(name, x)}\n{text}")
        return found

    def place_text(self, name: str, x: float) -> str:
        """Return where a point is: "johnson, nodes 64"."""
        label = self.data.labels[int(x)] if self.data.labels else f"{x:g}"
        return f"{name}, {self.data.x_title} {label}"

    def _name(self, name: str, *, is_published: bool) -> str:
        """Return a curve's name in the legend; a bare number gets that of its axis."""
        if not name:
            return PUBLISHED if is_published else "here"
        by = f"{self.data.along} " if name.replace(".", "").isdecimal() else ""
        return f"{by}{name}{' (paper)' if is_published else ''}"


def range_text(stated: PublishedRange, unit: str) -> str:
    """Return the range of a claim of a paper: "up to 25 %", "25 to 30 %", "at least 0.97"."""
    least, most = value_text(stated.least, unit), value_text(stated.most, unit)
    if not np.isfinite(stated.least):
        return f"up to {most}"
    if not np.isfinite(stated.most):
        return f"at least {least}"
    if least == most:
        return least
    return f"{least.removesuffix(f' {unit}') if unit == '%' else least} to {most}"


def figure_fields(data: FigureData, marks: FigureMarks) -> list[list[MapField]]:
    """Return the fields of a figure that is a map, row by row; nan where nothing has run yet."""

    def field(curve: PlottedCurve, x: int) -> MapField:
        if x not in curve.xs:
            return MapField(math.nan, "", "", None)
        y = curve.ys[curve.xs.index(x)]
        text = value_text(y, data.y_unit)
        return MapField(y, text, f"{marks.place_text(curve.name, x)}\n{text}", marks.about(curve.by, x))

    return [[field(curve, x) for x in range(len(data.labels))] for curve in data.curves]


def figure_table(data: FigureData) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]]:
    """Return headings and rows of a figure: each point, its mean, its spread, and what was published."""
    published = {
        (curve.name, x): (low, high, curve.note)
        for curve in data.published
        for x, low, high in zip(curve.xs, curve.low, curve.high, strict=True)
    }
    rows: list[tuple[Cell, ...]] = []
    for curve in data.curves:
        for x, *values in zip(curve.xs, curve.ys, curve.low, curve.high, strict=True):
            there = published.pop((curve.name, x), (None, None, None))
            rows.append((curve.name, _label(data, x), *values, *there))
    rows += [(name, _label(data, x), None, None, None, *there) for (name, x), there in published.items()]
    for stated in data.ranges:
        ends = [end if math.isfinite(end) else None for end in (stated.least, stated.most)]
        rows.append((stated.name, "all", None, None, None, *ends, stated.note))
    unit = f" ({data.y_unit})" if data.y_unit else ""
    columns = (f"{data.y_title}{unit}", "least", "most", "published from", "published to", "read how")
    return (data.along or "curve", data.x_title, *columns), tuple(rows)


def _label(data: FigureData, x: float) -> str | float:
    return data.labels[int(x)] if data.labels else x

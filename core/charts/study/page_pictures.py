"""Pictures of a study as JSON that the script of a page draws: the marks that the study window draws."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from core.charts.appearance import Appearance
from core.charts.study.field_colours import PALER, colours_of_bests, colours_of_values, pale_colour
from core.charts.study.figure_marks import FigureMarks, figure_fields
from core.charts.study.marks import scale_ends
from core.charts.study.picture_data import PAINTED, first_cells, places_in_figure
from core.charts.study.values import Along, along
from core.study.measures import MEASURES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.charts.study.field_colours import FieldColours
    from core.charts.study.marks import Claim, Curve, Dot, MapField
    from core.charts.study.page_places import Places
    from core.charts.study.picture_data import PictureData
    from core.study.figure_data import FigureData
    from core.study.pictures import PictureRows
    from core.study.study import Study

    Json = dict[str, Any]  # Any: JSON
    Fields = Sequence[Sequence[MapField]]
    About = Mapping[str, int] | None

THEMES = (Appearance(False), Appearance(True))
"""In the order of the two colours of a field: light, dark."""
NONE = -1


class PictureWriter:
    """Writes pictures; `places` numbers what their marks open, `rows` has all rows that went well."""

    def __init__(self, study: Study, rows: PictureRows, places: Places) -> None:
        self._study, self._rows, self._places = study, rows, places
        self._names = [axis.name for axis in study.axes]
        self._firsts: dict[tuple[str, ...], dict[tuple[int, ...], tuple[int, ...]]] = {}

    def written(self, data: PictureData) -> Json:
        """Return a picture: its marks, each with its words, its places on axes and what it opens."""
        common = {"answer": data.sentence, "runs": data.runs}
        if data.figure is not None:
            return common | self._figure(data.figure)
        opens = self._opens_of(data)
        painted = PAINTED[data.choice.kind]
        axes = {"x": _axis(data.x), "y": _axis(data.y), "spread": data.spread, "plot": painted.plot}
        if painted.plot == "map":
            assert isinstance(data.x, Along)
            assert isinstance(data.y, Along)
            value = [MEASURES[data.choice.measure].title, MEASURES[data.choice.measure].unit]
            return common | axes | self._map(data, opens) | {"value": value}
        if painted.plot == "front":
            dots = [self._dot(dot, opens) for dot in data.dots]
            return common | axes | {"dots": dots, "groups": [list(group) for group in data.groups]}
        is_part = painted.mark == "steps"
        curves = [self._curve(each, opens) for each in data.curves]
        return common | axes | {"curves": curves, "isPart": is_part}

    def _opens_of(self, data: PictureData) -> Callable[[About], int]:
        """Return what gives the number of the place that a mark opens."""
        held = dict(data.choice.where)

        def opens(about: About) -> int:
            return NONE if not about else self._number(held | dict(about))

        return opens

    def _number(self, fixed: Mapping[str, int]) -> int:
        """Return the number of the place of the first cell at some places on axes, -1 where there is none."""
        names = tuple(name for name in self._names if name in fixed)
        if names not in self._firsts:
            self._firsts[names] = first_cells(self._rows, names)
        cell = self._firsts[names].get(tuple(fixed[name] for name in names))
        return NONE if cell is None else self._places.number(cell)

    def _at(self, about: About) -> list[int]:
        """Return the places of a mark on all axes of the study, -1 where it has none; nothing without any."""
        return [] if not about else [about.get(name, NONE) for name in self._names]

    # ---- curves and dots

    def _curve(self, curve: Curve, opens: Callable[[About], int]) -> Json:
        known = [place for place, y in enumerate(curve.ys.tolist()) if math.isfinite(y)]
        low, high = (None, None) if curve.band is None else curve.band
        base = curve.base

        def some(values: Any) -> list[float] | None:  # Any: numbers, or None
            return None if values is None else [float(values[place]) for place in known]

        return {
            "name": curve.name,
            "colour": curve.colour,
            "mark": curve.mark,
            "dash": curve.dash,
            "width": curve.width,
            "published": curve.is_published,
            "onBars": curve.on_bars,
            "xs": some(curve.xs),
            "ys": some(curve.ys),
            "low": some(low),
            "high": some(high),
            "base": some(base),
            "texts": [curve.texts[place] for place in known],
            "counts": [curve.counts[place] for place in known] if len(curve.counts) else [],
            "at": [self._at(curve.abouts[place]) for place in known],
            "opens": [opens(curve.abouts[place]) for place in known],
        }

    def _dot(self, dot: Dot, opens: Callable[[About], int]) -> Json:
        return {
            "x": dot.x,
            "y": dot.y,
            "group": dot.group,
            "text": dot.text,
            "best": dot.is_best,
            "at": self._at(dot.about),
            "opens": opens(dot.about),
        }

    # ---- maps

    def _map(self, data: PictureData, opens: Callable[[About], int]) -> Json:
        found = self._fields(data.fields, opens)
        if data.bests:
            colours = [colours_of_bests(data.fields, each) for each in THEMES]
            pale = [css_of(pale_colour(each)) for each in THEMES]
            return found | _shades(colours) | {"bests": list(data.bests), "paler": [PALER, *pale]}
        return found | _scale(data.fields, data.ends, data.most, is_turned=data.is_turned)

    def _fields(self, fields: Fields, opens: Callable[[About], int]) -> Json:
        """Return the fields row by row; of one where nothing is known only its place."""
        return {
            "fields": [
                [
                    [
                        field.value if math.isfinite(field.value) else None,
                        field.note,
                        field.text,
                        field.best,
                        self._at(field.about),
                        opens(field.about),
                    ]
                    for field in row
                ]
                for row in fields
            ]
        }

    # ---- the study's own figures

    def _figure(self, data: FigureData) -> Json:
        def about(curve: int, x: float) -> dict[str, int]:
            return places_in_figure(self._study, data.figure, curve, x)

        def opens(places: About) -> int:
            return NONE if not places else self._number(places)

        marks = FigureMarks(data, about)
        y = [data.y_title, data.y_unit]
        if PAINTED[data.figure.kind].plot == "map":
            fields = figure_fields(data, marks)
            values = [y for curve in data.curves for y in curve.ys]
            better = MEASURES[data.figure.measures[0]].better
            ends = scale_ends(data.y_title, values, data.y_unit, better)
            left = along(data.along, [curve.name for curve in data.curves])
            shown = self._fields(fields, opens) | _scale(fields, ends, None, is_turned=better == "less")
            bottom = along(data.x_title, data.labels, data.x_unit)
            return shown | {"plot": "map", "x": _axis(bottom), "y": _axis(left), "spread": "", "value": y}
        return {
            "plot": "curves",
            "x": _axis(marks.bottom),
            "y": y,
            "spread": data.spread,
            "curves": [self._curve(curve, opens) for curve in marks.curves()],
            "claims": [_claim(claim) for claim in marks.claims()],
            "isPart": False,
        }


def _axis(shown: Along | tuple[str, str]) -> Any:  # Any: JSON
    """Return an axis: values of the study, or a title and a unit."""
    if not isinstance(shown, Along):
        return list(shown)
    return {
        "title": shown.title,
        "labels": list(shown.labels),
        "places": shown.places.tolist(),
        "scale": shown.scale,
    }


def _claim(claim: Claim) -> Json:
    ends = [each if math.isfinite(each) else None for each in (claim.least, claim.most)]
    return {"text": claim.text, "least": ends[0], "most": ends[1], "colour": claim.colour}


def _scale(fields: Fields, ends: tuple[str, str], most: float | None, *, is_turned: bool) -> Json:
    """Return the colours of values, and the ramp of the legend with the texts of its ends."""
    colours = [colours_of_values(fields, each, most, is_turned=is_turned) for each in THEMES]
    return _shades(colours) | {"ends": list(ends), "steps": [[css_of(s) for s in c.steps] for c in colours]}


def _shades(colours: Sequence[FieldColours]) -> Json:
    """Return the colours of all fields in the light and in the dark, in one list where they are the same."""
    found = [
        [[None if each is None else css_of(each) for each in row] for row in own.of_fields] for own in colours
    ]
    return {"shades": found[:1] if found[0] == found[1] else found}


def css_of(colour: int) -> str:
    """Return 0xRRGGBB as style sheets have it."""
    return f"#{colour:06x}"


def marks_in(picture: Json) -> int:
    """Return how many marks a picture has."""
    return (
        sum(len(curve["xs"]) for curve in picture.get("curves", ()))
        + sum(map(len, picture.get("fields", ())))
        + len(picture.get("dots", ()))
    )

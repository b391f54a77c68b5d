"""The marks of a study's pictures: curves and bars with their spread, ranges of papers, fields and dots."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from core.charts.study.values import value_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Mark = Literal["line", "points", "bars", "boxes", "steps"]


class Curve(NamedTuple):
    """One curve.

    Attributes
    ----------
    name : in the legend
    xs, ys : its points, (points,); a point that has no value yet is nan
    band : its low and its high end, each (points,), or None
    texts : what is said of each point
    abouts : what a click on each point opens
    colour : place of its colour: curves of the same policy have the same one in all pictures
    is_published : read off a paper, so drawn beside ours with hollow marks
    mark : "line" joins points that have an order; "points" stand alone, "bars" on `base`; "boxes" go from one
        end of the band to the other; "steps" go up at their points, as a distribution function does
    dash : of which measure it is, where several have the same colour
    width : of bars and boxes, in coordinates of x
    base : what bars stand on, (points,); None for 0
    counts : of how many runs each mean is, (points,); empty where that is not known
    on_bars : published beside bars: drawn upon its bar, so in the colour of text
    """

    name: str
    xs: NDArray[np.float64]
    ys: NDArray[np.float64]
    band: tuple[NDArray[np.float64], NDArray[np.float64]] | None
    texts: Sequence[str]
    abouts: Sequence[Any]  # Any: whatever a click is to open
    colour: int
    is_published: bool = False
    mark: Mark = "line"
    dash: int = 0
    width: float = 0.0
    base: NDArray[np.float64] | None = None
    on_bars: bool = False
    counts: Sequence[int] = ()

    @property
    def bottom(self) -> NDArray[np.float64]:
        """What bars stand on, (points,)."""
        return np.zeros(len(self.xs)) if self.base is None else self.base


class Claim(NamedTuple):
    """A paper's claim about a whole curve: from `least` to `most`; an end that is infinite is open."""

    text: str
    least: float
    most: float
    colour: int


class MapField(NamedTuple):
    """One field of the map.

    Attributes
    ----------
    value : a number, nan where nothing is known yet
    note : written into it where there is room
    text, about : what is said of it, and what a click opens
    best : place of what is best there, -1 where a map has numbers only
    """

    value: float
    note: str
    text: str
    about: Any  # Any: whatever a click is to open
    best: int = -1


class Dot(NamedTuple):
    """A point of a scatter plot.

    Attributes
    ----------
    x, y : its values
    group : place of its group's colour
    text, about : what is said of it, and what a click opens
    is_best : no other point is as small in both
    """

    x: float
    y: float
    group: int
    text: str
    about: Any
    is_best: bool


def scale_ends(title: str, values: Sequence[float], unit: str, better: str) -> tuple[str, str]:
    """Return the texts of both ends of a scale of colours, with what is best: "Makespan 30 s (best)"."""
    known = [value for value in values if math.isfinite(value)]
    if not known:
        return "", ""
    words = {"less": (" (best)", " (worst)"), "more": (" (worst)", " (best)")}.get(better, ("", ""))
    low, high = (value_text(end, unit) for end in (min(known), max(known)))
    return f"{title} {low}{words[0]}", f"{high}{words[1]}"

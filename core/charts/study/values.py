"""Values along the axes of a study's pictures, and how they are written."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from core.model.number_text import grouped
from core.model.time_text import duration_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ROOM = 0.06
"""Beside the outermost marks, as a part of what lies between them."""
GEOMETRIC = 0.1
"""Steps of values whose factors differ by less are even on a logarithmic axis."""


def value_text(value: float, unit: str) -> str:
    """Write a value with its unit: "2 min 05 s", "12.5 %", "64 slots"."""
    if not math.isfinite(value):
        return "–"
    if unit == "s":
        return duration_text(value)
    number = f"{value:.4g}" if abs(value) < 1e4 else grouped(value)
    return f"{number} {unit}".rstrip()


class Along(NamedTuple):
    """The values of an axis of the study along an axis of a plot.

    Attributes
    ----------
    title : with its unit
    labels : in order
    places : where each of them lies, ascending, (values,)
    scale : what lies between them: nothing where they are words, else numbers, or their factors
    """

    title: str
    labels: tuple[str, ...]
    places: NDArray[np.float64]
    scale: Literal["words", "even", "factors"] = "words"


def along(title: str, values: Sequence[object], unit: str = "") -> Along:
    """Place numbers by their size, or their factor where they grow by factors; words one after the other."""
    labels = tuple(f"{value:g}" if isinstance(value, int | float) else str(value) for value in values)
    is_in_title = len(unit) > 1 and unit in title  # "s" is in many a word
    heading = f"{title} ({unit})" if unit and not is_in_title else title
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return Along(heading, labels, np.arange(len(labels), dtype=np.float64))
    numbers = np.array(values, np.float64)
    if _grows_by_factors(numbers):
        return Along(heading, labels, np.log10(numbers), "factors")
    return Along(heading, labels, numbers, "even")


def _grows_by_factors(numbers: NDArray[np.float64]) -> bool:
    if len(numbers) < 3 or numbers.min() <= 0:
        return False
    factors = numbers[1:] / numbers[:-1]
    return bool(factors.min() > 1.3 and np.ptp(factors) <= GEOMETRIC * factors.max())


def number_text(value: float) -> str:
    """Write a round number: "0.05", "64", "2 400 000"."""
    if 1e4 <= abs(value) < 1e15:
        return grouped(value)
    return f"{round(value, 9):.6g}"


def with_room(low: float, high: float) -> tuple[float, float]:
    """Return what an axis shows of which marks lie between two values."""
    room = ROOM * (high - low) or max(abs(high) * ROOM, 0.5)
    return low - room, high + room

"""Long lists of numbers, checked by numpy so that the schema need not walk them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import MOST_PROBLEMS
from core.model.limits import MOST_SECONDS

if TYPE_CHECKING:
    from numpy.typing import NDArray


def faulty_items(values: list[Any]) -> list[int]:
    """Return the indices of items that are not times from 0 to `MOST_SECONDS` (the first few)."""
    array = _as_array(values)
    if array is None:
        numbers = (i for i, value in enumerate(values) if not _is_time(value))
        return [i for i, _ in zip(numbers, range(MOST_PROBLEMS + 1), strict=False)]
    faulty = np.flatnonzero(~((array >= 0) & (array <= MOST_SECONDS)))
    return [int(i) for i in faulty[: MOST_PROBLEMS + 1]]


def _as_array(values: list[Any]) -> NDArray[np.float64] | None:
    """Return the numbers as an array, or None if there is anything but numbers that fit."""
    if not set(map(type, values)) <= {int, float}:  # true and false are not numbers here
        return None
    try:
        return np.array(values, np.float64)
    except OverflowError:
        return None


def _is_time(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value <= MOST_SECONDS  # type: ignore[operator]


def _plain(number: float) -> float:
    """Return a whole number as an integer where that loses nothing; -0.0 has no other form."""
    is_whole = number.is_integer() and abs(number) < 2**53 and (number != 0 or math.copysign(1, number) > 0)
    return int(number) if is_whole else number


def compact(samples: NDArray[np.float64]) -> float | list[float]:
    """Return samples for a document: one number if they are all the same, else the list.

    Whole numbers become integers where that loses nothing, for people to read.
    """
    if len(samples) == 1:
        return _plain(samples.item())  # the common case of large workloads, ten times faster
    # Bits are compared, not values: 0.0 equals -0.0, but a document keeps which it was.
    bits = samples.view(np.int64)
    if len(samples) > 0 and (bits == bits[0]).all():
        samples = samples[:1]
    whole = samples.astype(np.int64) if (np.abs(samples) < 2**53).all() else None
    if whole is not None and (whole.astype(np.float64).view(np.int64) == samples.view(np.int64)).all():
        numbers: list[Any] = whole.tolist()
    else:
        numbers = samples.tolist()
    return numbers[0] if len(numbers) == 1 else numbers

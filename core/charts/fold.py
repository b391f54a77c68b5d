"""Stretches of time that take next to no room: the one mapping between seconds and places on a time axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

PLEAT = 0.02
"""How much of all that is not folded a folded stretch takes: 26 of 1300 pixels."""


@dataclass(frozen=True)
class Fold:
    """Places on an axis are seconds, but for stretches that are folded: each takes as much as `pleat`.

    With the stretch from 10 to 70 s folded into 2 s, 5 s stand at 5, 40 s at 11, and 80 s at 22.

    Attributes
    ----------
    stretches : begin and end of each in seconds, in order, apart from one another
    pleat : how much room a folded stretch takes, in seconds of the axis; 0 where nothing is folded
    """

    stretches: tuple[tuple[float, float], ...] = ()
    pleat: float = 0.0

    @property
    def is_folded(self) -> bool:
        """Whether some stretch takes less room than its seconds."""
        return bool(self.stretches) and self.pleat > 0

    @overload
    def place(self, seconds: float) -> float: ...
    @overload
    def place(self, seconds: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def place(self, seconds: float | NDArray[np.float64]) -> float | NDArray[np.float64]:
        """Return where a time stands on the axis."""
        if not self.is_folded:
            return seconds
        return _bent(seconds, self.stretches, [self.pleat] * len(self.stretches))

    @overload
    def seconds(self, place: float) -> float: ...
    @overload
    def seconds(self, place: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def seconds(self, place: float | NDArray[np.float64]) -> float | NDArray[np.float64]:
        """Return the time that stands at a place of the axis."""
        if not self.is_folded:
            return place
        begins = [self.place(begin) for begin, _ in self.stretches]
        pleats = [(begin, begin + self.pleat) for begin in begins]
        return _bent(place, pleats, [end - begin for begin, end in self.stretches])

    def stretch_at(self, seconds: float) -> tuple[float, float] | None:
        """Return the stretch that a time is in, folded or not; None for none."""
        return next((each for each in self.stretches if each[0] < seconds < each[1]), None)


NO_FOLD = Fold()


def folded(stretches: tuple[tuple[float, float], ...], end: float) -> Fold:
    """Return the fold of some stretches of a time from 0 to an end in seconds."""
    lengths = [last - first for first, last in stretches]
    return Fold(stretches, min([PLEAT * (end - sum(lengths)), *lengths]) if lengths else 0.0)


def _bent(
    value: float | NDArray[np.float64],
    stretches: Sequence[tuple[float, float]],
    lengths: Sequence[float],
) -> float | NDArray[np.float64]:
    """Return values for which each stretch is as long as wanted, and what is behind it moves along."""
    for (begin, end), length in zip(reversed(stretches), reversed(lengths), strict=True):
        inside = begin + (value - begin) * (length / (end - begin))
        behind = value - (end - begin - length)
        if isinstance(value, np.ndarray):
            value = np.where(value <= begin, value, np.where(value < end, inside, behind))
        elif value > begin:
            value = inside if value < end else behind
    return value

"""A curve of steps, reduced to what a row of pixels can show without losing a peak."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

STEPS_PER_PIXEL = 2
"""Up to so many steps in a pixel are drawn as they are."""

BLOCK = 64
BLOCKS_PER_PIXEL = 8
"""With so many blocks of steps in a pixel, whole blocks are taken: a peak moves by an eighth of a pixel at
most, and a million steps cost as little as a thousand."""


class Outline(NamedTuple):
    """A line through points: ``x`` ascending, (points,), and ``y``, (points,)."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]


class StepCurve:
    """Steps: ``values[i]`` holds from ``times[i]`` on, nan where there is none; before the first it is 0.

    Attributes
    ----------
    times : when the value changes, ascending, (steps,)
    """

    def __init__(self, times: NDArray[np.float64], values: NDArray[Any]) -> None:
        self.times = times
        # place 0 stands for the time before the first step
        self._padded = np.concatenate([[0.0], values])

    def value_at(self, time: float) -> float:
        """Return the value at a time."""
        return float(self._padded[np.searchsorted(self.times, time, side="right")])

    def outline(self, start: float, end: float, pixels: int) -> Outline:
        """Return the outline between two times for so many pixels; it begins at `start` and ends at `end`.

        Where there are more steps than pixels can show, each pixel has its first, smallest, largest and last
        value.
        """
        first, last = (int(place) for place in np.searchsorted(self.times, (start, end), side="right"))
        if last - first <= STEPS_PER_PIXEL * pixels:
            return self._exact(first, last, start, end)
        edges = np.linspace(start, end, pixels + 1)
        holds = np.searchsorted(self.times, edges, side="right")
        begin, until = holds[:-1], holds[1:] + 1
        if last - first > BLOCK * BLOCKS_PER_PIXEL * pixels:
            lows, highs = self._blocks
            low, high = _extremes(lows, highs, begin // BLOCK, (until - 1) // BLOCK + 1)
        else:
            low, high = _extremes(self._padded, self._padded, begin, until)
        y = np.stack([self._padded[begin], low, high, self._padded[until - 1]], 1).ravel()
        middle = (edges[:-1] + edges[1:]) / 2
        return Outline(np.stack([edges[:-1], middle, middle, edges[1:]], 1).ravel(), y)

    def _exact(self, first: int, last: int, start: float, end: float) -> Outline:
        """Return two points per step: where it begins with the old value, and with the new one."""
        x = np.concatenate([[start], np.repeat(self.times[first:last], 2), [end]])
        return Outline(x, np.repeat(self._padded[first : last + 1], 2))

    @cached_property
    def _blocks(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Smallest and largest value of each block of steps."""
        begins = np.arange(0, len(self._padded), BLOCK)
        return np.fmin.reduceat(self._padded, begins), np.fmax.reduceat(self._padded, begins)


def _extremes(
    lows: NDArray[np.float64],
    highs: NDArray[np.float64],
    begin: NDArray[np.int64],
    until: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return smallest and largest of the stretches [begin, until); they may overlap."""
    stretches = np.stack([begin, until], 1).ravel()
    # one more at the end, since reduceat wants every place to exist
    smallest = np.fmin.reduceat(np.append(lows, lows[-1]), stretches)[::2]
    largest = np.fmax.reduceat(np.append(highs, highs[-1]), stretches)[::2]
    return smallest, largest

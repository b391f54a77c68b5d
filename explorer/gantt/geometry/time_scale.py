"""The one mapping of a chart between times and pixels; pure, without Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

from explorer.plots.axis import round_step, times_between

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class TimeScale:
    """A stretch of time over a number of pixels.

    The picture's left border lies on a whole device pixel of an endless time line (`origin`), so that panning
    moves a picture by whole pixels and what was drawn stays right.

    Attributes
    ----------
    start, span : seconds shown, from `start` to ``start + span``
    width : logical pixels
    ratio : device pixels per logical pixel
    """

    start: float
    span: float
    width: int
    ratio: float = 1.0

    @property
    def end(self) -> float:
        """The last second shown."""
        return self.start + self.span

    @property
    def pixels_per_second(self) -> float:
        """Logical pixels per second."""
        return self.width / self.span

    @property
    def device_pixels_per_second(self) -> float:
        """Device pixels per second."""
        return self.width * self.ratio / self.span

    @property
    def origin(self) -> int:
        """Device pixel of the left border, counted from time 0."""
        return math.floor(self.start * self.device_pixels_per_second + 0.5)

    @overload
    def x(self, time: float) -> float: ...
    @overload
    def x(self, time: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def x(self, time: float | NDArray[np.float64]) -> float | NDArray[np.float64]:
        """Return the logical pixel of a time, from the left border."""
        return time * self.pixels_per_second - self.origin / self.ratio

    def time(self, x: float) -> float:
        """Return the time at a logical pixel."""
        return (x + self.origin / self.ratio) / self.pixels_per_second

    def ticks(self, apart: float = 110.0) -> tuple[NDArray[np.float64], float]:
        """Return the tick times in view and the step between them, at least about `apart` pixels."""
        step = round_step(apart / self.pixels_per_second)
        return np.array(times_between(self.start, self.end, step), np.float64), step

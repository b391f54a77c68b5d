"""Times to pixels and back, and the ticks between; pure, without Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CLOCK_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)
_DAY = 86400.0


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
        step = nice_step(apart / self.pixels_per_second)
        first, last = math.ceil(self.start / step - 1e-9), math.floor((self.start + self.span) / step + 1e-9)
        return np.arange(first, last + 1, dtype=np.float64) * step, float(step)


def nice_step(least: float) -> float:
    """Return the smallest step that reads well on a clock and is at least `least` seconds."""
    if least <= 0 or not math.isfinite(least):
        return 1.0
    if least > _DAY:
        return _round_up(least / _DAY) * _DAY
    if least <= 0.5:
        return _round_up(least)
    return float(next(step for step in _CLOCK_STEPS if step >= least * (1 - 1e-9)))


def _round_up(value: float) -> float:
    """Round up to 1, 2 or 5 times a power of ten."""
    exponent = math.floor(math.log10(value) + 1e-9)
    for factor in (1, 2, 5, 10):
        # NOTE: dividing by a power of ten is exact where multiplying by its inverse is not
        step = factor * 10**exponent if exponent >= 0 else factor / 10**-exponent
        if step >= value * (1 - 1e-9):
            return float(step)
    return float(10 ** (exponent + 1))

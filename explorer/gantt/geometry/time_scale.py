"""The one mapping of a chart between times and pixels; pure, without Qt.

Between them stand places on the axis, in seconds: where stretches of time are folded, those behind them come
nearer (see `core.charts.fold`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

from core.charts.fold import NO_FOLD, Fold
from explorer.plots.axis import round_step, times_between

if TYPE_CHECKING:
    from numpy.typing import NDArray


MIN_APART = 0.6
"""Of the pixels that ticks are apart at least, as many remain beside a folded stretch."""


@dataclass(frozen=True, slots=True)
class TimeScale:
    """A stretch of the time axis over a number of pixels.

    The picture's left border lies on a whole device pixel of an endless time line (`origin`), so that panning
    moves a picture by whole pixels and what was drawn stays right.

    Attributes
    ----------
    first, span : places on the axis that are shown, from `first` to ``first + span``, in its seconds
    width : logical pixels
    ratio : device pixels per logical pixel
    fold : which place on the axis a time has
    """

    first: float
    span: float
    width: int
    ratio: float = 1.0
    fold: Fold = NO_FOLD

    @property
    def start(self) -> float:
        """The first second shown."""
        return self.fold.seconds(self.first)

    @property
    def end(self) -> float:
        """The last second shown."""
        return self.fold.seconds(self.first + self.span)

    @property
    def pixels_per_second(self) -> float:
        """Logical pixels per second that is not folded."""
        return self.width / self.span

    @property
    def device_pixels_per_second(self) -> float:
        """Device pixels per second that is not folded."""
        return self.width * self.ratio / self.span

    @property
    def origin(self) -> int:
        """Device pixel of the left border, counted from time 0."""
        return math.floor(self.first * self.device_pixels_per_second + 0.5)

    @overload
    def x(self, time: float) -> float: ...
    @overload
    def x(self, time: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def x(self, time: float | NDArray[np.float64]) -> float | NDArray[np.float64]:
        """Return the logical pixel of a time, from the left border."""
        return self.fold.place(time) * self.pixels_per_second - self.origin / self.ratio

    def time(self, x: float) -> float:
        """Return the time at a logical pixel."""
        return self.fold.seconds((x + self.origin / self.ratio) / self.pixels_per_second)

    def times(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the times at many logical pixels."""
        return self.fold.seconds((pixels + self.origin / self.ratio) / self.pixels_per_second)

    def width_of(self, start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logical pixels between two times, of many pairs."""
        return (self.fold.place(end) - self.fold.place(start)) * self.pixels_per_second

    @property
    def pleats(self) -> tuple[tuple[float, float], ...]:
        """The first and the last pixel of each folded stretch; they may lie outside of the view."""
        stretches = self.fold.stretches if self.fold.is_folded else ()
        return tuple((self.x(begin), self.x(end)) for begin, end in stretches)

    def ticks(self, apart: float = 110.0) -> tuple[NDArray[np.float64], float]:
        """Return the tick times in view and the step between them, at least about `apart` pixels.

        None is inside a folded stretch, or so near behind one that its label would meet the one before.
        """
        step = round_step(apart / self.pixels_per_second)
        if not self.fold.is_folded:
            return np.array(times_between(self.start, self.end, step), np.float64), step
        kept: list[float] = []
        for begin, end in self._open_in_view():
            for time in times_between(begin, end, step):
                is_open = self.fold.stretch_at(time) is None
                if is_open and (not kept or self.x(time) - self.x(kept[-1]) >= MIN_APART * apart):
                    kept.append(time)
        return np.array(kept, np.float64), step

    def _open_in_view(self) -> list[tuple[float, float]]:
        """Return the times in view that are not folded: a step of seconds in years would be many."""
        begins = [self.start, *(max(end, self.start) for _, end in self.fold.stretches)]
        ends = [*(min(begin, self.end) for begin, _ in self.fold.stretches), self.end]
        return [(begin, end) for begin, end in zip(begins, ends, strict=True) if begin <= end]

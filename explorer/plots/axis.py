"""The axis of plots: where values lie, even or logarithmic, and which round values are written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.model.number_text import grouped
from core.model.time_text import clock_text, duration_text

if TYPE_CHECKING:
    from numpy.typing import NDArray


Unit = Literal["s", "tasks"]
ROUND_TIMES = (1.0, 10.0, 60.0, 600.0, 3600.0, 36_000.0, 86_400.0)
"""What a logarithmic axis of seconds is marked at from a second to a day; powers of ten of it elsewhere."""
TICK_ROOM = 76
"""Pixels that a label needs."""
STEPS = (10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)
"""Round times from ten seconds to a day; below and above, 1, 2 and 5 times powers of ten."""
DAY = 86400.0


@dataclass(frozen=True, slots=True)
class ValueScale:
    """Values from `low` to `high` lie between the pixels `left` and `right`."""

    low: float
    high: float
    left: float
    right: float
    is_log: bool = False

    def x(self, value: float) -> float:
        """Return the pixel of a value."""
        low, high = self._measure(self.low), self._measure(self.high)
        at = self._measure(max(value, self.low)) if self.is_log else value
        part = (at - low) / (high - low) if high > low else 0.5
        return self.left + part * (self.right - self.left)

    def xs(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the pixels of values; what is not above 0 lies at the left end of a logarithmic scale."""
        low, high = self._measure(self.low), self._measure(self.high)
        if self.is_log:
            values = np.log10(np.maximum(values, self.low))
        part = (values - low) / (high - low) if high > low else np.full(len(values), 0.5)
        places: NDArray[np.float64] = self.left + part * (self.right - self.left)
        return places

    def value(self, x: float) -> float:
        """Return the value at a pixel."""
        low, high = self._measure(self.low), self._measure(self.high)
        part = (x - self.left) / max(self.right - self.left, 1.0)
        at = low + part * (high - low)
        return 10.0**at if self.is_log else at

    def ticks(self, unit: Unit, room: float = TICK_ROOM) -> list[float]:
        """Return the values that are marked, where each label needs so many pixels."""
        most = max(int((self.right - self.left) / room), 1)
        if self.is_log:
            for marks in (_round_values(unit), _fine_values(self.low, self.high)):
                found = [mark for mark in marks if self.low <= mark <= self.high]
                if len(found) > 1 or (found and most == 1):
                    return found[:: math.ceil(len(found) / most)]
        # what is no time is counted as days are: in steps of 1, 2 and 5 times powers of ten
        scale = 1.0 if unit == "s" else DAY
        return [tick / scale for tick in time_ticks(self.low * scale, self.high * scale, most)]

    def labels(self, unit: Unit, room: float = TICK_ROOM) -> list[tuple[float, str]]:
        """Return the marked values with their texts; even times are written as clocks show them."""
        ticks = self.ticks(unit, room)
        if unit == "s" and not self.is_log and len(ticks) > 1:
            return [(tick, clock_text(tick, ticks[1] - ticks[0], self.high)) for tick in ticks]
        return [(tick, tick_text(tick, unit)) for tick in ticks]

    def _measure(self, value: float) -> float:
        return math.log10(value) if self.is_log else value


def _round_values(unit: Unit) -> list[float]:
    powers = [10.0**power for power in range(-6, 13)]
    if unit != "s":
        return powers
    small = [power for power in powers if power < 1]
    days = [10.0**power * ROUND_TIMES[-1] for power in range(1, 8)]
    return [*small, *ROUND_TIMES, *days]


def _fine_values(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times the powers of ten around a short stretch of a logarithmic axis."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [factor * 10.0**power for power in powers for factor in (1, 2, 5)]


def value_text(value: float, unit: Unit) -> str:
    """Write a value with its unit if it is a time: "2 min 05 s", "4 800"."""
    if unit == "s":
        return duration_text(value)
    return grouped(value)


def tick_text(value: float, unit: Unit) -> str:
    """Write a value below an axis, without parts that are zero: "10 min", "1 d"."""
    if unit != "s" or value < 60 or value % 60:
        return value_text(value, unit)
    for seconds, name in ((86_400, "d"), (3600, "h"), (60, "min")):
        if value % seconds == 0:
            return f"{value_text(value / seconds, 'tasks')} {name}"
    return value_text(value, unit)


def round_step(least: float) -> float:
    """Return the smallest step that reads well on a clock of at least so many seconds: 15 for 11."""
    if least <= 0 or not math.isfinite(least):
        return 1.0
    if least > DAY:
        return decimal_step(least / DAY) * DAY
    if least <= 5:
        return decimal_step(least)
    return float(next(step for step in STEPS if step >= least * (1 - 1e-9)))


def time_step(span: float, most: int) -> float:
    """Return the smallest round step that gives at most `most` ticks over a span of seconds."""
    return round_step(max(span / max(most, 1), 1e-9))


def times_between(start: float, end: float, step: float) -> list[float]:
    """Return the multiples of a step from start to end."""
    first, last = math.ceil(start / step - 1e-9), math.floor(end / step + 1e-9)
    return [i * step for i in range(first, last + 1)]


def time_ticks(start: float, end: float, most: int) -> list[float]:
    """Return the round times from start to end."""
    return times_between(start, end, time_step(end - start, most)) if end > start else [start]


def decimal_step(least: float) -> float:
    """Round up to 1, 2 or 5 times a power of ten."""
    exponent = math.floor(math.log10(least) + 1e-9)
    for factor in (1, 2, 5):
        # NOTE: dividing by a power of ten is exact where multiplying by its inverse is not
        step = factor * 10.0**exponent if exponent >= 0 else factor / 10.0**-exponent
        if step >= least * (1 - 1e-9):
            return step
    return 10.0 ** (exponent + 1)

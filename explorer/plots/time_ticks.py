"""Where an axis of seconds has its ticks: at round times, as many as there is room for."""

from __future__ import annotations

import math

STEPS = (10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)
"""Round times from ten seconds to a day; below and above, 1, 2 and 5 times powers of ten."""

DAY = 86400.0


def time_step(span: float, most: int) -> float:
    """Return the smallest round step that gives at most `most` ticks over a span of seconds."""
    wanted = max(span / max(most, 1), 1e-9)
    if wanted <= 5:
        return _decimal_step(wanted)
    for step in STEPS:
        if step >= wanted:
            return float(step)
    return _decimal_step(wanted / DAY) * DAY


def time_ticks(start: float, end: float, most: int) -> list[float]:
    """Return the round times from start to end."""
    if not end > start:
        return [start]
    step = time_step(end - start, most)
    first = math.ceil(start / step - 1e-9)
    last = math.floor(end / step + 1e-9)
    return [i * step for i in range(first, last + 1)]


def _decimal_step(wanted: float) -> float:
    power = 10.0 ** math.floor(math.log10(wanted))
    for factor in (1, 2, 5):
        if factor * power >= wanted * (1 - 1e-9):
            return factor * power
    return 10 * power

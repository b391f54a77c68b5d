"""The one spelling of times: durations "1 min 42 s", points in time "1:42"; and of changes, "+3.1 %".

Both come in two precisions: what is measured is rounded to what a reader can use, what was given or is
reasoned with is exact to the millisecond and never has zeros behind the point. Times that are typed are read
as either.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from core.model.errors import InputError, shorten
from core.model.number_text import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

MINUTE, HOUR, DAY = 60, 3600, 86400
MINUS = "\N{MINUS SIGN}"
FINE = 10.0
"""Seconds below which tenths matter."""
ROUNDING = 1e-12
"""The part of a time that sums of durations may be wrong by."""


def duration_text(seconds: float) -> str:
    """Return how long something takes: "7.3 s", "47 s", "1 min 42 s", "2 h 05 min"; a dash for never."""
    if not math.isfinite(seconds):
        return "–"
    if seconds < 0:
        return MINUS + duration_text(-seconds)
    if round(seconds, 1) < FINE:
        digits = 1 if seconds >= 1 else 2 - math.floor(math.log10(max(seconds, 0.001)) + 1)
        return f"{_trimmed(seconds, digits)} s"
    whole = round(seconds)
    if whole < MINUTE:
        return f"{whole} s"
    if whole < HOUR:
        return f"{whole // MINUTE} min {whole % MINUTE:02d} s"
    minutes = round(seconds / MINUTE)
    if minutes < DAY // MINUTE:
        return f"{minutes // 60} h {minutes % 60:02d} min"
    hours = round(seconds / HOUR)
    return f"{hours // 24} d {hours % 24:02d} h"


def signed_duration(seconds: float) -> str:
    """Return a change with its sign: "+12 s" is later, "−1 min 05 s" earlier; "±0 s" below a millisecond."""
    if abs(seconds) < 5e-4:
        return "±0 s"
    return f"{MINUS if seconds < 0 else '+'}{duration_text(abs(seconds))}"


def rough_duration(seconds: float) -> str:
    """Return about how long something takes, in minutes from ten of them on: "9 min 05 s", "43 min"."""
    minutes = round(seconds / MINUTE)
    if seconds < 10 * MINUTE:
        return duration_text(seconds)
    return f"{minutes} min" if minutes < 60 else duration_text(minutes * MINUTE)


def exact_duration(seconds: float) -> str:
    """Return a duration to the millisecond: "12.5 s", "10 min 00 s", "2 h 38 min 37.772 s"; or "never"."""
    if not math.isfinite(seconds):
        return "never"
    whole, rest = _split(abs(seconds))
    if whole < MINUTE:
        return _signed(seconds, f"{whole}{rest} s")
    minutes = f"{whole // MINUTE % MINUTE} min {whole % MINUTE:02d}{rest} s"
    if whole < HOUR:
        return _signed(seconds, minutes)
    hours = f"{whole // HOUR} h {whole // MINUTE % MINUTE:02d} min"
    return _signed(seconds, f"{hours} {whole % MINUTE:02d}{rest} s" if whole % MINUTE or rest else hours)


def makespan_step(largest: float) -> float:
    """Return the step in seconds to which makespans are rounded, by the largest of them.

    Differences are formed of what is shown (`shown_change`), so that they add up: to the second below a day.
    """
    if largest < 1:
        return 0.001
    return 0.1 if largest < MINUTE else 1.0 if largest < DAY else float(MINUTE)


def makespan_text(seconds: float, largest: float | None = None) -> str:
    """Return how long a run takes: "22.3 s", "17 min 52 s", "2 h 09 min 17 s", "2 d 13 h 05 min".

    `largest` is the longest run that is shown beside it, itself if None: all of them are as exact.
    """
    if not math.isfinite(seconds):
        return "–"
    step = makespan_step(max(abs(seconds), largest or 0.0))
    rounded = abs(time_in_steps(in_steps(seconds, step), step))
    whole = round(rounded)
    if rounded < HOUR:
        return _signed(seconds, exact_duration(rounded) if step <= 1 else f"{whole // MINUTE} min")
    minutes = f"{whole // HOUR % 24:02d} h {whole // MINUTE % 60:02d} min"
    if rounded >= DAY:
        return _signed(seconds, f"{whole // DAY} d {minutes}")
    seconds_too = f" {whole % MINUTE:02d} s" if step <= 1 else ""
    return _signed(seconds, f"{minutes.removeprefix('0')}{seconds_too}")


def difference_text(before: float, after: float, largest: float | None = None) -> str:
    """Return how much longer one run is shown to take than another: "−4 min 45 s", "+0.3 s", "±0 s".

    `largest` is the longest run that is shown beside them, as for `makespan_text`.
    """
    if not math.isfinite(before) or not math.isfinite(after):
        return "–"
    largest = max(before, after, largest or 0.0)
    change = shown_change(before, after, makespan_step(largest))
    if not change:
        return "±0 s"
    return f"{'+' if change > 0 else MINUS}{makespan_text(abs(change), largest)}"


def shown_change(before: float, after: float, step: float) -> float:
    """Return how much longer one run is shown to take than another one, in steps of so many seconds.

    Less is negative: 17 min 52.4 s after 18 min 03.6 s, to the second, is 12 s less.
    """
    return time_in_steps(in_steps(after, step) - in_steps(before, step), step)


def in_steps(seconds: float, step: float) -> int:
    """Return how many steps of so many seconds a time is, to the nearest."""
    return round(seconds / step)


def time_in_steps(count: int, step: float) -> float:
    """Return the seconds of so many steps, without the last bits of fractions: 223 of 0.1 s are 22.3 s."""
    return count * step if step >= 1 else count / round(1 / step)


def adding_up(parts: Sequence[float], whole: int) -> list[int]:
    """Return whole numbers near to some parts that add up to a whole; parts of 0 stay 0.

    Those that lose most by being cut are rounded up: 16.4, 3.1 and 1.5 are 16, 3 and 2 of 21.
    """
    counts = [math.floor(part) for part in parts]
    in_turn = sorted((i for i, part in enumerate(parts) if part), key=lambda i: counts[i] - parts[i])
    while in_turn and (missing := whole - sum(counts)):
        for place in in_turn[:missing] if missing > 0 else in_turn[missing:]:
            counts[place] += 1 if missing > 0 else -1
    return counts


def clock_step(span: float) -> float:
    """Return the smallest distance of points in time to be distinguished among so many seconds: s."""
    return 1.0 if span >= FINE else 0.1 if span >= 1 else 0.001


def clock_text(seconds: float, step: float | None = None, largest: float | None = None) -> str:
    """Return a point in time as a clock shows it: "0:07", "2:05", "1:20:05", "3 d 04:00"; a dash for never.

    `largest` is the latest time shown beside this one, itself if None: all labels of one axis have the
    same form. `step` is how finely they are told apart; if None that goes by `largest`, with
    tenths only below ten seconds, and not where they are zero.
    """
    if not math.isfinite(seconds):
        return "–"
    largest = max(abs(largest or 0.0), abs(seconds))
    is_whole = step is None
    step = clock_step(largest) if step is None else step
    decimals = max(0, math.ceil(-math.log10(step) - 1e-9)) if step < 1 else 0
    whole, fraction = divmod(round(abs(seconds) * 10**decimals), 10**decimals)
    tail = f".{fraction:0{decimals}d}" if decimals else ""
    if is_whole:
        tail = tail.rstrip("0").rstrip(".")
    return _signed(seconds, _clock(whole, max(largest, whole)) + tail)


def shown_end(seconds: float) -> float:
    """Return the first time that clocks show by which all has ended that ends so many seconds from 0.

    It is as fine as `clock_text` shows such times, and never before `seconds`, but for the last bits of sums.
    """
    step = clock_step(seconds)
    steps = math.ceil(seconds / step * (1 - ROUNDING))
    return time_in_steps(steps, step)


def exact_clock(seconds: float) -> str:
    """Return a point in time to the millisecond: "0:12.5", "1:40", "2:38:37.772"; or "never"."""
    if not math.isfinite(seconds):
        return "never"
    whole, rest = _split(abs(seconds))
    return _signed(seconds, _clock(whole, whole) + rest)


def _split(seconds: float) -> tuple[int, str]:
    whole, rest = divmod(round(seconds * 1000), 1000)
    return whole, f".{rest:03d}".rstrip("0") if rest else ""


def _trimmed(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")


def _clock(whole: int, largest: float) -> str:
    days, rest = divmod(whole, DAY)
    hours, minutes, seconds = rest // HOUR, rest // MINUTE % MINUTE, rest % MINUTE
    if largest >= DAY:
        return f"{days} d {hours:02d}:{minutes:02d}" + (f":{seconds:02d}" if seconds else "")
    if largest >= HOUR:
        return f"{whole // HOUR}:{minutes:02d}:{seconds:02d}"
    return f"{whole // MINUTE}:{seconds:02d}"


def _signed(seconds: float, text: str) -> str:
    return MINUS + text if seconds <= -0.0005 else text


def change_text(before: float, after: float) -> str:
    """Return how much `after` differs from `before` in percent: "−42.9 %", "+3.1 %", "±0 %"."""
    if not before or not math.isfinite(before) or not math.isfinite(after):
        return "–"
    return signed_percent(after / before - 1)


def signed_percent(change: float) -> str:
    """Write a relative change in percent with its sign: -0.429 is "−42.9 %"; below 0.05 %, "±0 %"."""
    if not math.isfinite(change):
        return "–"
    if abs(change) < 0.0005:
        return "±0 %"
    return f"{MINUS if change < 0 else '+'}{abs(change) * 100:.1f} %"


def percent(share: float) -> str:
    """Write a fraction in percent: 0.123 is "12.3 %"; what rounds to nothing has no sign, and NaN is "–"."""
    return f"{share * 100:z.1f} %".replace("-", MINUS) if math.isfinite(share) else "–"


def plain_number(value: float) -> str:
    """Write a number with about three digits: "4.3", "1 234"."""
    return f"{value:.3g}" if abs(value) < 1000 else grouped(value)


def fine_percent(share: float) -> str:
    """Write a fraction in percent with as many digits as it takes to see it: "19.8 %", "0.07 %"."""
    if 0 < share < 1e-4:
        return "less than 0.01 %"
    return f"{share * 100:.{1 if share >= 0.0095 else 2}f} %"


_CLOCK_TYPED = re.compile(r"(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)")
_PARTS_TYPED = re.compile(r"(\d+(?:\.\d+)?)\s*(d|h|min|s|)\s*")
_UNITS = {"d": float(DAY), "h": float(HOUR), "min": float(MINUTE), "s": 1.0, "": 1.0}


def seconds_from_text(text: str) -> float:
    """Return the seconds of a time as people type it: "5:33:20", "20000", "6h", "5 h 30 min".

    InputError for anything else.
    """
    typed = text.strip()
    if clock := _CLOCK_TYPED.fullmatch(typed):
        hours, minutes, seconds = (float(part or 0) for part in clock.groups())
        return HOUR * hours + MINUTE * minutes + seconds
    parts = _PARTS_TYPED.findall(typed)
    if not parts or _PARTS_TYPED.sub("", typed):
        raise InputError(f"{shorten(text)} is no time; type one such as 5:33:20, 20000 s or 5 h 30 min")
    return sum(float(number) * _UNITS[unit] for number, unit in parts)

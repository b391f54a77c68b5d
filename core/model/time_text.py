"""Times, durations and changes as short text, the same in every chart, table and card."""

from __future__ import annotations

import math

MINUTE, HOUR, DAY = 60, 3600, 86400
MINUS = "\N{MINUS SIGN}"


def duration_text(seconds: float) -> str:
    """Say a duration with about three digits that matter: "7.31 s", "42 s", "7 min 07 s", "1 h 21 min"."""
    if not math.isfinite(seconds):
        return "–"
    if seconds < 0:
        return MINUS + duration_text(-seconds)
    if seconds < 100:
        decimals = 3 if seconds < 1 else 2 if seconds < 10 else 1
        return f"{f'{seconds:.{decimals}f}'.rstrip('0').rstrip('.')} s"
    whole = round(seconds)
    if whole < HOUR:
        return f"{whole // MINUTE} min {whole % MINUTE:02d} s"
    minutes = round(seconds / MINUTE)
    if minutes < DAY // MINUTE:
        return f"{minutes // 60} h {minutes % 60:02d} min"
    hours = round(seconds / HOUR)
    return f"{hours // 24} d {hours % 24:02d} h"


def clock_text(seconds: float, step: float = 1.0, largest: float | None = None) -> str:
    """Say a point in time as a clock does: "12.5 s", "2:05", "1:20:05", "1:20 h", "3 d 04:00".

    `step` is how finely times are told apart, `largest` the latest time shown beside this one: all labels
    of one axis then have the same form.
    """
    largest = abs(seconds) if largest is None else max(abs(largest), abs(seconds))
    decimals = max(0, math.ceil(-math.log10(step) - 1e-9)) if step < 1 else 0
    if largest < MINUTE:
        return _signed(seconds, f"{abs(seconds):.{decimals}f} s")
    ticks = round(abs(seconds) * 10**decimals)
    whole, fraction = divmod(ticks, 10**decimals)
    tail = f".{fraction:0{decimals}d}" if decimals else ""
    if HOUR <= largest < 2 * DAY and step >= MINUTE:
        return _signed(seconds, f"{whole // HOUR}:{whole // MINUTE % MINUTE:02d} h")
    return _signed(seconds, _clock(whole, largest) + tail)


def _clock(whole: int, largest: float) -> str:
    days, rest = divmod(whole, DAY)
    hours, minutes, seconds = rest // HOUR, rest // MINUTE % MINUTE, rest % MINUTE
    if largest >= 2 * DAY:
        return f"{days} d {hours:02d}:{minutes:02d}" + (f":{seconds:02d}" if seconds else "")
    if largest >= HOUR:
        return f"{whole // HOUR}:{minutes:02d}:{seconds:02d}"
    return f"{whole // MINUTE}:{seconds:02d}"


def _signed(seconds: float, text: str) -> str:
    return MINUS + text if seconds < 0 else text


def change_text(before: float, after: float) -> str:
    """Say how much `after` differs from `before` in percent: "−42.9 %", "+3.1 %", "±0 %"."""
    if not before or not math.isfinite(before) or not math.isfinite(after):
        return "–"
    return signed_percent(after / before - 1)


def signed_percent(change: float) -> str:
    """Write a relative change in percent with its sign: -0.429 is "−42.9 %"; below 0.05 %, "±0 %"."""
    if abs(change) < 0.0005:
        return "±0 %"
    return f"{MINUS if change < 0 else '+'}{abs(change) * 100:.1f} %"


def percent(share: float) -> str:
    """Write a fraction in percent: 0.123 is "12.3 %"."""
    return f"{share * 100:.1f} %"

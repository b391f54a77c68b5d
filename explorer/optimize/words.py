"""How results of a search are said: "3.2 % above the bound", "optimal, proved", "12 min 05 s"."""

from __future__ import annotations

from core.model.time_text import duration_text, exact_duration, fine_percent

NOTHING_BETTER = "optimal, proved"


def value_text(value: float, unit: str) -> str:
    """Write a value of an objective: a time, a number of jobs, or a number without a unit."""
    if unit == "s":
        return duration_text(value) if value else "0 s"
    return f"{value:g} {unit}".strip() if value == round(value) else f"{value:.2f} {unit}".strip()


def standing_text(best: float, bound: float, unit: str, *, is_proved: bool) -> str:
    """Say how far a value is from what nothing can be below."""
    if is_proved:
        return NOTHING_BETTER
    if bound <= 0:
        return f"{value_text(best, unit)}; nothing above 0 is excluded yet"
    return f"{fine_percent(best / bound - 1)} above the bound"


def apart_texts(best: float, bound: float, unit: str) -> tuple[str, str]:
    """Write two values, to the millisecond where they would else look the same though they are not."""
    texts = (value_text(best, unit), value_text(bound, unit))
    if texts[0] != texts[1] or best == bound:
        return texts
    return (exact_duration(best), exact_duration(bound)) if unit == "s" else (f"{best:.6g}", f"{bound:.6g}")

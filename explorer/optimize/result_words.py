"""Results of a search in words: "3.2 % above the bound", "optimal without lending slots, proved"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.objectives import LATE_JOB
from core.model.time_text import HOUR, duration_text, exact_duration, fine_percent, makespan_text
from core.optimize.premise import PLAIN
from core.simulation.proof import AT_BOUND, NOT_PROVED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.optimize.premise import Premise
    from core.simulation.proof import Proof

LATE_FIRST = "late jobs, then s"
"""The unit of a makespan in which every late job counts as `LATE_JOB` seconds."""
MEETS = "it meets its lower bound"


def value_text(value: float, unit: str) -> str:
    """Write a value of an objective: a time, a number of jobs, or a number without a unit."""
    if unit == LATE_FIRST and value >= LATE_JOB:
        late, value = divmod(value, LATE_JOB)
        return f"{late:.0f} late, {duration_text(value)}"
    if unit in ("s", LATE_FIRST):
        if not value:
            return "0 s"
        return makespan_text(value) if value >= HOUR else duration_text(value)
    return f"{value:g} {unit}".strip() if value == round(value) else f"{value:.2f} {unit}".strip()


def standing_text(
    best: float,
    bound: float,
    unit: str,
    *,
    proof: Proof = NOT_PROVED,
    premise: Premise = PLAIN,
    is_weak: bool = False,
    spread: Sequence[float] = (),
) -> str:
    """Return how far a value is from what nothing can be below; on noisy copies, what it is on each of these.

    It is "proved" only with a certificate that was checked; without one it meets its bound at best.
    """
    if spread:
        low, high = value_text(spread[0], unit), value_text(spread[-1], unit)
        return f"{value_text(best, unit)} over {len(spread)} noisy copies, {low} to {high}"
    if proof:
        return f"optimal {premise.words}, proved"
    if proof.why_not:
        return f"{MEETS}; no certificate: {proof.why_not}"
    if unit == LATE_FIRST and best >= LATE_JOB:
        return f"{value_text(best, unit)}; that so many must be late is not proved"
    if bound <= 0:
        return f"{value_text(best, unit)}; nothing above 0 is excluded yet"
    if best <= bound * (1 + AT_BOUND):
        return MEETS
    return f"{fine_percent(best / bound - 1)} above the {'weak ' * is_weak}bound"


def apart_texts(best: float, bound: float, unit: str) -> tuple[str, str]:
    """Write two values, to the millisecond where they would else look the same though they are not."""
    texts = (value_text(best, unit), value_text(bound, unit))
    if texts[0] != texts[1] or best == bound:
        return texts
    return (
        (exact_duration(best), exact_duration(bound))
        if unit in ("s", LATE_FIRST)
        else (f"{best:.6g}", f"{bound:.6g}")
    )

"""What a search of the best schedule has found so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.model.plan import Plan
    from core.optimize.priced import Priced


@dataclass(frozen=True)
class Found:
    """What a search has found so far.

    Attributes
    ----------
    best : value of the best plan
    bound : value below which no schedule can be
    gap : best / bound - 1; 0 where both are 0
    proved : whether no schedule can be better
    evaluations : plans that were run
    steps : steps done
    plan : the best plan
    start : value of the plan to start from, else of the best one made without a search
    how : where the plan comes from, in plain words
    spread : values of the plan on every copy of the durations, ascending; empty without copies
    doing : what the search goes on with, in plain words; empty when it is over
    priced : what slots are worth, if that was looked for; for a search with other goals to begin with
    """

    best: float
    bound: float
    gap: float
    proved: bool
    evaluations: int
    steps: int
    plan: Plan
    start: float
    how: str
    spread: tuple[float, ...] = ()
    doing: str = ""
    priced: Priced | None = field(default=None, compare=False, repr=False)

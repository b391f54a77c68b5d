"""What each decision of a game by hand cost: how far one could come before it, and how far after it.

All that can be reached after a decision can be reached before it. So what is known to be reachable holds for
all states before, and what no continuation beats for all states behind: the costs of a game that is over add
up to how far its end is from the best that is known for its beginning.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from core.lessons.hand_aims import aim_phrase, aim_text, is_above

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.lessons.hand_reach import Reach

MAX_NAMED = 5
"""Decisions that cost most are listed, no more than these."""
AFTERWARDS = "what you did later"


@dataclass(frozen=True)
class HandCost:
    """What one decision cost.

    Attributes
    ----------
    place : of the decision, from 0
    time, slot : when, in seconds, and which slot was offered
    before, after : how far one could come
    aim : what was to become small
    """

    place: int
    time: float
    slot: int
    before: Reach
    after: Reach
    aim: str

    @property
    def cost(self) -> float:
        """By how much what is known to be reachable became worse: seconds, or jobs; 0 for nothing."""
        if not is_above(self.after.known, self.before.known):
            return 0.0
        return self.after.known - self.before.known

    @property
    def surely(self) -> float:
        """By how much the best that could be reached became worse at least: this much is proved."""
        return max(0.0, self.after.least - self.before.known) if self.cost > 0 else 0.0

    @property
    def is_proved(self) -> bool:
        """Whether `cost` is what it cost exactly."""
        return self.before.is_proved and self.after.is_proved

    @property
    def short(self) -> str:
        """The cost in a few words: "cost 9 s (proved)"."""
        if math.isinf(self.after.known):
            return "after this nothing could go on"
        amount = aim_text(self.aim, self.cost)
        if self.is_proved:
            return f"cost {amount} (proved)" if self.cost > 0 else "cost nothing (proved)"
        if self.surely > 0 and is_above(self.after.least, self.before.known):
            surely = aim_text(self.aim, self.surely)
            more = f", {amount} by what is known" if is_above(self.cost, self.surely) else ""
            return f"cost at least {surely} (proved){more}"
        return f"cost {amount} by what is known" if self.cost > 0 else "no loss is known"

    @property
    def sentence(self) -> str:
        """The cost with what it follows from."""
        if math.isinf(self.after.known):
            return "After this nothing can go on. Take it back."
        before, after = (aim_phrase(self.aim, each.known) for each in (self.before, self.after))
        amount = aim_text(self.aim, self.cost)
        if self.is_proved and self.cost > 0:
            return f"This cost {amount}: before it {before} could be reached, now {after} at best (proved)."
        if self.is_proved:
            return f"This cost nothing: {after} is still in reach, and nothing better was before (proved)."
        way = _way(self.before)
        if self.surely > 0 and is_above(self.after.least, self.before.known):
            surely, least = aim_text(self.aim, self.surely), aim_phrase(self.aim, self.after.least)
            return f"This cost at least {surely} (proved): {way} reached {before}, now none is below {least}."
        if self.cost > 0:
            return (
                f"{amount} worse, as far as is known: {way} reached {before}, now the best known way, "
                f"{_way(self.after)}, reaches {after} (not proved)."
            )
        return f"No loss is known: {_way(self.after)} still reaches {after} (not proved to be the best)."


def _way(reach: Reach) -> str:
    if reach.by == AFTERWARDS:
        return AFTERWARDS
    return f"going on with {reach.by}" if reach.by else "a way that a search found"


def decision_costs(
    places: Sequence[tuple[float, int]], reaches: Sequence[Reach], aim: str, *, is_over: bool = False
) -> tuple[HandCost, ...]:
    """Return what each decision cost, in the order in which they were taken.

    Parameters
    ----------
    places : of each decision its time, in seconds, and the slot that was offered
    reaches : how far the state before each decision can come, and the one after the last
    is_over : whether the last state is the end of the game, reached by what was done
    """
    chain = list(reaches)
    if is_over:
        chain[-1] = replace(chain[-1], by=AFTERWARDS)
    for place in range(len(chain) - 2, -1, -1):
        if is_above(chain[place].known, chain[place + 1].known):
            chain[place] = replace(chain[place], known=chain[place + 1].known, by=chain[place + 1].by)
    for place in range(1, len(chain)):
        least = max(chain[place].least, chain[place - 1].least)
        chain[place] = replace(chain[place], least=min(least, chain[place].known))
    steps = enumerate(zip(places, pairwise(chain), strict=True))
    return tuple(HandCost(place, *where, *reached, aim) for place, (where, reached) in steps)


def costliest(costs: Sequence[HandCost]) -> tuple[HandCost, ...]:
    """Return the decisions that cost most, the dearest first, of equal ones the earlier one."""
    some = [each for each in costs if each.cost > 0]
    return tuple(sorted(some, key=lambda each: (-each.cost, each.place))[:MAX_NAMED])

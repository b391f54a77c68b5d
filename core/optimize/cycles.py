"""How annealing goes: for how long, how hot it begins, what it may change, cycle by cycle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.optimize.annealing import GUIDED, TO_CAPS, TO_POOLS, TO_REDUCES, TO_SLOWSTART, TO_TASKS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from core.optimize.objectives import Constraints
    from core.optimize.plan_columns import PlanColumns

FIRST_LENGTH = 40
"""Steps of the first cycle: it tells how fast the others will be."""
MAX_DOUBLED = 10
MIN_LENGTH = 50
CAPPED = 1, 7
"""Of eight annealings of few jobs, those that let jobs hold fewer slots."""


class Judged(NamedTuple):
    """A plan, a row of its own, with its value and what made it."""

    value: float
    row: PlanColumns
    how: str


@dataclass(frozen=True)
class Cycle:
    """How an annealing goes until plans are exchanged.

    Attributes
    ----------
    length : steps
    temperature : at the beginning, part of the horizon; it falls to a hundredth
    levers : what moves may change
    tied : whether reduces are due as the maps of their job
    is_guided : whether the guidance of makespans counts
    pools, caps : whether moves change pools, and how many slots a job may hold
    """

    length: int
    temperature: float
    levers: Collection[str]
    tied: bool = True
    is_guided: bool = True
    pools: bool = False
    caps: bool = False

    def chances(self) -> NDArray[np.float64]:
        """Return the chances as `Chain.chance` has them."""
        chance = np.zeros(6)
        can_part = "across" in self.levers and not self.tied
        can_wait = "slowstart" in self.levers
        chance[TO_SLOWSTART] = 0.15 * can_wait * (not self.tied or "across" not in self.levers)
        chance[TO_REDUCES] = chance[TO_SLOWSTART] + 0.15 * can_part
        chance[TO_POOLS] = chance[TO_REDUCES] + 0.2 * self.pools
        chance[TO_CAPS] = chance[TO_POOLS] + 0.2 * self.caps
        chance[TO_TASKS] = 0.1 * ("across" in self.levers or "tasks" in self.levers)
        chance[GUIDED] = 0.35
        return chance


def cycle_length(cycle: int, horizon: int | None, *, of_many: bool) -> int:
    """Return how many steps a cycle has.

    Parameters
    ----------
    horizon : steps that are to come, as far as known; without one, cycles double
    of_many : whether there are many jobs: they need few long cycles, few jobs many short ones
    """
    if cycle == 0:
        return FIRST_LENGTH
    if horizon is None:
        return 200 << min(cycle, MAX_DOUBLED)
    part = 0.12 if not of_many else 0.45 if cycle == 1 else 0.25
    return max(MIN_LENGTH, int(part * horizon))


def nth_cycle(k: int, cycle: int, length: int, levers: Collection[str], *, of_many: bool) -> Cycle:
    """Return how the k-th annealing of all chains goes, in this cycle."""
    if cycle == 0:
        return Cycle(length, 1e-5, levers)
    one_order = "across" not in levers
    if not of_many:
        temperature = (0.003, 0.03, 0.01, 0.1)[k % 4]
        pools = "pools" in levers and k % 4 == 3
        caps = "caps" in levers and k % 8 in CAPPED
        return Cycle(
            length,
            temperature,
            levers,
            tied=one_order or k % 8 in (0, 2, 5),
            is_guided=k % 3 != 2,
            pools=pools,
            caps=caps,
        )
    first = cycle == 1
    temperature = 0.003 if first else (0.001, 0.0005, 0.001, 0.002)[k % 4]
    pools = "pools" in levers and k % 4 == 3 and not first
    return Cycle(
        length, temperature, levers, tied=one_order or first, is_guided=first or k % 3 != 2, pools=pools
    )


def begins_at(k: int, cycle: int, best: Judged, starts: Sequence[Judged], *, of_many: bool) -> Judged:
    """Return where the k-th annealing of all chains begins: at the best plan, or at another good start."""
    if cycle == 0 or k % 4 in ((0, 1, 2) if of_many else (1, 3)):
        return best
    good = sorted(starts, key=lambda each: each.value)
    if of_many:
        return good[min(1, len(good) - 1)] if cycle == 1 else best
    return good[min(k // 4 % 8, len(good) - 1)]


def moves_of(levers: Collection[str], constraints: Constraints, *, by_engine: bool) -> frozenset[str]:
    """Return the levers with those apart that moves need apart: pools are not for untyped slots, caps are.

    In another pool, or held back by a cap, a job would not go before those that are to come behind it.
    """
    is_fixed = constraints.partition is not None or len(constraints.before) > 0
    if "pools" not in levers or is_fixed:
        return frozenset(levers) - {"pools"}
    return frozenset(levers) - ({"pools"} if by_engine else set()) | {"caps"}

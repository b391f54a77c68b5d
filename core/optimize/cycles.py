"""How annealing goes: for how long, how hot it begins, what it may change, cycle by cycle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.optimize.levers import (
    GIVEN,
    GUIDED_SHARE,
    LATEST_START,
    LONGEST,
    MOVES,
    PLAN_FIELDS,
    TASKS_SHARE,
    copied_row,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from core.model.plan import Plan
    from core.optimize.levers import Move, PlanColumns
    from core.optimize.plan_costs import Goal

FIRST_LENGTH = 40
"""Steps of the first cycle: how fast it is says how many others fit in."""
MAX_DOUBLED = 10
MIN_LENGTH = 50
COLD = 1e-5, 3e-5
STRIDE, GENTLE_LENGTH = 0.5, 150
"""Temperatures, strides and steps of gentle annealings: hotter ones lose what prices have found, and what
others found is worth more than going on alone."""


class Judged(NamedTuple):
    """A plan, a row of its own, with its value and what made it.

    A plan that says when tasks start stands beside a row, from which annealing begins in its stead.
    """

    value: float
    row: PlanColumns
    how: str
    plan: Plan | None = None


@dataclass(frozen=True)
class Cycle:
    """How an annealing goes until plans are exchanged.

    Attributes
    ----------
    length : steps
    temperature : at the beginning, part of the horizon; it falls to a hundredth
    levers : what moves may change, as `core.optimize.levers.moves_of` has it
    tied : whether reduces are due as the maps of their job
    is_guided : whether the guidance of makespans counts
    turn : which of eight annealings it is, from 0: some moves are made in some of them only
    of_many : whether there are many jobs
    stride : how far gentle moves shift due dates at most, part of the horizon; 0 for moves of any size
    """

    length: int
    temperature: float
    levers: Collection[str]
    tied: bool = True
    is_guided: bool = True
    turn: int = 0
    of_many: bool = False
    stride: float = 0.0

    def makes(self, move: Move) -> bool:
        """Whether it makes a move; it makes none of them where it ties what could be due apart."""
        turns = move.turns_of_many if self.of_many else move.turns
        is_plain = self.tied and "across" in self.levers
        return move.name in self.levers and self.turn in turns and not is_plain

    @property
    def holds_back(self) -> bool:
        """Whether a move may let maps wait for something else than a slot."""
        return any(move.holds_back and self.makes(move) for move in MOVES)

    @property
    def task_orders(self) -> tuple[int, int]:
        """The two orders of tasks that moves choose from."""
        return (LONGEST, LATEST_START) if "across" in self.levers else (GIVEN, LONGEST)

    def chances(self) -> NDArray[np.float64]:
        """Return the chances as `Chain.chance` has them."""
        shares = np.cumsum([move.share * self.makes(move) for move in MOVES])
        tasks = TASKS_SHARE * ("across" in self.levers or "tasks" in self.levers)
        return np.array([*shares, tasks, 0.0 if self.stride > 0 else GUIDED_SHARE])


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
    if of_many and cycle == 1:
        return Cycle(length, 0.003, levers)
    temperatures, tied = (0.003, 0.03, 0.01, 0.1), one_order or k % 8 in (0, 2, 5)
    if of_many:
        temperatures, tied = (0.001, 0.0005, 0.001, 0.002), one_order
    return Cycle(length, temperatures[k % 4], levers, tied, k % 3 != 2, k % 8, of_many)


def nth_gentle_cycle(k: int, length: int, levers: Collection[str]) -> Cycle:
    """Return how the k-th annealing of all chains goes that begins at a plan by prices: cold, and gentle."""
    kept = frozenset(levers) - {move.name for move in MOVES if move.frees}
    return Cycle(length, COLD[k % len(COLD)], kept, "across" not in levers, False, k % 8, stride=STRIDE)


def begins_at(k: int, cycle: int, best: Judged, starts: Sequence[Judged], *, of_many: bool) -> Judged:
    """Return where the k-th annealing of all chains begins: at the best plan, or at another good start."""
    if cycle == 0 or k % 4 in ((0, 1, 2) if of_many else (1, 3)):
        return best
    good = sorted(starts, key=lambda each: each.value)
    if of_many:
        return good[min(1, len(good) - 1)] if cycle == 1 else best
    return good[min(k // 4 % 8, len(good) - 1)]


def guided(goal: Goal, is_guided: bool) -> Goal:
    """Return what plans cost with guidance beside their value, or without."""
    return goal._replace(pull=np.array([0.5, 0.02]) if is_guided else np.zeros(2))


def joined(begin: PlanColumns, one: PlanColumns, other: PlanColumns) -> PlanColumns:
    """Return a plan with what another one changed besides; all are the only rows of theirs.

    Parameters
    ----------
    begin : where both began; what neither changed is as there
    one, other : of what both changed, the first one's stays
    """
    row = copied_row(one, 0)
    for name in PLAN_FIELDS:
        was, mine, theirs = (getattr(each, name) for each in (begin, one, other))
        getattr(row, name)[:] = np.where(mine == was, theirs, mine)
    return row

"""Pools: what the jobs of one owner share; the settings that sharing policies read."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from core.model.errors import Problem, name_problems, repeated_name, shorten
from core.model.limits import MAX_SLOTS, is_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_POOLS = 10_000
"""Pools with settings of their own in one workload."""

MAX_OF_A_SETTING = 1e12
"""Weights, rates and budgets stay exact when they are added up."""


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool's settings; each policy reads its own.

    Attributes
    ----------
    name : the jobs with this `pool` belong to it
    weight : its share relative to other pools, above 0 (fair sharing)
    min_map_slots, min_reduce_slots : slots that it gets before others, if it needs them (fair sharing)
    capacity : guaranteed fraction of the slots, 0 to 1; None for an equal part of what the others leave
    max_capacity : fraction of the slots that it may hold at most, above 0 and no less than `capacity`
    spending_rate : what it bids for a slot, in credits per second, above 0 (dynamic priority)
    budget : credits that it has to spend; None for no limit (dynamic priority)
    """

    name: str
    weight: float = 1.0
    min_map_slots: int = 0
    min_reduce_slots: int = 0
    capacity: float | None = None
    max_capacity: float = 1.0
    spending_rate: float = 1.0
    budget: float | None = None


POOL_SETTINGS = tuple(field.name for field in fields(Pool) if field.name != "name")
"""What can be set of a pool, in order."""


def all_pools(names: Sequence[str], listed: Sequence[Pool]) -> tuple[Pool, ...]:
    """Return the settings of every named pool; those not listed have the defaults.

    Pools without a guaranteed fraction share equally what the others leave, so that none is None.
    """
    known = {pool.name: pool for pool in listed}
    pools = [known.get(name) or Pool(name) for name in names]
    left = max(0.0, 1.0 - math.fsum(pool.capacity or 0.0 for pool in pools))
    open_pools = sum(pool.capacity is None for pool in pools)
    return tuple(
        replace(pool, capacity=min(left / open_pools, pool.max_capacity)) if pool.capacity is None else pool
        for pool in pools
    )


def pools_problems(pools: Sequence[Pool]) -> list[Problem]:
    """Return every rule that pool settings break (none for valid ones), with the path of each value."""
    if len(pools) > MAX_POOLS:
        return [Problem("pools", f"{len(pools)} pools", f"at most {MAX_POOLS} pools have settings")]
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for i, pool in enumerate(pools):
        if (first := seen.setdefault(pool.name, i)) != i:
            problems.append(repeated_name("pool", pool.name, i, first))
        problems += pool_problems(pool, f"pools[{i}]")
    guaranteed = math.fsum(pool.capacity or 0.0 for pool in pools)
    if not problems and guaranteed > 1 + 1e-9:
        rule = "the guaranteed fractions of all pools add up to at most 1; lower some"
        problems.append(Problem("pools", f"{guaranteed:g}", rule))
    return problems


def pool_problems(pool: Pool, where: str) -> list[Problem]:
    """Return every rule that one pool breaks, except those that concern other pools."""
    problems = name_problems(f"{where}.name", pool.name)
    for name in ("weight", "spending_rate"):
        value = getattr(pool, name)
        if not 0 < value <= MAX_OF_A_SETTING:
            rule = f"give a number above 0 and at most {MAX_OF_A_SETTING:g}"
            problems.append(Problem(f"{where}.{name}", shorten(value), rule))
    for name in ("min_map_slots", "min_reduce_slots"):
        value = getattr(pool, name)
        if not is_whole(value, 0, MAX_SLOTS):
            rule = f"slots must be a whole number from 0 to {MAX_SLOTS}"
            problems.append(Problem(f"{where}.{name}", shorten(value), rule))
    if pool.capacity is not None and not 0 <= pool.capacity <= 1:
        rule = "a guaranteed capacity is a fraction from 0 to 1 (null for an equal part of what is left)"
        problems.append(Problem(f"{where}.capacity", shorten(pool.capacity), rule))
    if not 0 < pool.max_capacity <= 1 or pool.max_capacity < (pool.capacity or 0.0):
        rule = "the maximum is a fraction above 0, at most 1, and no less than the guaranteed capacity"
        problems.append(Problem(f"{where}.max_capacity", shorten(pool.max_capacity), rule))
    if pool.budget is not None and not 0 <= pool.budget <= MAX_OF_A_SETTING:
        rule = f"a budget is a number from 0 to {MAX_OF_A_SETTING:g} (null for no limit)"
        problems.append(Problem(f"{where}.budget", shorten(pool.budget), rule))
    return problems

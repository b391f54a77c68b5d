"""What prices of slots prove, smoothed: where each job takes a mean of its ends, and a climb to its top.

What prices prove is concave in them (`core.optimize.slot_prices`), and not smooth. In place of each job's
cheapest end a mean of all ends is taken, the cheaper the more; the cooler, the nearer to the cheapest.

Source: Nesterov, Smooth minimization of non-smooth functions (2005); limited memory and bounds as of Byrd,
Lu, Nocedal and Zhu (1995), with a search along the projected arc (Bertsekas 1982).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.progress import never_stop

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.optimize.job_ends import Ends

    Floats = NDArray[np.float64]

SHARPER, FEW_JOBS = (0.2, 1.0), 20
"""Plans are made of ends at these parts of each temperature: the first is good for deadlines of many jobs."""
ROUNDS, MEMORY, SHRINKS = 150, 20, 12
ENOUGH = 2e-7
"""A round that proves less than this part more is the last one, if the one before it was no better."""
OF_ALL = 0.1
"""The temperature of what all jobs cost by each level, in parts of those of all jobs together."""
QUANTILES = 0.05, 0.5, 0.95
"""Of the levels of the worst job: plans are made of ends by these, and by the one that counts most."""


class Smooth:
    """What prices prove, smoothed, in parts of a unit; and how it changes with them."""

    def __init__(self, ends: Ends, scale: Floats, capacity: Floats, heat: float, unit: float) -> None:
        self._ends, self._scale, self._capacity = ends, scale, capacity
        self._heat, self._unit = heat, unit
        self._begins, self._number = ends.levels_of_jobs
        lengths = np.diff(np.append(self._begins, len(ends.job)))
        self._of_end = np.repeat(np.arange(len(self._begins)), lengths)

    def __call__(self, x: Floats) -> tuple[float, Floats]:
        """Return the value and the slope."""
        value, part, _ = self.mean(self._ends.paid(x * self._scale))
        value -= float((x * self._scale * self._capacity).sum())
        slope = (self._ends.used(part, x.shape) - self._capacity) * self._scale
        return value / self._unit, slope / self._unit

    def ends(self, x: Floats) -> Floats:
        """Return when jobs end at prices, on average by some of the levels, (cases, jobs)."""
        ends = self._ends
        paid = ends.paid(x * self._scale)
        if len(levels := self.mean(paid)[2]) == 1:
            heats = self._heat * np.array(SHARPER[int(len(ends.first) <= FEW_JOBS) :])
            return np.stack([self._ends_up_to(0, paid, heat) for heat in heats.tolist()])
        picked = np.searchsorted(np.cumsum(levels), QUANTILES, "right").clip(max=len(levels) - 1).tolist()
        some = dict.fromkeys([int(levels.argmax()), *picked])
        return np.stack([self._ends_up_to(level, paid, self._heat) for level in some])

    def _ends_up_to(self, level: int, paid: Floats, heat: float) -> Floats:
        """Return when jobs end on average that end by a level, s, (jobs,)."""
        ends, some = self._ends, self._ends.level <= level
        least = np.minimum.reduceat(np.where(some, paid, np.inf), ends.first)
        part = np.where(some, np.exp((least[ends.job] - paid).clip(max=0.0) / heat), 0.0)
        mean: Floats = np.add.reduceat(part * ends.seconds, ends.first) / np.add.reduceat(part, ends.first)
        return mean

    def mean(self, paid: Floats) -> tuple[float, Floats, Floats]:
        """Return the mean of what all pay, the part of each end, and that of each level."""
        ends, heat = self._ends, self._heat
        if len(ends.level_cost) == 1:
            least = np.minimum.reduceat(paid, ends.first)
            part = np.exp((least[ends.job] - paid) / heat)
            total = np.add.reduceat(part, ends.first)
            part /= total[ends.job]
            return float((least - heat * np.log(total)).sum()), part, np.ones(1)
        least = np.minimum.reduceat(paid, self._begins)
        total = np.add.reduceat(np.exp((least[self._of_end] - paid) / heat), self._begins)
        logs = np.full((len(ends.first), len(ends.level_cost)), -np.inf)
        logs.ravel()[self._number] = np.log(total) - least / heat
        by_level = np.logaddexp.accumulate(logs, axis=1)
        costs = ends.level_cost - heat * by_level.sum(axis=0)
        warmth = OF_ALL * heat * len(ends.first)
        levels = np.exp((costs.min() - costs) / warmth)
        value = float(costs.min() - warmth * np.log(levels.sum()))
        levels /= levels.sum()
        with np.errstate(divide="ignore"):
            share = np.log(levels) - by_level
        share = np.logaddexp.accumulate(share[:, ::-1], axis=1)[:, ::-1]
        return value, np.exp(share.ravel()[self._number][self._of_end] - paid / heat), levels


def climb(
    smooth: Callable[[Floats], tuple[float, Floats]],
    x: Floats,
    look: Callable[[], None],
    is_enough: Callable[[], bool] = never_stop,
) -> Floats:
    """Return where a concave function of numbers from 0 on is largest."""
    value, slope = smooth(x)
    steps: list[tuple[Floats, Floats, float]] = []
    slow = 0
    for _ in range(ROUNDS):
        if slow == 2 or is_enough():
            break
        look()
        free = (x > 0) | (slope > 0)
        way = _direction(np.where(free, slope, 0.0), steps, free)
        if (way * slope).sum() <= 0:
            steps, way = [], np.where(free, slope, 0.0)
        size = (
            1.0 if steps else 0.1 * max(float(np.abs(x).max()), 1.0) / max(float(np.abs(way).max()), 1e-300)
        )
        for _ in range(SHRINKS):
            there = np.maximum(x + size * way, 0.0)
            reached, turned = smooth(there)
            if reached >= value + 1e-4 * (slope * (there - x)).sum():
                break
            size *= 0.4
        else:
            if not steps:
                break
            steps = []
            continue
        moved, bent = there - x, slope - turned
        if (curve := float((moved * bent).sum())) > 1e-300:
            steps = [*steps[1 - MEMORY :], (moved, bent, curve)]
        slow = slow + 1 if reached - value < ENOUGH * abs(reached) else 0
        x, value, slope = there, reached, turned
    return x


def _direction(slope: Floats, steps: list[tuple[Floats, Floats, float]], free: Any) -> Floats:
    """Return where to go from the last steps (two loops of limited memory), among what is free."""
    way = slope.copy()
    factors = []
    for moved, bent, curve in reversed(steps):
        factors.append((moved * way).sum() / curve)
        way -= factors[-1] * bent
    if steps:
        moved, bent, curve = steps[-1]
        way *= curve / max(float((bent * bent).sum()), 1e-300)
    for (moved, bent, curve), factor in zip(steps, reversed(factors), strict=True):
        way += (factor - (bent * way).sum() / curve) * moved
    return np.where(free, way, 0.0)

"""Prices of slots that prove much: an ascent from the prices of work that may be cut in any way.

What prices prove is concave in them (`core.optimize.slot_prices`), and not smooth. In place of each job's
cheapest end a mean of all ends is taken, the cheaper the more; the cooler, the nearer to the cheapest.

Source: Nesterov, Smooth minimization of non-smooth functions (2005); limited memory and bounds as of Byrd,
Lu, Nocedal and Zhu (1995), with a search along the projected arc (Bertsekas 1982).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.model.errors import Cancelled
from core.model.progress import never_stop
from core.optimize.first_prices import first_prices, known_prices
from core.optimize.rounded_ends import rounded_ends
from core.optimize.slot_prices import (
    Prices,
    bands,
    capacities,
    cheapest_ends,
    end_points,
    price_bound,
    priceable,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.job_costs import JobCosts
    from core.optimize.slot_prices import Priceable
    from core.optimize.worst_job import WorstJob

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

HEATS = 0.02, 0.002, 0.0002
"""Temperatures, in parts of what is proved for a job in the mean."""
SHARPER, FEW_JOBS = (0.2, 1.0), 20
"""Plans are made of ends at these parts of each temperature: the first is good for deadlines of many jobs."""
COLD = 0.002
"""From this temperature on it goes on from prices for other costs."""
ROUNDS, MEMORY, SHRINKS = 150, 20, 12
PARTS = 1.0, 0.5, 0.25, 0.1
"""Of the first prices where only late jobs count: it begins with the part that proves most."""
ENOUGH = 2e-7
"""A round that proves less than this part more is the last one, if the one before it was no better."""
OF_ALL = 0.1
"""The temperature of what all jobs cost by each level, in parts of those of all jobs together."""
QUANTILES = 0.05, 0.5, 0.95
"""Of the levels of the worst job: plans are made of ends by these, and by the one that counts most."""
CUTS = 3
"""Times that cases of what counts by the worst job are cut at most."""
BEYOND = 6
"""Ends that are looked at behind the last time."""


class Ends(NamedTuple):
    """All ends of all jobs that are looked at, one after the other.

    Attributes
    ----------
    first : where those of each job begin, (jobs,)
    job : of each end, (ends,)
    seconds : the ends, (ends,)
    cost : of each, without slots, (ends,)
    needs : seconds of each machine that they need by each time, where not all, as a sparse matrix, (ends,
        machines times)
    back : the same the other way round
    later, work : of each load: from which time on an end needs all of the work, and how much that is,
        (loads, ends) each
    machine : of each load
    level : the first level of the worst job that allows each end, 0 where it does not count, (ends,)
    level_cost : what each level costs, (levels,)
    """

    first: Ints
    job: Ints
    seconds: Floats
    cost: Floats
    needs: Any  # scipy.sparse.csr_array
    back: Any
    later: Ints
    work: Floats
    machine: tuple[int, ...]
    level: Ints
    level_cost: Floats

    @property
    def levels_of_jobs(self) -> tuple[Ints, Ints]:
        """Where ends begin that are of another job or level than those before, and these in one number."""
        number = self.job * len(self.level_cost) + self.level
        begins = np.flatnonzero(np.diff(number, prepend=-1))
        return begins, number[begins]

    def least(self, paid: Floats) -> Floats:
        """Return what all jobs and the worst one cost by each level, at the cheapest ends, (levels,)."""
        begins, number = self.levels_of_jobs
        table = np.full((len(self.first), len(self.level_cost)), np.inf)
        table.ravel()[number] = np.minimum.reduceat(paid, begins)
        least: Floats = self.level_cost + np.minimum.accumulate(table, axis=1).sum(axis=0)
        return least

    def paid(self, falls: Floats) -> Floats:
        """Return what each end costs with its slots, (ends,)."""
        rest = np.zeros((len(falls), falls.shape[1] + 1))
        rest[:, :-1] = np.cumsum(falls[:, ::-1], axis=1)[:, ::-1]
        paid: Floats = self.cost + self.needs @ falls.ravel()
        for later, work, machine in zip(self.later, self.work, self.machine, strict=True):
            paid += work * rest[machine, later]
        return paid

    def needed(self, some: Ints, shape: tuple[int, int]) -> Floats:
        """Return the seconds of each machine that some ends need by each time, (some, machines times)."""
        needed = self.needs[some].toarray().reshape(len(some), *shape)
        for later, work, machine in zip(self.later, self.work, self.machine, strict=True):
            needed[:, machine] += work[some, None] * (np.arange(shape[1]) >= later[some, None])
        return np.asarray(needed.reshape(len(some), -1), np.float64)

    def used(self, part: Floats, shape: tuple[int, int]) -> Floats:
        """Return the seconds of each machine that are needed by each time, with parts of ends."""
        used = np.asarray(self.back @ part).reshape(shape)
        for later, work, machine in zip(self.later, self.work, self.machine, strict=True):
            used[machine] += np.cumsum(np.bincount(later, work * part, shape[1] + 1)[:-1])
        return used


def price_slots(
    workload: Workload,
    cluster: Cluster,
    costs: JobCosts,
    should_stop: Callable[[], bool] = never_stop,
    *,
    spare: float = 0.0,
    worst: WorstJob | None = None,
    known: Prices | None = None,
    is_enough: Callable[[], bool] = never_stop,
) -> Prices:
    """Return prices that prove much, of jobs that do not follow others.

    The bound counts times of arrival as costs do: it is of the costs of the ends, seconds from time 0.

    Parameters
    ----------
    spare : prices are to prove much where there are so many slots more of each kind; the bound is without
        them. Where many prices prove the same, these are the least
    worst : what counts by the worst job besides
    known : prices for other costs of the same jobs and cluster, from which good ones are near
    is_enough : whether to look for better prices no further

    Raises
    ------
    Cancelled
        `should_stop` said so
    """

    def look() -> None:
        if should_stop():
            raise Cancelled("the search for prices was cancelled")

    what = priceable(workload, cluster)
    look()
    weight = float(costs.weight.sum())
    times, falls = first_prices(what, costs) if known is None else known_prices(known, weight)
    capacity, looks = capacities(what, times)
    ends = _ends(what, costs, times, look, worst)
    scale = np.maximum(falls.sum(axis=0), falls.max(initial=0.0) * 1e-4)
    scale = np.tile(np.where(scale > 0, scale, 1.0), (len(falls), 1))
    slots = np.array([machine.slots or np.inf for machine in what.demands.machines])
    wanted = capacity * (1 + spare / slots)[:, None]
    best, when = _ascend(
        ends,
        falls / scale,
        scale,
        wanted,
        look,
        [each for each in HEATS if known is None or each <= COLD],
        is_enough,
        is_late_only=costs.are_late_only,
    )
    falls = best * scale
    if costs.has_deadlines and spare == 0:
        when = np.concatenate([rounded_ends(ends, costs, falls, capacity, when, look), when])
    for _ in range(CUTS):
        if worst is None:
            break
        least = cheapest_ends(what, costs, times, falls, look, worst).sum(axis=0)
        worst = worst.finer(least - (falls * capacity).sum())
    bound = price_bound(what, costs, times, falls, capacity, look, worst)
    names = tuple(machine.name for machine in what.demands.machines)
    return Prices(bound, times, falls, looks, names, when, weight, [] if worst is None else worst.finite)


def _ends(
    what: Priceable, costs: JobCosts, times: Floats, look: Callable[[], None], worst: WorstJob | None
) -> Ends:
    """Gather the ends that are looked at."""
    from scipy.sparse import csr_array  # 0.1 s, and only prices need it

    found, cost, rows, places, needs = [], [], [], [], []
    later: list[list[Ints]] = [[] for _ in what.loads]
    begin, first, level = 0, [], []
    limits = np.zeros((0, what.jobs)) if worst is None else worst.limits[:-1]
    for j in range(what.jobs):
        look()
        ends = end_points(what, costs, j, times, halves=False)
        beyond = np.linspace(times[-1], ends[-1], BEYOND + 1)[1:-1]
        inside = limits[np.isfinite(limits[:, j]) & (limits[:, j] > ends[0]), j]
        ends = np.unique(np.concatenate([ends, beyond[beyond > ends[0]], inside]))
        level.append(np.searchsorted(limits[:, j], ends, "left"))
        level[-1][0] = 0  # the least that the worst job costs lets each job end at its earliest
        first.append(begin)
        found.append(ends)
        cost.append(costs.at(j, ends))
        for load, all_later in zip(what.loads, later, strict=True):
            after, row, time, left = bands(load, j, ends, times)
            all_later.append(after)
            rows.append(begin + row)
            places.append(load.machine * len(times) + time)
            needs.append(load.needs(j, left))
        begin += len(ends)
    shape = begin, what.machines * len(times)
    pairs = np.concatenate(needs), (np.concatenate(rows), np.concatenate(places))
    matrix = csr_array(pairs, shape=shape)
    job = np.repeat(np.arange(what.jobs), [len(each) for each in found])
    return Ends(
        first=np.array(first),
        job=job,
        seconds=np.concatenate(found),
        cost=np.concatenate(cost),
        needs=matrix,
        back=csr_array(matrix.T),
        later=np.stack([np.concatenate(each) for each in later]),
        work=np.stack([load.work[job] for load in what.loads]),
        machine=tuple(load.machine for load in what.loads),
        level=np.concatenate(level),
        level_cost=np.zeros(1) if worst is None else worst.costs,
    )


# ---- the ascent


def _ascend(
    ends: Ends,
    begin: Floats,
    scale: Floats,
    capacity: Floats,
    look: Callable[[], None],
    heats: list[float],
    is_enough: Callable[[], bool],
    *,
    is_late_only: bool,
) -> tuple[Floats, Floats]:
    """Return the best prices, in parts of the scale, and when jobs end at the last ones, (cases, jobs)."""

    def hard(x: Floats) -> float:
        return float(ends.least(ends.paid(x * scale)).min() - (x * scale * capacity).sum())

    parts = PARTS if is_late_only else PARTS[:1]
    x = max((begin * part for part in parts), key=hard)
    best, value = x, hard(x)
    unit = max(abs(value), 1e-12)
    when: list[Floats] = []
    for heat in heats:
        if when and is_enough():
            break
        smooth = _Smooth(ends, scale, capacity, heat * unit / len(ends.first), unit)
        x = _climb(smooth, x, look, is_enough)
        when.append(smooth.ends(x))
        if (reached := hard(x)) > value:
            best, value = x, reached
    return best, np.concatenate(when)


class _Smooth:
    """What prices prove, smoothed, in parts of a unit; and how it changes with them."""

    def __init__(self, ends: Ends, scale: Floats, capacity: Floats, heat: float, unit: float) -> None:
        self._ends, self._scale, self._capacity = ends, scale, capacity
        self._heat, self._unit = heat, unit
        self._begins, self._number = ends.levels_of_jobs
        lengths = np.diff(np.append(self._begins, len(ends.job)))
        self._of_end = np.repeat(np.arange(len(self._begins)), lengths)

    def __call__(self, x: Floats) -> tuple[float, Floats]:
        """Return the value and the slope."""
        value, part, _ = self._mean(self._ends.paid(x * self._scale))
        value -= float((x * self._scale * self._capacity).sum())
        slope = (self._ends.used(part, x.shape) - self._capacity) * self._scale
        return value / self._unit, slope / self._unit

    def ends(self, x: Floats) -> Floats:
        """Return when jobs end at prices, on average by some of the levels, (cases, jobs)."""
        ends = self._ends
        paid = ends.paid(x * self._scale)
        if len(levels := self._mean(paid)[2]) == 1:
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

    def _mean(self, paid: Floats) -> tuple[float, Floats, Floats]:
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


def _climb(
    smooth: _Smooth, x: Floats, look: Callable[[], None], is_enough: Callable[[], bool] = never_stop
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

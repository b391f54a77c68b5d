"""Prices of slots to begin with, and the times after which they fall: Lagrange's of fractional knapsacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.optimize.job_costs import JobCosts
    from core.optimize.slot_prices import Priceable

    Floats = NDArray[np.float64]

MAX_TIMES, MIN_TIMES = 100, 8
MAX_PAIRS = 48_000_000
"""Of ends and times, of all jobs: of a thousand jobs they take about a second and a half."""
MIXES = 21


def _sizes(what: Priceable) -> Floats:
    """Return the seconds of each machine that each job takes, (machines, jobs)."""
    sizes = np.zeros((what.machines, what.jobs))
    for load in what.loads:
        sizes[load.machine] += load.work
    return sizes


def first_prices(what: Priceable, costs: JobCosts) -> tuple[Floats, Floats]:
    """Return times, more of them where much is waiting, and prices after each of them.

    Where nothing counts but whether jobs are late, the times are when their stages have to be over, and all
    prices are the same. Otherwise, for every time t: which jobs can be over by then, to the most weight, if
    each is cut in any way? Each machine has t seconds; the prices of these two knapsacks are those of the
    best mix of them.
    """
    weight, sizes = costs.weight, _sizes(what)
    if costs.are_late_only:
        return _prices_by_deadlines(what, costs, sizes)
    top = max(
        float(sizes.sum(axis=1).max()) + float(what.demands.arrival.min()), float(what.demands.ends.max())
    )
    top = max(top, 1e-9)
    low = min(max(float(np.quantile(what.demands.ends, 0.05)), 1e-4 * top), top / 2)
    grid = np.unique(np.concatenate([np.linspace(0, top, 300)[1:], np.geomspace(low, top, 200)]))
    mixes = np.eye(what.machines)
    if what.machines == 2:
        mixes = np.stack([np.linspace(0, 1, MIXES), 1 - np.linspace(0, 1, MIXES)], axis=1)
    done, price = _knapsacks(mixes @ sizes, weight, grid)
    best = done.argmin(axis=0)
    worth = price[best, np.arange(len(grid))]
    waiting = np.maximum(weight.sum() - done.min(axis=0), 0.0)
    passed = np.append(0.0, np.cumsum((waiting[1:] + waiting[:-1]) / 2 * np.diff(grid)))
    passed = passed / passed[-1] if passed[-1] > 0 else np.linspace(0, 1, len(grid))
    even = (grid - grid[0]) / (grid[-1] - grid[0])
    logarithmic = np.log(np.maximum(grid, low) / low)
    mixed = 0.2 * logarithmic / logarithmic[-1] + 0.48 * passed + 0.32 * even
    count = _time_count(what)
    times = np.interp((np.arange(count) + 0.5) / count, mixed, grid)
    between = np.diff(np.concatenate([[0.0], (times[1:] + times[:-1]) / 2, [grid[-1]]]))
    of_machines = np.stack([np.interp(times, grid, worth * mixes[best, x]) for x in range(what.machines)])
    return times, of_machines * between


def _prices_by_deadlines(what: Priceable, costs: JobCosts, sizes: Floats) -> tuple[Floats, Floats]:
    """Return times by which stages have to be over, and the same price after each of them."""
    some = np.isfinite(costs.due) & (costs.late > 0)
    over = [(costs.due - load.tails)[some & (load.work > 0)] for load in what.loads]
    times = np.unique(np.concatenate([*over, costs.due[some]]))
    times = times[times > 0] if (times > 0).any() else np.ones(1)
    if len(times) > (most := _time_count(what)):
        times = times[np.unique(np.linspace(0, len(times) - 1, most).round().astype(int))]
    work = max(float(sizes.sum()), 1e-9)
    return times, np.full((what.machines, len(times)), costs.late[some].sum() / work / len(times))


def _time_count(what: Priceable) -> int:
    """Return at how many times slots have prices: fewer of many jobs or stages."""
    each = what.jobs * max(len(what.loads), 1) ** 2
    return int(np.clip(np.sqrt(MAX_PAIRS / each), MIN_TIMES, MAX_TIMES))


def _knapsacks(sizes: Floats, weight: Floats, room: Floats) -> tuple[Floats, Floats]:
    """Return the most weight of jobs in parts that has room, and the worth of more room, (mixes, room)."""
    done, price = np.zeros((2, len(sizes), len(room)))
    for row, size in enumerate(sizes):
        some = (size > 0) & (weight > 0)
        order = np.argsort(size[some] / weight[some], kind="stable")
        ends = np.append(0.0, np.cumsum(size[some][order]))
        total = np.append(0.0, np.cumsum(weight[some][order]))
        density = np.append(weight[some][order] / size[some][order], 0.0)
        done[row] = np.interp(room, ends, total) + weight[size <= 0].sum()
        price[row] = density[np.minimum(np.searchsorted(ends[1:], room, "right"), len(density) - 1)]
    return done, price

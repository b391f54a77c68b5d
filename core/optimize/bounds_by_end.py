"""What no schedule is below that ends by a time: a bound for each of some times, by prices of slots.

Beside the last end a goal has one pair of prices for all schedules (`core.optimize.worst_job`). Where the
goals pull apart, those that end early need other prices than those that end late: each range of the last end
has its own here, and what a mix of both costs at least is the least of all ranges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from typing_extensions import override

from core.model.progress import never_stop
from core.optimize.price_ascent import price_slots
from core.optimize.worst_job import WorstJob

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.objectives import Objective
    from core.optimize.slot_prices import Prices

    Floats = NDArray[np.float64]

JUST_AFTER = 1 + 1e-9
"""Ends that are later by so small a part count as if they were in time."""


class BoundByEnd(NamedTuple):
    """Of all schedules whose last job ends by `until`, in s, none has a smaller value than `bound`."""

    until: float
    bound: float
    prices: Prices

    def proof(self, goal: str) -> dict[str, Any]:
        """The rule and its numbers, from which `core.verify.check_front` works out the bound again."""
        until = self.until if self.until < np.inf else None
        return {"of": goal, "until": until, **self.prices._replace(levels=[]).proof}


class _EndsBy(WorstJob):
    """No job ends after the first level; any that do cost so much that it does not pay."""

    @property
    @override
    def costs(self) -> Floats:
        return np.array([0.0, self.weight, self.weight])

    @override
    def finer(self, least: Floats) -> WorstJob:
        return self


def bounds_by_end(
    workload: Workload,
    cluster: Cluster,
    goal: Objective,
    ends: Sequence[float],
    should_stop: Callable[[], bool] = never_stop,
) -> list[BoundByEnd]:
    """Return for each end, ascending, what no schedule is below that is over by then, and for no end.

    Parameters
    ----------
    goal : of responses or tardiness, of jobs that do not follow others (`Objective.job_costs`)
    ends : from the least makespan on, s

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    costs = goal.job_costs(workload)
    assert costs is not None
    came = float((costs.second * workload.columns.arrival).sum())
    free = price_slots(workload, cluster, costs, should_stop)
    jobs, found = len(workload.jobs), list[BoundByEnd]()
    for until in ends:
        levels = np.array([until, until * JUST_AFTER, np.inf])
        worst = _EndsBy(max(free.bound, 1e-9), np.zeros(jobs), np.ones(jobs), levels)
        prices = price_slots(workload, cluster, costs, should_stop, worst=worst)
        best = max(prices, free, key=lambda each: each.bound)
        found.append(BoundByEnd(until, best.bound - came, best))
    return [*found, BoundByEnd(np.inf, free.bound - came, free)]


def mixed_bound(bounds: Sequence[BoundByEnd], weights: tuple[float, float], least_makespan: float) -> float:
    """Return what no schedule is below in a mix of its last end and a goal.

    Parameters
    ----------
    bounds : as of `bounds_by_end`
    weights : of the last end, and of the goal
    """
    begins = [least_makespan, *(max(each.until, least_makespan) for each in bounds)]
    of_end, of_goal = weights
    return min(of_end * begin + of_goal * each.bound for begin, each in zip(begins, bounds, strict=False))

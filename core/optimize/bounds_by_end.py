"""What no schedule is below that ends by a time: a bound for each of some times, by prices or by windows.

Beside the last end a goal has one pair of prices for all schedules (`core.optimize.worst_job`). Where the
goals pull apart, those that end early need other prices than those that end late: each range of the last end
has its own here, and what a mix of both costs at least is the least of all ranges. Of the largest stretch
each range has a window of its own: jobs are due by their stretch, and when all is to be over
(`core.optimize.objective_bounds.bound_of_stretch`). A range that says how much some mix costs is cut in two
where that may say more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.model.progress import cancelled_if, never_stop
from core.optimize.end_cases import MAX_FEW
from core.optimize.objective_bounds import bound_of_stretch, proof_of_stretch
from core.optimize.objectives import whole
from core.optimize.price_ascent import price_slots

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.job_costs import JobCosts
    from core.optimize.objectives import Objective
    from core.optimize.slot_prices import Prices

    Floats = NDArray[np.float64]

LITTLE = 1e-3
"""A range without which no mix has a bound that is less by more than this part is of no use."""
MIN_RANGE = 1e-3
"""A range that is no longer than this part of the least makespan is not cut."""


class BoundByEnd(NamedTuple):
    """Of all schedules whose last job ends by `until`, in s, none has a smaller value than `bound`."""

    until: float
    bound: float
    rule: dict[str, Any]
    prices: Prices | None = None

    def proof(self, goal: str) -> dict[str, Any]:
        """The rule and its numbers, from which `core.verify.check_front` works out the bound again."""
        until = self.until if self.until < np.inf else None
        return {"of": goal, "until": until, **self.rule}


class BoundsByEnd:
    """Bounds on a goal by when all is over, of more and more times.

    Attributes
    ----------
    least : seconds that every schedule takes
    bounds : of each time, ascending, and of no time at last
    """

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        goal: Objective,
        least: float,
        should_stop: Callable[[], bool] = never_stop,
        alone: Floats | None = None,
    ) -> None:
        """Find what holds for all schedules; Cancelled once `should_stop` is true, as in `add`.

        Parameters
        ----------
        goal : of responses, tardiness or late jobs, of jobs that do not follow others
            (`Objective.job_costs`), or the largest stretch
        alone : how long each job takes alone, s, (jobs,), for the largest stretch
        """
        self.least, self.bounds = least, list[BoundByEnd]()
        self._workload, self._cluster, self._should_stop = workload, cluster, should_stop
        self._costs, self._alone = goal.job_costs(workload), alone
        self.add(np.inf)

    def add(self, until: float) -> None:
        """Add the bound of schedules that are over by a time, s; no less than those of more schedules."""
        proved = self._by_windows(until) if self._costs is None else self._by_prices(self._costs, until)
        found = BoundByEnd(until, *proved)
        later = [each._replace(until=until) for each in self.bounds if each.until > until]
        best = max([found, *later], key=lambda each: each.bound)
        self.bounds = sorted([*self.bounds, best], key=lambda each: each.until)

    def _by_prices(self, costs: JobCosts, until: float) -> tuple[float, dict[str, Any], Prices]:
        """Return what prices of slots prove of schedules that are over by a time, the rule, and the prices.

        Of few jobs, cases of when they end are looked at where any last end is allowed.
        """
        given = self._workload, self._cluster, costs, self._should_stop
        has_cases = until == np.inf and len(self._workload.jobs) <= MAX_FEW
        prices = price_slots(*given, until=until, with_cases=has_cases)
        bound = prices.bound - float((costs.second * self._workload.columns.arrival).sum())
        return whole(bound) if costs.are_late_only else bound, prices.proof, prices

    def _by_windows(self, until: float) -> tuple[float, dict[str, Any]]:
        """Return what a window proves of the largest stretch of schedules over by a time, and the rule."""
        assert self._alone is not None
        cancelled_if(self._should_stop, "the search for windows")()
        about = self._workload, self._cluster, self._alone
        bound = bound_of_stretch(*about, until)
        return bound, proof_of_stretch(*about, bound, until) or {"rule": "alone"}

    def keep_needed(self, mixes: Sequence[tuple[float, float]]) -> None:
        """Leave out ranges that hardly raise the bound of any mix, as of `of_mix`: each has to be checked."""
        wanted = [(mix, self.of_mix(mix)[0] * (1 - LITTLE)) for mix in mixes]
        for each in self.bounds[:-1]:
            before = self.bounds
            self.bounds = [other for other in before if other is not each]
            if any(self.of_mix(mix)[0] < least for mix, least in wanted):
                self.bounds = before

    def of_mix(self, weights: tuple[float, float]) -> tuple[float, float]:
        """Return what no schedule is below in a mix of its last end and the goal, and where to cut for more.

        Parameters
        ----------
        weights : of the last end, and of the goal

        Returns
        -------
        The bound, and the middle of the range that has no more, s; infinity where it is not to be cut.
        """
        begins = [self.least, *(max(each.until, self.least) for each in self.bounds)]
        pairs = zip(begins, self.bounds, strict=False)
        costs = [weights[0] * begin + weights[1] * each.bound for begin, each in pairs]
        place = int(np.argmin(costs))
        begin, end = begins[place : place + 2]
        is_long = MIN_RANGE * self.least < end - begin < np.inf
        return costs[place], (begin + end) / 2 if is_long else np.inf

"""What counts by the worst of all jobs, as the makespan and the largest stretch do, beside prices of slots.

If the worst is between two levels, it costs what the lower one does at least, and no job ends later than the
higher one allows. So each pair of neighbours is a case in which jobs pay for slots at ends that are not too
late; the least of all cases is below every schedule (`core.optimize.slot_prices.price_bound`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.workload import Workload

    Floats = NDArray[np.float64]

LEVELS = 28
NEAREST = 1e-3
"""The second level is so much above the first one, as a part of it; the others are spread evenly."""
OF_MAKESPAN, OF_STRETCH = 2.0, 30.0
"""The last level in parts of the first one: worse jobs are not looked at one by one."""
CLOSE, PARTS, MAX_LEVELS = 1e-4, 6, 600
"""Cases that may prove less than this part more than the least one are cut into so many, up to so many."""


class WorstJob(NamedTuple):
    """What counts of all jobs by the worst one, and the levels that cases are made of.

    Attributes
    ----------
    weight : what 1 of it costs: a second of makespan, or one of stretch
    begin, slope : at a level, a job ends by `begin` + `slope` times the level, s; any time where the slope is
        0, (jobs,)
    levels : from the least that there can be, ascending; the last one is infinity
    """

    weight: float
    begin: Floats
    slope: Floats
    levels: Floats

    @property
    def limits(self) -> Floats:
        """When each job ends at the latest at each level, s, (levels, jobs)."""
        some = self.slope > 0
        levels, slope = self.levels[:, None], np.where(some, self.slope, 1.0)
        return np.where(some, self.begin + slope * levels, np.inf)

    @property
    def finite(self) -> list[float]:
        """All levels but the last one."""
        finite: list[float] = self.levels[:-1].tolist()
        return finite

    @property
    def costs(self) -> Floats:
        """What each level costs, the last one like the one before it, (levels,)."""
        finite: Floats = np.minimum(self.levels, self.levels[-2])
        return self.weight * finite

    def cases(self, least: Floats) -> Floats:
        """Return what each case costs at least, (levels - 1,).

        Parameters
        ----------
        least : what jobs cost at least that end by each level, (levels,)
        """
        cases: Floats = self.costs[:-1] + least[1:]
        return cases

    def finer(self, least: Floats) -> WorstJob:
        """Return the same with those cases cut that may prove more if they are.

        Parameters
        ----------
        least : as of `cases`, less what slots cost
        """
        at_levels = float((self.costs[:-1] + least[:-1]).min())  # more than this is not proved by any levels
        cases = self.cases(least)[:-1]
        near = np.flatnonzero(cases < at_levels - CLOSE * abs(at_levels))
        near = near[np.argsort(cases[near], kind="stable")][: (MAX_LEVELS - len(self.levels)) // PARTS]
        parts = np.arange(1, PARTS) / PARTS
        low, high = self.levels[near, None], self.levels[near + 1, None]
        return self._replace(levels=np.unique(np.append(self.levels, low + parts * (high - low))))

    def fewest(self, least: Floats) -> WorstJob:
        """Return the same with as few levels as prove as much: after each the farthest one that does.

        Parameters
        ----------
        least : as of `cases`; it never rises with the level
        """
        proved, kept = self.cases(least).min(), [0]
        while kept[-1] < len(least) - 1:
            kept.append(int(np.flatnonzero(self.costs[kept[-1]] + least >= proved)[-1]))
        return self._replace(levels=self.levels[kept])


def last_end(workload: Workload, weight: float, least: float) -> WorstJob:
    """Return the makespan as what the worst job makes it.

    Parameters
    ----------
    weight : what a second of it costs
    least : seconds that it takes at least, above 0
    """
    jobs = len(workload.jobs)
    return WorstJob(weight, np.zeros(jobs), np.ones(jobs), _levels(least, OF_MAKESPAN))


def largest_stretch(workload: Workload, weight: float, least: float, alone: Floats) -> WorstJob:
    """Return the largest stretch as what the worst job makes it.

    Parameters
    ----------
    weight : what 1 of it costs
    least : what it is at least, above 0
    alone : how long each job takes alone, seconds, (jobs,)
    """
    slope = np.where(np.isfinite(alone), alone, 0.0)
    return WorstJob(weight, workload.columns.arrival.copy(), slope, _levels(least, OF_STRETCH))


def _levels(least: float, most: float) -> Floats:
    """Return levels from the least one on to so many times that, most of them near to it."""
    above = np.geomspace(NEAREST, most - 1, LEVELS)
    return np.append(least * np.append(1.0, 1 + above), np.inf)
